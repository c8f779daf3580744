"""What is said at the desk: why an act is refused, and what a game waits for."""

from __future__ import annotations

from django.utils.translation import gettext as _


def game_master_refusal_text(code: str) -> str:
    """Why nothing was done, and what to do next; raises KeyError for a code that nobody raises."""
    return {**_of_phases(), **_of_dates(), **_of_seats(), **_of_games()}[code]


def _of_phases() -> dict[str, str]:
    return {
        "moved": _(
            "Nothing was changed: the game has moved on since you opened this page. Here is where it stands."
        ),
        "unpublished": _("No phase has been resolved yet."),
        "unreasoned": _("Nothing was changed: give a reason; the players will read it."),
        "unchanged": _("Nothing was changed: results and position are as before."),
        "uncorrected": _("There is no correction to undo."),
        "first": _("There is no resolved phase to roll back to."),
        "unjudged": _(
            "This phase could not be resolved; the fault is ours and has been recorded. You "
            "can change the position, enter other orders or roll back."
        ),
        "unseen": _("Preview the changes first, then save."),
        "no_order": _("Nothing was changed: there is no order in this line."),
        "same": _("Nothing was changed: that was the order already."),
        "secret": _("Nothing was changed: this phase has secret votes. Correct it on the site."),
    }


def _of_dates() -> dict[str, str]:
    return {
        "redated": _("Nothing was changed: the deadline had already been moved by another click or person."),
        "too_far": _("Nothing was changed: that date is more than a year away."),
        "past": _("This date is in the past. Choose a later one."),
        "earlier": _("Choose a date after the current deadline."),
        "undated": _("Enter a number of hours, or a date."),
        "not_playing": _("The game is not in progress."),
        "paused": _("The game is paused: resume it first. You can set its deadline then."),
        "already_paused": _("The game is already paused."),
        "not_paused": _("The game is not paused."),
        "already_running": _("The game is not paused: it is in progress."),
        "not_parked": _("The game is no longer waiting for you."),
        "nobody_missing": _("No reminder needed: all expected orders are in."),
        "reminded": _("A reminder was sent less than six hours ago; no new one was sent."),
    }


def _of_seats() -> dict[str, str]:
    return {
        "seat_moved": _("Nothing was changed: this seat has changed hands since you opened the page."),
        "nobody": _("No account with this name. For someone without an account, use an invitation link."),
        "already": _("Nothing to change: it is already so."),
        "vacant": _("No one plays this power."),
        "taken": _("No link created: this power has a player. Open its seat first."),
        "played_already": _("This power has a player. Open its seat first."),
        "no_computer": _("Bots are not available on this site."),
        "unknown_bot": _("Choose one of the bots listed."),
        "no_stand_in": _("This power has no stand-in."),
        "saw_all": _("Someone who has seen this game’s desk can’t play in it. Choose someone else."),
        "held_other": _(
            "This person has played another power in this game and knows its secrets. Choose someone else."
        ),
        "kept_out": _("This person can’t join this game at present. Choose someone else."),
        "unscripted": _("This power has no script, or already has a player."),
        "played": _(
            "A phase has been resolved since this power got a player. Open its seat instead: "
            "another player can then take it."
        ),
        "plays": _("This person plays in the game and can’t have access to the desk."),
        "role": _("Choose a role."),
        "last_master": _(
            "This is the last GM. Appoint another first, or tick “the game continues without a GM”."
        ),
    }


def _of_games() -> dict[str, str]:
    return {
        "not_begun": _("The game has not started."),
        "over": _("The game is over."),
        "not_over": _("The game is not over."),
        "judged": _("The last results ended this game. Roll back, or correct them."),
        "powers": _("Choose at least one power that wins or shares."),
        "empty": _("Not published: there is no text."),
        "too_long": _("Not published: 20,000 characters at most."),
        "no_such_phase": _("Not published: this phase no longer exists."),
    }


def entered_orders_refusal_text(code: str) -> str:
    """Why a sheet that the game master entered was not taken."""
    sentences = {
        "repeated": _("This page has already sent other orders, which stand. Submit again to use these."),
        "idle": _("This power has no orders to give in this phase."),
        "no_seat": _("No one can play this power."),
        "late": _("This phase is closed."),
        "nothing": _("No orders received."),
    }
    return sentences.get(code) or game_master_refusal_text(code)
