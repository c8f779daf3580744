import django.db.models.deletion
import django.utils.timezone
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("notices", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Device",
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
                ("name", models.CharField(max_length=60)),
                ("endpoint", models.CharField(max_length=1000)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("known", models.CharField(max_length=100)),
                ("shared", models.CharField(max_length=40)),
                ("session", models.CharField(db_index=True, max_length=40)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("reached", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="devices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["made", "id"],
            },
        ),
        migrations.CreateModel(
            name="Push",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("due", models.DateTimeField(default=django.utils.timezone.now)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("sent", models.DateTimeField(null=True)),
                ("dropped", models.CharField(blank=True, default="", max_length=16)),
                ("worker", models.CharField(blank=True, default="", max_length=40)),
                ("worker_until", models.DateTimeField(null=True)),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pushes", to="push.device"
                    ),
                ),
                (
                    "notice",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="notices.notice",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("dropped", ""), ("sent", None)),
                        fields=["due"],
                        name="pushes_waiting",
                    )
                ],
                "constraints": [models.UniqueConstraint(fields=("device", "notice"), name="pushed_once")],
            },
        ),
    ]
