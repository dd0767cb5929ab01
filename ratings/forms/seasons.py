"""Forms of the seasons: the day of an edition, a reason."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from federation.registry.models import Season
from federation.web.dates import long_date

MOST_TEXT = 4000


class EditionForm(forms.Form):
    """The day as of which a regular list of a season is made.

    Args:
        season: The season; the day belongs to it.
        today: Nobody makes a list of a day to come.
        prepared: Day of the draft that waits, proposed again.
    """

    as_of = forms.DateField(
        label=_("As of"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        input_formats=["%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y"],
        error_messages={"required": _("Write the day."), "invalid": _("Write the day as 2026-03-31.")},
    )

    def __init__(
        self, *args: Any, season: Season, today: dt.date, prepared: dt.date | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.first, self.last = season.starts_on, max(min(season.ends_on, today), season.starts_on)
        self.fields["as_of"].initial = prepared or self.last
        self.fields["as_of"].widget.attrs |= {"min": self.first.isoformat(), "max": self.last.isoformat()}

    def clean_as_of(self) -> dt.date:
        """Refuse a day outside the season, and one to come."""
        day: dt.date = self.cleaned_data["as_of"]
        if not self.first <= day <= self.last:
            raise forms.ValidationError(
                _("Choose a day from %(first)s to %(last)s."),
                params={"first": long_date(self.first), "last": long_date(self.last)},
            )
        return day


class ReasonForm(forms.Form):
    """Why a season is opened again."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Write the reason.")},
    )


class PublishForm(forms.Form):
    """Publication of exactly one draft."""

    draft = forms.IntegerField(min_value=1, max_value=2**62)
    read = forms.BooleanField(required=False)
    reason = forms.CharField(required=False, max_length=MOST_TEXT)
