"""Seats that nobody plays: which of them call for somebody, and how they become free."""

from __future__ import annotations

from django.utils import timezone

from talleyrand.web.accounts.models import Person

from . import seats
from .models import RUNNING, Game, Tenure
from .story import Story


def to_play(game: Game) -> tuple[str, ...]:
    """The powers without a player that still have a unit or a centre, while the game is played."""
    if game.state not in RUNNING:
        return ()
    free = seats.vacant(game)
    return tuple(power for power in free if power in _alive(game)) if free else ()


def _alive(game: Game) -> frozenset[str]:
    situation = Story(game).situation(game.number) or {}
    parts = (situation.get(part) or {} for part in ("units", "dislodged", "centers"))
    alive = frozenset(power for part in parts for power, things in part.items() if things)
    # a first phase may be a draft, in which nobody has anything yet
    return alive or frozenset(seats.holders(game))


def rise(game: Game, person: Person) -> tuple[str, ...]:
    """End all that somebody plays in a game; the powers that nobody plays from now on.

    To be called inside a transaction. A stand-in keeps the seat of a player who leaves.
    """
    held = list(Tenure.objects.filter(seat__game=game, person=person, until=None).select_related("seat"))
    for tenure in held:
        power = tenure.seat.power
        others = tenure.seat.tenures.filter(until=None).exclude(pk=tenure.pk)
        if tenure.stand_in or not others.exists():
            seats.vacate(game, power, stand_in=tenure.stand_in)
        else:
            Tenure.objects.filter(pk=tenure.pk).update(until=timezone.now(), last=max(game.number - 1, 0))
    return tuple(power for power in seats.vacant(game) if power in {one.seat.power for one in held})
