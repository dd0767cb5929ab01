"""Names of people on pages."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from federation.registry.models import Person
from federation.registry.publication import public_name


def name_of(person: Person, language: str) -> str:
    """Return the name of a person as the public may see it."""
    return public_name(person, language)


def move_html(places: int | None) -> SafeString:
    """Return the change of rank: a filled triangle up, a hollow one down, a dash for none, and the word."""
    if places is None:
        return format_html('<span class="tag">{}</span>', _("new"))
    if places == 0:
        return format_html(
            '<span class="move"><span aria-hidden="true">–</span><span class="vh">{}</span></span>', _("unchanged")
        )
    if places > 0:
        text, css, path = ngettext("up %(count)s place", "up %(count)s places", places), "up", "M5 1.5 9 8.5H1z"
    else:
        text, css, path = ngettext("down %(count)s place", "down %(count)s places", -places), "down", "M5 8.5 1 1.5h8z"
    count = abs(places)
    return format_html(
        '<span class="move {}"><svg viewBox="0 0 10 10" aria-hidden="true"><path d="{}"/></svg>'
        '<span aria-hidden="true">{}</span><span class="vh">{}</span></span>',
        css,
        path,
        count,
        text % {"count": count},
    )
