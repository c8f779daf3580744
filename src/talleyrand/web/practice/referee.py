"""The only door from the practice board to the judge: questions and answers of `formats`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talleyrand.formats import questions

Question = dict[str, Any]
Answer = dict[str, Any]
Lines = Mapping[str, list[str]]

CARRIED = ("units", "dislodged", "contested", "centers", "homes", "politics")


class Unanswered(Exception):
    """The judge refuses the question as a whole: `message` says why in every language."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(error.get("kind"))
        self.message: Mapping[str, str] = error["message"]


def ask(variant: str, rulebook: str, seed: str, situation: Mapping[str, Any]) -> Question:
    """A question about a situation, without orders yet."""
    return {"variant": variant, "rulebook": rulebook, "seed": seed, **situation}


def following(question: Question, answer: Answer) -> dict[str, Any] | None:
    """The situation that an answer leads to, or None when the game is over."""
    if not answer.get("next"):
        return None
    kept = {name: answer.get(name, question.get(name)) for name in CARRIED}
    return {"phase": answer["next"], **{name: value for name, value in kept.items() if value is not None}}


def judge(question: Question, orders: Lines) -> Answer:
    """What becomes of the orders; raises Unanswered."""
    return _checked(questions.answer({**question, "orders": _by_power(orders)}))


def read(question: Question, orders: Lines) -> list[dict[str, Any]]:
    """How each line is understood; raises Unanswered."""
    entries: list[dict[str, Any]] = _checked(questions.read({**question, "orders": _by_power(orders)}))[
        "orders"
    ]
    return entries


def options(question: Question) -> Mapping[str, Mapping[str, list[str]]]:
    """Every legal order, by power and unit; raises Unanswered."""
    return _checked(questions.options(question))


def _checked(answer: Any) -> Any:
    if "error" in answer and isinstance(answer["error"], Mapping):
        raise Unanswered(answer["error"])
    return answer


def _by_power(orders: Lines) -> dict[str, list[str]]:
    return {power: list(lines) for power, lines in orders.items() if power}
