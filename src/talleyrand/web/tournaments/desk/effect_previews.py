"""What something would do, before it is done: who moves in the ranking, which later draw would be another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import byes, seat_draw, standings
from talleyrand.tournament.model import Event, RoundState
from talleyrand.web.tournaments.event_journal import ActsPreview

from . import desk_texts

MOST_MOVES = 40  # people who move, as a page shows them


def effect_context(effect: ActsPreview) -> Mapping[str, Any]:
    """What changes, for `effect.html` and `entry.html`."""
    before, after = effect.before, effect.after
    try:
        moves = standings.standings_difference(
            standings.compute_standings(before), standings.compute_standings(after)
        )
    except TalleyrandError as error:  # regulations by which nothing can be scored
        return {
            "changes": before != after,
            "moves": [],
            "more": 0,
            "lines": [desk_texts.refusal_text(error, after)],
        }
    return {
        "changes": before != after,
        "moves": [_move(after, one) for one in moves[:MOST_MOVES]],
        "more": len(moves[MOST_MOVES:]),
        "lines": [*_closing(before, after), *_draws(before, after)],
    }


def _move(event: Event, one: standings.StandingChange) -> dict[str, Any]:
    return {
        "name": desk_texts.person_name(event, one.person),
        "from_place": one.before.place if one.before else "–",
        "to_place": one.after.place if one.after else "–",
        "from_points": desk_texts.points_text(one.before.total) if one.before else "–",
        "to_points": desk_texts.points_text(one.after.total) if one.after else "–",
    }


def rounds_not_over(event: Event) -> list[int]:
    """The rounds that are still to be played or closed, those cancelled left out."""
    return [
        number
        for number, one in sorted(event.rounds.items())
        if one.state is not RoundState.CLOSED and not one.cancelled
    ]


def _closing(before: Event, after: Event) -> Iterator[str]:
    """A tournament that is closed early: what is not played, and who learns what."""
    if not after.over or before.over:
        return
    if missing := rounds_not_over(after):
        yield ngettext("Round %(rounds)s is not over.", "Rounds %(rounds)s are not over.", len(missing)) % {
            "rounds": ", ".join(map(str, missing))
        }
    if all(one.revealed for one in after.rounds.values()):
        yield _("Everyone sees who wins the prizes.")


def _draws(before: Event, after: Event) -> Iterator[str]:
    """Later draws that hang on results: the best together, the final, who could stand down."""
    for number, one in sorted(before.rounds.items()):
        if not one.boards or number not in after.rounds:
            continue
        if seat_draw.best_to_seat_together(before, number) != seat_draw.best_to_seat_together(after, number):
            yield _(
                "The board draw of round %(number)s would have been different: the best "
                "players of the earlier rounds change."
            ) % {"number": number}
        if one.final and one.drawn and _finalists(before, number) != _finalists(after, number):
            yield _("The final of round %(number)s would have had other players.") % {"number": number}


def _finalists(event: Event, number: int) -> set[int]:
    drawn = event.rounds[number].drawn
    try:
        return set(byes.choose_finalists(event, number, drawn.seed if drawn else "").people)
    except TalleyrandError:
        return set()
