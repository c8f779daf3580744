"""The ice of Baltic Ice: in spring three gulfs are closed to fleets, and armies walk over it on three roads.

Before the thaw no fleet sails into, out of or along a frozen gulf, none convoys there, and one that lies in
it stays. The ice lasts through the moves and the retreats of spring; then the roads are closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.errors import OrderNotAllowed
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.position import Phase
from talleyrand.engine.seasonal_rules import seasonal_phase_rules

FROZEN = frozenset({"BOT", "FIN", "GRI"})
ICE_ROADS = frozenset({("ABO", "REV"), ("ABO", "STO"), ("NRL", "OST")})


def board_in(board: Board, phase: Phase) -> Board:
    """The board as units move on it: under ice in spring, without the roads over it later."""
    return _under_ice(board) if phase.season == "S" else _after_thaw(board)


@cache
def _under_ice(board: Board) -> Board:
    closed = {pair for pair in board.sea if _is_frozen(board, *map(province_of, pair))}
    return replace(board, sea=board.sea - closed, _distances={}, _journeys={})


@cache
def _after_thaw(board: Board) -> Board:
    return replace(board, land=board.land - ICE_ROADS, _distances={}, _journeys={})


def _is_frozen(board: Board, first: str, second: str) -> bool:
    """Whether a border lies in a frozen gulf: at sea, at its shore, or between two shores of it alone."""
    if board.is_sea(first) or board.is_sea(second):
        return bool({first, second} & FROZEN)
    return board.adjacent_seas[first] & board.adjacent_seas[second] <= FROZEN


REFUSALS = {"S": OrderNotAllowed("ice"), "F": OrderNotAllowed("thaw")}
PHASES: Mapping[str, PhaseRules] = seasonal_phase_rules(board_in, REFUSALS)
