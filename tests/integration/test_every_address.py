"""Every address of the site, opened and posted to by every kind of account: nothing breaks, nobody oversteps.

The addresses come from the URLconf itself, so that a new page is tried without anybody thinking of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest
from django.urls import Resolver404, URLPattern, get_resolver, resolve

from federation.accounts.models import Role, User
from federation.jobs.models import Job
from federation.registry.models import EventDirector, Person, Season
from federation.registry.services import people as registry
from ratings.models import Correction, Game, PublishedList, RatingRun
from ratings.services.seasons import prepare_edition
from tests.factories import make_event, make_person, make_season, make_user
from tests.integration.ratings.pages.site import correct, example_site

pytestmark = pytest.mark.django_db

ROLES = ("results_secretary", "ratings_officer", "registry_officer", "administrator")
WHO = ("visitor", "player", "director", *ROLES)
#: Words that no row has, and what a route may be asked by mistake or on purpose.
ODD = {
    "int": ("0", "987654", "9" * 18),
    "slug": ("none", "a-" * 40),
    "str": ("none", "2025-26%00", "☃"),
    "path": ("x",),
}
#: Sign-in, sign-out and Django's own pages of them change the session under the test.
LEFT_OUT = ("logout", "login", "jsi18n")


@pytest.fixture
def values():
    """Rows behind the addresses, and what stands for each part of a route."""
    site = example_site()
    correct(site)
    boss = make_user("boss", roles=(Role.ADMINISTRATOR,))
    merge = registry.merge_persons(kept=site.people[1], dropped=make_person(), reason="same", actor=None)
    make_person(state="provisional")
    make_season("2026-27", state="planned")
    director, player = make_user("director"), make_user("player")
    EventDirector.objects.create(event=site.events[0], user=director)
    Person.objects.filter(pk=site.people[2].pk).update(account=player)
    for role in ROLES:
        make_user(role, roles=(role,))
    make_event("Open", season=site.season, slug="open-event", state="open", rounds=3)
    prepare_edition(season=site.season, as_of=date(2026, 5, 31), actor=boss)
    return {
        "number": (str(site.hero.number), "1", "2"),
        "slug": (site.events[0].slug, "open-event", site.clubs[0].slug),
        "season": ("2025-26", "2024-25", "2026-27"),
        "discipline": ("scrabble",),
        "position": ("0",),
        "pk": tuple(
            str(key)
            for key in {
                merge.pk,
                boss.pk,
                Job.objects.latest("pk").pk,
                Correction.objects.latest("pk").pk,
                PublishedList.objects.latest("pk").pk,
                Game.objects.latest("pk").pk,
            }
        ),
    }


def addresses(values: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Give the addresses of everything outside the admin, with rows that exist and with some that do not."""
    for route in routes(get_resolver()):
        if route.startswith("admin/") or any(word in route for word in LEFT_OUT) or "(?P" in route:
            continue
        parts = re.findall(r"<(?:(\w+):)?(\w+)>", route)
        known = [values.get(name, ODD[kind or "str"]) for kind, name in parts]
        for turn in range(max(map(len, known), default=1)):
            yield _filled(route, [choice[turn % len(choice)] for choice in known])
        for turn in range(2 if parts else 0):
            yield _filled(route, [ODD[kind or "str"][turn] for kind, _ in parts])


def _filled(route: str, parts: list[str]) -> str:
    for part in parts:
        route = re.sub(r"<[^>]+>", part.replace("\\", ""), route, count=1)
    return f"/{route}"


def routes(resolver, before: str = "") -> Iterator[str]:
    for entry in resolver.url_patterns:
        route = before + str(entry.pattern).lstrip("^").rstrip("$")
        if isinstance(entry, URLPattern):
            yield route
        else:
            yield from routes(entry, route)


def traces() -> tuple[object, ...]:
    """What nobody without a role may change."""
    return (
        list(Person.objects.order_by("pk").values_list("state", "merged_into")),
        list(Season.objects.order_by("pk").values_list("state")),
        list(PublishedList.objects.order_by("pk").values_list("state", "number")),
        RatingRun.objects.count(),
        list(Correction.objects.values_list("state")),
        list(User.objects.order_by("pk").values_list("is_active", "password")),
    )


def sign_in(client, who: str) -> None:
    if who != "visitor":
        client.force_login(User.objects.get(username=who))


def refused(client, who: str, address: str) -> bool:
    """Whether the page asks for a permission that this account has for nothing at all."""
    try:
        needed = getattr(resolve(address).func, "required_permission", "")
    except Resolver404:
        return False
    return bool(needed) and (who == "visitor" or not User.objects.get(username=who).has_perm(needed))


def check(answer, who: str, address: str, is_refused: bool) -> None:
    assert answer.status_code < 500, address
    if is_refused and who == "visitor":
        assert answer.status_code in (302, 404, 405), (address, answer.status_code)
        assert answer.status_code != 302 or "/login/" in answer["Location"], address
    elif is_refused:
        assert answer.status_code in (403, 404, 405), (address, answer.status_code)


ODD_QUERY = "?page=x&q=%00&sort=zz&format=zz&part=run&d=zz"


@pytest.mark.parametrize("who", WHO)
def test_every_page_answers(client, values, who):
    sign_in(client, who)
    found = list(addresses(values))
    assert len(found) > 150
    for turn, address in enumerate(found):
        check(client.get(address + (ODD_QUERY if turn % 2 else "")), who, address, refused(client, who, address))


#: What browsers send and what they do not: nothing, a step that there is not, numbers that are none.
FORMS = (
    {},
    {"step": "destroy", "draft": "x", "pk": "x", "version": "x", "versions": "x", "lines": "x", "reason": "\x00"},
    {"step": "publish", "draft": "9" * 30, "read": "on", "version": "9" * 30, "lines": "9" * 9, "number": "9" * 30},
)


@pytest.mark.parametrize("who", WHO)
def test_every_post_answers(client, values, who):
    sign_in(client, who)
    before = traces()
    for turn, address in enumerate(addresses(values)):
        is_refused = refused(client, who, address)
        for data in FORMS if who == "administrator" else [FORMS[turn % len(FORMS)]]:
            check(client.post(address, data), who, address, is_refused)
    if who in ("visitor", "player"):
        assert traces() == before
