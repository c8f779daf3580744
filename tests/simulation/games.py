"""Games played in arrays, and the same phases played by the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from talleyrand.engine import game
from talleyrand.engine.game import Setting
from talleyrand.engine.orders import Order, Waive
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.simulation import bots, codes
from talleyrand.simulation.bots.facts import Facts
from talleyrand.simulation.bots.streams import starts
from talleyrand.simulation.codes import NONE, Cells
from talleyrand.simulation.referee import Games, Referee

Ordering = Callable[[Referee, Games], Cells]
Sheets = Mapping[str, Sequence[Order]]


# who orders ---------------------------------------------------------------------------------------


def by_lot(seed: str, *, omitted: float = 0.1, spoilt: float = 0.3) -> Ordering:
    """Legal orders drawn by lot, some of them left out; in some games, rows of any numbers among them."""
    lot = np.random.default_rng(list(seed.encode()))

    def order(referee: Referee, games: Games) -> Cells:
        options = referee.options(games)
        sheets = options.choose(lot.random((len(games), len(referee.names.provinces))))
        sheets[:, codes.SHEET_ORDER][lot.random(sheets[:, 0].shape) < omitted] = NONE
        for at in np.flatnonzero(lot.random(len(games)) < spoilt):
            _spoil(referee, sheets[at], games.places[at, codes.KIND] != NONE, lot)
        return sheets

    return order


def _spoil(referee: Referee, sheet: Cells, occupied: Cells, lot: np.random.Generator) -> None:
    """Write some rows of any numbers, most of them for units that are there, about units that are there."""
    here = np.flatnonzero(occupied)
    anywhere = np.arange(sheet.shape[1])
    for _ in range(lot.integers(1, 6)):
        at = lot.choice(here if len(here) and lot.random() < 0.8 else anywhere)
        target = lot.choice(here) if len(here) and lot.random() < 0.8 else lot.integers(sheet.shape[1] + 3)
        goal = lot.integers(len(referee.names.locations) + 2)
        sheet[:, at] = lot.integers(10), target, goal, lot.integers(2)
        if lot.random() < 0.1:
            sheet[codes.SHEET_TARGET :, at] = NONE


def by_bots(seed: int, *names: str) -> Ordering:
    """The powers are played by these bots in turn; a variant's own phase by lot."""
    players = [bots.by_name(name, "easy") for name in names]
    own = by_lot(str(seed), omitted=0, spoilt=0)
    facts: list[Facts] = []
    phases = iter(range(10**6))

    def order(referee: Referee, games: Games) -> Cells:
        if (games.clock[:, codes.STAGE] == codes.OWN_PHASE).any():
            return own(referee, games)
        if not facts:
            facts.append(Facts(referee.setting, referee.book))
        sheets, powers = games.sheets(), len(referee.names.powers)
        streams = starts(seed, range(len(games)), next(phases), powers)
        for number, player in enumerate(players):
            asked = np.zeros((len(games), powers), np.bool_)
            asked[:, number :: len(players)] = True
            player.order(facts[0], games, asked, sheets, streams)
        return sheets

    return order


# what was played ----------------------------------------------------------------------------------


def played(
    referee: Referee, count: int, order: Ordering
) -> Iterator[tuple[Games, Cells, Games, Mapping[str, int]]]:
    """Every step of so many games: the games before, the sheets, the games after, what the engine played."""
    games = referee.start(count, [f"lot {number}" for number in range(count)])
    while not games.over.all():
        sheets, before = order(referee, games), games.take(range(count))
        step = referee.step(games, sheets)
        by_engine = {str(why): number for why, number in step.by_engine.items()}
        yield before, sheets, games, {**by_engine, "illegal": step.illegal}


def compare(referee: Referee, count: int, order: Ordering) -> Counter[str]:
    """Play games, and every phase of them by the engine; fails where the two differ. Gives what was seen."""
    seen: Counter[str] = Counter()
    for before, sheets, after, counted in played(referee, count, order):
        seen.update(counted)
        for at in np.flatnonzero(~before.over):
            seen.update(same_step(referee, before, sheets, after, int(at)))
    assert seen["illegal"] == seen["refused"]
    return seen


def same_step(referee: Referee, before: Games, sheets: Cells, after: Games, at: int) -> dict[str, int]:
    """Fails unless the engine comes to the same from one game's position; gives its phase and how many orders
    it refuses."""
    position = referee.read(before, at)
    orders = _legal(referee, position, referee.orders_of(before, at, sheets))
    turn = game.play(referee.setting, position, orders, referee.book)
    assert stands(referee, after, at) == reached(referee, turn), (position, orders, referee.book)
    return {position.phase.kind: 1, "refused": _written(sheets[at]) - sum(map(len, orders.values()))}


def _written(sheet: Cells) -> int:
    return int((sheet[codes.SHEET_ORDER] != NONE).sum())


def _legal(referee: Referee, position: Position, sheets: Sheets) -> dict[str, list[Order]]:
    """The orders that the engine takes as they stand."""
    rules = referee.setting.rules(position.phase)
    board, book = referee.board, referee.book
    if position.phase.kind == "M":
        return {
            power: [one for one in orders if rules.check(board, position, power, one, book) == one]
            for power, orders in sheets.items()
        }
    listed = {power: set(rules.options(board, position, power, book)) for power in sheets}
    return {power: [one for one in orders if one in listed[power]] for power, orders in sheets.items()}


def stands(referee: Referee, games: Games, at: int) -> object:
    """Where a game in arrays stands, in an order of its own."""
    position = plain(referee.read(games, at), referee.setting)
    winner = int(games.clock[at, codes.WINNER])
    if winner != codes.NOBODY:
        return referee.names.powers[winner], position.units, position.centres
    return position, bool(games.over[at])


def reached(referee: Referee, turn: game.Turn) -> object:
    """Where the engine's game stands, likewise."""
    if turn.next is None:
        after = plain(turn.outcome.after, referee.setting)
        return turn.winner[0], after.units, after.centres
    late = referee.until is not None and turn.next.phase.year > referee.until
    return plain(turn.next, referee.setting), late


def plain(position: Position, setting: Setting) -> Position:
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


def menu(setting: Setting, position: Position, book: Rulebook) -> set[tuple[str, Order]]:
    """Every legal order by the engine, with its power."""
    rules = setting.rules(position.phase)
    return {
        (power, order)
        for power in setting.board.powers
        for order in rules.options(setting.board, position, power, book)
        if not isinstance(order, Waive) and not getattr(order, "path", ())
    }
