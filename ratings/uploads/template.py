"""The workbook that a director fills in: the entries with their numbers in the register, rows for every round."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import get_language

from federation.registry.models import Event
from ratings.core.formats.template import TemplateEntry, TemplateRow, write_template
from ratings.models import GameKind
from ratings.queries.results import current_games
from ratings.uploads.results import current_ratings

#: Names of sheets and columns by language; the reader understands them, so they are no free translations.
HEADINGS: Mapping[str, Mapping[str, str]] = {
    "ca": {
        "entries": "Inscripcions",
        "results": "Resultats",
        "number": "Número",
        "name": "Nom",
        "club": "Club",
        "rating": "BARRUF",
        "round": "Ronda",
        "table": "Taula",
        "number_a": "Número 1",
        "a": "Jugador 1",
        "score_a": "Puntuació 1",
        "number_b": "Número 2",
        "b": "Jugador 2",
        "score_b": "Puntuació 2",
    }
}
USUAL_ROUNDS = 6


def workbook(event: Event) -> bytes:
    """Return the workbook of an event: its entries, and its pairings where there are any without a result."""
    entries = list(event.entries.select_related("person__merged_into__club", "person__club").order_by("number", "pk"))
    people = {entry.pk: entry.person.merged_into or entry.person for entry in entries}
    ratings = current_ratings(person.pk for person in people.values())
    listed = [
        TemplateEntry(
            number=str(person.number),
            name=person.full_name,
            club=person.club.name if person.club else "",
            rating=ratings.get(person.pk),
        )
        for person in people.values()
    ]
    rows = [
        TemplateRow(
            round=game.round,
            table=str(game.board or ""),
            number_a=str(people[game.a_id].number),
            name_a=people[game.a_id].full_name,
            number_b=str(people[game.b_id].number) if game.b_id else "",
            name_b=people[game.b_id].full_name if game.b_id else "",
        )
        for game in current_games(event)
        if game.kind == GameKind.PENDING
    ]
    headings = HEADINGS.get((get_language() or "en").split("-")[0], {})
    return write_template(listed, event.rounds or USUAL_ROUNDS, rows, headings)
