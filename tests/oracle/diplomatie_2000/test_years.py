"""Years of the world beside an oracle that knows the text and nothing of the rules' module.

A sample in the everyday run, 1,000 years with `--full`; `--seed` draws others.
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats import adjudication
from tests.oracle.diplomatie_2000.comparison import compared
from tests.oracle.diplomatie_2000.scenes import draw_start
from tests.oracle.diplomatie_2000.sheets import Writer
from tests.oracle.diplomatie_2000.standing import Json, Line, Standing
from tests.oracle.diplomatie_2000.years import expected

FULL, SAMPLE = 1_000, 8
TOLD = ("phases", "adopted", "ties", "aid paid", "builds", "hosts", "by rule", "eliminated", "winners")
Sheets = dict[str, list[Line]]


def _retreats(dice: Random, question: Mapping[str, Json]) -> Sheets:
    """Where the dislodged go, most of them; each line means nothing to the oracle."""
    return {
        power: [
            Line(f"{one['unit']} - {dice.choice(one['retreats'])}", "unit")
            for one in some
            if one["retreats"] and dice.random() < 0.8
        ]
        for power, some in question["dislodged"].items()
    }


def _drawn(dice: Random, question: Mapping[str, Json]) -> Sheets:
    if question["phase"].endswith("R"):
        return _retreats(dice, question)
    writer = Writer(dice, Standing(question))
    sheets = writer.sheets()
    if question["phase"].endswith("P"):
        writer.amounts(sheets)
    return sheets


def _year(dice: Random, seen: Counter[str]) -> Iterator[str]:
    """Play a year to the end of its winter; what oracle and judge do not agree on."""
    question: dict[str, Json] = draw_start(dice)
    while question["phase"]:
        sheets = _drawn(dice, question)
        asked = {**question, "orders": {seat: [line.text for line in own] for seat, own in sheets.items()}}
        answer = adjudication.adjudicate_question(asked, StepBudget(0))
        if "error" in answer:
            yield f"{answer['error']}: {json.dumps(asked)}"
            return
        for told in compared(question, sheets, expected(question, sheets, answer), answer, seen):
            yield f"{question['phase']}: {told}"
        if question["phase"].endswith("A") or answer["next"] is None:
            return
        question = {
            **{name: question[name] for name in ("variant", "rulebook", "seed")},
            "phase": answer["next"],
            **{name: answer[name] for name in ("units", "centers", "contested", "politics")},
            "dislodged": answer["dislodged"] if str(answer["next"]).endswith("R") else {},
        }


@pytest.mark.one_in(4)
@pytest.mark.parametrize("part", range(4))
def test_judge_and_oracle_agree_on_years(
    part: int, seed: int, full: bool, record_property: Callable[[str, object], None]
) -> None:
    count = (FULL if full else SAMPLE) // 4
    seen: Counter[str] = Counter()
    for number in range(count):
        told = list(_year(Random(f"{seed} {part} {number}"), seen))
        assert told == [], f"year {number} of part {part}, seed {seed}"
    facts = ", ".join(f"{seen[name]} {name}" for name in TOLD)
    record_property("sampled", f"world, part {part}: {count} of {FULL // 4} years, seed {seed}: {facts}")


@pytest.mark.long
def test_the_oracle_imports_nothing_of_the_rules() -> None:
    """It stands on the annexes and on data files, and on nothing of the judge."""
    folder = Path(__file__).parent
    ours = [path for path in folder.glob("*.py") if path != Path(__file__)]
    assert len(ours) > 5
    for path in ours:
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        names = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        names += [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
        ours_too = [name for name in names if name.startswith(__name__.rpartition(".")[0])]
        others = {name.partition(".")[0] for name in names if name not in ours_too}
        assert others <= sys.stdlib_module_names, path
