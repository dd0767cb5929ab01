"""Whether an event that no list includes yet would count, by the rule itself."""

from __future__ import annotations

from collections.abc import Sequence

from federation.registry.models import Event, EventState, Modality
from ratings.core import history
from ratings.core.eligibility import reasons_against
from ratings.core.ruleset import RuleSet
from ratings.models import Game, GameKind


def live_reasons(event: Event, games: Sequence[Game], rules: RuleSet | None) -> list[str]:
    """Reason codes of section 6 for an event as its results stand now; none if it would count."""
    if rules is None:
        return []
    kinds = {name: history.KIND_NAMES[name] for name in GameKind.values}
    keys = sorted({key for game in games for key in (game.a_id, game.b_id) if key is not None})
    places = {key: place for place, key in enumerate(keys)}
    facts = history.Event(
        id=str(event.pk),
        season=event.season.start_year,
        rating_date=event.rating_date,
        sequence=event.sequence,
        classic=event.modality == Modality.CLASSIC,
        published=event.results_public,
        approved=event.state in {EventState.APPROVED, EventState.EXCLUDED},
        excluded=event.state == EventState.EXCLUDED,
        games=tuple(
            history.Game(
                round=game.round,
                a=places[game.a_id],
                b=history.NOBODY if game.b_id is None else places[game.b_id],
                kind=kinds[game.kind],
                result=history.NO_RESULT if game.result is None else game.result,
            )
            for game in games
        ),
    )
    return list(reasons_against(facts, rules))
