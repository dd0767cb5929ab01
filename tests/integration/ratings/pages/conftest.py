import pytest

from .site import Site, correct, example_site, season_site


@pytest.fixture
def example(db) -> Site:
    return example_site()


@pytest.fixture
def corrected(example) -> Site:
    correct(example)
    return example


@pytest.fixture
def season(db) -> Site:
    return season_site()
