"""The doors of the simulation: what goes in, what comes out, what is refused, and who judges."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine import movement
from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.orders import Convoy, Disband, Hold, Move, Order
from talleyrand.engine.position import Phase, Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook
from talleyrand.notation import parse_normal
from talleyrand.simulation import array_layout, numba_compiler
from talleyrand.simulation.batch_adjudicator import (
    BatchAdjudicator,
    FallbackReason,
    NumbaMissingWarning,
    PhaseBatch,
    PhaseBatchAnswers,
)
from talleyrand.simulation.phase_encoding import read_phase
from tests.simulation.positions import Legal, crowds, legal, many_seas

BOARD = variants.load("classic").definition.board
DATC = rulebooks.load("datc").adjudication_rules
SPRING = Phase("S", 1901, "M")


def written(*lines: str) -> tuple[Position, dict[tuple[str, str], Order]]:
    """The units that the lines name (`POWER order`), and their orders."""
    orders: dict[tuple[str, str], Order] = {}
    units = []
    for line in lines:
        power, _, text = line.partition(" ")
        order = parse_normal(text)
        assert order.unit is not None
        units.append(Unit(*order.unit, power))
        orders[power, order.unit.province] = order
    return Position(SPRING, tuple(units)), orders


PARADOX = written(
    "ENGLAND F LON S F WAL - ENG",
    "ENGLAND F WAL - ENG",
    "FRANCE A BRE - LON",
    "FRANCE F ENG C A BRE - LON",
)
DISLODGED = written(
    "FRANCE A PAR - BUR",
    "FRANCE A MAR S A PAR - BUR",
    "GERMANY A BUR - PIC",
    "ENGLAND F ENG - PIC",
    "AUSTRIA A VIE - TYR",
)
STAND_OFF = written("FRANCE A PAR - BUR", "GERMANY A MUN - BUR", "ITALY F ROM H")


def sample(count: int) -> list[Legal]:
    return [legal(BOARD, *one, DATC) for one in islice(crowds(BOARD, 7, count), count)]


def test_a_dislodged_unit_is_told_with_its_attacker_and_its_retreats() -> None:
    judge = BatchAdjudicator(BOARD, DATC)
    phases = judge.encode([DISLODGED, STAND_OFF])
    answers = judge.adjudicate(phases)
    fate = judge.decode(phases, answers, 0)["BUR"]
    assert fate.result == "bounces"
    assert fate.dislodged_by == "PAR"
    assert fate.retreats == ("BEL", "GAS", "MUN", "RUH")
    assert judge.decode(phases, answers, 0)["VIE"].result == "moves"
    assert judge.contested(answers, 0) == {"PIC"}
    assert judge.contested(answers, 1) == {"BUR"}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("row", range(40))
def test_what_is_decoded_is_what_the_engine_says(row: int) -> None:
    judge, one = BatchAdjudicator(BOARD, DATC), sample(40)[row]
    outcome = movement.adjudicate_legal_orders(BOARD, one.position, one.orders, DATC, one.misordered)
    phases = judge.encode([one[:2]], [one.misordered])
    answers = judge.adjudicate(phases)
    fates = judge.decode(phases, answers, 0)
    assert {place: fate.result for place, fate in fates.items()} == {
        verdict.unit.province: verdict.results[0] for verdict in outcome.verdicts
    }
    assert {place: fate.by_sea for place, fate in fates.items()} == {
        verdict.unit.province: verdict.route == "sea" for verdict in outcome.verdicts
    }
    dislodged = {
        place: (fate.dislodged_by, fate.retreats) for place, fate in fates.items() if fate.dislodged_by
    }
    assert dislodged == {fall.unit.province: (fall.by, fall.retreats) for fall in outcome.dislodged}
    assert judge.contested(answers, 0) == outcome.position_after.contested


def test_what_is_encoded_can_be_read_again() -> None:
    judge = BatchAdjudicator(BOARD, DATC)
    for one in sample(60):
        phases = judge.encode([one[:2]], [one.misordered])
        read = read_phase(BOARD, phases.rows[0], {place: path for (_, place), path in phases.paths.items()})
        assert sorted(read.position.units) == sorted(one.position.units)
        assert read.misordered == one.misordered & {unit.province for unit in one.position.units}
        assert {key: order for key, order in read.orders.items() if key in one.orders} == one.orders
        assert all(isinstance(order, Hold) for key, order in read.orders.items() if key not in one.orders)


def test_one_at_a_time_and_all_at_once_give_the_same() -> None:
    judge, given = BatchAdjudicator(BOARD, DATC), sample(100)
    phases = judge.encode([one[:2] for one in given], [one.misordered for one in given])
    answers, room = judge.adjudicate(phases), PhaseBatchAnswers.blank(1, len(BOARD.provinces))
    for row in range(len(phases)):
        paths = {(0, place): path for (number, place), path in phases.paths.items() if number == row}
        alone = judge.adjudicate(PhaseBatch(phases.rows[row : row + 1], paths), room)
        assert np.array_equal(alone.fates[0], answers.fates[row])
        assert np.array_equal(alone.retreats[0], answers.retreats[row])


def test_threads_may_share_a_judge() -> None:
    judge = BatchAdjudicator(BOARD, DATC)
    phases = judge.encode([DISLODGED, STAND_OFF] * 200)
    expected = judge.adjudicate(phases)
    with ThreadPoolExecutor(4) as pool:
        for answers in pool.map(judge.adjudicate, [phases] * 16):
            assert np.array_equal(answers.fates, expected.fates)


def test_nothing_is_judged_where_there_is_nothing() -> None:
    judge = BatchAdjudicator(BOARD, DATC)
    assert judge.adjudicate(judge.encode([])).fates.shape[0] == 0
    empty = judge.encode([(Position(SPRING), {})])
    assert judge.decode(empty, judge.adjudicate(empty), 0) == {}


# who judges ---------------------------------------------------------------------------------------


def test_the_paradox_of_a_single_convoy_is_settled_by_the_kernel() -> None:
    judge = BatchAdjudicator(BOARD, DATC)
    phases = judge.encode([PARADOX])
    answers = judge.adjudicate(phases)
    assert answers.left_to_engine == {}
    assert judge.decode(phases, answers, 0)["BRE"].result == "convoy_disrupted"


def test_another_paradox_is_left_to_the_engine_and_counted() -> None:
    judge = BatchAdjudicator(BOARD, DATC.with_options({"convoy_paradox": "all_hold"}))
    phases = judge.encode([STAND_OFF, PARADOX, PARADOX])
    answers = judge.adjudicate(phases)
    assert answers.left_to_engine == {FallbackReason.PARADOX: 2}
    assert judge.decode(phases, answers, 1)["BRE"].result == "convoy_disrupted"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("convoy_paradox", "sea_first_always"),
        ("convoy_origin_in_paradoxes", "last_fleet"),
        ("convoy_origin_in_head_to_head", "last_fleet"),
    ],
)
def test_a_book_with_an_unknown_choice_is_followed_by_the_engine_and_counted(option: str, value: str) -> None:
    _same_by_engine(DATC.with_options({option: value}), FallbackReason.UNKNOWN_OPTION)


def test_a_book_that_falls_back_on_the_sea_is_followed_by_the_engine() -> None:
    _same_by_engine(rulebooks.load("diplomania").adjudication_rules, FallbackReason.UNKNOWN_OPTION)


def _same_by_engine(book: Rulebook, reason: FallbackReason) -> None:
    judge = BatchAdjudicator(BOARD, book)
    phases = judge.encode([PARADOX, DISLODGED])
    answers = judge.adjudicate(phases)
    assert answers.left_to_engine == {reason: 2}
    outcome = movement.adjudicate_legal_orders(BOARD, *DISLODGED, book)
    assert judge.contested(answers, 1) == outcome.position_after.contested


def test_named_seas_are_left_to_the_engine_and_counted() -> None:
    position, orders = written(
        "ENGLAND A LON - BEL", "ENGLAND F NTH C A LON - BEL", "ENGLAND F ENG C A LON - BEL"
    )
    orders["ENGLAND", "LON"] = Move(UnitName("A", "LON"), "BEL", path=("NTH",))
    judge = BatchAdjudicator(BOARD, DATC)
    phases = judge.encode([STAND_OFF, (position, orders)])
    answers = judge.adjudicate(phases)
    assert answers.left_to_engine == {FallbackReason.NAMED_PATH: 1}
    assert judge.decode(phases, answers, 1)["ENG"].result == "convoy_void"


def test_more_fleets_than_the_kernel_counts_are_left_to_the_engine() -> None:
    """By a book in which any of the fleets must stand."""
    board = many_seas()
    army = UnitName("A", "LA")
    units = (Unit(*army, "FRANCE"), *(Unit("F", sea, "ITALY") for sea in board.provinces if sea[0] == "S"))
    orders: dict[tuple[str, str], Order] = {("FRANCE", "LA"): Move(army, "LB")}
    orders |= {(unit.power, unit.province): Convoy(unit.name, army, "LB") for unit in units[1:]}
    judge = BatchAdjudicator(board, DATC.with_options({"multi_route_disruption": "any_route"}))
    phases = judge.encode([(Position(SPRING, units), orders)])
    answers = judge.adjudicate(phases)
    assert answers.left_to_engine == {FallbackReason.TOO_LARGE: 1}
    assert judge.decode(phases, answers, 0)["LA"].result == "moves"


def test_without_numba_the_engine_judges_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    given = [DISLODGED, PARADOX, STAND_OFF]
    fast = BatchAdjudicator(BOARD, DATC)
    expected = fast.adjudicate(fast.encode(given))
    monkeypatch.setattr(numba_compiler, "NUMBA_AVAILABLE", False)
    with pytest.warns(NumbaMissingWarning, match="Numba"):
        slow = BatchAdjudicator(BOARD, DATC)
    answers = slow.adjudicate(slow.encode(given))
    assert answers.left_to_engine == {FallbackReason.NO_NUMBA: 3}
    assert np.array_equal(answers.fates, expected.fates)
    assert np.array_equal(answers.retreats, expected.retreats)


def _python(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_it_can_be_imported_where_numba_is_not_installed() -> None:
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from talleyrand.simulation import movement_kernel, numba_compiler\n"
    )
    done = _python(program + "print(numba_compiler.NUMBA_AVAILABLE, movement_kernel.adjudicate_all.__name__)")
    assert done.stdout == "False adjudicate_all\n", done.stderr


def test_without_numpy_it_says_what_to_install() -> None:
    done = _python("import sys; sys.modules['numpy'] = None\nimport talleyrand.simulation.batch_adjudicator")
    assert "ImportError" in done.stderr
    assert "pip install 'talleyrand[simulation]'" in done.stderr


# what is refused ----------------------------------------------------------------------------------


def test_a_unit_that_cannot_stand_is_refused() -> None:
    position = Position(SPRING, (Unit("F", "PAR", "FRANCE"),))
    with pytest.raises(InvalidPosition):
        BatchAdjudicator(BOARD, DATC).encode([(position, {})])


def test_an_order_for_nobody_is_refused() -> None:
    position, orders = STAND_OFF
    with pytest.raises(ValueError, match="no unit in PAR"):
        BatchAdjudicator(BOARD, DATC).encode([(replace(position, units=position.units[1:]), orders)])


def test_a_support_for_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="no unit in MUN"):
        BatchAdjudicator(BOARD, DATC).encode([written("FRANCE A BUR S A MUN")])


def test_a_move_to_nowhere_is_refused() -> None:
    position, orders = STAND_OFF
    orders = {**orders, ("FRANCE", "PAR"): Move(UnitName("A", "PAR"), "OZ")}
    with pytest.raises(ValueError, match="no place OZ"):
        BatchAdjudicator(BOARD, DATC).encode([(position, orders)])


def test_an_order_of_another_phase_is_refused() -> None:
    position, _ = STAND_OFF
    with pytest.raises(ValueError, match="no order of a movement phase"):
        BatchAdjudicator(BOARD, DATC).encode([(position, {("FRANCE", "PAR"): Disband(UnitName("A", "PAR"))})])


def test_arrays_of_another_board_are_refused() -> None:
    with pytest.raises(ValueError, match="do not fit this board"):
        BatchAdjudicator(BOARD, DATC).adjudicate(PhaseBatch(np.zeros((3, 7, 5), np.uint16)))


def test_arrays_of_another_kind_or_order_are_refused() -> None:
    judge = BatchAdjudicator(BOARD, DATC)
    rows = judge.encode([STAND_OFF, DISLODGED]).rows
    of_another_kind: Any = rows.astype(np.int64)
    for strange in (of_another_kind, rows[:, :, ::2], np.asfortranarray(rows), rows[0]):
        with pytest.raises(ValueError, match="do not fit this board"):
            judge.adjudicate(PhaseBatch(strange))


@pytest.mark.parametrize(
    ("row", "number", "why"),
    [
        (array_layout.KIND, 9, "stands for nothing"),
        (array_layout.POWER, 7, "stands for nothing"),
        (array_layout.LOCATION, 500, "stands for nothing"),
        (array_layout.LOCATION, 0, "another province"),
        (array_layout.ORDER, 5, "stands for nothing"),
        (array_layout.TARGET, 75, "stands for nothing"),
        (array_layout.TARGET, 0, "for nobody"),
        (array_layout.GOAL, 65535, "stands for nothing"),
    ],
)
def test_numbers_that_mean_nothing_are_found(row: int, number: int, why: str) -> None:
    judge = BatchAdjudicator(BOARD, DATC)
    phases = judge.encode([STAND_OFF, DISLODGED])
    judge.check(phases)
    phases.rows[1, row, judge.names.provinces.index("MAR")] = number
    with pytest.raises(ValueError, match=why):
        judge.check(phases)


def test_answers_of_another_size_are_refused() -> None:
    judge = BatchAdjudicator(BOARD, DATC)
    with pytest.raises(ValueError, match="do not fit 1 phases"):
        judge.adjudicate(judge.encode([STAND_OFF]), PhaseBatchAnswers.blank(2, len(BOARD.provinces)))
