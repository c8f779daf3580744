from django.conf import settings
from django.db import migrations, models
from django.db.models import deletion


class Migration(migrations.Migration):
    dependencies = [("games", "0006_finished_games"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField(
            "game",
            "rematch_of",
            models.ForeignKey("games.game", deletion.SET_NULL, null=True, related_name="+"),
        ),
        migrations.CreateModel(
            "PlayerQueue",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24, unique=True)),
            ],
        ),
        migrations.CreateModel(
            "QueuePlace",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("joined_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                (
                    "queue",
                    models.ForeignKey("games.playerqueue", deletion.CASCADE, related_name="places"),
                ),
                (
                    "person",
                    models.ForeignKey(settings.AUTH_USER_MODEL, deletion.CASCADE, related_name="queue_places"),
                ),
            ],
            {
                "ordering": ["joined_at", "id"],
                "constraints": [models.UniqueConstraint(fields=["queue", "person"], name="one_place_a_queue")],
            },
        ),
    ]
