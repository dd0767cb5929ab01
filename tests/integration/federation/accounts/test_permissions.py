"""The table in the documentation is what the code does."""

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command

from federation.accounts.models import Role, User
from federation.accounts.permission_table import COLUMNS, permission_table
from tests.factories import make_user

pytestmark = pytest.mark.django_db

#: Who may do what, from the description of the roles; an administrator may do all of it.
DUTIES = {
    Role.REGISTRY_OFFICER: [
        "registry.change_person",
        "registry.merge_person",
        "registry.split_person",
        "registry.anonymise_person",
        "registry.change_membership",
    ],
    Role.RESULTS_SECRETARY: ["registry.approve_event", "registry.reopen_event", "ratings.correct_results"],
    Role.RATINGS_OFFICER: [
        "ratings.run_rating",
        "ratings.publish_list",
        "ratings.change_ruleset",
        "ratings.reopen_season",
    ],
    Role.ADMINISTRATOR: ["accounts.manage", "registry.change_settings"],
}


@pytest.mark.parametrize("role", Role.values)
def test_each_role_may_do_its_duties_and_no_others(role):
    user = make_user("x", roles=(role,))
    for owner, permissions in DUTIES.items():
        for permission in permissions:
            assert user.has_perm(permission) == (role in {owner, Role.ADMINISTRATOR}), permission


def test_players_and_visitors_have_no_duties():
    for user in (make_user("x"), AnonymousUser()):
        assert not any(user.has_perm(permission) for some in DUTIES.values() for permission in some)


def test_a_closed_account_may_do_nothing():
    user = make_user("x", roles=(Role.ADMINISTRATOR,), is_active=False)
    assert not any(user.has_perm(permission) for some in DUTIES.values() for permission in some)


def test_who_was_made_on_the_command_line_is_an_administrator():
    user = User.objects.create_superuser("root", password="correct horse battery")
    assert user.roles == frozenset(Role.values)


def test_the_table_of_the_documentation_is_up_to_date():
    written = (settings.BASE_DIR / "docs" / "permissions.md").read_text(encoding="utf-8")
    assert written == permission_table(), "run: python manage.py permission_table --write"


def test_the_command_prints_the_table(capsys):
    call_command("permission_table")
    printed = capsys.readouterr().out
    assert "| permission | " + " | ".join(COLUMNS) + " |" in printed
    assert "| `accounts.manage` |  |  |  |  |  |  | yes |" in printed
