"""Questions of the contract and their answers, as JSON values.

`answer`, `read` and `options` never raise for what a question contains: a question that cannot be
answered gives `{"id", "error": {"kind", "message": {"fr", "en"}}}`.
"""

from __future__ import annotations

from collections.abc import Callable

from talleyrand.engine import game
from talleyrand.engine.effort import Effort
from talleyrand.engine.errors import TalleyrandError

from .answers import EFFORT, Judged
from .asking import Question, read_question
from .reading import read_question as read_sheets
from .sentences import error_value
from .shapes import BadQuestion, Json

Answer = dict[str, Json]


def answer(question: Json, effort: Effort | None = None, *, apart: bool = False) -> Answer:
    """What becomes of the orders (`talleyrand adjudicate`); reasons take `effort`, EFFORT unless given, and
    sheets are read `apart` as `read_question` of `reading` says."""
    return _replied(question, lambda asked: judge(asked, effort, apart=apart).answer())


def read(question: Json, *, apart: bool = False) -> Answer:
    """How the orders are read, before anything is judged (`talleyrand read`)."""
    return _replied(question, lambda asked: _read(asked, apart=apart))


def options(question: Json) -> Answer:
    """Power → unit → every legal order, in normal form."""
    listed = _replied(question, _options)
    return listed if "error" in listed else {power: listed[power] for power in listed if power != "id"}


def judge(question: Question, effort: Effort | None = None, *, apart: bool = False) -> Judged:
    """Read the sheets and play the phase; raises BadQuestion for adjustments without centres."""
    _check_centres(question)
    reading = read_sheets(question, apart=apart)
    setting = question.variant.setting
    turn = game.play(setting, question.position, reading.orders(), question.book.judge)
    return Judged(question, reading, turn, effort=effort or Effort(EFFORT))


def failure(question: Json, error: TalleyrandError) -> Answer:
    """The answer to a question that cannot be answered."""
    asked = question if isinstance(question, dict) else {}
    return {"id": asked.get("id"), "error": error_value(error)}


def _replied(question: Json, reply: Callable[[Question], Answer]) -> Answer:
    try:
        asked = read_question(question)
        given = reply(asked)
    except TalleyrandError as error:
        return failure(question, error)
    return {"id": question.get("id") if isinstance(question, dict) else None} | given


def _read(question: Question, *, apart: bool) -> Answer:
    judged = judge(question, apart=apart)
    orders = [entry for entry in judged.read() if entry["line"] is not None or entry["order"] is not None]
    return {"orders": orders, "notes": judged.notes()}


def _check_centres(question: Question) -> None:
    """Without ownership every unit would be one too many."""
    rules = question.variant.setting.rules(question.position.phase)
    if isinstance(rules, game.Adjustments) and question.position.centres is None:
        raise BadQuestion("field_missing", field="centers")


def _options(question: Question) -> Answer:
    _check_centres(question)
    setting, position, book = question.variant.setting, question.position, question.book.judge
    rules = setting.rules(position.phase)
    listed: Answer = {}
    for power in rules.choosers(setting.board, position, book):
        by_unit: dict[str, list[str]] = {}
        for order in rules.options(setting.board, position, power, book):
            by_unit.setdefault(str(order.unit) if order.unit else str(order), []).append(str(order))
        listed[power] = by_unit
    return listed
