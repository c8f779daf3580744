"""The desk's first page: where the event stands, what to do next, who and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.tournament import end_vote_rules, name_matching
from talleyrand.tournament.acts.seating_acts import people_unplaced
from talleyrand.tournament.model import Event, EventBoard, EventRound, RoundState
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts
from .desk_views import DeskRequest, desk_response, for_desk

MOST_NAMES = 12


@dataclass(frozen=True)
class DeskTask:
    """Something to see to, and where."""

    text: str
    url: str
    is_urgent: bool = False


@for_desk
def overview_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """What there is to do now."""
    return desk_response(request, sight, "now.html", _overview_context)


def _overview_context(visit: DeskRequest) -> dict[str, Any]:
    event, key = visit.event, visit.viewer.tournament.key
    current = round_under_way(event)
    return {
        "section": "now",
        "current": current,
        "now": event.rounds.get(current) if current else None,
        "step": next_step(event, current, key),
        "tasks": list(_tasks(event, key)),
        "missing": [desk_texts.person_name(event, one) for one in missing_people(event, current)],
        "every": [_row(event, number, one, key) for number, one in sorted(event.rounds.items())],
    }


def round_under_way(event: Event) -> int:
    """The round that is under way, or the next one; 0 where all are over."""
    left = [at for at, one in sorted(event.rounds.items()) if one.state is not RoundState.CLOSED]
    begun = [at for at in left if event.rounds[at].state is not RoundState.PLANNED]
    return (begun or left or [0])[0]


def next_step(event: Event, number: int, key: str) -> dict[str, str]:
    """The next step as one button: a way to a page, or an act (`press`)."""
    one = event.rounds.get(number)
    if one is None or (event.over and one.state is not RoundState.PLAYING):
        return _last_step(event, key)
    if event.terms and one.state is RoundState.PLANNED:
        text = _("Set when round %(number)s begins") % {"number": number}
        return {"text": text, "way": reverse("tournaments:desk_online", args=[key])}
    if one.state is RoundState.PLANNED:
        return _press(_("Open the check-in of round %(number)s"), f"round_opened?round={number}", number)
    if one.state is RoundState.PLAYING and not unconfirmed_boards(one):
        return _press(_("Close round %(number)s"), f"round_closed?round={number}", number)
    text, page = _pages(one)
    return _go(text, key, page, number)


def _pages(one: EventRound) -> tuple[str, str]:
    """What is done next in a round, and on which page."""
    if one.state is RoundState.DRAFT:
        return _("Check and publish the board draw of round %(number)s"), "desk_draw"
    if one.state is RoundState.PLAYING:
        return _("Complete the results of round %(number)s"), "desk_boards"
    if one.present:
        return _("Draw the boards of round %(number)s"), "desk_numbers"
    return _("Check people in for round %(number)s"), "desk_round"


def _last_step(event: Event, key: str) -> dict[str, str]:
    if event.over:
        return _go(_("View the scores"), key, "desk_scores")
    if not event.rounds:
        return {"text": _("Create the rounds"), "press": "set_up"}
    return _go(_("View the scores and close the tournament"), key, "desk_scores")


def _press(text: str, press: str, number: int) -> dict[str, str]:
    return {"text": text % {"number": number}, "press": press}


def _go(text: str, key: str, name: str, number: int | None = None) -> dict[str, str]:
    way = reverse(f"tournaments:{name}", args=[key] if number is None else [key, number])
    return {"text": text % {"number": number}, "way": way}


def missing_people(event: Event, number: int) -> list[int]:
    """Who has signed up for a round that people arrive for, and is not there."""
    one = event.rounds.get(number)
    if one is None or one.state is not RoundState.OPEN:
        return []
    signed = [at for at, known in event.people.items() if number in known.rounds and not known.gone]
    return desk_texts.alphabetical(event, [at for at in signed if at not in one.present])


def unconfirmed_boards(one: EventRound) -> list[int]:
    """Boards whose result is missing, or has been confirmed by nobody."""
    return [at for at, board in one.boards.items() if board.result is None or not board.result.confirmed]


def _tasks(event: Event, key: str) -> Iterator[DeskTask]:
    for at, one in sorted(event.rounds.items()):
        yield from _of_round(event, at, one, key)
    twins = name_matching.possible_duplicates(event.people)
    if twins:
        text = ngettext("%(count)s pair of similar names.", "%(count)s pairs of similar names.", len(twins))
        yield DeskTask(
            text % {"count": len(twins)}, reverse("tournaments:desk_people", args=[key]) + "#twins"
        )
    if not event.people:
        yield DeskTask(_("Nobody has signed up yet."), reverse("tournaments:desk_people", args=[key]))
    if not event.announcement.place and not event.terms:
        yield DeskTask(_("The announcement has no venue."), reverse("tournaments:desk_settings", args=[key]))


def _of_round(event: Event, number: int, one: EventRound, key: str) -> Iterator[DeskTask]:
    if one.state in (RoundState.DRAFT, RoundState.PLAYING) and (left := people_unplaced(one)):
        names = ", ".join(desk_texts.person_name(event, who) for who in left[:MOST_NAMES])
        text = _("Present at round %(number)s, without a seat: %(names)s.")
        name = "desk_draw" if one.state is RoundState.DRAFT else "desk_boards"
        yield DeskTask(text % {"number": number, "names": names}, _way(key, name, number), is_urgent=True)
    if one.state is RoundState.PLAYING:
        for at, board in sorted(one.boards.items()):
            yield from _of_board(number, at, board, key)


def _of_board(number: int, at: int, board: EventBoard, key: str) -> Iterator[DeskTask]:
    way, facts = _way(key, "desk_board", number, at), {"number": number, "board": at}
    if any(vote.state in end_vote_rules.OPEN_STATES for vote in board.votes.values()):
        yield DeskTask(_("Board %(board)s: vote to end the game.") % facts, way, is_urgent=True)
    if board.result is None:
        return
    if not board.result.confirmed:
        yield DeskTask(_("Board %(board)s: result to confirm.") % facts, way, is_urgent=True)


def _way(key: str, name: str, *args: int) -> str:
    return reverse(f"tournaments:{name}", args=[key, *args])


def _row(event: Event, number: int, one: EventRound, key: str) -> dict[str, Any]:
    signed = sum(number in known.rounds and not known.gone for known in event.people.values())
    return {
        "number": number,
        "round": one,
        "starts": desk_texts.short_time(event, one.starts),
        "signed": signed,
        "present": len(one.present),
        "boards": len(one.boards),
        "results": len(one.boards) - len(unconfirmed_boards(one)),
        "way": _way(key, "desk_round", number),
    }
