"""Games whose players were told to come back with their orders: the clock waits, and not for long."""

from __future__ import annotations

import logging
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import DatabaseError, connection
from django.db.models import F
from django.utils import timezone

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.limits.first_tries import COUNTS_FOR

from . import phase_deadlines
from .models import Game, GameState, UnreadEmailOrders

BACK_WITHIN = timedelta(seconds=10)  # of when they were told to be back: lines are slow
GATHERED_FOR = 0.5  # seconds: the clock settles later
KEY = "returning:"
FirstTries = Mapping[str, Sequence[tuple[datetime, datetime]]]  # and when they are to be back

logger = logging.getLogger(__name__)


class ReturningOrders:
    """What the threads of a process tell of such games, written together: one by one it would cost as much as
    the orders.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told: dict[str, list[tuple[datetime, datetime]]] = defaultdict(list)

    def note(self, game: str, first: datetime, back: datetime) -> None:
        """Somebody who first brought orders for a game at that moment is told to come back at the other."""
        with self._lock:
            begins = not self._told
            self._told[game].append((first, back))
        if begins:
            timer = threading.Timer(GATHERED_FOR, self.keep)
            timer.daemon = True
            timer.start()

    def keep(self) -> None:
        """Write down what was told since the last time."""
        with self._lock:
            told, self._told = self._told, defaultdict(list)
        try:
            wait_for_return(told, timezone.now())
        except DatabaseError:
            logger.exception("the clock does not know of %d games with orders to come back", len(told))
        finally:
            connection.close()


@write_transaction
def wait_for_return(told: FirstTries, now: datetime) -> None:
    """Have the clock wait, in games whose phase ends about now, for those who first tried in time."""
    UnreadEmailOrders.objects.filter(delivery_key__startswith=KEY, wait_until__lt=now).delete()
    last = max((back for tries in told.values() for _, back in tries), default=now) + BACK_WITHIN
    ending = Game.objects.filter(key__in=told, state=GameState.PLAYING, deadline__lte=last)
    known = UnreadEmailOrders.objects.filter(delivery_key__startswith=KEY, game__in=ending)
    waiting = dict(known.values_list("game", "wait_until"))
    rows = []
    for game in ending:
        closes = phase_deadlines.orders_accepted_until(game, missing=True)
        if closes is None:  # past its date it waits for the missing orders themselves
            continue
        in_time = [one for one in told[game.key] if one[0] <= closes]
        needed = (min(back + BACK_WITHIN, first + COUNTS_FOR) for first, back in in_time)
        until = max((*needed, waiting.get(game.pk, now)))
        if in_time and game.deadline is not None and game.deadline <= until:
            rows.append(
                UnreadEmailOrders(
                    game=game,
                    delivery_key=f"{KEY}{game.pk}",
                    received_at=max(first for first, _ in in_time),
                    wait_until=until,
                )
            )
    UnreadEmailOrders.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["delivery_key"],
        update_fields=["received_at", "wait_until"],
    )
    Game.objects.filter(pk__in=[row.game_id for row in rows]).update(version=F("version") + 1)
