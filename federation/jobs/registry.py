"""Kinds of background work; the app that has the work registers it when it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.functional import Promise

from federation.core.errors import InvariantError

if TYPE_CHECKING:
    from federation.jobs.context import JobContext
    from federation.jobs.models import Job

Handler = Callable[["JobContext"], "dict[str, Any] | None"]


@dataclass(frozen=True)
class Kind:
    """One kind of work."""

    code: str
    handler: Handler
    title: str | Promise
    #: Who may start the work again after a failure; empty: who requested it, and administrators.
    permission: str = ""
    #: Address of the page that the work belongs to.
    page: Callable[[Job], str] | None = None


_KINDS: dict[str, Kind] = {}


def register(
    kind: str,
    handler: Handler,
    title: str | Promise,
    *,
    permission: str = "",
    page: Callable[[Job], str] | None = None,
) -> None:
    """Make a kind of work known.

    The handler may run twice for one job (its worker was lost) and must then give the same result. It takes ids from
    ``context.params``, reports through ``context.progress`` and writes inside ``context.finishing()``.

    Raises:
        InvariantError: the kind is taken by another handler.
    """
    known = _KINDS.get(kind)
    if known is not None and known.handler is not handler:
        raise InvariantError(f"The kind of job {kind!r} is registered twice")
    _KINDS[kind] = Kind(kind, handler, title, permission, page)


def find_kind(code: str) -> Kind | None:
    """Return the kind, None if this code does not know it (any more)."""
    return _KINDS.get(code)


def kind_title(code: str) -> str:
    """Return the title of a kind in the reader's language."""
    known = _KINDS.get(code)
    return str(known.title) if known else code
