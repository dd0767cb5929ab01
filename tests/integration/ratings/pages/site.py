"""A small site with published lists, made through the services: what the pages are tested on."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import combinations
from random import Random

from django.utils import timezone

from federation.accounts.models import User
from federation.registry.models import Club, Entry, Event, Person, Season
from ratings.models import Game, ListKind, OpeningList, OpeningRating, PublishedList, RatingSystem
from ratings.services.lists import draft_list, publish_list
from ratings.services.runs import compute_run
from tests.factories import make_club, make_entry, make_event, make_game, make_person, make_season

#: The worked example: opponents with their ratings, and the four games won.
EXAMPLE = ((1200, 2), (1140, 2), (1100, 2), (1050, 2), (1000, 0), (950, 0))


def system() -> RatingSystem:
    return RatingSystem.objects.select_related("current_list__season").get(code="barruf")


def close(season: Season, as_of: date, kind: str = ListKind.REGULAR, **fields) -> PublishedList:
    """Compute what is stale and publish a list."""
    run = compute_run(system=system(), full=True)
    draft = draft_list(run=run, season=season, as_of=as_of, kind=kind, **fields)
    return publish_list(draft=draft, actor=None, reason="One game was entered the wrong way round." * bool(fields))


def play_all(event: Event, entries: list[Entry], random: Random) -> None:
    """Everybody against everybody, one round for each perfect matching of the circle method."""
    ring: list[Entry | None] = list(entries)
    if len(ring) % 2:
        ring.append(None)
    games = []
    for number in range(1, len(ring)):
        pairs = zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True)
        for board, (a, b) in enumerate(pairs, start=1):
            games.append(_game(event, number, board, a, b, random))
        ring.insert(1, ring.pop())
    Game.objects.bulk_create(game for game in games if game)


def play_rounds(event: Event, entries: list[Entry], rounds: int, random: Random) -> None:
    """Rounds by lot."""
    games = []
    for number in range(1, rounds + 1):
        drawn: list[Entry | None] = [*entries, None] if len(entries) % 2 else list(entries)
        random.shuffle(drawn)
        for board, start in enumerate(range(0, len(drawn), 2), start=1):
            games.append(_game(event, number, board, drawn[start], drawn[start + 1], random))
    Game.objects.bulk_create(game for game in games if game)


def _game(event, number, board, a, b, random) -> Game | None:
    if a is None or b is None:
        return Game(event=event, round=number, board=board, a=a or b, b=None, kind="bye", result=2)
    own, other = random.randint(280, 520), random.randint(280, 520)
    return Game(
        event=event,
        round=number,
        board=board,
        a=a,
        b=b,
        kind="played",
        score_a=own,
        score_b=other,
        result=1 + (own > other) - (own < other),
    )


@dataclass
class Site:
    """The worked example as a real event, published as list 1."""

    season: Season
    people: list[Person] = field(default_factory=list)
    clubs: list[Club] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    lists: list[PublishedList] = field(default_factory=list)

    @property
    def hero(self) -> Person:
        return self.people[0]


def example_site(*, extra: int = 0) -> Site:
    """The worked example: 1100 and 45 games before, six opponents; ``extra`` more players by opening data."""
    season = make_season("2025-26")
    make_season("2024-25")
    site = Site(season, clubs=[make_club("Ela Geminada"), make_club("Punt Volat")])
    opening = OpeningList.objects.create(system=system(), as_of=date(2025, 8, 31))
    site.people = [make_person("Neus", "Farriol i Pont", club=site.clubs[0], sex="f")]
    rows = [(site.people[0], 1100, 45)]
    for number, (rating, _won) in enumerate(EXAMPLE):
        person = make_person("Pol", f"Oponent {number}", club=site.clubs[number % 2])
        site.people.append(person)
        rows.append((person, rating, 60))
    for number in range(extra):
        person = make_person("Aina", f"Extra {number:04d}", club=site.clubs[number % 2])
        site.people.append(person)
        rows.append((person, 1300 - number, 60 if number % 3 else 4))
    OpeningRating.objects.bulk_create(
        OpeningRating(opening_list=opening, person=person, rating=rating, games=games, wins=games, last_season=2024)
        for person, rating, games in rows
    )
    event = make_event(
        "Worked Example",
        season=season,
        slug="worked-example",
        starts_on=date(2026, 4, 18),
        ends_on=date(2026, 4, 19),
        rounds=6,
        venue="Casa del Mar",
        tie_breaks=["direct", "spread"],
    )
    entries = [make_entry(event, person) for person in site.people[: len(EXAMPLE) + 1]]
    for number, (_rating, won) in enumerate(EXAMPLE, start=1):
        make_game(entries[0], entries[number], 400 if won else 350, 350 if won else 400, round=number, board=1)
    site.events.append(event)
    site.lists.append(close(season, date(2026, 4, 30)))
    return site


def correct(site: Site, *, reason: str = "The sheet signed at the board says so.") -> PublishedList:
    """Turn round the first game of the worked example by a correction, and publish list 2 with its erratum."""
    from ratings.core.rounds import GameRow
    from ratings.services.corrections import Change, apply_correction, propose_correction

    officer = User.objects.create_user("secretary")
    officer.role_grants.create(role="results_secretary")
    game = Game.objects.get(event=site.events[0], round=1, superseded_at=None)
    row = GameRow(round=1, board=1, a=1, b=2, kind="played", score_a=350, score_b=400, result=0)
    correction = propose_correction(event=site.events[0], changes=[Change(game.pk, row)], reason=reason, actor=officer)
    apply_correction(correction=correction, actor=officer)
    site.lists.append(close(site.season, date(2026, 4, 30), ListKind.CORRECTION, corrects=site.lists[0]))
    return site.lists[-1]


NAMES = (
    "Oriol Bastida Queralt|Neus Farriol i Pont|Vera Osintseva|Ștefan Țurcanu-Vlad|Guillem Rocabruna|Ilinca Moroșeanu|"
    "Ferran Solivelles|Gianmarco Bellondi|Xènia Pallarès-Roig|Teia Grau-Serrat|Mercè Vallcorba|Ornella Trevisani|"
    "Núria Sagrelles|Răzvan Codrescu-Pop|Alevtina Korsh|Ignasi Torrebadal|Yaroslava Tikhomirova|Marçal Oliveda|"
    "Dragoș Vintilescu|Smaranda Lupșa|Carme Ballvé|Biel Cantarell|Pau Estragués|Tullio Marchesoni|Gleb Rudakovsky|"
    "Elisenda Quintar|Montserrat Llobera|Anca Hărmănescu|Berta Colldelram|Arnau Figuerola Gual|Lluc Ametller|"
    "Platon Sedakov|Livia Santacorte|Matvei Lugovskoy|Dolors Saguer|Silvano Terrabona"
)


def season_site(seed: int = 7) -> Site:
    """Three seasons with several events of all kinds, four lists, provisional and inactive players."""
    random = Random(seed)
    first, middle = make_season("2023-24", state="closed"), make_season("2024-25", state="closed")
    second = make_season("2025-26")
    clubs = [make_club(name) for name in ("Ce Trencada", "Ela Geminada", "Tochka", "Punt Volat")]
    site = Site(second, clubs=clubs)
    for number, name in enumerate(NAMES.split("|")):
        given, _space, family = name.partition(" ")
        site.people.append(make_person(given, family, club=clubs[number % 4], sex="f" if given.endswith("a") else "m"))
    old, regulars, late = site.people[34:], site.people[:30], site.people[30:34]
    dates = [date(2024, 3, 2) + timedelta(days=100 * turn) for turn in range(8)]
    for turn, day in enumerate(dates):
        season = next(one for one in (first, middle, second) if one.starts_on <= day <= one.ends_on)
        field_ = random.sample(regulars, 12 if turn % 2 else 21) + (old if turn < 2 else late if turn == 6 else [])
        event = make_event(
            f"Open {turn + 1} of Portvell",
            season=season,
            slug=f"open-{turn + 1}",
            starts_on=day,
            ends_on=day + timedelta(days=1),
            venue="Casa del Mar",
            club=clubs[turn % 4],
            tie_breaks=["direct", "spread"],
        )
        entries = [make_entry(event, person, number) for number, person in enumerate(field_, start=1)]
        if turn % 2:
            play_all(event, entries, random)
        else:
            play_rounds(event, entries, 6, random)
        site.events.append(event)
        if turn in (1, 5, 6):
            site.lists.append(close(season, season.ends_on if turn < 6 else day + timedelta(days=10)))
    small = make_event("Club Night", season=second, slug="club-night", starts_on=date(2026, 5, 2))
    entries = [make_entry(small, person) for person in site.people[:3]]
    for number, (a, b) in enumerate(combinations(entries, 2), start=1):
        make_game(a, b, 380, 360, round=number)
    site.events.append(small)
    site.lists.append(close(second, date(2026, 5, 31)))
    assert timezone.now()
    return site
