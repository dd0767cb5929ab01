"""Whether two records of the register can be one person."""

from __future__ import annotations

from django.db import connection

_ROUNDS = """
    SELECT g.event_id, g.round FROM ratings_game g
    JOIN registry_entry e ON e.id = g.a_id OR e.id = g.b_id
    JOIN registry_person p ON p.id = e.person_id
    WHERE g.superseded_at IS NULL AND COALESCE(p.merged_into_id, p.id) = %s
"""


def first_round_in_common(kept: int, dropped: int) -> tuple[str, int] | None:
    """Return name of the event and round of the first entry that two records have in common, None if there is none.

    Byes, forfeits, void and pending entries occupy the round too (specification, section 9).
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT v.name, one.round FROM ({_ROUNDS}) one JOIN ({_ROUNDS}) two"  # noqa: S608
            " ON two.event_id = one.event_id AND two.round = one.round"
            " JOIN registry_event v ON v.id = one.event_id"
            " ORDER BY v.rating_date, v.sequence, v.id, one.round LIMIT 1",
            [kept, dropped],
        )
        row = cursor.fetchone()
    return (row[0], row[1]) if row else None
