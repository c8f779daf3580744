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
        yield _("The game master can always be written to. He can read every letter; assistants read none.")
    elif press_mode(moment) == "held":
        yield _("This game has no game master at the moment: letters wait until there is one.")
    else:
        yield _("This game has no game master: nobody reads the letters of others.")
    if moment.declarations and press_mode(moment) in ("full", "public", "held"):
        yield _("A declaration to everybody may go without a signature: no player learns whose it is.")


def _moods() -> dict[str, str]:
    return {
        "full": _("Letters are free: to one power, to several, to everybody."),
        "public": _("Only letters to everybody: whoever may look at the game reads them."),
        "none": _("The powers do not write to each other in this game."),
        "held": _("Letters between powers go through the game master, who passes them on or returns them."),
        "between": _(
            "No letters between powers during retreats and adjustments; they go on with the next moves."
        ),
        "not_begun": _("Letters begin with the first phase."),
        "over": _(
            "The game is over: one writes to everybody and to the game master only. What was written before "
            "stays with the powers that could read it."
        ),
    }


def refusal_text(code: str) -> str:
    """Why a letter is not taken."""
    return {**_moods(), **_persons(), **_texts(), **_recipients()}[code]


def _persons() -> dict[str, str]:
    return {
        "watching": _("You look on: only the powers and the game master write letters."),
        "seatless": _("You play no power in this game, so there is nothing to sign a letter with."),
        "lent": _("A stand-in plays your power and writes its letters meanwhile."),
        "not_yours": _("You cannot sign with this power here: choose another signature."),
        "between_them": _(
            "The game master writes to everybody or to one power: this room is the powers’ own."
        ),
        "unsigned": _(
            "Only a declaration to everybody may go without a signature, while the game is played and where "
            "that was agreed."
        ),
        "eliminated": _("An eliminated power writes to everybody and to the game master only."),
        "no_master": _("This game has no game master at the moment."),
        "flood": _("So many letters in ten minutes are a flood: wait a little, then send again."),
        "names_writer": _(
            "Something in the letter would tell who you are, and this game has no game master to decide: "
            "take it out, then send again."
        ),
    }


def _texts() -> dict[str, str]:
    return {
        "about_apart": _("What one says of a proposal is for everybody: write it to everybody."),
        "no_motion": _(
            "Nobody has made this proposal, or the votes on it are counted: choose one on the page of the "
            "phase."
        ),
        "incomplete": _("The form arrived incomplete and nothing was sent: send it again."),
        "empty": _("The letter is empty: write something first."),
        "too_long": _("The letter is too long: %(most)s characters at most. Send it in two parts.")
        % {"most": LONGEST},
        "damaged": _("The letter arrived with damaged characters: mend them, then send again."),
    }


def _recipients() -> dict[str, str]:
    return {
        "unknown": _("There is no such power in this game."),
        "twice": _("A power is named twice."),
        "nobody": _("Choose at least one power."),
        "oneself": _("A letter needs somebody else to read it: choose another power."),
        "unsigned_choice": _("Choose which of your powers signs."),
        "mixed": _("Choose powers, or everybody, or the game master: not all at once."),
    }


def return_refusal_text(code: str) -> str:
    """Why a letter is not returned yet."""
    known = {
        "empty": _("Say why the letter comes back: its writer reads the reason."),
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
        "address": _("It holds an e-mail address of its writer’s: %(found)s."),
        "other_address": _("It holds an e-mail address: %(found)s."),
        "telephone": _("It holds a telephone number: %(found)s."),
        "link": _("It holds a link that may lead to its writer: %(found)s."),
        "message_id": _("It holds a mark of a mail program: %(found)s."),
        "network": _("It holds the address of a computer: %(found)s."),
        "zone": _("It holds a time with its time zone: %(found)s."),
        "place": _("It holds the number and the street of a house: %(found)s."),
        "other": _("Something in it may tell who wrote it: %(found)s."),
    }


def not_held_text(state: str) -> str:
    """What is said where a letter no longer waits."""
    if state == MessageState.DELIVERED:
        return _("This letter was passed on before.")
    return _("This letter was returned before.")


def state_text(state: str, through_master: bool) -> str:
    """What became of a letter, for its writer: "" where it simply arrived."""
    if state == MessageState.HELD:
        return _("waits for the game master")
    if state == MessageState.RETURNED:
        return pgettext("a letter", "returned")
    return pgettext("a letter", "passed on") if through_master else ""
