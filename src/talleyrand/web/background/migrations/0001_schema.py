import talleyrand.web.common.model_fields
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("background", "0001_initial"),
        ("background", "0002_count_of_workers"),
        ("background", "0003_visitors"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Document",
            fields=[
                ("name", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("maker", models.CharField(max_length=40)),
                ("told", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("content", models.BinaryField(null=True)),
                ("asked", models.DateTimeField()),
                ("worker", models.CharField(blank=True, max_length=32)),
                ("worker_until", models.DateTimeField(null=True)),
                ("begun", models.PositiveSmallIntegerField(default=0)),
                ("trouble", models.CharField(blank=True, max_length=80)),
                ("visitor", models.CharField(blank=True, max_length=32)),
                ("seconds", models.FloatField(default=0.0)),
            ],
            options={
                "indexes": [models.Index(fields=["asked"], name="background__asked_38c6c2_idx")],
            },
        ),
    ]
