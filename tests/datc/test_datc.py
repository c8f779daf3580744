"""Every case of the Diplomacy Adjudicator Test Cases, and every alternative it gives for another choice.

The words are explained, and the document's misprints listed, in `expectations`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from talleyrand.formats.datc_cases import AlternativeVerdict, DatcCase, alternative_verdicts, read_datc_cases
from tests.datc.expectations import ERRATA, FAILS_AS_ILLEGAL, MISPRINTED_ORDERS, OPTIONS, Told, printed
from tests.datc.judges import JUDGES, lines

CASES = read_datc_cases((Path(__file__).parent / "datc_v3_2.txt").read_text("utf-8"))
BY_NUMBER = {case.number: case for case in CASES}


def _chosen(alternative: AlternativeVerdict) -> tuple[str, ...]:
    return tuple(f"{issue}={letter}" for issue, letter in alternative.issues)


OTHERWISE = sorted({(case.number, _chosen(one)) for case in CASES for one in alternative_verdicts(case)})


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.number)
def test_case(case: DatcCase, judge: str) -> None:
    phases = JUDGES[judge](case, {})
    for step, judged in zip(case.steps, phases, strict=True):
        for expected, line in zip(step.orders, lines(step), strict=True):
            verdicts = printed(case.number, expected.order, expected.verdicts)
            told = judged.told[line]
            assert told.meets(verdicts, retreating=step.kind == "retreat"), (expected, told)
        assert judged.removed == set(step.removals)


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize(("number", "choices"), OTHERWISE, ids=str)
def test_alternative(number: str, choices: tuple[str, ...], judge: str) -> None:
    case = BY_NUMBER[number]
    options = {name: value for choice in choices for name, value in OPTIONS[choice].items()}
    phases = JUDGES[judge](case, options)
    checked = 0
    for step, judged in zip(case.steps, phases, strict=True):
        written = [(line.power, line.order) for line in step.orders]
        for one in (one for one in step.alternatives if _chosen(one) == choices):
            line = lines(step)[written.index((one.expected.power, one.expected.order))]
            told, verdicts = judged.told[line], printed(number, one.expected.order, one.expected.verdicts)
            assert told.meets(verdicts, retreating=step.kind == "retreat"), (one, told)
            checked += 1
    assert checked


def test_the_whole_chapter_is_there() -> None:
    sections = Counter(case.number.rpartition(".")[0] for case in CASES)
    assert sections == {
        "6.A": 12,
        "6.B": 19,
        "6.C": 9,
        "6.D": 35,
        "6.E": 15,
        "6.F": 30,
        "6.G": 20,
        "6.H": 17,
        "6.I": 7,
        "6.J": 12,
    }


def test_every_exception_and_every_choice_is_used() -> None:
    orders = {(case.number, line.order) for case in CASES for step in case.steps for line in step.orders}
    assert {*ERRATA, *FAILS_AS_ILLEGAL, *MISPRINTED_ORDERS} <= orders
    assert {choice for _, choices in OTHERWISE for choice in choices} == set(OPTIONS)


@pytest.mark.parametrize("judge", JUDGES)
def test_an_erratum_is_no_longer_one_when_the_print_is_right(judge: str) -> None:
    for number, order in ERRATA:
        case = BY_NUMBER[number]
        step = case.steps[0]
        place = [line.order for line in step.orders].index(order)
        told: Told = JUDGES[judge](case, {})[0].told[lines(step)[place]]
        assert not told.meets(step.orders[place].verdicts, retreating=False)
