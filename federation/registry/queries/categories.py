"""The categories in which people compete: women, juniors, seniors. They serve filters; sex and age are never shown."""

from __future__ import annotations

from typing import Final

from django.db.models import Q

from federation.registry.models import Sex

CATEGORIES: Final = ("women", "junior", "senior")
#: Categories are by the year of birth: who turns this age during the year, or is younger, is a junior.
JUNIOR_UNTIL: Final = 18
#: Who turns this age during the year, or is older, is a senior.
SENIOR_FROM: Final = 60


def in_category(category: str, year: int, path: str = "") -> Q:
    """Return the condition for people of a category; what is not known puts nobody in one.

    Args:
        category: one of `CATEGORIES`.
        year: the year in which the ages are reached.
        path: the way to the person, with its closing underscores: ``person__``.

    Raises:
        KeyError: another category.
    """
    return {
        "women": Q(**{f"{path}sex": Sex.FEMALE}),
        "junior": Q(**{f"{path}birth_year__gte": year - JUNIOR_UNTIL}),
        "senior": Q(**{f"{path}birth_year__lte": year - SENIOR_FROM}),
    }[category]
