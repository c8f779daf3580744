"""The open decisions of a movement phase, settled by propagation.

Three kinds of decision, each open (None) or settled: does a convoyed attack find a route (`path`),
does a support count (`given`), does a move succeed (`moved`). Every open decision is computed from
the least and the greatest strengths that the others still allow; what is settled never opens again,
so the result does not depend on the order of the steps (DATC 3.2, 5.E, without recursion).

Provinces name units: no two units that are not dislodged share one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from .board import Board, province_of
from .convoys import fleets, linked, on_proper_routes, routes
from .orders import Convoy, Hold, Move, Order, Support
from .outcome import CauseCode
from .position import Position, Unit
from .rulebook import (
    CutFromTarget,
    DislodgedEffect,
    Fallback,
    MultiRoute,
    Permission,
    Route,
    Rulebook,
    SelfProtection,
    SupportCoast,
)

Settled = bool | None


class Way(Enum):
    """How a move travels."""

    LAND = auto()
    SEA = auto()
    SEA_ELSE_LAND = auto()


class Span(NamedTuple):
    """A strength's bounds."""

    least: int
    most: int


NOTHING = Span(0, 0)
ONE = Span(1, 1)
NO_SEAS: frozenset[str] = frozenset()


class Supporter(NamedTuple):
    """A support that matches what its unit does: where it is directed, and whether to an attack."""

    into: str
    attack: bool


