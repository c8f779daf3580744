import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0001_schema"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Hook",
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
                ("address", models.CharField(max_length=500)),
                ("note", models.CharField(blank=True, default="", max_length=80)),
                ("kinds", talleyrand.web.common.model_fields.OrderedJSONField(blank=True, default=list)),
                ("submission", models.CharField(max_length=64)),
                ("seal", models.CharField(default=talleyrand.web.games.models.random_token, max_length=32)),
                ("made", models.DateTimeField()),
                ("paused", models.DateTimeField(null=True)),
                ("why", models.CharField(blank=True, default="", max_length=16)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(null=True)),
                ("rests_until", models.DateTimeField(null=True)),
                ("worker", models.CharField(blank=True, default="", max_length=64)),
                ("worker_until", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="hooks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["made", "id"],
            },
        ),
        migrations.CreateModel(
            name="Call",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.CharField(max_length=40, unique=True)),
                ("once", models.CharField(max_length=120)),
                ("kind", models.CharField(max_length=32)),
                ("about", models.CharField(blank=True, default="", max_length=80)),
                ("body", models.TextField()),
                ("made", models.DateTimeField()),
                ("due", models.DateTimeField()),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("tried", models.DateTimeField(null=True)),
                ("outcome", models.CharField(blank=True, default="", max_length=16)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer", models.CharField(blank=True, default="", max_length=200)),
                ("problem", models.CharField(blank=True, default="", max_length=16)),
                (
                    "hook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="webhooks.hook"
                    ),
                ),
            ],
            options={
                "ordering": ["-made", "-id"],
            },
        ),
        migrations.AddConstraint(
            model_name="hook",
            constraint=models.UniqueConstraint(fields=("person", "submission"), name="hook_added_once"),
        ),
        migrations.AddIndex(
            model_name="call",
            index=models.Index(condition=models.Q(("outcome", "")), fields=["due"], name="calls_waiting"),
        ),
        migrations.AddIndex(
            model_name="call",
            index=models.Index(fields=["hook", "made"], name="calls_of_hook"),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.UniqueConstraint(fields=("hook", "once"), name="called_once"),
        ),
    ]
