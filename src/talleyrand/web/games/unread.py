"""Orders that came by mail and are not read yet: the clock waits for them, and not for long."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F

from . import dating
from .models import Game, Unread

LONGEST = timedelta(minutes=2)


def expect(game: Game, key: str, received: datetime, now: datetime) -> None:
    """Have the clock wait for orders, inside the transaction that keeps them."""
    Unread.objects.create(game=game, key=key, received=received, until=now + LONGEST)
    _changed(game.pk)


def settle(key: str, now: datetime) -> None:
    """They are read, inside the transaction that says what became of them: the clock goes on."""
    found = Unread.objects.select_related("game").filter(key=key).first()
    if found is None:
        return
    found.delete()
    _changed(found.game_id)
    dating.wake(found.game, now)


def until(game: Game, now: datetime) -> datetime | None:
    """When the clock has to look again at a game with orders that still count and are not read; None: there
    are none.
    """
    found = Unread.objects.filter(game=game, until__gt=now)
    closes = dating.closes(game, missing=True)
    if closes is not None:
        found = found.filter(received__lte=closes)
    return found.order_by("until").values_list("until", flat=True).first()


def _changed(game: int) -> None:
    Game.objects.filter(pk=game).update(version=F("version") + 1)
