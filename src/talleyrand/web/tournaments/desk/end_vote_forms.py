"""Votes to end a game, entered for a table by the desk: what each power holds, vetoes, ballots."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.tournament import end_vote_rules, regulations, round_timing
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.model import (
    FIRST_YEAR,
    EndVote,
    EndVoteState,
    Event,
    EventBoard,
    PowerHoldings,
    RoundState,
)
from talleyrand.web.tournaments import tournament_names
from talleyrand.web.tournaments.event_times import act_time

from . import desk_texts, form_parsing
from .desk_views import DeskRequest
from .form_fields import DeskFormField, FormFields
from .form_parsing import FormAction
from .playing_round_views import seasons_over_by_clock

ASK_ACTION = "vote_asked"
SETTLED_STATES = (
    *end_vote_rules.OPEN_STATES,
    EndVoteState.CARRIED,
)  # another vote would change nothing, or hinder this one


def end_vote_builders(number: int, at: int) -> dict[str, Any]:
    """The button that asks."""

    def build(_event: Event, pressed: FormAction) -> EventAct:
        typed = {**pressed.values, "round": (str(number),), "board": (str(at),)}
        return form_parsing.act_from_form(FormAction(ASK_ACTION, typed), act_time())

    return {ASK_ACTION: build}


def end_vote_context(visit: DeskRequest, number: int, at: int) -> dict[str, Any]:
    """The context of `votes.html`."""
    event = visit.event
    one, held = event.rounds[number], event.rounds[number].boards[at]
    if one.state is not RoundState.PLAYING or not regulations.read_regulations(event.regulations).votes:
        return {"may_vote": False, "votes": _every(held)}
    return {
        "may_vote": held.result is None
        and not any(vote.state in SETTLED_STATES for vote in held.votes.values()),
        "votes": _every(held),
        "asking": _asking(visit, number, held),
        "hold_rows": [_holds(visit, power) for power in held.seats],
    }


def _every(held: EventBoard) -> list[dict[str, Any]]:
    return [_vote(held, at, vote) for at, vote in sorted(held.votes.items())]


def _vote(held: EventBoard, number: int, vote: EndVote) -> dict[str, Any]:
    left = [power for power in vote.powers if power not in vote.voted]
    may_veto = [
        power for power in held.seats if not end_vote_rules.veto_refusal(held, vote, power, vote.table)
    ]
    return {
        "number": number,
        "by": desk_texts.power_name(vote.by),
        "when": desk_texts.moment_title(vote.when),
        "autumn": vote.autumn,
        "state": tournament_names.end_vote_state_name(vote.state),
        "asked": vote.state is EndVoteState.ASKED,
        "voting": vote.state is EndVoteState.VOTING,
        "carried": vote.state is EndVoteState.CARRIED,
        "vetoed": desk_texts.power_name(vote.vetoed),
        "count": (len(vote.voted), len(vote.powers)),
        "left": [(power, desk_texts.power_name(power)) for power in left],
        "may_veto": [(power, desk_texts.power_name(power)) for power in may_veto],
        "set_aside": [
            desk_texts.power_name(power) for power in end_vote_rules.powers_without_ballot(held, vote.table)
        ]
        if vote.table
        else [],
    }


def _asking(visit: DeskRequest, number: int, held: EventBoard) -> list[DeskFormField]:
    event, form = visit.event, FormFields(visit, ASK_ACTION)
    last = round_timing.last_year(event, number, held)
    whens = [
        (when, desk_texts.moment_title(when))
        for one in range(FIRST_YEAR, last + 1)
        for when in end_vote_rules.end_vote_phases(one)
    ]
    powers = [
        (power, f"{desk_texts.power_name(power)} ({desk_texts.person_name(event, seat.person)})")
        for power, seat in held.seats.items()
        if seat.person is not None
    ]
    return [
        form.field("power", _("Requested by"), kind="select", options=powers),
        form.field(
            "when",
            _("When"),
            end_vote_rules.latest_end_vote_phase(seasons_over_by_clock(event, number)),
            "select",
            options=whens,
        ),
        form.check(
            "autumn",
            _("Autumn is played with all powers in civil disorder before the count"),
            kept=False,
            hint=_("After spring only."),
        ),
    ]


def _holds(visit: DeskRequest, power: str) -> dict[str, Any]:
    """What a power has, in numbers: what the rules of the vote ask."""
    form = FormFields(visit, ASK_ACTION)
    labels = {
        "centres": _("Centres"),
        "homes": _("Home centres owned"),
        "units": _("Units"),
        "free": _("Centres owned, no foreign unit in them"),
        "abroad": _("Units on centres not owned"),
    }
    return {
        "label": desk_texts.power_name(power),
        "fields": [
            form.field(f"table.{power}.{one.name}", labels[one.name], "0", "number")
            for one in fields(PowerHoldings)
        ],
    }
