"""Orders that came by mail and are not read yet: the clock waits for them, and not for long."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F

from . import phase_deadlines
from .models import Game, UnreadEmailOrders

LONGEST_WAIT = timedelta(minutes=2)


def wait_for_orders(game: Game, key: str, received: datetime, now: datetime) -> None:
    """Have the clock wait for orders, inside the transaction that keeps them."""
    UnreadEmailOrders.objects.create(
        game=game, delivery_key=key, received_at=received, wait_until=now + LONGEST_WAIT
    )
    _changed(game.pk)


def orders_were_read(key: str, now: datetime) -> None:
    """They are read, inside the transaction that says what became of them: the clock goes on."""
    found = UnreadEmailOrders.objects.select_related("game").filter(delivery_key=key).first()
    if found is None:
        return
    found.delete()
    _changed(found.game_id)
    phase_deadlines.wake_clock(found.game, now)


def wait_until(game: Game, now: datetime) -> datetime | None:
    """When the clock has to look again at a game with orders that still count and are not read; None: there
    are none.
    """
    found = UnreadEmailOrders.objects.filter(game=game, wait_until__gt=now)
    closes = phase_deadlines.orders_accepted_until(game, missing=True)
    if closes is not None:
        found = found.filter(received_at__lte=closes)
    return found.order_by("wait_until").values_list("wait_until", flat=True).first()


def _changed(game: int) -> None:
    Game.objects.filter(pk=game).update(version=F("version") + 1)
