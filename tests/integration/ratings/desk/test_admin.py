"""The admin of the ratings: queries, searches, and a new version of the rules with its preview."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from federation.registry.models import EventState
from ratings.core.rounds import GameRow
from ratings.models import ListKind, OpeningList, OpeningRating, RatingRun, RuleSet
from ratings.services.lists import draft_list, publish_list
from ratings.services.results import save_round
from ratings.services.runs import compute_run, current_system
from tests.factories import make_person, make_season


@pytest.fixture
def published(people, entries):
    """A run and a list in force over one event of three rounds."""
    rows = [GameRow(1 + 2 * board, 2 + 2 * board, "played", 400, 300, 2) for board in range(3)]
    for number in (1, 2, 3):
        save_round(event=people.event, number=number, version=0, rows=rows, actor=people.director)
    people.event.state = EventState.APPROVED
    people.event.save()
    opening = OpeningList.objects.create(system=current_system(), as_of=date(2025, 8, 31))
    OpeningRating.objects.create(opening_list=opening, person=make_person(), rating=1200, games=60, wins=70)
    run = compute_run(system=current_system(), actor=people.ratings_officer)
    draft = draft_list(run=run, season=make_season(), as_of=date(2026, 4, 30), kind=ListKind.REGULAR)
    return publish_list(draft=draft, actor=people.administrator)


MODELS = (
    "ratingsystem",
    "ruleset",
    "game",
    "correction",
    "openinglist",
    "openingrating",
    "ratingrun",
    "publishedlist",
    "listrow",
    "erratum",
    "seasontask",
)


@pytest.mark.parametrize("model", MODELS)
def test_no_list_of_the_admin_needs_many_queries(as_user, people, published, django_assert_max_num_queries, model):
    client = as_user(people.administrator)
    with django_assert_max_num_queries(25):
        assert client.get(reverse(f"admin:ratings_{model}_changelist"), {"q": "Càdec"}).status_code in (200, 302)
    with django_assert_max_num_queries(25):
        assert client.get(reverse(f"admin:ratings_{model}_changelist")).status_code == 200


@pytest.mark.parametrize("model", ["ruleset", "ratingrun", "publishedlist", "listrow", "game", "openingrating"])
def test_rows_are_shown_without_a_way_to_save(as_user, people, published, django_assert_max_num_queries, model):
    from django.apps import apps

    row = apps.get_model("ratings", model).objects.order_by("pk").first()
    client = as_user(people.administrator)
    with django_assert_max_num_queries(25):
        page = client.get(reverse(f"admin:ratings_{model}_change", args=[row.pk])).content.decode()
    assert 'name="_save"' not in page
    assert "style=" not in page.split('id="content"')[1]


def test_the_page_of_an_event_stays_below_25_queries(as_user, people, entries, django_assert_max_num_queries):
    client = as_user(people.administrator)
    with django_assert_max_num_queries(25):
        page = client.get(reverse("admin:registry_event_change", args=[people.event.pk])).content.decode()
    assert reverse("admin:scrabble_round", args=[people.event.pk, 3]) in page


def test_names_are_found_without_accents(as_user, people, published):
    client = as_user(people.administrator)
    page = client.get(reverse("admin:ratings_game_changelist"), {"q": "Càdec"}).content.decode()
    assert "6. Ona Càdec" in page
    assert "1. Neus Farriol" not in page


def rules_form(**changes):
    rules = RuleSet.objects.get(name="page")
    from ratings.forms.rulesets import RuleSetForm

    values = {key: "" if value is None else value for key, value in RuleSetForm.initial_of(rules).items()}
    return {**values, "valid_from": "2026-04-01", "note": "trial", **changes}


def test_a_version_shows_what_it_would_change_and_stores_nothing(as_user, people, published):
    client = as_user(people.ratings_officer)
    before = (RuleSet.objects.count(), RatingRun.objects.count())
    data = rules_form(bands="- 60 40", preview="1", everything="on")
    response = client.post(reverse("admin:ratings_ruleset_add"), data)
    page = response.content.decode()
    assert response.status_code == 200
    # Three wins of three at 0.5 each: +45 with K 30, +90 with K 60.
    assert "1044" in page
    assert "1089" in page
    assert (RuleSet.objects.count(), RatingRun.objects.count()) == before


def test_a_version_shows_who_would_be_ranked(as_user, people, published):
    data = rules_form(min_games="1", preview="1", valid_from="2027-01-01")
    page = as_user(people.ratings_officer).post(reverse("admin:ratings_ruleset_add"), data).content.decode()
    assert "No rating would change." in page
    assert "in expectation → ranked" in page
    assert "– → 1<" in page


def test_a_new_version_is_stored_beside_the_old_one(as_user, people, published):
    client = as_user(people.ratings_officer)
    response = client.post(reverse("admin:ratings_ruleset_add"), rules_form(min_games="12", store="1"))
    made = RuleSet.objects.order_by("pk").last()
    assert response.url == reverse("admin:ratings_ruleset_change", args=[made.pk])
    assert (made.name, made.version, made.parameters["min_games"]) == ("page", 2, 12)
    assert RuleSet.objects.get(name="page", version=1).parameters["min_games"] == 10


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"table": "0 50\n40"}, "Line 2 needs 2 values"),
        ({"table": "5 50"}, "The rows begin with 0 and 50"),
        ({"bands": "- x 20"}, "is not possible here"),
        ({"bands": "1000 30 20"}, "The first band has no floor"),
        ({"categories": "1400 a\n1400 b"}, "no rating twice"),
        ({"min_rounds": "-1"}, "is not possible here"),
        ({"sigma": "0"}, "Sigma"),
        ({"initial_rating": "1e9"}, "whole number"),
        ({"expectation": "guess"}, "valid choice"),
    ],
)
def test_values_that_are_no_rule(as_user, people, published, change, text):
    before = RuleSet.objects.count()
    response = as_user(people.ratings_officer).post(reverse("admin:ratings_ruleset_add"), rules_form(**change))
    assert response.status_code == 422
    assert text in response.content.decode()
    assert RuleSet.objects.count() == before
