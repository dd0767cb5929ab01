"""Step 4: who the people of the file are.

Nobody is chosen beforehand: a person chooses, or says that somebody is new.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.core.names import Suggestion
from federation.registry.models import Club, Person
from federation.uploads.candidates import TypedPerson, questions, split_name
from federation.uploads.models import NameDecision, Upload
from federation.uploads.queries.analysis import Analysis, analyse
from federation.uploads.queries.matching import Match
from federation.uploads.services.people import Choice, checked_new_person, decide
from federation.uploads.views.common import (
    next_address,
    of_address,
    page_context,
    refusal,
    steps,
    typed_text,
    upload_of,
    whole,
)

#: People about whom is decided on one page.
PAGE = 40


@permission_required("uploads.commit", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the people of the file; store who they are."""
    upload = upload_of(pk)
    if not upload.is_open:
        return redirect("upload-receipt", pk)
    analysis = analyse(upload)
    if request.method != "POST":
        change = whole(request.GET.get("change"), -1)
        typed = {}
        if change >= 0 and "q" in request.GET:
            typed[change] = TypedPerson(search=typed_text(request.GET["q"], 80))
        return _page(request, analysis, typed, extra=[change])
    return _store(request, upload, analysis)


def _store(request: HttpRequest, upload: Upload, analysis: Analysis) -> HttpResponse:
    everything = _typed(request, analysis)
    choices, typed = _choices(analysis, everything)
    version = whole(request.POST.get("version"), -1)
    user: Any = request.user
    undo = [key for place in request.POST.getlist("undo") if (key := request.POST.get(f"w:{whole(place)}"))]
    try:
        decided = decide(upload=upload, version=version, actor=user, choices=choices, undo=undo)
    except RuleError as error:
        typed = everything
        fresh = upload_of(upload.pk)
        if not fresh.is_open:
            return redirect("upload-receipt", upload.pk)
        return _page(request, analyse(fresh), typed, error=refusal(error), status=409)
    analysis = analyse(upload_of(decided.pk))
    problems = any(one.problem for one in typed.values())
    unfinished = [place for place, one in typed.items() if one.problem or _is_begun(one, analysis.matches[place])]
    if unfinished or "change" in request.POST:
        extra = [whole(request.POST.get("change"), -1), *unfinished]
        return _page(request, analysis, typed, extra=extra, status=422 if problems else 200)
    if "next" in request.POST and not analysis.undecided:
        return redirect(next_address(upload, analysis))
    if request.headers.get("HX-Request"):
        return _page(request, analysis, {}, saved=True)
    return redirect(reverse("upload-people", args=[upload.pk]) + "?saved=1#work")


def _typed(request: HttpRequest, analysis: Analysis) -> dict[int, TypedPerson]:
    """Return what was typed, by place. The key beside it finds the person even if the file changed meanwhile."""
    places = {match.read.key: place for place, match in enumerate(analysis.matches)}
    result: dict[int, TypedPerson] = {}
    for name, key in request.POST.items():
        if name[:2] != "w:" or key not in places:
            continue
        number = name[2:]

        def text(letter: str, longest: int, number: str = number) -> str:
            return typed_text(request.POST.get(f"{letter}:{number}"), longest)

        result[places[str(key)]] = TypedPerson(
            picked=text("p", 12),
            search=text("q", 80).strip(),
            given=text("g", 200),
            family=text("f", 200),
            club=text("k", 12),
            year=text("y", 8),
            remember=f"m:{number}" in request.POST,
        )
    return result


def _is_begun(one: TypedPerson, match: Match) -> bool:
    """Whether something was typed that is not stored yet and must stay on the page."""
    if one.search or one.year.strip() or one.club:
        return True
    given, family = split_name(match.read)
    return (one.given, one.family) != (given, family) and one.given is not None and match.how == "open"


