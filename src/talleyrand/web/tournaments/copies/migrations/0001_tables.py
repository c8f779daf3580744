import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("tournament_copies", "0001_initial"),
    ]

    initial = True

    dependencies = [
        ('tournaments', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CopyLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('secret', models.CharField(max_length=64)),
                ('sent_version', models.PositiveIntegerField(null=True)),
                ('content_mark', models.CharField(blank=True, default='', max_length=64)),
                ('delivered_at', models.DateTimeField(null=True)),
                ('error', models.CharField(blank=True, default='', max_length=16)),
                ('failing_since', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField()),
                ('claimed_until', models.DateTimeField(null=True)),
                ('is_being_removed', models.BooleanField(default=False)),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='link', to='tournaments.tournament')),
            ],
            options={
                'indexes': [models.Index(fields=['due_at'], name='copies_due')],
            },
        ),
        migrations.CreateModel(
            name='HeldCopy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('submission_id', models.CharField(max_length=64)),
                ('secret_digest', models.CharField(max_length=64)),
                ('version', models.PositiveIntegerField(null=True)),
                ('content_mark', models.CharField(blank=True, default='', max_length=64)),
                ('created_at', models.DateTimeField()),
                ('holder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('tournament', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='copy', to='tournaments.tournament')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('holder', 'submission_id'), name='copy_made_once')],
            },
        ),
    ]
