"""What the table refuses, each with its sentence."""

from __future__ import annotations

from django.utils.translation import gettext as _


class LobbyRefusal(Exception):
    """Something that cannot be done at this table; `code` says why, `sentence` says it to the reader."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code

    @property
    def sentence(self) -> str:
        return lobby_refusal_texts()[self.code]


def lobby_refusal_texts() -> dict[str, str]:
    """Every refusal in the reader’s language."""
    return {**_of_joining(), **_of_leaving(), **_of_beginning(), **_of_playing()}


def _of_joining() -> dict[str, str]:
    return {
        "already": _("You are at this table already."),
        "revoked": _(
            "This invitation has been used, or withdrawn. Ask whoever sent it to you for another one."
        ),
        "closed": _("One joins this game by invitation only. Ask its game master for a link."),
        "full": _("All seats of this game are taken. Nothing has been changed."),
        "begun": _("This game has begun, and no seat is free. Other tables are in the list of games."),
        "taken": _("Somebody has just taken this seat. Nothing has been changed: is another one free?"),
        "saw_all": _(
            "You have been at the desk of this game and seen its secrets: you cannot play in it. Other "
            "tables are in the list of games."
        ),
        "held_other": _(
            "You have played another power of this game, if only for a while, and know its secrets: you "
            "cannot take this one. You may look on, or take a seat at another table."
        ),
        "seat": _("There is no such power in this game. Choose one of the list."),
        "over": _("This game is over: nothing more can be changed."),
        "links": _("There are too many links already: withdraw one first."),
        "role": _("There is no such role. Nothing has been changed."),
        "unled": _("This game is played without game master: nobody may see now what others prepare."),
    }


def _of_leaving() -> dict[str, str]:
    return {
        "stranger": _("This person is not at the table any more. Nothing has been changed."),
        "last_master": _(
            "You are the only game master: invite another one first, or abandon the game with a reason."
        ),
        "not_yours": _("You do not play this power any more. Nothing has been changed."),
    }


def _of_beginning() -> dict[str, str]:
    return {
        "started": _("The game has begun already."),
        "few": _("Two players are needed at least. Send them an invitation."),
        "alone": _("At least one person has to play: the computer does not play alone."),
        "no_computer": _(
            "This site cannot let the computer play: nothing has begun. Invite people for the free seats."
        ),
        "no_master": _("What was agreed needs a game master. Invite one by a link before the game begins."),
        "no_shares": _(
            "The rules print no shares for so many players, or a power is given already. Nothing has begun."
        ),
        "unknown_player": _(
            "Somebody chosen here has left the table meanwhile. Look at the list again: nothing has begun."
        ),
        "without_power": _("Every player needs a power: give each at least one. Nothing has begun."),
        "not_begun": _("The game has not begun yet."),
    }


def _of_playing() -> dict[str, str]:
    return {
        "unreasoned": _("Say why: the players will read it. Nothing has been changed."),
        "no_dates": _("Say from which day until which, for instance 2026-08-01."),
        "turned_round": _("The last day of an absence comes after its first."),
        "past": _("This time is over already: announce what is still to come."),
        "too_long": _(
            "This is more than the absences agreed on for this game. Announce less, or ask for a pause."
        ),
        "no_absences": _("Absences do not move deadlines in this game: that was agreed on at the beginning."),
        "no_absence": _("This absence is over, or withdrawn already. Nothing has been changed."),
        "overlap": _("You have announced an absence for this time already: withdraw it first."),
        "moved": _("The game has changed meanwhile: here is how it stands now."),
        "paused": _("The game is paused already."),
        "running": _("The game is not paused."),
        "asked": _("You have asked for it already."),
    }
