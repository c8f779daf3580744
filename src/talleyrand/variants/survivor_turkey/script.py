"""What Turkey does when nobody plays it (Anjou Feu rules): it takes Bulgaria, closes up, and stands.

A unit that stands elsewhere than the script has it, or is of another kind, holds. Dislodged units leave the
board. The one build, Army Smyrna in the first winter, is made if it is legal; there is never another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from talleyrand.engine.adjustments import adjustment_count, free_home_centres
from talleyrand.engine.board import Board
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.orders import Build, Disband, Hold, Move, Order, Support
from talleyrand.engine.position import Phase, Position, UnitName
from talleyrand.engine.rulebook import Rulebook
from talleyrand.engine.scripted_rules import scripted_phase_rules

POWER, FIRST_YEAR = "TURKEY", 1901  # of a game that does not say its own
MOVES = {"F ANK": "CON", "A CON": "BUL", "A SMY": "ANK"}  # in the first spring
FIRST_SUPPORTS = {"F CON": "A BUL"}  # in the first autumn
SUPPORTS = {"F CON": "A BUL", "A BUL": "F CON", "A ANK": "A SMY", "A SMY": "A ANK"}  # ever after
BUILT = UnitName("A", "SMY")


def orders(board: Board, position: Position, book: Rulebook) -> tuple[Order, ...]:
    """Turkey's orders in any phase; winter's removals are left to the book."""
    if position.phase.kind == "R":
        return tuple(Disband(one.unit.name) for one in position.dislodged if one.unit.power == POWER)
    if position.phase.kind == "A":
        return (Build(BUILT),) if _builds(board, position, book) else ()
    return tuple(_moves(position))


def _moves(position: Position) -> Iterator[Order]:
    own = [unit for unit in position.units if unit.power == POWER]
    names = {str(unit) for unit in own}
    first = position.first_year or FIRST_YEAR
    beginning = position.phase == Phase("S", first, "M")
    supports = _supports(position.phase, first)
    for unit in own:
        supported = supports.get(str(unit), "")
        if beginning and str(unit) in MOVES:
            yield Move(unit.name, MOVES[str(unit)])
        elif supported in names:
            yield Support(unit.name, UnitName.parse(supported))
        else:
            yield Hold(unit.name)


def _supports(phase: Phase, first: int) -> Mapping[str, str]:
    if phase.year > first:
        return SUPPORTS
    return FIRST_SUPPORTS if phase.season == "F" else {}


def _builds(board: Board, position: Position, book: Rulebook) -> bool:
    if position.phase.year != (position.first_year or FIRST_YEAR) or position.centres is None:
        return False
    due = adjustment_count(board, position, POWER, book)
    return due.possible > 0 and BUILT.location in free_home_centres(board, position, POWER)


PHASES: Mapping[str, PhaseRules] = scripted_phase_rules(POWER, orders)
