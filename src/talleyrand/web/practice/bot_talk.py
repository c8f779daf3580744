"""What was said to the bots of a practice game, and what follows from it: read from the game's own row."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.formats import json_checks
from talleyrand.negotiation.bot_answers import ACCEPTED, Negotiation
from talleyrand.negotiation.bot_characters import CHARACTERS, BotCharacter, character_by_lot
from talleyrand.negotiation.bot_duties import NO_DUTIES, BotDuties, duties_of
from talleyrand.negotiation.bot_offers import MOST_TO_ONE, BotOffer, offers_of_phase
from talleyrand.negotiation.kept_word import AgreementAccount, PlayedOrders, account_of, without_extended
from talleyrand.negotiation.proposal_reader import LONGEST_MESSAGE, ReadMessage
from talleyrand.negotiation.proposals import DRAW, Agreement, Proposal, read_proposal
from talleyrand.variants import Variant
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots import bot_negotiation

from .models import PracticeGame, PracticeTurn

MOST_MESSAGES = 500  # in a game
MOST_YEAR = 100_000
DECLINED = "declined"
Message = dict[str, Any]


def talking_bots(game: PracticeGame) -> list[str]:
    """The powers whose bots one may talk to."""
    return bot_negotiation.talking_powers(game.variant, game.bots)


def new_message(
    number: int, phase: str, by: str, to: str, text: str, submission: str, read: ReadMessage
) -> Message:
    """A message as it is kept; its answer is to follow."""
    proposal = {"proposal": read.proposal.as_json()} if read.proposal else {}
    said = {"text": _kept_text(text), "id": submission}
    head = {"number": number, "phase": phase, "by": by, "to": to, **said}
    return {**head, **proposal, "answer": read.problem, "about": read.about, "until": 0}


def _kept_text(text: object) -> str:
    """What any database takes of a text; a file may hold halves of characters."""
    return str(text)[:LONGEST_MESSAGE].replace("\x00", "").encode(errors="replace").decode()


def read_talk(value: Mapping[str, Any], variant: Variant) -> dict[str, Any]:
    """The talk of a file; raises NoProposal, TalleyrandError, KeyError or TypeError for what is none."""
    listed = json_checks.json_list(value.get("messages"), "talk.messages")[:MOST_MESSAGES]
    said = [_read_message(json_checks.json_object(one, "talk.messages"), variant) for one in listed]
    chosen = dict(json_checks.json_object(value.get("characters") or {}, "talk.characters"))
    if not set(variant.definition.seats) >= set(chosen) or not all(
        one in [*CHARACTERS] for one in chosen.values()
    ):
        raise KeyError("talk.characters")
    return {"messages": said, "characters": chosen} if said or chosen else {}


def _read_message(one: Mapping[str, Any], variant: Variant) -> Message:
    told = json_checks.json_object(one.get("proposal") or {}, "talk.proposal")
    proposal = {"proposal": read_proposal(told, variant.board).as_json()} if told else {}
    names = {name: json_checks.json_text(one[name], name) for name in ("phase", "by", "to")}
    texts = {name: _kept_text(one[name]) for name in ("text", "id", "answer", "about")}
    numbers = {name: one[name] for name in ("number", "until")}
    if not {names["by"], names["to"]} <= set(variant.definition.seats):
        raise KeyError("talk.by")
    if not all(isinstance(number, int) and 0 <= number < MOST_YEAR for number in numbers.values()):
        raise TypeError("talk.number")
    return {**numbers, **names, "phase": str(Phase.parse(names["phase"])), **texts, **proposal}


@dataclass(frozen=True)
class BotTalk:
    """The messages of a game, with the agreements that came of them."""

    game: PracticeGame

    @property
    def messages(self) -> list[Message]:
        found: list[Message] = self.game.talk.get("messages", [])
        return found

    def character(self, power: str) -> BotCharacter:
        """The one that was chosen, or drawn by the seed of the game."""
        chosen = self.game.talk.get("characters", {}).get(power, "")
        return CHARACTERS.get(chosen) or character_by_lot(self.game.seed, power)

    def proposal_of(self, message: Message) -> Proposal | None:
        told = message.get("proposal")
        return read_proposal(told, variants.load(self.game.variant).board) if told else None

    @cached_property
    def _agreed(self) -> list[tuple[int, Agreement]]:
        found = []
        for one in self.messages:
            proposal = self.proposal_of(one)
            if one["answer"] == ACCEPTED and proposal:
                made = Phase.parse(one["phase"])
                found.append((one["number"], Agreement(proposal, one["by"], one["to"], made, one["until"])))
        return found

    def accounts(self, now: str | None) -> list[AgreementAccount]:
        """Every agreement with what became of it; `now` is the open phase, None where the game is over."""
        if not self._agreed:
            return []
        board, phase = variants.load(self.game.variant).board, Phase.parse(now) if now else None
        played = self._played(self._agreed[0][0])
        return without_extended(
            [
                account_of(one, [orders for at, orders in played if at >= number], board, phase)
                for number, one in self._agreed
            ]
        )

    def _played(self, first: int) -> list[tuple[int, PlayedOrders]]:
        """The phases since phase `first` in which an agreement binds."""
        found: list[tuple[int, PlayedOrders]] = []
        before: PracticeTurn | None = None
        for turn in self.game.turns.filter(phase_number__gte=first - 1):
            phase = Phase.parse(turn.phase)
            if turn.phase_number >= first and any(one.binds_in(phase) for _number, one in self._agreed):
                found.append((turn.phase_number, _played_orders(self.game, turn, before)))
            before = turn
        return found

    def broken_by(
        self, number: int, question: Question, power: str, lines: Collection[str]
    ) -> list[AgreementAccount]:
        """The agreements that these orders of a power break, or would have broken, in phase `number`."""
        phase = Phase.parse(question["phase"])
        board = variants.load(self.game.variant).board
        running = [
            account_of(
                one, [played for at, played in self._played(made) if made <= at < number], board, phase
            )
            for made, one in self._agreed
            if made <= number and power in one.powers and one.binds_in(phase)
        ]
        return bot_negotiation.broken_by(question, power, lines, without_extended(running))

    def negotiation(self, question: Question, speaker: str, bot: str) -> Negotiation:
        """A bot in the open phase, spoken to by a power."""
        accounts = [one for one in self.accounts(question["phase"]) if bot in one.agreement.powers]
        return bot_negotiation.negotiation_of(question, bot, speaker, self.character(bot), accounts)

    def duties(self, question: Question, bot: str) -> BotDuties:
        """What a bot's orders of the open phase are to respect."""
        if not any(one["to"] == bot and one["answer"] == ACCEPTED for one in self.messages):
            return NO_DUTIES
        return duties_of(self.negotiation(question, "", bot))

    def offers(self, question: Question, people: Collection[str], bots: Collection[str]) -> list[BotOffer]:
        """What bots propose in the open phase to powers that have not spoken to them in it."""
        phase, board = question["phase"], variants.load(self.game.variant).board
        now = [one for one in self.messages if one["phase"] == phase]
        spoken = {(one["to"], one["by"]) for one in now}
        settled = [
            one["by"]
            for one in now
            if one["answer"] == DECLINED or (one["answer"] == ACCEPTED and not one["text"])
        ]
        tables = [self.negotiation(question, one, bot) for bot in bots for one in people]
        said = [
            BotOffer(one["to"], one["by"], read_proposal(one["proposal"], board))
            for one in self.messages
            if one.get("proposal")
        ]
        found = offers_of_phase(tables, f"{self.game.seed} {phase}", said)
        new = [one for one in found if (one.bot, one.partner) not in spoken]
        left = {one: max(0, MOST_TO_ONE - settled.count(one)) for one in people}
        mine = [[one for one in new if one.partner == power][: left[power]] for power in people]
        return [one for some in mine for one in some]

    def is_drawn(self, question: Question, bots: Collection[str]) -> bool:
        """Whether every bot that is left has agreed to a draw this year."""
        phase = Phase.parse(question["phase"])
        drawing = [
            one for _number, one in self._agreed if one.proposal.kind == DRAW and one.until == phase.year
        ]
        left = {power for power in question["units"] if question["units"][power]} if drawing else set()
        return bool(left & set(bots)) and left & set(self.game.bots) <= {one.bot for one in drawing}


def _played_orders(game: PracticeGame, turn: PracticeTurn, before: PracticeTurn | None) -> PlayedOrders:
    """What stood on the board and what was ordered: lines that were not followed do not count."""
    situation = turn.situation or (None if before else game.start_situation)
    if situation is None and before is not None:
        start = adjudicator.make_question(game.variant, game.rulebook, game.seed, game.start_situation)
        situation = adjudicator.situation_after(start, before.answer)
    question = adjudicator.make_question(game.variant, game.rulebook, game.seed, situation or {})
    return bot_negotiation.played_orders(question, turn.answer)
