"""Two ways to have a case judged: by the engine alone, and by our JSON, as a program outside would.

Each takes a case and the options of a book, and tells for every phase what became of each order, by
(power, place among that power's orders), and which units the rules removed, by (power, unit).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from talleyrand import rulebooks, variants
from talleyrand.engine.outcome import OrderResult, PhaseOutcome
from talleyrand.engine.position import Phase, Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook
from talleyrand.formats import adjudication
from talleyrand.formats.datc_cases import FIRST_PHASES, DatcCase, DatcStep
from talleyrand.notation import parse_normal
from tests.datc.expectations import MISPRINTED_ORDERS, Told

Line = tuple[str, int]


@dataclass(frozen=True)
class Judged:
    """One phase: what became of each order, and what the rules removed."""

    told: Mapping[Line, Told]
    removed: frozenset[tuple[str, str]]


def lines(step: DatcStep) -> list[Line]:
    """For each order of a phase in the text's order: whose, and its place among that power's."""
    seen: Counter[str] = Counter()
    places = []
    for expected in step.orders:
        places.append((expected.power, seen[expected.power]))
        seen[expected.power] += 1
    return places


def by_engine(case: DatcCase, options: Mapping[str, str]) -> list[Judged]:
    """The rules of each phase in turn, on values."""
    book = rulebooks.load("datc").adjudication_rules.with_options(options)
    judged, after = [], None
    for step in case.steps:
        outcome = _adjudicate(case, step, after, book)
        after = outcome.position_after
        judged.append(_told(outcome))
    return judged


def _adjudicate(case: DatcCase, step: DatcStep, before: Position | None, book: Rulebook) -> PhaseOutcome:
    setting = variants.load("classic").definition
    phase = Phase.parse(FIRST_PHASES[step.kind])
    position = replace(before, phase=phase) if before else _position(step, phase)
    orders = {
        power: [parse_normal(MISPRINTED_ORDERS.get((case.number, line), line)) for line in written]
        for power, written in step.orders_by_power().items()
    }
    return setting.rules_for(phase).adjudicate(setting.board, position, orders, book)


def _position(step: DatcStep, phase: Phase) -> Position:
    units = tuple(
        Unit(*UnitName.parse(name), power) for power, names in step.units_by_power().items() for name in names
    )
    owned: dict[str, tuple[str, ...]] = {}
    for power, code in step.centres:
        owned[power] = (*owned.get(power, ()), code)
    return Position(phase, units, centres=owned or None)


def _told(outcome: PhaseOutcome) -> Judged:
    told = {
        (verdict.power, verdict.number): Told(
            refused=False, results=frozenset(map(str, verdict.results)), cause=str(verdict.cause.code)
        )
        for verdict in outcome.verdicts
        if verdict.number is not None
    }
    fate = {(verdict.power, verdict.unit.province): verdict.results for verdict in outcome.verdicts}
    for entry in outcome.refused:
        unit = entry.order.unit
        results = fate.get((entry.power, unit.province), ()) if unit else ()
        told[entry.power, entry.number] = Told(refused=True, results=frozenset(map(str, results)))
    removed = frozenset(
        (verdict.power, str(verdict.unit))
        for verdict in outcome.verdicts
        if verdict.number is None and OrderResult.REMOVED in verdict.results
    )
    return Judged(told, removed)


def by_question(case: DatcCase, options: Mapping[str, str]) -> list[Judged]:
    """A question to the command line's JSON for each phase, made of the answer to the one before."""
    rulebook = {"extends": "datc", "options": dict(options)} if options else "datc"
    judged: list[Judged] = []
    asked: dict[str, Any] = case.question(rulebook)
    for step in case.steps:
        answer: dict[str, Any] = adjudication.adjudicate_question(
            asked | {"phase": FIRST_PHASES[step.kind], "orders": step.orders_by_power()}
        )
        assert "error" not in answer, answer
        judged.append(_answered(answer))
        asked |= {name: answer[name] for name in ("units", "dislodged", "contested")}
    return judged


def _answered(answer: Mapping[str, Any]) -> Judged:
    entries = answer["orders"]
    alone = [entry for entry in entries if entry["line"] is None]
    fate = {(entry["power"], entry["unit"]): entry["results"] for entry in alone}
    told = {
        (entry["power"], entry["line_no"] - 1): Told(
            refused=entry["error"] is not None,
            results=frozenset((*entry["results"], *_of_unit(entry, fate))),
            cause=entry["cause"]["code"] if entry["cause"] else "",
        )
        for entry in entries
        if entry["line"] is not None
    }
    removed = frozenset((entry["power"], entry["unit"]) for entry in alone if "removed" in entry["results"])
    return Judged(told, removed)


def _of_unit(entry: Mapping[str, Any], fate: Mapping[tuple[str, str], list[str]]) -> list[str]:
    """A refused line's unit has its fate on a line of its own."""
    return fate.get((entry["power"], entry["unit"]), []) if entry["error"] else []


JUDGES = {"engine": by_engine, "question": by_question}
