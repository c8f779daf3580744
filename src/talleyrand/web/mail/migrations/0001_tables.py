import django.db.models.deletion
import django.utils.timezone
import talleyrand.web.common.model_fields
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("mail", "0001_initial"),
        ("mail", "0002_unsubscribe"),
        ("mail", "0001_schema"),
    ]

    initial = True

    dependencies = [
        ('games', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='InboundEmail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=talleyrand.web.games.models.random_token, max_length=32, unique=True)),
                ('raw_bytes', models.BinaryField()),
                ('envelope_sender', models.CharField(blank=True, default='', max_length=320)),
                ('received_at', models.DateTimeField()),
                ('stored_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='SendLock',
            fields=[
                ('name', models.CharField(max_length=16, primary_key=True, serialize=False)),
                ('closed_until', models.DateTimeField(null=True)),
                ('failure_count', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='UnsubscribedAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address_digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='BouncedAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(max_length=320)),
                ('bounce_days', talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ('status', models.CharField(blank=True, default='', max_length=16)),
                ('paused_at', models.DateTimeField(null=True)),
                ('person', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='unreached', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Mailbox',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('purpose', models.CharField(choices=[('orders', 'Orders'), ('letter', 'Message'), ('desk', 'Desk'), ('join', 'Invitation'), ('return', 'Bounce')], max_length=8)),
                ('power', models.CharField(blank=True, default='', max_length=32)),
                ('target', models.CharField(blank=True, default='', max_length=600)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mailboxes', to='games.game')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='mailboxes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='InboundDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content_digest', models.CharField(max_length=64)),
                ('outcome', models.CharField(blank=True, default='', max_length=24)),
                ('facts', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('processed_at', models.DateTimeField(null=True)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=40)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('email', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='arrivals', to='mail.inboundemail')),
                ('mailbox', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='arrivals', to='mail.mailbox')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='EmailInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(max_length=2)),
                ('submission_id', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('answer', models.CharField(blank=True, default='', max_length=10)),
                ('answered_at', models.DateTimeField(null=True)),
                ('answer_digest', models.CharField(blank=True, default='', max_length=64)),
                ('invited_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='offers', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('mailbox', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='offer', to='mail.mailbox')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='MailSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(null=True)),
                ('game_version', models.BigIntegerField(default=-1)),
                ('person_version', models.BigIntegerField(default=-1)),
                ('check_count', models.PositiveIntegerField(default=0)),
                ('checked_at', models.DateTimeField(null=True)),
                ('next_check_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('welcome_keys', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='correspondents', to='games.game')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='correspondences', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='OutboundEmail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(blank=True, default='', max_length=320)),
                ('power', models.CharField(blank=True, default='', max_length=32)),
                ('kind', models.CharField(max_length=16)),
                ('idempotency_key', models.CharField(max_length=160)),
                ('sender_name', models.CharField(blank=True, default='', max_length=160)),
                ('subject', models.CharField(max_length=250)),
                ('text', models.TextField()),
                ('thread', models.CharField(blank=True, default='', max_length=64)),
                ('unsubscribe_url', models.CharField(blank=True, default='', max_length=300)),
                ('message_token', models.CharField(default=talleyrand.web.games.models.random_token, max_length=32, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('due_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('attempted_at', models.DateTimeField(db_index=True, null=True)),
                ('claimed_by', models.CharField(blank=True, default='', max_length=40)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('drop_reason', models.CharField(blank=True, default='', max_length=24)),
                ('server_reply', models.CharField(blank=True, default='', max_length=500)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='departures', to='games.game')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='departures', to=settings.AUTH_USER_MODEL)),
                ('reply_mailbox', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='mail.mailbox')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddConstraint(
            model_name='mailbox',
            constraint=models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('purpose', 'game', 'person', 'power', 'target'), name='one_mailbox_a_right'),
        ),
        migrations.AddIndex(
            model_name='inbounddelivery',
            index=models.Index(condition=models.Q(('outcome', '')), fields=['id'], name='unsorted_mail'),
        ),
        migrations.AddIndex(
            model_name='inbounddelivery',
            index=models.Index(fields=['mailbox', 'content_digest'], name='same_mail'),
        ),
        migrations.AddConstraint(
            model_name='inbounddelivery',
            constraint=models.UniqueConstraint(fields=('email', 'mailbox'), name='one_arrival_a_mailbox'),
        ),
        migrations.AddConstraint(
            model_name='mailsubscription',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('game', 'person'), name='one_correspondence_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='outboundemail',
            index=models.Index(condition=models.Q(('drop_reason', ''), ('sent_at', None)), fields=['due_at'], name='mail_to_leave'),
        ),
        migrations.AddConstraint(
            model_name='outboundemail',
            constraint=models.UniqueConstraint(fields=('person', 'idempotency_key'), name='leaves_once'),
        ),
        migrations.AddConstraint(
            model_name='outboundemail',
            constraint=models.UniqueConstraint(condition=models.Q(('person', None)), fields=('address', 'idempotency_key'), name='leaves_once_for_strangers'),
        ),
    ]
