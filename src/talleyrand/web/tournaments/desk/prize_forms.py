"""Prizes as the director sees them before they are given; ballots for the voted ones, entered for a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.tournament import prizes, regulations
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.result_acts import VOTED_PRIZE_KIND, CastBallot
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, PrizeBallot
from talleyrand.tournament.prizes import Award
from talleyrand.tournament.standings import Standings
from talleyrand.web.boards import display_names

from . import desk_texts
from .desk_views import DeskRequest
from .form_fields import FormFields
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
        if not pressed.value("voter"):
            raise ActRefused("act_nobody")
        named = {
            key: pressed.number(f"names.{key}") for key, _t in _voted(event) if pressed.value(f"names.{key}")
        }
        return CastBallot(PrizeBallot(number, at, pressed.number("voter"), named))

    return {BALLOT_ACTION: build}


def _voted(event: Event) -> Iterator[tuple[str, str]]:
    for key, prize in regulations.read_regulations(event.regulations).prizes.items():
        if prize.kind == VOTED_PRIZE_KIND:
            yield key, prize.title.get(display_names.reader_language()) or key


def prize_ballot_context(visit: DeskRequest, number: int, at: int) -> dict[str, Any]:
    """The context of `ballots.html`."""
    event, form = visit.event, FormFields(visit, BALLOT_ACTION)
    held = event.rounds[number].boards[at]
    here = [
        (str(who), desk_texts.person_name(event, who))
        for who in desk_texts.alphabetical(event, board_people(held))
    ]
    return {
        "ballot_people": here,
        "voter": form.field("voter", _("Voter"), kind="select", options=[("", "–"), *here]),
        "ballot_fields": [
            form.field(f"names.{key}", title, kind="select", options=[("", "–"), *here])
            for key, title in _voted(event)
        ],
        "may_ballot": held.result is not None and not event.over,
        "ballots": [
            (key, desk_texts.person_name(event, one.voter) if one.voter else _("someone (name deleted)"))
            for key, one in sorted(event.ballots.items())
            if (one.round, one.board) == (number, at)
        ],
    }
