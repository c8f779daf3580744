"""Pauses of games without game master: they rest while all players want them to."""

from __future__ import annotations

from datetime import datetime

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_lifecycle, game_log, power_assignments, recipients
from talleyrand.web.games.models import Game, GameLogEntry, GameRole, GameState

from .lobby_refusals import LobbyRefusal
from .membership_actions import bump_game_topic, lock_game, members_with_role

PAUSE_ASKED, PAUSED, RESUMED = "pause_asked", "paused", "resumed"


def powers_asking_for_pause(game: Game) -> frozenset[str]:
    """The powers whose players have asked for a pause since the phase opened, or since the last one."""
    powers: set[str] = set()
    kinds = (PAUSE_ASKED, PAUSED, RESUMED)
    for entry in GameLogEntry.objects.filter(
        game=game, phase_number=game.phase_number, kind__in=kinds
    ).order_by("pk"):
        powers = powers | set(entry.facts["powers"]) if entry.kind == PAUSE_ASKED else set()
    return frozenset(powers)


def powers_needed_for_pause(game: Game) -> frozenset[str]:
    """The powers that have to agree: those that somebody plays, and is waited for."""
    lost = set(game.seats.filter(in_civil_disorder=True).values_list("power", flat=True))
    holders = power_assignments.players_by_power(game)
    return frozenset(power for power, person in holders.items() if person is not None and power not in lost)


@write_transaction
def ask_for_pause(game: Game, person: Person, now: datetime) -> bool:
    """Ask for a pause: with a game master he is told, without one it begins once all have asked.

    Whether the game rests now. Raises LobbyRefusal.
    """
    fresh = lock_game(game)
    if fresh.state != GameState.PLAYING:
        raise LobbyRefusal("paused" if fresh.state == GameState.PAUSED else "not_begun")
    powers = power_assignments.powers_played_by(fresh, person)
    if not powers:
        raise LobbyRefusal("not_yours")
    if set(powers) <= powers_asking_for_pause(fresh):
        raise LobbyRefusal("asked")
    game_log.add_log_entry(fresh, PAUSE_ASKED, role=GameRole.PLAYER, by=person, powers=list(powers))
    bump_game_topic(fresh)
    if members_with_role(fresh, GameRole.GAME_MASTER):
        once = f"pause_asked:{fresh.phase_number}:{powers[0]}"
        recipients.notify_about_game(
            fresh, recipients.game_master_ids(fresh), "pause_asked", once, powers=list(powers)
        )
        return False
    if not powers_needed_for_pause(fresh) <= powers_asking_for_pause(fresh):
        return False
    game_lifecycle.pause_game(fresh, now)
    game_log.add_log_entry(fresh, PAUSED, powers=sorted(powers_needed_for_pause(fresh)))
    return True


@write_transaction
def end_pause(game: Game, person: Person, now: datetime) -> None:
    """One player is enough to end a pause that all wanted. Raises LobbyRefusal."""
    fresh = lock_game(game)
    if fresh.state != GameState.PAUSED:
        raise LobbyRefusal("running")
    powers = power_assignments.powers_played_by(fresh, person)
    if not powers or members_with_role(fresh, GameRole.GAME_MASTER):
        raise LobbyRefusal("not_yours")
    game_lifecycle.resume_game(fresh, now)
    game_log.add_log_entry(fresh, RESUMED, role=GameRole.PLAYER, by=person, powers=list(powers))
