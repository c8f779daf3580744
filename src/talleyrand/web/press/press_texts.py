"""What the pages say of the rules of letters, of refusals, and of what became of a letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from .message_text import LONGEST
from .models import MessageState
from .press_rules import PressSituation, press_mode


def mode_texts(moment: PressSituation) -> Iterator[str]:
    """What may be written now, and who reads it: the sentences on top of the pages."""
    yield _moods()[press_mode(moment)]
    if moment.has_game_master:
        yield _(
            "You can always write to the game master, who can read every message; assistants "
            "read only public ones."
        )
    elif press_mode(moment) == "held":
        yield _("This game has no game master at the moment: messages wait until there is one.")
    else:
        yield _("This game has no game master: private messages are read only by the powers they concern.")
    if moment.declarations and press_mode(moment) in ("full", "public", "held"):
        yield _("Messages to everyone can be unsigned: no player is told who wrote them.")


def _moods() -> dict[str, str]:
    return {
        "full": _("Full press: write to one power, to several or to everyone."),
        "public": _("Public messages only: anyone who can view the game can read them."),
        "none": _("No press: powers can’t write to each other in this game."),
        "held": _("Messages between powers go through the game master, who forwards or returns them."),
        "between": _(
            "No messages between powers during retreats and adjustments; they resume with "
            "the next movement phase."
        ),
        "not_begun": _("Messages open with the first phase."),
        "over": _(
            "The game is over: you can write only to everyone and to the game master. "
            "Earlier messages stay with the powers that could read them."
        ),
    }


def refusal_text(code: str) -> str:
    """Why a letter is not taken."""
    return {**_moods(), **_persons(), **_texts(), **_recipients()}[code]


def _persons() -> dict[str, str]:
    return {
        "watching": _("Only the powers and the game master can write messages."),
        "seatless": _("You play no power in this game, so you can’t send messages."),
        "lent": _("A stand-in is playing your power and writes its messages for now."),
        "not_yours": _("You can’t sign as this power here: choose another signature."),
        "between_them": _(
            "The game master can write only to everyone or to one power; this conversation is between powers."
        ),
        "unsigned": _(
            "Only messages to everyone can be unsigned, during the game and where its settings allow it."
        ),
        "eliminated": _("An eliminated power can write only to everyone and to the game master."),
        "no_master": _("This game has no game master at the moment."),
        "banned": _(
            "You are banned from messages for now; you can still write to the game master. “Warnings and "
            "bans”, in your account, says why and until when."
        ),
        "flood": _("You’re sending too fast. Wait a few minutes, then send again."),
        "names_writer": _(
            "Something in the message would reveal who you are, and this game has no game "
            "master to decide. Remove it, then send again."
        ),
    }


def _texts() -> dict[str, str]:
    return {
        "about_apart": _("Messages about a proposal must go to everyone."),
        "no_motion": _(
            "This proposal does not exist, or its vote has already been counted. Choose one "
            "on the phase page."
        ),
        "incomplete": _("The form arrived incomplete and nothing was sent. Please send it again."),
        "empty": _("The message is empty."),
        "too_long": _("The message is too long: %(most)s characters at most. Send it in two parts.")
        % {"most": LONGEST},
        "damaged": _("The message arrived with damaged characters. Fix them, then send again."),
    }


def _recipients() -> dict[str, str]:
    return {
        "unknown": _("No such power in this game."),
        "twice": _("A power is listed twice."),
        "nobody": _("Choose at least one power."),
        "oneself": _("You can’t write to yourself: choose another power."),
        "unsigned_choice": _("Choose which of your powers signs."),
        "mixed": _("Choose either powers, or everyone, or the game master."),
    }


def return_refusal_text(code: str) -> str:
    """Why a letter is not returned yet."""
    known = {
        "empty": _("Say why you are returning the message: its writer will read it."),
        "too_long": _("The reason is too long: 2,000 characters at most."),
    }
    return known.get(code) or refusal_text(code)


def hold_reason_texts(found: Iterable[Sequence[str]]) -> list[str]:
    """Why a letter waits where letters are free: a sentence for each doubt, as a letter keeps them."""
    known = _doubts()
    return [known.get(code, known["other"]) % {"found": words} for code, words in found]


def _doubts() -> dict[str, str]:
    return {
        "name": _("It names its writer: “%(found)s”."),
        "address": _("It contains its writer’s email address: %(found)s."),
        "other_address": _("It contains an email address: %(found)s."),
        "telephone": _("It contains a phone number: %(found)s."),
        "link": _("It contains a link that may identify its writer: %(found)s."),
        "message_id": _("It contains a trace of a mail program: %(found)s."),
        "network": _("It contains an IP address: %(found)s."),
        "zone": _("It contains a time with its time zone: %(found)s."),
        "handle": _("It contains an account name: %(found)s."),
        "place": _("It contains a street address: %(found)s."),
        "other": _("Something in it may reveal who wrote it: %(found)s."),
    }


def not_held_text(state: str) -> str:
    """What is said where a letter no longer waits."""
    if state == MessageState.DELIVERED:
        return _("This message has already been forwarded.")
    return _("This message has already been returned.")


def state_text(state: str, through_master: bool) -> str:
    """What became of a letter, for its writer: "" where it simply arrived."""
    if state == MessageState.HELD:
        return _("waiting for the game master")
    if state == MessageState.RETURNED:
        return pgettext("a letter", "returned")
    return pgettext("a letter", "forwarded") if through_master else ""
