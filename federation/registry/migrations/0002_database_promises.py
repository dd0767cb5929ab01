"""What the forms promise and no portable constraint can say: seasons of a discipline never overlap."""

from django.db import migrations

POSTGRESQL = """
ALTER TABLE registry_season ADD CONSTRAINT season_no_overlap
EXCLUDE USING gist (
    int8range(discipline_id, discipline_id, '[]') WITH &&,
    daterange(starts_on, ends_on, '[]') WITH &&
);
"""

SQLITE = """
CREATE TRIGGER season_no_overlap_{when} BEFORE {when} ON registry_season
WHEN EXISTS (
    SELECT 1 FROM registry_season AS other
    WHERE other.discipline_id = NEW.discipline_id AND other.id IS NOT NEW.id
      AND other.starts_on <= NEW.ends_on AND NEW.starts_on <= other.ends_on
)
BEGIN SELECT RAISE(ABORT, 'season_no_overlap'); END;
"""


def add_promises(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)
    else:
        for when in ("INSERT", "UPDATE"):
            schema_editor.execute(SQLITE.format(when=when))


def drop_promises(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE registry_season DROP CONSTRAINT season_no_overlap")
    else:
        for when in ("INSERT", "UPDATE"):
            schema_editor.execute(f"DROP TRIGGER season_no_overlap_{when}")


class Migration(migrations.Migration):
    dependencies = [("registry", "0001_initial")]
    operations = [migrations.RunPython(add_promises, drop_promises)]
