"""Put the sample federation into an empty site through the services that people use."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from django.db import transaction
from django.utils import timezone

from federation.accounts.models import User
from federation.accounts.services.demo import ensure_demo_accounts
from federation.registry.models import Club, Discipline, Entry, Event, Membership, Person, PersonState, Season
from federation.registry.services.clubs import save_club
from federation.registry.services.events import (
    approve_event,
    create_event,
    exclude_event,
    open_event,
    submit_event,
    withdraw_entry,
)
from federation.registry.services.merges import merge_persons
from federation.registry.services.people import create_person, reserve_numbers
from federation.registry.services.records import set_keys
from federation.registry.services.seasons import save_season, save_settings
from ratings.codes import DISCIPLINE
from ratings.demo.names import CLUBS
from ratings.demo.world import FIRST_SEASON, OPENING_DAY, SEASONS, EventPlan, PersonPlan, World, make_world
from ratings.models import Correction, Erratum, Game, PublishedList
from ratings.queries.results import row_of
from ratings.services.corrections import Change, apply_correction, propose_correction
from ratings.services.lists import publish_list
from ratings.services.opening import OpeningRow, enter_opening
from ratings.services.results import enter_games
from ratings.services.seasons import prepare_close, prepare_edition, prepare_opening, publish_close, publish_opening

#: Password of every account of the sample; a public site refuses to load it.
PASSWORD = "barem-demo"  # noqa: S105 - printed on purpose, local sites only

Say = Callable[[str], None]


def load(say: Say = lambda text: None) -> None:
    """Load everything: accounts, people, four seasons of results, and the lists published from them."""
    accounts = ensure_demo_accounts(PASSWORD)
    world = make_world()
    with transaction.atomic():
        discipline = Discipline.objects.get(code=DISCIPLINE)
        save_settings(
            actor=accounts["admin"],
            name="Barem",
            subtitle="Quatre Taulers, Federation of Mind Sports",
            town="Portvell",
            contact_email="secretaria@quatretaulers.example",
        )
        clubs = _clubs(accounts["registry"])
        people = _people(world.people, clubs)
        seasons = _seasons(discipline, accounts["admin"])
        _memberships(people, seasons)
        _tie_accounts(people, accounts)
        _opening(world, people, accounts["ratings"])
    say(f"{len(people)} people, {len(clubs)} clubs, {len(seasons)} seasons")
    for plan in sorted(world.events, key=lambda plan: (plan.ends_on, plan.name)):
        with transaction.atomic():
            _event(plan, discipline, people, clubs, accounts)
    say(f"{Event.objects.count()} events, {Game.objects.count()} rows of results")
    _merge_duplicate(people, accounts["registry"])
    _lists(seasons, accounts["ratings"])
    _correct(accounts)
    say(f"{PublishedList.objects.filter(number__isnull=False).count()} lists published")


def _clubs(actor: User) -> list[Club]:
    return [
        save_club(actor=actor, name=name, short_name=short, town=town, country=country)
        for name, short, town, country in CLUBS
    ]


def _people(plans: Sequence[PersonPlan], clubs: Sequence[Club]) -> list[Person]:
    people = []
    for number, plan in zip(reserve_numbers(len(plans)), plans, strict=True):
        person = Person(
            number=number,
            given_name=plan.given,
            family_name=plan.family,
            latin_given_name=plan.latin_given,
            latin_family_name=plan.latin_family,
            sex=plan.sex,
            birth_year=plan.birth_year,
            country=plan.country,
            club=None if plan.club is None else clubs[plan.club],
            publication=plan.publication,
        )
        set_keys(person)
        people.append(person)
    return Person.objects.bulk_create(people)


def _seasons(discipline: Discipline, actor: User) -> list[Season]:
    return [
        save_season(
            actor=actor,
            discipline=discipline,
            code=f"{year}-{(year + 1) % 100:02}",
            starts_on=dt.date(year, 9, 1),
            ends_on=dt.date(year + 1, 8, 31),
        )
        for year in range(FIRST_SEASON, FIRST_SEASON + SEASONS)
    ]


def _memberships(people: Sequence[Person], seasons: Sequence[Season]) -> None:
    """Nearly everybody is a member in every season; the gaps show the warning."""
    Membership.objects.bulk_create(
        Membership(person=person, season=season, club=person.club, licence=f"QT-{person.number:05}")
        for season in seasons
        for place, person in enumerate(people)
        if (place * 7 + season.start_year) % 29
    )


def _tie_accounts(people: Sequence[Person], accounts: dict[str, User]) -> None:
    """The player's account belongs to the first person of the sample."""
    person = people[0]
    person.account = accounts["player"]
    person.save(update_fields=["account"])


