"""Random positions and orders, legal ones and nonsense, on every variant and under every rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from talleyrand import rulebooks, variants
from talleyrand.engine import legality
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.convoys import can_convoy
from talleyrand.engine.errors import ImpossibleCombination
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from talleyrand.engine.position import Position, Unit, UnitName
from talleyrand.engine.rulebook import Rulebook, option_values
from tests.variants.plain import PLAIN

VARIANTS = PLAIN
BOOKS = rulebooks.names()


class Scene(NamedTuple):
    """A movement phase to be judged."""

    setting: GameDefinition
    book: Rulebook
    position: Position
    orders: dict[str, list[Order]]


@st.composite
def scenes(draw: st.DrawFn, most_units: int = 14) -> Scene:
    """A crowded corner of a board, and orders for it."""
    setting = variants.load(draw(st.sampled_from(VARIANTS))).definition
    book = draw(books())
    position = draw(positions(setting, most_units))
    return Scene(setting, book, position, draw(_sheets(setting.board, position, book)))


@st.composite
def books(draw: st.DrawFn) -> Rulebook:
    """One of the books at hand, or one that nobody wrote."""
    if draw(st.booleans()):
        return rulebooks.load(draw(st.sampled_from(BOOKS))).adjudication_rules
    options = {name: draw(st.sampled_from(values)) for name, values in option_values().items()}
    try:
        return Rulebook().with_options(options)
    except ImpossibleCombination:
        return Rulebook()


@st.composite
def positions(draw: st.DrawFn, setting: GameDefinition, most_units: int) -> Position:
    """Units close to one another, of few powers, at the start of a movement phase."""
    board = setting.board
    here = draw(st.sampled_from(sorted(board.provinces)))
    near = sorted(board.provinces, key=lambda code: (board.spaces_to_nearest(code, [here]), code))
    count = min(draw(st.integers(most_units // 2, most_units)), len(near) - 2)
    taken = draw(st.permutations(near[: count + count // 2]))[:count]
    powers = draw(st.permutations(board.powers))[:3]
    units = tuple(draw(_unit(board, code, powers)) for code in taken)
    return Position(
        setting.calendar.first, units, powers_in_disorder=draw(some(powers)), centres=_shared(board)
    )


def some(powers: Sequence[str]) -> st.SearchStrategy[frozenset[str]]:
    """Seldom a power in disorder."""
    return st.one_of(
        st.just(frozenset[str]()), st.just(frozenset[str]()), st.frozensets(st.sampled_from(powers))
    )


def _shared(board: Board) -> dict[str, tuple[str, ...]]:
    return {power: board.homes[power] for power in board.powers}


@st.composite
def _unit(draw: st.DrawFn, board: Board, code: str, powers: Sequence[str]) -> Unit:
    places = [(letter, place) for letter in board.kinds for place in board.standable_locations(letter, code)]
    return Unit(*draw(st.sampled_from(places)), draw(st.sampled_from(powers)))


@st.composite
def _sheets(draw: st.DrawFn, board: Board, position: Position, book: Rulebook) -> dict[str, list[Order]]:
    """Attacks that meet, supporters that mostly help them, and now and then orders at random."""
    legal = {unit: tuple(legality.legal_unit_orders(board, position, unit, book)) for unit in position.units}
    afloat = {unit for unit in position.units if can_convoy(board, unit)}
    roles = {
        unit: draw(st.sampled_from(_ROLES[2:5] if unit in afloat else _ROLES)) for unit in position.units
    }
    focus = set(draw(st.permutations(sorted(_goals(legal))))[:3])
    sheets: dict[Unit, list[Order]] = {
        unit: [draw(st.sampled_from(_attacks(legal[unit], focus)))]
        for unit in position.units
        if roles[unit] == "attack"
    }
    for unit in position.units:
        if roles[unit] == "help":
            sheets[unit] = [draw(st.sampled_from(_help(legal[unit], sheets)))]
        elif roles[unit] == "wild":
            one = st.one_of(st.sampled_from(legal[unit]), any_order(board, position, unit))
            sheets[unit] = draw(st.lists(one, max_size=3))
    return {
        power: [order for unit in position.units if unit.power == power for order in sheets.get(unit, ())]
        for power in board.powers
    }


_ROLES = ("attack", "attack", "attack", "help", "help", "help", "idle", "wild")
_AFLOAT = ("attack", "help", "help", "help")


def _goals(legal: Mapping[Unit, Sequence[Order]]) -> set[str]:
    """Every province that some unit may attack, or that one stands in."""
    goals = {
        province_of(order.to) for orders in legal.values() for order in orders if isinstance(order, Move)
    }
    return goals | {unit.province for unit in legal}


def _attacks(legal: Sequence[Order], focus: set[str]) -> list[Order]:
    """The moves into the focus, or else all orders."""
    into: list[Order] = [
        order for order in legal if isinstance(order, Move) and province_of(order.to) in focus
    ]
    return into or list(legal)


def _help(legal: Sequence[Order], sheets: Mapping[Unit, Sequence[Order]]) -> list[Order]:
    """The supports and convoys that suit an attack; else those of units that stay; else all orders."""
    attacks = {
        (order.unit, province_of(order.to))
        for orders in sheets.values()
        for order in orders
        if isinstance(order, Move)
    }
    movers = {unit for unit, _ in attacks}
    fit: list[Order] = []
    stays: list[Order] = []
    for order in legal:
        if isinstance(order, Support | Convoy) and order.to:
            fit += [order] * ((order.target, province_of(order.to)) in attacks)
        elif isinstance(order, Support):
            stays += [order] * (order.target not in movers)
    return fit or stays or list(legal)


@st.composite
def any_order(draw: st.DrawFn, board: Board, position: Position, unit: Unit) -> Order:
    """An order as somebody might write it who does not know the rules."""
    places = st.sampled_from((*sorted(board.locations), unit.province, unit.province, "SPA/EC", "XXX"))
    strange = st.builds(UnitName, st.sampled_from(sorted(board.kinds)), places)
    others = st.one_of(st.sampled_from(sorted({other.name for other in position.units})), strange)
    name = draw(st.one_of(st.just(unit.name), st.just(UnitName(unit.kind, unit.province)), others))
    other, place = draw(others), draw(places)
    written: tuple[Order, ...] = (
        Hold(name),
        Hold(name, bare=True),
        Move(name, place),
        Move(name, place, via=True),
        Support(name, other),
        Support(name, other, bare=True),
        Support(name, other, place),
        Convoy(name, other, place),
        Retreat(name, place),
        Disband(name),
        Build(name),
        Waive(),
    )
    return draw(st.sampled_from(written))


def provinces(units: Sequence[Unit]) -> list[str]:
    """Where units stand, coasts aside."""
    return [province_of(unit.location) for unit in units]
