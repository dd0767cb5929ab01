"""Everything that can be said of an upload before it is stored, computed from what is stored of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from federation.core.names import NameIndex
from federation.core.reading import Issue, Reading
from federation.registry.models import Entry, Event, MembershipPolicy, Person
from federation.registry.queries.settings import federation_settings
from federation.registry.services.events import membership_problems
from federation.uploads.codec import reading_from_json
from federation.uploads.models import Upload
from federation.uploads.queries.matching import Match, match_people
from federation.uploads.registry import UploadKind, Work, kind_of

MOST_NAMES = 12
"""Most names that one sentence lists."""


@dataclass
class Analysis:
    """An upload with everything found out about it.

    Attributes:
        upload, kind, reading: as stored.
        matches: the people of the file in its order.
        index: names of the register, for suggestions.
        issues: everything found in the file, about people and by the game, in the order of the file.
    """

    upload: Upload
    kind: UploadKind
    reading: Reading
    matches: list[Match]
    index: NameIndex[int]
    issues: list[Issue]
    work: Work

    @cached_property
    def file_issues(self) -> list[Issue]:
        """Issues that the page of rows shows: all but those that only ask who somebody is."""
        return [issue for issue in self.issues if issue.code != "person_undecided"]

    @cached_property
    def errors(self) -> list[Issue]:
        """What stops the file, people apart."""
        return [issue for issue in self.file_issues if issue.severity == "error"]

    @cached_property
    def to_confirm(self) -> list[Issue]:
        """Warnings that nobody has looked at yet."""
        confirmed = set(self.upload.confirmed)
        return [issue for issue in self.file_issues if issue.severity == "warning" and mark_of(issue) not in confirmed]

    @cached_property
    def confirmed(self) -> list[Issue]:
        """Warnings that somebody found right."""
        confirmed = set(self.upload.confirmed)
        return [issue for issue in self.file_issues if issue.severity == "warning" and mark_of(issue) in confirmed]

    @cached_property
    def remarks(self) -> list[Issue]:
        """What is only worth knowing."""
        return [issue for issue in self.file_issues if issue.severity == "info"]

    @cached_property
    def undecided(self) -> list[Match]:
        """People about whom somebody has to decide."""
        return [match for match in self.matches if match.how == "open"]

    @property
    def is_ready(self) -> bool:
        """Whether the file can be stored."""
        return not (self.errors or self.to_confirm or self.undecided)

    @property
    def stops(self) -> int:
        """How many things still stop the file."""
        return len(self.errors) + len(self.to_confirm) + len(self.undecided)

    @property
    def new_people(self) -> list[Match]:
        """People that are created when the file is stored."""
        return [match for match in self.matches if match.how == "new"]


def mark_of(issue: Issue) -> str:
    """Return what identifies a warning as long as its row does not change."""
    told = [issue.file, issue.line, issue.column, issue.code, sorted(issue.params.items())]
    return hashlib.sha256(json.dumps(told, ensure_ascii=True, default=str).encode()).hexdigest()[:16]


def analyse(upload: Upload) -> Analysis:
    """Return everything that can be said of an upload. The number of queries does not depend on the file.

    Args:
        upload: with ``discipline`` and ``event`` selected.
    """
    kind = kind_of(upload)
    reading = reading_from_json(upload.reading)
    matches, index = match_people(upload, reading)
    work = Work(
        upload=upload,
        event=upload.event,
        reading=reading,
        people={match.read.key: match.person for match in matches if match.person is not None},
        names={match.read.key: match.name for match in matches if match.person is not None},
    )
    issues = [*reading.issues, *_people_issues(work, matches)]
    if upload.event is not None and upload.is_open:
        issues += _membership_issues(upload.event, matches)
    if upload.is_open:
        issues += kind.check(work)
    order = sorted(enumerate(issues), key=lambda pair: (pair[1].file, pair[1].line, pair[1].column, pair[0]))
    return Analysis(upload, kind, reading, matches, index, [issue for _, issue in order], work)


def _people_issues(work: Work, matches: Sequence[Match]) -> list[Issue]:
    """Return who is unknown, and who would stand twice in a round because two names were taken for one person."""
    issues = [
        Issue(match.read.line, 0, "person_undecided", "error", {"name": match.read.name}, match.read.file)
        for match in matches
        if match.how == "open"
    ]
    written = {match.read.key: match.read.name for match in matches}
    seen: dict[tuple[int, int], str] = {}
    for game in work.reading.games:
        for key in (game.a, game.b):
            person = work.people.get(key) if key is not None else None
            if key is None or person is None:
                continue
            other = seen.setdefault((game.round, person), key)
            if other != key:
                params: dict[str, str | int] = {"name": written[key], "other": written[other], "round": game.round}
                issues.append(Issue(game.line, 0, "person_twice_in_round", "error", params, game.file))
    if not work.reading.games:
        issues += _listed_twice(work.people, matches)
    return issues


def _listed_twice(people: Mapping[str, int], matches: Sequence[Match]) -> list[Issue]:
    issues: list[Issue] = []
    first: dict[int, Match] = {}
    for match in matches:
        person = people.get(match.read.key)
        if person is None:
            continue
        other = first.setdefault(person, match)
        if other is not match:
            params = {"name": match.read.name, "other": other.read.name}
            issues.append(Issue(match.read.line, 0, "person_twice", "error", params, match.read.file))
    return issues


def _membership_issues(event: Event, matches: Sequence[Match]) -> list[Issue]:
    """Return who has no membership or licence on the day of the event, if the file would enter them."""
    entered = set(Entry.objects.filter(event=event).values_list("person_id", "person__merged_into_id"))
    roots = {merged or person for person, merged in entered}
    blocks = federation_settings().membership_policy == MembershipPolicy.BLOCK
    by_person: dict[int, Match] = {}
    for match in matches:
        if match.person is not None and match.person not in roots:
            by_person.setdefault(match.person, match)
    known = list(Person.objects.filter(pk__in=[key for key in by_person if key > 0]).order_by("pk"))
    missing = set(membership_problems(known, event)) | {key for key in by_person if key < 0}
    names = [match.name for key, match in by_person.items() if key in missing]
    if not names:
        return []
    shown = ", ".join(names[:MOST_NAMES]) + ("…" if len(names) > MOST_NAMES else "")
    params: dict[str, str | int] = {"count": len(names), "names": shown, "date": event.starts_on.isoformat()}
    code = "memberships_block" if blocks else "memberships_missing"
    return [Issue(0, 0, code, "error" if blocks else "info", params)]
