"""The story of a game: which rules a phase follows, and what the next position is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from . import adjustments, checked_orders, legality, movement, retreats
from .adjustments import AdjustmentCount
from .board import Board
from .calendar import Calendar
from .civil_disorder import enter_phase
from .errors import InvalidPosition, OrderRefusal
from .orders import Order
from .outcome import CauseCode, PhaseOutcome, Verdict
from .politics_protocol import Politics
from .position import Phase, Position, Unit, check_position
from .rulebook import Rulebook

OrdersByPower = Mapping[str, Sequence[Order]]


class PhaseRules(Protocol):
    """The rules of one kind of phase. A variant brings its own for the kinds the engine lacks."""

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """What becomes of the orders; `after` keeps the phase."""

    def check_order(
        self, board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        """The order as it will be followed, or why it is impossible."""

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
        """The powers that have something to decide."""

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every legal order of a power, in the position's order."""


class MovementRules:
    """Kind M."""

    adjudicate = staticmethod(movement.adjudicate)
    check_order = staticmethod(checked_orders.check_order_once)
    legal_orders = staticmethod(legality.legal_movement_orders)

    def board_in(self, board: Board, phase: Phase) -> Board:  # noqa: ARG002
        """The board as units move on it in a phase; other rules may close borders for a season."""
        return board

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:  # noqa: ARG002
        """Every power with a unit that may be ordered."""
        have = {unit.power for unit in position.units} - position.passive
        return tuple(power for power in board.powers if power in have)


class RetreatRules:
    """Kind R."""

    adjudicate = staticmethod(retreats.adjudicate)
    check_order = staticmethod(retreats.check_retreat)
    powers_with_choices = staticmethod(retreats.powers_with_choices)
    legal_orders = staticmethod(retreats.legal_orders)


class AdjustmentRules:
    """Kind A."""

    check_order = staticmethod(adjustments.check_adjustment)
    powers_with_choices = staticmethod(adjustments.powers_with_choices)
    legal_orders = staticmethod(adjustments.legal_orders)

    @staticmethod
    def adjudicate(board: Board, position: Position, orders: OrdersByPower, book: Rulebook) -> PhaseOutcome:
        """Builds and removals until units equal centres."""
        return adjustments.adjudicate(board, position, orders, book)


STANDARD_PHASE_RULES: Mapping[str, PhaseRules] = {
    "M": MovementRules(),
    "R": RetreatRules(),
    "A": AdjustmentRules(),
}


@dataclass(frozen=True)
class VictoryCondition:
    """When a power wins: with `centres` centres, or with more than half of the board's where 0."""

    centres: int = 0

    def centres_needed(self, board: Board) -> int:
        """The number of centres that wins."""
        return self.centres or len(board.centres) // 2 + 1


