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


# Facts are put in by `wording.Facts`: `power` has its article, `Power` begins a sentence.
KINDS: dict[str, NotificationKind] = {
    "begun": _kind("phases", _("The game has begun.")),
    "published": _kind("phases", _("The result is published: %(phase)s."), _("A result is published.")),
    "taken_back": _kind(
        "phases",
        _("The game master has taken back a phase, which is open again: %(phase)s."),
        _("The game master has taken back the last phase."),
    ),
    "corrected": _kind(
        "phases",
        _("The result has been corrected (%(phase)s): “%(reason)s” %(misfit)s"),
        _("The result has been corrected: %(phase)s. %(misfit)s"),
        _("The result has been corrected (%(phase)s): “%(reason)s”"),
        _("The result has been corrected: %(phase)s."),
        _("A result has been corrected."),
    ),
    "gazette": _kind("phases", _("A gazette has come out: %(phase)s."), _("A gazette has come out.")),
    "ended": _kind(
        "phases",
        "%(ending)s",
        _("The game is over. It ends with %(powers)s."),
        _("The game is over."),
    ),
    "due_soon": _kind(
        "deadlines",
        _("Orders are due by %(due)s: %(phase)s."),
        _("Orders are due by %(due)s."),
        _("Orders are due soon."),
    ),
    "missing": _kind(
        "deadlines",
        _("The game master reminds you: your orders are missing (%(phase)s), due by %(due)s."),
        _("The game master reminds you: your orders are missing (%(phase)s)."),
        _("The game master reminds you: your orders are missing."),
    ),
    "extended": _kind(
        "deadlines", _("The deadline has moved to %(due)s."), _("The deadline has been moved.")
    ),
    "paused": _kind("deadlines", _("The game is paused: no deadline runs.")),
    "resumed": _kind("deadlines", _("The game goes on. Orders are due by %(due)s."), _("The game goes on.")),
    "given": _kind("seats", _("You now play %(power)s."), _("A power has been given to you.")),
    "replaced": _kind(
        "seats", _("Somebody else now plays %(power)s."), _("Somebody else now plays one of the powers.")
    ),
    "disorder": _kind(
        "seats",
        _("%(Power)s is in civil disorder until somebody plays again."),
        _("A power is in civil disorder until somebody plays again."),
    ),
    "revealed": _kind("seats", _("Who plays which power is no longer a secret.")),
    "letter": _kind(
        "letters",
        _("A letter has come %(from_power)s."),
        _("A letter has come from the game master.%(master)s"),
        _("A letter has come."),
    ),
    "letter_returned": _kind(
        "letters",
        _("The game master has returned one of your letters: “%(reason)s”"),
        _("The game master has returned one of your letters."),
    ),
    "proposal": _kind(
        "votes", _("%(Power)s proposes to end the game."), _("An end of the game is proposed.")
    ),
    "proposal_voting": _kind(
        "votes",
        _("%(Power)s proposes to end the game: it is time to vote."),
        _("It is time to vote on the end of the game."),
    ),
    "proposal_closed": _kind("votes", "%(outcome)s", _("The vote on the end of the game is over.")),
    "letter_held": _kind("letters", _("A letter waits until you pass it on.")),
    "parked": _kind(
        "desk", _("The game has stopped: a phase could not be adjudicated. It waits for you at the desk.")
    ),
    "waiting": _kind(
        "desk",
        _("The deadline has passed and the game waits for you. Without orders: %(powers)s."),
        _("The deadline has passed and the game waits for you."),
    ),
    "late_orders": _kind(
        "desk",
        _("%(Power)s has sent orders by mail after the deadline: you may let them in."),
        _("Orders have come by mail after the deadline: you may let them in."),
    ),
    "vacant": _kind(
        "desk", _("Nobody plays %(power)s any more."), _("Nobody plays one of the powers any more.")
    ),
    "computer_failed": _kind(
        "desk",
        _("The computer could not give the orders of %(powers)s: they count as missing in this phase."),
        _("The computer could not give the orders of one of its powers."),
    ),
    "pause_asked": _kind("desk", _("A pause is asked for by %(powers)s."), _("A player asks for a pause.")),
    "joined": _kind("desk", _("Somebody has joined the game.")),
    "unreached": _kind(
        "desk",
        _("No mail reaches whoever plays %(power)s: he may not know what happens."),
        _("No mail reaches one of the players any more."),
    ),
    # Of a tournament: `seats` are the powers that somebody plays, each with its board.
    "seat_shown": _kind(
        "tournaments",
        _("Round %(round)s: you play %(seats)s."),
        _("Round %(round)s: the draw is shown."),
        _("The draw is shown."),
    ),
    "seat_changed": _kind(
        "tournaments",
        _("Round %(round)s: your seat has changed. You now play %(seats)s."),
        _("Round %(round)s: your seat has changed."),
        _("Your seat has changed."),
    ),
    "seat_none": _kind(
        "tournaments",
        _("Round %(round)s: the draw is shown, and you stand down."),
        _("The draw is shown, and you stand down."),
    ),
    "seat_lost": _kind(
        "tournaments",
        _("Round %(round)s: you have no seat any more. Please come to the desk."),
        _("You have no seat any more. Please come to the desk."),
    ),
    "board_wanted": _kind(
        "tournaments",
        _("Round %(round)s: you are wanted. You play %(seats)s."),
        _("Round %(round)s: you are wanted at a board."),
        _("You are wanted at a board."),
    ),
    "result_waits": _kind(
        "tournaments",
        _("Round %(round)s, board %(board)s: a result waits for you to confirm it."),
        _("A result waits for you to confirm it."),
    ),
    "end_asked": _kind(
        "tournaments",
        _("Round %(round)s, board %(board)s: somebody asks to end the game. You may forbid it."),
        _("Somebody asks to end the game at your board. You may forbid it."),
    ),
    "end_voting": _kind(
        "tournaments",
        _("Round %(round)s, board %(board)s: your vote on the end of the game is wanted."),
        _("Your vote on the end of the game is wanted."),
    ),
    "prizes_shown": _kind("tournaments", _("The prizes are announced.")),
    # To administrators, of the site itself.
    "alarm_clock": _kind("site", _("No clock was heard of for two minutes: no phase is published.")),
    "alarm_phases": _kind(
        "site",
        _("Phases are more than five minutes late. Games: %(count)s."),
        _("Phases are more than five minutes late."),
    ),
    "alarm_post": _kind("site", _("The post stands still: mail has waited for more than five minutes.")),
    "alarm_disk": _kind("site", _("The disk is nearly full.")),
    "alarm_parked": _kind(
        "site",
        _("A phase failed, and the game waits for its game master. Games that wait: %(count)s."),
        _("A phase failed, and the game waits for its game master."),
    ),
    "alarm_faults": _kind(
        "site",
        _("A mail could not be processed. Mails that wait: %(count)s."),
        _("A mail could not be processed."),
    ),
    "webhook_paused": _kind(
        "desk", _("One of your webhooks is paused: the program behind it does not answer any more.")
    ),
    "mail_paused": _kind(
        "letters",
        _("Mails to your address come back, and none is sent any more. Please check it, or give another."),
    ),
}
SOMETHING = _("Something has changed in this game.")
UNFIT = _("Some of your orders in preparation no longer fit: look at them again.")
MASTER = "@"  # how the game master signs a letter
ENDINGS: dict[tuple[str, bool], str | Promise] = {  # by the kind of the result, and whether several have it
    ("solo", False): _("The game is over: %(powers)s wins alone."),
    ("draw", True): _("The game is over: %(powers)s share the victory."),
    ("abandoned", False): _("The game has been abandoned: “%(reason)s”"),
}
OUTCOMES: dict[str, str | Promise] = {
    "accepted": _("The proposal to end the game is accepted."),
    "vetoed": _("The proposal to end the game has met a veto."),
    "refused": _("The proposal to end the game is refused."),
    "lapsed": _("The proposal to end the game has lapsed."),
}


def group_of(kind: str) -> str:
    """The group of choices that a kind belongs to; phases for one without words."""
    return KINDS[kind].group if kind in KINDS else "phases"
