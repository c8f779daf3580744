"""The kinds of news: which group of choices each belongs to, and its sentence."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class NotificationKind:
    """`sentences` are tried in turn: the first whose facts are all there is said."""

    group: str
    sentences: tuple[str | Promise, ...]


def _kind(group: str, *sentences: str | Promise) -> NotificationKind:
    return NotificationKind(group, sentences)


# Facts are put in by `notification_sentences.FactTexts`: `power` has its article, `Power` begins a sentence.
KINDS: dict[str, NotificationKind] = {
    "begun": _kind("phases", _("The game has started.")),
    "published": _kind("phases", _("Results are in: %(phase)s."), _("Results are in.")),
    "taken_back": _kind(
        "phases",
        _("The GM rolled back to %(phase)s, which is open again."),
        _("The GM rolled back the last phase."),
    ),
    "corrected": _kind(
        "phases",
        _("Results corrected (%(phase)s): “%(reason)s” %(misfit)s"),
        _("Results corrected: %(phase)s. %(misfit)s"),
        _("Results corrected (%(phase)s): “%(reason)s”"),
        _("Results corrected: %(phase)s."),
        _("Results have been corrected."),
    ),
    "gazette": _kind("phases", _("New gazette: %(phase)s."), _("New gazette.")),
    "ended": _kind(
        "phases",
        "%(ending)s",
        _("The game is over. Result: %(powers)s."),
        _("The game is over."),
    ),
    "due_soon": _kind(
        "deadlines",
        _("Orders are due by %(due)s: %(phase)s. Missing: %(powers)s."),
        _("Orders are due by %(due)s: %(phase)s."),
        _("Orders are due by %(due)s."),
        _("Orders are due soon."),
    ),
    "missing": _kind(
        "deadlines",
        _("Reminder from the GM: your orders are missing (%(phase)s). Deadline: %(due)s."),
        _("Reminder from the GM: your orders are missing (%(phase)s)."),
        _("Reminder from the GM: your orders are missing. Deadline: %(due)s."),
        _("Reminder from the GM: your orders are missing."),
    ),
    "orders_entered": _kind(
        "deadlines",
        _("The GM entered orders for %(power)s (%(phase)s): they count until you send others."),
        _("The GM entered orders for you: they count until you send others."),
    ),
    "extended": _kind(
        "deadlines",
        _("Orders are missing: the deadline moves by %(hours)s h, to %(due)s."),
        _("New deadline: %(due)s."),
        _("The deadline has changed."),
    ),
    "paused": _kind("deadlines", _("The game is paused: the clock is stopped.")),
    "resumed": _kind("deadlines", _("Game resumed. Orders are due by %(due)s."), _("Game resumed.")),
    "given": _kind("seats", _("You now play %(power)s."), _("You have been given a power.")),
    "replaced": _kind(
        "seats", _("Someone else now plays %(power)s."), _("Someone else now plays one of the powers.")
    ),
    "disorder": _kind(
        "seats",
        _("%(Power)s is in civil disorder until a player returns."),
        _("A power is in civil disorder until a player returns."),
    ),
    "bot_seat": _kind("seats", _("A bot now plays %(power)s."), _("A bot now plays one of the powers.")),
    "game_found": _kind("openings", _("This game matches a search of yours.")),
    "seat_found": _kind(
        "openings", _("This game matches a search of yours, and is looking for a replacement.")
    ),
    "group_game": _kind("openings", _("A new game in your group is looking for players.")),
    "rematch": _kind(
        "openings", _("A rematch is offered: the same people, the same settings. You can join it.")
    ),
    "gm_absent": _kind(
        "seats", _("The game waits for its GM, who has not been seen: someone else may take over.")
    ),
    "gm_wanted": _kind(
        "desk",
        _("The game waits for you, and someone else may take over the desk. You can keep it with one click."),
    ),
    "desk_offered": _kind("votes", _("Someone offers to lead the game: do you agree?")),
    "desk_handed": _kind("seats", _("The game has a new GM.")),
    "desk_kept": _kind("seats", _("The GM is back and keeps the desk.")),
    "house_rules": _kind(
        "seats", _("The house rules of the game have changed: read them under “Game info”.")
    ),
    "revealed": _kind("seats", _("The players’ identities have been revealed.")),
    "letter": _kind(
        "letters",
        _("New message %(from_power)s."),
        _("New message from the game master.%(master)s"),
        _("New message."),
    ),
    "letter_returned": _kind(
        "letters",
        _("The game master returned one of your messages: “%(reason)s”"),
        _("The game master returned one of your messages."),
    ),
    "proposal": _kind(
        "votes", _("%(Power)s proposes to end the game."), _("An end to the game has been proposed.")
    ),
    "proposal_voting": _kind(
        "votes",
        _("%(Power)s proposes to end the game: please vote."),
        _("Please vote on ending the game."),
    ),
    "proposal_closed": _kind("votes", "%(outcome)s", _("The vote to end the game is over.")),
    "letter_held": _kind("letters", _("A held message is waiting for you.")),
    "parked": _kind(
        "desk", _("The game has stopped: a phase could not be resolved. It is waiting for you at the desk.")
    ),
    "waiting": _kind(
        "desk",
        _("The deadline has passed and the game is waiting for you. Missing orders: %(powers)s."),
        _("The deadline has passed and the game is waiting for you."),
    ),
    "late_orders": _kind(
        "desk",
        _("%(Power)s sent late orders by email: you can accept them."),
        _("Late orders have arrived by email: you can accept them."),
    ),
    "resolved_orders": _kind(
        "desk",
        _("%(Power)s sent orders by email for a phase that has been resolved: you can roll it back."),
        _("Orders have arrived by email for a phase that has been resolved: you can roll it back."),
    ),
    "invitation_undelivered": _kind(
        "seats",
        _("An invitation by email could not be delivered: its address is on your list of invitations."),
    ),
    "vacant": _kind(
        "desk", _("No one plays %(power)s any more."), _("One of the powers no longer has a player.")
    ),
    "computer_failed": _kind(
        "desk",
        _("The bot could not submit orders for %(powers)s: they count as missing in this phase."),
        _("A bot could not submit orders for one of its powers."),
    ),
    "pause_asked": _kind("desk", _("Pause requested by %(powers)s."), _("A player requests a pause.")),
    "joined": _kind("desk", _("%(newcomer)s has joined the game."), _("Someone has joined the game.")),
    "unreached": _kind(
        "desk",
        _("Emails no longer reach the player of %(power)s, who may not know what is happening."),
        _("Emails no longer reach one of the players."),
    ),
    # Of a tournament: `seats` are the powers that somebody plays, each with its board.
    "seat_shown": _kind(
        "tournaments",
        _("Round %(round)s: you play %(seats)s."),
        _("Round %(round)s: the draw is published."),
        _("The draw is published."),
    ),
    "seat_changed": _kind(
        "tournaments",
        _("Round %(round)s: your seat has changed. You now play %(seats)s."),
        _("Round %(round)s: your seat has changed."),
        _("Your seat has changed."),
    ),
    "seat_none": _kind(
        "tournaments",
        _("Round %(round)s: the draw is published; you sit this round out."),
        _("The draw is published; you sit this round out."),
    ),
    "seat_lost": _kind(
        "tournaments",
        _("Round %(round)s: you no longer have a seat. Please come to the desk."),
        _("You no longer have a seat. Please come to the desk."),
    ),
    "board_wanted": _kind(
        "tournaments",
        _("Round %(round)s: you are needed. You play %(seats)s."),
        _("Round %(round)s: you are needed at a board."),
        _("You are needed at a board."),
    ),
    "result_waits": _kind(
        "tournaments",
        _("Round %(round)s, board %(board)s: a result is waiting for you to confirm it."),
        _("A result is waiting for you to confirm it."),
    ),
    "end_asked": _kind(
        "tournaments",
        _("Round %(round)s, board %(board)s: someone asks to end the game. You can veto it."),
        _("Someone asks to end the game at your board. You can veto it."),
    ),
    "end_voting": _kind(
        "tournaments",
        _("Round %(round)s, board %(board)s: please vote on ending the game."),
        _("Please vote on ending the game at your board."),
    ),
    "prizes_shown": _kind("tournaments", _("The prizes have been announced.")),
    # Of how people behave on the site: to moderators, and to whom it concerns.
    "site_rules": _kind("site", _("The house rules of the site have changed.")),
    "reported": _kind("site", _("A message has been reported.")),
    "warned": _kind("site", _("A moderator warns you: “%(reason)s”"), _("A moderator warns you.")),
    "banned": _kind(
        "site",
        _("You are banned from new games and messages until %(due)s: “%(reason)s”"),
        _("You are banned from new games and messages for some time."),
    ),
    "ban_lifted": _kind("site", _("Your ban from new games and messages is lifted.")),
    # To administrators, of the site itself.
    "alarm_clock": _kind("site", _("No sign of a clock for two minutes: phases are not being resolved.")),
    "alarm_phases": _kind(
        "site",
        _("Phases are more than five minutes late. Games: %(count)s."),
        _("Phases are more than five minutes late."),
    ),
    "alarm_post": _kind("site", _("Email has stopped: some has been waiting for more than five minutes.")),
    "alarm_disk": _kind("site", _("The disk is nearly full.")),
    "alarm_parked": _kind(
        "site",
        _("A phase failed, and the game is waiting for its GM. Games waiting: %(count)s."),
        _("A phase failed, and the game is waiting for its GM."),
    ),
    "alarm_faults": _kind(
        "site",
        _("An email could not be processed. Emails waiting: %(count)s."),
        _("An email could not be processed."),
    ),
    "webhook_paused": _kind(
        "desk", _("One of your webhooks has been paused: deliveries to it were failing.")
    ),
    "mail_paused": _kind(
        "letters",
        _(
            "Emails to your address keep coming back, so we have stopped sending them. Please "
            "check your address, or enter another one."
        ),
    ),
}
SOMETHING = _("This game has been updated.")
UNFIT = _("Some of your orders for the current phase are no longer valid: check them.")
MASTER = "@"  # how the game master signs a letter
ENDINGS: dict[tuple[str, bool], str | Promise] = {  # by the kind of the result, and whether several have it
    ("solo", False): _("The game is over: solo victory for %(powers)s."),
    ("joint", True): _("The game is over: joint victory for %(powers)s."),
    ("draw", True): _("The game is over: draw between %(powers)s."),
    ("abandoned", False): _("The game has been abandoned: “%(reason)s”"),
}
OUTCOMES: dict[str, str | Promise] = {
    "accepted": _("The proposal to end the game was accepted."),
    "vetoed": _("The proposal to end the game was vetoed."),
    "refused": _("The proposal to end the game was rejected."),
    "lapsed": _("The proposal to end the game has lapsed."),
}


def group_of(kind: str) -> str:
    """The group of choices that a kind belongs to; phases for one without words."""
    return KINDS[kind].group if kind in KINDS else "phases"
