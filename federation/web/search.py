"""The search over people, clubs and events, and over what the games bring.

Case, accents, order of words and script do not matter. A person whose name the public does not see in full is found by
number alone, or else the search would tell the name; who may see full names finds everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Max, QuerySet, Sum
from django.http import HttpRequest
from rapidfuzz import fuzz, process

from federation.core.names import fold, skeleton
from federation.registry.models import Club, Person, PersonState, Publication
from federation.registry.queries.people import WORDS_AT_MOST, active_people, people_matching
from federation.registry.queries.publication import is_named_in_full
from federation.web import dates, menu
from federation.web.menu import Hit
from federation.web.people import name_of
from federation.web.queries import public_events

#: Characters of a query that are read; nobody's name is longer.
LONGEST_QUERY = 100
#: Newest events that the search looks at.
MOST_EVENTS = 20_000
#: People above which no spelling is guessed: the search stays quick.
MOST_GUESSED = 50_000
#: Letters from which a spelling is guessed, and the likeness of words (0 to 100) that is worth a guess.
SHORTEST_GUESSED, LIKE_FROM = 3, 75


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, by kind, and near names when there is no person.

    Attributes:
        hits: by kind, best first, at most as many as were asked for.
        counts: how many there are of each kind, at least.
        near: people whose names are like the query.
    """

    hits: dict[str, list[Hit]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    near: list[Hit] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Count of all hits."""
        return sum(self.counts.values())


def clean(query: str) -> str:
    """Return the query without what no name has: control characters, more than single blanks, too many characters."""
    printable = "".join(character if character.isprintable() else " " for character in query[: 2 * LONGEST_QUERY])
    return " ".join(printable.split())[:LONGEST_QUERY]


def search(request: HttpRequest, query: str, language: str, limit: int, kinds: Sequence[str] = ()) -> Found:
    """Return what fits a cleaned query.

    Args:
        request: whose account decides which names are searched.
        query: words; all must fit.
        language: language of the names shown.
        limit: most hits of one kind.
        kinds: only these, all if empty.
    """
    words = fold(query).split()
    found = Found()
    if not words:
        return found
    own: dict[str, Callable[[], tuple[list[Hit], int]]] = {
        "person": lambda: _people(request, query, language, limit),
        "club": lambda: _clubs(words, limit),
        "event": lambda: _events(words, language, limit),
    }
    for kind, look in own.items():
        if not kinds or kind in kinds:
            found.hits[kind], found.counts[kind] = look()
    for provider in menu.searches():
        for hit in provider(query, language, limit):
            if kinds and hit.kind not in kinds:
                continue
            listed = found.hits.setdefault(hit.kind, [])
            if all(hit.href != other.href for other in listed):
                listed.append(hit)
                found.counts[hit.kind] = found.counts.get(hit.kind, 0) + 1
    for kind, hits in found.hits.items():
        hits.sort(key=lambda hit: -hit.score)
        del hits[limit:]
        if not hits:
            found.counts.pop(kind, None)
    if not found.hits.get("person") and (not kinds or "person" in kinds):
        found.near.extend(_near(request, query, language))
    return found


def named_in_full(people: QuerySet[Person]) -> QuerySet[Person]:
    """Return the people whom the public sees by their full name."""
    return people.filter(is_named_in_full())


def _searchable(request: HttpRequest) -> QuerySet[Person]:
    people = active_people().select_related("club")
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated and user.has_perm("registry.see_full_names"):
        return people
    return named_in_full(people)


def _people(request: HttpRequest, query: str, language: str, limit: int) -> tuple[list[Hit], int]:
    matching = people_matching(query, _searchable(request))
    people = list(matching[: limit + 1])
    count = len(people) if len(people) <= limit else matching.count()
    number = query.lstrip("#").strip()
    if number.isascii() and number.isdigit() and len(number) <= 9:
        # By number everybody is found, a merged or hidden record too.
        named = Person.objects.filter(number=int(number)).select_related("club", "merged_into__club").first()
        kept = named.merged_into or named if named else None
        if kept is not None:
            count += kept not in people
            people = [kept, *[person for person in people if person != kept]]
    return [person_hit(person, language) for person in people[:limit]], count


def person_hit(person: Person, language: str, score: int = 100) -> Hit:
    """Return a person as a hit: the public name, number and club."""
    hidden = person.publication == Publication.HIDDEN or person.state == PersonState.ANONYMISED
    detail = [f"{person.number}"]
    if person.club is not None and not hidden:
        detail.append(person.club.name)
    return Hit(
        "person", name_of(person, language), menu.href("person-detail", person.number), ", ".join(detail), "", score
    )


def _fits(words: Sequence[str], text: str) -> bool:
    """Whether every word begins a word of the text."""
    found = f" {fold(text)}"
    return all(f" {word}" in found for word in words)


def _clubs(words: Sequence[str], limit: int) -> tuple[list[Hit], int]:
    clubs = [
        club
        for club in Club.objects.order_by("name", "pk")
        if _fits(words, f"{club.name} {club.short_name} {club.town}")
    ]
    return [Hit("club", club.name, menu.href("club-detail", club.slug), club.town) for club in clubs[:limit]], len(
        clubs
    )


def _events(words: Sequence[str], language: str, limit: int) -> tuple[list[Hit], int]:
    newest = public_events().order_by("-starts_on", "-pk")
    names = newest.values_list("pk", "name", "town", "starts_on__year")[:MOST_EVENTS]
    keys = [key for key, name, town, year in names if _fits(words, f"{name} {town} {year}")]
    events = newest.filter(pk__in=keys[:limit]) if keys else []
    hits = [
        Hit(
            "event",
            event.name,
            menu.event_address(event),
            ", ".join(filter(None, [dates.date_range(event.starts_on, event.ends_on, language), event.town])),
            event.discipline.code,
        )
        for event in events
    ]
    return hits, len(keys)


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Words of names, folded and as romanisations have them in common, with the people who bear them."""

    key: tuple[Any, ...]
    people: dict[str, set[int]]
    words: tuple[str, ...]


_index: WordIndex | None = None


def _near(request: HttpRequest, query: str, language: str, limit: int = 3) -> list[Hit]:
    """Return people with a word like each word of the query, best first, among those named in full."""
    index = _word_index() if len(query) >= SHORTEST_GUESSED and not query.isdigit() else None
    if index is None:
        return []
    scores: dict[int, float] | None = None
    for word in fold(query).split()[:WORDS_AT_MOST]:
        likeness: dict[int, float] = {}
        for form in {word, skeleton(word)} - {""}:
            for other, score, _place in process.extract(
                form, index.words, scorer=fuzz.ratio, score_cutoff=LIKE_FROM, limit=20
            ):
                for person in index.people[other]:
                    likeness[person] = max(likeness.get(person, 0), score)
        if scores is None:
            scores = likeness
        else:
            scores = {person: scores[person] + score for person, score in likeness.items() if person in scores}
    best = sorted(scores or {}, key=lambda person: (-(scores or {})[person], person))[:limit]
    people = {person.pk: person for person in active_people().select_related("club").filter(pk__in=best)}
    return [person_hit(people[key], language) for key in best if key in people]


def _word_index() -> WordIndex | None:
    """Return the prepared words, kept until somebody's record changes; None if there are too many to guess."""
    global _index  # noqa: PLW0603 - one index per process, replaced as a whole
    people = named_in_full(active_people())
    state = people.order_by().aggregate(Count("pk"), Max("pk"), Sum("version"))
    if state["pk__count"] > MOST_GUESSED:
        return None
    key = tuple(state.values())
    if _index is None or _index.key != key:
        bearers: dict[str, set[int]] = {}
        for number, folded in people.values_list("pk", "fold_key"):
            for word in folded.split():
                for form in {word, skeleton(word)} - {""}:
                    bearers.setdefault(form, set()).add(number)
        _index = WordIndex(key, bearers, tuple(bearers))
    return _index
