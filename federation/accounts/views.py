"""Pages of the own account and of the administration of accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from federation.accounts import services
from federation.accounts.adapter import set_language_cookie
from federation.accounts.forms import AcceptanceForm, AccountForm, InvitationForm, ReasonForm, RolesForm
from federation.accounts.hooks import account_links
from federation.accounts.models import Invitation, Role, User
from federation.accounts.permissions import permission_required
from federation.accounts.queries import accounts, has_second_factor, invitation_of, open_invitations
from federation.audit.queries import history_of
from federation.core.errors import RuleError
from federation.problems import explain

ACCOUNTS_PER_PAGE = 50


def _changes_address(request: HttpRequest) -> bool:
    """Whether the address for a forgotten password is about to change: a borrowed session must not be enough."""
    user = request.user
    return request.method == "POST" and user.is_authenticated and request.POST.get("email", "") != user.email


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required("accounts.own_account")
@reauthentication_required(enabled=_changes_address)
def account_home(request: HttpRequest) -> HttpResponse:
    """Show and change the own account."""
    user: User = request.user  # type: ignore[assignment]
    form = AccountForm(_posted(request), instance=user)
    if request.method == "POST" and form.is_valid():
        try:
            services.change_account(account=user, actor=user, **form.cleaned_data)
        except RuleError as error:
            form.add_error("email", explain(error))
        else:
            messages.success(request, _("Your account was changed."))
            response = redirect("account")
            set_language_cookie(response, user.language)
            return response
    context = {
        "form": form,
        "role_names": [Role(role).label for role in Role.values if role in user.roles],
        "has_second_factor": has_second_factor(user),
        "links": account_links(user),
    }
    return render(request, "accounts/home.html", context, status=400 if form.errors else 200)


@require_safe
def no_sign_up(request: HttpRequest) -> HttpResponse:
    """Say that an account begins with an invitation."""
    return render(request, "accounts/no_sign_up.html")


@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Let somebody invited choose a user name and a password."""
    found = invitation_of(secret)
    if found is None or not found.is_open:
        return render(request, "accounts/invitation_closed.html", {"invitation": found}, status=410 if found else 404)
    given, _space, family = found.full_name.partition(" ")
    form = AcceptanceForm(_posted(request), initial={"first_name": given, "last_name": family})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            account = services.accept_invitation(
                secret=secret,
                username=data["username"],
                password=data["password1"],
                first_name=data["first_name"],
                last_name=data["last_name"],
                language=getattr(request, "LANGUAGE_CODE", ""),
            )
        except RuleError as error:
            form.add_error("username" if error.code == "username_taken" else None, explain(error))
        except ValidationError as error:
            form.add_error("password1", error)
        else:
            login(request, account, backend="federation.accounts.backends.PasswordBackend")
            messages.success(request, _("Welcome. Your account is ready."))
            return redirect("account")
    context = {"form": form, "invitation": found}
    return render(request, "accounts/invitation.html", context, status=400 if form.errors else 200)


@require_safe
@permission_required("accounts.manage")
def account_list(request: HttpRequest) -> HttpResponse:
    """List accounts and open invitations."""
    search = request.GET.get("q", "")[:100].strip()
    page = Paginator(accounts(search), ACCOUNTS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "search": search, "invitations": open_invitations()}
    return render(request, "accounts/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@permission_required("accounts.manage")
def account_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an account and change its roles."""
    account = get_object_or_404(User, pk=pk)
    granted = list(account.role_grants.order_by("role").values_list("role", flat=True))
    form = RolesForm(_posted(request), initial={"roles": granted})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            services.set_roles(account=account, roles=data["roles"], actor=request.user, reason=data["reason"])  # type: ignore[arg-type]
        except RuleError as error:
            form.add_error("roles", explain(error))
        else:
            messages.success(request, _("The roles were changed."))
            return redirect("account-detail", pk=pk)
    context = {
        "account": account,
        "form": form,
        "has_second_factor": has_second_factor(account),
        "history": history_of(account),
    }
    return render(request, "accounts/detail.html", context, status=400 if form.errors else 200)


@require_POST
@permission_required("accounts.manage")
def account_close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close an account."""
    return _act(request, pk, services.close_account, _("The account was closed."))


@require_POST
@permission_required("accounts.manage")
def account_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a closed account again."""
    return _act(request, pk, services.open_account, _("The account was opened again."))


@require_POST
@permission_required("accounts.manage")
def account_reset_factor(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove the second factor of somebody who lost it."""
    return _act(request, pk, services.reset_second_factor, _("The second factor was removed."))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@permission_required("accounts.manage")
def invite(request: HttpRequest) -> HttpResponse:
    """Write an invitation and show its link, once."""
    form = InvitationForm(_posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made, link = services.invite(actor=request.user, **form.cleaned_data)  # type: ignore[arg-type]
        except RuleError as error:
            field = {"email_taken": "email", "unknown_role": "roles"}.get(error.code, "person_number")
            form.add_error(field, explain(error))
        else:
            return render(request, "accounts/invited.html", {"invitation": made, "link": link})
    return render(request, "accounts/invite.html", {"form": form}, status=400 if form.errors else 200)


@require_POST
@permission_required("accounts.manage")
def invitation_revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw an invitation."""
    try:
        services.revoke_invitation(invitation=get_object_or_404(Invitation, pk=pk), actor=request.user)  # type: ignore[arg-type]
    except RuleError as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, _("The invitation was withdrawn; its link no longer works."))
    return redirect("account-list")


def _posted(request: HttpRequest) -> QueryDict | None:
    """Return what was sent, also where nothing was ticked; None when the page is only opened."""
    return request.POST if request.method == "POST" else None


def _act(request: HttpRequest, pk: int, action: Callable[..., Any], done: str) -> HttpResponse:
    account = get_object_or_404(User, pk=pk)
    form = ReasonForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        action(account=account, actor=request.user, reason=reason)
    except RuleError as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, done)
    return redirect("account-detail", pk=pk)
