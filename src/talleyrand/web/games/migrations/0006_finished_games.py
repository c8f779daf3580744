from typing import Any

from django.db import migrations
from django.utils import timezone


def count_games_that_are_over(apps: Any, editor: Any) -> None:
    """Their players are counted behind the pages."""
    game, finished = apps.get_model("games", "Game"), apps.get_model("games", "FinishedGame")
    here = editor.connection.alias  # also the copy that a site is moved to
    over = game.objects.using(here).filter(state__in=("ended", "abandoned"), is_listed=True, phase_number__gt=0)
    over = over.exclude(ended_at=None).order_by("ended_at", "pk").values_list("pk", "ended_at")
    now = timezone.now()
    finished.objects.using(here).bulk_create(
        (finished(game_id=key, ended_at=ended, due_at=now) for key, ended in over.iterator()), batch_size=500
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0005_player_records")]

    operations = [migrations.RunPython(count_games_that_are_over, migrations.RunPython.noop)]
