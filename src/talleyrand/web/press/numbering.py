"""Short numbers by which the game master names a letter: its place among all the letters of its game.

They stay the same whatever becomes of a letter, and tell how many were written: only he reads them.
"""

from __future__ import annotations

from talleyrand.web.games.sight import Sight

from . import seen
from .models import Letter


def number(letter: Letter) -> int:
    """The number of a letter in its game, from 1."""
    return Letter.objects.filter(room__game=letter.room.game_id, pk__lte=letter.pk).count()


def find(sight: Sight, number: int) -> Letter | None:
    """The players’ letter of that number, waiting or not any more; None for whoever is no game master."""
    if not sight.is_master or number < 1:
        return None
    keys = Letter.objects.filter(room__game=sight.game).order_by("pk").values_list("pk", flat=True)
    found = keys[number - 1 : number].first() if number <= keys.count() else None
    return seen.letters(sight).exclude(writer="").filter(pk=found).first() if found else None