@dataclass(frozen=True)
class GameDefinition:
    """All that a game needs to know of its variant.

    `scripted_powers`: powers that no person plays (`scripts`); `politics`: what it has beside units and
    centres.
    """

    board: Board
    calendar: Calendar
    victory: VictoryCondition
    start: Position
    phase_rules: Mapping[str, PhaseRules] = field(default_factory=lambda: STANDARD_PHASE_RULES)
    scripted_powers: tuple[str, ...] = ()
    politics: Politics | None = None

    @property
    def players(self) -> tuple[str, ...]:
        """The powers that somebody plays, in the board's order: not a script's, nor one eliminated before."""
        aside = {*self.scripted_powers, *self.start.passive}
        return tuple(power for power in self.board.powers if power not in aside)

    @property
    def seats(self) -> tuple[str, ...]:
        """All who write orders: the powers that somebody plays, then those without land."""
        return (*self.players, *self.board.landless)

    def begun(
        self, first_year: int = 0, passive: Iterable[str] = (), centres_to_win: int = 0
    ) -> GameDefinition:
        """The same game begun in another year, without some powers, whose units stand, or won with so many
        centres; 0 for what stays as it is. Raises InvalidPosition (`unknown_power`)."""
        years = first_year - self.calendar.first.year if first_year else 0
        first, start, out = self.calendar.first, self.start, frozenset(passive)
        for power in sorted(out - set(self.board.powers)):
            raise InvalidPosition("unknown_power", power=power)
        return replace(
            self,
            calendar=replace(self.calendar, first=first._replace(year=first.year + years)),
            victory=VictoryCondition(centres_to_win) if centres_to_win else self.victory,
            start=start.changed(
                phase=start.phase._replace(year=start.phase.year + years),
                passive=out,
                first_year=start.phase.year + years if years else 0,
                centres_to_win=centres_to_win,
            ),
        )

    @property
    def has_standard_phases(self) -> bool:
        """Whether moves, retreats and adjustments follow the usual rules, which compiled code knows."""
        return all(self.phase_rules.get(kind) is rules for kind, rules in STANDARD_PHASE_RULES.items())

    def close_year(self, position: Position, book: Rulebook) -> tuple[Position, Mapping[str, object]]:
        """The position once the year's captures are made, and what the variant's own rules counted."""
        if self.politics:
            return self.politics.close_year(self.board, position, book)
        return capture_centres(self.board, position, book), {}

    def leader(self, position: Position, power: str) -> str:
        """The seat that may write orders to a power's units, "" for nobody: asked here alone."""
        return self.politics.leader(position, power) if self.politics else power

    def led_position(self, position: Position) -> Position:
        """The position with every unit under the seat that may write its orders; under its own power where
        nobody may."""
        if self.politics is None:
            return position

        def led(unit: Unit) -> Unit:
            return unit._replace(power=self.leader(position, unit.power) or unit.power)

        fallen = tuple(one._replace(unit=led(one.unit)) for one in position.dislodged)
        return replace(position, units=tuple(map(led, position.units)), dislodged=fallen)

    def adjustment_counts(self, position: Position, book: Rulebook) -> Mapping[str, AdjustmentCount]:
        """What the winter owes each power."""
        rules = self.politics or adjustments
        return rules.adjustment_counts(self.board, position, book)

    def rules_for(self, phase: Phase) -> PhaseRules:
        """The rules of a phase; raises InvalidPosition (`unknown_phase`) for one the variant lacks."""
        self.calendar.check_phase(phase)
        return self.phase_rules[phase.kind]


@dataclass(frozen=True)
class ResolvedPhase:
    """One phase played: the outcome, and where the game stands then.

    `outcome` includes what the rules do on the way to the next choice (captured centres, automatic removals,
    lots); `next_position` is the position of the next phase in which somebody has a choice, None when the
    game is over. `adjustment_counts`, the balances before any build or removal, is None until the year's
    captures are made; `winner` and `eliminated` are empty while ownership is unknown.
    """

    outcome: PhaseOutcome
    next_position: Position | None
    winner: tuple[str, ...] = ()
    eliminated: tuple[str, ...] = ()
    adjustment_counts: Mapping[str, AdjustmentCount] | None = None


def play_phase(
    setting: GameDefinition, position: Position, orders: OrdersByPower, book: Rulebook
) -> ResolvedPhase:
    """Adjudicate a phase and walk on to the next one with a choice.

    Raises InvalidPosition for a position that cannot stand or a phase the variant lacks.
    """
    check_position(setting.board, position)
    rules = setting.rules_for(position.phase)
    walk = _PhaseAdvance(setting, book, rules.adjudicate(setting.board, position, orders, book))
    if position.phase.kind == "A":
        walk.close_year(position)
    return walk.finish()


