import django.db.models.deletion
import django.utils.timezone
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("push", "0001_initial"),
    ]

    initial = True

    dependencies = [
        ('notices', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='PushDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.games.models.random_token, max_length=32, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('endpoint', models.CharField(max_length=1000)),
                ('endpoint_digest', models.CharField(max_length=64, unique=True)),
                ('p256dh', models.CharField(max_length=100)),
                ('auth_secret', models.CharField(max_length=40)),
                ('session_key', models.CharField(db_index=True, max_length=40)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('last_delivered_at', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['created_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='PushMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('due_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('sent_at', models.DateTimeField(null=True)),
                ('drop_reason', models.CharField(blank=True, default='', max_length=16)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=40)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pushes', to='push.pushdevice')),
                ('notification', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='notices.notification')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('drop_reason', ''), ('sent_at', None)), fields=['due_at'], name='pushes_waiting')],
                'constraints': [models.UniqueConstraint(fields=('device', 'notification'), name='pushed_once')],
            },
        ),
    ]
