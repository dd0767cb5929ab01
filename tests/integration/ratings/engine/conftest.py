import pytest

from federation.accounts.models import User
from ratings.models import RatingSystem

from .world import World


@pytest.fixture
def world(db):
    return World(RatingSystem.objects.get(code="barruf"))


@pytest.fixture
def officer(db):
    return User.objects.create_user("officer")


@pytest.fixture
def second(db):
    return User.objects.create_user("second")
