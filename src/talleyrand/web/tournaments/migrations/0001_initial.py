import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.tournaments.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Season",
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
                        default=talleyrand.web.tournaments.models.new_tournament_key,
                        max_length=16,
                        unique=True,
                    ),
                ),
                (
                    "submission",
                    models.CharField(
                        default=talleyrand.web.tournaments.models.random_token, max_length=64, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("document", talleyrand.web.common.model_fields.OrderedJSONField()),
                ("version", models.PositiveIntegerField(default=0)),
                ("listed", models.BooleanField(default=False)),
                ("created", models.DateTimeField()),
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
            options={
                "ordering": ["-created"],
            },
        ),
        migrations.CreateModel(
            name="Tournament",
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
                        default=talleyrand.web.tournaments.models.new_tournament_key,
                        max_length=16,
                        unique=True,
                    ),
                ),
                (
                    "submission",
                    models.CharField(
                        default=talleyrand.web.tournaments.models.random_token, max_length=64, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=120)),
                ("opens", models.DateField(null=True)),
                ("ends", models.DateField(null=True)),
                ("document", talleyrand.web.common.model_fields.OrderedJSONField()),
                ("version", models.PositiveIntegerField(default=0)),
                (
                    "stamp",
                    models.CharField(default=talleyrand.web.tournaments.models.random_token, max_length=32),
                ),
                ("listed", models.BooleanField(default=False)),
                ("copied", models.DateTimeField(null=True)),
                ("awards", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("created", models.DateTimeField()),
                (
                    "creator",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-opens", "-created"],
            },
        ),
        migrations.CreateModel(
            name="Photo",
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
                        default=talleyrand.web.tournaments.models.random_token, max_length=32, unique=True
                    ),
                ),
                ("round", models.PositiveIntegerField()),
                ("board", models.PositiveIntegerField()),
                ("person", models.PositiveIntegerField(default=0)),
                ("at", models.DateTimeField()),
                ("mark", models.CharField(max_length=64)),
                ("content", models.BinaryField()),
                ("width", models.PositiveIntegerField()),
                ("height", models.PositiveIntegerField()),
                ("shown", models.BooleanField(default=False)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="photos",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "round", "board", "mark"), name="one_photo_a_mark"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Pass",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("follows", models.PositiveIntegerField(null=True)),
                (
                    "key",
                    models.CharField(
                        default=talleyrand.web.tournaments.models.random_token, max_length=32, unique=True
                    ),
                ),
                ("claimed", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="passes",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="one_pass_a_person")
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("director", "Director"), ("assistant", "Assistant")], max_length=12
                    ),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "account"), name="one_role_a_tournament")
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("person", models.PositiveIntegerField(default=0)),
                ("hand", models.CharField(blank=True, default="", max_length=20)),
                ("acts", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("changes", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("undoes", models.PositiveIntegerField(null=True)),
                ("undone", models.PositiveIntegerField(null=True)),
                (
                    "once",
                    models.CharField(default=talleyrand.web.tournaments.models.random_token, max_length=64),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["-number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="one_entry_a_number"),
                    models.UniqueConstraint(fields=("tournament", "once"), name="entered_once"),
                ],
            },
        ),
    ]
