"""Whom the people of a file may be: suggestions with a likeness and a reason in words, found people, typed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from federation.core.names import Suggestion
from federation.core.reading import ReadPerson
from federation.registry.models import Entry, Event, EventState, Person
from federation.registry.queries.people import people_matching
from federation.uploads.queries.analysis import Analysis
from federation.uploads.queries.matching import Match, persons_in_force

SUGGESTIONS = 4
FOUND = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """A person that may be meant."""

    person: Person
    why: str
    score: int | None = None
    reason: str = ""
    rating: int | None = None
    rating_fits: bool = False
    last_played: object = None
    events: int = 0
    entry: int | None = None


@dataclass
class Question:
    """Somebody of the file about whom is to be decided.

    Attributes:
        place: number in the file's list of people, part of the names of the fields.
        picked: value of the chosen option: number of a person, ``new``, or empty.
    """

    place: int
    match: Match
    rows: int
    candidates: list[Candidate]
    picked: str = ""
    search: str = ""
    nobody_found: bool = False
    given: str = ""
    family: str = ""
    club: str = ""
    year: str = ""
    remember: bool = True
    problem: str = ""
    is_next: bool = False
    can_undo: bool = False


@dataclass(frozen=True, slots=True)
class TypedPerson:
    """What was typed about one person and is not stored."""

    picked: str = ""
    search: str = ""
    given: str | None = None
    family: str | None = None
    club: str = ""
    year: str = ""
    remember: bool = True
    problem: str = ""


def questions(
    analysis: Analysis, *, places: Iterable[int], typed: Mapping[int, TypedPerson] | None = None
) -> list[Question]:
    """Return the people to be decided with their candidates. The number of queries does not depend on the file.

    Args:
        analysis: the upload.
        places: which of ``analysis.matches``.
        typed: what was typed and is not stored, by place.
    """
    typed = typed or {}
    asked = [(place, analysis.matches[place]) for place in places]
    suggested = analysis.index.suggest_many([match.read.name for _, match in asked], limit=SUGGESTIONS)
    found = {place: _search(typed[place].search) for place, _ in asked if place in typed and typed[place].search}
    keys = {suggestion.key for row in suggested for suggestion in row}
    keys |= {match.hint for _, match in asked if match.hint} | {match.person for _, match in asked if match.person}
    keys |= {person.pk for row in found.values() for person in row}
    facts = _Facts(analysis, {key for key in keys if key > 0})
    rows = _row_counts(analysis)
    result = []
    for (place, match), row in zip(asked, suggested, strict=True):
        question = Question(
            place, match, rows.get(match.read.key, 0), _candidates(match, row, found.get(place, []), facts)
        )
        _type(question, analysis, typed.get(place))
        question.nobody_found = place in found and not found[place]
        result.append(question)
    return result


def _search(text: str) -> list[Person]:
    return list(people_matching(text)[:FOUND])


class _Facts:
    """What is known of the candidates, asked for all at once."""

    def __init__(self, analysis: Analysis, keys: set[int]) -> None:
        self.people = persons_in_force(keys)
        roots = {person.pk for person in self.people.values()}
        self.ratings = analysis.kind.ratings(roots)
        root = Coalesce("person__merged_into_id", F("person_id"))
        own = Q(person__in=roots) | Q(person__merged_into__in=roots)
        begun = Entry.objects.filter(own, event__starts_on__lte=timezone.localdate()).exclude(withdrawn_after=0)
        played = begun.exclude(event__state=EventState.DRAFT).order_by().values(root=root)
        self.played = {
            row["root"]: (row["last"], row["events"])
            for row in played.annotate(last=Max("event__rating_date"), events=Count("event", distinct=True))
        }
        self.entries = _entries(analysis.upload.event, own) if analysis.upload.event else {}

    def candidate(
        self, match: Match, person: Person, why: str, score: int | None = None, reason: str = ""
    ) -> Candidate:
        rating = self.ratings.get(person.pk)
        last, events = self.played.get(person.pk, (None, 0))
        fits = bool(rating) and rating == match.read.rating
        return Candidate(person, why, score, reason, rating, fits, last, events, self.entries.get(person.pk))


def _entries(event: Event, own: Q) -> dict[int, int]:
    rows = Entry.objects.filter(own, event=event).order_by("-number")
    return dict(rows.values_list(Coalesce("person__merged_into_id", F("person_id")), "number"))


def _candidates(
    match: Match, suggested: Sequence[Suggestion[int]], found: Sequence[Person], facts: _Facts
) -> list[Candidate]:
    """Return the candidates: whose number stands there, the suggestions, then what was searched; each person once."""
    chosen: dict[int, Candidate] = {}
    hint = facts.people.get(match.hint or 0)
    if hint is not None:
        chosen[hint.pk] = facts.candidate(match, hint, _("the number in the file"), reason="number")
    for suggestion in suggested:
        person = facts.people.get(suggestion.key)
        if person is not None and person.pk not in chosen:
            why = reason_text(suggestion, person)
            chosen[person.pk] = facts.candidate(match, person, why, suggestion.score, suggestion.reason)
    for person in found:
        if person.pk not in chosen:
            chosen[person.pk] = facts.candidate(match, person, _("found"), reason="found")
    return list(chosen.values())


def reason_text(suggestion: Suggestion[int], person: Person) -> str:
    """Return why a person is suggested, in words."""
    reasons = {
        "same": _("the same name as others"),
        "accents": _("other accents or signs"),
        "word_order": _("other order of words"),
        "script": _("other script or transliteration"),
        "joined": _("other blanks"),
        "truncated": _("the name is cut"),
        "initials": _("initials"),
    }
    if suggestion.reason in reasons:
        text = reasons[suggestion.reason]
    else:
        count = max(1, suggestion.distance)
        text = ngettext("one letter apart", "%(count)s letters apart", count) % {"count": count}
    if suggestion.name not in (person.full_name, person.latin_name):
        text = _("%(reason)s from “%(alias)s”") % {"reason": text, "alias": suggestion.name}
    return text


def split_name(read: ReadPerson) -> tuple[str, str]:
    """Return given and family name, as a proposal for the form of a new player.

    Where the file does not tell them apart: what stands before a comma is the family name, else the words in capitals
    among others are, else all but the first word and initials. A single word is the family name.
    """
    if read.family:
        return read.given, read.family
    before, comma, after = (part.strip() for part in read.name.partition(","))
    if comma and before and after:
        return " ".join(after.replace(",", " ").split()), before
    words = f"{before} {after}".split()
    capitals = [len(word) > 1 and word.isupper() and not word.endswith(".") for word in words]
    if any(capitals) and not all(capitals):
        given = [word for word, is_family in zip(words, capitals, strict=True) if not is_family]
        return " ".join(given), " ".join(word for word, is_family in zip(words, capitals, strict=True) if is_family)
    initials = next((place for place, word in enumerate(words) if not _is_initial(word)), 0)
    start = min(max(initials, 1), len(words) - 1)
    return " ".join(words[:start]), " ".join(words[start:])


def _is_initial(word: str) -> bool:
    return word.endswith(".") or len(word) == 1


def _row_counts(analysis: Analysis) -> dict[str, int]:
    counts: dict[str, int] = {}
    for game in analysis.reading.games:
        for key in (game.a, game.b):
            if key is not None:
                counts[key] = counts.get(key, 0) + 1
    return counts


def _type(question: Question, analysis: Analysis, typed: TypedPerson | None) -> None:
    """Fill in what is decided, then what was typed."""
    read = question.match.read
    decision = analysis.upload.decisions.get(read.key)
    question.given, question.family = split_name(read)
    question.can_undo = decision is not None
    if decision is not None:
        question.remember = bool(decision.get("remember"))
        new = decision.get("new")
        if new:
            question.picked = "new"
            question.given, question.family = new["given_name"], new["family_name"]
            question.club, question.year = str(new["club"] or ""), str(new["birth_year"] or "")
    if question.match.number is not None:
        question.picked = str(question.match.number)
    if typed is None:
        return
    question.picked = typed.picked or question.picked
    question.search = typed.search
    question.given = question.given if typed.given is None else typed.given
    question.family = question.family if typed.family is None else typed.family
    question.club, question.year = typed.club or question.club, typed.year or question.year
    question.remember, question.problem = typed.remember, typed.problem


__all__ = ["Candidate", "Question", "TypedPerson", "questions", "reason_text", "split_name"]
