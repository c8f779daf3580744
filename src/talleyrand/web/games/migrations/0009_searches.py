from django.conf import settings
from django.db import migrations, models
from django.db.models import deletion

ANSWERS = {
    "variant": 64,
    "rulebook_name": 64,
    "pace": 8,
    "press": 8,
    "anonymity": 12,
    "language": 8,
    "bots": 4,
    "seats": 4,
}


class Migration(migrations.Migration):
    dependencies = [("games", "0008_groups"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            "SavedSearch",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                *[
                    (name, models.CharField(blank=True, default="", max_length=length))
                    for name, length in ANSWERS.items()
                ],
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(settings.AUTH_USER_MODEL, deletion.CASCADE, related_name="saved_searches"),
                ),
            ],
            {"ordering": ["created_at", "id"]},
        ),
    ]
