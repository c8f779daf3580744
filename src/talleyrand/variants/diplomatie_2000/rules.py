"""The rules of Diplomatie 2000 (version 2.31): its phases, and what it has beside units and centres."""

from __future__ import annotations

from collections.abc import Mapping

from talleyrand.engine.balances import Balance
from talleyrand.engine.board import Board
from talleyrand.engine.game import PhaseRules
from talleyrand.engine.position import Phase, Position
from talleyrand.engine.protocols import Lookup, Minutes, Politics, Understood
from talleyrand.engine.rulebook import Rulebook

from . import exchange, minutes, reckoning, wording
from .affairs import DEFAULTS, affairs_of
from .constructions import Constructions
from .evasions import Evasions
from .proposals import Debate
from .season import Season
from .states import states


class World:
    """The protocol `Politics`: states, votes, aid, subversion, points."""

    options: Mapping[str, tuple[str, ...]] = DEFAULTS

    def worth(self, board: Board) -> Mapping[str, Mapping[str, int | None]]:  # noqa: ARG002 (Politics)
        """The row of each state in annex 3."""
        return {state: worth.figures() for state, worth in states().items()}

    def minutes(self, asked: Mapping[str, object], told: Mapping[str, object]) -> tuple[Minutes, ...]:
        """Proposals, votes, aid, scores."""
        return minutes.minutes(asked, told)

    def read(self, board: Board, phase: Phase, given: Mapping[str, object]) -> tuple[object, tuple[str, ...]]:
        """The affairs of a question."""
        return exchange.read(board, phase, given)

    def write(self, board: Board, position: Position) -> Mapping[str, object]:
        """The affairs as they stand for the position's phase."""
        return exchange.write(board, affairs_of(position), position.phase)

    def line(
        self, board: Board, position: Position, power: str | None, text: str, names: Lookup
    ) -> Understood | None:
        """A proposal, a ballot, a programme of aid, a permission."""
        return wording.line(board, position, power, text, names)

    def close_year(
        self, board: Board, position: Position, book: Rulebook
    ) -> tuple[Position, Mapping[str, object]]:
        """Owners, colours, points, aid, scores, eliminations."""
        return reckoning.close_year(board, position, book)

    def balances(self, board: Board, position: Position, book: Rulebook) -> Mapping[str, Balance]:
        """Centres and aid less units."""
        return reckoning.balances(board, position, book)

    def winners(self, board: Board, position: Position) -> tuple[str, ...]:
        """Every state with enough points at the end of an autumn."""
        return reckoning.winners(board, position)

    def eliminated(self, position: Position) -> tuple[str, ...]:
        """The states that are out."""
        return tuple(sorted(affairs_of(position).eliminated))


PHASES: Mapping[str, PhaseRules] = {
    "P": Debate(),
    "M": Season(),
    "R": Evasions(),
    "A": Constructions(),
}
POLITICS: Politics = World()
