"""The grid of one round, at the desk and in the admin; its live check; the sheet to print."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.models import Event
from ratings.core.rounds import Entrant, GameRow
from ratings.forms.grid import RoundGrid, row_text, whole
from ratings.queries.results import RoundState, entrants, round_state
from ratings.services.results import ENTRY_STATES, MAX_ROUND, save_round
from ratings.views.desk_common import event_of, of_address

Address = Callable[[int], str]


@permission_required("registry.run_event", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def round_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The grid of a round for the directors of the event and the results secretary."""
    event = event_of(slug)
    return round_page(
        request,
        event,
        number,
        template="ratings/desk/round.html",
        address=lambda turn: reverse("scrabble-desk-round", args=[slug, turn]),
        check_address=reverse("scrabble-desk-round-check", args=[slug, number]),
    )


@permission_required("registry.run_event", of_address)
@require_POST
def round_check(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What is wrong with the lines typed so far; stores nothing."""
    return check_answer(request, event_of(slug), number)


@permission_required("registry.run_event", of_address)
@require_GET
def round_sheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Pairing sheet or score slips of a round, made for paper."""
    event = event_of(slug)
    _require_round(event, number)
    names = {entrant.number: entrant for entrant in entrants(event)}
    state = round_state(event, number)
    rows = [{"row": row, "a": names[row.a], "b": names.get(row.b) if row.b else None} for row in state.rows]
    slips = request.GET.get("as") == "slips"
    context = {"event": event, "number": number, "state": state, "rows": rows, "slips": slips}
    return render(request, "ratings/desk/sheet.html", context)


def round_page(
    request: HttpRequest,
    event: Event,
    number: int,
    *,
    template: str,
    address: Address,
    check_address: str,
    extra: dict[str, Any] | None = None,
) -> HttpResponse:
    """Answer for the grid of a round, whatever page it stands on.

    Args:
        request: GET shows the round; POST saves it (``save``), goes on (``next``), or adds lines (``more``).
        event: the event.
        number: the round.
        template: the page around the grid.
        address: address of the same page for a round.
        check_address: address of the live check.
        extra: more context for the template.
    """
    _require_round(event, number)
    players = entrants(event)
    page = {
        "event": event,
        "number": number,
        "check_address": check_address,
        "is_open": event.state in ENTRY_STATES,
        "players": players,
        "rounds": [(turn, address(turn)) for turn in _round_numbers(event, number)],
        "next_address": address(number + 1) if number < (event.rounds or number) else "",
        **(extra or {}),
    }
    if request.method != "POST":
        state = round_state(event, number)
        grid = RoundGrid.from_rows(players, number, state.rows, spare=whole(request.GET.get("lines"), 0))
        return render(request, template, {**page, "grid": grid, "state": state, "version": state.version})
    return _save(request, event, number, players, template, page, address)


def check_answer(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    """Answer the live check of a grid."""
    _require_round(event, number)
    try:
        grid = RoundGrid.from_post(entrants(event), number, request.POST)
    except RuleError as error:
        return JsonResponse(
            {"problems": [], "names": {}, "missing": [], "pending": "", "error": explain(error, "results")}, status=422
        )
    return JsonResponse(grid.as_json())


def _save(
    request: HttpRequest,
    event: Event,
    number: int,
    players: list[Entrant],
    template: str,
    page: dict[str, Any],
    address: Address,
) -> HttpResponse:
    data = request.POST
    version = whole(data.get("version"), -1)
    state = round_state(event, number)
    page |= {"state": state, "version": version}
    try:
        grid = RoundGrid.from_post(players, number, data)
    except RuleError as error:
        grid = RoundGrid.from_rows(players, number, state.rows)
        return render(request, template, {**page, "grid": grid, "refusal": explain(error, "results")}, status=422)
    if "more" in data:
        grid.add_lines()
        return render(request, template, {**page, "grid": grid})
    rows: Iterable[GameRow] = grid.read.rows
    if "resolve" in data and not grid.read.has_errors:
        rows = _resolved(request, state, grid)
        merged = RoundGrid.from_rows(players, number, rows)
        if merged.read.has_errors:
            return render(request, template, {**page, "grid": merged}, status=422)
        grid = merged
    if grid.read.has_errors:
        return render(request, template, {**page, "grid": grid}, status=422)
    try:
        saved = save_round(event=event, number=number, version=version, rows=rows, actor=request.user)  # type: ignore[arg-type]
    except RuleError as error:
        if error.code == "round_stale":
            return _stale_page(request, event, number, players, page, grid, error)
        return render(request, template, {**page, "grid": grid, "refusal": explain(error, "results")}, status=422)
    done = _("Round %(round)s is stored.") if saved != state.version else _("Round %(round)s was stored already.")
    messages.success(request, done % {"round": number})
    onward = "next" in data and number < (event.rounds or number)
    # The fragment tells the page that what it remembers of the typed lines is stored.
    return HttpResponseRedirect(f"{address(number + 1 if onward else number)}#stored-{number}")


def _stale_page(
    request: HttpRequest,
    event: Event,
    number: int,
    players: list[Entrant],
    page: dict[str, Any],
    grid: RoundGrid,
    error: RuleError,
) -> HttpResponse:
    """Show who changed what, with both values; every line lets one keep one's own or take theirs."""
    names = {entrant.number: f"{entrant.number} {entrant.name}" for entrant in players}
    listed: Any = error.params["differences"]
    differences = [
        {
            "key": pair_key(found["a"], found["b"]),
            "a": names.get(found["a"], found["a"]),
            "b": names.get(found["b"], "") if found["b"] is not None else "",
            "base": row_text(found["base"]),
            "theirs": row_text(found["theirs"]),
            "mine": row_text(found["mine"]),
            "same": found["theirs"] == found["mine"],
            "take_theirs": found["changed_by_them"] and found["mine"] == found["base"],
        }
        for found in listed
    ]
    context = {
        **page,
        "grid": grid,
        "version": error.params["version"],
        "who": error.params["who"],
        "when": error.params["when"],
        "differences": differences,
        "explanation": explain(error, "results"),
    }
    base = page.get("base_template", "desk.html")
    return render(request, "ratings/desk/stale.html", {**context, "base_template": base}, status=409)


def pair_key(a: int, b: int | None) -> str:
    """Return the name of a pair in forms."""
    return f"{a}-{b or 0}"


def _resolved(request: HttpRequest, state: RoundState, grid: RoundGrid) -> list[GameRow]:
    """Return the typed rows, with those in force wherever the person chose them."""
    theirs = {pair_key(row.canonical().a, row.canonical().b): row for row in state.rows}
    taken = {name[5:] for name, value in request.POST.items() if name.startswith("keep-") and value == "theirs"}
    mine = [row for row in grid.read.rows if pair_key(row.canonical().a, row.canonical().b) not in taken]
    chosen = [*mine, *(row for key, row in theirs.items() if key in taken)]
    return sorted(chosen, key=lambda row: row.board or 0)


def _round_numbers(event: Event, number: int) -> range:
    return range(1, max(event.rounds, number) + 1)


def _require_round(event: Event, number: int) -> None:
    if not 1 <= number <= (event.rounds or MAX_ROUND):
        raise Http404
