import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.tournaments.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("tournaments", "0001_initial"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Tournament',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.tournaments.models.new_tournament_key, max_length=16, unique=True)),
                ('submission_id', models.CharField(default=talleyrand.web.tournaments.models.random_token, max_length=64, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('first_day', models.DateField(null=True)),
                ('last_day', models.DateField(null=True)),
                ('document', talleyrand.web.common.model_fields.OrderedJSONField()),
                ('version', models.PositiveIntegerField(default=0)),
                ('state_token', models.CharField(default=talleyrand.web.tournaments.models.random_token, max_length=32)),
                ('is_listed', models.BooleanField(default=False)),
                ('copied_at', models.DateTimeField(null=True)),
                ('copied_awards', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('created_at', models.DateTimeField()),
                ('creator', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-first_day', '-created_at'],
            },
        ),
        migrations.CreateModel(
            name='TournamentCircuit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.tournaments.models.new_tournament_key, max_length=16, unique=True)),
                ('submission_id', models.CharField(default=talleyrand.web.tournaments.models.random_token, max_length=64, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('document', talleyrand.web.common.model_fields.OrderedJSONField()),
                ('version', models.PositiveIntegerField(default=0)),
                ('is_listed', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField()),
                ('keeper', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='JournalEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField()),
                ('person_number', models.PositiveIntegerField(default=0)),
                ('actor_label', models.CharField(blank=True, default='', max_length=20)),
                ('acts', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('changes', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('undoes_number', models.PositiveIntegerField(null=True)),
                ('undone_by_number', models.PositiveIntegerField(null=True)),
                ('idempotency_key', models.CharField(default=talleyrand.web.tournaments.models.random_token, max_length=64)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['-number'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'number'), name='one_entry_a_number'), models.UniqueConstraint(fields=('tournament', 'idempotency_key'), name='entered_once')],
            },
        ),
        migrations.CreateModel(
            name='BoardPhoto',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.tournaments.models.random_token, max_length=32, unique=True)),
                ('round_number', models.PositiveIntegerField()),
                ('board_number', models.PositiveIntegerField()),
                ('person_number', models.PositiveIntegerField(default=0)),
                ('sent_at', models.DateTimeField()),
                ('content_digest', models.CharField(max_length=64)),
                ('content', models.BinaryField()),
                ('width', models.PositiveIntegerField()),
                ('height', models.PositiveIntegerField()),
                ('is_public', models.BooleanField(default=False)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='photos', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('tournament', 'round_number', 'board_number', 'content_digest'), name='one_photo_a_mark')],
            },
        ),
        migrations.CreateModel(
            name='AccessToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person_number', models.PositiveIntegerField()),
                ('merged_into', models.PositiveIntegerField(null=True)),
                ('token', models.CharField(default=talleyrand.web.tournaments.models.random_token, max_length=32, unique=True)),
                ('claimed_at', models.DateTimeField(null=True)),
                ('account', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='passes', to='tournaments.tournament')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tournament', 'person_number'), name='one_pass_a_person')],
            },
        ),
        migrations.CreateModel(
            name='TournamentMembership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('director', 'Director'), ('assistant', 'Assistant')], max_length=12)),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='tournaments.tournament')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tournament', 'account'), name='one_role_a_tournament')],
            },
        ),
    ]
