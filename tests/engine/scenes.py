"""Positions and orders written short, for the tables of the engine's tests."""

from __future__ import annotations

from collections.abc import Mapping

from talleyrand import variants
from talleyrand.engine.board import Board
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import PhaseOutcome
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook
from talleyrand.notation import parse_normal

CLASSIC: GameDefinition = variants.load("classic").definition
TRIO: GameDefinition = variants.load("trio").definition
BOARD: Board = CLASSIC.board
DATC = Rulebook()


def units(**by_power: str) -> tuple[Unit, ...]:
    """`FRANCE="A PAR, F BRE"`, in the order written."""
    return tuple(
        Unit(*UnitName.parse(name), power)
        for power, names in by_power.items()
        for name in names.split(",")
        if name.strip()
    )


def position(phase: str = "S1901M", **by_power: str) -> Position:
    """A position of units alone."""
    return Position(Phase.parse(phase), units(**by_power))


def standing(disorder: str = "", **by_power: str) -> Position:
    """The units that movement orders are for: `FRANCE="A PAR - BUR, F BRE H"`."""
    names = {
        power: ",".join(" ".join(line.split()[:2]) for line in lines.split(","))
        for power, lines in by_power.items()
    }
    return Position(
        Phase("S", 1901, "M"), units(**names), powers_in_disorder=frozenset(filter(None, (disorder,)))
    )


def owning(before: Position, **by_power: str) -> Position:
    """The same position with centres: `FRANCE="PAR BRE"`."""
    centres = {power: tuple(codes.split()) for power, codes in by_power.items()}
    return Position(before.phase, before.units, before.dislodged, before.contested, centres)


def fallen(power: str, unit: str, by: str, retreats: str = "") -> DislodgedUnit:
    """A unit that must retreat."""
    return DislodgedUnit(Unit(*UnitName.parse(unit), power), by, retreats=tuple(retreats.split()))


def orders(**by_power: str) -> dict[str, list[Order]]:
    """`FRANCE="A PAR - BUR, F BRE H"`, in normal form."""
    return {
        power: [parse_normal(line.strip()) for line in lines.split(",") if line.strip()]
        for power, lines in by_power.items()
    }


def judged(
    before: Position,
    given: Mapping[str, list[Order]],
    book: Rulebook = DATC,
    setting: GameDefinition = CLASSIC,
) -> PhaseOutcome:
    """What the rules of the phase make of the orders."""
    return setting.rules_for(before.phase).adjudicate(setting.board, before, given, book)


def fates(outcome: PhaseOutcome) -> dict[str, str]:
    """Each unit (as named at the start) with its results, a blank between."""
    return {str(verdict.unit): " ".join(verdict.results) for verdict in outcome.verdicts}


def causes(outcome: PhaseOutcome) -> dict[str, str]:
    """Each unit with the code of its cause."""
    return {str(verdict.unit): str(verdict.cause.code) for verdict in outcome.verdicts}


def reasons(outcome: PhaseOutcome) -> dict[str, str]:
    """Each refused order with its reason."""
    return {str(entry.order): entry.refusal.code for entry in outcome.refused}
