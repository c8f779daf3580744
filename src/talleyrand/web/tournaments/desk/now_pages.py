"""The desk's first page: where the event stands, what to do next, who and what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.tournament import endvotes, likeness
from talleyrand.tournament.acts.drafts import unplaced
from talleyrand.tournament.model import Board, Event, Round, RoundState
from talleyrand.web.tournaments.sight import Sight

from . import words
from .doors import Visit, answer, at_desk

SHOWN = 12


@dataclass(frozen=True)
class Task:
    """Something to see to, and where."""

    text: str
    way: str
    pressing: bool = False


@at_desk
def desk(request: HttpRequest, sight: Sight) -> HttpResponse:
    """What there is to do now."""
    return answer(request, sight, "now.html", _shown)


def _shown(visit: Visit) -> dict[str, Any]:
    event, key = visit.event, visit.sight.tournament.key
    current = current_round(event)
    return {
        "section": "now",
        "current": current,
        "now": event.rounds.get(current) if current else None,
        "step": step(event, current, key),
        "tasks": list(_tasks(event, key)),
        "missing": [words.name_of(event, one) for one in missing(event, current)],
        "every": [_row(event, number, one, key) for number, one in sorted(event.rounds.items())],
    }


def current_round(event: Event) -> int:
    """The round that is under way, or the next one; 0 where all are over."""
    left = [at for at, one in sorted(event.rounds.items()) if one.state is not RoundState.CLOSED]
    begun = [at for at in left if event.rounds[at].state is not RoundState.PLANNED]
    return (begun or left or [0])[0]


def step(event: Event, number: int, key: str) -> dict[str, str]:
    """The next step as one button: a way to a page, or an act (`press`)."""
    if event.over or not number:
        return _last_step(event, key)
    one = event.rounds[number]
    if one.state is RoundState.PLANNED:
        return _press(_("Open the check-in of round %(number)s"), f"round_opened?round={number}", number)
    if one.state is RoundState.PLAYING and not unconfirmed(one):
        return _press(_("Close round %(number)s"), f"round_closed?round={number}", number)
    text, page = _pages(one)
    return _go(text, key, page, number)


def _pages(one: Round) -> tuple[str, str]:
    """What is done next in a round, and on which page."""
    if one.state is RoundState.DRAFT:
        return _("Look at the draft of round %(number)s and show it"), "desk_draw"
    if one.state is RoundState.PLAYING:
        return _("See to the results of round %(number)s"), "desk_boards"
    if one.present:
        return _("Draw the seats of round %(number)s"), "desk_numbers"
    return _("Check people in for round %(number)s"), "desk_round"


def _last_step(event: Event, key: str) -> dict[str, str]:
    if event.over:
        return _go(_("Look at the scores"), key, "desk_scores")
    if not event.rounds:
        return {"text": _("Plan the rounds"), "press": "set_up"}
    return _go(_("Look at the scores and close the event"), key, "desk_scores")


def _press(text: str, press: str, number: int) -> dict[str, str]:
    return {"text": text % {"number": number}, "press": press}


def _go(text: str, key: str, name: str, number: int | None = None) -> dict[str, str]:
    way = reverse(f"tournaments:{name}", args=[key] if number is None else [key, number])
    return {"text": text % {"number": number}, "way": way}


def missing(event: Event, number: int) -> list[int]:
    """Who has signed up for a round that people arrive for, and is not there."""
    one = event.rounds.get(number)
    if one is None or one.state is not RoundState.OPEN:
        return []
    signed = [at for at, known in event.people.items() if number in known.rounds and not known.gone]
    return words.in_order(event, [at for at in signed if at not in one.present])


def unconfirmed(one: Round) -> list[int]:
    """Boards whose result is missing, or has been confirmed by nobody."""
    return [at for at, board in one.boards.items() if board.result is None or not board.result.confirmed]


def _tasks(event: Event, key: str) -> Iterator[Task]:
    for at, one in sorted(event.rounds.items()):
        yield from _of_round(event, at, one, key)
    twins = likeness.pairs(event.people)
    if twins:
        text = ngettext(
            "%(count)s pair of names sounds alike.", "%(count)s pairs of names sound alike.", len(twins)
        )
        yield Task(text % {"count": len(twins)}, reverse("tournaments:desk_people", args=[key]) + "#twins")
    if not event.people:
        yield Task(_("Nobody has signed up yet."), reverse("tournaments:desk_people", args=[key]))
    if not event.announcement.place:
        yield Task(_("The announcement has no place."), reverse("tournaments:desk_settings", args=[key]))


def _of_round(event: Event, number: int, one: Round, key: str) -> Iterator[Task]:
    if one.state in (RoundState.DRAFT, RoundState.PLAYING) and (left := unplaced(one)):
        names = ", ".join(words.name_of(event, who) for who in left[:SHOWN])
        text = _("Present at round %(number)s, without a seat: %(names)s.")
        name = "desk_draw" if one.state is RoundState.DRAFT else "desk_boards"
        yield Task(text % {"number": number, "names": names}, _way(key, name, number), pressing=True)
    if one.state is RoundState.PLAYING:
        for at, board in sorted(one.boards.items()):
            yield from _of_board(number, at, board, key)


def _of_board(number: int, at: int, board: Board, key: str) -> Iterator[Task]:
    way, facts = _way(key, "desk_board", number, at), {"number": number, "board": at}
    if any(vote.state in endvotes.OPEN for vote in board.votes.values()):
        yield Task(_("Board %(board)s votes on the end of its game.") % facts, way, pressing=True)
    if board.result is None:
        return
    if not board.result.confirmed:
        yield Task(_("Board %(board)s: a result waits to be confirmed.") % facts, way, pressing=True)


def _way(key: str, name: str, *args: int) -> str:
    return reverse(f"tournaments:{name}", args=[key, *args])


def _row(event: Event, number: int, one: Round, key: str) -> dict[str, Any]:
    signed = sum(number in known.rounds and not known.gone for known in event.people.values())
    return {
        "number": number,
        "round": one,
        "starts": words.hour(event, one.starts),
        "signed": signed,
        "present": len(one.present),
        "boards": len(one.boards),
        "results": len(one.boards) - len(unconfirmed(one)),
        "way": _way(key, "desk_round", number),
    }
