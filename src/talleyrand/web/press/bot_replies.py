"""The bots of a game answer letters and make proposals of their own, each in one transaction with what is
agreed by it: whoever begins again after a crash writes it once.

A bot reads the letter and its own agreements, and knows the position; nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone, translation

from talleyrand.negotiation.bot_answers import ACCEPTED, BotAnswer, Negotiation
from talleyrand.negotiation.bot_offers import BotOffer, offers_of_phase
from talleyrand.negotiation.proposal_reader import language_of, read_message
from talleyrand.negotiation.proposals import DRAW, Proposal, read_proposal
from talleyrand.web.bots import bot_queue
from talleyrand.web.bots.bot_queue import ReportProgress
from talleyrand.web.bots.talk_texts import TalkTexts
from talleyrand.web.claims import ClaimLost, Counted, Sweep, own_rows
from talleyrand.web.common import visitor_quota
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import bot_agreements, power_assignments
from talleyrand.web.games.bot_agreements import GameAgreements
from talleyrand.web.games.bot_letter_models import AgreementState, BotAgreement, BotLetterTask
from talleyrand.web.games.models import RUNNING_STATES, Game

from . import bot_letter_queue, message_actions, press_rules
from .models import Message

MOST_WORKER_DEATHS = 3  # workers that one letter may cost before it stays without an answer
MOST_READINGS = 8  # of a game that changes while it is read
LANGUAGES = ("fr", "en")  # the first where a letter does not tell


@dataclass(frozen=True)
class BotLetter:
    """What a bot is about to write, and the proposal it is about, in which state."""

    bot: str
    reader: str
    text: str
    key: str
    proposal: Proposal | None = None
    state: str = ""
    until: int = 0
    offer: BotAgreement | None = None  # the one of its own that is settled by it


class GameKeepsChanging(Exception):
    """A game that was another each time when something was to be written: it is tried again later."""


def due_bot_letters(_now: datetime) -> QuerySet[BotLetterTask]:
    """The oldest first."""
    return BotLetterTask.objects.order_by("requested_at", "pk")


def do_bot_letter_task(_sweep: Sweep, row: BotLetterTask, _report: ReportProgress) -> None:
    """Answer a letter. The game is read outside of any transaction, and again where it has changed."""
    for _ in range(MOST_READINGS):
        game = Game.objects.get(pk=row.game_id)
        bots = power_assignments.bots_by_power(game)
        if _write_replies(row, game, bots, _letters(row, game)):
            return
    raise GameKeepsChanging


def _letters(row: BotLetterTask, game: Game) -> list[BotLetter]:
    if game.state not in RUNNING_STATES:
        return []
    if not row.letter_id:
        return _offers(game) if row.phase_number == game.phase_number else []
    letter = Message.objects.filter(pk=row.letter_id).select_related("conversation").first()
    reply = _reply(game, letter, row.visitor_id) if letter else None
    return [reply] if reply else []


@write_transaction
def _write_replies(
    row: BotLetterTask, game: Game, bots: dict[str, str], letters: Sequence[BotLetter]
) -> bool:
    """Write letters with what is agreed by them; False, and nothing, where the game has changed since."""
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    same = (fresh.version, fresh.state, fresh.phase_number) == (game.version, game.state, game.phase_number)
    if not same or power_assignments.bots_by_power(fresh) != bots:
        return False
    if not own_rows(row).delete()[0]:
        raise ClaimLost
    for one in letters:
        _write(fresh, one)
    return True


def _write(game: Game, one: BotLetter) -> None:
    kept = None
    if one.proposal is not None:
        kept, _ = BotAgreement.objects.get_or_create(
            game=game,
            letter_key=one.key,
            defaults={
                "power": one.bot,
                "partner": one.reader,
                "proposal": one.proposal.as_json(),
                "state": one.state,
                "phase_number": game.phase_number,
                "phase": game.phase,
                "until": one.until,
            },
        )
    written = message_actions.write_for_bot(game, one.bot, one.reader, one.text, one.key, timezone.now())
    if written is None and kept is not None:
        kept.delete()
    elif one.offer is not None:
        settled = AgreementState.TAKEN if one.proposal else AgreementState.DECLINED
        BotAgreement.objects.filter(pk=one.offer.pk).update(state=settled)


def _reply(game: Game, letter: Message, payer: str) -> BotLetter | None:
    """What a bot answers to a letter; None where it has nobody any more to write to, or is none."""
    speaker = letter.author_power
    bot = bot_letter_queue.reading_bot(game, letter.conversation, speaker)
    agreed = GameAgreements(game)
    question = agreed.story.question(game.phase_number) if bot else None
    if question is None or power_assignments.player_of(game, speaker) is None:
        return None
    table = agreed.negotiation(question, speaker, bot)
    offer = open_offer(game, bot, speaker)
    proposal, answer = _answered(agreed, letter, payer, table, offer)
    key = hashlib.sha256(f"bot {bot}\n{letter.pk}\n{letter.key}".encode()).hexdigest()
    language = language_of(letter.text, game.language or LANGUAGES[0])
    with translation.override(language):
        texts = TalkTexts(agreed.story.variant)
        text = texts.answer(proposal, answer, table.character, table.position.phase.year)
    found = BotLetter(bot, speaker, text, key)
    if answer.code == ACCEPTED:
        settled = offer if offer and proposal == _proposal_of(offer, table) else None
        return replace(
            found, proposal=proposal, state=AgreementState.AGREED, until=answer.until, offer=settled
        )
    return replace(found, offer=offer) if answer.code == "declined" else found


def _answered(
    agreed: GameAgreements, letter: Message, payer: str, table: Negotiation, offer: BotAgreement | None
) -> tuple[Proposal | None, BotAnswer]:
    """What a letter proposes, and the bot’s answer."""
    if letter.phase_number != agreed.game.phase_number:
        return None, BotAnswer("late_letter")
    much = bot_letter_queue.answer_count(agreed.game, letter) > bot_letter_queue.MOST_ANSWERS
    if much or visitor_quota.quota_exceeded(payer):
        return None, BotAnswer("enough")
    offered = _proposal_of(offer, table) if offer else None
    read = read_message(letter.text, agreed.story.variant, table.position, table.speaker, table.bot, offered)
    if read.proposal is None:
        return None, BotAnswer(read.problem, read.about)
    if read.proposal.kind == DRAW:
        return None, BotAnswer("draw_by_vote")
    return read.proposal, table.answer(read.proposal)


def _offers(game: Game) -> list[BotLetter]:
    """What the bots propose to people in the open phase."""
    agreed, made = GameAgreements(game), BotAgreement.objects.filter(game=game, ended_at=None)
    question = agreed.story.question(game.phase_number)
    bots = bot_agreements.talking_bots(game)
    people = [power for power, person in power_assignments.players_by_power(game).items() if person]
    if question is None or press_rules.press_mode(press_rules.press_situation(game)) not in ("full", "held"):
        return []
    tables = [agreed.negotiation(question, reader, bot) for bot in bots for reader in people]
    board = agreed.story.variant.board
    said = [BotOffer(one.power, one.partner, read_proposal(one.proposal, board)) for one in made]
    found = offers_of_phase(tables, f"{game.seed} {game.phase}", said)
    year = int(game.phase[1:-1])
    return [
        BotLetter(
            one.bot,
            one.partner,
            _offer_text(game, agreed, one, year),
            hashlib.sha256(f"offer {game.phase_number} {one.bot}\n{one.partner}".encode()).hexdigest(),
            one.proposal,
            AgreementState.OFFERED,
            year + one.proposal.years - 1,
        )
        for one in found
    ]


def _offer_text(game: Game, agreed: GameAgreements, offer: BotOffer, year: int) -> str:
    """In the language of the other’s last letter to the bot, or the game’s; else in both, as whose language
    it is would tell who plays.
    """
    pair = press_rules.recipients_for(
        offer.bot, [offer.partner], list(game.seats.values_list("power", flat=True))
    )
    theirs = Message.objects.filter(
        conversation__game=game,
        conversation__participants_key=pair.participants_key,
        author_power=offer.partner,
    )
    last = theirs.order_by("pk").values_list("text", flat=True).last() or ""
    language = language_of(last, game.language)
    told = []
    for one in [language] if language in LANGUAGES else LANGUAGES:
        with translation.override(one):
            texts = TalkTexts(agreed.story.variant)
            last_year = year + offer.proposal.years - 1
            told.append(f"{texts.offer(offer.proposal, last_year)} {texts.how_to_answer()}")
    return "\n".join(told)


def open_offer(game: Game, bot: str, partner: str) -> BotAgreement | None:
    """What a bot has proposed to a power in the open phase, as long as that is not answered."""
    found = BotAgreement.objects.filter(
        game=game, power=bot, partner=partner, state=AgreementState.OFFERED, is_known=True, ended_at=None
    )
    return found.filter(phase_number=game.phase_number).last()


def _proposal_of(offer: BotAgreement, table: Negotiation) -> Proposal:
    return read_proposal(offer.proposal, table.definition.board)


def _without_answer(_sweep: Sweep, row: BotLetterTask) -> int:
    """A letter at which several workers came to their end stays without an answer."""
    own_rows(row).delete()
    return 0


BOT_LETTER_QUEUE = bot_queue.bot_queue(
    due_bot_letters,
    do_bot_letter_task,
    "letters to bots",
    counted=Counted.EVERY,
    most_attempts=MOST_WORKER_DEATHS,
    exhausted=_without_answer,
    is_secret=True,
)
