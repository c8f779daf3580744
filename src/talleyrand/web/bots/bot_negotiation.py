"""A bot as one speaks to it: in the open phase, with what it has agreed to and what became of that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from talleyrand import variants
from talleyrand.engine.orders import Order, parse_normal
from talleyrand.formats import question_input
from talleyrand.negotiation.bot_answers import Negotiation
from talleyrand.negotiation.bot_characters import BotCharacter
from talleyrand.negotiation.kept_word import AgreementAccount, PlayedOrders, would_break
from talleyrand.web.boards.adjudicator import Question

TALKING_BOTS = ("values", "search")
TALK_CPU_SECONDS = 0.1  # what a message is counted for, whatever it took


def talking_powers(variant: str, bots: Mapping[str, str]) -> list[str]:
    """The powers whose bots one may talk to."""
    setting = variants.load(variant).definition
    if setting.politics is not None:
        return []
    return [power for power in setting.players if bots.get(power, "").split(":")[0] in TALKING_BOTS]


def negotiation_of(
    question: Question, bot: str, speaker: str, character: BotCharacter, accounts: Sequence[AgreementAccount]
) -> Negotiation:
    """A bot in the open phase, spoken to by a power."""
    asked = question_input.read_question(question)
    book = asked.rulebook.adjudication_rules
    return Negotiation(asked.variant.definition, book, asked.position, bot, speaker, character, accounts)


def broken_by(
    question: Question, power: str, lines: Iterable[str], accounts: Iterable[AgreementAccount]
) -> list[AgreementAccount]:
    """The agreements, one with each power, that a power's orders in the open phase would break."""
    asked = question_input.read_question(question)
    orders = [parse_normal(line) for line in lines]
    found = [one for one in accounts if would_break(one, power, orders, asked.position, asked.variant.board)]
    return list({one.agreement.partner_of(power): one for one in reversed(found)}.values())[::-1]


def played_orders(question: Question, answer: Mapping[str, Any]) -> PlayedOrders:
    """What stood on the board and what was ordered: lines that were not followed do not count."""
    orders: dict[str, list[Order]] = {}
    for entry in answer["orders"]:
        if entry["order"] and not entry["error"] and "illegal" not in entry["results"]:
            orders.setdefault(entry["power"], []).append(parse_normal(entry["order"]))
    return PlayedOrders(question_input.read_question(question).position, orders)
