"""Games played in arrays, and the same phases played by the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from talleyrand.engine import game
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Order, Waive
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.simulation import array_layout, bots
from talleyrand.simulation.array_layout import NONE, UInt16Array
from talleyrand.simulation.bots.bot_context import BotContext
from talleyrand.simulation.bots.random_streams import stream_starts
from talleyrand.simulation.game_runner import GameBatch, GameRunner

Ordering = Callable[[GameRunner, GameBatch], UInt16Array]
Sheets = Mapping[str, Sequence[Order]]


# who orders ---------------------------------------------------------------------------------------


def by_lot(seed: str, *, omitted: float = 0.1, spoilt: float = 0.3) -> Ordering:
    """Legal orders drawn by lot, some of them left out; in some games, rows of any numbers among them."""
    lot = np.random.default_rng(list(seed.encode()))

    def order(referee: GameRunner, games: GameBatch) -> UInt16Array:
        options = referee.legal_orders(games)
        sheets = options.choose(lot.random((len(games), len(referee.names.provinces))))
        sheets[:, array_layout.ORDER_KIND][lot.random(sheets[:, 0].shape) < omitted] = NONE
        for at in np.flatnonzero(lot.random(len(games)) < spoilt):
            _spoil(referee, sheets[at], games.places[at, array_layout.KIND] != NONE, lot)
        return sheets

    return order


def _spoil(referee: GameRunner, sheet: UInt16Array, occupied: UInt16Array, lot: np.random.Generator) -> None:
    """Write some rows of any numbers, most of them for units that are there, about units that are there."""
    here = np.flatnonzero(occupied)
    anywhere = np.arange(sheet.shape[1])
    for _ in range(lot.integers(1, 6)):
        at = lot.choice(here if len(here) and lot.random() < 0.8 else anywhere)
        target = lot.choice(here) if len(here) and lot.random() < 0.8 else lot.integers(sheet.shape[1] + 3)
        goal = lot.integers(len(referee.names.locations) + 2)
        sheet[:, at] = lot.integers(10), target, goal, lot.integers(2)
        if lot.random() < 0.1:
            sheet[array_layout.ORDER_TARGET :, at] = NONE


def by_bots(seed: int, *names: str) -> Ordering:
    """The powers are played by these bots in turn; a variant's own phase by lot."""
    players = [bots.by_name(name, "easy") for name in names]
    own = by_lot(str(seed), omitted=0, spoilt=0)
    facts: list[BotContext] = []
    phases = iter(range(10**6))

    def order(referee: GameRunner, games: GameBatch) -> UInt16Array:
        if (games.clock[:, array_layout.STAGE] == array_layout.VARIANT_PHASE_KIND).any():
            return own(referee, games)
        if not facts:
            facts.append(BotContext(referee.setting, referee.book))
        sheets, powers = games.blank_orders(), len(referee.names.powers)
        streams = stream_starts(seed, range(len(games)), next(phases), powers)
        for number, player in enumerate(players):
            asked = np.zeros((len(games), powers), np.bool_)
            asked[:, number :: len(players)] = True
            player.write_orders(facts[0], games, asked, sheets, streams)
        return sheets

    return order


# what was played ----------------------------------------------------------------------------------


def played(
    referee: GameRunner, count: int, order: Ordering
) -> Iterator[tuple[GameBatch, UInt16Array, GameBatch, Mapping[str, int]]]:
    """Every step of so many games: the games before, the sheets, the games after, what the engine played."""
    games = referee.start(count, [f"lot {number}" for number in range(count)])
    while not games.over.all():
        sheets, before = order(referee, games), games.copy_games(range(count))
        step = referee.step(games, sheets)
        by_engine = {str(why): number for why, number in step.left_to_engine.items()}
        yield before, sheets, games, {**by_engine, "illegal": step.illegal}


def compare(referee: GameRunner, count: int, order: Ordering) -> Counter[str]:
    """Play games, and every phase of them by the engine; fails where the two differ. Gives what was seen."""
    seen: Counter[str] = Counter()
    for before, sheets, after, counted in played(referee, count, order):
        seen.update(counted)
        for at in np.flatnonzero(~before.over):
            seen.update(same_step(referee, before, sheets, after, int(at)))
    assert seen["illegal"] == seen["refused"]
    return seen


def same_step(
    referee: GameRunner, before: GameBatch, sheets: UInt16Array, after: GameBatch, at: int
) -> dict[str, int]:
    """Fails unless the engine comes to the same from one game's position; gives its phase and how many orders
    it refuses."""
    position = referee.read(before, at)
    orders = _legal(referee, position, referee.orders_of(before, at, sheets))
    turn = game.play_phase(referee.setting, position, orders, referee.book)
    assert stands(referee, after, at) == reached(referee, turn), (position, orders, referee.book)
    return {position.phase.kind: 1, "refused": _written(sheets[at]) - sum(map(len, orders.values()))}


def _written(sheet: UInt16Array) -> int:
    return int((sheet[array_layout.ORDER_KIND] != NONE).sum())


def _legal(referee: GameRunner, position: Position, sheets: Sheets) -> dict[str, list[Order]]:
    """The orders that the engine takes as they stand."""
    rules = referee.setting.rules_for(position.phase)
    board, book = referee.board, referee.book
    if position.phase.kind == "M":
        return {
            power: [one for one in orders if rules.check_order(board, position, power, one, book) == one]
            for power, orders in sheets.items()
        }
    listed = {power: set(rules.legal_orders(board, position, power, book)) for power in sheets}
    return {power: [one for one in orders if one in listed[power]] for power, orders in sheets.items()}


def stands(referee: GameRunner, games: GameBatch, at: int) -> object:
    """Where a game in arrays stands, in an order of its own."""
    position = plain(referee.read(games, at), referee.setting)
    winner = int(games.clock[at, array_layout.WINNER])
    if winner != array_layout.NOBODY:
        return referee.names.powers[winner], position.units, position.centres
    return position, bool(games.over[at])


def reached(referee: GameRunner, turn: game.ResolvedPhase) -> object:
    """Where the engine's game stands, likewise."""
    if turn.next_position is None:
        after = plain(turn.outcome.position_after, referee.setting)
        return turn.winner[0], after.units, after.centres
    late = referee.until is not None and turn.next_position.phase.year > referee.until
    return plain(turn.next_position, referee.setting), late


def plain(position: Position, setting: GameDefinition) -> Position:
    """The same position with everything in order, and every power among the owners."""
    owners = {power: tuple(sorted(position.owned_by(power))) for power in setting.board.powers}
    before = position.centres_before
    return replace(
        position,
        units=tuple(sorted(position.units)),
        dislodged=tuple(sorted(position.dislodged)),
        centres=owners,
        centres_before=before and {power: tuple(sorted(before.get(power, ()))) for power in owners},
        kept_builds={power: right for power, right in position.kept_builds.items() if right},
    )


def menu(setting: GameDefinition, position: Position, book: Rulebook) -> set[tuple[str, Order]]:
    """Every legal order by the engine, with its power."""
    rules = setting.rules_for(position.phase)
    return {
        (power, order)
        for power in setting.board.powers
        for order in rules.legal_orders(setting.board, position, power, book)
        if not isinstance(order, Waive) and not getattr(order, "path", ())
    }
