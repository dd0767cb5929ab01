"""Forms of the accounts' pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from federation.accounts.models import Role, User


class AccountForm(forms.ModelForm):
    """Name, address and language of the own account."""

    language = forms.ChoiceField(label=_("Language"), required=False)

    class Meta:
        model = User
        fields = ["first_name", "last_name", "email", "language"]
        labels = {"first_name": _("Given name"), "last_name": _("Family name"), "email": _("E-mail address")}
        help_texts = {"email": _("For a forgotten password. Never shown to the public.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("as the browser asks")), *settings.LANGUAGES]  # type: ignore[attr-defined]
        self.fields["first_name"].widget.attrs["autocomplete"] = "given-name"
        self.fields["last_name"].widget.attrs["autocomplete"] = "family-name"
        self.fields["email"].widget.attrs["autocomplete"] = "email"

    def _post_clean(self) -> None:
        """Leave the instance alone: the service writes, and says when the address is taken."""


class RolesForm(forms.Form):
    """The roles of one account."""

    roles = forms.MultipleChoiceField(
        label=_("Roles"), choices=Role.choices, required=False, widget=forms.CheckboxSelectMultiple
    )
    reason = forms.CharField(label=_("Reason"), max_length=500, required=False, help_text=_("Kept in the audit."))


class ReasonForm(forms.Form):
    """A reason for the audit."""

    reason = forms.CharField(max_length=500, required=False)


class InvitationForm(forms.Form):
    """Whom to invite, and to what."""

    full_name = forms.CharField(label=_("Name"), max_length=150, required=False)
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("The link is sent there. Without an address you hand it over yourself."),
    )
    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=Role.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None for a player or a director: a director is named on the event."),
    )
    person_number = forms.IntegerField(
        label=_("Number of the player in the registry"), min_value=1, max_value=2_147_483_647, required=False
    )

    def clean(self) -> dict[str, Any]:
        """Ask for something that tells for whom the link is."""
        data = super().clean() or {}
        if not self.errors and not (data.get("full_name") or data.get("email") or data.get("person_number")):
            raise ValidationError(_("Say for whom the invitation is: a name, an address or a player's number."))
        return data


class AcceptanceForm(forms.Form):
    """The new account of somebody invited."""

    first_name = forms.CharField(label=_("Given name"), max_length=150, required=False)
    last_name = forms.CharField(label=_("Family name"), max_length=150)
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        help_text=_("Letters, digits and @ . + - _; you sign in with it."),
    )
    password1 = forms.CharField(label=_("Password"), strip=False, max_length=200, widget=forms.PasswordInput)
    password2 = forms.CharField(label=_("Password once more"), strip=False, max_length=200, widget=forms.PasswordInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, purpose in [
            ("first_name", "given-name"),
            ("last_name", "family-name"),
            ("username", "username"),
            ("password1", "new-password"),
            ("password2", "new-password"),
        ]:
            self.fields[name].widget.attrs["autocomplete"] = purpose
        self.fields["password1"].help_text = password_validators_help_text_html()

    def clean(self) -> dict[str, Any]:
        """Compare the two passwords and measure their strength."""
        data = super().clean() or {}
        first, second = data.get("password1"), data.get("password2")
        if first and second and first != second:
            self.add_error("password2", _("The two passwords differ: write the same one twice."))
        elif first:
            account = User(
                username=data.get("username", ""),
                first_name=data.get("first_name", ""),
                last_name=data.get("last_name", ""),
            )
            try:
                validate_password(first, account)
            except ValidationError as error:
                self.add_error("password1", error)
        return data
