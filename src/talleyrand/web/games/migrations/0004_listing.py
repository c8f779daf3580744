from typing import Any

from django.db import migrations, models

AT_ONCE = 500
FACETS = ["rulebook_name", "pace", "press", "anonymity", "language", "has_bots"]
HOUR = 3600
PACES = ((12 * HOUR, "live"), (36 * HOUR, "day"), (5 * 24 * HOUR, "days"))


# As both were when this step was made: a later version may read agreements in another way.
def listing_facets(kept: dict[str, Any], rulebook: object) -> dict[str, Any]:
    return {
        "rulebook_name": rulebook if isinstance(rulebook, str) else "own",
        "pace": pace_of(kept.get("rhythm") or {}),
        "press": kept.get("press", "full"),
        "anonymity": kept.get("anonymity", "until_end"),
        "language": kept.get("language", ""),
        "has_bots": bool(kept.get("bots")),
    }


def pace_of(rhythm: dict[str, Any]) -> str:
    rule = rhythm.get("movement") or {"seconds": rhythm.get("hours", 72) * HOUR}
    if rule.get("by") == "hand" or rule.get("seconds") == 0:
        return "hand"
    length = 7 * 24 * HOUR / len(rule["days"]) if rule.get("days") else rule.get("seconds", 0)
    return next((pace for limit, pace in PACES if length < limit), "week")


def repeat_agreements(apps: Any, editor: Any) -> None:
    games = apps.get_model("games", "Game").objects.using(editor.connection.alias)
    some = []
    for game in games.only("pk", "settings_json", "rulebook").iterator(AT_ONCE):
        for name, value in listing_facets(game.settings_json, game.rulebook).items():
            setattr(game, name, value)
        some.append(game)
        if len(some) == AT_ONCE:
            games.bulk_update(some, FACETS)
            some = []
    games.bulk_update(some, FACETS)


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
