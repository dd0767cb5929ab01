"""The command by which an administrator has events of the past rated by other rules."""

import pytest
from django.core.management import CommandError, call_command

from federation.accounts.models import Role, RoleGrant
from federation.audit.models import AuditEvent
from ratings.models import EventRuleSet

from .test_lists import published, small_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator(second):
    RoleGrant.objects.create(user=second, role=Role.ADMINISTRATOR)
    return second


def replay(*words, first="2023-09-01", by="second", reason="Imported history"):
    call_command("replay_under", *words, "--from", first, "--by", by, "--reason", reason)


def test_events_from_a_day_on_get_the_rules(world, officer, administrator, capsys):
    small_season(world)
    published(world, officer)
    replay("sheet", "1")
    assert "2 events get other rules" in capsys.readouterr().out
    assert set(EventRuleSet.objects.values_list("rule_set__name", flat=True)) == {"sheet"}
    assert AuditEvent.objects.get(action="ruleset.replayed").actor == administrator
    replay("sheet", "1")
    assert "0 events get other rules" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (("sheet", "9"), {}, "No rule set sheet, version 9"),
        (("sheet", "1"), {"first": "1.9.2023"}, "write it as 2025-09-01"),
        (("sheet", "1"), {"by": "officer"}, "not the user name of an administrator"),
        (("sheet", "1"), {"by": "nobody"}, "not the user name of an administrator"),
        (("sheet", "1"), {"reason": " "}, "reason"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(world, officer, administrator, words, options, message):
    small_season(world)
    published(world, officer)
    with pytest.raises(CommandError, match=message):
        replay(*words, **options)
    assert set(EventRuleSet.objects.values_list("rule_set__name", flat=True)) == {"page"}
