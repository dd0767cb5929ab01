"""What the forms promise and no portable constraint can say: nobody sits twice in a round, on whichever side."""

from django.db import migrations

CLASH = """
    SELECT 1 FROM ratings_game AS other
    WHERE other.event_id = NEW.event_id AND other.round = NEW.round AND other.superseded_at IS NULL
      AND other.id {different} NEW.id
      AND (other.a_id = NEW.b_id OR other.b_id = NEW.a_id)
"""

POSTGRESQL = f"""
CREATE FUNCTION game_once_in_round() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.superseded_at IS NULL AND EXISTS ({CLASH.format(different="IS DISTINCT FROM")}) THEN
        RAISE EXCEPTION 'game_once_in_round' USING ERRCODE = 'unique_violation', CONSTRAINT = 'game_once_in_round';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER game_once_in_round BEFORE INSERT OR UPDATE ON ratings_game
FOR EACH ROW EXECUTE FUNCTION game_once_in_round();
"""

SQLITE = f"""
CREATE TRIGGER game_once_in_round_{{when}} BEFORE {{when}} ON ratings_game
WHEN NEW.superseded_at IS NULL AND EXISTS ({CLASH.format(different="IS NOT")})
BEGIN SELECT RAISE(ABORT, 'game_once_in_round'); END;
"""


def add_promises(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)
    else:
        for when in ("INSERT", "UPDATE"):
            schema_editor.execute(SQLITE.format(when=when))


def drop_promises(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER game_once_in_round ON ratings_game; DROP FUNCTION game_once_in_round();")
    else:
        for when in ("INSERT", "UPDATE"):
            schema_editor.execute(f"DROP TRIGGER game_once_in_round_{when}")


class Migration(migrations.Migration):
    dependencies = [("ratings", "0001_initial")]
    operations = [migrations.RunPython(add_promises, drop_promises)]
