"""Uploads and remembered names in the admin: seen by staff, changed by nobody."""

from __future__ import annotations

import pytest
from django.urls import reverse

from federation.accounts.models import Role
from federation.uploads.models import NameDecision, Upload
from tests.factories import make_event, make_person, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def upload():
    event, user = make_event(), make_user()
    upload = Upload.objects.create(discipline=event.discipline, event=event, sha256="a" * 64, created_by=user)
    NameDecision.objects.create(discipline=event.discipline, spelling="x", person=make_person(), decided_by=user)
    return upload


@pytest.mark.parametrize("role", [Role.RESULTS_SECRETARY, Role.REGISTRY_OFFICER, Role.ADMINISTRATOR])
def test_staff_look(client, upload, role):
    client.force_login(make_user(roles=(role,)))
    decision = NameDecision.objects.get()
    for address in (
        reverse("admin:uploads_upload_changelist") + "?q=x",
        reverse("admin:uploads_upload_change", args=[upload.pk]),
        reverse("admin:uploads_namedecision_changelist"),
        reverse("admin:uploads_namedecision_change", args=[decision.pk]),
    ):
        assert client.get(address).status_code == 200
    assert client.get(reverse("admin:uploads_upload_add")).status_code == 403
    assert client.post(reverse("admin:uploads_upload_delete", args=[upload.pk]), {"post": "yes"}).status_code == 403
    assert client.post(reverse("admin:uploads_namedecision_change", args=[decision.pk]), {}).status_code == 403


def test_others_do_not(client, upload):
    client.force_login(make_user())
    assert client.get(reverse("admin:uploads_upload_changelist")).status_code in (302, 403)


def test_a_list_asks_the_database_as_often_for_three_as_for_one(client, upload, django_assert_num_queries):
    client.force_login(make_user(roles=(Role.ADMINISTRATOR,)))
    address = reverse("admin:uploads_upload_changelist")
    client.get(address)
    for extra in (0, 2):
        for number in range(extra):
            Upload.objects.create(
                discipline=upload.discipline, event=make_event(), sha256=str(number), created_by=make_user()
            )
        with django_assert_num_queries(12):
            client.get(address)
