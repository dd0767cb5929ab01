"""The admin in the tokens of the site, under the same policy."""

import re

import pytest

from tests.factories import make_person, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/admin/", "/admin/registry/person/", "/admin/registry/club/add/"])
@pytest.mark.parametrize("language", ["en", "ca"])
def test_admin_page_has_our_head_and_nothing_inline(client, address, language):
    make_person()
    client.force_login(make_user(roles=("administrator",), is_staff=True))
    response = client.get(address, headers={"accept-language": language})
    page = response.content.decode()
    assert response.status_code == 200
    assert "css/tokens.css" in page
    assert page.index("admin/css/base.css") < page.index("css/admin.css")
    assert "theme.js" not in page
    assert 'action="/account/logout/"' in page
    assert "lang=ca" in page
    assert not re.search(r"\sstyle=|<style|<script(?![^>]*src=)|\son[a-z]+=\"", page)
