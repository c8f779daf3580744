"""Votes to end a game, entered for a table by the desk: what each power holds, vetoes, ballots."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.tournament import endvotes, regulations, timing
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.model import FIRST_YEAR, Board, EndVote, Event, Hold, RoundState, VoteState

from . import pressing, words
from .doors import Visit, now
from .fields import Field, Form
from .playing_pages import season_now
from .pressing import Pressed

ASKED = "vote_asked"
SETTLED = (*endvotes.OPEN, VoteState.CARRIED)  # another vote would change nothing, or hinder this one


def builders(number: int, at: int) -> dict[str, Any]:
    """The button that asks."""

    def build(_event: Event, pressed: Pressed) -> Act:
        typed = {**pressed.typed, "round": (str(number),), "board": (str(at),)}
        return pressing.act_of(Pressed(ASKED, typed), now())

    return {ASKED: build}


def shown(visit: Visit, number: int, at: int) -> dict[str, Any]:
    """The context of `votes.html`."""
    event = visit.event
    one, held = event.rounds[number], event.rounds[number].boards[at]
    if one.state is not RoundState.PLAYING or not regulations.read(event.regulations).votes:
        return {"may_vote": False, "votes": _every(held)}
    return {
        "may_vote": held.result is None and not any(vote.state in SETTLED for vote in held.votes.values()),
        "votes": _every(held),
        "asking": _asking(visit, number, held),
        "hold_rows": [_holds(visit, power) for power in held.seats],
    }


def _every(held: Board) -> list[dict[str, Any]]:
    return [_vote(held, at, vote) for at, vote in sorted(held.votes.items())]


def _vote(held: Board, number: int, vote: EndVote) -> dict[str, Any]:
    left = [power for power in vote.powers if power not in vote.voted]
    may_veto = [power for power in held.seats if not endvotes.may_veto(held, vote, power, vote.table)]
    return {
        "number": number,
        "by": words.power(vote.by),
        "when": words.moment_title(vote.when),
        "autumn": vote.autumn,
        "state": _states()[vote.state],
        "asked": vote.state is VoteState.ASKED,
        "voting": vote.state is VoteState.VOTING,
        "carried": vote.state is VoteState.CARRIED,
        "vetoed": words.power(vote.vetoed),
        "count": (len(vote.voted), len(vote.powers)),
        "left": [(power, words.power(power)) for power in left],
        "may_veto": [(power, words.power(power)) for power in may_veto],
        "set_aside": [words.power(power) for power in endvotes.set_aside(held, vote.table)]
        if vote.table
        else [],
    }


def _states() -> dict[VoteState, str]:
    return {
        VoteState.ASKED: _("asked"),
        VoteState.VETOED: _("forbidden"),
        VoteState.VOTING: _("ballots are cast"),
        VoteState.CARRIED: _("unanimous: the game is over"),
        VoteState.LOST: _("not unanimous: the game goes on"),
        VoteState.WITHDRAWN: _("asked no longer"),
    }


def _asking(visit: Visit, number: int, held: Board) -> list[Field]:
    event, form = visit.event, Form(visit, ASKED)
    last = timing.last_year(event, number, held)
    whens = [
        (when, words.moment_title(when))
        for one in range(FIRST_YEAR, last + 1)
        for when in endvotes.moments(one)
    ]
    powers = [
        (power, f"{words.power(power)} ({words.name_of(event, seat.person)})")
        for power, seat in held.seats.items()
        if seat.person is not None
    ]
    return [
        form.field("power", _("Asked by"), kind="select", options=powers),
        form.field("when", _("When"), endvotes.latest(season_now(event, number)), "select", options=whens),
        form.check(
            "autumn",
            _("Autumn is played with all in disorder before the count"),
            kept=False,
            hint=_("After spring only."),
        ),
    ]


def _holds(visit: Visit, power: str) -> dict[str, Any]:
    """What a power has, in numbers: what the rules of the vote ask."""
    form = Form(visit, ASKED)
    labels = {
        "centres": _("Centres"),
        "homes": _("Own home centres"),
        "units": _("Units"),
        "free": _("Own centres without a foreign unit"),
        "abroad": _("Units on others’ centres"),
    }
    return {
        "label": words.power(power),
        "fields": [
            form.field(f"table.{power}.{one.name}", labels[one.name], "0", "number") for one in fields(Hold)
        ],
    }
