"""Accounts, roles, permissions and two-factor sign-in."""
