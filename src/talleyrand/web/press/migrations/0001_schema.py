import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("press", "0001_initial"), ("press", "0002_doubts"), ("press", "0003_about")]

    initial = True

    dependencies = [
        ("games", "0001_schema"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Room",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=talleyrand.web.games.models.random_token, max_length=32, unique=True
                    ),
                ),
                ("kind", models.CharField(max_length=8)),
                ("members", models.CharField(max_length=600)),
                ("powers", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("opened", models.DateTimeField(auto_now_add=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rooms", to="games.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Reading",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("until", models.DateTimeField()),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="readings", to="press.room"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64)),
                ("number", models.PositiveIntegerField()),
                ("phase", models.CharField(blank=True, default="", max_length=16)),
                ("signed", models.CharField(max_length=32)),
                ("writer", models.CharField(blank=True, max_length=32)),
                ("text", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[("delivered", "Delivered"), ("held", "Held"), ("returned", "Returned")],
                        max_length=10,
                    ),
                ),
                ("reason", models.TextField(blank=True, default="")),
                ("doubts", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("about", models.CharField(blank=True, default="", max_length=80)),
                ("written", models.DateTimeField(auto_now_add=True)),
                ("delivered", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="letters", to="press.room"
                    ),
                ),
            ],
            options={
                "ordering": ["delivered", "id"],
            },
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.UniqueConstraint(fields=("game", "members"), name="one_room_a_group"),
        ),
        migrations.AddConstraint(
            model_name="reading",
            constraint=models.UniqueConstraint(fields=("room", "person"), name="one_reading_a_room"),
        ),
        migrations.AddConstraint(
            model_name="letter",
            constraint=models.UniqueConstraint(fields=("room", "key"), name="one_letter_a_key"),
        ),
    ]
