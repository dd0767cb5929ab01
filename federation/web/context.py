"""Values that every page needs: the frame. One query for the federation's own settings, and that is cached."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.cache import cache
from django.db.models.signals import post_delete, post_save
from django.http import HttpRequest, QueryDict
from django.utils.functional import cached_property
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _

from federation.registry.models import FederationSettings
from federation.registry.queries.settings import federation_settings as read_settings
from federation.web import menu
from federation.web.menu import Link

CACHE_KEY = "federation-settings"
CACHE_SECONDS = 60


def federation_settings() -> FederationSettings:
    """Return the federation's own settings, those of a new federation if none are stored yet."""
    found: FederationSettings | None = cache.get(CACHE_KEY)
    if found is None:
        found = read_settings()
        cache.set(CACHE_KEY, found, CACHE_SECONDS)
    # A value from the cache was read by another process: the rule for names of minors must hold here as well.
    FederationSettings.adult_age_in_force = found.adult_age
    return found


def _forget(**kwargs: Any) -> None:
    cache.delete(CACHE_KEY)


def connect_signals() -> None:
    """Forget the cached settings when they change."""
    post_save.connect(_forget, sender=FederationSettings, dispatch_uid="web-forget-settings")
    post_delete.connect(_forget, sender=FederationSettings, dispatch_uid="web-forget-settings")


class Frame:
    """The page frame as the templates read it: ``frame.site``, ``frame.disciplines`` and so on, each made when read."""

    def __init__(self, request: HttpRequest | None) -> None:
        self.request = request
        self.path = request.path if request is not None else "/"

    @cached_property
    def site(self) -> FederationSettings:
        """The federation's own settings; the only value that may cost a query."""
        return federation_settings()

    @cached_property
    def second_line(self) -> list[str]:
        """Name and subtitle beside the brand."""
        lines = [self.site.name if self.site.name != "Barem" else "", self.site.subtitle]
        return [line for line in lines if line]

    @cached_property
    def disciplines(self) -> list[dict[str, Any]]:
        """Entries of the masthead."""
        return [entry for entry in map(self._entry, menu.disciplines()) if entry["href"]]

    @cached_property
    def discipline(self) -> dict[str, Any] | None:
        """The game that the address belongs to."""
        return next((entry for entry in map(self._entry, menu.disciplines()) if entry["is_current"]), None)

    def _entry(self, game: menu.DisciplineEntry) -> dict[str, Any]:
        links = [(label, menu.href(name)) for label, name in game.subnav]
        current = self._nearest(address for _label, address in links)
        return {
            "code": game.code,
            "name": game.name,
            "mark": game.mark,
            "href": menu.href(game.url_name),
            "is_current": self.path.startswith(f"/{game.code}/"),
            "subnav": [Link(label, address, address == current) for label, address in links if address],
        }

    def _nearest(self, addresses: Iterable[str]) -> str:
        """Return the longest address that this page lies under."""
        return max((address for address in addresses if address and self.path.startswith(address)), key=len, default="")

    @cached_property
    def languages(self) -> list[dict[str, Any]]:
        """Languages in their own words; only complete ones are in the settings."""
        active = (get_language() or settings.LANGUAGE_CODE).split("-")[0]
        named = [(code, get_language_info(code)["name_local"]) for code, _name in settings.LANGUAGES]
        return [{"code": c, "name": n[:1].upper() + n[1:], "is_current": c == active} for c, n in named]

    @cached_property
    def footer(self) -> list[Link]:
        """Links at the foot."""
        own = [
            (_("Calendar"), "calendar"),
            (_("Open data"), "open-data"),
            (_("Privacy"), "privacy"),
            (_("Accessibility"), "accessibility"),
        ]
        links = [(label, menu.href(name)) for label, name in [*menu.footer_links(), *own]]
        return [Link(label, address) for label, address in links if address]

    @cached_property
    def account_links(self) -> list[Link]:
        """Entries of the menu of the account, but for signing out."""
        links = [(_("Desk"), "desk"), (_("Account"), "account-home")]
        return [Link(label, address) for label, name in links if (address := menu.href(name))]

    @cached_property
    def desk_links(self) -> list[Link]:
        """Entries of the desk that the account may open."""
        if self.request is None:
            return []
        found = menu.desk_links(self.request)
        current = self._nearest(address for _link, address in found)
        return [Link(link.label, address, address == current) for link, address in found]

    @property
    def home(self) -> str:
        """Address of the home page."""
        return menu.href("home") or "/"

    @property
    def search(self) -> str:
        """Address of the search."""
        return menu.href("search")

    @cached_property
    def login(self) -> str:
        """Address of the sign-in page, coming back to this one."""
        address = menu.href("account_login")
        if not address or self.request is None or self.path == self.home or self.path.startswith(address):
            return address
        back = QueryDict(mutable=True)
        back[REDIRECT_FIELD_NAME] = self.request.get_full_path()
        return f"{address}?{back.urlencode(safe='/')}"

    @cached_property
    def logout(self) -> str:
        """Address that signs out."""
        return menu.href("account_logout")


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the values of the page frame."""
    return {"frame": Frame(request)}
