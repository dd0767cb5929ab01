"""Collect the texts for translation, also those that pure modules mark with ``N_``."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Django's command that knows the mark of the pure modules, which must not import gettext."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=N_"]
