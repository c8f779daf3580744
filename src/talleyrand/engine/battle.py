"""The open decisions of a movement phase, settled by propagation.

Three kinds of decision, each open (None) or settled: does a convoyed attack find a route (`path`),
does a support count (`given`), does a move succeed (`moved`). Every open decision is computed from
the least and the greatest strengths that the others still allow; what is settled never opens again,
so the result does not depend on the order of the steps (DATC 3.2, 5.E, without recursion).

Provinces name units: no two units that are not dislodged share one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .board import Board
from .convoys import linked, on_proper_routes
from .muster import NO_SEAS, Muster, Supporter
from .orders import Convoy, Order
from .position import Position, Unit
from .rulebook import (
    CutFromTarget,
    DislodgedEffect,
    DisruptedEffect,
    MultiRoute,
    Origin,
    Permission,
    Rulebook,
    SelfProtection,
)
from .ways import Way

Settled = bool | None


class Span(NamedTuple):
    """A strength's bounds."""

    least: int
    most: int


NOTHING = Span(0, 0)
ONE = Span(1, 1)


class Battle(Muster):
    """One movement phase being settled.

    What a paradox leaves behind: `frozen` supports count as they were counted before the convoys,
    `kept` ones unless a convoyed attack dislodges their giver; `sparing` attacks cut no support of an
    action against a convoying fleet; `absent` attacks are left out for the sake of argument.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        orders: Mapping[tuple[str, str], Order],
        book: Rulebook,
        misordered: frozenset[str] = NO_SEAS,
    ) -> None:
        super().__init__(board, position, orders, book, misordered)
        self.path: dict[str, Settled] = {
            province: None if province in self.complete else False for province in self.seas
        }
        self.given: dict[str, Settled] = {
            province: None if self._foes(province) else True for province in self.supporters
        }
        self.moved: dict[str, Settled] = dict.fromkeys(self.goal)
        self.frozen: set[str] = set()
        self.kept: set[str] = set()
        self.sparing: set[str] = set()
        self.absent: frozenset[str] = NO_SEAS
        self.paradoxical: set[str] = set()
        self.rotating: set[str] = set()

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
        if province in self.bound:
            return self._path_by_all(states, self.seas[province])
        if self.book.multi_route_disruption is MultiRoute.ANY_ROUTE:
            used = on_proper_routes(self.board, self.seas[province], province, goal)
            return self._path_by_all(states, used)
        safe = {sea for sea, fallen in states.items() if fallen is False}
        if linked(self.board, safe, province, goal):
            return True
        hoped = {sea for sea, fallen in states.items() if not fallen}
        return None if linked(self.board, hoped, province, goal) else False

    @staticmethod
    def _path_by_all(states: Mapping[str, Settled], used: frozenset[str]) -> Settled:
        if any(states[sea] for sea in used):
            return False
        return None if any(states[sea] is None for sea in used) else True

    def by_sea(self, province: str) -> Settled:
        """Whether a move travels by convoy."""
        way = self.way[province]
        if way is Way.LAND:
            return False
        if way is Way.LAND_ELSE_SEA:
            return self._driven_to_sea(province)
        return True if way is Way.SEA else self.path[province]

    def _driven_to_sea(self, province: str) -> Settled:
        """Whether a unit met half-way would fail by land, and finds its convoy (row M08)."""
        goal, path = self.goal[province], self.path[province]
        if self.goal.get(goal) != province or path is False:
            return False
        opposite = self.path[goal] if self.way[goal] is Way.SEA_ELSE_LAND else self.way[goal] is Way.SEA
        lost = self._lost_by_land(province, goal)
        if opposite or lost is False:
            return False
        return True if path and lost and opposite is False else None

    def _lost_by_land(self, province: str, goal: str) -> Settled:
        """Whether a move head-on against the unit of its goal fails."""
        attack = self._against(province, self.units[goal], self.move_supporters.get(province))
        bars = [self.helped(self.move_supporters.get(goal))]
        bars += [self.prevention(rival) for rival in self.attackers[goal] if rival != province]
        if any(attack.most <= bar.least for bar in bars):
            return True
        return False if all(attack.least > bar.most for bar in bars) else None

    def arrives(self, province: str) -> Settled:
        """Whether an attack can succeed where it goes: by land always, by sea with a route."""
        if province in self.absent:
            return False
        return self.path[province] if self.way[province] is Way.SEA else True

    def felt(self, province: str) -> Settled:
        """Whether an attack makes itself felt at its goal (row M02)."""
        if self.way[province] is Way.LAND and province not in self.absent:
            return True
        return True if self.felt_anyway(province) else self.arrives(province)

    def felt_anyway(self, province: str) -> bool:
        """Whether the book lets an attack by sea be felt even if its convoy is disrupted."""
        spared = self.book.disrupted_convoy_effect is DisruptedEffect.CUTS_AND_BOUNCES
        return spared and province in self.complete and province not in self.absent

    # supports ---------------------------------------------------------------------------------

    def find_support(self, province: str) -> Settled:
        """Whether a support counts: cut by an attack from elsewhere or by dislodgement (DATC 6.D)."""
        foes = self._foes(province)
        if province in self.kept:
            states = {self.moved[attacker] for attacker in foes if attacker in self.paradoxical}
        else:
            states = {self._cuts(attacker, self.supporters[province]) for attacker in foes}
        if True in states:
            return False
        return None if None in states else True

    def cutters(self, province: str) -> tuple[str, ...]:
        """The attackers that cut a support, those it is not aimed at alone if there are any."""
        supporter = self.supporters[province]
        found = tuple(attacker for attacker in self._foes(province) if self._cuts(attacker, supporter))
        if province in self.kept:
            found = tuple(attacker for attacker in self._foes(province) if self.moved[attacker])
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
        if attacker == supporter.into:
            return self._harms_from_target(attacker)
        if self.way[attacker] is Way.LAND:
            return self.felt(attacker)
        behind = self.from_last_fleet(attacker, supporter)
        if behind:
            return self.moved[attacker]
        harm = self.felt(attacker)
        return harm if behind is False or harm == self.moved[attacker] else None

    def _harms_from_target(self, attacker: str) -> Settled:
        if self.book.support_cut_by_convoy_from_target is CutFromTarget.CUT:
            sea = self.by_sea(attacker)
            if sea is not False:
                return self.felt(attacker) if sea else None
        return self.moved[attacker]

    def from_last_fleet(self, attacker: str, supporter: Supporter) -> Settled:
        """Whether a convoyed attack comes from the very fleet a support is directed against
        (DATC 4.A.4.2)."""
        if self.book.convoy_origin_in_paradoxes is not Origin.LAST_FLEET or not supporter.attack:
            return False
        goal, last = self.goal[attacker], supporter.into
        if last not in self.seas.get(attacker, ()) or last not in self.board.waters.get(goal, ()):
            return False
        return self._both(self._necessary(last, attacker), self.by_sea(attacker))

    def _exempt(self, attacker: str, supporter: Supporter) -> Settled:
        """Whether the book keeps a convoyed attack from cutting this support (DATC 4.A.2)."""
        if self.way[attacker] is Way.LAND:
            return False
        if attacker in self.sparing and type(self.orders.get(supporter.into)) is Convoy:
            return True
        protected = self._protected(attacker, supporter)
        return protected if protected is False else self._both(protected, self.by_sea(attacker))

    def _protected(self, attacker: str, supporter: Supporter) -> Settled:
        rule, into = self.book.convoy_self_protection, supporter.into
        if rule is SelfProtection.ACTION_IN_CONVOY_SEA:
            return type(self.orders.get(into)) is Convoy
        if rule is SelfProtection.CUTS or not supporter.attack or into not in self.seas[attacker]:
            return False
        if rule is SelfProtection.NECESSARY_FLEET:
            return self._necessary(into, attacker)
        return rule is SelfProtection.ANY_CONVOYING_FLEET

    @staticmethod
    def _both(one: Settled, other: Settled) -> Settled:
        if one is False or other is False:
            return False
        return None if one is None or other is None else True

    def _necessary(self, fleet: str, attacker: str) -> Settled:
        """Whether every route still possible for a convoyed attack passes this fleet."""
        goal, others = self.goal[attacker], self.seas[attacker] - {fleet}
        if attacker in self.bound:
            return True
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
            return self._met_at_last_fleet(province) if self.facing else False
        if province in self.absent or goal in self.absent:
            return False
        if self.book.convoy_exchange is Permission.FORBIDDEN:
            return self._both(self.arrives(province), self.arrives(goal))
        ways = self.by_sea(province), self.by_sea(goal)
        if True in ways:
            return False
        return None if None in ways else True

    def _met_at_last_fleet(self, province: str) -> Settled:
        met = province in self.facing.get(self.goal[province], ())
        return self.by_sea(province) if met else False

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
        felt = self.felt(province)
        if felt is False:
            return NOTHING
        beaten = self._beaten(province)
        if beaten:
            return NOTHING
        return span if felt and beaten is False else Span(0, span.most)

    def _beaten(self, province: str) -> Settled:
        """Whether the goal's own unit dislodges this one and so robs it of effect (DATC 4.A.7)."""
        goal = self.goal[province]
        if self.goal.get(goal) != province or self.moved[goal] is False:
            return False
        if self.book.dislodged_unit_effect is DislodgedEffect.NEVER:
            stays = self.moved[province]
            clash: Settled = None if stays is None else not stays
        else:
            clash = self._both(self.head_on(province), self._without_convoy(goal))
        return self._both(clash, self.moved[goal])

    def _without_convoy(self, province: str) -> Settled:
        """Whether a move by land had no convoy to fall back on: with one it robs nobody of effect."""
        path = self.path[province] if self.way[province] is Way.LAND_ELSE_SEA else False
        return None if path is None else not path

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
        for army in self.facing.get(province, ()):
            if army in self.absent:
                continue
            meeting = self.helped(self.move_supporters.get(army))
            if attack.most <= meeting.least:
                return False
            certain = certain and attack.least > meeting.most
        return True if certain else None
