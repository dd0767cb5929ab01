"""What the sign-in libraries tell us, put into the audit."""

from __future__ import annotations


def connect() -> None:
    """Listen to the sign-in libraries."""
