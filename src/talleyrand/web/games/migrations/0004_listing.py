from typing import Any

from django.db import migrations, models

from talleyrand.web.games.game_settings import listing_facets

AT_ONCE = 500
COLUMNS = ["rulebook_name", "pace", "press", "anonymity", "language", "has_bots"]


def repeat_agreements(apps: Any, editor: Any) -> None:
    games = apps.get_model("games", "Game").objects.using(editor.connection.alias)
    some = []
    for game in games.only("pk", "settings_json", "rulebook").iterator(AT_ONCE):
        for name, value in listing_facets(game.settings_json, game.rulebook).items():
            if name in COLUMNS:
                setattr(game, name, value)
        some.append(game)
        if len(some) == AT_ONCE:
            games.bulk_update(some, COLUMNS)
            some = []
    games.bulk_update(some, COLUMNS)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_proposals_by_mail")]

    operations = [
        migrations.AddField("game", "rulebook_name", models.CharField(max_length=64, default="")),
        migrations.AddField("game", "pace", models.CharField(max_length=8, default="days")),
        migrations.AddField("game", "press", models.CharField(max_length=8, default="full")),
        migrations.AddField("game", "anonymity", models.CharField(max_length=12, default="until_end")),
        migrations.AddField("game", "language", models.CharField(max_length=8, blank=True, default="")),
        migrations.AddField("game", "has_bots", models.BooleanField(default=False)),
        migrations.RunPython(repeat_agreements, migrations.RunPython.noop),
        migrations.AddIndex(
            "game", models.Index(fields=["is_listed", "state", "id"], name="listed_by_state")
        ),
    ]
