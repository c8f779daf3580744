"""Consistent worlds by trying them all, and the rulebook's word where there is not exactly one.

Statements ("this move succeeds", "this convoy takes place") that no other open statement bears upon
are settled first; then a smallest set of open statements that bear only upon one another, and so on.
What bears upon a statement is found by trial: it is judged in one world after the other, each time with
one more open statement assumed, until it asks for no further one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import NamedTuple

from tests.oracle.definitions import Orders, World

Statement = tuple[str, str]
Truth = dict[Statement, bool]
TOO_MANY = 14


class TooMany(Exception):
    """More open statements than can be tried."""


class Circle(NamedTuple):
    """Statements that bore upon one another: how many resolutions, and whether one had all the convoys."""

    convoys: frozenset[str]
    resolutions: int
    greatest: bool

    @property
    def paradox(self) -> bool:
        """Whether it is a paradox: a convoy in it, and not exactly one resolution."""
        return bool(self.convoys) and self.resolutions != 1

    @property
    def quasi(self) -> bool:
        """Whether the paradox has a resolution with the convoys of all the others."""
        return self.paradox and self.greatest


class Judged(NamedTuple):
    """The world as the rulebook wants it, the orders with the facts it froze, and the circles met."""

    world: World
    orders: Orders
    circles: tuple[Circle, ...]

    @property
    def paradoxes(self) -> int:
        """How many paradoxes the orders held."""
        return sum(circle.paradox for circle in self.circles)

    @property
    def quasi(self) -> int:
        """How many of them had a resolution with all their convoys."""
        return sum(circle.quasi for circle in self.circles)


def resolve(orders: Orders) -> Judged:
    """The world of these orders, one linked group after the other; raises TooMany."""
    truth: Truth = {}
    if orders.book.convoy_paradox == "sea_first_always":
        orders = _sea_before_all(orders, truth)
    return _resolve(orders, truth)


def _resolve(orders: Orders, truth: Truth) -> Judged:
    circles: list[Circle] = []
    for spaces in orders.linked():
        orders = _settle(orders, truth, spaces, circles)
    return Judged(_world(truth), orders, tuple(circles))


def _statements(orders: Orders, spaces: Iterable[str]) -> list[Statement]:
    """All there is to settle about the orders of some provinces."""
    here = sorted(spaces)
    movers = [at for at in here if at in orders.goals]
    sailing = [("sailed", mover) for mover in movers if orders.travel[mover] != "land"]
    lasting = [("lasting", at) for at in here if at in orders.fragile]
    return [("moved", mover) for mover in movers] + sailing + lasting


def _world(truth: Mapping[Statement, bool]) -> World:
    true = [statement for statement, state in truth.items() if state]
    kinds = ("moved", "sailed", "lasting")
    return World(*(frozenset(at for kind, at in true if kind == wanted) for wanted in kinds))


def _settle(orders: Orders, truth: Truth, spaces: Iterable[str], circles: list[Circle]) -> Orders:
    """Settle all the statements about some provinces."""
    while open_ := [one for one in _statements(orders, spaces) if one not in truth]:
        orders = _step(orders, truth, open_, circles)
    return orders


def _step(orders: Orders, truth: Truth, open_: Sequence[Statement], circles: list[Circle]) -> Orders:
    """Settle what nothing open bears upon, or else one circle."""
    if known := _evident(orders, truth, open_):
        truth |= known
        return orders
    tables = {statement: _table(orders, truth, statement) for statement in open_}
    settled = {statement: table.row[0] for statement, table in tables.items() if not table.bearing}
    if settled:
        truth |= settled
        return orders
    return _rule(orders, truth, _smallest_closed(tables), tables, circles)


def _evident(orders: Orders, truth: Truth, open_: Sequence[Statement]) -> Truth:
    """The statements that can be judged without assuming anything."""
    found = {}
    for statement in open_:
        try:
            found[statement] = orders.holds_true(*statement, _partly(truth))
        except Unknown:
            continue
    return found


# one statement -----------------------------------------------------------------------------------


class Unknown(Exception):
    """A statement that is neither settled nor assumed has been asked for."""

    def __init__(self, statement: Statement) -> None:
        super().__init__(statement)
        self.statement = statement


class _Known(Set[str]):
    """What is known to be true of one kind; to ask for more raises Unknown."""

    def __init__(self, kind: str, truth: Mapping[Statement, bool]) -> None:
        self.kind, self.truth = kind, truth

    def __contains__(self, item: object) -> bool:
        statement = self.kind, str(item)
        if statement not in self.truth:
            raise Unknown(statement)
        return self.truth[statement]

    def __iter__(self) -> Iterator[str]:
        return (at for (kind, at), state in self.truth.items() if state and kind == self.kind)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _partly(truth: Mapping[Statement, bool]) -> World:
    return World(*(_Known(kind, truth) for kind in ("moved", "sailed", "lasting")))


Judgement = Callable[[World], bool]


class Table:
    """What a judgement comes to in every world of the statements it asks for, and which of them matter."""

    def __init__(self, judgement: Judgement, truth: Truth) -> None:
        leaves = list(_leaves(judgement, truth, {}))
        asked = sorted({other for assumed, _ in leaves for other in assumed})
        if len(asked) > TOO_MANY:
            raise TooMany
        states = product((False, True), repeat=len(asked))
        worlds = [dict(zip(asked, state, strict=True)) for state in states]
        values = [_leaf(leaves, world) for world in worlds]
        weights = {other: 1 << place for place, other in enumerate(reversed(asked))}
        self.bearing = [other for other in asked if _matters(values, weights[other])]
        self.weights = {other: weights[other] for other in self.bearing}
        self.row = values

    def value(self, world: Mapping[Statement, bool]) -> bool:
        """What it comes to; statements that do not matter may be missing from the world."""
        return self.row[sum(weight for other, weight in self.weights.items() if world[other])]


def _table(orders: Orders, truth: Truth, statement: Statement) -> Table:
    return Table(lambda world: orders.holds_true(*statement, world), truth)


def _leaves(judgement: Judgement, truth: Truth, assumed: Truth) -> Iterator[tuple[Truth, bool]]:
    """What it comes to under all the assumptions it asks for."""
    try:
        yield assumed, judgement(_partly({**truth, **assumed}))
    except Unknown as unknown:
        for state in (False, True):
            yield from _leaves(judgement, truth, {**assumed, unknown.statement: state})


def _leaf(leaves: Iterable[tuple[Truth, bool]], world: Truth) -> bool:
    return next(value for assumed, value in leaves if assumed.items() <= world.items())


def _matters(values: Sequence[bool], weight: int) -> bool:
    return any(value != values[number ^ weight] for number, value in enumerate(values))


# circles -----------------------------------------------------------------------------------------


def _smallest_closed(tables: Mapping[Statement, Table]) -> list[Statement]:
    """A smallest set of open statements on which no other bears."""
    closed = []
    for statement in tables:
        group, edge = {statement}, {statement}
        while edge:
            edge = {other for one in edge for other in tables[one].bearing} - group
            group |= edge
        closed.append(sorted(group))
    return min(closed, key=lambda group: (len(group), group))


def consistent(tables: Mapping[Statement, Table], group: Sequence[Statement]) -> Iterator[Truth]:
    """Every way to settle the group that recomputing confirms."""
    if len(group) > TOO_MANY:
        raise TooMany
    for states in product((False, True), repeat=len(group)):
        world = dict(zip(group, states, strict=True))
        if all(tables[statement].value(world) == state for statement, state in world.items()):
            yield world


def _true(states: Truth, kind: str) -> frozenset[str]:
    return frozenset(at for (what, at), state in states.items() if state and what == kind)


def _rotated(found: Iterable[Truth]) -> list[Truth]:
    """Of worlds with the same convoys, that in which the rotations take place."""
    best: dict[tuple[frozenset[str], frozenset[str]], Truth] = {}
    for states in found:
        key = _true(states, "sailed"), _true(states, "lasting")
        other = best.setdefault(key, states)
        more, less = sorted((_true(states, "moved"), _true(other, "moved")), key=len, reverse=True)
        assert less <= more, "worlds with the same convoys that are no rotation"
        best[key] = states if _true(states, "moved") == more else other
    return list(best.values())


def _greatest(found: Sequence[Truth]) -> Truth | None:
    """The world that has the convoys of all the others, if there is one."""
    union = frozenset[str]().union(*(_true(states, "sailed") for states in found))
    return next((states for states in found if _true(states, "sailed") == union), None)


# the rulebook ------------------------------------------------------------------------------------


def _rule(
    orders: Orders,
    truth: Truth,
    group: Sequence[Statement],
    tables: Mapping[Statement, Table],
    circles: list[Circle],
) -> Orders:
    found = _rotated(consistent(tables, group))
    if len(found) != 1 and any(kind == "lasting" for kind, _ in group):
        truth |= {(kind, at): True for kind, at in group if kind == "lasting"}
        return orders
    convoys = frozenset(mover for kind, mover in group if kind == "sailed")
    greatest = _greatest(found)
    circles.append(Circle(convoys, len(found), greatest is not None))
    if len(found) == 1 or (greatest and orders.book.convoy_quasi_paradox == "convoys_take_place"):
        assert greatest is not None
        truth |= greatest
        return orders
    return _PARADOX[orders.book.convoy_paradox](_Paradox(orders, truth, group, convoys, found))


@dataclass(frozen=True)
class _Paradox:
    """A group that has not exactly one resolution."""

    orders: Orders
    truth: Truth
    group: Sequence[Statement]
    convoys: frozenset[str]
    found: Sequence[Truth]

    def convoys_fail(self) -> Orders:
        """Its convoys fail (Szykman)."""
        self.truth.update({("sailed", mover): False for mover in self.convoys})
        return self.orders

    def moves_fail(self) -> Orders:
        """All its moves fail."""
        self.truth.update(dict.fromkeys(self.group, False))
        return self.orders

    def action_at_sea_spared(self) -> Orders:
        """Settled again, its convoyed attacks cutting no support into a sea whose unit is to convoy."""
        assert not self.convoys <= self.orders.tame, "the rule of 1982 leaves a paradox"
        return self.orders.taming(self.convoys)

    def sea_first(self) -> Orders:
        """Steps 2 and 3 of Anjou Feu: without the core attacks, then with what that settled."""
        core = self.core()
        truth, orders = _trial(self.orders, self.truth, self.group, core)
        attacked = {self.orders.goals[mover] for mover in core} & set(self.orders.supports)
        tables = {at: Table(partial(orders.counts, at), truth) for at in attacked}
        kept = {at: table.row[0] for at, table in tables.items() if not table.bearing}
        survival = {mover: Table(partial(orders.convoy_stands, mover), truth) for mover in core}
        self.truth.update({("sailed", mover): table.row[0] for mover, table in survival.items()})
        after = self.orders.keeping(kept, core)
        return replace(after, harmless=after.harmless | core)

    def core(self) -> frozenset[str]:
        """The convoyed attacks that are undetermined: in some resolutions, not in all."""
        if not self.found:
            return self.convoys
        sailed = [_true(states, "sailed") for states in self.found]
        return frozenset[str]().union(*sailed) - frozenset.intersection(*sailed)


_PARADOX = {
    "szykman": _Paradox.convoys_fail,
    "all_hold": _Paradox.moves_fail,
    "rule_1982": _Paradox.action_at_sea_spared,
    "sea_first_if_no_resolution": _Paradox.sea_first,
    "sea_first_always": _Paradox.sea_first,
}


def _trial(orders: Orders, truth: Truth, group: Sequence[Statement], core: Set[str]) -> tuple[Truth, Orders]:
    """What the group comes to as if the core attacks did not exist, with all that is known."""
    trial = {**truth, **dict.fromkeys(product(("moved", "sailed"), core), False)}
    orders, wanted = orders.without(core), list(group)
    while open_ := _reached(orders, trial, wanted):
        orders = _step(orders, trial, open_, [])
        survival = [Table(partial(orders.convoy_stands, mover), trial) for mover in core]
        wanted += [other for table in survival for other in table.bearing]
    return trial, orders


def _reached(orders: Orders, truth: Truth, wanted: Iterable[Statement]) -> list[Statement]:
    """The open ones of these statements and all that bear upon them."""
    found: list[Statement] = []
    edge = list(wanted)
    while edge:
        statement = edge.pop()
        if statement not in truth and statement not in found:
            found.append(statement)
            edge += _table(orders, truth, statement).bearing
    return found


def _sea_before_all(orders: Orders, truth: Truth) -> Orders:
    """The board without any convoyed attack; then the chains that survive, and the supports at sea."""
    by_sea = {mover for mover in orders.goals if orders.travel[mover] in ("sea", "either")}
    core = frozenset(mover for mover in by_sea if orders.routes[mover])
    trial = _resolve(orders.without(core), dict.fromkeys(product(("moved", "sailed"), core), False))
    truth |= {("sailed", mover): trial.orders.convoy_stands(mover, trial.world) for mover in core}
    seas = frozenset[str]().union(*(orders.offered[mover] for mover in core))
    attacked = {orders.goals[mover] for mover in core} & set(orders.supports)
    kept = {at: trial.orders.counts(at, trial.world) for at in attacked if orders.directed(at) in seas}
    return orders.keeping(kept, core)
