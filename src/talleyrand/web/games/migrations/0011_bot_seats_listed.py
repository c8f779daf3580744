from typing import Any

from django.db import migrations, models

AT_ONCE = 500


def repeat_agreements(apps: Any, editor: Any) -> None:
    games = apps.get_model("games", "Game").objects.using(editor.connection.alias)
    offering = [
        game.pk
        for game in games.filter(has_bots=True).only("pk", "settings_json").iterator(AT_ONCE)
        if game.settings_json.get("bots") and game.settings_json.get("bot_seats_open")
    ]
    for start in range(0, len(offering), AT_ONCE):
        games.filter(pk__in=offering[start : start + AT_ONCE]).update(offers_bot_seats=True)


class Migration(migrations.Migration):
    dependencies = [("games", "0010_bot_letters")]

    operations = [
        migrations.AddField("game", "offers_bot_seats", models.BooleanField(default=False)),
        migrations.RunPython(repeat_agreements, migrations.RunPython.noop),
    ]
