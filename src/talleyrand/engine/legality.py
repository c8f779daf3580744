"""Which orders are possible, and which of several orders for one unit counts.

An order is illegal when this board and these units make it impossible whatever the others do
(DATC 3.2, 4.E.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .board import Board, province_of
from .convoys import can_convoy, convoying_fleets, has_route, proper_routes, seas_on_proper_routes
from .deprecated_names import renamed_in
from .errors import OrderNotAllowed, OrderRefusal
from .orders import Convoy, Hold, Move, Order, Support
from .outcome import RefusedOrder, Verdict
from .position import Position, Unit, UnitName
from .rulebook import Rulebook, SeveralOrders

CheckOrder = Callable[[str, Order], Order | OrderRefusal]
if not TYPE_CHECKING:
    __getattr__ = renamed_in(__name__, {"settle": "settle_movement_orders", "check": "check_movement_order"})


class SettledOrders(NamedTuple):
    """The one order of each unit, by (power, province), and those that do not count.

    `numbers` tells which of its power's orders it was. The same order again is neither accepted nor
    refused.
    """

    accepted: dict[tuple[str, str], Order]
    refused: tuple[RefusedOrder, ...]
    numbers: dict[tuple[str, str], int]

    def number_verdicts(self, verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
        """The verdicts, each with the number of the order it is about."""
        numbers = self.numbers
        return tuple(
            [
                Verdict._make((*verdict[:-1], numbers.get((verdict.power, verdict.unit.province))))
                for verdict in verdicts
            ]
        )


def check_movement_order(
    board: Board, position: Position, power: str, order: Order, book: Rulebook
) -> Order | OrderRefusal:
    """A movement order as it will be followed, with its coasts supplied, or why it is impossible."""
    if not isinstance(order, Hold | Move | Support | Convoy):
        return OrderNotAllowed("wrong_phase", text=str(order))
    led = power not in position.passive
    unit = (
        own_unit(position.units_by_province, power, order.unit, book)
        if led
        else eliminated_power_refusal(power)
    )
    if isinstance(unit, OrderRefusal):
        return unit
    if isinstance(order, Hold):
        return Hold(unit.name, order.bare)
    if isinstance(order, Move):
        return _move(board, position, unit, order, book)
    if isinstance(order, Support):
        return _support(board, position, unit, order, book)
    return _convoy(board, position, unit, order, book)


def eliminated_power_refusal(power: str) -> OrderRefusal:
    """What is told to a power that is out of the game, whatever it orders."""
    return OrderNotAllowed("passive_power", candidates=(power,))


def own_unit(at: Mapping[str, Unit], power: str, name: UnitName, book: Rulebook) -> Unit | OrderRefusal:
    """The power's unit that an order names, or why there is none."""
    unit = at.get(name.province)
    if unit is None or unit.kind != name.kind:
        return OrderNotAllowed("no_such_unit", units=(str(name),), places=(name.province,))
    if unit.power != power:
        return OrderNotAllowed("foreign_unit", units=(str(unit),), candidates=(unit.power,))
    return _coast_of_unit(unit, name, book) or unit


def _coast_of_unit(unit: Unit, name: UnitName, book: Rulebook) -> OrderRefusal | None:
    differs = "/" in name.location and name.location != unit.location
    if differs and book.ordered_unit_coast == "fails":
        return OrderNotAllowed("wrong_coast", units=(str(unit),), places=(name.location,))
    return None


def _move(board: Board, position: Position, unit: Unit, order: Move, book: Rulebook) -> Order | OrderRefusal:
    if order.via or order.path or book.convoy_path == "required":
        followed = _ferried(board, position, unit, _as_read(order, book), book)
        return (
            followed if isinstance(followed, OrderRefusal) else _step(board, position, unit, followed, book)
        )
    return _step(board, position, unit, order, book)


def _as_read(order: Move, book: Rulebook) -> Move:
    """The move without the words that the book does not know (rows M10 and M15)."""
    via = order.via and book.convoy_marker != "none"
    return Move(order.unit, order.to, via, () if book.convoy_path == "ignored" else order.path)


