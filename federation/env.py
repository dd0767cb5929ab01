"""The typed environment of the site: what may be set, and refusal of everything else."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from environs import Env

#: Every variable of our own; an unknown ``BAREM_`` name is a typing error and stops the start.
KNOWN_VARIABLES = frozenset(
    {
        "BAREM_ALLOWED_HOSTS",
        "BAREM_BASE_URL",
        "BAREM_DATA_DIR",
        "BAREM_DEBUG",
        "BAREM_HTTPS",
        "BAREM_JOBS",
        "BAREM_MAIL_DIR",
        "BAREM_MAIL_FROM",
        "BAREM_PROXY_COUNT",
        "BAREM_REQUIRE_TWO_FACTOR",
        "BAREM_SECRET_KEY",
        "BAREM_SECRET_KEY_FILE",
        "BAREM_TIME_ZONE",
    }
)


class SettingsError(Exception):
    """The environment holds something the site cannot start with."""


def read_environment() -> Env:
    """Return a reader of the environment after refusing unknown names.

    Raises:
        SettingsError: a variable begins with ``BAREM_`` and is not known.
    """
    unknown = sorted(name for name in os.environ if name.startswith("BAREM_") and name not in KNOWN_VARIABLES)
    if unknown:
        known = ", ".join(sorted(KNOWN_VARIABLES))
        raise SettingsError(f"Unknown settings: {', '.join(unknown)}. Known ones: {known}.")
    return Env()


def secret_key(env: Env, data_dir: Path, *, local: bool) -> str:
    """Return the signing key: from the environment, from a file, or, on a local site, made on the first start.

    Raises:
        SettingsError: a public site has no key of its own, or the key is shorter than 40 characters.
    """
    key = env.str("BAREM_SECRET_KEY", "")
    key_file = Path(env.str("BAREM_SECRET_KEY_FILE", str(data_dir / "secret_key")))
    if not key and key_file.exists():
        key = key_file.read_text(encoding="ascii").strip()
    if not key and local:
        key = _make_local_key(key_file)
    if len(key) < 40:
        raise SettingsError("Set BAREM_SECRET_KEY or BAREM_SECRET_KEY_FILE to a random key of at least 40 characters.")
    return key


def _make_local_key(key_file: Path) -> str:
    """Write a new key readable by the owner only; if two processes start at once, both use the first one's key."""
    key_file.parent.mkdir(parents=True, exist_ok=True)
    draft = key_file.with_name(f"{key_file.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as handle:
        handle.write(secrets.token_urlsafe(48))
    try:
        os.link(draft, key_file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return key_file.read_text(encoding="ascii").strip()
