"""Permissions of the shell."""

import rules

from federation.accounts.roles import is_staff_member
from federation.registry.rules import is_director

rules.set_perm("desk.view", is_staff_member | is_director)
