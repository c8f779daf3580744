"""Rulings where the text of a rulebook is silent and no option of it says so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from talleyrand.engine.board import province_of
from talleyrand.engine.convoys import AdjacentMove, lacks_own_fleet
from talleyrand.engine.orders import Convoy, Move
from talleyrand.engine.outcome import AdjudicationNote, Verdict

from .question_input import Question


def ruling_notes(question: Question, verdicts: Iterable[Verdict]) -> Iterator[AdjudicationNote]:
    """`own_fleet_missing` for an army that asked for a convoy to a neighbour, where each possible chain lacks
    the order of a fleet of its own power (Anjou Feu, IV, cas plus complexes)."""
    if question.rulebook.adjudication_rules.land_or_sea_route != "own_chain_or_marker":
        return
    told = tuple(verdicts)
    for verdict in told:
        order = verdict.order
        if isinstance(order, Move) and order.via and _lacks(question, verdict.power, order, told):
            yield AdjudicationNote("own_fleet_missing", (("unit", str(order.unit)),))


def _lacks(question: Question, power: str, order: Move, verdicts: Iterable[Verdict]) -> bool:
    origin, goal = province_of(order.unit.location), province_of(order.to)
    ordered = frozenset(
        province_of(one.order.unit.location)
        for one in verdicts
        if isinstance(one.order, Convoy)
        and (province_of(one.order.target.location), province_of(one.order.to)) == (origin, goal)
    )
    trip = AdjacentMove(
        power,
        origin,
        goal,
        asks_for_convoy=True,
        ordered_fleets=ordered,
        has_whole_route=False,
        opposite_power="",
    )
    return lacks_own_fleet(question.variant.board, question.position, trip)
