"""What something would do, before it is done: who moves in the ranking, which later draw would be another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import drawing, resting, standings
from talleyrand.tournament.model import Event
from talleyrand.web.tournaments.journal import Effect

from . import words

MOST = 40  # people who move, as a page shows them


def of(effect: Effect) -> Mapping[str, Any]:
    """What changes, for `effect.html` and `entry.html`."""
    before, after = effect.before, effect.after
    try:
        moves = standings.difference(standings.of(before), standings.of(after))
    except TalleyrandError as error:  # regulations by which nothing can be scored
        return {"changes": before != after, "moves": [], "more": 0, "lines": [words.refusal(error, after)]}
    return {
        "changes": before != after,
        "moves": [_move(after, one) for one in moves[:MOST]],
        "more": len(moves[MOST:]),
        "lines": list(_draws(before, after)),
    }


def _move(event: Event, one: standings.Move) -> dict[str, Any]:
    return {
        "name": words.name_of(event, one.person),
        "from_place": one.before.place if one.before else "–",
        "to_place": one.after.place if one.after else "–",
        "from_points": words.points(one.before.total) if one.before else "–",
        "to_points": words.points(one.after.total) if one.after else "–",
    }


def _draws(before: Event, after: Event) -> Iterator[str]:
    """Later draws that hang on results: the best together, the final, who could stand down."""
    for number, one in sorted(before.rounds.items()):
        if not one.boards or number not in after.rounds:
            continue
        if drawing.together(before, number) != drawing.together(after, number):
            yield _(
                "The draw of round %(number)s would have been another: the best of the rounds before change."
            ) % {"number": number}
        if one.final and one.drawn and _finalists(before, number) != _finalists(after, number):
            yield _("The final of round %(number)s would have had other players.") % {"number": number}


def _finalists(event: Event, number: int) -> set[int]:
    drawn = event.rounds[number].drawn
    try:
        return set(resting.qualify(event, number, drawn.seed if drawn else "").people)
    except TalleyrandError:
        return set()
