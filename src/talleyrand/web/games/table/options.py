"""What may be agreed on, each value with its name and the one sentence that the form and the terms show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from talleyrand.web.games.terms import Absent, Anonymity, Chair, Draw, Press, Watching
from talleyrand.web.practice import opponents

YES, NO = "yes", "no"


@dataclass(frozen=True)
class Option:
    """One value of a term: its name in a list, and what it means."""

    label: str
    sentence: str


Options = dict[str, Option]


def anonymity() -> Options:
    return {
        Anonymity.OPEN: Option(_("Names are known"), _("Everybody sees who plays which power.")),
        Anonymity.UNTIL_END: Option(
            _("Secret until the end"),
            _("Who plays which power is a secret until the end: only a game master knows."),
        ),
    }


def chair() -> Options:
    return {
        Chair.MASTER: Option(
            _("The game master"),
            _("The seat without land is the game master’s; without them, its decisions have their defaults."),
        ),
        Chair.PLAYER: Option(_("One more player"), _("The seat without land is for one more player.")),
        Chair.NOBODY: Option(
            _("Nobody"), _("Nobody has the seat without land: its decisions have their defaults.")
        ),
    }


def bots() -> Options:
    """Who plays what nobody has taken: nobody, or a player of the computer, the usual one first."""
    codes = sorted(opponents.codes(), key=lambda code: code != opponents.USUAL)
    said = _("The computer plays the seats that nobody has taken at the beginning (%(player)s).")
    played = _("The computer: %(player)s")
    facts = {code: {"player": opponents.title(code)} for code in codes}
    nobody = _("A power that nobody has taken at the beginning is in civil disorder until somebody takes it.")
    computer = {code: Option(played % told, said % told) for code, told in facts.items()}
    return {"": Option(_("Nobody"), nobody), **computer}


def press() -> Options:
    return {
        Press.FULL: Option(
            _("All letters"), _("The powers write to each other, two by two, in groups or to everybody.")
        ),
        Press.PUBLIC: Option(
            _("To everybody only"), _("Every letter is read by all: there are no secret ones.")
        ),
        Press.NONE: Option(_("No letters"), _("The powers do not write to each other at all.")),
        Press.HELD: Option(
            _("Through the game master"),
            _("Every letter goes to the game master first, who passes it on or returns it to its author."),
        ),
    }


def press_between() -> Options:
    return {
        YES: Option(_("At any time"), _("Letters may be written during retreats and adjustments as well.")),
        NO: Option(_("Before movements"), _("Nobody writes during retreats and adjustments.")),
    }


def declarations() -> Options:
    return {
        YES: Option(_("Yes"), _("A power may make a declaration to everybody without signing it.")),
        NO: Option(_("No"), _("Every declaration bears the name of its power.")),
    }


def absent() -> Options:
    return {
        Absent.DISORDER: Option(
            _("Play without"),
            _("At the deadline, a power without a sheet is in civil disorder for that phase."),
        ),
        Absent.EXTEND: Option(
            _("Wait a little"),
            _("At the deadline, the game waits a little for a power without a sheet, then plays without it."),
        ),
        Absent.WAIT: Option(
            _("Wait for the game master"),
            _("At the deadline, if a sheet is missing, the game waits until the game master decides."),
        ),
    }


def drafts_count() -> Options:
    return {
        YES: Option(
            _("They count"),
            _(
                "A draft that was never submitted counts at the deadline (in a game without deadlines, when "
                "the game master ends the phase). Nobody else reads it before, not even the game master."
            ),
        ),
        NO: Option(_("They do not count"), _("Only submitted orders count; nobody else ever reads a draft.")),
    }


def draw() -> Options:
    return {
        Draw.UNANIMOUS: Option(
            _("All agree"),
            _("If all powers left agree, the game ends and those with units on the board share equally."),
        ),
        Draw.VETO_THEN_VOTE: Option(
            _("Veto, then a secret vote"),
            _("Whoever may propose the end does; anybody may veto it openly, then all vote in secret."),
        ),
        Draw.NEVER: Option(_("No agreement"), _("The players cannot end the game by agreement.")),
    }


def last_after() -> Options:
    return {
        "R": Option(_("After the autumn"), _("In the last year, the adjustments are not played.")),
        "A": Option(_("After the adjustments"), _("The last year is played with its adjustments.")),
    }


def scoring() -> Options:
    return {
        "draw_size": Option(
            _("Equal shares"),
            _("A hundred points go to the winner, or in equal parts to those who share the victory."),
        ),
        "squares": Option(
            _("Squares of centres"),
            _("A hundred points go to the winner alone, or else by the square of everybody’s centres."),
        ),
    }


def log_open() -> Options:
    return {
        YES: Option(_("Open to the players"), _("The players read in the log what the game master did.")),
        NO: Option(_("For the game master"), _("The log is kept for the game master and his assistants.")),
    }


def watching() -> Options:
    return {
        Watching.EVERYBODY: Option(
            _("Everybody may watch"),
            _(
                "Everybody may look at the board, the phases played and the letters to everybody; nobody "
                "sees orders or other letters."
            ),
        ),
        Watching.INVITED: Option(
            _("Invited people only"), _("Until it is over, only those who were invited see the board.")
        ),
    }


def listed() -> Options:
    return {
        YES: Option(_("In the list of games"), _("The game is in the list, and anybody may join it.")),
        NO: Option(_("By invitation only"), _("The game is in no list: one joins it by a link.")),
    }


def by_post() -> Options:
    return {
        YES: Option(
            _("On the site and by post"),
            _(
                "One may play from one’s mail program: reports and letters come as mail to whoever has a "
                "confirmed address, and orders and letters may be sent so."
            ),
        ),
        NO: Option(_("On the site"), _("One plays on the site; mail only brings the news of one’s choice.")),
    }


def naming() -> Options:
    """The lists of abbreviations that the boards have; "" reads them all."""
    return {
        "": Option(_("All of them"), _("Provinces may be written by name or by any usual abbreviation.")),
        "classic_fr": Option(
            _("French, of the classic rules"),
            _("Abbreviations are the French ones of the classic rules; names may always be written out."),
        ),
        "anjou_feu": Option(
            _("Anjou Feu"), _("Abbreviations are those of Anjou Feu; names may always be written out.")
        ),
        "descartes": Option(
            _("Descartes edition"),
            _("Abbreviations are those of the Descartes edition; names may always be written out."),
        ),
        "pbm_en": Option(
            _("English, of play by mail"),
            _("Abbreviations are the English ones of play by mail; names may always be written out."),
        ),
        "trio_fr": Option(
            _("French, of Trio"),
            _("Abbreviations are the French ones of Trio; names may always be written out."),
        ),
        "trio_en": Option(
            _("English, of Trio"),
            _("Abbreviations are the English ones of Trio; names may always be written out."),
        ),
        "diplomatie_2000": Option(
            _("Diplomatie 2000"),
            _("Abbreviations are those of Diplomatie 2000; names may always be written out."),
        ),
        "judge": Option(
            _("The judge’s codes"),
            _("Abbreviations are the judge’s three letters; names may always be written out."),
        ),
    }


OPTIONS: Mapping[str, Callable[[], Options]] = {
    "naming": naming,
    "anonymity": anonymity,
    "chair": chair,
    "bots": bots,
    "listed": listed,
    "watching": watching,
    "log_open": log_open,
    "by_post": by_post,
    "press": press,
    "press_between": press_between,
    "declarations": declarations,
    "absent": absent,
    "drafts_count": drafts_count,
    "draw": draw,
    "last_after": last_after,
    "scoring": scoring,
}
