from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_unread"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="script",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddField(
            model_name="game",
            name="script_until",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
