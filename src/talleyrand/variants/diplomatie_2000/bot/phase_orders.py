"""A seat's orders in each kind of phase, moves and retreats aside."""

from __future__ import annotations

from collections.abc import Iterator

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Order, PoliticalOrder
from talleyrand.engine.politics_protocol import BotView
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.rulebook import Rulebook
from talleyrand.variants.diplomatie_2000.political_state import (
    NO_AID,
    UN,
    controller,
    may_subvert,
    state_rows,
)

from . import vote_choices, winter_orders
from .seat_outlook import SeatOutlook, seat_outlook

IN_SPRING, IN_AUTUMN = 2.0, 0.5
"""What stopping a unit must be worth: in spring more, for there is one action a year."""


def phase_orders(board: Board, position: Position, seat: str, book: Rulebook, view: BotView) -> list[Order]:
    """What a bot writes for a seat."""
    kinds = {"P": _proposals, "M": _season, "A": _winter}
    write = kinds.get(position.phase.kind)
    return list(write(seat_outlook(board, position, seat, book, view), view)) if write else []


def _proposals(view: SeatOutlook, dice: BotView) -> Iterator[Order]:
    yield from vote_choices.chosen_proposals(view, dice)
    if view.seat == UN:
        yield from vote_choices.chosen_amounts(view, dice)
        if UN not in view.affairs.subversion:
            yield from _subversion(view)


def _season(view: SeatOutlook, dice: BotView) -> Iterator[Order]:  # noqa: ARG001 (as the other phases)
    if view.seat == UN:
        yield from vote_choices.tie_rankings(view)
        return
    ballots = vote_choices.chosen_ballots(view)
    if ballots is not None:
        yield ballots
    yield from _aid(view)
    if may_subvert(view.board, view.position, view.seat) and view.seat not in view.affairs.subversion:
        yield from _subversion(view)


def _winter(view: SeatOutlook, dice: BotView) -> Iterator[Order]:
    yield from (
        winter_orders.secretary_build(view) if view.seat == UN else winter_orders.winter_orders(view, dice)
    )


def _aid(view: SeatOutlook) -> Iterator[PoliticalOrder]:
    """The programme of aid: the best liked first, and once more where nobody else is liked."""
    liked = [state for state in view.others if view.regard[state] > 0] or view.others[:1]
    places = (liked * len(NO_AID))[: len(NO_AID)] if liked else []
    if tuple(places) != view.affairs.aid.get(view.seat, NO_AID) and state_rows()[view.seat].aid:
        yield PoliticalOrder("AID " + " / ".join(f"{place} {state}" for place, state in enumerate(places, 1)))


def _subversion(view: SeatOutlook) -> Iterator[PoliticalOrder]:
    """Stop the unit that does most harm where it stands, if it does much."""
    least = IN_AUTUMN if view.position.phase.season == "F" else IN_SPRING
    harm = {
        unit.province: _harm(view, unit)
        for unit in sorted(view.position.units)
        if unit.power not in (view.seat, UN) and not view.board.is_sea(unit.province)
    }
    for code in sorted(harm, key=lambda code: (-harm[code], code)):
        if harm[code] < least:
            return
        if view.seat != UN or not _just_visited(view, code):
            yield PoliticalOrder(f"AS {code}", irrevocable=view.seat == UN)
            return


def _harm(view: SeatOutlook, unit: Unit) -> float:
    """What a unit could do to the seat's centres; to anybody's for the United Nations."""
    near = {unit.province, *view.board.adjacent_provinces[unit.kind][unit.location]}
    centres = view.board.centres if view.seat == UN else view.position.owned_by(view.seat)
    return -view.goodwill(unit.power) * len(near & set(centres)) if unit.kind != "M" else 0.0


def _just_visited(view: SeatOutlook, code: str) -> bool:
    """Whether the United Nations have been there, under the same state, the last time."""
    last = view.affairs.last_intervention
    return last is not None and last[1] == controller(view.board, view.position, code)
