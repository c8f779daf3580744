import django.db.models.deletion
import talleyrand.web.common.model_fields
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("tournaments", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Chat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=500)),
                ("form", models.CharField(max_length=12)),
                ("language", models.CharField(max_length=2)),
                ("kinds", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("posted", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("reached", models.DateTimeField(null=True)),
                ("failed", models.DateTimeField(null=True)),
                ("problem", models.CharField(blank=True, default="", max_length=16)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("paused", models.DateTimeField(null=True)),
                ("worker", models.CharField(blank=True, default="", max_length=64)),
                ("worker_until", models.DateTimeField(null=True)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chat",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Telling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("wanted", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("told", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("heard", models.IntegerField(default=-1)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="telling",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Post",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("once", models.CharField(max_length=120)),
                ("kind", models.CharField(max_length=16)),
                ("body", models.TextField()),
                ("made", models.DateTimeField()),
                ("due", models.DateTimeField()),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("outcome", models.CharField(blank=True, default="", max_length=12)),
                (
                    "chat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="posts",
                        to="tournament_news.chat",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(condition=models.Q(("outcome", "")), fields=["due"], name="posts_waiting")
                ],
                "constraints": [models.UniqueConstraint(fields=("chat", "once"), name="posted_once")],
            },
        ),
        migrations.CreateModel(
            name="Quiet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("since", models.DateTimeField(auto_now_add=True)),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="quiet",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("tournament", "number"), name="quiet_once")],
            },
        ),
    ]