def _opening(world: World, people: Sequence[Person], actor: User) -> None:
    enter_opening(
        rows=[
            OpeningRow(
                people[plan.person].pk, plan.rating, plan.games, wins=Fraction(plan.wins), last_season=plan.last_season
            )
            for plan in world.opening
        ],
        as_of=OPENING_DAY,
        actor=actor,
    )


def _event(
    plan: EventPlan,
    discipline: Discipline,
    people: Sequence[Person],
    clubs: Sequence[Club],
    accounts: dict[str, User],
) -> None:
    secretary = accounts["results"]
    event = create_event(
        actor=secretary,
        discipline=discipline,
        name=plan.name,
        starts_on=plan.starts_on,
        ends_on=plan.ends_on,
        rounds=plan.rounds,
        town=plan.town,
        club=None if plan.club is None else clubs[plan.club],
        modality=plan.modality,
        tie_breaks=["direct", "spread"],
        directors=(accounts["director"],),
    )
    if plan.ends_as == "draft":
        return
    open_event(event=event, actor=secretary)
    # One write for the entries of an event; by hand they come one at a time.
    entries = Entry.objects.bulk_create(
        Entry(event=event, person=people[place], number=number) for number, place in enumerate(plan.players, start=1)
    )
    if plan.ends_as == "open" or not plan.games:
        return
    enter_games(event=event, games=plan.games, actor=accounts["director"])
    for place, after in sorted(plan.withdrawn.items()):
        withdraw_entry(entry=entries[place], after_round=after, actor=accounts["director"])
    event.refresh_from_db()
    submit_event(event=event, actor=accounts["director"])
    if plan.ends_as == "excluded":
        exclude_event(event=event, reason=plan.excluded_reason, actor=secretary)
    elif plan.ends_as == "approved":
        approve_event(event=event, actor=secretary)


def _merge_duplicate(people: Sequence[Person], actor: User) -> None:
    """A second record of a person, found and merged, and two debutants who wait for the registry."""
    person = people[7]
    double = create_person(actor=actor, given_name=person.given_name, family_name=person.family_name.upper())
    merge_persons(kept=person, dropped=double, reason="Entered twice from two result sheets.", actor=actor)
    for given, family in (("Arnau", "Queraltó"), ("Sílvia", "Puig-reig")):
        create_person(actor=actor, given_name=given, family_name=family, state=PersonState.PROVISIONAL)


def _lists(seasons: Sequence[Season], actor: User) -> None:
    """Publish in the order of time what a federation would have published."""
    for season in seasons:
        year = season.start_year
        prepare_opening(season=season, actor=actor)
        _date(publish_opening(season=season, actor=actor))
        last = season == seasons[-1]
        for day in [dt.date(year, 10, 31)] if last else [dt.date(year, 12, 31), dt.date(year + 1, 3, 31)]:
            job = prepare_edition(season=season, as_of=day, actor=actor)
            job.refresh_from_db()
            _date(publish_list(draft=PublishedList.objects.get(pk=job.result["draft"]), actor=actor))
        if not last:
            prepare_close(season=season, actor=actor)
            _date(publish_close(season=season, actor=actor))


def _date(published: PublishedList, days: int = 3) -> None:
    """Date a list of the sample three days after its day, as a federation would."""
    moment = timezone.make_aware(dt.datetime.combine(published.as_of + dt.timedelta(days=days), dt.time(18)))
    PublishedList.objects.filter(pk=published.pk).update(published_at=moment, created_at=moment)


def _correct(accounts: dict[str, User]) -> None:
    """Two scores of one game were swapped: corrected, the list again, with its erratum."""
    in_force = PublishedList.objects.filter(number__isnull=False).order_by("-number")[0]
    game = (
        Game.objects.filter(
            event__season=in_force.season,
            event__rating_date__lte=in_force.as_of,
            event__state="approved",
            kind="played",
            round=3,
            result__in=(0, 2),
        )
        .select_related("event", "a", "b")
        .order_by("event__rating_date", "board", "pk")[0]
    )
    row = row_of(game)
    swapped = replace(
        row, score_a=row.score_b, score_b=row.score_a, result=None if row.result is None else 2 - row.result
    )
    correction = propose_correction(
        event=game.event,
        changes=[Change(game=game.pk, row=swapped)],
        reason="The two scores of this game were entered the wrong way round; the signed sheet says so.",
        actor=accounts["results"],
    )
    apply_correction(correction=correction, actor=accounts["results"])
    draft = PublishedList.objects.get(state="draft", kind="correction")
    published = publish_list(draft=draft, actor=accounts["ratings"])
    _date(published, days=9)
    moment = PublishedList.objects.values_list("published_at", flat=True).get(pk=published.pk)
    Erratum.objects.filter(corrected_list=published).update(published_at=moment)
    Correction.objects.filter(pk=correction.pk).update(proposed_at=moment, decided_at=moment)
