import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('audit', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True, verbose_name='address')),
                ('name', models.CharField(max_length=120, unique=True, verbose_name='name')),
                ('short_name', models.CharField(blank=True, max_length=40, verbose_name='short name')),
                ('town', models.CharField(blank=True, max_length=80, verbose_name='town')),
                ('country', models.CharField(blank=True, max_length=2, validators=[django.core.validators.RegexValidator('^[A-Z]{2}$')], verbose_name='country')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
            ],
            options={
                'verbose_name': 'club',
                'verbose_name_plural': 'clubs',
                'ordering': ['name', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Discipline',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.SlugField(max_length=20, unique=True, verbose_name='code')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('order', models.PositiveSmallIntegerField(default=0, verbose_name='order')),
            ],
            options={
                'verbose_name': 'discipline',
                'verbose_name_plural': 'disciplines',
                'ordering': ['order', 'id'],
            },
        ),
        migrations.CreateModel(
            name='PersonNumber',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('given_at', models.DateTimeField(auto_now_add=True, verbose_name='given at')),
            ],
            options={
                'verbose_name': 'number given',
                'verbose_name_plural': 'numbers given',
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, verbose_name='address')),
                ('name', models.CharField(max_length=160, verbose_name='name')),
                ('modality', models.CharField(choices=[('classic', 'classic, one against one'), ('duplicate', 'duplicate'), ('other', 'other')], default='classic', max_length=12, verbose_name='modality')),
                ('starts_on', models.DateField(verbose_name='first day')),
                ('ends_on', models.DateField(verbose_name='last day')),
                ('rating_date', models.DateField(help_text='The last day, unless another is set.', verbose_name='rating date')),
                ('sequence', models.PositiveSmallIntegerField(default=0, help_text='Decides between events with the same rating date.', verbose_name='order within the day')),
                ('rounds', models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(200)], verbose_name='rounds')),
                ('venue', models.CharField(blank=True, max_length=120, verbose_name='venue')),
                ('town', models.CharField(blank=True, max_length=80, verbose_name='town')),
                ('state', models.CharField(choices=[('draft', 'draft'), ('open', 'open'), ('submitted', 'submitted'), ('approved', 'approved'), ('excluded', 'excluded')], default='draft', max_length=10, verbose_name='state')),
                ('excluded_reason', models.TextField(blank=True, verbose_name='why it is excluded')),
                ('results_public', models.BooleanField(default=True, verbose_name='results public or handed in')),
                ('tie_breaks', models.JSONField(blank=True, default=list, verbose_name='tie-breaks')),
                ('version', models.PositiveIntegerField(default=0, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='entered at')),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='registry.club', verbose_name='organising club')),
                ('discipline', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='registry.discipline', verbose_name='discipline')),
            ],
            options={
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
                'ordering': ['-rating_date', '-sequence', '-id'],
            },
        ),
        migrations.CreateModel(
            name='EventDirector',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='director_rows', to='registry.event', verbose_name='event')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='director_rows', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'director',
                'verbose_name_plural': 'directors',
                'ordering': ['event', 'id'],
            },
        ),
        migrations.AddField(
            model_name='event',
            name='directors',
            field=models.ManyToManyField(blank=True, related_name='directed_events', through='registry.EventDirector', to=settings.AUTH_USER_MODEL, verbose_name='directors'),
        ),
        migrations.CreateModel(
            name='FederationSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(default='Barem', max_length=120, verbose_name='name')),
                ('subtitle', models.CharField(blank=True, max_length=120, verbose_name='second line of the name')),
                ('town', models.CharField(blank=True, max_length=80, verbose_name='town')),
                ('contact_email', models.EmailField(blank=True, max_length=254, verbose_name='public contact')),
                ('membership_policy', models.CharField(choices=[('warn', 'warn'), ('block', 'refuse')], default='warn', max_length=10, verbose_name='missing membership')),
                ('two_person_publishing', models.BooleanField(default=False, help_text='Who prepared a list cannot publish it.', verbose_name='a second person publishes')),
                ('objection_days', models.PositiveSmallIntegerField(default=30, verbose_name='days to object to a list')),
                ('adult_age', models.PositiveSmallIntegerField(default=18, verbose_name='age from which full names are shown')),
            ],
            options={
                'verbose_name': 'federation settings',
                'verbose_name_plural': 'federation settings',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='federation_settings_single')],
            },
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(unique=True, verbose_name='number')),
                ('state', models.CharField(choices=[('provisional', 'provisional, to be confirmed'), ('confirmed', 'confirmed'), ('merged', 'merged into another record'), ('anonymised', 'anonymised')], default='confirmed', max_length=12, verbose_name='state')),
                ('given_name', models.CharField(blank=True, max_length=80, verbose_name='given name')),
                ('family_name', models.CharField(max_length=120, verbose_name='family name')),
                ('latin_given_name', models.CharField(blank=True, max_length=80, verbose_name='given name in Latin letters')),
                ('latin_family_name', models.CharField(blank=True, max_length=120, verbose_name='family name in Latin letters')),
                ('sort_key', models.CharField(db_index=True, default='', editable=False, max_length=255)),
                ('fold_key', models.CharField(db_index=True, default='', editable=False, max_length=255)),
                ('sex', models.CharField(blank=True, choices=[('', 'not stated'), ('f', 'female'), ('m', 'male'), ('x', 'other')], default='', max_length=1, verbose_name='sex')),
                ('birth_year', models.PositiveSmallIntegerField(blank=True, help_text='Never shown to the public.', null=True, validators=[django.core.validators.MinValueValidator(1900), django.core.validators.MaxValueValidator(2100)], verbose_name='year of birth')),
                ('country', models.CharField(blank=True, max_length=2, validators=[django.core.validators.RegexValidator('^[A-Z]{2}$')], verbose_name='country')),
                ('contact', models.CharField(blank=True, help_text='Never shown to the public.', max_length=200, verbose_name='contact')),
                ('publication', models.CharField(choices=[('auto', 'by age: full name, initials for minors'), ('full', 'full name'), ('initials', 'initials'), ('hidden', 'hidden')], default='auto', max_length=10, verbose_name='name in public')),
                ('note', models.TextField(blank=True, verbose_name='note of the registry')),
                ('version', models.PositiveIntegerField(default=0, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='entered at')),
                ('account', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='person', to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='people', to='registry.club', verbose_name='club')),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_records', to='registry.person', verbose_name='merged into')),
            ],
            options={
                'verbose_name': 'person',
                'verbose_name_plural': 'people',
                'ordering': ['sort_key', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Identifier',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scheme', models.CharField(choices=[('federation', 'federation licence'), ('egd', 'EGD'), ('rfg', 'RFG'), ('aga', 'AGA'), ('wespa', 'WESPA'), ('figb', 'FIGB'), ('wbf', 'WBF'), ('usbgf', 'USBGF')], max_length=12, verbose_name='scheme')),
                ('value', models.CharField(max_length=40, verbose_name='value')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='identifiers', to='registry.person', verbose_name='person')),
            ],
            options={
                'verbose_name': 'identifier',
                'verbose_name_plural': 'identifiers',
                'ordering': ['scheme', 'value', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number in the event')),
                ('withdrawn_after', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='withdrawn after round')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='registry.event', verbose_name='event')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='registry.person', verbose_name='person')),
            ],
            options={
                'verbose_name': 'entry',
                'verbose_name_plural': 'entries',
                'ordering': ['event', 'number', 'id'],
            },
        ),
        migrations.CreateModel(
            name='PersonAlias',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=200, verbose_name='name')),
                ('fold_key', models.CharField(db_index=True, default='', editable=False, max_length=255)),
                ('derived', models.BooleanField(default=False, editable=False, verbose_name='from a merged record')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='aliases', to='registry.person', verbose_name='person')),
            ],
            options={
                'verbose_name': 'alias',
                'verbose_name_plural': 'aliases',
                'ordering': ['text', 'id'],
            },
        ),
        migrations.CreateModel(
            name='PersonalValues',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.JSONField(default=dict, verbose_name='before')),
                ('after', models.JSONField(default=dict, verbose_name='after')),
                ('audit_event', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='audit.auditevent')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='personal_values', to='registry.person')),
            ],
            options={
                'verbose_name': 'personal values of a change',
                'verbose_name_plural': 'personal values of changes',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='PersonMerge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('moved_records', models.JSONField(default=list)),
                ('previous_state', models.CharField(choices=[('provisional', 'provisional, to be confirmed'), ('confirmed', 'confirmed'), ('merged', 'merged into another record'), ('anonymised', 'anonymised')], max_length=12)),
                ('reason', models.TextField(verbose_name='reason')),
                ('merged_at', models.DateTimeField(auto_now_add=True, verbose_name='merged at')),
                ('undone_at', models.DateTimeField(blank=True, null=True, verbose_name='undone at')),
                ('dropped', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges_dropped', to='registry.person', verbose_name='dropped')),
                ('kept', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges_kept', to='registry.person', verbose_name='kept')),
                ('merged_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('undone_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'merge',
                'verbose_name_plural': 'merges',
                'ordering': ['-merged_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=7, validators=[django.core.validators.RegexValidator('^\\d{4}-\\d{2}$', 'Write a season as 2025-26.')], verbose_name='code')),
                ('starts_on', models.DateField(verbose_name='first day')),
                ('ends_on', models.DateField(verbose_name='last day')),
                ('state', models.CharField(choices=[('planned', 'planned'), ('open', 'open'), ('closed', 'closed')], default='planned', max_length=10, verbose_name='state')),
                ('discipline', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seasons', to='registry.discipline', verbose_name='discipline')),
            ],
            options={
                'verbose_name': 'season',
                'verbose_name_plural': 'seasons',
                'ordering': ['discipline', '-starts_on', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('licence', models.CharField(blank=True, max_length=40, verbose_name='licence')),
                ('valid_from', models.DateField(blank=True, null=True, verbose_name='valid from')),
                ('valid_until', models.DateField(blank=True, null=True, verbose_name='valid until')),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='registry.club', verbose_name='club')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='registry.person', verbose_name='person')),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='registry.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'membership',
                'verbose_name_plural': 'memberships',
                'ordering': ['season', 'person', 'id'],
            },
        ),
        migrations.AddField(
            model_name='event',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='registry.season', verbose_name='season'),
        ),
        migrations.AddConstraint(
            model_name='eventdirector',
            constraint=models.UniqueConstraint(fields=('event', 'user'), name='director_once_per_event'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['provisional', 'confirmed', 'merged', 'anonymised'])), name='person_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('publication__in', ['auto', 'full', 'initials', 'hidden'])), name='person_publication_is_known'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('sex__in', ['', 'f', 'm', 'x'])), name='person_sex_is_known'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('birth_year__isnull', True), ('birth_year__range', (1900, 2100)), _connector='OR'), name='person_birth_year_possible'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('merged_into__isnull', False), ('state', 'merged')), models.Q(models.Q(('state', 'merged'), _negated=True), ('merged_into__isnull', True)), _connector='OR'), name='person_merged_has_target'),
        ),
        migrations.AddConstraint(
            model_name='person',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('id')), _negated=True), _connector='OR'), name='person_not_merged_into_itself'),
        ),
        migrations.AddConstraint(
            model_name='identifier',
            constraint=models.UniqueConstraint(fields=('scheme', 'value'), name='identifier_once'),
        ),
        migrations.AddConstraint(
            model_name='identifier',
            constraint=models.CheckConstraint(condition=models.Q(('scheme__in', ['federation', 'egd', 'rfg', 'aga', 'wespa', 'figb', 'wbf', 'usbgf'])), name='identifier_scheme_is_known'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('event', 'person'), name='entry_once_per_event'),
        ),
        migrations.AddConstraint(
            model_name='entry',
            constraint=models.UniqueConstraint(fields=('event', 'number'), name='entry_number_once'),
        ),
        migrations.AddConstraint(
            model_name='personalias',
            constraint=models.UniqueConstraint(fields=('person', 'text'), name='alias_once_per_person'),
        ),
        migrations.AddConstraint(
            model_name='personmerge',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at__isnull', True)), fields=('dropped',), name='merge_open_once'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.UniqueConstraint(fields=('discipline', 'code'), name='season_code_once'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('starts_on__lt', models.F('ends_on'))), name='season_starts_before_end'),
        ),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'open', 'closed'])), name='season_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('person', 'season'), name='membership_once_per_season'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('valid_from__isnull', True), ('valid_until__isnull', True), ('valid_from__lte', models.F('valid_until')), _connector='OR'), name='membership_dates_in_order'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['discipline', 'rating_date', 'sequence', 'id'], name='event_rating_order'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(fields=('discipline', 'slug'), name='event_address_once'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('starts_on__lte', models.F('ends_on'))), name='event_dates_in_order'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['draft', 'open', 'submitted', 'approved', 'excluded'])), name='event_state_is_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('modality__in', ['classic', 'duplicate', 'other'])), name='event_modality_is_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('state', 'excluded'), _negated=True), models.Q(('excluded_reason', ''), _negated=True), _connector='OR'), name='event_excluded_with_reason'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('rounds__lte', 200)), name='event_rounds_possible'),
        ),
    ]
