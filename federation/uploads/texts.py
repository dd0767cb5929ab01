"""Sentences of the intake, in the language of the moment. Codes without a text here are looked up in the registry."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from federation.core.errors import InvariantError, RuleError
from federation.core.issue_texts import ISSUE_TEXTS
from federation.core.reading import Issue
from federation.registry import errors as registry_errors

_TEXTS: dict[str, str | Promise] = {
    # What the matching of people finds
    "person_undecided": _("“%(name)s” is not in the register under this name: say who it is."),
    "person_twice_in_round": _(
        "“%(name)s” and “%(other)s” were taken for one person, who would play twice in round %(round)s: "
        "correct the row, or say who they are."
    ),
    "person_twice": _("“%(name)s” and “%(other)s” were taken for the same person: say who they are."),
    "person_gone": _("The person chosen for “%(name)s” is no longer in the register: choose again."),
    "new_person_invalid": _("The new player “%(name)s” cannot be entered: %(problem)s"),
    "memberships_missing": _("%(count)s players have no membership or licence on %(date)s: %(names)s."),
    "memberships_block": _(
        "%(count)s players have no membership or licence on %(date)s and cannot be entered: %(names)s. "
        "Ask the registry to enter the memberships, or set their rows aside."
    ),
    # What the services refuse
    "upload_stale": _(
        "%(who)s changed this file meanwhile. Nothing of yours was stored; what you typed is kept below. "
        "Look at it and save again."
    ),
    "upload_closed": _("This file is %(state)s and can no longer be changed."),
    "upload_not_ready": _("%(count)s things still stop this file. Nothing was stored."),
    "upload_not_committed": _("Only a file that was stored can be withdrawn."),
    "upload_changed_since": _(
        "The facts changed since the effect was shown (a name, an entry or a result). Look at it again, then store."
    ),
    "no_file": _("Choose the file with the results."),
    "file_too_large": _("The files hold more than %(limit)s MB: send only the results."),
    "too_many_files": _("More than %(limit)s files were sent together: send one event at a time."),
    "row_unknown": _("Row %(line)s is not in this file."),
    "cell_too_long": _("A cell has at most %(limit)s characters."),
    "reason_missing": _("Write why the row is set aside."),
    "reason_missing_withdraw": _("Write why the file is withdrawn."),
    "family_name_missing": _("Write the family name."),
    "person_unknown": _("There is no person with number %(number)s."),
    "date_missing": _("Write the day of the ratings."),
    "results_closed": _("%(event)s is %(state)s: results are no longer entered. Ask staff to reopen it."),
    "upload_interrupted": _("The files did not arrive whole: send them again."),
}


def register_texts(texts: Mapping[str, str | Promise]) -> None:
    """Add texts for codes that a game's checks and services use. A code keeps its first text."""
    for code, text in texts.items():
        if _TEXTS.setdefault(code, text) != text:
            raise InvariantError(f"the code {code} has a text already")


#: Functions of the games that know the sentences of their own refusals.
_explainers: list[Callable[[RuleError], str | None]] = []


def register_explainer(explainer: Callable[[RuleError], str | None]) -> None:
    """Add a function that returns the sentence of a game's refusal, None for codes of others."""
    if explainer not in _explainers:
        _explainers.append(explainer)


def issue_text(issue: Issue) -> str:
    """Return the sentence of an issue: what is wrong and what to do."""
    if issue.code in _TEXTS:
        return _fill(str(_TEXTS[issue.code]), issue.params)
    if issue.code in ISSUE_TEXTS:
        return _fill(gettext(ISSUE_TEXTS[issue.code]), issue.params)
    return _elsewhere(issue.code, issue.params)


def explain(error: RuleError) -> str:
    """Return the sentence of a refusal; of several problems those of the first ones."""
    problems = error.params.get("problems")
    if isinstance(problems, list) and problems:
        sentences = [_sentence(problem.code, problem.params) for problem in problems[:5]]
        first = [] if sentences[0] == _sentence(error.code, error.params) else [_sentence(error.code, error.params)]
        return " ".join(first + sentences)
    return _sentence(error.code, error.params)


def _sentence(code: str, params: Mapping[str, object]) -> str:
    if code in _TEXTS:
        return _fill(str(_TEXTS[code]), params)
    if code in ISSUE_TEXTS:
        return _fill(gettext(ISSUE_TEXTS[code]), params)
    return _elsewhere(code, params)


def _elsewhere(code: str, params: Mapping[str, object]) -> str:
    error = RuleError(code, params)
    for explainer in _explainers:
        text = explainer(error)
        if text is not None:
            return text
    return registry_errors.explain(error)


def _fill(text: str, params: Mapping[str, object]) -> str:
    try:
        return text % dict(params)
    except (KeyError, TypeError, ValueError):
        return text
