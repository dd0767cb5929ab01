"""Forms of the desk: events, players brought by a director, reasons."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from federation.accounts.models import User
from federation.registry.models import Club, Event, Modality, Season
from ratings.codes import DISCIPLINE

TIE_BREAKS = (
    ("direct spread", _("direct games, then point spread")),
    ("spread direct", _("point spread, then direct games")),
    ("direct", _("direct games only")),
    ("spread", _("point spread only")),
    ("", _("none: equal points share the place")),
)
#: Fields of the form that are values of the event, by the names of the services.
EVENT_FIELDS = (
    "name",
    "starts_on",
    "ends_on",
    "rating_date",
    "season",
    "modality",
    "rounds",
    "venue",
    "town",
    "club",
    "sequence",
    "results_public",
)


class DateInput(forms.DateInput):
    """The browser's own choice of a date."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class DirectorsField(forms.CharField):
    """User names separated by commas or blanks; gives the accounts."""

    def clean(self, value: Any) -> list[User]:
        """Return the accounts in the order of the user names.

        Raises:
            ValidationError: a name that no active account has.
        """
        names = str(super().clean(value) or "").replace(",", " ").split()
        users = {user.username.casefold(): user for user in User.objects.filter(is_active=True, username__in=names)}
        found = []
        for name in dict.fromkeys(names):
            user = users.get(name.casefold()) or User.objects.filter(is_active=True, username__iexact=name).first()
            if user is None:
                raise forms.ValidationError(
                    _("There is no account with the user name “%(name)s”."), params={"name": name}
                )
            found.append(user)
        return found


class EventForm(forms.Form):
    """An event as the results secretary enters it."""

    name = forms.CharField(label=_("Name"), max_length=160)
    starts_on = forms.DateField(label=_("First day"), widget=DateInput())
    ends_on = forms.DateField(label=_("Last day"), widget=DateInput())
    rounds = forms.IntegerField(label=_("Rounds"), min_value=0, max_value=200, initial=0)
    modality = forms.ChoiceField(label=_("Modality"), choices=Modality.choices)
    venue = forms.CharField(label=_("Venue"), max_length=120, required=False)
    town = forms.CharField(label=_("Town"), max_length=80, required=False)
    club = forms.ModelChoiceField(
        label=_("Organising club"), queryset=Club.objects.none(), required=False, empty_label=_("none")
    )
    season = forms.ModelChoiceField(
        label=_("Season"), queryset=Season.objects.none(), required=False, empty_label=_("by the date")
    )
    rating_date = forms.DateField(
        label=_("Rating date"), widget=DateInput(), required=False, help_text=_("The last day, unless another is set.")
    )
    sequence = forms.IntegerField(
        label=_("Order within the day"),
        min_value=0,
        max_value=32767,
        initial=0,
        required=False,
        help_text=_("Decides between events with the same rating date."),
    )
    tie_breaks = forms.ChoiceField(label=_("Equal points are separated by"), choices=TIE_BREAKS, required=False)
    results_public = forms.BooleanField(label=_("Results are public or handed in"), required=False, initial=True)
    directors = DirectorsField(
        label=_("Directors"), required=False, max_length=500, help_text=_("User names, separated by commas.")
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        club: Any = self.fields["club"]
        season: Any = self.fields["season"]
        club.queryset = Club.objects.order_by("name", "pk")
        season.queryset = Season.objects.filter(discipline__code=DISCIPLINE).order_by("-starts_on", "pk")
        for name, bound in self.fields.items():
            if bound.help_text:
                bound.widget.attrs["aria-describedby"] = f"hint-{name}"

    @classmethod
    def initial_of(cls, event: Event) -> dict[str, Any]:
        """Return the values of an event for the form."""
        values: dict[str, Any] = {name: getattr(event, name) for name in EVENT_FIELDS}
        values["tie_breaks"] = " ".join(event.tie_breaks)
        values["directors"] = ", ".join(event.directors.order_by("username").values_list("username", flat=True))
        values["version"] = event.version
        return values

    def event_values(self) -> dict[str, Any]:
        """Return the values for the services."""
        values = {name: self.cleaned_data[name] for name in EVENT_FIELDS}
        values["tie_breaks"] = self.cleaned_data["tie_breaks"].split()
        values["sequence"] = values["sequence"] or 0
        return values


class NewPlayerForm(forms.Form):
    """A player whom the register does not have yet; the registry officer confirms or merges the record."""

    given_name = forms.CharField(label=_("Given name"), max_length=80)
    family_name = forms.CharField(label=_("Family name"), max_length=120)
    birth_year = forms.IntegerField(
        label=_("Year of birth"), min_value=1900, max_value=2100, required=False, help_text=_("Never shown in public.")
    )
    club = forms.ModelChoiceField(label=_("Club"), queryset=Club.objects.none(), required=False, empty_label=_("none"))

    #: Whether somebody of this name was found, so that the form offers to enter another of the same name.
    has_namesake = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "new_%s")
        super().__init__(*args, **kwargs)
        club: Any = self.fields["club"]
        club.queryset = Club.objects.filter(is_active=True).order_by("name", "pk")

    def clean_birth_year(self) -> int | None:
        """Return the year; nobody was born after today.

        Raises:
            ValidationError: a year to come.
        """
        year: int | None = self.cleaned_data["birth_year"]
        if year is not None and year > timezone.localdate().year:
            raise forms.ValidationError(_("This year is still to come."))
        return year


class ReasonForm(forms.Form):
    """A reason that goes on record."""

    reason = forms.CharField(label=_("Reason"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3}))
