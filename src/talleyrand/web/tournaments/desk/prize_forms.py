"""Prizes as the director sees them before they are given; ballots for the voted ones, entered for a table."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.tournament import prizes
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.result_acts import CastBallot
from talleyrand.tournament.model import Event
from talleyrand.tournament.prizes import Award
from talleyrand.tournament.standings import Standings
from talleyrand.web.boards import display_names
from talleyrand.web.tournaments.prize_ballot_form import PrizeBallotForm, voted_prizes

from . import desk_texts
from .desk_views import DeskRequest
from .form_parsing import FormAction

BALLOT_ACTION = "ballot"


def award_rows(event: Event, held: Standings) -> list[dict[str, Any]]:
    """The podium and every prize: who has it, who keeps the paper, and why."""
    try:
        found = [*prizes.podium(event, held), *prizes.award_prizes(event, held).values()]
    except TalleyrandError:
        return []
    return [_award(event, one) for one in found]


def _award(event: Event, one: Award) -> dict[str, Any]:
    names, language = desk_texts.names_by_number(event), display_names.reader_language()
    title = one.title.get(language) or one.key
    team = one.kind == "team"
    return {
        "title": _("Place %(place)s") % {"place": one.key} if one.kind == "place" else title,
        "holders": [
            event.teams[who].name if team and who in event.teams else desk_texts.person_name(event, who)
            for who in one.holders
        ],
        "keepers": [desk_texts.person_name(event, who) for who in one.keepers]
        if len(one.holders) > 1
        else [],
        "lines": [sentences.working_sentences(line, names)[language] for line in one.lines],
    }


def prize_ballot_builders(number: int, at: int) -> dict[str, Any]:
    """The button that enters a ballot."""

    def build(event: Event, pressed: FormAction) -> EventAct:
        return CastBallot(PrizeBallotForm(event, number, at, typed=pressed.values).ballot())

    return {BALLOT_ACTION: build}


def prize_ballot_context(visit: DeskRequest, number: int, at: int) -> dict[str, Any]:
    """The context of `ballots.html`."""
    event = visit.event
    typed = visit.action.values if visit.action and visit.action.name == BALLOT_ACTION else None
    return {
        "ballot": PrizeBallotForm(event, number, at, typed=typed),
        "may_ballot": event.rounds[number].boards[at].result is not None
        and not event.over
        and bool(voted_prizes(event)),
        "ballots": [
            (key, desk_texts.person_name(event, one.voter) if one.voter else _("someone (name deleted)"))
            for key, one in sorted(event.ballots.items())
            if (one.round, one.board) == (number, at)
        ],
    }
