"""Reasons by counterfactual, on random positions of every book: all the units that a reason names taken
away, the verdict is another; any fewer of them, and it is the same. The same for each alternative.

A sample in the everyday run, 1,000 positions with `--full`; run with `-s` to see what was sampled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings

from talleyrand import rulebooks, variants
from talleyrand.engine import movement, retreats
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.counterfactuals import MOST_SETS, PhaseReasons, VerdictReason, reason_from_cause
from talleyrand.engine.orders import Build, Convoy, Disband, Move, Order, Retreat, Support
from talleyrand.engine.outcome import CauseCode, OrderResult, PhaseOutcome, Verdict
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook
from tests.engine.drawn import Scene, scenes
from tests.engine.scenes import DATC, TRIO, judged, orders, owning, position, standing
from tests.oracle.crowds import draw, small_board

BOARD = variants.load("classic").definition.board
SAMPLE, ALL = 12, 100

NEEDS_NOBODY = {
    CauseCode.UNOPPOSED: "an attack into an empty province needs nobody; by convoy it names the fleets",
    CauseCode.ROTATION: "each place is left whether or not its unit was there",
    CauseCode.RIVAL_STRANDED: "an attack that does not arrive stops nobody, whoever else is there",
    CauseCode.RIVAL_DISLODGED: "the attack changes nothing, so its absence does not either",
    CauseCode.RIVAL_WITHOUT_EFFECT: "the same",
    CauseCode.SWAP: "each place is left whether or not its unit was there",
    CauseCode.NOT_ATTACKED: "a support that nothing reaches counts whoever else is there",
    CauseCode.ATTACK_STRANDED: "an attack that does not arrive cuts nothing, whoever else is there",
    CauseCode.OWN_ATTACK: "a power never cuts its own supports, whoever attacks",
    CauseCode.ATTACK_FROM_TARGET: "the attack changes nothing, so its absence does not either",
    CauseCode.CONVOY_PROTECTED: "the same, by the book's rule for convoyed attacks",
    CauseCode.ORDERED: "it stays because it was told to",
    CauseCode.NO_ORDER: "it stays because it was told nothing",
    CauseCode.REFUSED: "it stays because its order is impossible",
    CauseCode.HELD_OFF: "an attack no stronger than one unit is held off by that unit alone",
    CauseCode.STRONGER: "the unit it dislodged would have left the place, had the attack been weaker",
    CauseCode.DISLODGES: "the same",
    CauseCode.NO_CONVOY: "what is missing cannot be taken away",
}
"""The causes that may name nobody, and why."""


class Case(NamedTuple):
    board: Board
    position: Position
    sheets: dict[str, list[Order]]
    book: Rulebook

    def judge(self, removed: frozenset[str] = frozenset()) -> PhaseOutcome:
        units = tuple(unit for unit in self.position.units if unit.province not in removed)
        sheets = {
            power: [order for order in sheet if order.unit is None or order.unit.province not in removed]
            for power, sheet in self.sheets.items()
        }
        return movement.adjudicate(self.board, replace(self.position, units=units), sheets, self.book)

    def several(self, verdict: Verdict) -> bool:
        """Whether another order of the unit takes the place of one that does not count."""
        units = [order.unit.province for sheet in self.sheets.values() for order in sheet if order.unit]
        return units.count(verdict.unit.province) > 1

    def changes(self, verdict: Verdict, removed: Iterable[str]) -> bool:
        """Whether a unit's results, or whether its order counts, are others without these units."""
        found = self.without(verdict, removed)
        return (found.results, found.order is None) != (verdict.results, verdict.order is None)

    def spoils(self, verdict: Verdict, at: str) -> bool:
        """Whether a unit's order counts for nothing without another unit: a fleet that it needs, say."""
        return verdict.order is not None and self.without(verdict, [at]).order is None

    def without(self, verdict: Verdict, removed: Iterable[str]) -> Verdict:
        """What becomes of the unit of a verdict without these units."""
        (found,) = (one for one in self.judge(frozenset(removed)).verdicts if one.unit == verdict.unit)
        return found


def reasons(case: Case) -> list[tuple[Verdict, VerdictReason]]:
    outcome = case.judge()
    found = PhaseReasons(case.board, case.position, case.sheets, case.book, outcome.verdicts)
    return [(verdict, found.reason_for(verdict)) for verdict in outcome.verdicts]


def faults(case: Case, verdict: Verdict, reason: VerdictReason) -> list[str]:
    """What is untrue of a reason."""
    if not reason.units:
        excused = verdict.cause.code in NEEDS_NOBODY or case.several(verdict) or _needs_a_rival(case, verdict)
        return [] if excused and not _bystander(case, verdict) else [f"nobody named for {verdict}"]
    found = [f"{units} named, itself among them" for units in reason.sets if verdict.unit in _names(units)]
    for units in reason.sets:
        places = [unit.province for unit in units]
        if not case.changes(verdict, places):
            found.append(f"{verdict.unit}: the same without {places}")
        for size in range(1, len(places)):
            smaller = (some for some in combinations(places, size) if case.changes(verdict, some))
            found += [f"{verdict.unit}: {some} of {places} is enough" for some in smaller]
    return found


