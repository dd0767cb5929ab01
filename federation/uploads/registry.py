"""What a game brings to the intake of files: readers, checks, effect, storing and withdrawing.

The intake itself knows no game. A game registers an `UploadKind` for each purpose in ``AppConfig.ready()``, and an
inspector that reads files of any purpose for ``manage.py inspect_file``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from django.utils.functional import Promise

from federation.accounts.models import User
from federation.core.errors import InvariantError
from federation.core.reading import Issue, Reading, Repair
from federation.registry.models import Event
from federation.uploads.models import Upload

Label: TypeAlias = "str | Promise"

RESULTS = "results"
OPENING = "opening"


@dataclass(frozen=True, slots=True)
class Work:
    """A file with everything decided about it.

    Attributes:
        upload: the upload.
        event: its event, None for purposes without one.
        reading: what was read, repairs made and rows set aside.
        people: key of the reading to key of the person (the record that counts); negative stand-ins, each its own, for
            people who are created when the file is stored. People about whom nothing is decided yet are missing.
        names: name of each of these, as staff and directors see it.
    """

    upload: Upload
    event: Event | None
    reading: Reading
    people: Mapping[str, int]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class EffectRow:
    """What storing the file does to the rating of one person; None where there is no rating."""

    person: int
    before: int | None
    after: int | None
    games_before: int
    games_after: int

    @property
    def change(self) -> int | None:
        """Points gained or lost, None where a rating is missing on one side."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class Effect:
    """Effect of a file on everybody: rows by size of the change, and remarks in words."""

    rows: Sequence[EffectRow] = ()
    remarks: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one row of the file.

    Attributes:
        what: ``stored``, ``known`` (was there already), ``nothing`` (an absence: nothing to store).
        text: the row in words.
    """

    line: int
    what: str
    text: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Committed:
    """What storing a file made. `undo` is kept with the receipt and given to `UploadKind.withdraw`."""

    outcomes: Sequence[Outcome]
    undo: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UploadKind:
    """One purpose of files of one game.

    Attributes:
        discipline: code of the game.
        purpose: ``results`` or ``opening``.
        title: heading of the pages.
        needs_event: whether the file belongs to an event.
        read: the pure reader; never raises on bad input.
        check: what speaks against storing, beyond what the reader and the matching of people found. Issues with
            severity ``error`` stop the file, ``warning`` asks for a confirmation, ``info`` is only shown.
        effect: the effect on ratings if the file were stored now; None where the game has no rating yet.
        commit: stores the file inside the transaction of the intake; every person exists by then.
        withdraw: takes back what `commit` stored, inside the transaction.
        roles: heading of a column by its meaning in the reading, in the order that matters to a reader.
        formats: name of a format by its code.
        ratings: current ratings by person, to confirm a name.
        options: names of further values that the page of the file asks for (``as_of``: a day).
        event_address: address of the event at the desk, empty if none.
        template: workbook to fill in for an event, as bytes; None if the game has none.
    """

    discipline: str
    purpose: str
    title: Label
    needs_event: bool
    read: Callable[[Sequence[tuple[str, bytes]], Sequence[Repair]], Reading]
    check: Callable[[Work], Sequence[Issue]]
    effect: Callable[[Work], Effect | None]
    commit: Callable[[Work, User], Committed]
    withdraw: Callable[[Upload, User, str], None]
    roles: Mapping[str, Label] = field(default_factory=dict)
    formats: Mapping[str, Label] = field(default_factory=dict)
    ratings: Callable[[Iterable[int]], Mapping[int, int]] = lambda persons: {}
    options: Sequence[str] = ()
    event_address: Callable[[Event], str] = lambda event: ""
    template: Callable[[Event], bytes] | None = None


Inspector: TypeAlias = Callable[[Sequence[tuple[str, bytes]]], "dict[str, object]"]

_kinds: dict[tuple[str, str], UploadKind] = {}
_inspectors: dict[str, Inspector] = {}


def register_kind(kind: UploadKind) -> None:
    """Add a purpose of a game; registering it again replaces it."""
    _kinds[kind.discipline, kind.purpose] = kind


def register_inspector(discipline: str, inspector: Inspector) -> None:
    """Add the reader that ``inspect_file`` asks; its answer has ``format`` ``unknown`` for files of other games."""
    _inspectors[discipline] = inspector


def find_kind(discipline: str, purpose: str) -> UploadKind | None:
    """Return a purpose of a game, None if it was not registered."""
    return _kinds.get((discipline, purpose))


def kind_of(upload: Upload) -> UploadKind:
    """Return the kind of an upload.

    Raises:
        InvariantError: the game is no longer installed.
    """
    kind = find_kind(upload.discipline.code, upload.purpose)
    if kind is None:
        raise InvariantError(f"no kind of upload for {upload.discipline.code}/{upload.purpose}")
    return kind


def kinds(purpose: str = "") -> list[UploadKind]:
    """Return the kinds of all games, or those of one purpose."""
    return [kind for kind in _kinds.values() if purpose in ("", kind.purpose)]


def inspect(files: Sequence[tuple[str, bytes]]) -> dict[str, object]:
    """Return the reading of the first game that recognises the files, otherwise the first answer."""
    answers: list[dict[str, object]] = []
    for inspector in _inspectors.values():
        answer = inspector(files)
        if answer.get("format") != "unknown":
            return answer
        answers.append(answer)
    if not answers:
        raise InvariantError("no game has registered a reader of files")
    return answers[0]
