"""Seats that nobody plays: which of them call for somebody, and how they become free."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person

from . import seats
from .models import RUNNING, Game, Revision, Seat, Tenure
from .story import Story


def to_play(game: Game) -> tuple[str, ...]:
    """The powers without a player that still have a unit or a centre, while the game is played."""
    if game.state not in RUNNING:
        return ()
    aside = seats.set_aside(game)
    free = [power for power in seats.vacant(game) if power not in aside]
    return tuple(power for power in free if power in _alive(game)) if free else ()


def open_to(game: Game, person: Person | None) -> tuple[str, ...]:
    """Those among them that somebody may take; all of them for a visitor, who may be anybody."""
    free = to_play(game)
    return tuple(power for power in free if not seats.bar(game, person, power)) if person else free


def to_play_of(games: Collection[Game]) -> dict[int, tuple[str, ...]]:
    """The same for many games at once, by primary key; nothing for those in which every seat is taken."""
    running = [game.pk for game in games if game.state in RUNNING]
    free: dict[int, list[str]] = {}
    for game, power in unplayed().filter(game__in=running).order_by("pk").values_list("game", "power"):
        free.setdefault(game, []).append(power)
    by_key = {game.pk: game for game in games}
    free = {
        game: [power for power in powers if power not in seats.set_aside(by_key[game])]
        for game, powers in free.items()
    }
    before = Revision.objects.filter(current=True, game__in=list(free), number=F("game__number") - 1)
    alive = {game: _living(after or {}) for game, after in before.values_list("game", "after")}
    found = {
        game: tuple(power for power in powers if power in (alive.get(game) or powers))
        for game, powers in free.items()
    }
    return {game: powers for game, powers in found.items() if powers}


def unplayed() -> QuerySet[Seat]:
    """Seats of any game that nobody has, nor the computer."""
    return Seat.objects.filter(bot="").filter(
        ~Exists(Tenure.objects.filter(seat=OuterRef("pk"), until=None).exclude(person=None))
    )


def _alive(game: Game) -> frozenset[str]:
    # a first phase may be a draft, in which nobody has anything yet
    return _living(Story(game).situation(game.number) or {}) or frozenset(seats.holders(game))


def _living(situation: Mapping[str, Any]) -> frozenset[str]:
    """The powers that have anything at the beginning of a phase."""
    parts = (situation.get(part) or {} for part in ("units", "dislodged", "centers"))
    return frozenset(power for part in parts for power, things in part.items() if things)


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
