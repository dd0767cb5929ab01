"""Opening ratings from a list: checked, their effect, stored and withdrawn."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

from django.utils.translation import gettext as _

from federation.accounts.models import User
from federation.core.errors import RuleError
from federation.core.reading import Issue, ReadPerson
from federation.uploads import registry
from federation.uploads.models import Upload
from federation.uploads.registry import Committed, EffectRow, Outcome, Work
from ratings.codes import RATING_SYSTEM
from ratings.models import OpeningList
from ratings.services.opening import OpeningRow, enter_opening, withdraw_opening
from ratings.uploads.results import current_ratings
from ratings.uploads.texts import LIST_ROLES


def check(work: Work) -> list[Issue]:
    """Return what speaks against storing the list."""
    issues: list[Issue] = []
    if work.reading.games or (not work.reading.people and not work.reading.has_errors):
        issues.append(Issue(0, 0, "opening_not_a_list", "error"))
        return issues
    in_force = OpeningList.objects.filter(system__code=RATING_SYSTEM, withdrawn_at=None).order_by("pk").first()
    if in_force is not None and in_force.upload_id != work.upload.pk:
        issues.append(Issue(0, 0, "opening_exists", "error", {"date": in_force.as_of.isoformat()}))
    for person in work.reading.people:
        for name in ("rating", "games", "wins"):
            if getattr(person, name) is None:
                params = {"name": person.name, "column": str(LIST_ROLES[name])}
                column = work.reading.columns.index(name) + 1 if name in work.reading.columns else 0
                issues.append(Issue(person.line, column, "opening_value_missing", "error", params, person.file))
    return issues


def effect(work: Work) -> registry.Effect | None:
    """Return the ratings that people get; everything after the day is rated again."""
    known = current_ratings(person for person in work.people.values() if person > 0)
    rows = [
        EffectRow(work.people[read.key], known.get(work.people[read.key]), read.rating, 0, read.games or 0)
        for read in work.reading.people
        if read.key in work.people
    ]
    day = as_of(work.upload)
    remark = _("Events up to %(date)s never count; later ones are rated again from these ratings.")
    return registry.Effect(tuple(rows), (remark % {"date": day.isoformat()},))


def commit(work: Work, actor: User) -> Committed:
    """Store the list."""
    rows = [_row(read, work.people[read.key]) for read in work.reading.people]
    enter_opening(rows=rows, as_of=as_of(work.upload), actor=actor, upload=work.upload)
    outcomes = [
        Outcome(read.line, "stored", f"{work.names[read.key]} · {read.rating} · {read.games}", read.file)
        for read in work.reading.people
    ]
    return Committed(outcomes)


def withdraw(upload: Upload, actor: User, reason: str) -> None:
    """Take the list out of force."""
    made = OpeningList.objects.filter(upload=upload).order_by("-pk").first()
    if made is not None:
        withdraw_opening(opening=made, reason=reason, actor=actor)


def as_of(upload: Upload) -> dt.date:
    """Return the day of the ratings.

    Raises:
        RuleError: ``date_missing``.
    """
    try:
        return dt.date.fromisoformat(str(upload.options.get("as_of", "")))
    except ValueError as error:
        raise RuleError("date_missing", where="as_of") from error


def _row(read: ReadPerson, person: int) -> OpeningRow:
    return OpeningRow(
        person=person,
        rating=read.rating or 0,
        games=read.games or 0,
        wins=Fraction(str(read.wins or 0)),
        last_season=read.last_season or None,
        line=read.line,
    )
