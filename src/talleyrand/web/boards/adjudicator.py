"""The only door from the practice board to the judge: questions and answers of `formats`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.formats import adjudication, game_record, question_input

from . import display_names

Question = dict[str, Any]
Answer = dict[str, Any]
Lines = Mapping[str, list[str]]

SITUATION_FIELDS = frozenset(("units", "dislodged", "contested", "centers", "homes", "politics"))
RETREAT_FIELDS = frozenset(("dislodged", "contested"))
MEMORY_FIELDS = frozenset(game_record.CARRIED_OVER_FIELDS)


class QuestionRefusal(Exception):
    """The judge refuses the question as a whole; `sentence` tells the reader why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def make_question(
    variant: str, rulebook: str | Mapping[str, Any], seed: str, situation: Mapping[str, Any]
) -> Question:
    """A question about a situation, without orders yet."""
    return {"variant": variant, "rulebook": rulebook, "seed": seed, **situation}


def situation_after(question: Question, answer: Answer) -> dict[str, Any] | None:
    """The situation that an answer leads to, or None when the game is over."""
    if not answer.get("next"):
        return None
    carried = SITUATION_FIELDS if answer["next"].endswith("R") else SITUATION_FIELDS - RETREAT_FIELDS
    kept = {name: answer.get(name, question.get(name)) for name in carried}
    kept |= {name: answer.get(name) for name in MEMORY_FIELDS}
    return {
        "phase": answer["next"],
        **{name: value for name, value in sorted(kept.items()) if value is not None},
    }


def adjudicate(question: Question, orders: Lines, *, apart: bool = False) -> Answer:
    """What becomes of the orders, of different people with `apart`; raises QuestionRefusal."""
    return _checked(adjudication.adjudicate_question({**question, "orders": _by_power(orders)}, apart=apart))


def read_orders(question: Question, orders: Lines, *, apart: bool = False) -> list[dict[str, Any]]:
    """How each line is understood; raises QuestionRefusal."""
    found = _checked(
        adjudication.read_question_orders({**question, "orders": _by_power(orders)}, apart=apart)
    )
    entries: list[dict[str, Any]] = found["orders"]
    return entries


def read_order_sets(question: Question, sheets: Mapping[str, list[list[str]]]) -> list[dict[str, Any]]:
    """The same where a power has sent several sheets, each with its number from 1; raises QuestionRefusal."""
    told = {power: [list(sheet) for sheet in several] for power, several in sheets.items()}
    entries: list[dict[str, Any]] = _checked(adjudication.read_question_orders({**question, "sheets": told}))[
        "orders"
    ]
    return entries


def kept_lines(question: Question, answer: Answer) -> dict[str, list[str]]:
    """What of the lines that an answer has judged stands for a question of the same draft, by power."""
    asked = question_input.read_question(question)
    setting = asked.variant.definition
    if setting.politics is None:
        return {}
    kept = {
        power: setting.politics.kept_orders(setting.board, asked.position, power, orders)
        for power, orders in _political(answer["orders"]).items()
    }
    return {power: [str(order) for order in orders] for power, orders in kept.items() if orders}


def chosen_powers(question: Question, orders: Lines) -> set[str]:
    """The powers whose lines say what they do in the open turn of a draft; raises QuestionRefusal."""
    asked = question_input.read_question(question)
    setting = asked.variant.definition
    return {
        power
        for power, said in _political(read_orders(question, orders, apart=True)).items()
        if setting.politics and setting.politics.has_chosen(setting.board, asked.position, power, said)
    }


def _political(entries: Iterable[Mapping[str, Any]]) -> dict[str, list[Order]]:
    """What was understood of the lines of a draft, by power."""
    given: dict[str, list[Order]] = {}
    for entry in entries:
        if entry["line"] is not None and entry["order"] and not entry["error"]:
            given.setdefault(entry["power"], []).append(PoliticalOrder(entry["order"]))
    return given


def check_question(question: Question) -> None:
    """Raises QuestionRefusal for a situation that cannot stand."""
    _checked(adjudication.check_question(question))


def legal_orders(question: Question) -> dict[str, list[str]]:
    """Every legal order of each power that has something to decide; raises QuestionRefusal."""
    listed = _checked(adjudication.legal_orders(question))
    return {
        power: [order for orders in units.values() for order in orders] for power, units in listed.items()
    }


def deciding_powers(question: Question) -> tuple[str, ...]:
    """The powers that have something to decide; raises TalleyrandError."""
    return _deciding_powers(json.dumps(question))


@lru_cache(maxsize=2000)
def _deciding_powers(question: str) -> tuple[str, ...]:
    """The same of a question as text: a phase is asked about at its opening, at each look and at its end."""
    asked = question_input.read_question(json.loads(question))
    setting = asked.variant.definition
    return setting.rules_for(asked.position.phase).powers_with_choices(
        setting.board, asked.position, asked.rulebook.adjudication_rules
    )


def _checked(answer: Answer) -> Answer:
    error = answer.get("error")
    if isinstance(error, Mapping):
        raise QuestionRefusal(error["message"][display_names.reader_language()])
    return answer


def _by_power(orders: Lines) -> dict[str, list[str]]:
    return {power: list(lines) for power, lines in orders.items() if power}
