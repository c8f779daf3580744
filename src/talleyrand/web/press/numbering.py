"""Short numbers by which the game master names a letter: its place among all the letters of its game.

They stay the same whatever becomes of a letter, and tell how many were written: only he reads them.
"""

from __future__ import annotations

from talleyrand.web.games.viewer_permissions import GameViewer

from . import message_visibility
from .models import Message


def message_number(letter: Message) -> int:
    """The number of a letter in its game, from 1."""
    return Message.objects.filter(conversation__game=letter.conversation.game_id, pk__lte=letter.pk).count()


def message_by_number(sight: GameViewer, number: int) -> Message | None:
    """The players’ letter of that number, waiting or not any more; None for whoever is no game master."""
    if not sight.is_game_master or number < 1:
        return None
    keys = Message.objects.filter(conversation__game=sight.game).order_by("pk").values_list("pk", flat=True)
    found = keys[number - 1 : number].first() if number <= keys.count() else None
    return (
        message_visibility.visible_messages(sight).exclude(author_power="").filter(pk=found).first()
        if found
        else None
    )
