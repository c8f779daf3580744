import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("webhooks", "0001_initial"),
    ]

    initial = True

    dependencies = [
        ('games', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.games.models.random_token, max_length=32, unique=True)),
                ('address', models.CharField(max_length=500)),
                ('label', models.CharField(blank=True, default='', max_length=80)),
                ('kinds', talleyrand.web.common.model_fields.OrderedJSONField(blank=True, default=list)),
                ('submission_id', models.CharField(max_length=64)),
                ('secret_seed', models.CharField(default=talleyrand.web.games.models.random_token, max_length=32)),
                ('created_at', models.DateTimeField()),
                ('paused_at', models.DateTimeField(null=True)),
                ('pause_reason', models.CharField(blank=True, default='', max_length=16)),
                ('failure_count', models.PositiveIntegerField(default=0)),
                ('failing_since', models.DateTimeField(null=True)),
                ('retry_at', models.DateTimeField(null=True)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=64)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.game')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hooks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['created_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='WebhookCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message_id', models.CharField(max_length=40, unique=True)),
                ('idempotency_key', models.CharField(max_length=120)),
                ('kind', models.CharField(max_length=32)),
                ('topic', models.CharField(blank=True, default='', max_length=80)),
                ('body', models.TextField()),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('attempted_at', models.DateTimeField(null=True)),
                ('outcome', models.CharField(blank=True, default='', max_length=16)),
                ('status_code', models.PositiveSmallIntegerField(null=True)),
                ('response_text', models.CharField(blank=True, default='', max_length=200)),
                ('error', models.CharField(blank=True, default='', max_length=16)),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='webhooks.webhook')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.UniqueConstraint(fields=('person', 'submission_id'), name='hook_added_once'),
        ),
        migrations.AddIndex(
            model_name='webhookcall',
            index=models.Index(condition=models.Q(('outcome', '')), fields=['due_at'], name='calls_waiting'),
        ),
        migrations.AddIndex(
            model_name='webhookcall',
            index=models.Index(fields=['webhook', 'created_at'], name='calls_of_hook'),
        ),
        migrations.AddConstraint(
            model_name='webhookcall',
            constraint=models.UniqueConstraint(fields=('webhook', 'idempotency_key'), name='called_once'),
        ),
    ]
