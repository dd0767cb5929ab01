"""A decided correction shows whom it moves, in rating or position, as the corrected list does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.urls import reverse

from ratings.core.ruleset import RuleSet as Rules
from ratings.models import Correction, ListKind, PublishedList, RuleSet
from ratings.queries.difference import list_difference
from ratings.services.corrections import apply_correction
from ratings.services.lists import publish_list
from tests.integration.ratings.desk.test_corrections import propose, rated, swap  # noqa: F401


def lines_of(client, correction):
    page = client.get(reverse("scrabble-desk-correction", args=[correction.pk]))
    return {
        line.person.pk: (line.before, line.after, line.position_before, line.position_after)
        for line in page.context["lines"]
    }


def between(a, b):
    def figures(side, name):
        return getattr(side, name) if side else None

    return {
        row.person: (
            figures(row.before, "rating"),
            figures(row.after, "rating"),
            figures(row.before, "position"),
            figures(row.after, "position"),
        )
        for row in list_difference(a, b)
        if row.changed
    }


@pytest.fixture(autouse=True)
def _everybody_is_ranked(season):
    """Rules under which one game is enough for a position."""
    for row in RuleSet.objects.all():
        rules = replace(Rules.from_parameters(row.parameters), min_games=1)
        RuleSet.objects.filter(pk=row.pk).update(parameters=rules.to_parameters(), digest=rules.digest())


@pytest.fixture
def applied(people, rated, swap, django_capture_on_commit_callbacks):  # noqa: F811
    """A correction with its corrected list; every player is ranked, so that positions move."""
    correction = propose(people, rated, swap)
    with django_capture_on_commit_callbacks(execute=True):
        return apply_correction(correction=correction, actor=people.results_secretary)


def test_an_applied_correction_shows_what_its_list_shows(as_user, people, applied):
    draft = PublishedList.objects.get(kind=ListKind.CORRECTION)
    expected = between(draft.corrects, draft)
    client = as_user(people.results_secretary)
    assert lines_of(client, applied) == expected
    assert any(before != after for _old, _new, before, after in expected.values())
    publish_list(draft=draft, actor=people.ratings_officer, reason="Winner and loser were exchanged.")
    assert lines_of(client, applied) == expected


def test_until_the_list_is_there_positions_are_those_of_the_proposal(as_user, people, rated, swap):  # noqa: F811
    correction = propose(people, rated, swap)
    client = as_user(people.results_secretary)
    proposed = lines_of(client, correction)
    apply_correction(correction=correction, actor=people.results_secretary)
    assert PublishedList.objects.filter(kind=ListKind.CORRECTION).count() == 0
    assert lines_of(client, Correction.objects.get()) == proposed
