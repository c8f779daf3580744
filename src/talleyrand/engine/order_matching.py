"""What was ordered in a movement phase, before anything is decided: who goes where and by which way,
which fleets carry whom, whom the supports are for, and which of these orders come to nothing.

Provinces name units: no two units that are not dislodged share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .board import Board, province_of
from .convoys import AdjacentMove, RouteChoice, choose_route, has_route
from .orders import Convoy, Move, Order, Support
from .outcome import CauseCode
from .position import Position, Unit
from .rulebook import Rulebook

NO_PROVINCES: frozenset[str] = frozenset()


class MatchedSupport(NamedTuple):
    """A support that matches what its unit does: where it is directed, and whether to an attack."""

    directed_at: str
    is_for_attack: bool


class OrderMatching:
    """The orders of one movement phase, made from accepted orders only.

    `misordered` names the provinces of units whose orders were all impossible. `convoying_fleets` holds the
    fleets that may carry each attack that may go by sea; `complete_convoys` the attacks for which they make a
    whole route, `moves_naming_route` those that name their route; `void_orders` the orders that come to
    nothing, and why; `met_at_last_fleet` the armies met half-way by the unit of a province (DATC 4.A.4.1).
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[tuple[str, str], Order],
        book: Rulebook,
        misordered: frozenset[str] = NO_PROVINCES,
    ) -> None:
        self.board = board
        self.position = position
        self.book = book
        self.units = position.units_by_province
        given = {province: order for (_, province), order in orders.items()}
        self.orders = {province: given[province] for province in sorted(given)}
        self.misordered = misordered if book.illegal_order == "ignored_and_hold" else NO_PROVINCES
        self.destination: dict[str, str] = {}
        self.attackers: dict[str, list[str]] = {}
        self.route_choice: dict[str, RouteChoice] = {}
        self.convoying_fleets: dict[str, frozenset[str]] = {}
        self.complete_convoys: set[str] = set()
        self.moves_naming_route: set[str] = set()
        self.void_orders: dict[str, CauseCode] = {}
        self.supporters: dict[str, MatchedSupport] = {}
        self.move_supporters: dict[str, list[str]] = {}
        self.hold_supporters: dict[str, list[str]] = {}
        self.met_at_last_fleet: dict[str, list[str]] = {}
        self._enlist_moves()
        self._enlist_convoys()
        self._enlist_meetings()
        self._enlist_supports()

    def _enlist_moves(self) -> None:
        for province, order in self.orders.items():
            if type(order) is Move:
                goal = province_of(order.to)
                self.destination[province] = goal
                self.attackers.setdefault(goal, []).append(province)

    # convoys ----------------------------------------------------------------------------------

    def _enlist_convoys(self) -> None:
        offers, reach = self._offers(), self.board.adjacent_provinces
        for province, goal in self.destination.items():
            kind, location, _ = self.units[province]
            ordered = frozenset(offers[province, goal]) if (province, goal) in offers else NO_PROVINCES
            near = goal in reach[kind][location]
            if near and not ordered and not self._move(province).via:
                self.route_choice[province] = RouteChoice.LAND
            else:
                self._embark(province, goal, ordered, near=near)

    def _embark(self, province: str, goal: str, ordered: frozenset[str], *, near: bool) -> None:
        carriers = self._carriers(province, ordered)
        complete = self._route_exists(province, goal, carriers, ordered)
        way = self._way(province, goal, ordered & carriers, complete=complete) if near else RouteChoice.SEA
        self.route_choice[province] = way
        if way is RouteChoice.LAND:
            self._idle(ordered, CauseCode.ARMY_BY_LAND)
            return
        self.convoying_fleets[province] = carriers
        self._idle(ordered - carriers, CauseCode.OTHER_PATH)
        if complete:
            self.complete_convoys.add(province)
        else:
            self._idle(ordered & carriers, CauseCode.CHAIN_INCOMPLETE)

    def _move(self, province: str) -> Move:
        order = self.orders[province]
        assert isinstance(order, Move)
        return order

    def _carriers(self, province: str, ordered: frozenset[str]) -> frozenset[str]:
        """The fleets that may carry an attack: those ordered to, or those it names (DATC 4.A.6)."""
        path = self._move(province).path
        if path:
            self.moves_naming_route.add(province)
        return frozenset(path) or ordered

    def _route_exists(
        self, province: str, goal: str, carriers: frozenset[str], ordered: frozenset[str]
    ) -> bool:
        if province in self.moves_naming_route:
            return carriers <= ordered
        return has_route(self.board, ordered, province, goal)

    def _way(self, province: str, goal: str, offered: frozenset[str], *, complete: bool) -> RouteChoice:
        opposed = self.units[goal].power if self.destination.get(goal) == province else ""
        power, asked = self.units[province].power, self._move(province).via
        trip = AdjacentMove(power, province, goal, asked, offered, complete, opposed)
        return choose_route(self.board, self.position, trip, self.book)

    def _offers(self) -> dict[tuple[str, str], list[str]]:
        offers: dict[tuple[str, str], list[str]] = {}
        for province, order in self.orders.items():
            if type(order) is Convoy:
                key = (order.target.province, order.to)
                if self.destination.get(key[0]) == key[1]:
                    offers.setdefault(key, []).append(province)
                else:
                    self.void_orders[province] = CauseCode.ARMY_OTHERWISE
        return offers

    def _idle(self, ordered: Iterable[str], reason: CauseCode) -> None:
        self.void_orders.update(dict.fromkeys(ordered, reason))

    def _enlist_meetings(self) -> None:
        """Armies whose last fleet, on every route, is attacked from where they go (DATC 4.A.4.1)."""
        if self.book.convoy_origin_in_head_to_head != "last_fleet":
            return
        for army in self.complete_convoys:
            unit = self.destination[army]
            last = self.destination.get(unit, "")
            if self.route_choice[army] is not RouteChoice.LAND_ELSE_SEA and self._on_every_route(last, army):
                self.met_at_last_fleet.setdefault(unit, []).append(army)

    def _on_every_route(self, sea: str, army: str) -> bool:
        if sea not in self.convoying_fleets[army] or sea not in self.board.adjacent_seas.get(
            self.destination[army], ()
        ):
            return False
        others = self.convoying_fleets[army] - {sea}
        return army in self.moves_naming_route or not has_route(
            self.board, others, army, self.destination[army]
        )

    # supports ---------------------------------------------------------------------------------

    def _enlist_supports(self) -> None:
        for province, order in self.orders.items():
            if type(order) is Support:
                target = province_of(order.target.location)
                reason = self._mismatch(province, target, order)
                if reason:
                    self.void_orders[province] = reason
                else:
                    self._enlist(province, target, attack=order.to is not None)

    def _enlist(self, province: str, target: str, *, attack: bool) -> None:
        into = self.destination[target] if attack else target
        self.supporters[province] = MatchedSupport(into, attack)
        (self.move_supporters if attack else self.hold_supporters).setdefault(target, []).append(province)

    def _mismatch(self, province: str, target: str, order: Support) -> CauseCode | None:
        if self._in_disorder(target):
            return CauseCode.POWER_IN_DISORDER
        goal = self.destination.get(target)
        if order.to is None:
            return self._mismatch_in_place(target, goal)
        if goal is None:
            return CauseCode.SUPPORTED_UNIT_STAYS
        if goal != province_of(order.to):
            return CauseCode.SUPPORTED_UNIT_ELSEWHERE
        if self._against_own(province, target, goal):
            return CauseCode.AGAINST_OWN_UNIT
        move = self._move(target)
        return self._coast_mismatch(province, self.units[target], move.to, order.to)

    def _in_disorder(self, target: str) -> bool:
        forbidden = self.book.civil_disorder_support == "forbidden"
        return forbidden and self.position.is_in_disorder(self.units[target])

    def _mismatch_in_place(self, target: str, goal: str | None) -> CauseCode | None:
        if goal:
            return CauseCode.SUPPORTED_UNIT_MOVES
        return CauseCode.SUPPORTED_UNIT_MISORDERED if target in self.misordered else None

    def _against_own(self, province: str, target: str, goal: str) -> bool:
        """Whether a support helps a foreign unit against one of the supporter's own that stays (row M76)."""
        occupant, power = self.units.get(goal), self.units[province].power
        stays = occupant is not None and occupant.power == power and goal not in self.destination
        foreign = self.units[target].power != power
        return stays and foreign and self.book.support_against_own_unit == "illegal"

    def _coast_mismatch(self, province: str, target: Unit, goal: str, to: str) -> CauseCode | None:
        """Whether the coast said (or not) in a support spoils it (DATC 4.B.4)."""
        own = target.power == self.units[province].power
        rule = self.book.support_coast_own if own else self.book.support_coast_foreign
        if "/" not in goal or rule == "ignored":
            return None
        if "/" in to:
            return None if to == goal else CauseCode.COAST_DIFFERS
        several = len(self.board.landing_locations(target.kind, target.location, province_of(to))) > 1
        return CauseCode.COAST_NOT_SAID if several and rule == "must_match" else None
