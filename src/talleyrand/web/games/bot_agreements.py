"""What the bots of a game have agreed to: what became of it, and what their orders owe to it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from django.db.models import F

from talleyrand.engine.position import Phase
from talleyrand.negotiation.bot_answers import Negotiation
from talleyrand.negotiation.bot_characters import BotCharacter, character_by_lot
from talleyrand.negotiation.bot_duties import NO_DUTIES, BotDuties, duties_of
from talleyrand.negotiation.kept_word import AgreementAccount, PlayedOrders, account_of, without_extended
from talleyrand.negotiation.proposals import Agreement, read_proposal
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots import bot_negotiation

from . import power_assignments
from .bot_letter_models import AgreementState, BotAgreement
from .game_history import GameHistory
from .models import Game, PhaseRevision


def talking_bots(game: Game) -> list[str]:
    """The powers whose bots read letters and write some; round a table one talks to people."""
    bots = power_assignments.bots_by_power(game)
    return [] if not bots or game.is_at_table else bot_negotiation.talking_powers(game.variant, bots)


def unordered_powers(game: Game) -> set[str]:
    """The powers whose bots have agreed to what their orders of the open phase do not regard yet."""
    found = BotAgreement.objects.filter(game=game, is_ordered=False, is_known=True, ended_at=None)
    return set(found.values_list("power", flat=True))


def make_known(game: Game, letter_key: str) -> bool:
    """The letter of a bot was delivered, inside that transaction: what it agrees to counts from now on.

    Gives whether it has to order anew.
    """
    found = BotAgreement.objects.filter(game=game, letter_key=letter_key, is_known=False).first()
    if found is None:
        return False
    anew = found.state == AgreementState.AGREED and _agreement(game, found).binds_in(Phase.parse(game.phase))
    BotAgreement.objects.filter(pk=found.pk).update(is_known=True, is_ordered=not anew)
    if anew:
        Game.objects.filter(pk=game.pk).update(version=F("version") + 1)
    return anew


def _agreement(game: Game, row: BotAgreement) -> Agreement:
    proposal = read_proposal(row.proposal, GameHistory(game).variant.board)
    return Agreement(proposal, row.partner, row.power, Phase.parse(row.phase), row.until)


@dataclass(frozen=True)
class GameAgreements:
    """The agreements of one game."""

    game: Game

    @cached_property
    def story(self) -> GameHistory:
        return GameHistory(self.game)

    def character(self, power: str) -> BotCharacter:
        """By lot: the game’s seed decides."""
        return character_by_lot(self.game.seed, power)

    @cached_property
    def agreed_rows(self) -> list[BotAgreement]:
        """All that was agreed, whatever became of it; nothing that the other does not know of yet."""
        found = BotAgreement.objects.filter(game=self.game, state=AgreementState.AGREED, is_known=True)
        return list(found.order_by("pk"))

    def running_rows(self, bot: str) -> list[BotAgreement]:
        """Those of whoever plays a power’s bot now."""
        return [one for one in self.agreed_rows if one.power == bot and one.ended_at is None]

    def account(self, row: BotAgreement, now: Phase | None) -> AgreementAccount:
        """What became of one; `now` is the open phase, None where the game is over."""
        agreement = _agreement(self.game, row)
        phases = [
            orders
            for number, orders in self._played.items()
            if row.phase_number <= number and (row.ended_number is None or number < row.ended_number)
        ]
        return account_of(agreement, phases, self.story.variant.board, now if row.ended_at is None else None)

    @cached_property
    def _played(self) -> dict[int, PlayedOrders]:
        """The published phases in which anything agreed binds."""
        agreements = [_agreement(self.game, one) for one in self.agreed_rows]
        first = min((one.phase_number for one in self.agreed_rows), default=0)
        published = PhaseRevision.objects.filter(
            game=self.game, is_current=True, phase_number__gte=max(first, 1)
        )
        wanted = {
            number
            for number, phase in published.values_list("phase_number", "phase")
            if phase and any(one.binds_in(Phase.parse(phase)) for one in agreements)
        }
        answers = published.filter(phase_number__in=wanted).values_list("phase_number", "answer")
        found: dict[int, PlayedOrders] = {}
        for number, answer in answers:
            question = self.story.question(number)
            if question and answer:
                found[number] = bot_negotiation.played_orders(question, answer)
        return found

    def negotiation(self, question: Question, speaker: str, bot: str) -> Negotiation:
        """A bot in the open phase, spoken to by a power."""
        now = Phase.parse(question["phase"])
        accounts = without_extended([self.account(one, now) for one in self.running_rows(bot)])
        return bot_negotiation.negotiation_of(question, bot, speaker, self.character(bot), accounts)

    def broken_by(self, question: Question, power: str, lines: Collection[str]) -> list[AgreementAccount]:
        """The agreements with bots that a power's orders of the open phase would break."""
        rows = [one for one in self.agreed_rows if one.partner == power and one.ended_at is None]
        now = Phase.parse(question["phase"])
        accounts = without_extended([self.account(one, now) for one in rows]) if lines else []
        return bot_negotiation.broken_by(question, power, lines, accounts) if accounts else []

    def duties(self, question: Question, bot: str) -> BotDuties:
        """What a bot’s orders of the open phase are to respect."""
        if not self.running_rows(bot):
            return NO_DUTIES
        return duties_of(self.negotiation(question, "", bot))

    def mark(self, question: Question, bot: str) -> str:
        """What sets orders apart that regard other agreements: the last that binds, "" for none."""
        now = Phase.parse(question["phase"])
        binding = [one.pk for one in self.running_rows(bot) if _agreement(self.game, one).binds_in(now)]
        return f" {binding[-1]}" if binding else ""

    def note_ordered(self, bot: str) -> None:
        """A bot has ordered by all that was agreed when this was read."""
        known = [one.pk for one in self.running_rows(bot)]
        BotAgreement.objects.filter(pk__in=known, is_ordered=False).update(is_ordered=True)
