"""Intimate Diplomacy between bots: whole games, every rule held after each phase."""

from __future__ import annotations

from typing import Any

from talleyrand import rulebooks
from talleyrand.engine.position import Position
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.bots.bot_registry import by_name
from talleyrand.simulation.engine_game import EngineGame
from talleyrand.variants import load
from tests import draws

DUEL = load("intimate").definition
BOARD, BOOK = DUEL.board, rulebooks.load("anjou_feu").adjudication_rules
GAMES, LAST_YEAR = 200, 1908
SIDES = ("FIRST", "SECOND")


def played(number: int) -> EngineGame:
    """A game of two bots, with every rule held against each of its phases."""
    bots = {side: by_name("values") for side in SIDES}
    game = EngineGame(BotContext(DUEL, BOOK), bots, 26, number, LAST_YEAR)
    while not game.over:
        before = game.position
        game.step()
        holds(before, game)
    return game


def holds(before: Position, game: EngineGame) -> None:
    """What the rules promise of the phase that was just played."""
    assert game.resolved_phase
    outcome, state = game.resolved_phase.outcome, told(before)
    assert not outcome.refused, [str(one) for one in outcome.refused]
    after = told(outcome.position_after)
    alone = {p for p in BOARD.powers if p not in SIDES and not DUEL.leader(before, p)}
    if before.phase.kind == "M":
        standing = {unit for unit in before.units if unit.power in alone}
        fallen = {one.unit for one in outcome.dislodged}
        assert standing <= {*outcome.units, *fallen}, "who is not commanded holds"
        for one in outcome.verdicts:
            unit = before.units_by_province[one.unit.province]
            assert one.power == (DUEL.leader(before, unit.power) or unit.power)
    if before.phase.kind == "A":
        assert not {one.power for one in outcome.units} & alone - {one.power for one in before.units}
    if before.phase.kind == "B":
        bids, paid = outcome.findings["bids"], outcome.findings["paid"]
        assert isinstance(bids, dict)
        assert isinstance(paid, dict)
        for side in SIDES:
            assert sum(bids[side].values()) <= state["credits"][side]
            assert after["credits"][side] == state["credits"][side] - paid[side] >= 0
        for power, side in after.get("hired", {}).items():
            other = SIDES[side == "FIRST"]
            assert bids[side][power] > bids[other].get(power, 0)
    if game.winner:
        (winner,) = game.winner
        homes = {side: after["homes"][side] for side in SIDES}
        loser = homes[SIDES[winner == "FIRST"]]
        taken = {u.power for u in outcome.units if u.province in BOARD.homes[loser]}
        assert homes[winner] in taken or not any(u.power == loser for u in outcome.units)


def told(position: Position) -> dict[str, Any]:
    assert DUEL.politics
    return dict(DUEL.politics.write_state(BOARD, position))


def test_bots_play_whole_games_by_every_rule(full: bool, draw: str) -> None:
    numbers = range(GAMES) if full else draws.one_in(GAMES // 5, range(GAMES), draw)
    games = [played(number) for number in numbers]
    assert {str(game.position.phase)[-1] for game in games} <= set("HBMRA")
    assert not full or sum(bool(game.winner) for game in games) > GAMES // 4
