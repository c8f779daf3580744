"""Sheets of one power without careless orders: units that stop each other, help for what nobody does."""

from __future__ import annotations

import numpy as np

from talleyrand.simulation import array_layout as code
from talleyrand.simulation.array_layout import Int64Array, UInt8Array, UInt16Array

HOLD = np.array([code.HOLD, code.NONE, code.NONE, 0], np.uint16)


def tidy_sheets(province: UInt16Array, units: Int64Array, sheets: UInt16Array) -> UInt16Array:
    """The sheets (sheet, row, province) in which a power moves its `units`, with careless orders left out.

    Of several units that go to one province the one with most help goes, and no unit goes where another
    stays: they hold instead. So does who helps a unit of the power that does something else. `province`: that
    of each location.
    """
    tidy = sheets.copy()
    _keep_one_to_a_province(province, units, tidy)
    # Who is stopped stays, and may stop another.
    while _stop_who_goes_where_one_stays(province, units, tidy):
        pass
    _drop_useless_help(province, units, tidy)
    return tidy


def keep_word(closed: UInt8Array, province: UInt16Array, sheets: UInt16Array) -> None:
    """Have units hold that would go, or help somebody go, to a province that is closed to their power."""
    kind = sheets[:, code.ORDER_KIND]
    goes = (kind == code.MOVE) | (kind == code.SUPPORT_MOVE) | (kind == code.CONVOY)
    goal = province[np.where(goes, sheets[:, code.ORDER_GOAL], 0)]
    rows, columns = np.nonzero(goes & (closed[goal] > 0))
    sheets[rows, :, columns] = HOLD


def _goals(province: UInt16Array, units: Int64Array, sheets: UInt16Array) -> Int64Array:
    """Where each unit goes, a province: (sheet, unit); one past the last for who does not move."""
    moves = sheets[:, code.ORDER_KIND, units] == code.MOVE
    goals = np.where(moves, sheets[:, code.ORDER_GOAL, units], 0)
    return np.where(moves, province[goals].astype(np.int64), sheets.shape[2])


def _keep_one_to_a_province(province: UInt16Array, units: Int64Array, sheets: UInt16Array) -> None:
    goals, rows = _goals(province, units, sheets), np.arange(len(sheets))
    helping = sheets[:, code.ORDER_KIND, units] == code.SUPPORT_MOVE
    helped = sheets[:, code.ORDER_TARGET, units]
    most = np.full((len(sheets), sheets.shape[2] + 1), -1)
    first = most.copy()
    for at, unit in enumerate(units):
        help_ = (helping & (helped == unit)).sum(axis=1)
        goal = goals[:, at]
        better = help_ > most[rows, goal]
        most[rows, goal] = np.where(better, help_, most[rows, goal])
        first[rows, goal] = np.where(better, at, first[rows, goal])
    for at, unit in enumerate(units):
        goal = goals[:, at]
        sheets[(goal < sheets.shape[2]) & (first[rows, goal] != at), :, unit] = HOLD


def _stop_who_goes_where_one_stays(province: UInt16Array, units: Int64Array, sheets: UInt16Array) -> bool:
    """Whether there were any."""
    goals = _goals(province, units, sheets)
    stays = np.zeros((len(sheets), sheets.shape[2] + 1), np.bool_)
    stays[:, units] = sheets[:, code.ORDER_KIND, units] != code.MOVE
    wrong = stays[np.arange(len(sheets))[:, None], goals]
    for at in np.flatnonzero(wrong.any(axis=0)):
        sheets[wrong[:, at], :, units[at]] = HOLD
    return bool(wrong.any())


def _drop_useless_help(province: UInt16Array, units: Int64Array, sheets: UInt16Array) -> None:
    own = np.zeros(sheets.shape[2] + 1, np.bool_)
    own[units] = True
    goals = np.full((len(sheets), sheets.shape[2] + 1), sheets.shape[2], np.int64)
    goals[:, units] = _goals(province, units, sheets)
    moves, rows = goals < sheets.shape[2], np.arange(len(sheets))
    for unit in units:
        kind = sheets[:, code.ORDER_KIND, unit]
        target = np.minimum(sheets[:, code.ORDER_TARGET, unit], sheets.shape[2]).astype(np.int64)
        to_goal = (kind == code.SUPPORT_MOVE) | (kind == code.CONVOY)
        goal = province[np.where(to_goal, sheets[:, code.ORDER_GOAL, unit], 0)]
        there = moves[rows, target] & (goals[rows, target] == goal)
        useless = np.where(to_goal, ~there, (kind == code.SUPPORT_HOLD) & moves[rows, target])
        sheets[own[target] & useless, :, unit] = HOLD
