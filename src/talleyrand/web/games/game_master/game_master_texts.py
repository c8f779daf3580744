"""What is said at the desk: why an act is refused, and what a game waits for."""

from __future__ import annotations

from django.utils.translation import gettext as _


def game_master_refusal_text(code: str) -> str:
    """Why nothing was done, and what to do next; raises KeyError for a code that nobody raises."""
    return {**_of_phases(), **_of_dates(), **_of_seats(), **_of_games()}[code]


def _of_phases() -> dict[str, str]:
    return {
        "moved": _(
            "Nothing has been changed: the game has moved on since this page was opened. "
            "Here is where it stands now."
        ),
        "unpublished": _("Nothing has been changed: no phase has been published yet."),
        "unreasoned": _("Nothing has been changed: say why, in a sentence that the players will read."),
        "unchanged": _("Nothing has been changed: results and position are as they were."),
        "uncorrected": _("Nothing has been changed: what counts is what the judge found."),
        "first": _("Nothing has been changed: no phase has been published that could be taken back."),
        "unjudged": _(
            "The judge could not settle this phase; the fault is ours, and it has been noted. You may change "
            "the position, enter other orders, or take the last phase back."
        ),
        "unseen": _("Look at what changes first; then save it."),
    }


def _of_dates() -> dict[str, str]:
    return {
        "redated": _(
            "The deadline stands as it is: it had been changed already, by another click or another hand."
        ),
        "past": _("Nothing has been changed: this date is over. Choose a later one."),
        "earlier": _("Nothing has been changed: choose a date after the deadline that stands."),
        "undated": _("Nothing has been changed: say by how many hours, or until when."),
        "not_playing": _("Nothing has been changed: the game is not being played at the moment."),
        "not_paused": _("Nothing has been changed: the game is not paused."),
        "not_parked": _("Nothing has been changed: the game does not wait for you any more."),
        "nobody_missing": _("Nobody had to be reminded: every sheet is there."),
        "reminded": _("They have been reminded less than six hours ago; nobody was told again."),
    }


def _of_seats() -> dict[str, str]:
    return {
        "seat_moved": _("Nothing has been changed: this seat has changed hands since the page was opened."),
        "nobody": _("Nobody here goes by this name. An invitation link reaches people without an account."),
        "already": _("This is so already: nothing has been changed."),
        "vacant": _("Nothing has been changed: nobody plays this power."),
        "taken": _("No link has been made: somebody plays this power. Free the seat first."),
        "played_already": _("Nothing has been changed: this power is played. Free its seat first."),
        "no_computer": _("Nothing has been changed: the computer does not play on this site."),
        "unknown_bot": _("Nothing has been changed: choose one of the computer’s players that are offered."),
        "no_stand_in": _("Nothing has been changed: this power has no stand-in."),
        "saw_all": _(
            "Nothing has been changed: whoever has seen the desk of this game cannot play in it. Choose "
            "somebody else."
        ),
        "held_other": _(
            "Nothing has been changed: this person has played another power of this game, if only for a "
            "while, and knows its secrets. Choose somebody else."
        ),
        "unscripted": _("Nothing has been changed: no script plays this power, or somebody has it already."),
        "played": _(
            "Nothing has been changed: a phase has been published since somebody plays this power. "
            "Free its seat on the page of the seat: another player may then take it."
        ),
        "plays": _("Nothing has been changed: this person plays in the game, and may not see its desk."),
        "role": _("Nothing has been changed: choose a role."),
        "last_master": _(
            "Nothing has been changed: a game needs somebody at its desk. Appoint another game master first, "
            "or say that the game goes on without one."
        ),
    }


def _of_games() -> dict[str, str]:
    return {
        "not_begun": _("Nothing has been changed: the game has not begun."),
        "over": _("Nothing has been changed: the game is over."),
        "not_over": _("Nothing has been changed: the game is not over."),
        "judged": _(
            "Nothing has been changed: the judge’s last result ended this game. Take the last phase back, "
            "or correct it."
        ),
        "powers": _("Nothing has been changed: choose at least one power that wins or shares."),
        "empty": _("Nothing has been published: there is no text."),
        "too_long": _("Nothing has been published: 20,000 characters at most."),
        "no_such_phase": _("Nothing has been published: there is no such phase any more."),
    }


def entered_orders_refusal_text(code: str) -> str:
    """Why a sheet that the game master entered was not taken."""
    sentences = {
        "repeated": _(
            "This form has brought other orders already: they stand. Send it again if you mean these."
        ),
        "idle": _("This power has nothing to decide in this phase."),
        "no_seat": _("Nothing has been changed: nobody can play this power."),
        "late": _("Nothing has been changed: the phase is closed."),
        "nothing": _("Nothing has been changed: no sheet has been received."),
    }
    return sentences.get(code) or game_master_refusal_text(code)
