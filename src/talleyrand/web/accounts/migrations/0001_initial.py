import talleyrand.web.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                ("name", models.CharField(max_length=40, unique=True, verbose_name="name")),
                ("folded", models.CharField(editable=False, max_length=80, unique=True)),
                (
                    "email",
                    models.EmailField(blank=True, default="", max_length=254, verbose_name="e-mail address"),
                ),
                ("language", models.CharField(default="fr", max_length=2)),
                ("zone", models.CharField(default="Europe/Paris", max_length=64)),
                ("choices", talleyrand.web.fields.OrderedJSONField(blank=True, default=dict)),
                ("is_active", models.BooleanField(default=True)),
                ("is_administrator", models.BooleanField(default=False)),
                ("joined", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "abstract": False,
            },
        ),
    ]
