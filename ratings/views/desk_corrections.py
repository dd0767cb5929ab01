"""Corrections at the desk: choose a game, propose, look at the effect, apply, publish with an erratum."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.jobs.models import Job
from federation.problems import explain_all
from federation.registry.models import Event
from federation.registry.queries.settings import federation_settings
from ratings.forms.corrections import CorrectionForm
from ratings.forms.grid import KIND_LABELS, row_text, whole
from ratings.models import Correction, Game, PublishedList, RatingSystem
from ratings.presenters.whether import long_reason
from ratings.queries.desk import corrections_overview, published_errata_of
from ratings.queries.effects import EffectLine, effect_lines, lines_between, stored_lines
from ratings.queries.results import current_games, entrants, game_history, row_as_dict, row_of
from ratings.services.corrections import (
    JOB_KIND,
    Change,
    apply_correction,
    discard_correction,
    editions_waiting,
    effect_rows,
    prepare_edition,
    propose_correction,
    refresh_correction,
)
from ratings.services.runs import current_system
from ratings.views.desk_common import attempt, event_of, of_address, typed

PAGE = 50
#: Lines of an effect shown at once.
MOST_LINES = 400


@permission_required("ratings.view_corrections")
@require_GET
def correction_list(request: HttpRequest) -> HttpResponse:
    """All corrections, and corrected editions that wait for publication."""
    page = Paginator(corrections_overview(), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "editions": editions_waiting()}
    return render(request, "ratings/desk/corrections.html", context)


@permission_required("ratings.correct_results", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def correction_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a game of an approved event, then say what it should be."""
    event = event_of(slug)
    players = entrants(event)
    chosen = request.POST.get("game", request.GET.get("game", ""))
    if not chosen:
        return _choose_game(request, event)
    game = None
    if chosen != "new":
        game = get_object_or_404(Game.objects.select_related("a", "b"), event=event, pk=whole(chosen, 0))
    row = row_of(game) if game else None
    form = CorrectionForm(players, request.POST if request.method == "POST" else None, row)
    if request.method == "POST" and not form.problems:
        change = Change(game=game.pk if game else None, row=None if form.remove else form.row)
        try:
            correction = propose_correction(
                event=event,
                changes=[change],
                reason=form.reason,
                actor=request.user,  # type: ignore[arg-type]
            )
        except RuleError as error:
            form.problems = explain_all(error, "results")
        else:
            return redirect("scrabble-desk-correction", correction.pk)
    context = {
        "event": event,
        "game": game,
        "form": form,
        "players": players,
        "kinds": KIND_LABELS,
        "history": game_history(event, game) if game else [],
    }
    return render(request, "ratings/desk/correction_form.html", context, status=422 if form.problems else 200)


@permission_required("ratings.view_corrections")
@require_http_methods(["GET", "HEAD"])
def correction_page(request: HttpRequest, pk: int) -> HttpResponse:
    """One correction: what changes, its effect on everybody, and the next step."""
    return _correction_page(request, _correction(pk))


@permission_required("ratings.correct_results")
@require_POST
def correction_step(request: HttpRequest, pk: int) -> HttpResponse:
    """Apply, compute the effect again, discard, or prepare the edition again."""
    correction = _correction(pk)
    step = request.POST.get("step", "")
    actor: Any = request.user
    if step == "apply":
        done = _("The correction is applied. The corrected list is being prepared.")
        ok = attempt(request, partial(apply_correction, correction=correction, actor=actor), done)
    elif step == "refresh":
        done = _("The effect is computed again.")
        ok = attempt(request, partial(refresh_correction, correction=correction, actor=actor), done)
    elif step == "discard":
        reason = typed(request.POST, "reason")
        done = _("The correction is discarded. Nothing was changed.")
        ok = attempt(request, partial(discard_correction, correction=correction, reason=reason, actor=actor), done)
    elif step == "prepare" and correction.state == Correction.State.APPLIED:
        prepare_edition(correction=correction, actor=actor)
        messages.success(request, _("The corrected list is being prepared."))
        ok = True
    else:
        raise PermissionDenied
    if not ok:
        return _correction_page(request, _correction(pk), status=422)
    return redirect("scrabble-desk-correction", pk)


@permission_required("ratings.publish_list")
@require_GET
def edition(request: HttpRequest, pk: int) -> HttpResponse:
    """The former address of a corrected edition that waits."""
    return redirect("scrabble-draft", pk, permanent=True)