def _ferried(
    board: Board, position: Position, unit: Unit, order: Move, book: Rulebook
) -> Move | OrderRefusal:
    """The same with the seas that it names or should name (DATC 4.A.6)."""
    goal = province_of(order.to)
    if order.path:
        seas = convoying_fleets(board, position) & set(order.path)
        known = board.kinds[unit.kind].convoyable and order.path in proper_routes(
            board, seas, unit.province, goal
        )
        if not known:
            return OrderNotAllowed("no_route", units=(str(unit),), places=(*order.path, goal))
        near = goal in board.adjacent_provinces[unit.kind].get(unit.location, ())
        return Move(order.unit, order.to, near, order.path)
    by_sea = order.via or not board.landing_locations(unit.kind, unit.location, goal)
    if (
        by_sea
        and book.convoy_path == "required"
        and can_be_convoyed(board, unit, goal, convoying_fleets(board, position))
    ):
        return OrderNotAllowed("path_missing", units=(str(unit),), places=(goal,))
    return order


def _step(board: Board, position: Position, unit: Unit, order: Move, book: Rulebook) -> Order | OrderRefusal:
    goal = province_of(order.to)
    if goal not in board.provinces:
        return OrderNotAllowed("unknown_place", text=order.to)
    if goal == unit.province:
        return OrderNotAllowed("own_province", units=(str(unit),), places=(goal,))
    if board.landing_locations(unit.kind, unit.location, goal):
        to = landing_location(board, unit.kind, unit.location, order.to, book)
        return to if isinstance(to, OrderRefusal) else _walk(board, position, unit, to, order, book)
    return _sail(board, position, unit, order, book)


def _walk(
    board: Board, position: Position, unit: Unit, to: str, order: Move, book: Rulebook
) -> Order | OrderRefusal:
    via = order.via and board.kinds[unit.kind].convoyable
    if via and not has_route(board, convoying_fleets(board, position), unit.province, to):
        if book.route_fallback != "to_land":
            return OrderNotAllowed("no_fleet_for_convoy", units=(str(unit),), places=(to,))
        via = False
    return Move(unit.name, to, via, order.path)


def _sail(board: Board, position: Position, unit: Unit, order: Move, book: Rulebook) -> Order | OrderRefusal:
    goal = province_of(order.to)
    coast = _needless(order.to, book)
    if coast:
        return coast
    if can_be_convoyed(board, unit, goal, convoying_fleets(board, position)):
        return Move(unit.name, goal, path=order.path)
    by_water = board.kinds[unit.kind].convoyable and board.can_stand(unit.kind, goal)
    shores = by_water and board.adjacent_seas.get(unit.province) and board.adjacent_seas.get(goal)
    return OrderNotAllowed("no_chain" if shores else "unreachable", units=(str(unit),), places=(goal,))


def can_be_convoyed(board: Board, unit: Unit, goal: str, seas: Set[str]) -> bool:
    """Whether fleets in these seas could carry the unit to a province where it may stand."""
    if not board.kinds[unit.kind].convoyable or not board.can_stand(unit.kind, goal):
        return False
    return unit.province != goal and has_route(board, seas, unit.province, goal)


def landing_location(board: Board, kind: str, origin: str, to: str, book: Rulebook) -> str | OrderRefusal:
    """The location a one-step move to `to` ends at: coasts supplied, ignored or refused by the book."""
    goal, _, coast = to.partition("/")
    places = board.landing_locations(kind, origin, goal)
    if to in places and (coast or places == (goal,)):
        return to
    if coast:
        refusal = _bad_coast(board, kind, to, book)
        if refusal:
            return refusal
        return landing_location(board, kind, origin, goal, book)
    if len(places) == 1 and (places == (goal,) or book.coast_missing_one_possible == "only_possible"):
        return places[0]
    if book.coast_missing_two_possible == "default_coast" and len(places) > 1:
        return next(place for place in board.provinces[goal].locations if place in places)
    return OrderNotAllowed("coast_missing", places=(goal,), candidates=places)


def _bad_coast(board: Board, kind: str, to: str, book: Rulebook) -> OrderRefusal | None:
    goal = province_of(to)
    if to not in board.locations or not board.can_stand(kind, to):
        return _needless(to, book)
    if book.coast_impossible == "illegal":
        return OrderNotAllowed("coast_unreachable", places=(to,), candidates=(goal,))
    return None


