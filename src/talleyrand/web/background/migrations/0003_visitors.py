from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("background", "0002_count_of_workers"),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="visitor",
            field=models.CharField(blank=True, max_length=32),
        ),
        migrations.AddField(
            model_name="document",
            name="seconds",
            field=models.FloatField(default=0.0),
        ),
    ]
