"""Admin of scrabble: rounds of an event as a grid, rule sets by version, everything derived to look at."""

from ratings.admin import events, facts, lists, rules

__all__ = ["events", "facts", "lists", "rules"]