class Battle:
    """One movement phase being settled. Made from accepted orders only."""

    def __init__(
        self, board: Board, position: Position, orders: Mapping[tuple[str, str], Order], book: Rulebook
    ) -> None:
        self.board = board
        self.position = position
        self.book = book
        self.units = position.at
        given = {province: order for (_, province), order in orders.items()}
        self.orders = {province: given[province] for province in sorted(given)}
        self.goal: dict[str, str] = {}
        self.attackers: dict[str, list[str]] = {}
        self.way: dict[str, Way] = {}
        self.seas: dict[str, frozenset[str]] = {}
        self.void: dict[str, CauseCode] = {}
        self.supporters: dict[str, Supporter] = {}
        self.move_supporters: dict[str, list[str]] = {}
        self.hold_supporters: dict[str, list[str]] = {}
        self.path: dict[str, Settled] = {}
        self.given: dict[str, Settled] = {}
        self.moved: dict[str, Settled] = {}
        self.frozen: set[str] = set()
        self.paradoxical: set[str] = set()
        self.rotating: set[str] = set()
        self._enlist_moves()
        self._enlist_convoys()
        self._enlist_supports()

    # what was ordered -------------------------------------------------------------------------

    def _enlist_moves(self) -> None:
        for province, order in self.orders.items():
            if type(order) is Move:
                goal = province_of(order.to)
                self.goal[province] = goal
                self.attackers.setdefault(goal, []).append(province)
                self.moved[province] = None

    def _enlist_convoys(self) -> None:
        offers, reach = self._offers(), self.board.reach
        for province, goal in self.goal.items():
            kind, location, _ = self.units[province]
            ordered = frozenset(offers[province, goal]) if (province, goal) in offers else NO_SEAS
            way = self._way(province, goal, ordered) if goal in reach[kind][location] else Way.SEA
            self.way[province] = way
            if way is Way.LAND:
                self._idle(ordered, CauseCode.ARMY_BY_LAND)
            else:
                self.seas[province] = ordered
                self.path[province] = None if linked(self.board, ordered, province, goal) else False
                if self.path[province] is False:
                    self._idle(ordered, CauseCode.CHAIN_INCOMPLETE)

    def _offers(self) -> dict[tuple[str, str], list[str]]:
        offers: dict[tuple[str, str], list[str]] = {}
        for province, order in self.orders.items():
            if type(order) is Convoy:
                key = (order.target.province, order.to)
                if self.goal.get(key[0]) == key[1]:
                    offers.setdefault(key, []).append(province)
                else:
                    self.void[province] = CauseCode.ARMY_OTHERWISE
        return offers

    def _idle(self, ordered: frozenset[str], reason: CauseCode) -> None:
        self.void.update(dict.fromkeys(ordered, reason))

    def _way(self, province: str, goal: str, ordered: frozenset[str]) -> Way:
        """Land or sea to a neighbour (DATC 4.A.3)."""
        order = self.orders[province]
        asked = isinstance(order, Move) and order.via
        if not asked and not ordered:
            return Way.LAND
        if self.book.land_or_sea_route is Route.OPPOSITE_MOVE_ONLY:
            opposed = self.goal.get(goal) == province
            return Way.SEA_ELSE_LAND if opposed and linked(self.board, ordered, province, goal) else Way.LAND
        if self.book.land_or_sea_route is Route.OWN_CHAIN_OR_MARKER:
            return self._way_by_own_chain(province, goal, ordered, asked=asked)
        own = self.book.land_or_sea_route is Route.OWN_FLEET_OR_MARKER and self._has_own(province, ordered)
        if not asked and not own:
            return Way.LAND
        return Way.SEA_ELSE_LAND if self.book.route_fallback is Fallback.TO_LAND else Way.SEA

    def _has_own(self, province: str, seas: frozenset[str]) -> bool:
        power = self.units[province].power
        return any(self.units[sea].power == power for sea in seas)

    def _way_by_own_chain(self, province: str, goal: str, ordered: frozenset[str], *, asked: bool) -> Way:
        """By sea when every own fleet of some chain convoys, or when the player asks for it."""
        if asked:
            return Way.SEA
        power = self.units[province].power
        for chain in routes(self.board, fleets(self.board, self.position), province, goal):
            own = {sea for sea in chain if self.units[sea].power == power}
            if own and own <= ordered:
                return Way.SEA
        return Way.LAND

    def _enlist_supports(self) -> None:
        for province, order in self.orders.items():
            if type(order) is Support:
                target = province_of(order.target.location)
                reason = self._mismatch(province, target, order)
                if reason:
                    self.void[province] = reason
                else:
                    self._enlist(province, target, attack=order.to is not None)

    def _enlist(self, province: str, target: str, *, attack: bool) -> None:
        into = self.goal[target] if attack else target
        self.supporters[province] = Supporter(into, attack)
        (self.move_supporters if attack else self.hold_supporters).setdefault(target, []).append(province)
        self.given[province] = None if self._foes(province) else True

    def _mismatch(self, province: str, target: str, order: Support) -> CauseCode | None:
        forbidden = self.book.civil_disorder_support is Permission.FORBIDDEN
        if forbidden and self.units[target].power in self.position.disorder:
            return CauseCode.POWER_IN_DISORDER
        goal = self.goal.get(target)
        if order.to is None:
            return CauseCode.SUPPORTED_UNIT_MOVES if goal else None
        if goal is None:
            return CauseCode.SUPPORTED_UNIT_STAYS
        if goal != province_of(order.to):
            return CauseCode.SUPPORTED_UNIT_ELSEWHERE
        move = self.orders[target]
        if isinstance(move, Move) and "/" in move.to:
            return self._coast_mismatch(province, self.units[target], move.to, order.to)
        return None

    def _coast_mismatch(self, province: str, target: Unit, goal: str, to: str) -> CauseCode | None:
        """Whether the coast said (or not) in a support spoils it (DATC 4.B.4)."""
        own = target.power == self.units[province].power
        rule = self.book.support_coast_own if own else self.book.support_coast_foreign
        if rule is SupportCoast.IGNORED:
            return None
        if "/" in to:
            return None if to == goal else CauseCode.COAST_DIFFERS
        several = len(self.board.arrivals(target.kind, target.location, province_of(to))) > 1
        return CauseCode.COAST_NOT_SAID if several and rule is SupportCoast.MUST_MATCH else None

    # propagation ------------------------------------------------------------------------------

    def open(self) -> list[tuple[str, str]]:
        """The decisions not yet settled, as (kind, province): `path`, `given`, `moved`."""
        return [
            (kind, province)
            for kind in ("path", "given", "moved")
            for province, state in self.decisions(kind).items()
            if state is None
        ]

    def decisions(self, kind: str) -> dict[str, Settled]:
        """The decisions of one kind."""
        decisions: dict[str, Settled] = getattr(self, kind)
        return decisions

    def propagate(self, pending: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Settle what can be settled among `pending`; give back what stays open."""
        judges = {"path": self.find_path, "given": self.find_support, "moved": self.find_move}
        while pending:
            still = []
            for kind, province in pending:
                state = judges[kind](province)
                if state is None:
                    still.append((kind, province))
                else:
                    self.decisions(kind)[province] = state
            if len(still) == len(pending):
                return still
            pending = still
        return []

    # convoys ----------------------------------------------------------------------------------

    def fallen(self, province: str) -> Settled:
        """Whether the unit of a province, which does not move, is dislodged."""
        doubt: Settled = False
        for attacker in self.attackers.get(province, ()):
            state = self.moved[attacker]
            if state:
                return True
            if state is None:
                doubt = None
        return doubt

    def find_path(self, province: str) -> Settled:
        """Whether a convoyed attack has a route of fleets that are not dislodged (DATC 4.A.1)."""
        goal, states = self.goal[province], {sea: self.fallen(sea) for sea in self.seas[province]}
        if self.book.multi_route_disruption is MultiRoute.ANY_ROUTE:
            return self._path_by_every_route(province, goal, states)
        safe = {sea for sea, fallen in states.items() if fallen is False}
        if linked(self.board, safe, province, goal):
            return True
        hoped = {sea for sea, fallen in states.items() if not fallen}
        return None if linked(self.board, hoped, province, goal) else False

    def _path_by_every_route(self, province: str, goal: str, states: Mapping[str, Settled]) -> Settled:
        used = on_proper_routes(self.board, self.seas[province], province, goal)
        if any(states[sea] for sea in used):
            return False
        return None if any(states[sea] is None for sea in used) else True

    def by_sea(self, province: str) -> Settled:
        """Whether a move travels by convoy."""
        way = self.way[province]
        if way is Way.LAND:
            return False
        return True if way is Way.SEA else self.path[province]

    def arrives(self, province: str) -> Settled:
        """Whether an attack makes itself felt at its goal: by land always, by sea with a route."""
        return self.path[province] if self.way[province] is Way.SEA else True

    # supports ---------------------------------------------------------------------------------

    def find_support(self, province: str) -> Settled:
        """Whether a support counts: cut by an attack from elsewhere or by dislodgement (DATC 6.D)."""
        states = {self._cuts(attacker, self.supporters[province]) for attacker in self._foes(province)}
        if True in states:
            return False
        return None if None in states else True

    def cutters(self, province: str) -> tuple[str, ...]:
        """The attackers that cut a support, those it is not aimed at alone if there are any."""
        supporter = self.supporters[province]
        found = tuple(attacker for attacker in self._foes(province) if self._cuts(attacker, supporter))
        return tuple(attacker for attacker in found if attacker != supporter.into) or found

    def _foes(self, province: str) -> list[str]:
        """The attackers of a unit that belong to others."""
        attackers = self.attackers.get(province)
        if not attackers:
            return []
        power = self.units[province].power
        return [attacker for attacker in attackers if self.units[attacker].power != power]

    def _cuts(self, attacker: str, supporter: Supporter) -> Settled:
        exempt = self._exempt(attacker, supporter)
        if exempt:
            return False
        harm = self._harms(attacker, supporter)
        return None if harm and exempt is None else harm

    def _harms(self, attacker: str, supporter: Supporter) -> Settled:
        """An attack from the place a support is directed against cuts by dislodgement alone."""
        if attacker != supporter.into:
            return self.arrives(attacker)
        if self.book.support_cut_by_convoy_from_target is CutFromTarget.CUT:
            sea = self.by_sea(attacker)
            if sea is not False:
                return self.arrives(attacker) if sea else None
        return self.moved[attacker]

    def _exempt(self, attacker: str, supporter: Supporter) -> Settled:
        """Whether the book keeps a convoyed attack from cutting this support (DATC 4.A.2)."""
        rule = self.book.convoy_self_protection
        if rule is SelfProtection.CUTS or self.way[attacker] is Way.LAND:
            return False
        if rule is SelfProtection.ACTION_IN_CONVOY_SEA:
            protected: Settled = type(self.orders.get(supporter.into)) is Convoy
        elif not supporter.attack or supporter.into not in self.seas[attacker]:
            return False
        elif rule is SelfProtection.ANY_CONVOYING_FLEET:
            protected = True
        else:
            protected = self._necessary(supporter.into, attacker)
        return protected if protected is False else self._both(protected, self.by_sea(attacker))

    @staticmethod
    def _both(one: Settled, other: Settled) -> Settled:
        if one is False or other is False:
            return False
        return None if one is None or other is None else True

    def _necessary(self, fleet: str, attacker: str) -> Settled:
        """Whether every route still possible for a convoyed attack passes this fleet."""
        goal, others = self.goal[attacker], self.seas[attacker] - {fleet}
        hoped = {sea for sea in others if not self.fallen(sea)}
        if not linked(self.board, hoped, attacker, goal):
            return True
        safe = {sea for sea in hoped if self.fallen(sea) is False}
        return False if linked(self.board, safe, attacker, goal) else None

    # strengths --------------------------------------------------------------------------------

    def helped(self, supporters: list[str] | None, without: str = "") -> Span:
        """One, and one for each support that counts or may; those of the power `without` left out."""
        if not supporters:
            return ONE
        least = most = 1
        for province in supporters:
            if without and self.units[province].power == without:
                continue
            state = self.given[province]
            if state is not False:
                most += 1
                least += state is True
        return Span(least, most)

    def head_on(self, province: str) -> Settled:
        """Whether a move meets its goal's unit half-way: opposite moves, neither by convoy."""
        goal = self.goal[province]
        if self.goal.get(goal) != province:
            return False
        ways = self.by_sea(province), self.by_sea(goal)
        if True in ways:
            return False
        return None if None in ways else True

    def attack(self, province: str) -> Span:
        """The strength of a move against the unit at its goal."""
        goal = self.goal[province]
        supporters = self.move_supporters.get(province)
        occupant = self.units.get(goal)
        leaves = True if occupant is None else self._leaves(province, goal)
        if leaves or occupant is None:
            span = self.helped(supporters)
        else:
            span = self._against(province, occupant, supporters)
            if leaves is None:
                full = self.helped(supporters)
                span = Span(min(span.least, full.least), max(span.most, full.most))
        arrives = self.arrives(province)
        if arrives:
            return span
        return NOTHING if arrives is False else Span(0, span.most)

    def _against(self, province: str, occupant: Unit, supporters: list[str] | None) -> Span:
        """No unit dislodges one of its own power, nor helps to (DATC 6.D.10 to 6.D.14)."""
        if occupant.power == self.units[province].power:
            return NOTHING
        return self.helped(supporters, without=occupant.power)

    def _leaves(self, province: str, goal: str) -> Settled:
        state = self.moved.get(goal, False)
        if not state:
            return state
        head_on = self.head_on(province)
        return not head_on if head_on is not None else None

    def resistance(self, province: str) -> Span:
        """What a move must overcome in the unit at its goal."""
        goal = self.goal[province]
        if goal not in self.units:
            return NOTHING
        head_on = self.head_on(province)
        if head_on is False:
            return self.hold(goal)
        defence = self.helped(self.move_supporters.get(goal))
        if head_on:
            return defence
        hold = self.hold(goal)
        return Span(min(hold.least, defence.least), max(hold.most, defence.most))

    def hold(self, province: str) -> Span:
        """The strength with which a province is kept."""
        if province not in self.goal:
            return self.helped(self.hold_supporters.get(province))
        state = self.moved[province]
        if state:
            return NOTHING
        return ONE if state is False else Span(0, 1)

    def prevention(self, province: str) -> Span:
        """The strength with which a move keeps others out of its goal."""
        span = self.helped(self.move_supporters.get(province))
        arrives = self.arrives(province)
        if arrives is False:
            return NOTHING
        beaten = self._beaten(province)
        if beaten:
            return NOTHING
        return span if arrives and beaten is False else Span(0, span.most)

    def _beaten(self, province: str) -> Settled:
        """Whether the goal's own unit dislodges this one and so robs it of effect (DATC 4.A.7)."""
        goal = self.goal[province]
        if self.goal.get(goal) != province or self.moved[goal] is False:
            return False
        if self.book.dislodged_unit_effect is DislodgedEffect.NEVER:
            stays = self.moved[province]
            clash: Settled = None if stays is None else not stays
        else:
            clash = self.head_on(province)
        return self._both(clash, self.moved[goal])

    def find_move(self, province: str) -> Settled:
        """Whether a move is stronger than all that opposes it."""
        goal = self.goal[province]
        rivals = self.attackers[goal]
        if goal not in self.units and len(rivals) == 1:
            return self.arrives(province)
        attack, resistance = self.attack(province), self.resistance(province)
        if attack.most <= resistance.least or attack.most == 0:
            return False
        certain = attack.least > resistance.most
        for rival in rivals:
            if rival == province:
                continue
            prevention = self.prevention(rival)
            if attack.most <= prevention.least:
                return False
            certain = certain and attack.least > prevention.most
        return True if certain else None


__all__ = ["Battle", "Hold", "Settled", "Span", "Supporter", "Way"]