class _PhaseAdvance:
    """From the end of a phase to the next choice."""

    def __init__(self, setting: GameDefinition, book: Rulebook, outcome: PhaseOutcome) -> None:
        self.setting, self.book, self.outcome = setting, book, outcome
        self.position = outcome.position_after
        self.verdicts: tuple[Verdict, ...] = outcome.verdicts
        self.notes, self.random_draws, self.findings = (
            outcome.notes,
            outcome.random_draws,
            dict(outcome.findings),
        )
        self.adjustment_counts: Mapping[str, AdjustmentCount] | None = None
        self.year_over = self.season_over = False

    def finish(self) -> ResolvedPhase:
        """Walk until somebody has a choice or the game is over."""
        winner = self._winners()
        while not winner and not self._step():
            winner = self._winners()
        after = self.outcome.position_after.changed(
            units=self.position.units,
            centres=self.position.centres,
            political_state=self.position.political_state,
        )
        outcome = replace(
            self.outcome,
            verdicts=self.verdicts,
            position_after=after,
            notes=self.notes,
            random_draws=self.random_draws,
            findings=self.findings,
        )
        gone = eliminated(self.setting, self.position, self.book, year_over=self.year_over)
        return ResolvedPhase(outcome, None if winner else self.position, winner, gone, self.adjustment_counts)

    def _winners(self) -> tuple[str, ...]:
        """Those who have won, once the year or a season that may be won is over."""
        return winners(self.setting, self.position) if self.year_over or self.season_over else ()

    def _step(self) -> bool:
        """Enter the next phase; True when somebody has a choice there."""
        calendar, politics = self.setting.calendar, self.setting.politics
        left, entered = self.position.phase, calendar.next_phase(self.position.phase)
        if left.kind in calendar.repeated and self._has_choice(left):
            self.position = enter_phase(self.position, left, self.book)
            return True
        if calendar.captures_between(left, entered):
            self._capture()
            if winners(self.setting, self.position):
                return False
        elif politics and politics.wins_each_season and calendar.season_ends_between(left, entered):
            self.season_over = True
            if self._winners():
                return False
        self.position = enter_phase(self.position, entered, self.book)
        if entered.kind == "M":
            self.position = self.position.changed(dislodged=(), contested=frozenset())
            return True
        if self._has_choice(entered) or (entered.kind == "A" and self.position.centres is None):
            return True
        self._force(self.setting.rules_for(entered))
        return False

    def _has_choice(self, phase: Phase) -> bool:
        rules = self.setting.rules_for(phase)
        return bool(rules.powers_with_choices(self.setting.board, self.position, self.book))

    def _capture(self) -> None:
        self.position, counted = self.setting.close_year(self.position, self.book)
        self.findings |= counted
        self.close_year(self.position)

    def close_year(self, position: Position) -> None:
        """Take the balances of a position whose centres are counted for the year."""
        if position.centres is not None:
            self.year_over = True
            self.adjustment_counts = self.setting.adjustment_counts(position, self.book)

    def _force(self, rules: PhaseRules) -> None:
        """Do what the rules do where nobody has a choice. Units without retreat are known lost."""
        forced = rules.adjudicate(self.setting.board, self.position, {}, self.book)
        self.verdicts += tuple(
            verdict for verdict in forced.verdicts if verdict.cause.code is not CauseCode.NO_RETREAT
        )
        self.notes += forced.notes
        self.random_draws += forced.random_draws
        self.findings |= forced.findings
        self.position = forced.position_after


def capture_centres(board: Board, position: Position, book: Rulebook) -> Position:
    """The position once every centre belongs to the power whose unit stands on it, if it may capture;
    the others stay with their owners.

    Keeps the ownership before the year's first captures where the book asks for it (row M59).
    """
    if position.centres is None:
        return position
    taken = {
        code: unit.power
        for code, unit in position.units_by_province.items()
        if board.provinces[code].centre and board.kinds[unit.kind].captures
    }
    owner = {code: power for power, centres in position.centres.items() for code in centres} | taken
    powers = dict.fromkeys((*position.centres, *board.powers))
    before = position.centres if position.centres_before is None else position.centres_before
    return replace(
        position,
        centres={power: tuple(sorted(c for c, who in owner.items() if who == power)) for power in powers},
        centres_before=before if book.adjust_balance == "gross" else None,
    )


def winners(setting: GameDefinition, position: Position) -> tuple[str, ...]:
    """The power with enough centres to win, if there is one; or those that won by the variant's rules."""
    if setting.politics:
        return setting.politics.winners(setting.board, position)
    needed = position.centres_to_win or setting.victory.centres_needed(setting.board)
    return tuple(power for power in setting.board.powers if len(position.owned_by(power)) >= needed)


def eliminated(
    setting: GameDefinition, position: Position, book: Rulebook, *, year_over: bool
) -> tuple[str, ...]:
    """The powers out of the game (row M89). Before the year's captures only one without centre and
    unit is."""
    if position.centres is None:
        return ()
    if setting.politics:
        return setting.politics.eliminated(position)
    units = {unit.power for unit in (*position.units, *(fallen.unit for fallen in position.dislodged))}

    def out(power: str) -> bool:
        owned = position.owned_by(power)
        if not owned:
            return year_over or power not in units
        strict = book.elimination == "zero_centres_or_no_unit_and_no_home_centre"
        landless = strict and year_over and power not in units
        return landless and not set(owned) & set(position.homes_of(setting.board, power))

    return tuple(power for power in setting.board.powers if out(power))