def _names(units: Iterable[Unit]) -> set[UnitName]:
    return {unit.name for unit in units}


def _needs_a_rival(case: Case, verdict: Verdict) -> bool:
    """Whether the fleet without which an attack is none attacks the same place: it fails both ways."""
    order = verdict.order
    rivals = (one.unit for sheet in case.sheets.values() for one in sheet if _attacks(one, order))
    others = (unit.province for unit in rivals if unit is not None and unit != verdict.unit)
    return any(case.spoils(verdict, at) for at in others if at in case.position.units_by_province)


def _attacks(one: Order, order: Order | None) -> bool:
    if not (isinstance(one, Move) and isinstance(order, Move)):
        return False
    return province_of(one.to) == province_of(order.to)


def _bystander(case: Case, verdict: Verdict) -> str:
    """A unit that its order does not speak of, without which the order would come to the other result."""
    order = verdict.order
    whose = order.target.province if isinstance(order, Support | Convoy) else ""
    others = {unit.province for unit in case.position.units} - {verdict.unit.province, whose}
    telling = verdict.cause.code is not CauseCode.NO_CONVOY
    telling_units = (at for at in sorted(others) if telling and case.changes(verdict, [at]))
    return next((at for at in telling_units if not case.spoils(verdict, at)), "")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", rulebooks.names())
def test_reasons_hold_both_ways(
    name: str, seed: int, full: bool, record_property: Callable[[str, object], None]
) -> None:
    random, book = Random(f"{seed} reasons {name}"), rulebooks.load(name).adjudication_rules
    count, seen = ALL if full else SAMPLE, Counter[str]()
    for number in range(count):
        board = small_board(random, BOARD) if number % 3 == 2 else BOARD
        crowd = draw(random, board)
        case = Case(board, crowd.position, crowd.by_power(), book)
        for verdict, reason in reasons(case):
            assert not faults(case, verdict, reason), (name, number, crowd.lines())
            seen["verdicts"] += 1
            seen["with a reason"] += bool(reason.units)
            seen["with alternatives"] += bool(reason.any_of)
            seen["with several units together"] += any(len(units) > 1 for units in reason.sets)
    figures = ", ".join(f"{number} {what}" for what, number in seen.items())
    record_property("sampled", f"reasons, {name}: {count} of {ALL} positions, seed {seed}: {figures}")
    assert seen["with a reason"] > seen["verdicts"] // 3


@pytest.mark.long
@settings(max_examples=20)
@given(scenes())
def test_reasons_hold_among_nonsense(scene: Scene) -> None:
    """Several orders for a unit, impossible ones, powers in disorder, every board, books nobody wrote."""
    case = Case(scene.setting.board, scene.position, scene.orders, scene.book)
    for verdict, reason in reasons(case):
        assert not faults(case, verdict, reason)


def test_the_sample_is_large_enough() -> None:
    """1,000 positions and more at full size."""
    assert ALL * len(rulebooks.names()) >= 1000


class Row(NamedTuple):
    """A unit's reason in a scene: sets of units, "or" between."""

    unit: str
    wanted: str
    scene: dict[str, str]
    book: Rulebook = DATC


