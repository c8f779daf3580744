"""The movement of a season: M as the vote has it, all of one power; units that subversion stops hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from talleyrand.engine import legality, movement
from talleyrand.engine.board import Board, Mobility, province_of
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Hold, Order
from talleyrand.engine.outcome import Cause, OrderResult, PhaseOutcome, RefusedOrder, Verdict
from talleyrand.engine.position import DislodgedUnit, Position, Unit
from talleyrand.engine.rulebook import Rulebook

from .political_state import FAR_NORTH, UN, political_state_of

NumberedOrders = Sequence[tuple[int | None, Order]]
"""Orders with their place on their power's sheet; those of an adopted programme have none."""


class MovementOutcome(NamedTuple):
    """What came of the movement, and what every unit that is still on the board has become."""

    outcome: PhaseOutcome
    places: Mapping[Unit, Unit]


def is_frozen(board: Board, position: Position, kind: str, place: str) -> bool:
    """Whether a far-north sea is closed to such a unit, as it is to fleets in autumn."""
    afloat = board.kinds[kind].mobility is Mobility.SEA
    return afloat and position.phase.season == "F" and province_of(place) in FAR_NORTH


def adjudicate_season(
    board: Board,
    position: Position,
    orders: Mapping[str, NumberedOrders],
    missions: Mapping[str, Order],
    stopped: Mapping[str, tuple[str, ...]],
    book: Rulebook,
) -> MovementOutcome:
    """Judge legal orders by power and `missions` by province; units in the provinces `stopped` hold: by whom
    each is stopped, the Secretary-General last."""
    return _SeasonMovement(board, position, orders, missions, stopped, book).moved()


class _SeasonMovement:
    """One movement."""

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[str, NumberedOrders],
        missions: Mapping[str, Order],
        stopped: Mapping[str, tuple[str, ...]],
        book: Rulebook,
    ) -> None:
        self.board, self.position, self.book, self.stopped = board, position, book, stopped
        self.given: dict[str, list[tuple[int | None, Order]]] = {seat: [*own] for seat, own in orders.items()}
        for unit in position.units:
            if unit.kind == "M" and unit.province in missions:
                self.given.setdefault(self._side(unit), []).append((None, missions[unit.province]))

    def _side(self, unit: Unit) -> str:
        """For whom a unit fights."""
        together = political_state_of(self.position).option("mandate_nationality") == "one_power"
        return UN if together and unit.kind == "M" else unit.power

    def moved(self) -> MovementOutcome:
        sides = tuple(unit._replace(power=self._side(unit)) for unit in self.position.units)
        position = replace(self.position, units=sides)
        held = {
            side: [self._held(position, side, order) for _, order in own] for side, own in self.given.items()
        }
        judged = movement.adjudicate(self.board, position, held, self.book)
        impossible = {one.order.unit: one.order for one in judged.refused if self._line(one)[0] is None}
        verdicts = tuple(
            self._owners_verdict(verdict, impossible.get(verdict.unit)) for verdict in judged.verdicts
        )
        places = {
            self.position.units_by_province[one.unit.province]: self._place(one)
            for one in verdicts
            if OrderResult.DISLODGED not in one.results
        }
        refused = tuple(
            RefusedOrder(one.power, number, order, one.refusal)
            for one in judged.refused
            for number, order in (self._line(one),)
            if number is not None and order is not None
        )
        after = replace(
            judged.position_after,
            units=tuple(places.values()),
            dislodged=tuple(map(self._fallen, judged.position_after.dislodged)),
        )
        moves = position, held
        return MovementOutcome(
            replace(judged, verdicts=verdicts, position_after=after, refused=refused, plain_movement=moves),
            places,
        )

    def _held(self, position: Position, side: str, order: Order) -> Order:
        """An order; a hold in the place of what a stopped unit could have done."""
        if order.unit is None or order.unit.province not in self.stopped:
            return order
        checked = legality.check_movement_order(self.board, position, side, order, self.book)
        return order if isinstance(checked, OrderRefusal) else Hold(order.unit)

    def _line(self, one: Verdict | RefusedOrder) -> tuple[int | None, Order | None]:
        """The order that something was said of, as written, and its place on the sheet."""
        if one.number is None:
            return None, one.order
        return self.given[one.power][one.number]

    def _owners_verdict(self, verdict: Verdict, impossible: Order | None) -> Verdict:
        """A verdict under the unit's owner, about the order as written."""
        number, order = self._line(verdict)
        unit = self.position.units_by_province[verdict.unit.province]
        told = verdict._replace(power=unit.power, number=number)
        if impossible is not None:
            rest = tuple(result for result in verdict.results if result != OrderResult.HOLDS)
            return told._replace(
                order=impossible, results=(OrderResult.ILLEGAL, *rest), cause=Cause("mission_impossible")
            )
        if unit.province in self.stopped:
            results = tuple(
                "subverted" if result == OrderResult.HOLDS else result for result in verdict.results
            )
            return told._replace(order=order, results=results, cause=_stopped_by(self.stopped[unit.province]))
        return told

    def _place(self, verdict: Verdict) -> Unit:
        """What a unit that is not dislodged has become."""
        unit = self.position.units_by_province[verdict.unit.province]
        moves = OrderResult.MOVES in verdict.results and verdict.to is not None
        return unit._replace(location=verdict.to) if moves and verdict.to else unit

    def _fallen(self, one: DislodgedUnit) -> DislodgedUnit:
        """A dislodged unit under its owner, kept out of the frozen seas."""
        unit = self.position.units_by_province[one.unit.province]
        open_ = (
            place for place in one.retreats if not is_frozen(self.board, self.position, unit.kind, place)
        )
        return one._replace(unit=unit, retreats=tuple(open_))


def _stopped_by(seats: tuple[str, ...]) -> Cause:
    """Whether a subversion stops a unit, an intervention, or both; by whom is public."""
    states = tuple(seat for seat in seats if seat != UN)
    code = "intervened" if not states else "subverted" if states == seats else "subverted_and_intervened"
    return Cause(code, powers=states)
