"""The published worked example, entered through the admin as a real event, approved, run and published: 1116."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from django.urls import reverse

from federation.registry.models import Entry, Event, EventState
from ratings.models import LedgerRow, ListKind, OpeningList, OpeningRating
from ratings.services.lists import draft_list, publish_list
from ratings.services.runs import compute_run, current_system
from tests.factories import make_person, make_season
from tests.integration.ratings.desk.conftest import grid

OPPONENTS = (1200, 1140, 1100, 1050, 1000, 950)
#: Four wins in six games.
SCORES = ((390, 400), (410, 400), (420, 380), (430, 300), (390, 410), (450, 350))


@pytest.fixture
def player(season):
    """The player of the example, 1100 after 45 games, and six opponents with opening ratings."""
    system = current_system()
    opening = OpeningList.objects.create(system=system, as_of=date(2025, 8, 31))
    player = make_person("Aina", "Exemple")
    OpeningRating.objects.create(opening_list=opening, person=player, rating=1100, games=45, wins=50, last_season=2024)
    for rating in OPPONENTS:
        OpeningRating.objects.create(
            opening_list=opening, person=make_person(), rating=rating, games=80, wins=80, last_season=2024
        )
    return player


def test_the_worked_example_gives_1116(as_user, people, player):
    client = as_user(people.results_secretary)
    system = current_system()
    response = client.post(
        reverse("admin:registry_event_add"),
        {
            "name": "Worked example",
            "discipline": system.discipline_id,
            "starts_on": "2026-02-07",
            "ends_on": "2026-02-08",
            "rating_date": "",
            "sequence": "0",
            "season": "",
            "modality": "classic",
            "rounds": "6",
            "tie_breaks": "direct spread",
            "results_public": "on",
        },
    )
    event = Event.objects.filter(name="Worked example").first()
    assert event is not None, response.context["adminform"].form.errors
    everybody = [player, *(row.person for row in OpeningRating.objects.exclude(person=player).order_by("pk"))]
    for person in everybody:
        client.post(reverse("scrabble-desk-entry-add", args=[event.slug]), {"q": str(person.number)})
    assert list(Entry.objects.filter(event=event).values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6, 7]

    page = client.get(reverse("admin:registry_event_change", args=[event.pk])).content.decode()
    for number, (mine, theirs) in enumerate(SCORES, start=1):
        url = reverse("admin:scrabble_round", args=[event.pk, number])
        assert url in page
        assert client.get(url).status_code == 200
        response = client.post(url, grid(("exemp", number + 1, mine, theirs), save="1"))
        assert response.status_code == 302, response.content.decode()

    approval = client.get(reverse("scrabble-desk-approval", args=[event.slug])).content.decode()
    assert "1116" in approval
    response = client.post(reverse("scrabble-desk-approval", args=[event.slug]), {"step": "approve"})
    assert response.status_code == 302
    event.refresh_from_db()
    assert event.state == EventState.APPROVED

    run = compute_run(system=current_system(), actor=people.ratings_officer)
    draft = draft_list(
        run=run,
        season=make_season(),
        as_of=date(2026, 2, 28),
        kind=ListKind.REGULAR,
        actor=people.ratings_officer,
    )
    published = publish_list(draft=draft, actor=people.administrator)
    row = published.rows.get(person=player)
    assert (row.rating, row.games, row.status) == (1116, 51, "ranked")
    line = LedgerRow.objects.get(person=player)
    assert (line.before, line.wins, line.k, line.change, line.after) == (1100, 8, 20, 16, 1116)
    assert Fraction(line.expected) == Fraction("3.20")
    assert Fraction(line.raw_change) == 16
