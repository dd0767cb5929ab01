"""The sample federation is refused in a sentence where it must not go."""

import pytest
from django.core.management import CommandError, call_command

from federation.registry.models import Person
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("options", [[], ["--if-empty"]])
def test_a_public_site_does_not_take_the_sample(settings, options):
    settings.HTTPS = True
    with pytest.raises(CommandError, match="BAREM_HTTPS is on"):
        call_command("load_demo", *options)
    assert not Person.objects.exists()


def test_a_site_with_people_does_not_take_the_sample():
    make_person()
    with pytest.raises(CommandError, match="has people already"):
        call_command("load_demo")
    call_command("load_demo", "--if-empty")
    assert Person.objects.count() == 1
