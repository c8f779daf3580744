import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("games", "0001_initial"),
        ("games", "0002_unread"),
        ("games", "0003_script_ended"),
        ("games", "0004_computer_seats"),
        ("games", "0005_lasting_lines"),
        ("games", "0006_secret_votes"),
        ("games", "0001_schema"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ClockOutage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('process_name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('last_seen_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.games.models.new_game_key, max_length=16, unique=True)),
                ('submission_id', models.CharField(default=talleyrand.web.games.models.random_token, max_length=64, unique=True)),
                ('name', models.CharField(max_length=80)),
                ('variant', models.CharField(max_length=64)),
                ('scripted_variant', models.CharField(blank=True, default='', max_length=64)),
                ('scripted_until_phase', models.PositiveIntegerField(default=0)),
                ('rulebook', talleyrand.web.common.model_fields.OrderedJSONField()),
                ('seed', models.CharField(default=talleyrand.web.games.models.random_token, max_length=64)),
                ('settings_json', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('state', models.CharField(choices=[('gathering', 'Gathering'), ('playing', 'Playing'), ('paused', 'Paused'), ('ended', 'Ended'), ('abandoned', 'Abandoned')], default='gathering', max_length=12)),
                ('is_listed', models.BooleanField(default=True)),
                ('phase_number', models.PositiveIntegerField(default=0)),
                ('phase', models.CharField(blank=True, default='', max_length=16)),
                ('phase_opened_at', models.DateTimeField(null=True)),
                ('deadline', models.DateTimeField(null=True)),
                ('next_check_at', models.DateTimeField(db_index=True, null=True)),
                ('extension_count', models.PositiveIntegerField(default=0)),
                ('time_left_when_paused', models.DurationField(null=True)),
                ('is_waiting', models.BooleanField(default=False)),
                ('last_outage_id', models.PositiveBigIntegerField(default=0)),
                ('adjudication_error', models.CharField(blank=True, default='', max_length=200)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=40)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('version', models.PositiveIntegerField(default=1)),
                ('receipt_count', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('powers_revealed_at', models.DateTimeField(null=True)),
                ('result', talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ('creator', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='EndProposal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phase_number', models.PositiveIntegerField()),
                ('phase', models.CharField(max_length=16)),
                ('proposer', models.CharField(max_length=32)),
                ('counted_position', models.CharField(default='now', max_length=20)),
                ('state', models.CharField(max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('answers_due_at', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='proposals', to='games.game')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Absence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('announced_at', models.DateTimeField(auto_now_add=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='absences', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='absences', to='games.game')),
            ],
        ),
        migrations.CreateModel(
            name='GameBotTask',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('visitor_id', models.CharField(blank=True, default='', max_length=64)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=32)),
                ('heartbeat_at', models.DateTimeField(null=True)),
                ('requested_at', models.DateTimeField(auto_now_add=True)),
                ('base_revision_id', models.PositiveBigIntegerField(default=0)),
                ('request_count', models.PositiveIntegerField(default=1)),
                ('answered_count', models.PositiveIntegerField(default=0)),
                ('failed_powers', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('waiting_since', models.DateTimeField(null=True)),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='computer', to='games.game')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='GameLogEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phase_number', models.PositiveIntegerField(default=0)),
                ('kind', models.CharField(max_length=32)),
                ('facts', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('role', models.CharField(blank=True, default='', max_length=12)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('is_public', models.BooleanField(default=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='log', to='games.game')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='GameMembership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('player', 'Player'), ('master', 'Game Master'), ('assistant', 'Assistant'), ('observer', 'Observer')], max_length=12)),
                ('preferences', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('left_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='games.game')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='GameSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('power', models.CharField(max_length=32)),
                ('draft_orders', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('draft_phase_number', models.PositiveIntegerField(default=0)),
                ('drafted_at', models.DateTimeField(null=True)),
                ('is_ready', models.BooleanField(default=False)),
                ('missed_phases', models.PositiveIntegerField(default=0)),
                ('in_civil_disorder', models.BooleanField(default=False)),
                ('bot', models.CharField(blank=True, default='', max_length=32)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.game')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='Gazette',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phase_number', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('published_at', models.DateTimeField(auto_now_add=True)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gazettes', to='games.game')),
            ],
            options={
                'ordering': ['phase_number', 'id'],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.CharField(default=talleyrand.web.games.models.random_token, max_length=32, unique=True)),
                ('role', models.CharField(choices=[('player', 'Player'), ('master', 'Game Master'), ('assistant', 'Assistant'), ('observer', 'Observer')], default='player', max_length=12)),
                ('power', models.CharField(blank=True, default='', max_length=32)),
                ('is_single_use', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='games.game')),
            ],
        ),
        migrations.CreateModel(
            name='OrderSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phase_number', models.PositiveIntegerField()),
                ('power', models.CharField(max_length=32)),
                ('receipt_number', models.PositiveIntegerField()),
                ('idempotency_key', models.CharField(max_length=64)),
                ('lines', talleyrand.web.common.model_fields.OrderedJSONField()),
                ('binding_lines', talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ('digest', models.CharField(max_length=64)),
                ('origin', models.CharField(max_length=8)),
                ('is_ready', models.BooleanField(default=False)),
                ('received_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sheets', to='games.game')),
                ('submitted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='PhaseRevision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phase_number', models.PositiveIntegerField()),
                ('revision', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=12)),
                ('phase', models.CharField(blank=True, max_length=16)),
                ('situation', talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ('order_lines', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('powers_without_orders', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('digest', models.CharField(max_length=64)),
                ('answer', talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ('next_situation', talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ('secret_part', talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ('overrides', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('reason', models.TextField(blank=True, default='')),
                ('is_current', models.BooleanField(default=True)),
                ('published_at', models.DateTimeField(auto_now_add=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='games.game')),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['phase_number', 'revision'],
            },
        ),
        migrations.CreateModel(
            name='PowerAssignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('is_stand_in', models.BooleanField(default=False)),
                ('first_phase_number', models.PositiveIntegerField(default=0)),
                ('last_phase_number', models.PositiveIntegerField(null=True)),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tenures', to=settings.AUTH_USER_MODEL)),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tenures', to='games.gameseat')),
            ],
            options={
                'ordering': ['started_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='UnreadEmailOrders',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('delivery_key', models.CharField(max_length=64, unique=True)),
                ('received_at', models.DateTimeField()),
                ('wait_until', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='unread', to='games.game')),
            ],
        ),
        migrations.CreateModel(
            name='EndProposalBallot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('power', models.CharField(max_length=32)),
                ('choice', models.CharField(max_length=4)),
                ('answered_at', models.DateTimeField(auto_now=True)),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ballots', to='games.endproposal')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('proposal', 'power'), name='one_ballot_a_power')],
            },
        ),
        migrations.AddConstraint(
            model_name='endproposal',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at', None)), fields=('game',), name='one_open_proposal'),
        ),
        migrations.AddConstraint(
            model_name='gamemembership',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('game', 'person'), name='one_role_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='gameseat',
            constraint=models.UniqueConstraint(fields=('game', 'power'), name='one_seat_a_power'),
        ),
        migrations.AddConstraint(
            model_name='orderset',
            constraint=models.UniqueConstraint(fields=('game', 'power', 'receipt_number'), name='one_sheet_a_receipt'),
        ),
        migrations.AddConstraint(
            model_name='orderset',
            constraint=models.UniqueConstraint(fields=('game', 'idempotency_key'), name='one_sheet_a_key'),
        ),
        migrations.AddConstraint(
            model_name='phaserevision',
            constraint=models.UniqueConstraint(fields=('game', 'phase_number', 'revision'), name='one_revision_a_number'),
        ),
        migrations.AddConstraint(
            model_name='phaserevision',
            constraint=models.UniqueConstraint(condition=models.Q(('is_current', True)), fields=('game', 'phase_number'), name='one_current_revision'),
        ),
        migrations.AddConstraint(
            model_name='powerassignment',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('seat', 'is_stand_in'), name='one_player_a_seat'),
        ),
    ]
