"""Which letters the bots of a game read: those to one of their seats alone, once they are delivered."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from talleyrand.web.bots import bot_threads
from talleyrand.web.common import visitor_quota
from talleyrand.web.games import bot_agreements, game_bots
from talleyrand.web.games.bot_letter_models import BotLetterTask
from talleyrand.web.games.models import RUNNING_STATES, Game

from .models import Conversation, Message, MessageState
from .press_rules import ConversationKind, Recipients

MOST_ANSWERS = 12  # letters of one person that bots answer in a phase of a game; one more is told so


def reading_bot(game: Game, room: Conversation, writer: str) -> str:
    """The power whose bot alone a letter in a room is for; "" for none."""
    if room.kind != ConversationKind.PAIR or writer not in room.powers:
        return ""
    talking = bot_agreements.talking_bots(game)
    return next((one for one in talking if one in room.powers and one != writer), "")


def note_delivered(game: Game, letter: Message) -> None:
    """A letter is delivered, inside that transaction: a bot is to answer it, or it is a bot’s own."""
    if letter.is_bots:
        if bot_agreements.make_known(game, letter.key):
            game_bots.request_bot_orders(game)
        return
    room = letter.conversation
    if game.state not in RUNNING_STATES or not reading_bot(game, room, letter.author_power):
        return
    if answer_count(game, letter) > MOST_ANSWERS + 1:
        return
    payer = visitor_quota.account_purse(letter.author_id) if letter.author_id else ""
    BotLetterTask.objects.get_or_create(
        game=game,
        letter_id=letter.pk,
        defaults={"phase_number": letter.phase_number, "visitor_id": payer},
    )
    transaction.on_commit(bot_threads.wake_bots_elsewhere)


def is_read_now(game: Game, writers: Collection[str], to: Recipients) -> bool:
    """Whether a letter of one of these powers waits for the bot of a room, and may settle its offer."""
    waiting = BotLetterTask.objects.filter(game=game).values("letter_id")
    mine = Message.objects.filter(pk__in=waiting, author_power__in=writers)
    return mine.filter(conversation__participants_key=to.participants_key).exists()


def answer_count(game: Game, letter: Message) -> int:
    """The how manieth letter to a bot it is, of its writer in its phase."""
    bots = set(bot_agreements.talking_bots(game))
    rooms = Conversation.objects.filter(game=game, kind=ConversationKind.PAIR)
    read = [pk for pk, powers in rooms.values_list("pk", "powers") if bots.intersection(powers)]
    same = {"author": letter.author_id, "phase_number": letter.phase_number, "is_bots": False}
    found = Message.objects.filter(conversation__in=read, state=MessageState.DELIVERED, **same)
    return found.filter(pk__lte=letter.pk).count()
