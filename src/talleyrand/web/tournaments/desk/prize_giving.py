"""Prizes as the director sees them before they are given; ballots for the voted ones, entered for a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament as sentences
from talleyrand.tournament import prizes, regulations
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.ballots import VOTED, CastBallot
from talleyrand.tournament.boards import people_at
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Ballot, Event
from talleyrand.tournament.prizes import Award
from talleyrand.tournament.standings import Standings
from talleyrand.web.boards import wording

from . import words
from .doors import Visit
from .fields import Form
from .pressing import Pressed

BALLOT = "ballot"


def awards(event: Event, held: Standings) -> list[dict[str, Any]]:
    """The podium and every prize: who has it, who keeps the paper, and why."""
    try:
        found = [*prizes.podium(event, held), *prizes.of(event, held).values()]
    except TalleyrandError:
        return []
    return [_award(event, one) for one in found]


def _award(event: Event, one: Award) -> dict[str, Any]:
    names, language = words.names(event), wording.language()
    title = one.title.get(language) or one.key
    team = one.kind == "team"
    return {
        "title": _("Place %(place)s") % {"place": one.key} if one.kind == "place" else title,
        "holders": [
            event.teams[who].name if team and who in event.teams else words.name_of(event, who)
            for who in one.holders
        ],
        "keepers": [words.name_of(event, who) for who in one.keepers] if len(one.holders) > 1 else [],
        "lines": [sentences.working(line, names)[language] for line in one.lines],
    }


def builders(number: int, at: int) -> dict[str, Any]:
    """The button that enters a ballot."""

    def build(event: Event, pressed: Pressed) -> Act:
        if not pressed.get("voter"):
            raise Refused("act_nobody")
        named = {
            key: pressed.number(f"names.{key}") for key, _t in _voted(event) if pressed.get(f"names.{key}")
        }
        return CastBallot(Ballot(number, at, pressed.number("voter"), named))

    return {BALLOT: build}


def _voted(event: Event) -> Iterator[tuple[str, str]]:
    for key, prize in regulations.read(event.regulations).prizes.items():
        if prize.kind == VOTED:
            yield key, prize.title.get(wording.language()) or key


def shown(visit: Visit, number: int, at: int) -> dict[str, Any]:
    """The context of `ballots.html`."""
    event, form = visit.event, Form(visit, BALLOT)
    held = event.rounds[number].boards[at]
    here = [(str(who), words.name_of(event, who)) for who in words.in_order(event, people_at(held))]
    return {
        "ballot_people": here,
        "voter": form.field("voter", _("Ballot of"), kind="select", options=[("", "–"), *here]),
        "ballot_fields": [
            form.field(f"names.{key}", title, kind="select", options=[("", "–"), *here])
            for key, title in _voted(event)
        ],
        "may_ballot": held.result is not None and not event.over,
        "ballots": [
            (key, words.name_of(event, one.voter) if one.voter else _("somebody, forgotten"))
            for key, one in sorted(event.ballots.items())
            if (one.round, one.board) == (number, at)
        ],
    }
