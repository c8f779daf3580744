"""Powers that nobody plays: a variant's script writes their orders, phase by phase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .board import Board
from .errors import NotAllowed, Refusal
from .game import STANDARD, Adjustments, Movement, Orders, PhaseRules, Retreats, Setting
from .orders import Order
from .outcome import Outcome, Refused
from .position import Position
from .rulebook import Rulebook

Script = Callable[[Board, Position, Rulebook], Sequence[Order]]


class Scripted:
    """The rules of a kind of phase in which one power's orders come from a script.

    Whatever is written for that power is refused (`scripted_power`), and it never stands in disorder.
    """

    def __init__(self, rules: PhaseRules, power: str, script: Script) -> None:
        self.plain, self.power, self.script = rules, power, script

    def adjudicate(self, board: Board, position: Position, orders: Orders, book: Rulebook) -> Outcome:
        """What becomes of the orders, the script's among them."""
        led = replace(position, disorder=position.disorder - {self.power}, torn=position.torn - {self.power})
        given = {**orders, self.power: tuple(self.script(board, led, book))}
        outcome = self.plain.adjudicate(board, led, given, book)
        written = enumerate(orders.get(self.power, ()))
        refused = (Refused(self.power, at, order, _nobodys(self.power)) for at, order in written)
        return self._without_rights(replace(outcome, refused=(*outcome.refused, *refused)))

    def _without_rights(self, outcome: Outcome) -> Outcome:
        """Nobody is told of builds that the script leaves, and none is kept for later."""
        notes = tuple(note for note in outcome.notes if dict(note.facts).get("power") != self.power)
        rights = {power: right for power, right in outcome.after.kept_builds.items() if power != self.power}
        return replace(outcome, notes=notes, after=replace(outcome.after, kept_builds=rights))

    def check(
        self, board: Board, position: Position, power: str, order: Order, book: Rulebook
    ) -> Order | Refusal:
        """The order as it will be followed, or why it is impossible."""
        if power == self.power:
            return _nobodys(power)
        return self.plain.check(board, position, power, order, book)

    def choosers(self, board: Board, position: Position, book: Rulebook) -> tuple[str, ...]:
        """The powers that have something to decide: never the script's."""
        return tuple(power for power in self.plain.choosers(board, position, book) if power != self.power)

    def options(self, board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
        """Every legal order of a power; none of the script's."""
        return () if power == self.power else self.plain.options(board, position, power, book)


class _Moves(Scripted, Movement):
    """Kind M."""


class _Retreats(Scripted, Retreats):
    """Kind R."""


class _Adjustments(Scripted, Adjustments):
    """Kind A."""


def phases(power: str, script: Script) -> Mapping[str, PhaseRules]:
    """The rules of moves, retreats and adjustments with one power playing by a script."""
    return {
        "M": _Moves(Movement(), power, script),
        "R": _Retreats(Retreats(), power, script),
        "A": _Adjustments(Adjustments(), power, script),
    }


def unscripted(setting: Setting) -> Setting:
    """The setting with every power in somebody's hands: for a latecomer, or in a bot’s thoughts."""
    return replace(setting, phases=STANDARD, scripted=()) if setting.scripted else setting


def _nobodys(power: str) -> Refusal:
    return NotAllowed("scripted_power", candidates=(power,))
