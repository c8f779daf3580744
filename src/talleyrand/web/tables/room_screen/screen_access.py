"""Who may open the screen of a table: its referee’s browser, and a device that has the screen’s code."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from talleyrand.web.tables import table_seats
from talleyrand.web.tables.models import Table

SCREENS_SESSION_KEY = "table_screens"  # keys of the games whose screen this browser may show
MOST_SCREENS = 20


def admit_screen(request: HttpRequest, table: Table) -> None:
    """This browser may show the screen of the table from now on."""
    kept = [one for one in request.session.get(SCREENS_SESSION_KEY, ()) if one != table.game.key]
    request.session[SCREENS_SESSION_KEY] = [*kept, table.game.key][-MOST_SCREENS:]


def is_referee(request: HttpRequest, key: str) -> bool:
    """Whether this browser is a referee’s: it may turn the pages of the reading."""
    player = table_seats.seated_player(request, key)
    return player is not None and player.is_referee


def screen_table_or_404(request: HttpRequest, key: str) -> Table:
    """The table whose screen this browser may show; raises Http404 for others."""
    if key not in request.session.get(SCREENS_SESSION_KEY, ()) and not is_referee(request, key):
        raise Http404
    found = Table.objects.select_related("game").filter(game__key=key).first()
    if found is None:
        raise Http404
    return found
