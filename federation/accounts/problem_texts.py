"""What the rules of accounts say to a person who broke one."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TEXTS: Final[dict[str, Promise]] = {
    "unknown_role": _("There is no role “%(role)s”: choose one of the list."),
    "last_administrator": _("This is the last administrator: make another account administrator first."),
    "own_account": _("You cannot close your own account: ask another administrator."),
    "email_taken": _("Another account has this e-mail address: use a different one."),
    "username_taken": _("This user name is taken: choose another."),
    "invitation_unknown": _("This invitation does not exist: check that the whole link was copied."),
    "invitation_used": _("This invitation was used already: sign in, or ask for a new password."),
    "invitation_revoked": _("This invitation was withdrawn: ask the administrator for a new one."),
    "invitation_expired": _("This invitation has expired: ask the administrator for a new one."),
    "inviter_gone": _("Who invited you may no longer grant this account: ask an administrator for a new invitation."),
    "not_a_local_site": _("Demonstration accounts are made on a local site only."),
}
