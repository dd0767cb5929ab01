"""Readings of the ratings: facts, ledger, lists, and what the public pages show."""
