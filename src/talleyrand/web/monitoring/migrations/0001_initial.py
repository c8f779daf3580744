from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Sweep",
            fields=[
                ("clock", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("seconds", models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name="Alarm",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField(null=True)),
                ("count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["-since", "-id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("until", None)), fields=("kind",), name="one_alarm_at_a_time"
                    )
                ],
            },
        ),
    ]
