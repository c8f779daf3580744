"""The cases of the DATC under any book, as a program outside would ask for them, and what two books'
answers are compared by."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from talleyrand.formats import adjudication
from talleyrand.formats.datc_cases import FIRST_PHASES, DatcCase, read_datc_cases

Value = dict[str, Any]
_AFTER = (
    "units",
    "dislodged",
    "contested",
    "centers",
    "adjustments",
    "kept_builds",
    "eliminated",
    "winner",
    "next",
)
_OF_A_LINE = ("power", "unit", "line_no", "sheet", "results", "to", "by")


@cache
def datc_cases() -> dict[str, DatcCase]:
    """Every case by its number."""
    text = (Path(__file__).parent / "datc_v3_2.txt").read_text("utf-8")
    return {case.number: case for case in read_datc_cases(text)}


def phases(case: DatcCase, book: str | Value) -> Iterator[Value]:
    """The answer to each phase, each asked with what the answer before it left on the board."""
    asked: Value = case.question(book)
    for step in case.steps:
        answer: Value = adjudication.adjudicate_question(
            asked | {"phase": FIRST_PHASES[step.kind], "orders": step.orders_by_power()}
        )
        assert "error" not in answer, answer
        yield answer
        asked |= {name: answer[name] for name in ("units", "dislodged", "contested")}


def told(answer: Value) -> Value:
    """What became of each order, and the position afterwards; not the words that say why."""
    lines = [
        {name: entry.get(name) for name in _OF_A_LINE} | {"refused": entry["error"] is not None}
        for entry in answer["orders"]
    ]
    return {"lines": lines} | {name: answer.get(name) for name in _AFTER}
