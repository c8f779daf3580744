"""What a line is read in, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from talleyrand.engine import legality
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.game import MovementRules, PhaseRules
from talleyrand.engine.orders import Build, Disband, Hold, Move, Order, Retreat
from talleyrand.engine.outcome import AdjudicationNote
from talleyrand.engine.position import Position, Unit, UnitName
from talleyrand.engine.step_budget import StepBudget
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import Variant

from .name_index import NameIndex, load_name_index
from .vocabulary import ORDER_VERBS

READING_EFFORT = 30_000
"""For the reading of a question: twenty times what 34 orders written out in full take."""


OptionCount = Callable[[str | None, UnitName | None], int]
"""How many legal orders a power has at most; those of one unit, if that is its own and has other orders than
to hold."""


class PhaseFamily(Enum):
    """What a unit alone on its line, or a dash, says in a phase."""

    MOVES = "moves"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"


@dataclass(frozen=True)
class ReadingContext:
    """The board, the situation, whose line it is (None: a game master's, any power's), and the book.

    `naming` is the naming profile of the game (`naming_profiles`); None takes the book's own lists first,
    then every list at once, and lets the order decide. `effort` bounds what is tried to read its lines; all
    powers of a question share it. `rules_override` stand in for the rules of the phase. Where
    `count_options` is given no nearest order is looked for: the effort alone is spent that this might take.
    """

    variant: Variant
    position: Position
    power: str | None
    rulebook: LoadedRulebook
    naming: str | None = None
    effort: StepBudget = field(default_factory=lambda: StepBudget(READING_EFFORT), compare=False, repr=False)
    rules_override: PhaseRules | None = None
    count_options: OptionCount | None = field(default=None, compare=False, repr=False)

    @cached_property
    def index(self) -> NameIndex:
        """The names in use; raises UnknownName (`unknown_naming`)."""
        return load_name_index(self.variant, self.naming, self.rulebook.naming)

    @cached_property
    def two_letter_forms(self) -> Mapping[str, tuple[str, ...]]:
        """The forms of two letters that tell one of the power's units from its others."""
        found: dict[str, set[str]] = {}
        for code, unit in self.orderable_units.items() if self.power else ():
            if self.is_own(unit):
                for form in self.index.forms_of_province(code):
                    found.setdefault(form[:2], set()).add(code)
        return {
            form: tuple(codes) for form, codes in found.items() if len(codes) == 1 and form not in ORDER_VERBS
        }

    @cached_property
    def rules(self) -> PhaseRules:
        """The rules of the phase; raises InvalidPosition (`unknown_phase`)."""
        return self.rules_override or self.variant.definition.rules_for(self.position.phase)

    @cached_property
    def options(self) -> tuple[Order, ...]:
        """Every legal order of the power, or of every power."""
        powers = (self.power,) if self.power else self.variant.board.powers
        board, book = self.variant.board, self.rulebook.adjudication_rules
        return tuple(
            order for power in powers for order in self.rules.legal_orders(board, self.position, power, book)
        )

    def options_for_unit(self, name: UnitName) -> tuple[Order, ...]:
        """Every legal order of one unit; none of a unit that is not there or is another power's."""
        unit = self.position.units_by_province.get(name.province)
        if not isinstance(self.rules, MovementRules):
            return tuple(order for order in self.options if order.unit == name)
        if unit is None or unit.name != name or (self.power is not None and not self.is_own(unit)):
            return ()
        board = self.rules.board_in(self.variant.board, self.position.phase)
        book = self.rulebook.adjudication_rules
        return tuple(legality.legal_unit_orders(board, self.position, unit, book))

    def is_own(self, unit: Unit) -> bool:
        """Whether the power whose line it is may order a unit."""
        return self.variant.definition.leader(self.position, unit.power) == self.power

    @cached_property
    def family(self) -> PhaseFamily:
        """Which meaning the short forms have."""
        standard = {"M": PhaseFamily.MOVES, "R": PhaseFamily.RETREATS, "A": PhaseFamily.ADJUSTMENTS}
        if self.position.phase.kind in standard:
            return standard[self.position.phase.kind]
        if any(isinstance(order, Hold | Move) for order in self.options):
            return PhaseFamily.MOVES
        retreats = any(isinstance(order, Retreat) for order in self.options)
        return PhaseFamily.RETREATS if retreats else PhaseFamily.ADJUSTMENTS

    @cached_property
    def builds(self) -> bool | None:
        """Whether a unit alone on its line is a build; None where it depends on the unit."""
        if any(isinstance(order, Build) for order in self.options):
            return None if self.power is None else True
        if self.power and any(isinstance(order, Disband) for order in self.options):
            return False
        return None

    @cached_property
    def orderable_units(self) -> Mapping[str, Unit]:
        """The units that may be ordered, by province: those on the board, or those dislodged."""
        if self.family is PhaseFamily.RETREATS:
            return {fallen.unit.province: fallen.unit for fallen in self.position.dislodged}
        return self.position.units_by_province


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A line as read: an order, or a refusal (then `order` is what it would have been, if anything)."""

    text: str
    number: int = 1
    order: Order | None = None
    unit: UnitName | None = None
    refusal: OrderRefusal | None = None
    notes: tuple[AdjudicationNote, ...] = ()
