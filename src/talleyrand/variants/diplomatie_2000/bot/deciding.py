"""A seat's orders in each kind of phase, moves and retreats aside."""

from __future__ import annotations

from collections.abc import Iterator

from talleyrand.engine.board import Board
from talleyrand.engine.orders import Measure, Order
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.protocols import BotView
from talleyrand.engine.rulebook import Rulebook
from talleyrand.variants.diplomatie_2000.affairs import NOBODY, controller, may_subvert
from talleyrand.variants.diplomatie_2000.states import UN, states

from . import building, voting
from .outlook import Outlook, outlook

IN_SPRING, IN_AUTUMN = 2.0, 0.5
"""What stopping a unit must be worth: in spring more, for there is one action a year."""


def orders(board: Board, position: Position, seat: str, book: Rulebook, dice: BotView) -> list[Order]:
    """What a bot writes for a seat."""
    kinds = {"P": _proposals, "M": _season, "A": _winter}
    write = kinds.get(position.phase.kind)
    return list(write(outlook(board, position, seat, book, dice), dice)) if write else []


def _proposals(view: Outlook, dice: BotView) -> Iterator[Order]:
    yield from voting.proposals(view, dice)
    if view.seat == UN:
        yield from voting.amounts(view, dice)
        if UN not in view.affairs.subversion:
            yield from _subversion(view)


def _season(view: Outlook, dice: BotView) -> Iterator[Order]:  # noqa: ARG001 (as the other phases)
    if view.seat == UN:
        yield from voting.rankings(view)
        return
    ballots = voting.ballots(view)
    if ballots is not None:
        yield ballots
    yield from _aid(view)
    if may_subvert(view.board, view.position, view.seat) and view.seat not in view.affairs.subversion:
        yield from _subversion(view)


def _winter(view: Outlook, dice: BotView) -> Iterator[Order]:
    yield from building.secretary(view) if view.seat == UN else building.winter(view, dice)


def _aid(view: Outlook) -> Iterator[Measure]:
    """The programme of aid: the best liked first, and once more where nobody else is liked."""
    liked = [state for state in view.others if view.regard[state] > 0] or view.others[:1]
    places = (liked * len(NOBODY))[: len(NOBODY)] if liked else []
    if tuple(places) != view.affairs.aid.get(view.seat, NOBODY) and states()[view.seat].aid:
        yield Measure("AID " + " / ".join(f"{place} {state}" for place, state in enumerate(places, 1)))


def _subversion(view: Outlook) -> Iterator[Measure]:
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
            yield Measure(f"AS {code}", lasting=view.seat == UN)
            return


def _harm(view: Outlook, unit: Unit) -> float:
    """What a unit could do to the seat's centres; to anybody's for the United Nations."""
    near = {unit.province, *view.board.reach[unit.kind][unit.location]}
    centres = view.board.centres if view.seat == UN else view.position.owned_by(view.seat)
    return -view.goodwill(unit.power) * len(near & set(centres)) if unit.kind != "M" else 0.0


def _just_visited(view: Outlook, code: str) -> bool:
    """Whether the United Nations have been there, under the same state, the last time."""
    last = view.affairs.last
    return last is not None and last[1] == controller(view.board, view.position, code)
