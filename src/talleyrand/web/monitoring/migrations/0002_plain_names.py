from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("watching", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="Alarm",
            name="one_alarm_at_a_time",
        ),
        migrations.RenameModel(
            old_name="Sweep",
            new_name="ClockSweep",
        ),
        migrations.RenameField(
            model_name="Alarm",
            old_name="since",
            new_name="started_at",
        ),
        migrations.RenameField(
            model_name="Alarm",
            old_name="until",
            new_name="ended_at",
        ),
        migrations.RenameField(
            model_name="ClockSweep",
            old_name="clock",
            new_name="clock_name",
        ),
        migrations.RenameField(
            model_name="ClockSweep",
            old_name="at",
            new_name="noted_at",
        ),
        migrations.AlterModelOptions(
            name="alarm",
            options={"ordering": ["-started_at", "-id"]},
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)), fields=("kind",), name="one_alarm_at_a_time"
            ),
        ),
    ]
