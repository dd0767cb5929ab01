"""What the intake says about a file: what its reader found, what the services refuse."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from federation.core.issue_texts import ISSUE_TEXTS

TEXTS: Final[dict[str, Promise]] = {
    # What the readers find in a file
    **{code: _(text) for code, text in ISSUE_TEXTS.items()},
    # What the matching of people finds
    "person_undecided": _("“%(name)s” is not in the register under this name: say who it is."),
    "person_twice_in_round": _(
        "“%(name)s” and “%(other)s” were taken for one person, who would play twice in round %(round)s: "
        "correct the row, or say who they are."
    ),
    "person_twice": _("“%(name)s” and “%(other)s” were taken for the same person: say who they are."),
    "person_gone": _("The person chosen for “%(name)s” is no longer in the register: choose again."),
    "new_person_invalid": _("The new player “%(name)s” cannot be entered: %(problem)s"),
    "memberships_missing": ngettext_lazy(
        "%(count)s player has no membership or licence on %(date)s: %(names)s.",
        "%(count)s players have no membership or licence on %(date)s: %(names)s.",
        "count",
    ),
    "memberships_block": ngettext_lazy(
        "%(count)s player has no membership or licence on %(date)s and cannot be entered: %(names)s. "
        "Ask the registry to enter the membership, or set the rows aside.",
        "%(count)s players have no membership or licence on %(date)s and cannot be entered: %(names)s. "
        "Ask the registry to enter the memberships, or set their rows aside.",
        "count",
    ),
    # What the services refuse
    "upload_stale": _(
        "%(who)s changed this file meanwhile. Nothing of yours was stored; what you typed is kept below. "
        "Look at it and save again."
    ),
    "upload_closed": _("This file is %(state)s and can no longer be changed."),
    "upload_not_ready": ngettext_lazy(
        "%(count)s thing still stops this file. Nothing was stored.",
        "%(count)s things still stop this file. Nothing was stored.",
        "count",
    ),
    "upload_not_committed": _("Only a file that was stored can be withdrawn."),
    "upload_changed_since": _(
        "The facts changed since the effect was shown (a name, an entry or a result). Look at it again, then store."
    ),
    "no_file": _("Choose the file with the results."),
    "file_too_large": _("The files hold more than %(limit)s MB: send only the results."),
    "row_unknown": _("Row %(line)s is not in this file."),
    "reason_missing": _("Write why the row is set aside."),
    "reason_missing_withdraw": _("Write why the file is withdrawn."),
    "family_name_missing": _("Write the family name."),
    "date_missing": _("Write the day of the ratings."),
    "results_closed": _("%(event)s is %(state)s: results are no longer entered. Ask staff to reopen it."),
    "upload_interrupted": _("The files did not arrive whole: send them again."),
}
