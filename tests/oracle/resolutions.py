"""Consistent worlds by trying them all, and the rulebook's word where there is not exactly one.

Statements ("this move succeeds", "this convoy takes place") that no other open statement bears upon
are settled first; then a smallest set of open statements that bear only upon one another, and so on.
"Bears upon" is found by trial: in some world, turning the one statement round changes the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from tests.oracle.definitions import Orders, World

Statement = tuple[str, str]
Truth = dict[Statement, bool]
TOO_MANY = 13


class TooMany(Exception):
    """More open statements than can be tried."""


class Judged(NamedTuple):
    """The world as the rulebook wants it, the orders with the facts it froze, and how it came about."""

    world: World
    orders: Orders
    events: tuple[str, ...]


def resolve(orders: Orders) -> Judged:
    """The world of these orders, one linked group after the other; raises TooMany."""
    truth: Truth = {}
    events: list[str] = []
    for movers in orders.linked():
        open_ = _statements(orders, movers)
        orders = _settle(orders, truth, open_, events)
    return Judged(_world(truth), orders, tuple(events))


def _statements(orders: Orders, movers: Iterable[str]) -> list[Statement]:
    moved = [("moved", mover) for mover in sorted(movers)]
    return moved + [("sailed", mover) for _, mover in moved if orders.travel[mover] != "land"]


def _world(truth: Mapping[Statement, bool]) -> World:
    true = [statement for statement, state in truth.items() if state]
    moved = frozenset(mover for kind, mover in true if kind == "moved")
    return World(moved, frozenset(mover for kind, mover in true if kind == "sailed"))


def _settle(orders: Orders, truth: Truth, open_: Sequence[Statement], events: list[str]) -> Orders:
    open_ = list(open_)
    while open_:
        table = Table(orders, truth, open_)
        settled = {statement: table.value(statement) for statement in open_ if not table.bearing(statement)}
        if settled:
            truth |= settled
        else:
            group = table.smallest_closed()
            orders = _rule(orders, truth, group, events)
        open_ = [statement for statement in open_ if statement not in truth]
    return orders


class Table:
    """What each open statement comes to, in every world of the open statements."""

    def __init__(self, orders: Orders, truth: Truth, open_: Sequence[Statement]) -> None:
        if len(open_) > TOO_MANY:
            raise TooMany
        self.open_ = list(open_)
        self.rows = dict.fromkeys(open_, 0)
        for number in range(1 << len(open_)):
            states = {statement: bool(number >> bit & 1) for bit, statement in enumerate(open_)}
            world = _world({**truth, **states})
            for kind, mover in open_:
                if orders.holds_true(kind, mover, world):
                    self.rows[kind, mover] |= 1 << number

    def value(self, statement: Statement) -> bool:
        """What a statement on which nothing bears comes to."""
        return bool(self.rows[statement] & 1)

    def bearing(self, statement: Statement) -> list[Statement]:
        """The open statements that bear upon this one."""
        row, size = self.rows[statement], 1 << len(self.open_)
        return [
            other
            for bit, other in enumerate(self.open_)
            if (row ^ row >> (1 << bit)) & _without_bit(bit, size)
        ]

    def smallest_closed(self) -> list[Statement]:
        """A smallest set of open statements on which no other bears."""
        bearing = {statement: set(self.bearing(statement)) for statement in self.open_}
        closed = []
        for statement in self.open_:
            group, edge = {statement}, {statement}
            while edge:
                edge = set().union(*(bearing[one] for one in edge)) - group
                group |= edge
            closed.append(sorted(group))
        return min(closed, key=lambda group: (len(group), group))


def _without_bit(bit: int, size: int) -> int:
    """The numbers below `size` without this bit, as a mask."""
    block = (1 << (1 << bit)) - 1
    mask = 0
    for start in range(0, size, 2 << bit):
        mask |= block << start
    return mask


# the rulebook ------------------------------------------------------------------------------------


def consistent(orders: Orders, truth: Truth, group: Sequence[Statement]) -> Iterator[Truth]:
    """Every way to settle the group that recomputing confirms."""
    for number in range(1 << len(group)):
        states = {statement: bool(number >> bit & 1) for bit, statement in enumerate(group)}
        world = _world({**truth, **states})
        if all(orders.holds_true(*statement, world) == state for statement, state in states.items()):
            yield states


def _true(states: Truth, kind: str) -> frozenset[str]:
    return frozenset(mover for (what, mover), state in states.items() if state and what == kind)


def _rule(orders: Orders, truth: Truth, group: Sequence[Statement], events: list[str]) -> Orders:
    found = _rotated(consistent(orders, truth, group))
    convoys = frozenset(mover for kind, mover in group if kind == "sailed")
    if len(found) == 1:
        events.append("one resolution" if convoys else "rotation")
        truth |= found[0]
        return orders
    union = frozenset[str]().union(*(_true(states, "sailed") for states in found))
    greatest = [states for states in found if _true(states, "sailed") == union]
    if greatest and orders.book.convoy_quasi_paradox == "convoys_take_place":
        events.append("greatest")
        truth |= greatest[0]
        return orders
    events.append(f"{orders.book.convoy_paradox}: {len(found)} resolutions")
    if orders.book.convoy_paradox == "sea_first_if_no_resolution":
        return _sea_first(orders, truth, group, _core(found, convoys))
    truth |= {("sailed", mover): False for mover in convoys}
    if orders.book.convoy_paradox == "all_hold":
        truth |= dict.fromkeys(group, False)
    return orders


def _rotated(found: Iterable[Truth]) -> list[Truth]:
    """Of worlds with the same convoys, that in which the rotations take place."""
    best: dict[frozenset[str], Truth] = {}
    for states in found:
        key = _true(states, "sailed")
        other = best.setdefault(key, states)
        more, less = sorted((_true(states, "moved"), _true(other, "moved")), key=len, reverse=True)
        assert less <= more, "worlds with the same convoys that are no rotation"
        best[key] = states if _true(states, "moved") == more else other
    return list(best.values())


def _core(found: Sequence[Truth], convoys: frozenset[str]) -> frozenset[str]:
    """The convoyed attacks that are undetermined: in some resolutions, not in all."""
    if not found:
        return convoys
    sailed = [_true(states, "sailed") for states in found]
    return frozenset().union(*sailed) - frozenset.intersection(*sailed)


def _sea_first(orders: Orders, truth: Truth, group: Sequence[Statement], core: Set[str]) -> Orders:
    """Steps 2 and 3 of the Anjou Feu rules: without the core attacks, then with what that settled."""
    gone = {("sailed", mover): False for mover in core}
    trial = {**truth, **gone}
    _settle(orders, trial, [statement for statement in group if statement not in gone], [])
    world = _world(trial)
    attacked = {orders.goals[mover] for mover in core} & set(orders.supports)
    decided = {at: _decided(orders, trial, at) for at in attacked}
    counted = {at: orders.counts(at, world) for at in attacked if decided[at]}
    truth |= {("sailed", mover): orders.convoy_stands(mover, world) for mover in core}
    return orders.with_facts(counted, core)


def _decided(orders: Orders, truth: Truth, supporter: str) -> bool:
    """Whether what is known settles a support: all that its attackers' effect hangs on."""
    for mover in orders.against.get(supporter, ()):
        needs = [("sailed", mover)] if orders.travel[mover] != "land" else []
        if mover == orders.directed(supporter):
            needs.append(("moved", mover))
        for fleet in orders.offered[mover]:
            needs += [("moved", attacker) for attacker in orders.against.get(fleet, ())]
        if any(need not in truth for need in needs):
            return False
    return True
