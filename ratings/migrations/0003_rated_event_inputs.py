"""A rated event names what order and eligibility asked of it, and the digest of its inputs."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ratings", "0002_database_promises")]
    operations = [
        migrations.AddField(
            "ratedevent", "heading", models.CharField(max_length=60, default=""), preserve_default=False
        ),
        migrations.AddField(
            "ratedevent", "inputs_digest", models.CharField(max_length=64, default=""), preserve_default=False
        ),
    ]
