"""What a line is read in, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from talleyrand.engine import legality
from talleyrand.engine.effort import Effort
from talleyrand.engine.errors import Refusal
from talleyrand.engine.game import Movement, PhaseRules
from talleyrand.engine.orders import Build, Disband, Hold, Move, Order, Retreat
from talleyrand.engine.outcome import Note
from talleyrand.engine.position import Position, Unit, UnitName
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import Variant

from .places import Index, index
from .vocabulary import SIGNS

EFFORT = 30_000
"""For the reading of a question: twenty times what 34 orders written out in full take."""


class Family(Enum):
    """What a unit alone on its line, or a dash, says in a phase."""

    MOVES = "moves"
    RETREATS = "retreats"
    ADJUSTMENTS = "adjustments"


@dataclass(frozen=True)
class Context:
    """The board, the situation, whose line it is (None: a game master's, any power's), and the book.

    `naming` is the naming profile of the game (`places.profiles`); None takes the book's own lists first,
    then every list at once, and lets the order decide. `effort` bounds what is tried to read its lines; all
    powers of a question share it. `rules_asked` stand in for the rules of the phase.
    """

    variant: Variant
    position: Position
    power: str | None
    book: LoadedRulebook
    naming: str | None = None
    effort: Effort = field(default_factory=lambda: Effort(EFFORT), compare=False, repr=False)
    rules_asked: PhaseRules | None = None

    @cached_property
    def index(self) -> Index:
        """The names in use; raises UnknownName (`unknown_naming`)."""
        return index(self.variant, self.naming, self.book.naming)

    @cached_property
    def short(self) -> Mapping[str, tuple[str, ...]]:
        """The forms of two letters that tell one of the power's units from its others."""
        found: dict[str, set[str]] = {}
        for code, unit in self.at.items() if self.power else ():
            if unit.power == self.power:
                for form in self.index.forms(code):
                    found.setdefault(form[:2], set()).add(code)
        return {form: tuple(codes) for form, codes in found.items() if len(codes) == 1 and form not in SIGNS}

    @cached_property
    def rules(self) -> PhaseRules:
        """The rules of the phase; raises BadPosition (`unknown_phase`)."""
        return self.rules_asked or self.variant.setting.rules(self.position.phase)

    @cached_property
    def options(self) -> tuple[Order, ...]:
        """Every legal order of the power, or of every power."""
        powers = (self.power,) if self.power else self.variant.board.powers
        board, book = self.variant.board, self.book.judge
        return tuple(
            order for power in powers for order in self.rules.options(board, self.position, power, book)
        )

    def options_of(self, name: UnitName) -> tuple[Order, ...]:
        """Every legal order of one unit; none of a unit that is not there or is another power's."""
        unit = self.position.at.get(name.province)
        if not isinstance(self.rules, Movement):
            return tuple(order for order in self.options if order.unit == name)
        if unit is None or unit.name != name or self.power not in (None, unit.power):
            return ()
        board, book = self.variant.board, self.book.judge
        return tuple(legality.unit_options(board, self.position, unit, book))

    @cached_property
    def family(self) -> Family:
        """Which meaning the short forms have."""
        standard = {"M": Family.MOVES, "R": Family.RETREATS, "A": Family.ADJUSTMENTS}
        if self.position.phase.kind in standard:
            return standard[self.position.phase.kind]
        if any(isinstance(order, Hold | Move) for order in self.options):
            return Family.MOVES
        retreats = any(isinstance(order, Retreat) for order in self.options)
        return Family.RETREATS if retreats else Family.ADJUSTMENTS

    @cached_property
    def builds(self) -> bool | None:
        """Whether a unit alone on its line is a build; None where it depends on the unit."""
        if any(isinstance(order, Build) for order in self.options):
            return None if self.power is None else True
        if self.power and any(isinstance(order, Disband) for order in self.options):
            return False
        return None

    @cached_property
    def at(self) -> Mapping[str, Unit]:
        """The units that may be ordered, by province: those on the board, or those dislodged."""
        if self.family is Family.RETREATS:
            return {fallen.unit.province: fallen.unit for fallen in self.position.dislodged}
        return self.position.at


@dataclass(frozen=True, slots=True)
class Line:
    """A line as read: an order, or a refusal (then `order` is what it would have been, if anything)."""

    text: str
    number: int = 1
    order: Order | None = None
    unit: UnitName | None = None
    refusal: Refusal | None = None
    notes: tuple[Note, ...] = ()
