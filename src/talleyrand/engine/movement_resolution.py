"""The open decisions of a movement phase, settled by propagation.

Three kinds of decision, each open (None) or settled: does a convoyed attack find a route (`route_found`),
does a support count (`support_stands`), does a move succeed (`move_succeeds`). Every open decision is
computed from the least and the greatest strengths that the others still allow; what is settled never opens
again, so the result does not depend on the order of the steps (DATC 3.2, 5.E, without recursion).

Provinces name units: no two units that are not dislodged share one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .board import Board
from .convoys import RouteChoice, has_route, seas_on_proper_routes
from .order_matching import NO_PROVINCES, MatchedSupport, OrderMatching
from .orders import Convoy, Order
from .position import Position, Unit
from .rulebook import Rulebook

TriState = bool | None


class StrengthRange(NamedTuple):
    """A strength's bounds."""

    least: int
    most: int


NO_STRENGTH = StrengthRange(0, 0)
STRENGTH_ONE = StrengthRange(1, 1)


class MovementResolution(OrderMatching):
    """One movement phase being settled.

    What a paradox leaves behind: `frozen_supports` supports count as they were counted before the convoys,
    `supports_until_dislodged` ones unless a convoyed attack dislodges their giver;
    `attacks_cutting_no_support` attacks cut no support of an action against a convoying fleet;
    `ignored_attacks` attacks are left out for the sake of argument.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[tuple[str, str], Order],
        book: Rulebook,
        misordered: frozenset[str] = NO_PROVINCES,
    ) -> None:
        super().__init__(board, position, orders, book, misordered)
        self.route_found: dict[str, TriState] = {
            province: None if province in self.complete_convoys else False
            for province in self.convoying_fleets
        }
        self.support_stands: dict[str, TriState] = {
            province: None if self._foes(province) else True for province in self.supporters
        }
        self.move_succeeds: dict[str, TriState] = dict.fromkeys(self.destination)
        self.frozen_supports: set[str] = set()
        self.supports_until_dislodged: set[str] = set()
        self.attacks_cutting_no_support: set[str] = set()
        self.ignored_attacks: frozenset[str] = NO_PROVINCES
        self.paradoxical_moves: set[str] = set()
        self.rotating_moves: set[str] = set()

    # propagation ------------------------------------------------------------------------------

    def open_decisions(self) -> list[tuple[str, str]]:
        """The decisions not yet settled, as (kind, province): `route_found`, `support_stands`,
        `move_succeeds`.
        """
        return [
            (kind, province)
            for kind in ("route_found", "support_stands", "move_succeeds")
            for province, state in self.decisions(kind).items()
            if state is None
        ]

    def decisions(self, kind: str) -> dict[str, TriState]:
        """The decisions of one kind."""
        decisions: dict[str, TriState] = getattr(self, kind)
        return decisions

    def propagate(self, pending: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Settle what can be settled among `pending`; give back what stays open."""
        decide = {
            "route_found": self.decide_route,
            "support_stands": self.decide_support,
            "move_succeeds": self.decide_move,
        }
        while pending:
            still = []
            for kind, province in pending:
                state = decide[kind](province)
                if state is None:
                    still.append((kind, province))
                else:
                    self.decisions(kind)[province] = state
            if len(still) == len(pending):
                return still
            pending = still
        return []

    # convoys ----------------------------------------------------------------------------------

    def is_dislodged(self, province: str) -> TriState:
        """Whether the unit of a province, which does not move, is dislodged."""
        doubt: TriState = False
        for attacker in self.attackers.get(province, ()):
            state = self.move_succeeds[attacker]
            if state:
                return True
            if state is None:
                doubt = None
        return doubt

    def decide_route(self, province: str) -> TriState:
        """Whether a convoyed attack has a route of fleets that are not dislodged (DATC 4.A.1)."""
        goal, states = (
            self.destination[province],
            {sea: self.is_dislodged(sea) for sea in self.convoying_fleets[province]},
        )
        if province in self.moves_naming_route:
            return self._path_by_all(states, self.convoying_fleets[province])
        if self.book.multi_route_disruption == "any_route":
            used = seas_on_proper_routes(self.board, self.convoying_fleets[province], province, goal)
            return self._path_by_all(states, used)
        safe = {sea for sea, fallen in states.items() if fallen is False}
        if has_route(self.board, safe, province, goal):
            return True
        hoped = {sea for sea, fallen in states.items() if not fallen}
        return None if has_route(self.board, hoped, province, goal) else False

    @staticmethod
    def _path_by_all(states: Mapping[str, TriState], used: frozenset[str]) -> TriState:
        if any(states[sea] for sea in used):
            return False
        return None if any(states[sea] is None for sea in used) else True

    def goes_by_convoy(self, province: str) -> TriState:
        """Whether a move travels by convoy."""
        way = self.route_choice[province]
        if way is RouteChoice.LAND:
            return False
        if way is RouteChoice.LAND_ELSE_SEA:
            return self._driven_to_sea(province)
        return True if way is RouteChoice.SEA else self.route_found[province]

    def _driven_to_sea(self, province: str) -> TriState:
        """Whether a unit met half-way would fail by land, and finds its convoy (row M08)."""
        goal, path = self.destination[province], self.route_found[province]
        if self.destination.get(goal) != province or path is False:
            return False
        opposite = (
            self.route_found[goal]
            if self.route_choice[goal] is RouteChoice.SEA_ELSE_LAND
            else self.route_choice[goal] is RouteChoice.SEA
        )
        lost = self._lost_by_land(province, goal)
        if opposite or lost is False:
            return False
        return True if path and lost and opposite is False else None

    def _lost_by_land(self, province: str, goal: str) -> TriState:
        """Whether a move head-on against the unit of its goal fails."""
        attack = self._against(province, self.units[goal], self.move_supporters.get(province))
        bars = [self.support_strength(self.move_supporters.get(goal))]
        bars += [self.prevent_strength(rival) for rival in self.attackers[goal] if rival != province]
        if any(attack.most <= bar.least for bar in bars):
            return True
        return False if all(attack.least > bar.most for bar in bars) else None

    def can_arrive(self, province: str) -> TriState:
        """Whether an attack can succeed where it goes: by land always, by sea with a route."""
        if province in self.ignored_attacks:
            return False
        return self.route_found[province] if self.route_choice[province] is RouteChoice.SEA else True

    def has_effect(self, province: str) -> TriState:
        """Whether an attack makes itself felt at its goal (row M02)."""
        if self.route_choice[province] is RouteChoice.LAND and province not in self.ignored_attacks:
            return True
        return True if self.has_effect_despite_disruption(province) else self.can_arrive(province)

    def has_effect_despite_disruption(self, province: str) -> bool:
        """Whether the book lets an attack by sea be felt even if its convoy is disrupted."""
        spared = self.book.disrupted_convoy_effect == "cuts_and_bounces"
        return spared and province in self.complete_convoys and province not in self.ignored_attacks

    # supports ---------------------------------------------------------------------------------

    def decide_support(self, province: str) -> TriState:
        """Whether a support counts: cut by an attack from elsewhere or by dislodgement (DATC 6.D)."""
        foes = self._foes(province)
        if province in self.supports_until_dislodged:
            states = {self.move_succeeds[attacker] for attacker in foes if attacker in self.paradoxical_moves}
        else:
            states = {self._cuts(attacker, self.supporters[province]) for attacker in foes}
        if True in states:
            return False
        return None if None in states else True

    def cutting_attackers(self, province: str) -> tuple[str, ...]:
        """The attackers that cut a support, those it is not aimed at alone if there are any."""
        supporter = self.supporters[province]
        found = tuple(attacker for attacker in self._foes(province) if self._cuts(attacker, supporter))
        if province in self.supports_until_dislodged:
            found = tuple(attacker for attacker in self._foes(province) if self.move_succeeds[attacker])
        return tuple(attacker for attacker in found if attacker != supporter.directed_at) or found

    def _foes(self, province: str) -> list[str]:
        """The attackers of a unit that belong to others."""
        attackers = self.attackers.get(province)
        if not attackers:
            return []
        power = self.units[province].power
        return [attacker for attacker in attackers if self.units[attacker].power != power]

    def _cuts(self, attacker: str, supporter: MatchedSupport) -> TriState:
        exempt = self._exempt(attacker, supporter)
        if exempt:
            return False
        harm = self._harms(attacker, supporter)
        return None if harm and exempt is None else harm

    def _harms(self, attacker: str, supporter: MatchedSupport) -> TriState:
        """An attack from the place a support is directed against cuts by dislodgement alone."""
        if attacker == supporter.directed_at:
            return self._harms_from_target(attacker)
        if self.route_choice[attacker] is RouteChoice.LAND:
            return self.has_effect(attacker)
        behind = self.comes_from_last_fleet(attacker, supporter)
        if behind:
            return self.move_succeeds[attacker]
        harm = self.has_effect(attacker)
        return harm if behind is False or harm == self.move_succeeds[attacker] else None

    def _harms_from_target(self, attacker: str) -> TriState:
        if self.book.support_cut_by_convoy_from_target == "cut":
            sea = self.goes_by_convoy(attacker)
            if sea is not False:
                return self.has_effect(attacker) if sea else None
        return self.move_succeeds[attacker]

    def comes_from_last_fleet(self, attacker: str, supporter: MatchedSupport) -> TriState:
        """Whether a convoyed attack comes from the very fleet a support is directed against
        (DATC 4.A.4.2)."""
        if self.book.convoy_origin_in_paradoxes != "last_fleet" or not supporter.is_for_attack:
            return False
        goal, last = self.destination[attacker], supporter.directed_at
        if last not in self.convoying_fleets.get(attacker, ()) or last not in self.board.adjacent_seas.get(
            goal, ()
        ):
            return False
        return self._both(self._necessary(last, attacker), self.goes_by_convoy(attacker))

    def _exempt(self, attacker: str, supporter: MatchedSupport) -> TriState:
        """Whether the book keeps a convoyed attack from cutting this support (DATC 4.A.2)."""
        if self.route_choice[attacker] is RouteChoice.LAND:
            return False
        if (
            attacker in self.attacks_cutting_no_support
            and type(self.orders.get(supporter.directed_at)) is Convoy
        ):
            return True
        protected = self._protected(attacker, supporter)
        return protected if protected is False else self._both(protected, self.goes_by_convoy(attacker))

    def _protected(self, attacker: str, supporter: MatchedSupport) -> TriState:
        rule, into = self.book.convoy_self_protection, supporter.directed_at
        if rule == "never_cuts_action_in_convoy_sea":
            return type(self.orders.get(into)) is Convoy
        if rule == "cuts" or not supporter.is_for_attack or into not in self.convoying_fleets[attacker]:
            return False
        if rule == "never_cuts_necessary_fleet":
            return self._necessary(into, attacker)
        return rule == "never_cuts_any_convoying_fleet"

    @staticmethod
    def _both(one: TriState, other: TriState) -> TriState:
        if one is False or other is False:
            return False
        return None if one is None or other is None else True

    def _necessary(self, fleet: str, attacker: str) -> TriState:
        """Whether every route still possible for a convoyed attack passes this fleet."""
        goal, others = self.destination[attacker], self.convoying_fleets[attacker] - {fleet}
        if attacker in self.moves_naming_route:
            return True
        hoped = {sea for sea in others if not self.is_dislodged(sea)}
        if not has_route(self.board, hoped, attacker, goal):
            return True
        safe = {sea for sea in hoped if self.is_dislodged(sea) is False}
        return False if has_route(self.board, safe, attacker, goal) else None

    # strengths --------------------------------------------------------------------------------

    def support_strength(self, supporters: list[str] | None, without: str = "") -> StrengthRange:
        """One, and one for each support that counts or may; those of the power `without` left out."""
        if not supporters:
            return STRENGTH_ONE
        least = most = 1
        for province in supporters:
            if without and self.units[province].power == without:
                continue
            state = self.support_stands[province]
            if state is not False:
                most += 1
                least += state is True
        return StrengthRange(least, most)

    def is_head_to_head(self, province: str) -> TriState:
        """Whether a move meets its goal's unit half-way: opposite moves, neither by convoy."""
        goal = self.destination[province]
        if self.destination.get(goal) != province:
            return self._met_at_last_fleet(province) if self.met_at_last_fleet else False
        if province in self.ignored_attacks or goal in self.ignored_attacks:
            return False
        if self.book.convoy_exchange == "forbidden":
            return self._both(self.can_arrive(province), self.can_arrive(goal))
        ways = self.goes_by_convoy(province), self.goes_by_convoy(goal)
        if True in ways:
            return False
        return None if None in ways else True

    def _met_at_last_fleet(self, province: str) -> TriState:
        met = province in self.met_at_last_fleet.get(self.destination[province], ())
        return self.goes_by_convoy(province) if met else False

    def attack_strength(self, province: str) -> StrengthRange:
        """The strength of a move against the unit at its goal."""
        goal = self.destination[province]
        supporters = self.move_supporters.get(province)
        occupant = self.units.get(goal)
        leaves = True if occupant is None else self._leaves(province, goal)
        if leaves or occupant is None:
            span = self.support_strength(supporters)
        else:
            span = self._against(province, occupant, supporters)
            if leaves is None:
                full = self.support_strength(supporters)
                span = StrengthRange(min(span.least, full.least), max(span.most, full.most))
        arrives = self.can_arrive(province)
        if arrives:
            return span
        return NO_STRENGTH if arrives is False else StrengthRange(0, span.most)

    def _against(self, province: str, occupant: Unit, supporters: list[str] | None) -> StrengthRange:
        """No unit dislodges one of its own power, nor helps to (DATC 6.D.10 to 6.D.14)."""
        if occupant.power == self.units[province].power:
            return NO_STRENGTH
        return self.support_strength(supporters, without=occupant.power)

    def _leaves(self, province: str, goal: str) -> TriState:
        state = self.move_succeeds.get(goal, False)
        if not state:
            return state
        head_on = self.is_head_to_head(province)
        return not head_on if head_on is not None else None

    def defence_strength(self, province: str) -> StrengthRange:
        """What a move must overcome in the unit at its goal."""
        goal = self.destination[province]
        if goal not in self.units:
            return NO_STRENGTH
        head_on = self.is_head_to_head(province)
        if head_on is False:
            return self.hold_strength(goal)
        defence = self.support_strength(self.move_supporters.get(goal))
        if head_on:
            return defence
        hold = self.hold_strength(goal)
        return StrengthRange(min(hold.least, defence.least), max(hold.most, defence.most))

    def hold_strength(self, province: str) -> StrengthRange:
        """The strength with which a province is kept."""
        if province not in self.destination:
            return self.support_strength(self.hold_supporters.get(province))
        state = self.move_succeeds[province]
        if state:
            return NO_STRENGTH
        return STRENGTH_ONE if state is False else StrengthRange(0, 1)

    def prevent_strength(self, province: str) -> StrengthRange:
        """The strength with which a move keeps others out of its goal."""
        span = self.support_strength(self.move_supporters.get(province))
        felt = self.has_effect(province)
        if felt is False:
            return NO_STRENGTH
        beaten = self._beaten(province)
        if beaten:
            return NO_STRENGTH
        return span if felt and beaten is False else StrengthRange(0, span.most)

    def _beaten(self, province: str) -> TriState:
        """Whether the goal's own unit dislodges this one and so robs it of effect (DATC 4.A.7)."""
        goal = self.destination[province]
        if self.destination.get(goal) != province or self.move_succeeds[goal] is False:
            return False
        if self.book.dislodged_unit_effect == "never":
            stays = self.move_succeeds[province]
            clash: TriState = None if stays is None else not stays
        else:
            clash = self._both(self.is_head_to_head(province), self._without_convoy(goal))
        return self._both(clash, self.move_succeeds[goal])

    def _without_convoy(self, province: str) -> TriState:
        """Whether a move by land had no convoy to fall back on: with one it robs nobody of effect."""
        path = (
            self.route_found[province] if self.route_choice[province] is RouteChoice.LAND_ELSE_SEA else False
        )
        return None if path is None else not path

    def decide_move(self, province: str) -> TriState:
        """Whether a move is stronger than all that opposes it."""
        goal = self.destination[province]
        rivals = self.attackers[goal]
        if goal not in self.units and len(rivals) == 1:
            return self.can_arrive(province)
        attack, resistance = self.attack_strength(province), self.defence_strength(province)
        if attack.most <= resistance.least or attack.most == 0:
            return False
        certain = attack.least > resistance.most
        for rival in rivals:
            if rival == province:
                continue
            prevention = self.prevent_strength(rival)
            if attack.most <= prevention.least:
                return False
            certain = certain and attack.least > prevention.most
        for army in self.met_at_last_fleet.get(province, ()):
            if army in self.ignored_attacks:
                continue
            meeting = self.support_strength(self.move_supporters.get(army))
            if attack.most <= meeting.least:
                return False
            certain = certain and attack.least > meeting.most
        return True if certain else None
