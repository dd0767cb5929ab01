"""Append-only record of who changed what, when, why, before and after."""
