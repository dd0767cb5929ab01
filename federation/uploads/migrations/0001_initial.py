import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('registry', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='StoredFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('content', models.BinaryField()),
                ('size', models.PositiveIntegerField()),
            ],
            options={
                'verbose_name': 'stored file',
                'verbose_name_plural': 'stored files',
            },
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(default='results', max_length=12, verbose_name='purpose')),
                ('state', models.CharField(choices=[('checked', 'being checked'), ('committed', 'committed'), ('withdrawn', 'withdrawn'), ('rejected', 'rejected')], default='checked', max_length=10, verbose_name='state')),
                ('sha256', models.CharField(db_index=True, max_length=64, verbose_name='fingerprint')),
                ('format', models.CharField(blank=True, max_length=30, verbose_name='format')),
                ('reading', models.JSONField(default=dict)),
                ('decisions', models.JSONField(default=dict)),
                ('set_aside', models.JSONField(default=dict)),
                ('confirmed', models.JSONField(default=list)),
                ('options', models.JSONField(default=dict)),
                ('receipt', models.JSONField(default=dict)),
                ('version', models.PositiveIntegerField(default=0)),
                ('changed_at', models.DateTimeField(blank=True, null=True, verbose_name='changed at')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='sent at')),
                ('committed_at', models.DateTimeField(blank=True, null=True, verbose_name='committed at')),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True, verbose_name='withdrawn at')),
                ('withdrawn_reason', models.TextField(blank=True, verbose_name='why withdrawn')),
                ('changed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('committed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to=settings.AUTH_USER_MODEL, verbose_name='sent by')),
                ('discipline', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='registry.discipline', verbose_name='discipline')),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='uploads', to='registry.event', verbose_name='event')),
                ('withdrawn_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'upload',
                'verbose_name_plural': 'uploads',
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='NameDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('spelling', models.CharField(max_length=200, verbose_name='spelling')),
                ('score', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='likeness')),
                ('reason', models.CharField(blank=True, max_length=40, verbose_name='why it was suggested')),
                ('decided_at', models.DateTimeField(auto_now_add=True, verbose_name='decided at')),
                ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='undone at')),
                ('decided_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by')),
                ('discipline', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='registry.discipline', verbose_name='discipline')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='name_decisions', to='registry.person', verbose_name='person')),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('upload', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='name_decisions', to='uploads.upload', verbose_name='upload')),
            ],
            options={
                'verbose_name': 'name decision',
                'verbose_name_plural': 'name decisions',
                'ordering': ['-decided_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='CellRepair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.CharField(blank=True, max_length=200, verbose_name='file name')),
                ('line', models.PositiveIntegerField(verbose_name='line')),
                ('column', models.PositiveIntegerField(verbose_name='column')),
                ('before', models.TextField(blank=True, verbose_name='before')),
                ('after', models.TextField(blank=True, verbose_name='after')),
                ('made_at', models.DateTimeField(auto_now=True)),
                ('made_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='repairs', to='uploads.upload')),
            ],
            options={
                'verbose_name': 'repaired cell',
                'verbose_name_plural': 'repaired cells',
                'ordering': ['upload', 'file', 'line', 'column'],
            },
        ),
        migrations.CreateModel(
            name='UploadFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, verbose_name='file name')),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='uploads.storedfile')),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='files', to='uploads.upload')),
            ],
            options={
                'verbose_name': 'file',
                'verbose_name_plural': 'files',
                'ordering': ['upload', 'position', 'id'],
            },
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['checked', 'committed', 'withdrawn', 'rejected'])), name='upload_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'committed')), fields=('event', 'sha256'), name='upload_committed_once'),
        ),
        migrations.AddConstraint(
            model_name='upload',
            constraint=models.UniqueConstraint(condition=models.Q(('event__isnull', True), ('state', 'committed')), fields=('discipline', 'purpose', 'sha256'), name='upload_without_event_committed_once'),
        ),
        migrations.AddConstraint(
            model_name='namedecision',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at__isnull', True)), fields=('discipline', 'spelling'), name='name_decision_in_force_once'),
        ),
        migrations.AddConstraint(
            model_name='cellrepair',
            constraint=models.UniqueConstraint(fields=('upload', 'file', 'line', 'column'), name='repair_once_per_cell'),
        ),
        migrations.AddConstraint(
            model_name='uploadfile',
            constraint=models.UniqueConstraint(fields=('upload', 'position'), name='upload_file_position_once'),
        ),
    ]
