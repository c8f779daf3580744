"""What may be agreed on, each value with its name and the one sentence that the form and the terms show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from talleyrand.web.bots import bot_players
from talleyrand.web.games.game_settings import (
    Anonymity,
    DrawRule,
    LandlessSeatRule,
    MissingOrdersRule,
    PressSetting,
    SpectatorRule,
)

YES, NO = "yes", "no"


@dataclass(frozen=True)
class SettingOption:
    """One value of a term: its name in a list, and what it means."""

    label: str
    sentence: str


SettingOptions = dict[str, SettingOption]


def anonymity() -> SettingOptions:
    return {
        Anonymity.OPEN: SettingOption(_("Names are known"), _("Everybody sees who plays which power.")),
        Anonymity.UNTIL_END: SettingOption(
            _("Secret until the end"),
            _("Who plays which power is a secret until the end: only a game master knows."),
        ),
    }


def chair() -> SettingOptions:
    return {
        LandlessSeatRule.MASTER: SettingOption(
            _("The game master"),
            _("The seat without land is the game master’s; without them, its decisions have their defaults."),
        ),
        LandlessSeatRule.PLAYER: SettingOption(
            _("One more player"), _("The seat without land is for one more player.")
        ),
        LandlessSeatRule.NOBODY: SettingOption(
            _("Nobody"), _("Nobody has the seat without land: its decisions have their defaults.")
        ),
    }


def bots() -> SettingOptions:
    """Who plays what nobody has taken: nobody, or a player of the computer, the usual one first."""
    codes = sorted(bot_players.bot_codes(), key=lambda code: code != bot_players.DEFAULT_BOT)
    said = _("The computer plays the seats that nobody has taken at the beginning (%(player)s).")
    played = _("The computer: %(player)s")
    facts = {code: {"player": bot_players.bot_title(code)} for code in codes}
    nobody = _("A power that nobody has taken at the beginning is in civil disorder until somebody takes it.")
    computer = {code: SettingOption(played % told, said % told) for code, told in facts.items()}
    return {"": SettingOption(_("Nobody"), nobody), **computer}


def press() -> SettingOptions:
    return {
        PressSetting.FULL: SettingOption(
            _("All letters"), _("The powers write to each other, two by two, in groups or to everybody.")
        ),
        PressSetting.PUBLIC: SettingOption(
            _("To everybody only"), _("Every letter is read by all: there are no secret ones.")
        ),
        PressSetting.NONE: SettingOption(_("No letters"), _("The powers do not write to each other at all.")),
        PressSetting.HELD: SettingOption(
            _("Through the game master"),
            _("Every letter goes to the game master first, who passes it on or returns it to its author."),
        ),
    }


def press_between() -> SettingOptions:
    return {
        YES: SettingOption(
            _("At any time"), _("Letters may be written during retreats and adjustments as well.")
        ),
        NO: SettingOption(_("Before movements"), _("Nobody writes during retreats and adjustments.")),
    }


def declarations() -> SettingOptions:
    return {
        YES: SettingOption(_("Yes"), _("A power may make a declaration to everybody without signing it.")),
        NO: SettingOption(_("No"), _("Every declaration bears the name of its power.")),
    }


def absent() -> SettingOptions:
    return {
        MissingOrdersRule.DISORDER: SettingOption(
            _("Play without"),
            _("At the deadline, a power without a sheet is in civil disorder for that phase."),
        ),
        MissingOrdersRule.EXTEND: SettingOption(
            _("Wait a little"),
            _("At the deadline, the game waits a little for a power without a sheet, then plays without it."),
        ),
        MissingOrdersRule.WAIT: SettingOption(
            _("Wait for the game master"),
            _("At the deadline, if a sheet is missing, the game waits until the game master decides."),
        ),
    }


def drafts_count() -> SettingOptions:
    return {
        YES: SettingOption(
            _("They count"),
            _(
                "A draft that was never submitted counts at the deadline (in a game without deadlines, when "
                "the game master ends the phase). Nobody else reads it before, not even the game master."
            ),
        ),
        NO: SettingOption(
            _("They do not count"), _("Only submitted orders count; nobody else ever reads a draft.")
        ),
    }


def draw() -> SettingOptions:
    return {
        DrawRule.UNANIMOUS: SettingOption(
            _("All agree"),
            _("If all powers left agree, the game ends and those with units on the board share equally."),
        ),
        DrawRule.VETO_THEN_VOTE: SettingOption(
            _("Veto, then a secret vote"),
            _("Whoever may propose the end does; anybody may veto it openly, then all vote in secret."),
        ),
        DrawRule.NEVER: SettingOption(_("No agreement"), _("The players cannot end the game by agreement.")),
    }


def last_after() -> SettingOptions:
    return {
        "R": SettingOption(_("After the autumn"), _("In the last year, the adjustments are not played.")),
        "A": SettingOption(_("After the adjustments"), _("The last year is played with its adjustments.")),
    }


def scoring() -> SettingOptions:
    return {
        "draw_size": SettingOption(
            _("Equal shares"),
            _("A hundred points go to the winner, or in equal parts to those who share the victory."),
        ),
        "squares": SettingOption(
            _("Squares of centres"),
            _("A hundred points go to the winner alone, or else by the square of everybody’s centres."),
        ),
    }


def log_open() -> SettingOptions:
    return {
        YES: SettingOption(
            _("Open to the players"), _("The players read in the log what the game master did.")
        ),
        NO: SettingOption(
            _("For the game master"), _("The log is kept for the game master and his assistants.")
        ),
    }


def watching() -> SettingOptions:
    return {
        SpectatorRule.EVERYBODY: SettingOption(
            _("Everybody may watch"),
            _(
                "Everybody may look at the board, the phases played and the letters to everybody; nobody "
                "sees orders or other letters."
            ),
        ),
        SpectatorRule.INVITED: SettingOption(
            _("Invited people only"), _("Until it is over, only those who were invited see the board.")
        ),
    }


def listed() -> SettingOptions:
    return {
        YES: SettingOption(_("In the list of games"), _("The game is in the list, and anybody may join it.")),
        NO: SettingOption(_("By invitation only"), _("The game is in no list: one joins it by a link.")),
    }


def by_post() -> SettingOptions:
    return {
        YES: SettingOption(
            _("On the site and by post"),
            _(
                "One may play from one’s mail program: reports and letters come as mail to whoever has a "
                "confirmed address, and orders and letters may be sent so."
            ),
        ),
        NO: SettingOption(
            _("On the site"), _("One plays on the site; mail only brings the news of one’s choice.")
        ),
    }


def naming() -> SettingOptions:
    """The lists of abbreviations that the boards have; "" reads them all."""
    return {
        "": SettingOption(
            _("All of them"), _("Provinces may be written by name or by any usual abbreviation.")
        ),
        "classic_fr": SettingOption(
            _("French, of the classic rules"),
            _("Abbreviations are the French ones of the classic rules; names may always be written out."),
        ),
        "anjou_feu": SettingOption(
            _("Anjou Feu"), _("Abbreviations are those of Anjou Feu; names may always be written out.")
        ),
        "descartes": SettingOption(
            _("Descartes edition"),
            _("Abbreviations are those of the Descartes edition; names may always be written out."),
        ),
        "pbm_en": SettingOption(
            _("English, of play by mail"),
            _("Abbreviations are the English ones of play by mail; names may always be written out."),
        ),
        "trio_fr": SettingOption(
            _("French, of Trio"),
            _("Abbreviations are the French ones of Trio; names may always be written out."),
        ),
        "trio_en": SettingOption(
            _("English, of Trio"),
            _("Abbreviations are the English ones of Trio; names may always be written out."),
        ),
        "diplomatie_2000": SettingOption(
            _("Diplomatie 2000"),
            _("Abbreviations are those of Diplomatie 2000; names may always be written out."),
        ),
        "judge": SettingOption(
            _("The judge’s codes"),
            _("Abbreviations are the judge’s three letters; names may always be written out."),
        ),
    }


SETTING_OPTIONS: Mapping[str, Callable[[], SettingOptions]] = {
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
