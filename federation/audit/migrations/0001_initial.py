import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True, db_index=True, verbose_name='at')),
                ('action', models.CharField(db_index=True, max_length=60, verbose_name='action')),
                ('object_type', models.CharField(max_length=60, verbose_name='kind of object')),
                ('object_id', models.CharField(max_length=60, verbose_name='object')),
                ('object_label', models.CharField(blank=True, max_length=200, verbose_name='name of the object')),
                ('reason', models.TextField(blank=True, verbose_name='reason')),
                ('before', models.JSONField(blank=True, default=dict, verbose_name='before')),
                ('after', models.JSONField(blank=True, default=dict, verbose_name='after')),
                ('request_id', models.CharField(blank=True, db_index=True, max_length=40, verbose_name='request')),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by')),
            ],
            options={
                'verbose_name': 'audit record',
                'verbose_name_plural': 'audit records',
                'ordering': ['-at', '-id'],
                'indexes': [models.Index(fields=['object_type', 'object_id', '-id'], name='audit_of_object')],
            },
        ),
    ]
