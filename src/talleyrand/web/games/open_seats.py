"""Seats that nobody plays: which of them call for somebody, and how they become free."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from talleyrand.web.accounts.models import Person

from . import power_assignments
from .game_history import GameHistory
from .models import RUNNING_STATES, Game, GameSeat, PhaseRevision, PowerAssignment


def open_powers(game: Game) -> tuple[str, ...]:
    """The powers without a player that still have a unit or a centre, while the game is played."""
    if game.state not in RUNNING_STATES:
        return ()
    aside = power_assignments.seats_for_no_player(game)
    free = [power for power in power_assignments.unplayed_powers(game) if power not in aside]
    return tuple(power for power in free if power in _alive(game)) if free else ()


def open_powers_for(game: Game, person: Person | None) -> tuple[str, ...]:
    """Those among them that somebody may take; all of them for a visitor, who may be anybody."""
    free = open_powers(game)
    return (
        tuple(power for power in free if not power_assignments.why_barred(game, person, power))
        if person
        else free
    )


def open_powers_of_games(games: Collection[Game]) -> dict[int, tuple[str, ...]]:
    """The same for many games at once, by primary key; nothing for those in which every seat is taken."""
    running = [game.pk for game in games if game.state in RUNNING_STATES]
    free: dict[int, list[str]] = {}
    for game, power in (
        seats_without_player().filter(game__in=running).order_by("pk").values_list("game", "power")
    ):
        free.setdefault(game, []).append(power)
    by_key = {game.pk: game for game in games}
    free = {
        game: [power for power in powers if power not in power_assignments.seats_for_no_player(by_key[game])]
        for game, powers in free.items()
    }
    before = PhaseRevision.objects.filter(
        is_current=True, game__in=list(free), phase_number=F("game__phase_number") - 1
    )
    alive = {game: _living(after or {}) for game, after in before.values_list("game", "next_situation")}
    found = {
        game: tuple(power for power in powers if power in (alive.get(game) or powers))
        for game, powers in free.items()
    }
    return {game: powers for game, powers in found.items() if powers}


def seats_without_player() -> QuerySet[GameSeat]:
    """Seats of any game that nobody has, nor the computer."""
    return GameSeat.objects.filter(bot="").filter(
        ~Exists(PowerAssignment.objects.filter(seat=OuterRef("pk"), ended_at=None).exclude(person=None))
    )


def _alive(game: Game) -> frozenset[str]:
    # a first phase may be a draft, in which nobody has anything yet
    return _living(GameHistory(game).situation(game.phase_number) or {}) or frozenset(
        power_assignments.players_by_power(game)
    )


def _living(situation: Mapping[str, Any]) -> frozenset[str]:
    """The powers that have anything at the beginning of a phase."""
    parts = (situation.get(part) or {} for part in ("units", "dislodged", "centers"))
    return frozenset(power for part in parts for power, things in part.items() if things)


def end_assignments_of(game: Game, person: Person) -> tuple[str, ...]:
    """End all that somebody plays in a game; the powers that nobody plays from now on.

    To be called inside a transaction. A stand-in keeps the seat of a player who leaves.
    """
    held = list(
        PowerAssignment.objects.filter(seat__game=game, person=person, ended_at=None).select_related("seat")
    )
    for tenure in held:
        power = tenure.seat.power
        others = tenure.seat.tenures.filter(ended_at=None).exclude(pk=tenure.pk)
        if tenure.is_stand_in or not others.exists():
            power_assignments.end_assignment(game, power, stand_in=tenure.is_stand_in)
        else:
            PowerAssignment.objects.filter(pk=tenure.pk).update(
                ended_at=timezone.now(), last_phase_number=max(game.phase_number - 1, 0)
            )
    return tuple(
        power
        for power in power_assignments.unplayed_powers(game)
        if power in {one.seat.power for one in held}
    )
