"""The typed environment of the site: what may be set, and refusal of everything else."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

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


#: What ``EMAIL_URL`` may begin with: sent encrypted (STARTTLS, port 587), sent plainly (port 25; ``?ssl=true`` and
#: ``?tls=true`` encrypt), written to the output of the process, or thrown away.
MAIL_SCHEMES = ("submission", "smtp", "console", "dummy")
_SENT = frozenset({"submission", "smtp"})


def mail_settings(env: Env) -> dict[str, Any]:
    """Return the settings that ``EMAIL_URL`` asks for, empty without it.

    Raises:
        SettingsError: the scheme is not known, the host is missing, or the address cannot be read.
    """
    address = env.str("EMAIL_URL", "").strip()
    if not address:
        return {}
    form = "EMAIL_URL is not readable. Write submission://user:password@mail.example.org:587"
    scheme, mark, _rest = address.partition("://")
    if not mark:
        raise SettingsError(f"{form}.")
    if scheme not in MAIL_SCHEMES:
        known = ", ".join(f"{one}://" for one in MAIL_SCHEMES)
        raise SettingsError(f"EMAIL_URL begins with {scheme}://, which is not known. Known beginnings: {known}.")
    try:
        found = dict(env.dj_email_url("EMAIL_URL"))
        found.pop("EMAIL_FILE_PATH", None)
    except Exception as error:
        raise SettingsError(f"{form}, in the password %40 for @, %3A for :, %2F for / and %25 for %.") from error
    if scheme in _SENT and not urlsplit(address).hostname:
        raise SettingsError(f"{form}: the name of the mail server is missing.")
    return found


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
