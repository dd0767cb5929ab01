"""`manage.py conform DOMAIN FILE`: prove with a file of test vectors that the site computes its rules."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from federation.core import conformance


class Command(BaseCommand):
    """Run a file of vectors through the product's own rules; exit status 1 if a case differs, 2 if it cannot run."""

    help = "Run a file of test vectors through the rules of a game: one line for each case that differs, then counts."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("domain", help=", ".join(conformance.domains()))
        parser.add_argument("file", type=Path, help="vectors in JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        domain, file = options["domain"], options["file"]
        if domain not in conformance.domains():
            raise CommandError(
                _("There is no domain %(domain)s. Known domains: %(known)s.")
                % {"domain": domain, "known": ", ".join(conformance.domains())},
                returncode=2,
            )
        try:
            report = conformance.run(domain, _document(file))
        except (TypeError, ValueError) as error:
            raise CommandError(
                _("%(file)s does not have the form of %(domain)s vectors: %(reason)s")
                % {"file": file, "domain": domain, "reason": error},
                returncode=2,
            ) from error
        for line in report.lines():
            self.stdout.write(line)
        if report.failed:
            sys.exit(1)


def _document(file: Path) -> Any:
    """Read a file of vectors, or say what is wrong with it."""
    try:
        return conformance.load(file.read_bytes())
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be read: %(reason)s") % {"file": file, "reason": error.strerror}, returncode=2
        ) from error
    except json.JSONDecodeError as error:
        raise CommandError(
            _("%(file)s is not JSON: line %(line)s, column %(column)s: %(reason)s")
            % {"file": file, "line": error.lineno, "column": error.colno, "reason": error.msg},
            returncode=2,
        ) from error
    except (ValueError, RecursionError) as error:
        raise CommandError(
            _("%(file)s is not JSON: %(reason)s") % {"file": file, "reason": error}, returncode=2
        ) from error
