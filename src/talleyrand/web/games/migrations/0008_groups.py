from django.conf import settings
from django.db import migrations, models
from django.db.models import deletion

from talleyrand.web.games import finding_models


class Migration(migrations.Migration):
    dependencies = [("games", "0007_queues"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            "PlayerGroup",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(default=finding_models.new_group_key, max_length=16, unique=True)),
                ("name", models.CharField(max_length=80)),
                ("token", models.CharField(default=finding_models.new_group_token, max_length=32, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            "GroupMember",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("is_owner", models.BooleanField(default=False)),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
                ("group", models.ForeignKey("games.playergroup", deletion.CASCADE, related_name="members")),
                (
                    "person",
                    models.ForeignKey(settings.AUTH_USER_MODEL, deletion.CASCADE, related_name="player_groups"),
                ),
            ],
            {
                "ordering": ["joined_at", "id"],
                "constraints": [models.UniqueConstraint(fields=["group", "person"], name="once_in_a_group")],
            },
        ),
        migrations.AddField(
            "game",
            "group",
            models.ForeignKey("games.playergroup", deletion.SET_NULL, null=True, related_name="games"),
        ),
    ]
