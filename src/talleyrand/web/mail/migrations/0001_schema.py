import django.db.models.deletion
import django.utils.timezone
import talleyrand.web.common.model_fields
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [("mail", "0001_initial"), ("mail", "0002_unsubscribe")]

    initial = True

    dependencies = [
        ("games", "0001_schema"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Gate",
            fields=[
                ("name", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("opens", models.DateTimeField(null=True)),
                ("failures", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Message",
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
                ("data", models.BinaryField()),
                ("envelope", models.CharField(blank=True, default="", max_length=320)),
                ("received", models.DateTimeField()),
                ("kept", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Unwilling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("since", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Mailbox",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "door",
                    models.CharField(
                        choices=[
                            ("orders", "Orders"),
                            ("letter", "Letter"),
                            ("desk", "Desk"),
                            ("join", "Join"),
                            ("return", "Return"),
                        ],
                        max_length=8,
                    ),
                ),
                ("power", models.CharField(blank=True, default="", max_length=32)),
                ("to", models.CharField(blank=True, default="", max_length=600)),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("revoked", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mailboxes",
                        to="games.game",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mailboxes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Departure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(blank=True, default="", max_length=320)),
                ("power", models.CharField(blank=True, default="", max_length=32)),
                ("kind", models.CharField(max_length=16)),
                ("once", models.CharField(max_length=160)),
                ("sender", models.CharField(blank=True, default="", max_length=160)),
                ("subject", models.CharField(max_length=250)),
                ("text", models.TextField()),
                ("thread", models.CharField(blank=True, default="", max_length=64)),
                ("unsubscribe", models.CharField(blank=True, default="", max_length=300)),
                (
                    "token",
                    models.CharField(
                        default=talleyrand.web.games.models.random_token, max_length=32, unique=True
                    ),
                ),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("due", models.DateTimeField(default=django.utils.timezone.now)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("tried", models.DateTimeField(db_index=True, null=True)),
                ("worker", models.CharField(blank=True, default="", max_length=40)),
                ("worker_until", models.DateTimeField(null=True)),
                ("sent", models.DateTimeField(null=True)),
                ("dropped", models.CharField(blank=True, default="", max_length=24)),
                ("refusal", models.CharField(blank=True, default="", max_length=500)),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="departures",
                        to="games.game",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="departures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "mailbox",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="mail.mailbox",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Arrival",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("same", models.CharField(max_length=64)),
                ("outcome", models.CharField(blank=True, default="", max_length=24)),
                ("facts", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("sorted", models.DateTimeField(null=True)),
                ("worker", models.CharField(blank=True, default="", max_length=40)),
                ("worker_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                (
                    "mailbox",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="arrivals",
                        to="mail.mailbox",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="arrivals",
                        to="mail.message",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Offer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("language", models.CharField(max_length=2)),
                ("submission", models.CharField(max_length=64)),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("answer", models.CharField(blank=True, default="", max_length=10)),
                ("answered", models.DateTimeField(null=True)),
                ("same", models.CharField(blank=True, default="", max_length=64)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="offers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "mailbox",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="offer", to="mail.mailbox"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Unreached",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=320)),
                ("days", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("status", models.CharField(blank=True, default="", max_length=16)),
                ("paused", models.DateTimeField(null=True)),
                (
                    "person",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="unreached",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Correspondent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("until", models.DateTimeField(null=True)),
                ("heard_game", models.BigIntegerField(default=-1)),
                ("heard_person", models.BigIntegerField(default=-1)),
                ("looks", models.PositiveIntegerField(default=0)),
                ("looked", models.DateTimeField(null=True)),
                ("again", models.DateTimeField(default=django.utils.timezone.now)),
                ("welcomed", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="correspondents",
                        to="games.game",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="correspondences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("until", None)),
                        fields=("game", "person"),
                        name="one_correspondence_at_a_time",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="mailbox",
            constraint=models.UniqueConstraint(
                condition=models.Q(("revoked", None)),
                fields=("door", "game", "person", "power", "to"),
                name="one_mailbox_a_right",
            ),
        ),
        migrations.AddIndex(
            model_name="departure",
            index=models.Index(
                condition=models.Q(("dropped", ""), ("sent", None)), fields=["due"], name="mail_to_leave"
            ),
        ),
        migrations.AddConstraint(
            model_name="departure",
            constraint=models.UniqueConstraint(fields=("person", "once"), name="leaves_once"),
        ),
        migrations.AddConstraint(
            model_name="departure",
            constraint=models.UniqueConstraint(
                condition=models.Q(("person", None)),
                fields=("address", "once"),
                name="leaves_once_for_strangers",
            ),
        ),
        migrations.AddIndex(
            model_name="arrival",
            index=models.Index(condition=models.Q(("outcome", "")), fields=["id"], name="unsorted_mail"),
        ),
        migrations.AddIndex(
            model_name="arrival",
            index=models.Index(fields=["mailbox", "same"], name="same_mail"),
        ),
        migrations.AddConstraint(
            model_name="arrival",
            constraint=models.UniqueConstraint(fields=("message", "mailbox"), name="one_arrival_a_mailbox"),
        ),
    ]
