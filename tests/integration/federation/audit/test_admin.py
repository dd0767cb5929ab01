"""The audit in the admin: staff read, nobody writes."""

import pytest
from django.urls import reverse

from federation.accounts.models import Role
from federation.audit.models import AuditEvent
from federation.audit.services import record
from tests.factories import make_user

pytestmark = pytest.mark.django_db

LIST = "admin:audit_auditevent_changelist"


@pytest.fixture
def staff(client):
    account = make_user("reader", roles=(Role.RATINGS_OFFICER,))
    client.force_login(account)
    return account


@pytest.mark.parametrize("rows", [1, 3])
def test_the_list_takes_as_many_queries_for_three_rows_as_for_one(client, staff, rows, django_assert_num_queries):
    for number in range(rows):
        record(action="account.changed", obj=staff, actor=make_user(f"actor{number}"))
    client.get(reverse(LIST))
    with django_assert_num_queries(9):
        assert client.get(reverse(LIST)).status_code == 200


def test_searching_and_filtering(client, staff):
    record(action="account.changed", obj=staff, reason="a wrong accent")
    record(action="account.role_granted", obj=staff, reason="new secretary")
    assert "a wrong accent" not in client.get(reverse(LIST), {"q": "secretary"}).content.decode()
    filtered = client.get(reverse(LIST), {"action": "account.changed"}).content.decode()
    assert "a wrong accent" in filtered
    assert "new secretary" not in filtered
    assert client.get(reverse(LIST), {"at__year": "2026", "actor__id__exact": staff.pk}).status_code == 200


def test_nothing_can_be_added_changed_or_deleted(client, staff):
    event = record(action="account.changed", obj=staff)
    administrator = make_user("admin", roles=(Role.ADMINISTRATOR,))
    client.force_login(administrator)
    assert client.get(reverse("admin:audit_auditevent_change", args=[event.pk])).status_code == 200
    assert client.post(reverse("admin:audit_auditevent_change", args=[event.pk]), {"reason": "x"}).status_code == 403
    assert client.get(reverse("admin:audit_auditevent_add")).status_code == 403
    assert client.post(reverse("admin:audit_auditevent_delete", args=[event.pk])).status_code == 403


def test_the_request_of_a_record_is_the_one_in_the_answer(client):
    make_user("ona", password="correct horse battery")
    answer = client.post(reverse("account_login"), {"login": "ona", "password": "correct horse battery"})
    assert answer.status_code == 302
    event = AuditEvent.objects.get(action="account.signed_in")
    assert event.request_id == answer["X-Request-Id"]