def _needless(to: str, book: Rulebook) -> OrderRefusal | None:
    if "/" in to and book.irrelevant_coast == "fails":
        return OrderNotAllowed("coast_needless", places=(to,), candidates=(province_of(to),))
    return None


def _support(
    board: Board, position: Position, unit: Unit, order: Support, book: Rulebook
) -> Order | OrderRefusal:
    target = _other_unit(position, unit, order.target)
    if isinstance(target, OrderRefusal):
        return target
    wrong = _coast_of_unit(target, order.target, book)
    if wrong:
        return wrong
    into = province_of(order.to) if order.to else target.province
    if into not in board.provinces:
        return OrderNotAllowed("unknown_place", text=order.to or "")
    if into not in board.adjacent_provinces[unit.kind].get(unit.location, ()):
        itself = into == unit.province
        return OrderNotAllowed(
            "support_against_itself" if itself else "support_unreachable", units=(str(unit),), places=(into,)
        )
    if order.to is None:
        return Support(unit.name, target.name, None, order.bare)
    to = _supported_goal(board, position, unit, target, order.to, book)
    return to if isinstance(to, OrderRefusal) else Support(unit.name, target.name, to, order.bare)


def _other_unit(position: Position, unit: Unit, name: UnitName) -> Unit | OrderRefusal:
    target = position.units_by_province.get(name.province)
    if target is None or target.kind != name.kind:
        return OrderNotAllowed("no_such_unit", units=(str(name),), places=(name.province,))
    if target == unit:
        return OrderNotAllowed("itself", units=(str(unit),))
    return target


def _supported_goal(
    board: Board, position: Position, unit: Unit, target: Unit, to: str, book: Rulebook
) -> str | OrderRefusal:
    goal = province_of(to)
    if goal == target.province:
        return OrderNotAllowed("own_province", units=(str(target),), places=(goal,))
    if board.landing_locations(target.kind, target.location, goal):
        return _goal_as_written(board, target, to, book)
    seas = convoying_fleets(board, position)
    if not can_be_convoyed(board, target, goal, seas):
        return OrderNotAllowed("supported_move_impossible", units=(str(target),), places=(goal,))
    if not can_be_convoyed(board, target, goal, seas - {unit.province}):
        return OrderNotAllowed("supporter_needed_at_sea", units=(str(target), str(unit)), places=(goal,))
    return _needless(to, book) or goal


def _goal_as_written(board: Board, target: Unit, to: str, book: Rulebook) -> str | OrderRefusal:
    """The coast of a supported move stays as written: whether it must be is the book's (4.B.4)."""
    goal = province_of(to)
    if to == goal:
        return goal
    return landing_location(board, target.kind, target.location, to, book)


def _convoy(
    board: Board, position: Position, unit: Unit, order: Convoy, book: Rulebook
) -> Order | OrderRefusal:
    if not can_convoy(board, unit):
        return OrderNotAllowed("cannot_convoy", units=(str(unit),))
    target = _other_unit(position, unit, order.target)
    if isinstance(target, OrderRefusal):
        return target
    goal = province_of(order.to)
    if goal not in board.provinces:
        return OrderNotAllowed("unknown_place", text=order.to)
    if not board.kinds[target.kind].convoyable:
        return OrderNotAllowed("not_convoyable", units=(str(target),))
    seas = convoying_fleets(board, position)
    possible = goal != target.province and board.can_stand(target.kind, goal)
    if not possible or unit.province not in seas_on_proper_routes(board, seas, target.province, goal):
        return OrderNotAllowed("convoy_impossible", units=(str(unit), str(target)), places=(goal,))
    wrong = _coast_of_unit(target, order.target, book) or _needless(order.to, book)
    return wrong or Convoy(unit.name, target.name, goal)


def settle_movement_orders(
    verify: CheckOrder, received: Mapping[str, Sequence[Order]], book: Rulebook
) -> SettledOrders:
    """Choose the one order of each unit among all received (DATC 4.D.3, rows M41 to M43)."""
    return _settle(verify, received, book, book.multiple_legal_orders)


