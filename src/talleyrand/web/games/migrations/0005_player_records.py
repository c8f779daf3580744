
import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.games.record_models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0004_listing'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='RatingLedger',
            fields=[
                ('pool', models.CharField(choices=[('press', 'Press'), ('gunboat', 'Gunboat'), ('press_bots', 'Press Bots'), ('gunboat_bots', 'Gunboat Bots')], max_length=16, primary_key=True, serialize=False)),
                ('due_from', models.DateTimeField(null=True)),
                ('mark_count', models.PositiveIntegerField(default=0)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=40)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='FinishedGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ended_at', models.DateTimeField(db_index=True)),
                ('pool', models.CharField(blank=True, choices=[('press', 'Press'), ('gunboat', 'Gunboat'), ('press_bots', 'Press Bots'), ('gunboat_bots', 'Gunboat Bots')], default='', max_length=16)),
                ('due_at', models.DateTimeField(db_index=True, null=True)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=40)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='finished', to='games.game')),
            ],
        ),
        migrations.CreateModel(
            name='PlayerProfile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reliability', models.PositiveSmallIntegerField(db_index=True, null=True)),
                ('phases_due', models.PositiveIntegerField(default=0)),
                ('phases_missed', models.PositiveIntegerField(default=0)),
                ('games_left', models.PositiveIntegerField(default=0)),
                ('readers', models.CharField(choices=[('nobody', 'Nobody'), ('members', 'Members'), ('everybody', 'Everybody')], default='members', max_length=12)),
                ('shown_parts', talleyrand.web.common.model_fields.OrderedJSONField(default=talleyrand.web.games.record_models.usual_parts)),
                ('is_rated', models.BooleanField(default=True)),
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='profile', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='PlayedGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('powers', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('outcome', models.CharField(max_length=12)),
                ('points', models.CharField(blank=True, default='', max_length=60)),
                ('centres', models.PositiveIntegerField(default=0)),
                ('phases_due', models.PositiveIntegerField(default=0)),
                ('phases_missed', models.PositiveIntegerField(default=0)),
                ('has_left', models.BooleanField(default=False)),
                ('is_rated', models.BooleanField(default=False)),
                ('openings', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('alliances', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('finished', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='played', to='games.finishedgame')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='played_games', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('finished', 'person'), name='one_record_a_person')],
            },
        ),
        migrations.CreateModel(
            name='RatingChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('pool', models.CharField(choices=[('press', 'Press'), ('gunboat', 'Gunboat'), ('press_bots', 'Press Bots'), ('gunboat_bots', 'Gunboat Bots')], max_length=16)),
                ('rating', models.FloatField()),
                ('deviation', models.FloatField()),
                ('volatility', models.FloatField()),
                ('finished', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rating_changes', to='games.finishedgame')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rating_changes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('finished', 'person'), name='one_rating_a_game')],
            },
        ),
    ]
