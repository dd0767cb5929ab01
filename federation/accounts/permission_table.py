"""The table of permissions in the documentation, made from the registered rules themselves."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from rules.permissions import permissions as registered

from federation.accounts.models import Role, User

MODEL_VERBS = ("view_", "add_", "change_", "delete_")
COLUMNS = (
    "visitor",
    "player",
    "director",
    "results secretary",
    "ratings officer",
    "registry officer",
    "administrator",
)


def _somebody(*roles: str) -> User:
    """Return an account that is not in the database, with these roles, named on no event and tied to no person."""
    account = User(pk=0)
    account.__dict__["roles"] = frozenset(roles)
    return account


def permission_table() -> str:
    """Return the table as Markdown: first what people do, then what they may do to rows in the admin."""
    names = sorted(name for name in registered if "." in name)
    actions = [name for name in names if not name.split(".")[1].startswith(MODEL_VERBS) or _concerns_own(name)]
    rows = [name for name in names if name not in actions]
    return "\n".join(
        [
            "# Permissions",
            "",
            "Made by `python manage.py permission_table --write` from the rules in the code; a test keeps them equal.",
            "",
            "- **yes**: may do it; **own**: for the events named on, or what the account itself asked for.",
            "- A player is an account tied to a person, a director an account named on an event.",
            "- An administrator has every role. Where two persons are required, the second must be another one.",
            "",
            "## What people do",
            "",
            *_table(actions),
            "",
            "## Rows in the admin",
            "",
            *_table(rows),
            "",
        ]
    )


def _table(names: list[str]) -> list[str]:
    head = ["permission", *COLUMNS]
    lines = [_line(head), _line(["---", *[":-:" for _column in COLUMNS]])]
    return [*lines, *(_line([f"`{name}`", *_cells(name)]) for name in names)]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(name: str) -> list[str]:
    own = "own" if _concerns_own(name) else ""
    cells = [
        _answer(name, AnonymousUser()),
        _answer(name, _somebody()) or ("own" if "requested" in registered[name].name else ""),
        _answer(name, _somebody()) or own,
    ]
    for role in (Role.RESULTS_SECRETARY, Role.RATINGS_OFFICER, Role.REGISTRY_OFFICER):
        cells.append(_answer(name, _somebody(role)) or own)
    cells.append(_answer(name, _somebody(*Role.values)))
    return cells


def _answer(name: str, somebody: User | AnonymousUser) -> str:
    return "yes" if registered.test_rule(name, somebody, None) else ""


def _concerns_own(name: str) -> bool:
    """Whether the rule looks at the object: its director, or who asked for it."""
    leaves = registered[name].name
    return "director" in leaves or "requested" in leaves
