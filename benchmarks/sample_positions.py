"""The positions that are measured: recorded games, and games played here at random but with a purpose."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from random import Random
from typing import Any

from talleyrand.engine import game, legality
from talleyrand.engine.errors import OrderRefusal
from talleyrand.engine.orders import Hold, Order
from talleyrand.engine.position import Phase, Position, Unit, UnitName
from talleyrand.variants import load
from tests.peers.positions import BOOK, Drawn, MovementOrder, Orders, orders, read

CLASSIC = load("classic").definition
YEARS = 12


def recorded() -> Iterator[Drawn]:
    """Every movement phase of the three games that the package `diplomacy` brings along."""
    folder = resources.files("diplomacy") / "tests" / "network"
    for file in sorted(folder.iterdir(), key=str):
        if file.name.endswith(".json"):
            phases = json.loads(file.read_text("utf-8"))["phases"]
            yield from (_recorded(phase) for phase in phases if phase["name"].endswith("M"))


def _recorded(phase: dict[str, Any]) -> Drawn:
    units = tuple(
        Unit(*UnitName.parse(name), power)
        for power, names in phase["state"]["units"].items()
        for name in names
        if not name.startswith("*")
    )
    position = Position(Phase.parse(phase["name"]), units)
    written = [f"{power} {order}" for power, lines in phase["orders"].items() for order in lines or ()]
    return Drawn(-1, position, _settled(position, read(written).orders))


def _settled(position: Position, given: Orders) -> Orders:
    """The legal orders, coasts supplied; the other units hold."""
    settled: dict[tuple[str, str], MovementOrder] = {}
    for unit in position.units:
        key = unit.power, unit.province
        order = given.get(key, Hold(unit.name))
        checked = legality.check_movement_order(CLASSIC.board, position, unit.power, order, BOOK)
        settled[key] = Hold(unit.name) if isinstance(checked, OrderRefusal) else _movement(checked)
    return settled


def _movement(order: Order) -> MovementOrder:
    assert isinstance(order, MovementOrder)
    return order


def played(games: int, seed: int) -> Iterator[Drawn]:
    """Every movement phase of so many games in which all powers want centres."""
    for number in range(games):
        yield from _play(Random(f"{seed}/{number}"))


def _play(lot: Random) -> Iterator[Drawn]:
    position: Position | None = CLASSIC.start
    while position is not None and position.phase.year < CLASSIC.start.phase.year + YEARS:
        if position.phase.kind == "M":
            given = orders(CLASSIC.board, position, lot, CLASSIC.board.centres)
            yield Drawn(-1, position, given)
        else:
            given = chosen(position, lot)
        sheets = {
            power: [order for (whose, _), order in given.items() if whose == power] for power, _ in given
        }
        position = game.play_phase(CLASSIC, position, sheets, BOOK).next_position


def chosen(position: Position, lot: Random) -> dict[tuple[str, str], Any]:
    """A retreat for each dislodged unit, a build or removal for each centre's difference, by lot."""
    rules = CLASSIC.rules_for(position.phase)
    chosen: dict[tuple[str, str], Any] = {}
    for power in rules.powers_with_choices(CLASSIC.board, position, BOOK):
        options = [order for order in rules.legal_orders(CLASSIC.board, position, power, BOOK) if order.unit]
        lot.shuffle(options)
        for order in options:
            if order.unit:
                chosen.setdefault((power, order.unit.province), order)
    return chosen


def fresh(drawn: Drawn) -> Drawn:
    """The same position as a new value, so that nothing computed before is at hand."""
    return drawn._replace(position=replace(drawn.position))
