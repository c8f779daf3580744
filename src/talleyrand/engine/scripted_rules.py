"""Powers that nobody plays: a variant's script writes their orders, phase by phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .board import Board
from .errors import OrderNotAllowed, OrderRefusal
from .game import (
    STANDARD_PHASE_RULES,
    AdjustmentRules,
    GameDefinition,
    MovementRules,
    OrdersByPower,
    PhaseRules,
    RetreatRules,
)
from .orders import Order
from .outcome import PhaseOutcome, RefusedOrder
from .position import Position
from .rulebook import Rulebook

Script = Callable[[Board, Position, Rulebook], Sequence[Order]]


class ScriptedRules:
    """The rules of a kind of phase in which one power's orders come from a script.

    Whatever is written for that power is refused (`scripted_power`), and it never stands in disorder.
    """

    def __init__(self, rules: PhaseRules, power: str, script: Script) -> None:
        self.wrapped_rules, self.power, self.script = rules, power, script

    def adjudicate(
        self, board: Board, position: Position, orders: OrdersByPower, book: Rulebook
    ) -> PhaseOutcome:
        """What becomes of the orders, the script's among them."""
        led = replace(
            position,
            powers_in_disorder=position.powers_in_disorder - {self.power},
            torn=position.torn - {self.power},
        )
        given = {**orders, self.power: tuple(self.script(board, led, book))}
        outcome = self.wrapped_rules.adjudicate(board, led, given, book)
        written = enumerate(orders.get(self.power, ()))
        refused = (RefusedOrder(self.power, at, order, _nobodys(self.power)) for at, order in written)
        verdicts = tuple(
            verdict._replace(number=None) if verdict.power == self.power else verdict
            for verdict in outcome.verdicts
        )
        return self._without_rights(replace(outcome, verdicts=verdicts, refused=(*outcome.refused, *refused)))

    def _without_rights(self, outcome: PhaseOutcome) -> PhaseOutcome:
        """Nobody is told of builds that the script leaves, and none is kept for later."""
        notes = tuple(note for note in outcome.notes if dict(note.facts).get("power") != self.power)
        rights = {
            power: right for power, right in outcome.position_after.kept_builds.items() if power != self.power
        }
        return replace(
            outcome, notes=notes, position_after=replace(outcome.position_after, kept_builds=rights)
        )

    def check_order(
        self, board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | OrderRefusal:
        """The order as it will be followed, or why it is impossible."""
        if power == self.power:
            return _nobodys(power)
        return self.wrapped_rules.check_order(board, position, power, order, book)

    def powers_with_choices(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
        """The powers that have something to decide: never the script's."""
        return tuple(
            power
            for power in self.wrapped_rules.powers_with_choices(board, position, book)
            if power != self.power
        )

    def legal_orders(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every legal order of a power; none of the script's."""
        return () if power == self.power else self.wrapped_rules.legal_orders(board, position, power, book)


class _ScriptedMovement(ScriptedRules, MovementRules):
    """Kind M."""


class _ScriptedRetreats(ScriptedRules, RetreatRules):
    """Kind R."""


class _ScriptedAdjustments(ScriptedRules, AdjustmentRules):
    """Kind A."""


def scripted_phase_rules(power: str, script: Script) -> Mapping[str, PhaseRules]:
    """The rules of moves, retreats and adjustments with one power playing by a script."""
    return {
        "M": _ScriptedMovement(MovementRules(), power, script),
        "R": _ScriptedRetreats(RetreatRules(), power, script),
        "A": _ScriptedAdjustments(AdjustmentRules(), power, script),
    }


def without_scripts(setting: GameDefinition) -> GameDefinition:
    """The setting with every power in somebody's hands: for a latecomer, or in a bot’s thoughts; a variant
    with politics of its own says itself who leads whom."""
    return (
        replace(setting, phase_rules=STANDARD_PHASE_RULES, scripted_powers=())
        if setting.scripted_powers and setting.politics is None
        else setting
    )


def _nobodys(power: str) -> OrderRefusal:
    return OrderNotAllowed("scripted_power", candidates=(power,))
