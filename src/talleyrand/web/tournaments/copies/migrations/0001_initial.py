import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("tournaments", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Copy",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("submission", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("version", models.PositiveIntegerField(null=True)),
                ("mark", models.CharField(blank=True, default="", max_length=64)),
                ("made", models.DateTimeField()),
                (
                    "keeper",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="copy",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["-made", "-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("keeper", "submission"), name="copy_made_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Link",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=500)),
                ("secret", models.CharField(max_length=64)),
                ("sent", models.PositiveIntegerField(null=True)),
                ("mark", models.CharField(blank=True, default="", max_length=64)),
                ("well", models.DateTimeField(null=True)),
                ("problem", models.CharField(blank=True, default="", max_length=16)),
                ("failing", models.DateTimeField(null=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("due", models.DateTimeField()),
                ("worker_until", models.DateTimeField(null=True)),
                ("ending", models.BooleanField(default=False)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="link",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["due"], name="copies_due")],
            },
        ),
    ]
