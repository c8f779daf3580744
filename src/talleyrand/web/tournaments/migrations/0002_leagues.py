import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from talleyrand.web.tournaments import models as tournaments


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_tables"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField("Tournament", "follows_games", models.BooleanField(default=False, db_index=True)),
        migrations.CreateModel(
            "TournamentLeague",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(default=tournaments.new_tournament_key, max_length=16, unique=True)),
                ("submission_id", models.CharField(default=tournaments.random_token, max_length=64, unique=True)),
                ("name", models.CharField(max_length=120)),
                ("moving", models.PositiveSmallIntegerField(default=2)),
                ("is_listed", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
                (
                    "keeper",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            {"ordering": ["-created_at"]},
        ),
        migrations.CreateModel(
            "LeagueDivision",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("season", models.PositiveIntegerField()),
                ("rank", models.PositiveIntegerField()),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="divisions",
                        to="tournaments.tournamentleague",
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="division",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            {
                "ordering": ["-season", "rank"],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "season", "rank"), name="one_division_a_rank")
                ],
            },
        ),
    ]
