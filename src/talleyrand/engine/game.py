"""The story of a game: which rules a phase follows, and what the next position is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from . import adjustments, legality, movement, retreats
from .adjustments import Balance
from .board import Board
from .calendar import Calendar
from .errors import BadPosition
from .orders import Order
from .outcome import Outcome
from .position import Centres, Phase, Position, check
from .rulebook import Elimination, Rulebook

Orders = Mapping[str, Sequence[Order]]


class PhaseRules(Protocol):
    """The rules of one kind of phase. A variant brings its own for the kinds the engine lacks."""

    def adjudicate(self, board: Board, position: Position, orders: Orders, book: Rulebook) -> Outcome:
        """What becomes of the orders; `after` keeps the phase."""

    def choosers(self, board: Board, position: Position) -> tuple[str, ...]:
        """The powers that have something to decide."""

    def options(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every legal order of a power, in the board's order."""


class Movement:
    """Kind M."""

    def adjudicate(self, board: Board, position: Position, orders: Orders, book: Rulebook) -> Outcome:
        """Moves, supports and convoys, simultaneously."""
        return movement.adjudicate(board, position, orders, book)

    def choosers(self, board: Board, position: Position) -> tuple[str, ...]:
        """Every power with a unit that may be ordered."""
        have = {unit.power for unit in position.units} - position.passive
        return tuple(power for power in board.powers if power in have)

    def options(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Holds, moves, supports and convoys of the power's units."""
        return legality.movement_options(board, position, power, book)


class Retreats:
    """Kind R."""

    def adjudicate(self, board: Board, position: Position, orders: Orders, book: Rulebook) -> Outcome:
        """Retreats, simultaneously."""
        return retreats.adjudicate(board, position, orders, book)

    def choosers(self, board: Board, position: Position) -> tuple[str, ...]:
        """Every power with a dislodged unit that has somewhere to go."""
        return retreats.choosers(board, position)

    def options(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Retreats and disbandments of the power's dislodged units."""
        return retreats.options(board, position, power, book)


class Adjustments:
    """Kind A."""

    def adjudicate(self, board: Board, position: Position, orders: Orders, book: Rulebook) -> Outcome:
        """Builds and removals until units equal centres."""
        return adjustments.adjudicate(board, position, orders, book)

    def choosers(self, board: Board, position: Position) -> tuple[str, ...]:
        """Every power that may build, or must remove some units but not all."""
        return adjustments.choosers(board, position)

    def options(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Builds with waiving, or removals."""
        return adjustments.options(board, position, power, book)


STANDARD: Mapping[str, PhaseRules] = {"M": Movement(), "R": Retreats(), "A": Adjustments()}


@dataclass(frozen=True)
class Victory:
    """When a power wins: with `centres` centres, or with more than half of the board's."""

    centres: int = 0

    def needed(self, board: Board) -> int:
        """The number of centres that wins."""
        return self.centres or len(board.centres) // 2 + 1


@dataclass(frozen=True)
class Setting:
    """All that a game needs to know of its variant."""

    board: Board
    calendar: Calendar
    victory: Victory
    start: Position
    phases: Mapping[str, PhaseRules] = field(default_factory=lambda: STANDARD)

    def rules(self, phase: Phase) -> PhaseRules:
        """The rules of a phase; raises BadPosition (`unknown_phase`)."""
        self.calendar.check(phase)
        if phase.kind not in self.phases:
            raise BadPosition("unknown_phase", phase=str(phase))
        return self.phases[phase.kind]


@dataclass(frozen=True)
class Turn:
    """One phase played: the outcome, and where the game stands then.

    `outcome.after` is the position after the phase with the rules' own doings (captured centres,
    automatic removals); `next` is the next position somebody has a choice in, or None when over.
    """

    outcome: Outcome
    next: Position | None
    winner: tuple[str, ...] = ()
    eliminated: tuple[str, ...] = ()
    adjustments: Mapping[str, Balance] | None = None


def play(setting: Setting, position: Position, orders: Orders, book: Rulebook) -> Turn:
    """Adjudicate a phase and walk on to the next one with a choice.

    Raises BadPosition for a position that cannot stand or a phase the variant lacks.
    """
    rules = setting.rules(position.phase)
    check(setting.board, position)
    outcome = rules.adjudicate(setting.board, position, orders, book)
    return _walk(setting, outcome, book)


def _walk(setting: Setting, outcome: Outcome, book: Rulebook) -> Turn:
    after = outcome.after
    balances = None
    verdicts = list(outcome.verdicts)
    while True:
        after = _capture(setting, after)
        if _ends_year(setting, after) and after.centres is not None:
            balances = adjustments.balances(setting.board, after)
            winner = winners(setting, after)
            if winner:
                break
        if _over(setting, after):
            winner = ()
            break
        coming = _enter(setting, after)
        rules = setting.rules(coming.phase)
        winner = ()
        if rules.choosers(setting.board, coming) or not coming.units + coming.dislodged:
            return _turn(setting, outcome, after, verdicts, book, coming, winner, balances)
        forced = rules.adjudicate(setting.board, coming, {}, book)
        verdicts.extend(forced.verdicts)
        after = forced.after
    return _turn(setting, outcome, after, verdicts, book, None, winner, balances)