def misordered_provinces(position: Position, settled: SettledOrders) -> frozenset[str]:
    """The provinces of units with orders from their power, every one of which is impossible (row M60)."""
    refused: dict[Unit, set[str]] = {}
    for power, _, order, refusal in settled.refused:
        unit = position.units_by_province.get(order.unit.province) if order.unit else None
        if unit is not None and order.unit and (unit.power, unit.kind) == (power, order.unit.kind):
            refused.setdefault(unit, set()).add(refusal.code)
    return frozenset(
        unit.province
        for unit, reasons in refused.items()
        if (unit.power, unit.province) not in settled.accepted and not reasons & _POSSIBLE_BUT_REFUSED
    )


_POSSIBLE_BUT_REFUSED = {"multiple_orders", "bare_form", "passive_power"}


def settle_retreat_orders(
    verify: CheckOrder, received: Mapping[str, Sequence[Order]], book: Rulebook
) -> SettledOrders:
    """The same for retreats, by the book's own choice for them (row M44)."""
    return _settle(verify, received, book, _RETREAT_CHOICE[book.multiple_retreats])


_RETREAT_CHOICE: Mapping[str, SeveralOrders] = {"disband": "none_holds", "first": "first", "last": "last"}


def _settle(
    verify: CheckOrder, received: Mapping[str, Sequence[Order]], book: Rulebook, many: SeveralOrders
) -> SettledOrders:
    accepted: dict[tuple[str, str], Order] = {}
    numbers: dict[tuple[str, str], int] = {}
    refused: list[RefusedOrder] = []
    for power, orders in received.items():
        for province, attempts in _by_unit(verify, power, orders).items():
            key, (number, _, result) = (power, province), attempts[0]
            if len(attempts) == 1 and not isinstance(result, OrderRefusal):
                numbers[key], accepted[key] = number, result
                continue
            kept, dropped = _choose(attempts, book, many)
            refused += [RefusedOrder(power, tried.number, tried.order, why) for tried, why in dropped]
            if kept is not None:
                numbers[key], accepted[key] = kept
    return SettledOrders(accepted, tuple(sorted(refused, key=lambda entry: entry[:2])), numbers)


class _Attempt(NamedTuple):
    number: int
    order: Order
    result: Order | OrderRefusal


_Dropped = list[tuple[_Attempt, OrderRefusal]]
_Kept = tuple[int, Order]


def _by_unit(verify: CheckOrder, power: str, orders: Sequence[Order]) -> dict[str, list[_Attempt]]:
    attempts: dict[str, list[_Attempt]] = {}
    for number, order in enumerate(orders):
        province = order.unit.province if order.unit else ""
        attempts.setdefault(province, []).append(_Attempt(number, order, verify(power, order)))
    return attempts


def _choose(attempts: list[_Attempt], book: Rulebook, many: SeveralOrders) -> tuple[_Kept | None, _Dropped]:
    dropped = [(tried, tried.result) for tried in attempts if isinstance(tried.result, OrderRefusal)]
    legal, weak = _without_bare(attempts, book)
    dropped += ((tried, OrderNotAllowed("bare_form", text=str(tried.order))) for tried in weak)
    if dropped and book.multiple_one_legal == "none_holds":
        many = "none_holds"
    elif len({result for _, result in legal}) <= 1:
        many = "first"
    kept, others = _pick(legal, many)
    rest = [tried for tried, result in others if kept is None or result != kept[1]]
    dropped += ((tried, OrderNotAllowed("multiple_orders", text=str(tried.order))) for tried in rest)
    return kept, dropped


_Legal = list[tuple[_Attempt, Order]]


def _without_bare(attempts: list[_Attempt], book: Rulebook) -> tuple[_Legal, list[_Attempt]]:
    """Bare forms are no legal orders beside a different legal one for the unit (row M43)."""
    legal = [(tried, tried.result) for tried in attempts if not isinstance(tried.result, OrderRefusal)]
    rivals = {result for _, result in legal}
    if book.bare_support_competition == "counts" or len(rivals) == 1:
        return legal, []
    weak = [tried for tried, result in legal if getattr(result, "bare", False)]
    return [entry for entry in legal if entry[0] not in weak], weak


