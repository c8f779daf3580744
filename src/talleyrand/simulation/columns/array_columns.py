"""The rows of phases that compiled code has played, read off its arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import Unit
from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import NONE, UInt16Array
from talleyrand.simulation.batch_adjudicator import PhaseBatchAnswers
from talleyrand.simulation.board_arrays import board_names
from talleyrand.simulation.phase_encoding import retreat_places

from .outcome_rows import FIELD, NULL, ORDER_NUMBER, RESULT_NUMBER, Rows, RowTexts, blank_rows

Int64Column = NDArray[np.int64]


class PlayedPhases(NamedTuple):
    """Phases of one kind: the rows of `places` before them, of `sheets` and of what was `told` are those of
    the games in `games`; `game` and `phase` are their numbers in the file; `waived` the powers (game, power)
    of builds that were waived; `supplied` the removals (row, province) that nobody wrote."""

    games: Int64Column
    game: Int64Column
    phase: Int64Column
    places: UInt16Array
    sheets: UInt16Array
    told: PhaseBatchAnswers
    waived: Int64Column
    supplied: NDArray[np.bool_]


def movement_rows(board: Board, played: PlayedPhases, texts: RowTexts) -> Rows:
    """The rows of movement phases."""
    rows, at, here = _unit_rows(played, code.KIND)
    _order_fields(rows, played, at, here)
    fates = played.told.fates[at, :, here]
    rows[FIELD["result"]] = fates[:, code.RESULT]
    rows[FIELD["by_sea"]] = fates[:, code.ROUTE]
    fallen = np.flatnonzero(fates[:, code.BY] != NONE)
    rows[FIELD["dislodged_by"], fallen] = fates[fallen, code.BY]
    called = board_names(board)
    for row in fallen.tolist():
        kind, location = rows[FIELD["unit"], row], rows[FIELD["location"], row]
        bits = int(played.told.retreats[at[row], here[row]])
        places = retreat_places(board, Unit(called.kinds[kind], called.locations[location], ""), bits)
        rows[FIELD["retreats"], row] = texts.retreat_list(places)
    return rows


def retreat_rows(played: PlayedPhases) -> Rows:
    """The rows of retreat phases."""
    rows, at, here = _unit_rows(played, code.DISLODGED_KIND)
    _order_fields(rows, played, at, here)
    rows[FIELD["result"]] = _RETREAT_RESULTS[played.told.fates[at, code.RESULT, here] - code.WITHDRAWN]
    return rows


def adjustment_rows(board: Board, played: PlayedPhases) -> Rows:
    """The rows of winters in which everything that was ordered was done."""
    at, here, rows = _located(played, played.sheets[played.games, code.ORDER_KIND] != NONE)
    orders = played.sheets[played.games][at, :, here]
    at = played.games[at]
    built = orders[:, code.ORDER_KIND] == code.BUILD
    before = played.places[at, :, here]
    rows[FIELD["order"]] = np.where(played.supplied[at, here], NULL, _ORDERS[orders[:, code.ORDER_KIND]])
    rows[FIELD["power"]] = np.where(built, before[:, code.CENTRE], before[:, code.POWER])
    rows[FIELD["unit"]] = np.where(built, orders[:, code.ORDER_TARGET], before[:, code.KIND])
    rows[FIELD["location"]] = np.where(built, orders[:, code.ORDER_GOAL], before[:, code.LOCATION])
    rows[FIELD["result"]] = np.where(built, _BUILT, _REMOVED)
    game, power = played.waived
    waived = blank_rows(len(game))
    waived[[FIELD["via"], FIELD["by_sea"]]] = 0
    where = np.searchsorted(played.games, game)
    waived[FIELD["game"]], waived[FIELD["phase"]] = played.game[where], played.phase[where]
    waived[FIELD["place"]], waived[FIELD["power"]] = len(board.provinces), power
    waived[FIELD["order"]], waived[FIELD["result"]] = ORDER_NUMBER["waive"], RESULT_NUMBER[OrderResult.WAIVED]
    return np.concatenate((rows, waived), axis=1)


_WORDS = (
    *("hold", "move", "support", "support", "convoy"),
    *("retreat", "disband", "build", "disband"),
)
_ORDERS = np.array(
    [*(ORDER_NUMBER[word] for word in _WORDS), NULL], np.int32
)  # in the order of `array_layout`
_GOING, _HELPING = (
    np.isin(np.arange(len(_ORDERS)), kinds)
    for kinds in (
        (code.MOVE, code.SUPPORT_MOVE, code.CONVOY, code.RETREAT),
        (code.SUPPORT_HOLD, code.SUPPORT_MOVE, code.CONVOY),
    )
)
_BUILT, _REMOVED = RESULT_NUMBER[OrderResult.BUILDS], RESULT_NUMBER[OrderResult.REMOVED]
_FATES = OrderResult.RETREATS, OrderResult.DESTROYED, OrderResult.DISBANDED  # WITHDRAWN, LOST, DISBANDED
_RETREAT_RESULTS = np.array([RESULT_NUMBER[result] for result in _FATES], np.int32)


def _located(played: PlayedPhases, found: NDArray[np.bool_]) -> tuple[Int64Column, Int64Column, Rows]:
    """Where something is true of a game and a province: the places in `games`, the provinces, and rows."""
    at, here = np.nonzero(found)
    rows = blank_rows(len(at))
    rows[FIELD["game"]], rows[FIELD["phase"]], rows[FIELD["place"]] = played.game[at], played.phase[at], here
    rows[[FIELD["via"], FIELD["by_sea"]]] = 0
    return at, here, rows


def _unit_rows(played: PlayedPhases, first: int) -> tuple[Rows, Int64Column, Int64Column]:
    """A row for each unit that three rows of `places` tell of; with the row of its game, and its province."""
    at, here, rows = _located(played, played.places[played.games, first] != NONE)
    at = played.games[at]
    for field, row in zip(("unit", "power", "location"), range(first, first + 3), strict=True):
        rows[FIELD[field]] = played.places[at, row, here]
    return rows, at, here


def _order_fields(rows: Rows, played: PlayedPhases, at: Int64Column, here: Int64Column) -> None:
    """What the units' orders say; nothing of those without an order."""
    orders = played.sheets[at, :, here].astype(np.int32)
    what = orders[:, code.ORDER_KIND].clip(max=len(_ORDERS) - 1)
    rows[FIELD["order"]] = _ORDERS[what]
    rows[FIELD["via"]] = (what == code.MOVE) & (orders[:, code.ORDER_VIA] == 1)
    rows[FIELD["destination"]] = np.where(_GOING[what], orders[:, code.ORDER_GOAL], NULL)
    helping = np.flatnonzero(_HELPING[what])
    target = orders[helping, code.ORDER_TARGET]
    rows[FIELD["target_unit"], helping] = played.places[at[helping], code.KIND, target]
    rows[FIELD["target"], helping] = played.places[at[helping], code.LOCATION, target]