@permission_required("registry.run_event", of_address)
@require_GET
def game_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """History of a game: every version of the rows of its players in that round."""
    event = event_of(slug)
    game = get_object_or_404(Game.objects.select_related("a__person", "b__person"), event=event, pk=pk)
    versions = [(one, row_text(row_as_dict(row_of(one)))) for one in game_history(event, game)]
    return render(request, "ratings/desk/game.html", {"event": event, "game": game, "versions": versions})


def _choose_game(request: HttpRequest, event: Event) -> HttpResponse:
    names = {entrant.number: entrant.name for entrant in entrants(event)}
    games = [
        {
            "game": game,
            "a": names[game.a.number],
            "b": names.get(game.b.number, "") if game.b else "",
            "text": row_text(row_as_dict(row_of(game))),
        }
        for game in current_games(event)
    ]
    return render(request, "ratings/desk/correction_choose.html", {"event": event, "games": games})


def _correction(pk: int) -> Correction:
    return get_object_or_404(Correction.objects.select_related("event", "proposed_by", "decided_by"), pk=pk)


def _correction_page(request: HttpRequest, correction: Correction, *, status: int = 200) -> HttpResponse:
    system = current_system()
    effect = effect_rows(correction)
    rows = [(row.person, row.before, row.after, row.games_before, row.games_after) for row in effect.rows]
    job = Job.objects.filter(kind=JOB_KIND, key=f"correction-{correction.pk}").order_by("-pk").first()
    draft = None
    if job is not None and job.result.get("draft"):
        draft = PublishedList.objects.filter(pk=job.result["draft"]).first()
    errata = published_errata_of(correction)
    edition = errata[0].corrected_list if errata else draft
    lines, compared = _lines(correction, system, rows, edition)
    is_proposed = correction.state == Correction.State.PROPOSED
    context = {
        "correction": correction,
        "event": correction.event,
        "changes": _change_lines(correction),
        "lines": lines[:MOST_LINES],
        "more_lines": max(len(lines) - MOST_LINES, 0),
        "players": len(lines),
        "compared": compared,
        "reasons": [long_reason(code) for code in effect.reasons.get(correction.event_id, [])],
        "is_proposed": is_proposed,
        "may_decide": request.user.has_perm("ratings.correct_results"),
        "may_publish": request.user.has_perm("ratings.publish_list"),
        "is_stale": is_proposed and correction.facts_version != system.facts_version,
        "needs_second": federation_settings().two_person_publishing and correction.proposed_by_id == request.user.pk,
        "job": job,
        "draft": draft,
        "errata": errata,
    }
    return render(request, "ratings/desk/correction.html", context, status=status)


def _lines(
    correction: Correction,
    system: RatingSystem,
    rows: list[tuple[int, int | None, int | None, int, int]],
    edition: PublishedList | None,
) -> tuple[list[EffectLine], PublishedList | None]:
    """Return whom a correction moves, and the list with which its corrected list is compared.

    Once there is a corrected list, it says so itself. Before that it is the effect as proposed, with positions while
    the list is in force to which they belong.
    """
    compared = edition.corrects if edition is not None else None
    if edition is not None and compared is not None:
        return lines_between(compared, edition), compared
    in_force = system.current_list
    since = correction.decided_at
    if since is None or in_force is None or (in_force.published_at is not None and in_force.published_at <= since):
        return effect_lines(system, rows), None
    return stored_lines(rows), None


def _change_lines(correction: Correction) -> list[dict[str, Any]]:
    """What each change replaces and what stands instead."""
    players = {entry.pk: entry for entry in correction.event.entries.select_related("person")}
    keys = [change["game"] for change in correction.changes if change["game"] is not None]
    games = {game.pk: game for game in Game.objects.filter(pk__in=keys).select_related("a__person", "b__person")}
    lines = []
    for change in correction.changes:
        old = games.get(change["game"])
        new = None
        if not change["remove"]:
            values = {name: change[name] for name in ("kind", "score_a", "score_b", "result", "both_absent")}
            numbers = {side: players[change[side]].number if change[side] is not None else None for side in ("a", "b")}
            new = {
                "a": players[change["a"]].person,
                "b": players[change["b"]].person if change["b"] is not None else None,
                "text": row_text({**values, **numbers}),
            }
        lines.append(
            {
                "round": old.round if old else change.get("round"),
                "old": old,
                "old_text": row_text(row_as_dict(row_of(old))) if old else "",
                "new": new,
            }
        )
    return lines