def _pick(legal: _Legal, many: SeveralOrders) -> tuple[_Kept | None, _Legal]:
    if not legal or many == "none_holds":
        return None, legal
    place = 0 if many == "first" else -1
    kept = legal[place]
    return (kept[0].number, kept[1]), [entry for entry in legal if entry is not kept]


def retreat_places(
    board: Board, unit: Unit, by: str, closed: Set[str], *, convoyed: bool, book: Rulebook
) -> tuple[str, ...]:
    """Where a dislodged unit may go, sorted: a step to a place neither `closed` (occupied or
    contested) nor its attacker's origin, unless that came by convoy and the book allows it (4.A.5)."""
    barred = not (convoyed and book.retreat_to_convoy_origin == "allowed")
    return tuple(
        sorted(
            place
            for place in board.adjacent_locations[unit.kind].get(unit.location, ())
            if province_of(place) not in closed and not (barred and province_of(place) == by)
        )
    )


def legal_movement_orders(board: Board, position: Position, power: str, book: Rulebook) -> tuple[Order, ...]:
    """Every legal movement order of a power, unit by unit in the position's order."""
    return tuple(
        order
        for unit in position.units
        if unit.power == power
        for order in legal_unit_orders(board, position, unit, book)
    )


def legal_unit_orders(board: Board, position: Position, unit: Unit, book: Rulebook) -> Iterator[Order]:
    """Every legal movement order of one unit: hold, moves, supports, convoys."""
    for order in _conceivable(board, position, unit, book):
        result = check_movement_order(board, position, unit.power, order, book)
        if not isinstance(result, OrderRefusal) and result == order:
            yield order


def _conceivable(board: Board, position: Position, unit: Unit, book: Rulebook) -> Iterator[Order]:
    yield Hold(unit.name)
    for place in _goals(board, position, unit):
        yield Move(unit.name, place)
        if board.kinds[unit.kind].convoyable:
            yield Move(unit.name, place, via=True)
            if book.convoy_path == "required":
                yield from _conceivable_passages(board, position, unit, place)
    yield from _conceivable_supports(board, position, unit)
    if can_convoy(board, unit):
        yield from _conceivable_convoys(board, position, unit)


def _conceivable_passages(board: Board, position: Position, unit: Unit, goal: str) -> Iterator[Order]:
    near = goal in board.adjacent_provinces[unit.kind].get(unit.location, ())
    for path in proper_routes(board, convoying_fleets(board, position), unit.province, goal):
        yield Move(unit.name, goal, near, path)


def _goals(board: Board, position: Position, unit: Unit) -> tuple[str, ...]:
    return _reached(board, unit, convoying_fleets(board, position))


@lru_cache(maxsize=1 << 12)
def _reached(board: Board, unit: Unit, seas: frozenset[str]) -> tuple[str, ...]:
    """Where a unit may go by itself or by fleets in these seas: kept, for each other unit asks it again."""
    near = board.adjacent_locations[unit.kind].get(unit.location, frozenset())
    far = _shores(board, seas, unit) if board.kinds[unit.kind].convoyable else set()
    return tuple(sorted(near | far))


def _shores(board: Board, seas: Set[str], unit: Unit) -> set[str]:
    """Where fleets in these seas could land the unit."""
    reached = board.adjacent_seas.get(unit.province, frozenset()) & seas
    edge = reached
    while edge:
        edge = frozenset(sea for here in edge for sea in board.adjacent_seas[here] & seas) - reached
        reached |= edge
    touched = {code for sea in reached for code in board.neighbours[sea] if board.can_stand(unit.kind, code)}
    return touched - {unit.province}


def _conceivable_supports(board: Board, position: Position, unit: Unit) -> Iterator[Order]:
    reach = board.adjacent_provinces[unit.kind].get(unit.location, frozenset())
    for target in position.units:
        if target.province in reach:
            yield Support(unit.name, target.name)
        for place in _goals(board, position, target):
            if province_of(place) in reach:
                yield Support(unit.name, target.name, place)


def _conceivable_convoys(board: Board, position: Position, unit: Unit) -> Iterator[Order]:
    for army in position.units:
        if board.kinds[army.kind].convoyable:
            for place in _goals(board, position, army):
                yield Convoy(unit.name, army.name, place)
