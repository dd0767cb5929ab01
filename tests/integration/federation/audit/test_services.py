"""The record is added to and never changed."""

import pytest
from django.contrib.auth.models import AnonymousUser

from federation.audit.context import acting
from federation.audit.models import AppendOnlyError, AuditEvent
from federation.audit.queries import history_of
from federation.audit.services import MASK, erase_values, record
from federation.core.errors import InvariantError
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def account():
    return make_user("ona", first_name="Ona", last_name="Pont")


def test_a_record_says_who_what_and_when(account):
    event = record(action="account.changed", obj=account, actor=account, reason="Typo", before={"a": 1}, after={"a": 2})
    event.refresh_from_db()
    assert (event.object_type, event.object_id, event.object_label) == ("accounts.user", str(account.pk), "Ona Pont")
    assert (event.actor, event.reason, event.before, event.after) == (account, "Typo", {"a": 1}, {"a": 2})


def test_actor_and_request_come_from_the_context(account):
    with acting(account, "request-7"):
        event = record(action="account.changed", obj=account)
    assert (event.actor, event.request_id) == (account, "request-7")


def test_a_visitor_is_nobody(account):
    assert record(action="account.changed", obj=account, actor=AnonymousUser()).actor is None


def test_an_unknown_action_is_a_bug(account):
    with pytest.raises(InvariantError):
        record(action="account.exploded", obj=account)


def test_a_record_of_nothing_is_a_bug():
    with pytest.raises(InvariantError):
        record(action="account.changed", obj=None)


def test_an_object_without_a_row_is_named(account):
    event = record(action="account.changed", obj=None, object_type="site", object_id="1", label="Site")
    assert (event.object_type, event.object_id, event.object_label) == ("site", "1", "Site")


def test_records_are_neither_changed_nor_deleted(account):
    event = record(action="account.changed", obj=account)
    for attempt in (
        event.save,
        event.delete,
        lambda: AuditEvent.objects.update(reason="x"),
        lambda: AuditEvent.objects.filter(pk=event.pk).delete(),
    ):
        with pytest.raises(AppendOnlyError):
            attempt()
    assert AuditEvent.objects.get().reason == ""


def test_history_is_one_query(account, django_assert_num_queries):
    for number in range(3):
        record(action="account.changed", obj=account, actor=account, before={"n": number}, after={"n": number + 1})
    with django_assert_num_queries(1):
        history = history_of(account)
    assert [(entry.changes[0].before, entry.changes[0].after) for entry in history] == [(2, 3), (1, 2), (0, 1)]
    assert history[0].actor == "Ona Pont"


def test_the_public_history_names_nobody(account):
    record(action="account.changed", obj=account, actor=account, reason="private", before={"a": 1}, after={"a": 2})
    (entry,) = history_of(account, is_public=True)
    assert (entry.actor, entry.reason, entry.changes) == ("", "", ())


def test_erasing_masks_the_named_values_only(account):
    other = make_user("pau")
    for who in (account, other):
        record(action="account.changed", obj=who, before={"given_name": "Ona", "club": 3}, label="Ona Pont")
    touched = erase_values(
        object_type="accounts.user", object_id=str(account.pk), fields=["given_name"], label="account 1"
    )
    assert touched == 1
    mine, others = AuditEvent.objects.order_by("id")
    assert (mine.before, mine.object_label) == ({"given_name": MASK, "club": 3}, "account 1")
    assert (others.before, others.object_label) == ({"given_name": "Ona", "club": 3}, "Ona Pont")