def _choices(analysis: Analysis, typed: dict[int, TypedPerson]) -> tuple[list[Choice], dict[int, TypedPerson]]:
    """Return the decisions, and what stays on the page because it is not complete."""
    numbers = {whole(one.picked, -1) for one in typed.values()} - {-1}
    rows = Person.objects.filter(number__in=numbers).order_by("pk")
    persons = {person.number: person.root_id for person in rows}
    suggested = _suggested(analysis, [place for place, one in typed.items() if whole(one.picked, -1) >= 0])
    choices: list[Choice] = []
    left: dict[int, TypedPerson] = {}
    for place, one in typed.items():
        match = analysis.matches[place]
        try:
            if one.picked == "new":
                choices.append(Choice(match.read.key, new=_new_values(one), remember=one.remember))
                continue
            if not one.picked:
                left[place] = one
                continue
            person = persons.get(whole(one.picked, -1))
            if person is None:
                raise RuleError("person_unknown", {"number": one.picked})
            if person == match.person and match.how not in ("chosen", "open"):
                continue
            hint = suggested.get((place, person))
            score, reason = (hint.score, hint.reason) if hint else (None, "found")
            choices.append(Choice(match.read.key, person, remember=one.remember, score=score, reason=reason))
        except RuleError as error:
            left[place] = TypedPerson(
                one.picked, one.search, one.given, one.family, one.club, one.year, one.remember, refusal(error)
            )
    return choices, left


def _suggested(analysis: Analysis, places: list[int]) -> dict[tuple[int, int], Suggestion[int]]:
    found = analysis.index.suggest_many([analysis.matches[place].read.name for place in places], limit=6)
    return {(place, one.key): one for place, row in zip(places, found, strict=True) for one in row}


def _new_values(one: TypedPerson) -> dict[str, Any]:
    year = one.year.strip()
    values: dict[str, Any] = {
        "given_name": one.given or "",
        "family_name": one.family or "",
        "club": whole(one.club, 0) or None,
        "birth_year": whole(year, -1) if year else None,
    }
    return checked_new_person(values)


def _page(
    request: HttpRequest,
    analysis: Analysis,
    typed: dict[int, TypedPerson],
    *,
    extra: list[int] | None = None,
    error: str = "",
    status: int = 200,
    saved: bool = False,
) -> HttpResponse:
    waiting = [place for place, match in enumerate(analysis.matches) if match.how == "open"]
    opened = [place for place in extra or [] if 0 <= place < len(analysis.matches)]
    places = sorted({*waiting[:PAGE], *opened, *(place for place in typed if typed[place].problem)})
    asked = questions(analysis, places=places, typed=typed)
    first = next((one for one in asked if one.match.how == "open" or one.problem or one.search), None)
    if first is not None:
        first.is_next = True
    shown = {one.place for one in asked}
    context = {
        **page_context(analysis.upload, analysis.kind),
        "steps": steps("people", analysis.upload, analysis),
        "analysis": analysis,
        "questions": asked,
        "later": len(waiting) - len([place for place in waiting if place in shown]),
        "settled": _settled(analysis, shown),
        "clubs": list(Club.objects.filter(is_active=True).order_by("name", "pk")) if asked else [],
        "error": error,
        "problems": [one for one in asked if one.problem],
        "saved": saved or "saved" in request.GET,
    }
    return render(request, "uploads/people.html", context, status=status)


def _settled(analysis: Analysis, shown: set[int]) -> list[dict[str, Any]]:
    """Return the people who are known, with how, and who said so."""
    keys = [match.decision for match in analysis.matches if match.decision]
    decisions = NameDecision.objects.select_related("decided_by").in_bulk(keys) if keys else {}
    return [
        {
            "place": place,
            "match": match,
            "by": analysis.upload.decisions.get(match.read.key, {}).get("who", ""),
            "decision": decisions.get(match.decision or 0),
        }
        for place, match in enumerate(analysis.matches)
        if match.how != "open" and place not in shown
    ]
