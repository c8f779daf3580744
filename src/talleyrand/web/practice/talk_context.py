"""What the page of a practice game tells of its talk with the bots."""

from __future__ import annotations

from typing import Any

from talleyrand import variants
from talleyrand.negotiation.bot_answers import ACCEPTED, FORGIVEN
from talleyrand.negotiation.kept_word import AgreementAccount
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
    now, texts = PracticeHistory(game).now, TalkTexts(variants.load(game.variant))
    drawn = question is not None and talk.is_drawn(question, bots)
    return {
        "talk": {
            "form": form if form and speakers(game) else None,
            "messages": [_message_context(talk, texts, one) for one in talk.messages],
            "last": talk.messages[-1]["to"] if talk.messages else "",
            "agreements": [_agreement(texts, one) for one in talk.accounts(now)],
            "drawn": drawn,
            "characters": _characters(talk, texts, bots) if drawn or now is None else [],
        }
    }


def _agreement(texts: TalkTexts, account: AgreementAccount) -> dict[str, str]:
    return {
        "power": display_names.power_name(texts.variant, account.agreement.bot),
        "agreed": texts.agreement(account),
        "outcome": texts.outcome(account),
        "state": account.state,
    }


def _characters(talk: BotTalk, texts: TalkTexts, bots: list[str]) -> list[tuple[str, str]]:
    labels = character_labels()
    return [(display_names.power_name(texts.variant, bot), labels[talk.character(bot).name]) for bot in bots]


def _message_context(talk: BotTalk, texts: TalkTexts, message: Message) -> dict[str, Any]:
    """A message and its answer in the reader's language."""
    proposal, until = talk.proposal_of(message), message["until"]
    character = talk.character(message["to"])
    year = int(message["phase"][1:-1]) + (proposal.years if proposal else 1) - 1
    if proposal and message["answer"] == ACCEPTED:
        forgiven = message["about"] == FORGIVEN
        answer = texts.accepted(proposal, year, until, warm=character.name != "wary", forgiven=forgiven)
    else:
        answer = texts.refused(message["answer"], message["about"])
    return {
        "phase": display_names.season_name(texts.variant, message["phase"]),
        "number": message["number"],
        "by": display_names.power_name(texts.variant, message["by"]),
        "to": display_names.power_name(texts.variant, message["to"]),
        "said": message["text"],
        "proposal": texts.proposal(proposal, year) if proposal else "",
        "answer": answer,
        "agreed": message["answer"] == ACCEPTED,
    }
