import talleyrand.web.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Document",
            fields=[
                ("name", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("maker", models.CharField(max_length=40)),
                ("told", talleyrand.web.fields.OrderedJSONField(default=dict)),
                ("content", models.BinaryField(null=True)),
                ("asked", models.DateTimeField()),
                ("worker", models.CharField(blank=True, max_length=32)),
                ("worker_until", models.DateTimeField(null=True)),
                ("trouble", models.CharField(blank=True, max_length=80)),
            ],
            options={
                "indexes": [models.Index(fields=["asked"], name="background__asked_38c6c2_idx")],
            },
        ),
    ]
