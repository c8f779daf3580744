"""The only door from the practice board to the judge: questions and answers of `formats`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talleyrand.formats import asking, questions

from . import wording

Question = dict[str, Any]
Answer = dict[str, Any]
Lines = Mapping[str, list[str]]

CARRIED = frozenset(("units", "dislodged", "contested", "centers", "homes", "politics"))
FOR_RETREATS = frozenset(("dislodged", "contested"))
REMEMBERED = frozenset(("centers_before", "disorder", "kept_builds", "passive"))


class Unanswered(Exception):
    """The judge refuses the question as a whole; `sentence` tells the reader why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def ask(variant: str, rulebook: str | Mapping[str, Any], seed: str, situation: Mapping[str, Any]) -> Question:
    """A question about a situation, without orders yet."""
    return {"variant": variant, "rulebook": rulebook, "seed": seed, **situation}


def following(question: Question, answer: Answer) -> dict[str, Any] | None:
    """The situation that an answer leads to, or None when the game is over."""
    if not answer.get("next"):
        return None
    carried = CARRIED if answer["next"].endswith("R") else CARRIED - FOR_RETREATS
    kept = {name: answer.get(name, question.get(name)) for name in carried}
    kept |= {name: answer.get(name) for name in REMEMBERED}
    return {
        "phase": answer["next"],
        **{name: value for name, value in sorted(kept.items()) if value is not None},
    }


def judge(question: Question, orders: Lines, *, apart: bool = False) -> Answer:
    """What becomes of the orders, of different people with `apart`; raises Unanswered."""
    return _checked(questions.answer({**question, "orders": _by_power(orders)}, apart=apart))


def read(question: Question, orders: Lines, *, apart: bool = False) -> list[dict[str, Any]]:
    """How each line is understood; raises Unanswered."""
    found = _checked(questions.read({**question, "orders": _by_power(orders)}, apart=apart))
    entries: list[dict[str, Any]] = found["orders"]
    return entries


def read_sheets(question: Question, sheets: Mapping[str, list[list[str]]]) -> list[dict[str, Any]]:
    """The same where a power has sent several sheets, each with its number from 1; raises Unanswered."""
    told = {power: [list(sheet) for sheet in several] for power, several in sheets.items()}
    entries: list[dict[str, Any]] = _checked(questions.read({**question, "sheets": told}))["orders"]
    return entries


def check(question: Question) -> None:
    """Raises Unanswered for a situation that cannot stand."""
    _checked(questions.options(question))


def options(question: Question) -> dict[str, list[str]]:
    """Every legal order of each power that has something to decide; raises Unanswered."""
    listed = _checked(questions.options(question))
    return {
        power: [order for orders in units.values() for order in orders] for power, units in listed.items()
    }


def choosers(question: Question) -> tuple[str, ...]:
    """The powers that have something to decide; raises TalleyrandError."""
    asked = asking.read_question(question)
    setting = asked.variant.setting
    return setting.rules(asked.position.phase).choosers(setting.board, asked.position, asked.book.judge)


def _checked(answer: Answer) -> Answer:
    error = answer.get("error")
    if isinstance(error, Mapping):
        raise Unanswered(error["message"][wording.language()])
    return answer


def _by_power(orders: Lines) -> dict[str, list[str]]:
    return {power: list(lines) for power, lines in orders.items() if power}
