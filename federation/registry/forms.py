"""Forms of the registry's desk."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from federation.registry.models import Person, Season


class ReasonForm(forms.Form):
    """Why something is done; the audit keeps it."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Kept in the record of changes, which is never erased: write no names."),
    )


class MergeForm(ReasonForm):
    """Two records as the preview showed them, and the reason."""

    kept = forms.IntegerField(widget=forms.HiddenInput)
    dropped = forms.IntegerField(widget=forms.HiddenInput)
    #: Versions of both records when the preview was made.
    versions = forms.CharField(widget=forms.HiddenInput, max_length=40)


class AnonymiseForm(ReasonForm):
    """The reason, and the number typed once more."""

    confirmation = forms.CharField(label=_("Number of the record"), max_length=12)

    def __init__(self, *args: Any, person: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person

    def clean_confirmation(self) -> str:
        """Refuse anything but the number."""
        text = str(self.cleaned_data["confirmation"]).strip()
        if text != str(self.person.number):
            wanted = _("Type the number %(number)s to confirm.") % {"number": self.person.number}
            raise forms.ValidationError(wanted)
        return text


class OptionalReasonForm(forms.Form):
    """A reason that some steps need."""

    reason = forms.CharField(
        label=_("Reason"), max_length=500, required=False, widget=forms.Textarea(attrs={"rows": 2})
    )


class MembershipListForm(forms.Form):
    """Memberships of many persons at once."""

    season = forms.ModelChoiceField(label=_("Season"), queryset=Season.objects.select_related("discipline"))
    lines = forms.CharField(
        label=_("List"),
        max_length=300_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_("One line a person: number; address of the club; licence. Only the number is needed."),
    )
