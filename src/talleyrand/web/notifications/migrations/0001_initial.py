import django.db.models.deletion
import django.utils.timezone
import talleyrand.web.common.model_fields
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Counter",
            fields=[
                ("topic", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("version", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=32)),
                ("facts", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("about", models.CharField(blank=True, default="", max_length=80)),
                ("path", models.CharField(blank=True, default="", max_length=200)),
                ("once", models.CharField(max_length=120)),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("read", models.DateTimeField(null=True)),
                ("shown", models.BooleanField(default=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-made", "-id"],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("channel", models.CharField(max_length=16)),
                ("due", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent", models.DateTimeField(null=True)),
                (
                    "notice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="notices.notice",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("read", None), ("shown", True)),
                fields=["person", "made"],
                name="unread_news",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(fields=("person", "once"), name="told_once"),
        ),
        migrations.AddConstraint(
            model_name="delivery",
            constraint=models.UniqueConstraint(fields=("notice", "channel"), name="delivered_once"),
        ),
    ]
