import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("press", "0001_initial"),
        ("press", "0002_doubts"),
        ("press", "0003_about"),
        ("press", "0001_schema"),
    ]

    initial = True

    dependencies = [
        ('games', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.games.models.random_token, max_length=32, unique=True)),
                ('kind', models.CharField(max_length=8)),
                ('participants_key', models.CharField(max_length=600)),
                ('powers', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rooms', to='games.game')),
            ],
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('phase_number', models.PositiveIntegerField()),
                ('phase', models.CharField(blank=True, default='', max_length=16)),
                ('signature', models.CharField(max_length=32)),
                ('author_power', models.CharField(blank=True, max_length=32)),
                ('text', models.TextField()),
                ('state', models.CharField(choices=[('delivered', 'Delivered'), ('held', 'Held'), ('returned', 'Returned')], max_length=10)),
                ('return_reason', models.TextField(blank=True, default='')),
                ('hold_reasons', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('proposal_key', models.CharField(blank=True, default='', max_length=80)),
                ('written_at', models.DateTimeField(auto_now_add=True)),
                ('delivered_at', models.DateTimeField(null=True)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='letters', to='press.conversation')),
            ],
            options={
                'ordering': ['delivered_at', 'id'],
            },
        ),
        migrations.CreateModel(
            name='ReadMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('read_until', models.DateTimeField()),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='readings', to='press.conversation')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddConstraint(
            model_name='conversation',
            constraint=models.UniqueConstraint(fields=('game', 'participants_key'), name='one_room_a_group'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(fields=('conversation', 'key'), name='one_letter_a_key'),
        ),
        migrations.AddConstraint(
            model_name='readmark',
            constraint=models.UniqueConstraint(fields=('conversation', 'person'), name='one_reading_a_room'),
        ),
    ]
