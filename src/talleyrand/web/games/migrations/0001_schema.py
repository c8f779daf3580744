import django.db.models.deletion
import talleyrand.web.common.model_fields
import talleyrand.web.games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("games", "0001_initial"),
        ("games", "0002_unread"),
        ("games", "0003_script_ended"),
        ("games", "0004_computer_seats"),
        ("games", "0005_lasting_lines"),
        ("games", "0006_secret_votes"),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Beat",
            fields=[
                ("worker", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Outage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Game",
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
                        default=talleyrand.web.games.models.new_game_key, max_length=16, unique=True
                    ),
                ),
                (
                    "submission",
                    models.CharField(
                        default=talleyrand.web.games.models.random_token, max_length=64, unique=True
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("variant", models.CharField(max_length=64)),
                ("script", models.CharField(blank=True, default="", max_length=64)),
                ("script_until", models.PositiveIntegerField(default=0)),
                ("rulebook", talleyrand.web.common.model_fields.OrderedJSONField()),
                ("seed", models.CharField(default=talleyrand.web.games.models.random_token, max_length=64)),
                ("kept_terms", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("gathering", "Gathering"),
                            ("playing", "Playing"),
                            ("paused", "Paused"),
                            ("ended", "Ended"),
                            ("abandoned", "Abandoned"),
                        ],
                        default="gathering",
                        max_length=12,
                    ),
                ),
                ("listed", models.BooleanField(default=True)),
                ("number", models.PositiveIntegerField(default=0)),
                ("phase", models.CharField(blank=True, default="", max_length=16)),
                ("opened", models.DateTimeField(null=True)),
                ("due", models.DateTimeField(null=True)),
                ("sweep", models.DateTimeField(db_index=True, null=True)),
                ("extended", models.PositiveIntegerField(default=0)),
                ("paused_left", models.DurationField(null=True)),
                ("waiting", models.BooleanField(default=False)),
                ("outage", models.PositiveBigIntegerField(default=0)),
                ("trouble", models.CharField(blank=True, default="", max_length=200)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("worker", models.CharField(blank=True, default="", max_length=40)),
                ("worker_until", models.DateTimeField(null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("receipts", models.PositiveIntegerField(default=0)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("started", models.DateTimeField(null=True)),
                ("ended", models.DateTimeField(null=True)),
                ("revealed", models.DateTimeField(null=True)),
                ("result", talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
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
                ("number", models.PositiveIntegerField(default=0)),
                ("kind", models.CharField(max_length=32)),
                ("facts", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("role", models.CharField(blank=True, default="", max_length=12)),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("open", models.BooleanField(default=True)),
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
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="log", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="ComputerTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("visitor", models.CharField(blank=True, default="", max_length=64)),
                ("worker", models.CharField(blank=True, default="", max_length=32)),
                ("beat", models.DateTimeField(null=True)),
                ("asked", models.DateTimeField(auto_now_add=True)),
                ("base", models.PositiveBigIntegerField(default=0)),
                ("requests", models.PositiveIntegerField(default=1)),
                ("answered", models.PositiveIntegerField(default=0)),
                ("failed", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("deaths", models.PositiveIntegerField(default=0)),
                ("waited", models.DateTimeField(null=True)),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="computer", to="games.game"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("asked", models.DateTimeField(auto_now_add=True)),
                ("withdrawn", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="absences", to="games.game"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Gazette",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("published", models.DateTimeField(auto_now_add=True)),
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
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="gazettes", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["number", "id"],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        default=talleyrand.web.games.models.random_token, max_length=32, unique=True
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("player", "Player"),
                            ("master", "Master"),
                            ("assistant", "Assistant"),
                            ("observer", "Observer"),
                        ],
                        default="player",
                        max_length=12,
                    ),
                ),
                ("power", models.CharField(blank=True, default="", max_length=32)),
                ("once", models.BooleanField(default=False)),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("revoked", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("phase", models.CharField(max_length=16)),
                ("power", models.CharField(max_length=32)),
                ("counts", models.CharField(default="now", max_length=20)),
                ("state", models.CharField(max_length=10)),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("closes", models.DateTimeField(null=True)),
                ("closed", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="proposals", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Ballot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("power", models.CharField(max_length=32)),
                ("choice", models.CharField(max_length=4)),
                ("at", models.DateTimeField(auto_now=True)),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ballots",
                        to="games.proposal",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("revision", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=12)),
                ("phase", models.CharField(blank=True, max_length=16)),
                ("situation", talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ("sheets", talleyrand.web.common.model_fields.OrderedJSONField(default=dict)),
                ("absent", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("digest", models.CharField(max_length=64)),
                ("answer", talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ("after", talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ("sealed", talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ("changes", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("reason", models.TextField(blank=True, default="")),
                ("current", models.BooleanField(default=True)),
                ("made", models.DateTimeField(auto_now_add=True)),
                ("withdrawn", models.DateTimeField(null=True)),
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
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="revisions", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["number", "revision"],
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("power", models.CharField(max_length=32)),
                ("draft", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("draft_number", models.PositiveIntegerField(default=0)),
                ("draft_at", models.DateTimeField(null=True)),
                ("final", models.BooleanField(default=False)),
                ("missed", models.PositiveIntegerField(default=0)),
                ("disorder", models.BooleanField(default=False)),
                ("bot", models.CharField(blank=True, default="", max_length=32)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Sheet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("power", models.CharField(max_length=32)),
                ("receipt", models.PositiveIntegerField()),
                ("key", models.CharField(max_length=64)),
                ("lines", talleyrand.web.common.model_fields.OrderedJSONField()),
                ("lasting", talleyrand.web.common.model_fields.OrderedJSONField(null=True)),
                ("digest", models.CharField(max_length=64)),
                ("origin", models.CharField(max_length=8)),
                ("final", models.BooleanField(default=False)),
                ("at", models.DateTimeField()),
                ("withdrawn", models.DateTimeField(null=True)),
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
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sheets", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Tenure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stand_in", models.BooleanField(default=False)),
                ("first", models.PositiveIntegerField(default=0)),
                ("last", models.PositiveIntegerField(null=True)),
                ("since", models.DateTimeField(auto_now_add=True)),
                ("until", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tenures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tenures", to="games.seat"
                    ),
                ),
            ],
            options={
                "ordering": ["since", "id"],
            },
        ),
        migrations.CreateModel(
            name="Unread",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("received", models.DateTimeField()),
                ("until", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="unread", to="games.game"
                    ),
                ),
            ],
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
                        choices=[
                            ("player", "Player"),
                            ("master", "Master"),
                            ("assistant", "Assistant"),
                            ("observer", "Observer"),
                        ],
                        max_length=12,
                    ),
                ),
                ("wishes", talleyrand.web.common.model_fields.OrderedJSONField(default=list)),
                ("joined", models.DateTimeField(auto_now_add=True)),
                ("left", models.DateTimeField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="games.game",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("left", None)),
                        fields=("game", "person"),
                        name="one_role_at_a_time",
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="proposal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("closed", None)), fields=("game",), name="one_open_proposal"
            ),
        ),
        migrations.AddConstraint(
            model_name="ballot",
            constraint=models.UniqueConstraint(fields=("proposal", "power"), name="one_ballot_a_power"),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(
                fields=("game", "number", "revision"), name="one_revision_a_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(
                condition=models.Q(("current", True)), fields=("game", "number"), name="one_current_revision"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "power"), name="one_seat_a_power"),
        ),
        migrations.AddConstraint(
            model_name="sheet",
            constraint=models.UniqueConstraint(
                fields=("game", "power", "receipt"), name="one_sheet_a_receipt"
            ),
        ),
        migrations.AddConstraint(
            model_name="sheet",
            constraint=models.UniqueConstraint(fields=("game", "key"), name="one_sheet_a_key"),
        ),
        migrations.AddConstraint(
            model_name="tenure",
            constraint=models.UniqueConstraint(
                condition=models.Q(("until", None)), fields=("seat", "stand_in"), name="one_player_a_seat"
            ),
        ),
    ]
