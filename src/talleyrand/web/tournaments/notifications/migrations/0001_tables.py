import django.db.models.deletion
import talleyrand.web.common.model_fields
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("tournament_news", "0001_initial"),
    ]

    initial = True

    dependencies = [
        ('tournaments', '0001_tables'),
    ]

    operations = [
        migrations.CreateModel(
            name='TournamentChat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('format', models.CharField(max_length=12)),
                ('language', models.CharField(max_length=2)),
                ('kinds', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('posted_states', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('delivered_at', models.DateTimeField(null=True)),
                ('failed_at', models.DateTimeField(null=True)),
                ('error', models.CharField(blank=True, default='', max_length=16)),
                ('status_code', models.PositiveSmallIntegerField(null=True)),
                ('paused_at', models.DateTimeField(null=True)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=64)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='chat', to='tournaments.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='TournamentNotificationState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('audiences', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('notified', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('checked_version', models.IntegerField(default=-1)),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='telling', to='tournaments.tournament')),
            ],
        ),
        migrations.CreateModel(
            name='MailUnsubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person_number', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('tournament', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='quiet', to='tournaments.tournament')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('tournament', 'person_number'), name='quiet_once')],
            },
        ),
        migrations.CreateModel(
            name='ChatPost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('idempotency_key', models.CharField(max_length=120)),
                ('kind', models.CharField(max_length=16)),
                ('body', models.TextField()),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('outcome', models.CharField(blank=True, default='', max_length=12)),
                ('chat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='posts', to='tournament_news.tournamentchat')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [models.Index(condition=models.Q(('outcome', '')), fields=['due_at'], name='posts_waiting')],
                'constraints': [models.UniqueConstraint(fields=('chat', 'idempotency_key'), name='posted_once')],
            },
        ),
    ]
