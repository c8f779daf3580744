"""What the page of a practice game tells of its talk with the bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talleyrand import variants
from talleyrand.formats import question_input
from talleyrand.negotiation.bot_answers import ACCEPTED, BotAnswer
from talleyrand.negotiation.kept_word import RUNNING
from talleyrand.web.boards import display_names
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots.talk_texts import TalkTexts, character_labels

from . import bot_talk
from .bot_talk import BotTalk, Message
from .models import PracticeGame
from .practice_games import PracticeHistory
from .talk_form import TalkForm


def speakers(game: PracticeGame) -> list[str]:
    """The powers in whose name the person speaks: the one that is played, or all without a bot."""
    if game.played_power:
        return [game.played_power]
    return [power for power in variants.load(game.variant).definition.players if power not in game.bots]


def talk_context(game: PracticeGame, question: Question | None, *, is_open: bool) -> dict[str, Any]:
    """For the templates: the form where one may speak, what was said, and what became of it. `question` is
    that of the open phase where it is shown, and nothing once the game is over. Characters are told at the
    end alone.
    """
    bots, talk = bot_talk.talking_bots(game), BotTalk(game)
    form = TalkForm(question, speakers(game), bots) if bots and is_open and question else None
    if not talk.messages and not (form and speakers(game)):
        return {}
    offers = _offers(talk, question, bots) if form and question and speakers(game) else []
    now, texts = PracticeHistory(game).now, TalkTexts(variants.load(game.variant))
    drawn = question is not None and talk.is_drawn(question, bots)
    return {
        "talk": {
            "form": form if form and speakers(game) else None,
            "messages": [_message_context(talk, texts, one) for one in talk.messages],
            "offers": offers,
            "last": talk.messages[-1]["to"] if talk.messages else "",
            "agreements": [
                texts.agreement_row(one)
                for one in sorted(talk.accounts(now), key=lambda one: one.state != RUNNING)
            ],
            "drawn": drawn,
            "characters": _characters(talk, texts, bots) if drawn or now is None else [],
        }
    }


def broken_words_text(game: PracticeGame, number: int, question: Question, given: Mapping[str, str]) -> str:
    """Which agreements the orders in preparation (`given`, by province) would break; "" for none."""
    talk, told = BotTalk(game), list[str]()
    texts, units = TalkTexts(variants.load(game.variant)), question_input.read_question(question).position
    for power in speakers(game) if talk.messages else ():
        mine = [one for place, one in given.items() if units.units_by_province[place].power == power]
        found = talk.broken_by(number, question, power, mine)
        told += [texts.would_break(account, power) for account in found]
    return " ".join(told)


def _offers(talk: BotTalk, question: Question, bots: list[str]) -> list[dict[str, Any]]:
    """What bots propose in the open phase to who has not spoken to them in it: each with the fields of the
    form that agrees to it.
    """
    texts, rows = TalkTexts(variants.load(talk.game.variant)), []
    for one in talk.offers(question, speakers(talk.game), bots):
        told = one.proposal.as_json()
        for name in ("asked", "offered"):
            told[name], _dash, told[f"{name}_to"] = told.get(name, "").partition(" - ")
        year = int(question["phase"][1:-1]) + one.proposal.years - 1
        rows.append(
            {
                "bot": display_names.power_name(texts.variant, one.bot),
                "partner": display_names.power_name(texts.variant, one.partner),
                "text": texts.offer(one.proposal, year),
                "fields": {"by": one.partner, "to": one.bot, **told},
            }
        )
    return rows


def _characters(talk: BotTalk, texts: TalkTexts, bots: list[str]) -> list[tuple[str, str]]:
    labels = character_labels()
    return [(display_names.power_name(texts.variant, bot), labels[talk.character(bot).name]) for bot in bots]


def _message_context(talk: BotTalk, texts: TalkTexts, message: Message) -> dict[str, Any]:
    """A message and its answer in the reader's language."""
    proposal, character = talk.proposal_of(message), talk.character(message["to"])
    this_year = int(message["phase"][1:-1])
    year = this_year + (proposal.years if proposal else 1) - 1
    answered = BotAnswer(message["answer"], message["about"], message["until"])
    return {
        "phase": display_names.season_name(texts.variant, message["phase"]),
        "number": message["number"],
        "by": display_names.power_name(texts.variant, message["by"]),
        "to": display_names.power_name(texts.variant, message["to"]),
        "said": message["text"],
        "proposal": texts.proposal(proposal, year) if proposal else "",
        "answer": texts.answer(proposal, answered, character, this_year),
        "agreed": message["answer"] == ACCEPTED,
    }
