"""Who acts now: kept beside the call stack, so that services need not pass it through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Acting:
    """The account behind the present work and the identity of the request or job."""

    #: Returns the account or None; a function, because finding the account of a request costs a query.
    find_actor: Callable[[], Any]
    request_id: str


_NOBODY = Acting(find_actor=lambda: None, request_id="")
_acting: ContextVar[Acting] = ContextVar("acting", default=_NOBODY)


def current() -> Acting:
    """Return who acts now."""
    return _acting.get()


@contextmanager
def acting_lazily(find_actor: Callable[[], Any], request_id: str = "") -> Iterator[None]:
    """Name the account by a function that is called only when something is recorded."""
    token = _acting.set(Acting(find_actor, request_id))
    try:
        yield
    finally:
        _acting.reset(token)


@contextmanager
def acting(actor: Any, request_id: str = "") -> Iterator[None]:
    """Carry the account and the identity of a request or job to the audit records made inside the block."""
    with acting_lazily(lambda: actor, request_id):
        yield
