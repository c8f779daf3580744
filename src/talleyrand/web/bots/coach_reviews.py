"""What else a power could have ordered: a review of a phase that was played, made behind its page.

It depends on the phase and the game's seed alone, so that it is made once for all who ask.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.http import HttpRequest

import talleyrand
from talleyrand.formats import adjudication, question_input
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.variants import Variant
from talleyrand.web.background.generated_documents import get_document
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Lines, Question
from talleyrand.web.common.visitor_quota import visitor_id

from . import bot_players

COACH_JOB = "coach"
REVIEWED_KINDS = "MRA"


def reviewable_powers(question: Question, variant: Variant) -> list[str]:
    """The powers whose orders can be reviewed: those with units, or with something to decide."""
    told = {name: value for name, value in question.items() if name != "orders"}
    units = {power for power, some in (question.get("units") or {}).items() if some}
    deciding = units if question["phase"].endswith("M") else adjudicator.deciding_powers(told)
    return [power for power in variant.board.powers if power in deciding]


def review_of_moves(
    request: HttpRequest, question: Question, orders: Lines, power: str, *, apart: bool
) -> dict[str, Any]:
    """`CoachReview` as JSON. Raises DocumentPending, DocumentFailed and QuotaUsedUp."""
    sheets = {owner: list(lines) for owner, lines in orders.items() if owner}
    told = {"question": {**question, "orders": sheets}, "power": power, "apart": apart}
    text = json.dumps([told, talleyrand.__version__], sort_keys=True)
    name = f"coach/{hashlib.sha256(text.encode()).hexdigest()[:32]}.json"
    found: dict[str, Any] = json.loads(get_document(name, COACH_JOB, told, visitor=visitor_id(request)))
    return found


def make_coach_review(question: Question, power: str, apart: bool) -> bytes:
    """The review, as JSON."""
    from talleyrand.simulation.bots.winter_coach import review_orders

    played = judged_with(question, question["orders"], apart=apart)
    asked = played.question
    found = review_orders(
        asked.variant.definition,
        asked.rulebook.adjudication_rules,
        asked.position,
        played.turn.outcome.verdicts,
        power,
        bot_players.seed_number(asked.position.seed),
    )
    return json.dumps(found.as_json()).encode()


def judged_with(question: Question, orders: Lines, *, apart: bool = False) -> AdjudicatedQuestion:
    """The phase with these orders."""
    return adjudication.resolve_question(
        question_input.read_question({**question, "orders": {**orders}}), apart=apart
    )
