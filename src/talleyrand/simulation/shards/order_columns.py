"""The orders on sheets as numbers and, each different one once, as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from talleyrand.engine.position import UnitName
from talleyrand.simulation import array_layout
from talleyrand.simulation.array_layout import NONE, UInt16Array
from talleyrand.simulation.board_arrays import board_names
from talleyrand.simulation.game_batch import GameBatch

Int64Column = NDArray[np.int64]
HELPING = (array_layout.SUPPORT_HOLD, array_layout.SUPPORT_MOVE, array_layout.CONVOY)


class OrderNumbers(NamedTuple):
    """What there is to know of an order, in numbers, to write it down."""

    order: int
    kind: int
    location: int
    target_kind: int
    target: int
    goal: int
    via: int


# How many values each part of a line has at most: together they fit into one number.
SIZES = OrderNumbers(order=16, kind=8, location=2048, target_kind=8, target=2048, goal=2048, via=2)


class OrderColumns(NamedTuple):
    """Orders in columns: in which game, for which province, by which power, and the number of their line."""

    game: Int64Column
    place: Int64Column
    power: Int64Column
    line: Int64Column


def order_columns(games: GameBatch, going: Int64Column, sheets: UInt16Array) -> OrderColumns:
    """The orders on the sheets of some games; those of nobody, or about nobody, are left out."""
    chosen = sheets[going]
    row, place = np.nonzero(chosen[:, array_layout.ORDER_KIND] < len(_ORDERS))
    game, sheet = going[row], chosen[row, :, place].astype(np.int64)
    order, via = sheet[:, array_layout.ORDER_KIND], sheet[:, array_layout.ORDER_VIA] == 1
    goal = np.where(sheet[:, array_layout.ORDER_GOAL] == NONE, 0, sheet[:, array_layout.ORDER_GOAL])
    kind, power, location = _units(games, game, place, sheet)
    target_kind, target = _targets(games, game, sheet)
    line = np.ravel_multi_index((order, kind, location, target_kind, target, goal, via), SIZES, mode="clip")
    real = (power != NONE) & (kind != NONE) & (target_kind != NONE)
    return OrderColumns(game[real], place[real], power[real], line[real])


def _units(
    games: GameBatch, game: Int64Column, place: Int64Column, sheet: Int64Column
) -> tuple[Int64Column, Int64Column, Int64Column]:
    """Kind, power and location of the unit that an order is for."""
    here = games.places[game, :, place].astype(np.int64)
    fallen = (games.clock[game, array_layout.STAGE] == array_layout.RETREATS)[:, None]
    unit = np.where(
        fallen,
        here[:, array_layout.DISLODGED_KIND : array_layout.DISLODGED_KIND + 3],
        here[:, array_layout.KIND : array_layout.KIND + 3],
    )
    built = np.column_stack(
        (sheet[:, array_layout.ORDER_TARGET], here[:, array_layout.CENTRE], sheet[:, array_layout.ORDER_GOAL])
    )
    kind, power, location = np.where(
        (sheet[:, array_layout.ORDER_KIND] == array_layout.BUILD)[:, None], built, unit
    ).T
    return kind, power, location


def _targets(games: GameBatch, game: Int64Column, sheet: Int64Column) -> tuple[Int64Column, Int64Column]:
    """Kind and location of the unit that an order helps, 0 where it helps nobody."""
    helping = np.isin(sheet[:, array_layout.ORDER_KIND], HELPING)
    aim = np.where(helping, np.minimum(sheet[:, array_layout.ORDER_TARGET], games.places.shape[2] - 1), 0)
    there = games.places[game, :, aim].astype(np.int64)
    return np.where(helping, there[:, array_layout.KIND], 0), np.where(
        helping, there[:, array_layout.LOCATION], 0
    )


class OrderTexts:
    """The texts of lines, in normal form."""

    def __init__(self, board: Board) -> None:
        self._names = board_names(board)
        self._texts: dict[int, str] = {}

    def texts(self, lines: Int64Column) -> list[str]:
        """The text of each."""
        return [self._texts.get(line) or self._order_text(line) for line in lines.tolist()]

    def _order_text(self, number: int) -> str:
        line = OrderNumbers(*map(int, np.unravel_index(number, SIZES)))
        unit = UnitName(self._names.kinds[line.kind], self._names.locations[line.location])
        target = UnitName(self._names.kinds[line.target_kind], self._names.locations[line.target])
        goal = self._names.locations[line.goal]
        text = str(_ORDERS[line.order](unit, target, goal, bool(line.via)))
        return self._texts.setdefault(number, text)


_ORDERS: Mapping[int, Callable[[UnitName, UnitName, str, bool], Order]] = {
    array_layout.HOLD: lambda unit, *_: Hold(unit),
    array_layout.MOVE: lambda unit, _target, goal, via: Move(unit, goal, via),
    array_layout.SUPPORT_HOLD: lambda unit, target, *_: Support(unit, target),
    array_layout.SUPPORT_MOVE: lambda unit, target, goal, _via: Support(unit, target, goal),
    array_layout.CONVOY: lambda unit, target, goal, _via: Convoy(unit, target, goal),
    array_layout.RETREAT: lambda unit, _target, goal, _via: Retreat(unit, goal),
    array_layout.DISBAND: lambda unit, *_: Disband(unit),
    array_layout.BUILD: lambda unit, *_: Build(unit),
    array_layout.REMOVE: lambda unit, *_: Disband(unit),
}
