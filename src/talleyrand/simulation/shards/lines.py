"""The orders on sheets as numbers and, each different one once, as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support
from talleyrand.engine.position import UnitName
from talleyrand.simulation import codes
from talleyrand.simulation.codes import NONE, Cells
from talleyrand.simulation.tables import names
from talleyrand.simulation.world import Games

Whole = NDArray[np.int64]
HELPING = (codes.SUPPORT_HOLD, codes.SUPPORT_MOVE, codes.CONVOY)


class Line(NamedTuple):
    """What there is to know of an order, in numbers, to write it down."""

    order: int
    kind: int
    location: int
    target_kind: int
    target: int
    goal: int
    via: int


# How many values each part of a line has at most: together they fit into one number.
SIZES = Line(order=16, kind=8, location=2048, target_kind=8, target=2048, goal=2048, via=2)


class Given(NamedTuple):
    """Orders in columns: in which game, for which province, by which power, and the number of their line."""

    game: Whole
    place: Whole
    power: Whole
    line: Whole


def given(games: Games, going: Whole, sheets: Cells) -> Given:
    """The orders on the sheets of some games; those of nobody, or about nobody, are left out."""
    chosen = sheets[going]
    row, place = np.nonzero(chosen[:, codes.SHEET_ORDER] < len(_ORDERS))
    game, sheet = going[row], chosen[row, :, place].astype(np.int64)
    order, via = sheet[:, codes.SHEET_ORDER], sheet[:, codes.SHEET_VIA] == 1
    goal = np.where(sheet[:, codes.SHEET_GOAL] == NONE, 0, sheet[:, codes.SHEET_GOAL])
    kind, power, location = _units(games, game, place, sheet)
    target_kind, target = _targets(games, game, sheet)
    line = np.ravel_multi_index((order, kind, location, target_kind, target, goal, via), SIZES, mode="clip")
    real = (power != NONE) & (kind != NONE) & (target_kind != NONE)
    return Given(game[real], place[real], power[real], line[real])


def _units(games: Games, game: Whole, place: Whole, sheet: Whole) -> tuple[Whole, Whole, Whole]:
    """Kind, power and location of the unit that an order is for."""
    here = games.places[game, :, place].astype(np.int64)
    fallen = (games.clock[game, codes.STAGE] == codes.RETREATS)[:, None]
    unit = np.where(
        fallen, here[:, codes.FALLEN_KIND : codes.FALLEN_KIND + 3], here[:, codes.KIND : codes.KIND + 3]
    )
    built = np.column_stack((sheet[:, codes.SHEET_TARGET], here[:, codes.CENTRE], sheet[:, codes.SHEET_GOAL]))
    kind, power, location = np.where((sheet[:, codes.SHEET_ORDER] == codes.BUILD)[:, None], built, unit).T
    return kind, power, location


def _targets(games: Games, game: Whole, sheet: Whole) -> tuple[Whole, Whole]:
    """Kind and location of the unit that an order helps, 0 where it helps nobody."""
    helping = np.isin(sheet[:, codes.SHEET_ORDER], HELPING)
    aim = np.where(helping, np.minimum(sheet[:, codes.SHEET_TARGET], games.places.shape[2] - 1), 0)
    there = games.places[game, :, aim].astype(np.int64)
    return np.where(helping, there[:, codes.KIND], 0), np.where(helping, there[:, codes.LOCATION], 0)


class Lines:
    """The texts of lines, in normal form."""

    def __init__(self, board: Board) -> None:
        self._names = names(board)
        self._texts: dict[int, str] = {}

    def texts(self, lines: Whole) -> list[str]:
        """The text of each."""
        return [self._texts.get(line) or self._written(line) for line in lines.tolist()]

    def _written(self, number: int) -> str:
        line = Line(*map(int, np.unravel_index(number, SIZES)))
        unit = UnitName(self._names.kinds[line.kind], self._names.locations[line.location])
        target = UnitName(self._names.kinds[line.target_kind], self._names.locations[line.target])
        goal = self._names.locations[line.goal]
        text = str(_ORDERS[line.order](unit, target, goal, bool(line.via)))
        return self._texts.setdefault(number, text)


_ORDERS: Mapping[int, Callable[[UnitName, UnitName, str, bool], Order]] = {
    codes.HOLD: lambda unit, *_: Hold(unit),
    codes.MOVE: lambda unit, _target, goal, via: Move(unit, goal, via),
    codes.SUPPORT_HOLD: lambda unit, target, *_: Support(unit, target),
    codes.SUPPORT_MOVE: lambda unit, target, goal, _via: Support(unit, target, goal),
    codes.CONVOY: lambda unit, target, goal, _via: Convoy(unit, target, goal),
    codes.RETREAT: lambda unit, _target, goal, _via: Retreat(unit, goal),
    codes.DISBAND: lambda unit, *_: Disband(unit),
    codes.BUILD: lambda unit, *_: Build(unit),
    codes.REMOVE: lambda unit, *_: Disband(unit),
}
