"""What was ordered, read by the definitions of the rules, before anything is judged.

Which of the written orders are possible, which fleets offer to carry whom and by which chains, whether
an army goes by land or by sea, and which supports match what their unit does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Convoy, Hold, Move, Order, Support
from talleyrand.engine.position import Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook

Chain = frozenset[str]


class Waters:
    """The seas that hold fleets, and the chains they form."""

    def __init__(self, board: Board, units: Mapping[str, Unit]) -> None:
        self.board = board
        self.fleets = frozenset(
            at for at, unit in units.items() if board.kinds[unit.kind].convoys and board.is_sea(at)
        )
        self._found: dict[tuple[str, str, Set[str]], tuple[Chain, ...]] = {}

    def chains(self, start: str, goal: str, fleets: Set[str]) -> tuple[Chain, ...]:
        """The chains of these fleets from shore to shore in which no fleet can be spared."""
        key = start, goal, frozenset(fleets)
        if key not in self._found:
            self._found[key] = tuple(map(frozenset, self.paths(start, goal, fleets)))
        return self._found[key]

    def paths(self, start: str, goal: str, fleets: Set[str]) -> Iterator[tuple[str, ...]]:
        """The same, the seas in the order in which an army passes them."""
        first, last = (self.board.adjacent_seas.get(shore, frozenset()) & fleets for shore in (start, goal))
        return self._paths((), first, last, fleets)

    def _paths(
        self, path: tuple[str, ...], onward: Set[str], last: Set[str], fleets: Set[str]
    ) -> Iterator[tuple[str, ...]]:
        """Every way on in which no sea touches the start or an earlier sea but the one before it."""
        for sea in sorted(onward):
            if sea in last:
                yield (*path, sea)
            else:
                rest = fleets - onward - set(path)
                yield from self._paths((*path, sea), self.board.neighbours[sea] & rest, last, rest)


@dataclass(frozen=True, eq=False)
class Reading:
    """Orders as written, one a unit at most, and what they mean on this board under this book."""

    board: Board
    position: Position
    written: Mapping[str, Order]
    book: Rulebook

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        return {unit.province: unit for unit in self.position.units}

    @cached_property
    def waters(self) -> Waters:
        return Waters(self.board, self.units)

    # which orders are possible

    @cached_property
    def given(self) -> Mapping[str, Order]:
        """The orders that this board and these units do not make impossible."""
        return {at: order for at, order in self.written.items() if self.possible(order)}

    def possible(self, order: Order) -> bool:
        """Whether an order could be followed, whatever the others do."""
        if isinstance(order, Move):
            return self._can_go(order)
        if isinstance(order, Support):
            return self._stands(order.target) and self._can_support(order)
        if isinstance(order, Convoy):
            return self._stands(order.target) and self._can_convoy(order)
        return isinstance(order, Hold)

    def _stands(self, unit: UnitName) -> bool:
        there = self.units.get(unit.province)
        return there is not None and there.name == unit

    def _can_go(self, order: Move) -> bool:
        unit, goal = order.unit, province_of(order.to)
        walks, sails = order.to in self._steps(unit), self._can_sail(unit, goal, self.waters.fleets)
        if self._path(order):
            return self._is_route(order)
        wanted = self.asks(order) or not walks
        if wanted and sails and self.book.convoy_path == "required":
            return False
        if walks:
            return sails or not self.asks(order) or self.book.route_fallback == "to_land"
        return sails and order.to == goal

    def _is_route(self, order: Move) -> bool:
        """Whether the seas that a move names are a way without detour for an army, a fleet in each."""
        unit, goal = order.unit, province_of(order.to)
        if not self._can_sail(unit, goal, self.waters.fleets):
            return False
        return self._path(order) in self.waters.paths(unit.province, goal, self.waters.fleets)

    def _can_support(self, order: Support) -> bool:
        unit, target = order.unit, order.target
        into = province_of(order.to) if order.to else target.province
        if unit.province == target.province or into not in map(province_of, self._steps(unit)):
            return False
        if order.to is None or into == target.province:
            return order.to is None
        if into in map(province_of, self._steps(target)):
            return self._supported_to(order) in {into, *self._steps(target)}
        return self._can_sail(target, into, self.waters.fleets - {unit.province})

    def _supported_to(self, order: Support) -> str:
        """Where a supported move goes as written, without a coast at which its unit cannot stand."""
        to = order.to or ""
        return to if self.board.can_stand(order.target.kind, to) else province_of(to)

    def _can_convoy(self, order: Convoy) -> bool:
        at, start = order.unit.province, order.target.province
        if at not in self.waters.fleets or not self._can_sail(order.target, order.to, self.waters.fleets):
            return False
        return any(at in chain for chain in self.waters.chains(start, order.to, self.waters.fleets))

    def _steps(self, unit: UnitName) -> Set[str]:
        return self.board.adjacent_locations[unit.kind].get(unit.location, frozenset())

    def _can_sail(self, unit: UnitName, goal: str, fleets: Set[str]) -> bool:
        if not self.board.kinds[unit.kind].convoyable or not self.board.can_stand(unit.kind, goal):
            return False
        return unit.province != goal and bool(self.waters.chains(unit.province, goal, fleets))

    def asks(self, order: Move) -> bool:
        """Whether the words of a move ask for a convoy, in a book that reads them."""
        if not self.board.kinds[order.unit.kind].convoyable:
            return False
        return bool(self._path(order)) or (order.via and self.book.convoy_marker != "none")

    def _path(self, order: Move) -> tuple[str, ...]:
        """The seas that a move names, in a book that reads them."""
        return () if self.book.convoy_path == "ignored" else order.path

    # what was ordered

    @cached_property
    def goals(self) -> Mapping[str, str]:
        """Each mover's province with the province it attacks."""
        return {at: province_of(order.to) for at, order in self.given.items() if isinstance(order, Move)}

    @cached_property
    def against(self) -> Mapping[str, tuple[str, ...]]:
        """Each attacked province with its attackers' provinces."""
        goals = self.goals
        return {goal: tuple(at for at in goals if goals[at] == goal) for goal in set(goals.values())}

    @cached_property
    def offered(self) -> Mapping[str, frozenset[str]]:
        """For each mover the fleets ordered to convoy exactly this attack, of the seas it names if any."""
        return {mover: self._offered(mover, goal) for mover, goal in self.goals.items()}

    def _offered(self, mover: str, goal: str) -> frozenset[str]:
        fleets = frozenset(
            at
            for at, order in self.given.items()
            if isinstance(order, Convoy) and (order.target.province, order.to) == (mover, goal)
        )
        return fleets & set(self._named(mover)) if self._named(mover) else fleets

    def _named(self, mover: str) -> tuple[str, ...]:
        order = self.given[mover]
        return self._path(order) if isinstance(order, Move) else ()

    @cached_property
    def routes(self) -> Mapping[str, tuple[Chain, ...]]:
        """For each mover the whole chains among the fleets offered; the one it names, if it names one."""
        return {mover: self._routes(mover, frozenset(self._named(mover))) for mover in self.goals}

    def _routes(self, mover: str, named: Chain) -> tuple[Chain, ...]:
        if named:
            return (named,) if named == self.offered[mover] else ()
        return self.chains(mover, self.offered[mover])

    def chains(self, mover: str, fleets: Set[str]) -> tuple[Chain, ...]:
        """The chains of these fleets for a mover's attack."""
        return self.waters.chains(mover, self.goals[mover], fleets)

    # by land or by sea

    @cached_property
    def travel(self) -> Mapping[str, str]:
        """For each mover how it goes.

        `land`; `sea`; `either`: by sea where the convoy takes place, else by land; `relief`: by land, but
        by sea where it would lose a head-on meeting.
        """
        return {mover: self._travel(mover) for mover in self.goals}

    def _travel(self, mover: str) -> str:
        if self.goals[mover] not in map(province_of, self._steps(self.units[mover].name)):
            return "sea"
        rule, otherwise = self.book.land_or_sea_route, self.book.route_fallback
        if rule == "opposite_move_only":
            return "either" if self.carried(mover) and self._opposed(mover) else "land"
        if rule == "land_then_sea":
            relief = otherwise == "to_sea" and self.carried(mover) and self._opposed(mover)
            return "relief" if relief else "land"
        if not self._chooses_sea(mover):
            return "land"
        return "either" if otherwise == "to_land" else "sea"

    def _chooses_sea(self, mover: str) -> bool:
        """Whether an army that could walk goes by sea."""
        rule, asked, complete = self.book.land_or_sea_route, self.asked(mover), bool(self.routes[mover])
        kidnapped = self.book.kidnapping == "possible" and complete
        if rule == "marker_required":
            return asked
        if rule == "sea_then_land":
            return self.carried(mover)
        if rule == "intent_of_orders":
            return self.carried(mover) or (complete and self._exchanges_within_power(mover))
        if rule == "own_fleet_or_marker":
            own = self._own_offer(mover) and not self._drops_broken_chain(mover)
            return asked or kidnapped or own
        return asked or kidnapped or self._own_chain(mover) or self._keeps_broken_chain(mover)

    def asked(self, mover: str) -> bool:
        """Whether the army's own order asks for a convoy."""
        order = self.given[mover]
        return isinstance(order, Move) and self.asks(order)

    def carried(self, mover: str) -> bool:
        """Whether a whole route is offered to an army that wants one, or may be carried off."""
        willing = self.book.kidnapping == "possible" or self.asked(mover) or self._own_offer(mover)
        return willing and bool(self.routes[mover])

    def _own(self, mover: str, fleets: Set[str]) -> frozenset[str]:
        return frozenset(at for at in fleets if self.units[at].power == self.units[mover].power)

    def _own_offer(self, mover: str) -> bool:
        return bool(self._own(mover, self.offered[mover]))

    def _opposed(self, mover: str) -> bool:
        """Whether the unit it attacks is ordered to attack its own province."""
        return self.goals.get(self.goals[mover]) == mover

    def _exchanges_within_power(self, mover: str) -> bool:
        return self._opposed(mover) and self.units[self.goals[mover]].power == self.units[mover].power

    def _potential(self, mover: str) -> tuple[Chain, ...]:
        """The chains of all the fleets on the board, whatever their orders and owners."""
        return self.chains(mover, self.waters.fleets)

    def _own_chain(self, mover: str) -> bool:
        """Whether all own fleets of some potential chain, at least one, order the convoy."""
        own = [self._own(mover, chain) for chain in self._potential(mover)]
        return any(fleets and fleets <= self.offered[mover] for fleets in own)

    def _chain_broken(self, mover: str) -> bool:
        """Whether own fleets offer the convoy, unasked, and others of theirs leave every chain broken."""
        own = [self._own(mover, chain) for chain in self._potential(mover)]
        broken = all(fleets - self.offered[mover] for fleets in own)
        return self._own_offer(mover) and not self.asked(mover) and broken

    def _drops_broken_chain(self, mover: str) -> bool:
        rule = self.book.broken_own_chain
        return rule == "convoy_orders_void_land_route" and self._chain_broken(mover)

    def _keeps_broken_chain(self, mover: str) -> bool:
        return self.book.broken_own_chain == "attack_fails" and self._chain_broken(mover)

    # supports

    @cached_property
    def supports(self) -> Mapping[str, Support]:
        """The supports that match what their unit does."""
        return {
            at: order
            for at, order in self.given.items()
            if isinstance(order, Support) and self._matches(at, order)
        }

    def _matches(self, at: str, order: Support) -> bool:
        target = self.units[order.target.province]
        if (
            target.power in self.position.powers_in_disorder
            and self.book.civil_disorder_support == "forbidden"
        ):
            return False
        move = self.given.get(target.province)
        if not isinstance(move, Move):
            return order.to is None and not self.unsupportable(target)
        if order.to is None or province_of(order.to) != province_of(move.to) or self.against_own(at, order):
            return False
        return self._coast_matches(at, self._supported_to(order), target, move.to)

    def unsupportable(self, target: Unit) -> bool:
        """Whether a unit had orders of which none counts, in a book that then lets nobody support it."""
        refused = target.province in self.written and target.province not in self.given
        return refused and self.book.illegal_order == "ignored_and_hold"

    def against_own(self, at: str, order: Support) -> bool:
        """Whether a book forbids this help to a foreign attack, on an own unit that does not move."""
        goal, power = province_of(order.to or ""), self.units[at].power
        stays = goal in self.units and goal not in self.goals and self.units[goal].power == power
        foreign = self.units[order.target.province].power != power
        return stays and foreign and self.book.support_against_own_unit == "illegal"

    def _coast_matches(self, at: str, said: str, target: Unit, real: str) -> bool:
        own = target.power == self.units[at].power
        rule = self.book.support_coast_own if own else self.book.support_coast_foreign
        if rule == "ignored" or said == real:
            return True
        if "/" in said:
            return False
        choice = sum(province_of(place) == said for place in self._steps(target.name)) > 1
        return not (choice and rule == "must_match")

    @cached_property
    def helping(self) -> Mapping[str, tuple[str, ...]]:
        """Each supported unit's province with its supporters' provinces."""
        targets = {order.target.province for order in self.supports.values()}
        return {
            target: tuple(at for at, order in self.supports.items() if order.target.province == target)
            for target in targets
        }

    def directed(self, supporter: str) -> str:
        """The province a support acts in."""
        order = self.supports[supporter]
        return province_of(order.to) if order.to else order.target.province
