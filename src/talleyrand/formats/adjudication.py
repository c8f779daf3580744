"""Questions of the contract and their answers, as JSON values.

`adjudicate_question`, `read_question_orders` and `legal_orders` never raise for what a question contains: a
question that cannot be answered gives `{"id", "error": {"kind", "message": {"fr", "en"}}}`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from talleyrand.engine import game
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.step_budget import StepBudget
from talleyrand.variants import LANGUAGES

from .adjudication_answer import REASONS_EFFORT, AdjudicatedQuestion
from .answer_errors import Languages, error_json
from .json_checks import InvalidQuestion, Json
from .question_input import Question, read_question
from .received_orders import read_received_orders as read_sheets

AnswerJson = dict[str, Json]


def adjudicate_question(
    question: Json,
    effort: StepBudget | None = None,
    *,
    apart: bool = False,
    languages: Languages = LANGUAGES,
    with_reasons: bool = True,
) -> AnswerJson:
    """What becomes of the orders (`talleyrand adjudicate`); reasons take `effort`, EFFORT unless given, and
    sheets are read `apart` as `read_question` of `reading` says. Sentences are in `languages` alone, and
    without any left out; unless `with_reasons` nobody asks what would have been enough."""

    def answered(asked: Question) -> AnswerJson:
        judged = resolve_question(asked, effort, apart=apart)
        return replace(judged, languages=languages, with_reasons=with_reasons).answer()

    return _replied(question, answered, languages)


def read_question_orders(
    question: Json, *, apart: bool = False, languages: Languages = LANGUAGES
) -> AnswerJson:
    """How the orders are read, before anything is judged (`talleyrand read`); `languages` as there."""
    return _replied(question, lambda asked: _read_orders_json(asked, languages, apart=apart), languages)


def legal_orders(question: Json) -> AnswerJson:
    """Power → unit → every legal order, in normal form."""
    listed = _replied(question, _options)
    return listed if "error" in listed else {power: listed[power] for power in listed if power != "id"}


def check_question(question: Json) -> AnswerJson:
    """Whether a question can stand: an `error`, if any, as `legal_orders` gives it. No order is listed, of
    which a crowded board has millions."""

    def stands(asked: Question) -> AnswerJson:
        _check_centres(asked)
        setting = asked.variant.definition
        rules, book = setting.rules_for(asked.position.phase), asked.rulebook.adjudication_rules
        rules.powers_with_choices(setting.board, asked.position, book)
        return {}

    return _replied(question, stands)


def resolve_question(
    question: Question, effort: StepBudget | None = None, *, apart: bool = False
) -> AdjudicatedQuestion:
    """Read the sheets and play the phase; raises InvalidQuestion for adjustments without centres."""
    _check_centres(question)
    reading = read_sheets(question, apart=apart)
    setting = question.variant.definition
    turn = game.play_phase(setting, question.position, reading.orders(), question.rulebook.adjudication_rules)
    return AdjudicatedQuestion(question, reading, turn, effort=effort or StepBudget(REASONS_EFFORT))


def failure_answer(question: Json, error: TalleyrandError, languages: Languages = LANGUAGES) -> AnswerJson:
    """The answer to a question that cannot be answered."""
    asked = question if isinstance(question, dict) else {}
    return {"id": asked.get("id"), "error": error_json(error, languages)}


def _replied(
    question: Json, reply: Callable[[Question], AnswerJson], languages: Languages = LANGUAGES
) -> AnswerJson:
    try:
        asked = read_question(question)
        given = reply(asked)
    except TalleyrandError as error:
        return failure_answer(question, error, languages)
    return {"id": question.get("id") if isinstance(question, dict) else None} | given


def _read_orders_json(question: Question, languages: Languages, *, apart: bool) -> AnswerJson:
    judged = replace(resolve_question(question, apart=apart), languages=languages)
    orders = [
        entry
        for entry in judged.entries_before_adjudication()
        if entry["line"] is not None or entry["order"] is not None
    ]
    return {"orders": orders, "notes": judged.notes()}


def _check_centres(question: Question) -> None:
    """Without ownership every unit would be one too many."""
    rules = question.variant.definition.rules_for(question.position.phase)
    if isinstance(rules, game.AdjustmentRules) and question.position.centres is None:
        raise InvalidQuestion("field_missing", field="centers")


def _options(question: Question) -> AnswerJson:
    _check_centres(question)
    setting, position, book = (
        question.variant.definition,
        question.position,
        question.rulebook.adjudication_rules,
    )
    rules = setting.rules_for(position.phase)
    listed: AnswerJson = {}
    for power in rules.powers_with_choices(setting.board, position, book):
        by_unit: dict[str, list[str]] = {}
        for order in rules.legal_orders(setting.board, position, power, book):
            by_unit.setdefault(str(order.unit) if order.unit else str(order), []).append(str(order))
        listed[power] = by_unit
    return listed
