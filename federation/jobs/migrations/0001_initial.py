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
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=60, verbose_name='kind')),
                ('key', models.CharField(blank=True, max_length=120, verbose_name='works on')),
                ('params', models.JSONField(blank=True, default=dict, verbose_name='parameters')),
                ('state', models.CharField(choices=[('queued', 'queued'), ('running', 'running'), ('done', 'done'), ('failed', 'failed')], default='queued', max_length=10, verbose_name='state')),
                ('stage', models.CharField(blank=True, max_length=200, verbose_name='stage')),
                ('done_steps', models.PositiveIntegerField(default=0, verbose_name='steps done')),
                ('total_steps', models.PositiveIntegerField(default=0, verbose_name='steps')),
                ('log', models.JSONField(blank=True, default=list, verbose_name='log')),
                ('result', models.JSONField(blank=True, default=dict, verbose_name='result')),
                ('failure', models.TextField(blank=True, verbose_name='reason of failure')),
                ('attempt', models.PositiveIntegerField(default=0, verbose_name='attempt')),
                ('language', models.CharField(blank=True, editable=False, max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='requested at')),
                ('started_at', models.DateTimeField(blank=True, null=True, verbose_name='started at')),
                ('heartbeat_at', models.DateTimeField(blank=True, null=True, verbose_name='last sign of life')),
                ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished at')),
                ('requested_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='requested by')),
            ],
            options={
                'verbose_name': 'job',
                'verbose_name_plural': 'jobs',
                'ordering': ['-created_at', '-id'],
                'indexes': [models.Index(fields=['state', 'heartbeat_at'], name='job_by_sign_of_life')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state__in', ('queued', 'running'))), fields=('kind', 'key'), name='job_one_at_a_time'), models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed'])), name='job_state_is_known')],
            },
        ),
    ]
