"""A small federation to try the engine on: persons, seasons, events with results, by short names."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from federation.registry.models import Discipline, Entry, Event, EventState, Person, PersonMerge, PersonState, Season
from ratings.models import Game, OpeningList, OpeningRating, RatingSystem
from ratings.services.runs import mark_dirty

ROUND_ROBIN_4 = (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))


def half(text: Any) -> int | None:
    return None if text is None else int(2 * Fraction(str(text)))


@dataclass
class World:
    system: RatingSystem
    people: dict[str, Person] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    seasons: dict[str, Season] = field(default_factory=dict)

    def season(self, code: str) -> Season:
        if code not in self.seasons:
            year = int(code[:4])
            self.seasons[code] = Season.objects.get_or_create(
                discipline=Discipline.objects.get(code="scrabble"),
                code=code,
                defaults={"starts_on": dt.date(year, 9, 1), "ends_on": dt.date(year + 1, 8, 31), "state": "open"},
            )[0]
        return self.seasons[code]

    def person(self, name: str) -> Person:
        if name not in self.people:
            number = (Person.objects.order_by("-number").values_list("number", flat=True).first() or 0) + 1
            self.people[name] = Person.objects.create(
                number=number, given_name="", family_name=name, sort_key=name, fold_key=name
            )
        return self.people[name]

    def event(
        self,
        name: str,
        games: list[dict[str, Any]] | None = None,
        *,
        date: str,
        season: str | None = None,
        state: str = EventState.APPROVED,
        **fields: Any,
    ) -> Event:
        day = dt.date.fromisoformat(date)
        code = season or _code(day)
        event = Event.objects.create(
            discipline=self.season(code).discipline,
            season=self.season(code),
            slug=name,
            name=name,
            starts_on=day,
            ends_on=day,
            rating_date=day,
            state=state,
            **({"excluded_reason": "exhibition"} if state == EventState.EXCLUDED else {}),
            **fields,
        )
        self.events[name] = event
        self.add_games(event, games or [])
        mark_dirty(event_ids=[event.pk], why="event.approved")
        return event

    def entry(self, event: Event, name: str) -> Entry:
        person = self.person(name)
        found = Entry.objects.filter(event=event, person=person).first()
        return found or Entry.objects.create(
            event=event, person=person, number=Entry.objects.filter(event=event).count() + 1
        )

    def add_games(self, event: Event, games: list[dict[str, Any]]) -> list[Game]:
        made = []
        for game in games:
            kind = game.get("kind", "played")
            made.append(
                Game.objects.create(
                    event=event,
                    round=game["round"],
                    a=self.entry(event, game["a"]),
                    b=self.entry(event, game["b"]) if game.get("b") else None,
                    kind=kind,
                    result=half(game.get("result")) if kind != "pending" else None,
                )
            )
        return made

    def round_robin(self, name: str, players: list[str], results: str, **fields: Any) -> Event:
        """An event of four players, all against all: six results of the first named, as ``1``, ``=`` or ``0``."""
        games = []
        marks = iter(results)
        for number, pairs in enumerate(ROUND_ROBIN_4, start=1):
            for a, b in pairs:
                result = {"1": "1", "=": "0.5", "0": "0"}[next(marks)]
                games.append({"round": number, "a": players[a - 1], "b": players[b - 1], "result": result})
        return self.event(name, games, **fields)

    def replace_result(self, game: Game, result: int) -> Game:
        """Supersede a game by one with another result, as a correction does."""
        from django.utils import timezone

        Game.objects.filter(pk=game.pk).update(superseded_at=timezone.now())
        new = Game.objects.create(
            event=game.event, round=game.round, board=game.board, a=game.a, b=game.b, kind=game.kind, result=result
        )
        Game.objects.filter(pk=game.pk).update(superseded_by=new)
        mark_dirty(event_ids=[game.event_id], why="results.corrected")
        return new

    def opening(self, rows: list[dict[str, Any]], as_of: str) -> OpeningList:
        opening = OpeningList.objects.create(system=self.system, as_of=dt.date.fromisoformat(as_of))
        for row in rows:
            OpeningRating.objects.create(
                opening_list=opening,
                person=self.person(row["id"]),
                rating=row["rating"],
                games=row.get("games", 0),
                wins=int(2 * Fraction(str(row.get("wins", 0)))),
                last_season=int(row["last_season"][:4]) if row.get("last_season") else None,
            )
        mark_dirty(from_start=True, why="opening.entered")
        return opening

    def merge(self, kept: str, dropped: str) -> None:
        one, two = self.person(kept), self.person(dropped)
        Person.objects.filter(pk=two.pk).update(merged_into=one, state=PersonState.MERGED)
        Person.objects.filter(merged_into=two).update(merged_into=one)
        PersonMerge.objects.create(kept=one, dropped=two, previous_state="confirmed", reason="same", merged_by=None)
        mark_dirty(person_ids=[one.pk, two.pk], why="person.merged")

    def split(self, dropped: str) -> None:
        from django.utils import timezone

        two = Person.objects.get(pk=self.person(dropped).pk)
        kept = two.merged_into_id
        Person.objects.filter(pk=two.pk).update(merged_into=None, state=PersonState.CONFIRMED)
        PersonMerge.objects.filter(dropped=two, undone_at=None).update(undone_at=timezone.now())
        mark_dirty(person_ids=[kept, two.pk], why="person.split")


def _code(day: dt.date) -> str:
    year = day.year if day.month >= 9 else day.year - 1
    return f"{year}-{(year + 1) % 100:02d}"
