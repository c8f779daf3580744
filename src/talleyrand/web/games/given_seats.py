"""Seats that the rules give to whoever plays another: who has them as phases pass and players change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from talleyrand import variants
from talleyrand.formats import question_input
from talleyrand.web.boards import adjudicator

from . import game_log, power_assignments, recipients
from .game_history import GameHistory
from .models import Game, Json

SeatHeirs = Mapping[str, Sequence[str]]


def seat_heirs(game: Game, situation: Json | None) -> SeatHeirs:
    """The seats that the rules give in a phase, and the powers whose player has each, if a phase is."""
    politics = variants.load(game.variant).definition.politics
    if situation is None or politics is None or not power_assignments.seats_given_by_rules(game):
        return {}
    asked = adjudicator.make_question(game.variant, game.rulebook, game.seed, situation)
    return politics.given_seats(question_input.read_question(asked).position)


def give_seats(game: Game, heirs: SeatHeirs, *, following: bool = False) -> None:
    """Give those that nobody plays to whoever plays their heirs, inside a transaction; they are told, and the
    log: that it joins a side, or is `following` the player of its side.
    """
    for power, heir in power_assignments.give_seats(game, heirs).items():
        game_log.add_log_entry(
            game, "seat_followed" if following else "given_seat", power=power, powers=list(heirs[power])
        )
        who = power_assignments.player_of(game, heir)
        once = f"given:{power}:{game.phase_number}:{game.version}"
        recipients.notify_about_game(game, [who] if who else [], "given", once, power=power)


def follow_players(game: Game, changed: str) -> None:
    """After the power `changed` got another player, or none: a given seat whose player has no power of its
    side any more goes to whoever has, or to nobody. Inside a transaction, while the game is played.
    """
    if not power_assignments.seats_given_by_rules(game):
        return
    following = seat_heirs(game, GameHistory(game).situation(game.phase_number))
    heirs = {power: others for power, others in following.items() if changed in others}
    players, bots = power_assignments.players_by_power(game), power_assignments.bots_by_power(game)
    for power, others in heirs.items():
        hands = {players.get(other) or bots.get(other) for other in others}
        mine = players.get(power) or bots.get(power)
        if mine and mine not in hands:
            power_assignments.end_assignment(game, power)
    give_seats(game, heirs, following=True)
