import talleyrand.web.common.model_fields
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("background", "0001_initial"),
        ("background", "0002_count_of_workers"),
        ("background", "0003_visitors"),
        ("background", "0001_schema"),
    ]

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='GeneratedDocument',
            fields=[
                ('name', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('job_name', models.CharField(max_length=40)),
                ('arguments', talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ('content', models.BinaryField(null=True)),
                ('requested_at', models.DateTimeField()),
                ('claimed_by', models.CharField(blank=True, max_length=32)),
                ('claimed_until', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('error', models.CharField(blank=True, max_length=80)),
                ('visitor_id', models.CharField(blank=True, max_length=32)),
                ('cpu_seconds', models.FloatField(default=0.0)),
            ],
            options={
                'indexes': [models.Index(fields=['requested_at'], name='oldest_request')],
            },
        ),
    ]
