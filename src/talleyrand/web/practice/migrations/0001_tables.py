import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.practice.models
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("practice", "0001_initial"),
        ("practice", "0002_computers"),
        ("practice", "0003_order_of_names"),
        ("practice", "0004_opened"),
        ("practice", "0001_schema"),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='PracticeGame',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.practice.models.random_token, max_length=32, unique=True)),
                ('shared_key', models.CharField(default=talleyrand.web.practice.models.random_token, max_length=32, unique=True)),
                ('submission_id', models.CharField(default=talleyrand.web.practice.models.random_token, max_length=64, unique=True)),
                ('variant', models.CharField(max_length=64)),
                ('rulebook', models.CharField(max_length=64)),
                ('seed', models.CharField(default=talleyrand.web.practice.models.random_token, max_length=64)),
                ('played_power', models.CharField(blank=True, default='', max_length=64)),
                ('start_situation', talleyrand.web.common.model_fields.OrderedJSONField()),
                ('draft_orders', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('bots', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('opened_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='PracticeBotTask',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('claimed_by', models.CharField(blank=True, default='', max_length=32)),
                ('heartbeat_at', models.DateTimeField(null=True)),
                ('requested_at', models.DateTimeField(auto_now_add=True)),
                ('first_phase_number', models.PositiveIntegerField()),
                ('phase_number', models.PositiveIntegerField()),
                ('goal', models.CharField(max_length=8)),
                ('submission_id', models.CharField(max_length=64)),
                ('found_orders', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('visitor_id', models.CharField(max_length=64)),
                ('error', models.CharField(blank=True, default='', max_length=16)),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='deliberation', to='practice.practicegame')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PracticeTurn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('phase_number', models.PositiveIntegerField()),
                ('phase', models.CharField(max_length=16)),
                ('submission_id', models.CharField(default=talleyrand.web.practice.models.random_token, max_length=64)),
                ('situation', talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ('orders', talleyrand.web.common.model_fields.OrderedJSONField()),
                ('answer', talleyrand.web.common.model_fields.OrderedJSONField()),
                ('bots', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('played_at', models.DateTimeField(auto_now_add=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='turns', to='practice.practicegame')),
            ],
            options={
                'ordering': ['phase_number'],
                'constraints': [models.UniqueConstraint(fields=('game', 'phase_number'), name='one_turn_a_number'), models.UniqueConstraint(fields=('game', 'submission_id'), name='one_turn_a_submission')],
            },
        ),
    ]
