"""``manage.py inspect_file FILE [FILE…]``: what the readers find in files of one event, as JSON. Stores nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from federation.core import limits
from federation.uploads.registry import inspect


class Command(BaseCommand):
    """Print the reading of files as JSON."""

    help = "Print what the readers find in the files of one event as JSON, without storing anything."
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the files."""
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file, or all files of one event")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read and print."""
        files = [(Path(name).name, _content(Path(name))) for name in options["files"]]
        self.stdout.write(json.dumps(inspect(files), ensure_ascii=False, indent=2, default=str))


def _content(path: Path) -> bytes:
    """Return the bytes of a file within the limits."""
    try:
        size = path.stat().st_size
        if size > limits.MAX_BYTES:
            raise CommandError(f"{path}: larger than {limits.MAX_BYTES // (1024 * 1024)} MB")
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror or error}") from error