ROWS = [
    Row("A PAR", "A BUR", {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR H"}),
    Row("A PAR", "A MUN, A RUH", {"FRANCE": "A PAR - BUR", "GERMANY": "A RUH - BUR", "ITALY": "A MUN - BUR"}),
    Row(
        "A PAR",
        "A BUR or A RUH",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H, A RUH S A BUR"},
    ),
    Row(
        "A PAR",
        "A BUR or A PIE",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H", "ITALY": "A PIE - MAR"},
    ),
    Row("A PAR", "A MAR", {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H"}),
    Row(
        "A PAR",
        "A GAS, A MAR",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR, A GAS S A PAR - BUR", "GERMANY": "A BUR H"},
    ),
    Row("A PAR", "", {"FRANCE": "A PAR - BUR"}),
    Row("A LON", "F NTH", {"ENGLAND": "A LON - BEL, F NTH C A LON - BEL"}),
    Row(
        "A LON",
        "F HEL or F HOL",
        {"ENGLAND": "A LON - BEL, F NTH C A LON - BEL", "GERMANY": "F HEL - NTH, F HOL S F HEL - NTH"},
    ),
    Row(
        "A MAR",
        "A PIE, F LYO",
        {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "ITALY": "A PIE - MAR, F LYO - MAR"},
    ),
    Row("A RUH", "A BUR", {"FRANCE": "A BUR H, A RUH S A BUR - MUN"}),
    Row("A BUR", "A PAR or A MAR", {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H"}),
    Row(
        "A BUR", "A RUH", {"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H, A RUH S A BUR"}
    ),
    Row("A BUR", "", {"FRANCE": "A PAR - BUR", "GERMANY": "A BUR H"}),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.unit}: {row.wanted}")
def test_who_is_named(row: Row) -> None:
    given = {power: list(sheet) for power, sheet in orders(**row.scene).items()}
    case = Case(BOARD, standing(**row.scene), given, row.book)
    (found,) = (reason for verdict, reason in reasons(case) if str(verdict.unit) == row.unit)
    sets = {", ".join(sorted(map(str, units))) for units in found.sets}
    assert sets == {*filter(None, row.wanted.split(" or "))}


def test_alternatives_are_few() -> None:
    random, book = Random("few"), DATC
    for _ in range(10):
        crowd = draw(random, BOARD)
        case = Case(BOARD, crowd.position, crowd.by_power(), book)
        assert all(len(reason.sets) <= MOST_SETS for _, reason in reasons(case))


# retreats -----------------------------------------------------------------------------------------

FALLEN = (
    DislodgedUnit(Unit("A", "BUR", "FRANCE"), "MUN", convoyed=False, retreats=("GAS", "PAR")),
    DislodgedUnit(Unit("A", "PIC", "ENGLAND"), "BEL", convoyed=False, retreats=("PAR",)),
    DislodgedUnit(Unit("A", "BRE", "GERMANY"), "ENG", convoyed=False, retreats=("GAS", "PAR")),
)


@pytest.mark.parametrize("book", rulebooks.names())
@pytest.mark.parametrize(
    "goals", ["PAR PAR PAR", "PAR PAR GAS", "GAS PAR GAS", "GAS PAR D", "PAR - PAR", "PAR PAR -"]
)
def test_retreats_that_clash_name_all_who_clash(goals: str, book: str) -> None:
    def fates(removed: frozenset[str]) -> dict[UnitName, Verdict]:
        left = tuple(fallen for fallen in FALLEN if fallen.unit.province not in removed)
        sheets: dict[str, list[Order]] = {}
        for fallen, goal in zip(FALLEN, goals.split(), strict=True):
            unit = fallen.unit
            if goal != "-" and fallen in left:
                sheets[unit.power] = [Disband(unit.name) if goal == "D" else Retreat(unit.name, goal)]
        after = Position(Phase("S", 1901, "R"), (), dislodged=left)
        outcome = retreats.adjudicate(BOARD, after, sheets, rulebooks.load(book).adjudication_rules)
        return {verdict.unit: verdict for verdict in outcome.verdicts}

    base = fates(frozenset())
    clashing = [verdict for verdict in base.values() if verdict.cause.code is CauseCode.RETREAT_CONFLICT]
    for verdict in clashing:
        places = [unit.province for unit in verdict.cause.units]
        assert fates(frozenset(places))[verdict.unit].results == (OrderResult.RETREATS,)
        for size in range(len(places)):
            for some in combinations(places, size):
                assert fates(frozenset(some))[verdict.unit].results == verdict.results
    assert all(verdict.cause.units == () for verdict in base.values() if verdict not in clashing)


# adjustments --------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", rulebooks.names())
@pytest.mark.parametrize("occupant", ["FRANCE", "GERMANY"])
def test_a_build_on_an_occupied_centre_names_who_stands_there(occupant: str, book: str) -> None:
    def built(units: dict[str, str]) -> Verdict:
        before = owning(position("W1901A", **units), FRANCE="BRE MAR PAR SPA", GERMANY="MUN BER KIE")
        (verdict,) = (
            found
            for found in judged(
                before, orders(FRANCE="A PAR B"), rulebooks.load(book).adjudication_rules
            ).verdicts
            if str(found.order) == "A PAR B"
        )
        return verdict

    elsewhere = {"FRANCE": "A SPA", "GERMANY": "A MUN, A BER"}
    stands = elsewhere | {occupant: f"{elsewhere[occupant]}, A PAR"}
    verdict = built(stands)
    assert verdict.cause.code is CauseCode.CENTRE_OCCUPIED
    assert [(str(unit), unit.power) for unit in reason_from_cause(verdict).units] == [("A PAR", occupant)]
    assert built(elsewhere).results == (OrderResult.BUILDS,)


def test_a_second_unit_of_its_kind_names_the_first() -> None:
    before, power = TRIO.start, next(iter(TRIO.board.homes))
    first, second = (Build(UnitName("P", home)) for home in TRIO.board.homes[power][:2])
    rules = TRIO.rules_for(before.phase)
    sheets: dict[str, list[Order]] = {power: [first, second]}
    outcome = rules.adjudicate(TRIO.board, before, sheets, DATC)
    told = {verdict.order: verdict for verdict in outcome.verdicts}
    assert [unit.name for unit in told[second].cause.units] == [first.unit]
    alone = rules.adjudicate(TRIO.board, before, {power: [second]}, DATC)
    results = {verdict.order: verdict.results for verdict in alone.verdicts}
    assert results[second] == (OrderResult.BUILDS,) != told[second].results
