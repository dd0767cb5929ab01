"""What the registry's admin pages share: saving by services, their errors in the form, the audit as history."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import models, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import NoReverseMatch, reverse
from django.utils.http import urlencode

from federation.core.errors import RuleError
from federation.problems import explain


class ServiceForm(forms.ModelForm):
    """A form whose values are tried with the service before the page says that they are right."""

    model_admin: ServiceAdmin
    request: HttpRequest

    def clean(self) -> dict[str, Any]:
        """Try to save, and take it back: what the service refuses stands beside the field."""
        cleaned = super().clean() or {}
        if self.errors or not self.model_admin.may_try(self):
            return cleaned
        try:
            with transaction.atomic():
                self.model_admin.write(self.request, self)
                transaction.set_rollback(True)
        except RuleError as error:
            self.add_error(error.where if error.where in self.fields else None, explain(error))
        return cleaned

    def _post_clean(self) -> None:
        """Leave the instance as it is: the service sets the values and checks them."""

    def save(self, commit: bool = True) -> Any:
        """Return the instance; the admin saves it by the service."""
        self.save_m2m = lambda: None  # type: ignore[method-assign]
        return self.instance

    def changes(self, *ignored: str) -> dict[str, Any]:
        """Return the values of the fields that the page offers."""
        return {name: value for name, value in self.cleaned_data.items() if name not in (*ignored, "form_version")}


class VersionedForm(ServiceForm):
    """A form that remembers from which version it was made."""

    form_version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "form_version" in self.fields:
            self.fields["form_version"].initial = self.instance.version


class ServiceAdmin(admin.ModelAdmin):
    """An admin page that writes by services, in one transaction with its inlines."""

    form = ServiceForm
    change_form_template = "registry/admin/change_form.html"
    show_full_result_count = False
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER

    def write(self, request: HttpRequest, form: Any) -> models.Model:
        """Save the values of the form by a service and return the row."""
        raise NotImplementedError

    def remove(self, request: HttpRequest, obj: Any) -> None:
        """Delete a row by a service."""
        raise NotImplementedError

    def may_try(self, form: Any) -> bool:
        """Whether saving may be tried while the form is checked."""
        return True

    def tools(self, request: HttpRequest, obj: Any) -> list[tuple[str, Any]]:
        """Return address and label of what else can be done with the row."""
        return []

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Give the form what it needs to try the service."""
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"model_admin": self, "request": request})

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save by the service; what the page works on afterwards is the row as saved."""
        row = self.write(request, form)
        obj.__dict__.update(row.__dict__)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete by the service."""
        self.remove(request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Name the rows alone: the service refuses one that others refer to, so nothing goes along unseen."""
        names = [str(row) for row in objs]
        return names, {str(self.opts.verbose_name_plural): len(names)}, set(), []

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer no deletion of many rows at once."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show what the service refused although the form was right; offer the other things to do."""
        context = {**(extra_context or {})}
        if object_id is not None and request.method == "GET":
            obj = self.get_object(request, object_id)
            context["registry_tools"] = self.tools(request, obj) if obj is not None else []
        try:
            return super().changeform_view(request, object_id, form_url, context)
        except RuleError as error:
            return self._refused(request, error)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show why a row is not deleted."""
        try:
            return super().delete_view(request, object_id, extra_context)
        except RuleError as error:
            return self._refused(request, error)

    def _refused(self, request: HttpRequest, error: RuleError) -> HttpResponse:
        messages.error(request, explain(error))
        return HttpResponseRedirect(request.path)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the audit records of the row."""
        try:
            address = reverse("admin:audit_auditevent_changelist")
        except NoReverseMatch:
            return super().history_view(request, object_id, extra_context)
        query = urlencode({"object_type": self.opts.label_lower, "object_id": object_id})
        return HttpResponseRedirect(f"{address}?{query}")

    # The audit records the changes; a second record would keep names that a person may ask to have removed.
    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write nothing."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write nothing."""

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Write nothing."""


def user_of(request: HttpRequest) -> Any:
    """Return the signed-in account."""
    return request.user
