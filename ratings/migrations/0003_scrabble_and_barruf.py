"""Scrabble, its rating BARRUF, and the two published versions of its rules."""

import datetime

from django.db import migrations

TABLE = [[0, 50], [40, 55], [75, 60], [110, 65], [150, 70], [195, 75], [240, 80], [295, 85], [365, 90], [465, 95]]
TITLES = [[1400, "gran gran mestre"], [1300, "gran mestre"], [1200, "mestre"], [1100, "expert"], [1000, "avançat"]]
COMMON = {
    "lookup": "nearest",
    "table": TABLE,
    "sigma": 283.84,
    "games_threshold": 50,
    "active_seasons": 2,
    "min_rounds": 3,
    "min_players": 4,
    "categories": TITLES,
}
#: Name, parameters, SHA-256 of the canonical parameters, first day in force.
RULE_SETS = [
    (
        "page",
        COMMON
        | {
            "expectation": "table",
            "initial_rating": 999,
            "bands": [[None, 30, 20], [1500, 24, 16], [2000, 15, 10]],
            "min_games": 10,
        },
        "e13f84a0e83711c7db4f9f89e88045c62fd14308432a9004ff5ac83975399f76",
        datetime.date(1900, 1, 1),
    ),
    (
        "sheet",
        COMMON | {"expectation": "normal", "initial_rating": 950, "bands": [[None, 30, 20]], "min_games": 11},
        "cf5ddb74278931ea594769a9628a97d43aff3dda04e43997c74a1729cf2ecfae",
        None,
    ),
]


def add_scrabble(apps, schema_editor):
    discipline, _ = apps.get_model("registry", "Discipline").objects.get_or_create(
        code="scrabble", defaults={"name": "Scrabble", "order": 1}
    )
    system, _ = apps.get_model("ratings", "RatingSystem").objects.get_or_create(
        code="barruf", defaults={"name": "BARRUF", "discipline": discipline}
    )
    for name, parameters, digest, valid_from in RULE_SETS:
        apps.get_model("ratings", "RuleSet").objects.get_or_create(
            system=system,
            name=name,
            version=1,
            defaults={"parameters": parameters, "digest": digest, "valid_from": valid_from},
        )
    apps.get_model("registry", "FederationSettings").objects.get_or_create(id=1)


class Migration(migrations.Migration):
    dependencies = [("ratings", "0002_database_promises"), ("registry", "0002_database_promises")]
    operations = [migrations.RunPython(add_scrabble, migrations.RunPython.noop)]
