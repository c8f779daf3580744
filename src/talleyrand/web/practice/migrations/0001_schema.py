import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.practice.models
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("practice", "0001_initial"),
        ("practice", "0002_computers"),
        ("practice", "0003_order_of_names"),
        ("practice", "0004_opened"),
    ]

    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="PracticeGame",
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
                        default=talleyrand.web.practice.models.random_token, max_length=32, unique=True
                    ),
                ),
                (
                    "shared",
                    models.CharField(
                        default=talleyrand.web.practice.models.random_token, max_length=32, unique=True
                    ),
                ),
                (
                    "submission",
                    models.CharField(
                        default=talleyrand.web.practice.models.random_token, max_length=64, unique=True
                    ),
                ),
                ("variant", models.CharField(max_length=64)),
                ("rulebook", models.CharField(max_length=64)),
                (
                    "seed",
                    models.CharField(default=talleyrand.web.practice.models.random_token, max_length=64),
                ),
                ("plays", models.CharField(blank=True, default="", max_length=64)),
                ("start", talleyrand.web.common.model_fields.OrderedJSONField()),
                ("draft", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("bots", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("version", models.PositiveIntegerField(default=1)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("changed", models.DateTimeField(auto_now=True)),
                ("opened", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Deliberation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("worker", models.CharField(blank=True, default="", max_length=32)),
                ("beat", models.DateTimeField(null=True)),
                ("asked", models.DateTimeField(auto_now_add=True)),
                ("first", models.PositiveIntegerField()),
                ("number", models.PositiveIntegerField()),
                ("until", models.CharField(max_length=8)),
                ("submission", models.CharField(max_length=64)),
                ("found", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("visitor", models.CharField(max_length=64)),
                ("trouble", models.CharField(blank=True, default="", max_length=16)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliberation",
                        to="practice.practicegame",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="PracticeTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("phase", models.CharField(max_length=16)),
                (
                    "submission",
                    models.CharField(default=talleyrand.web.practice.models.random_token, max_length=64),
                ),
                ("situation", talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ("orders", talleyrand.web.common.model_fields.OrderedJSONField()),
                ("answer", talleyrand.web.common.model_fields.OrderedJSONField()),
                ("bots", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("played", models.DateTimeField(auto_now_add=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="practice.practicegame",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="one_turn_a_number"),
                    models.UniqueConstraint(fields=("game", "submission"), name="one_turn_a_submission"),
                ],
            },
        ),
    ]
