"""The PyPI package `pydip` 0.1.8 as a judge of one movement phase.

It has no rule for the choice between land and convoy: its orders say which, and ours decides it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydip.map.predefined import vanilla_dip
from pydip.map.territory import LandTerritory
from pydip.player.command import command as kinds
from pydip.player.player import Player
from pydip.player.unit import Unit as PeerUnit
from pydip.player.unit import UnitTypes
from pydip.turn import resolve

from talleyrand.engine.board import province_of
from talleyrand.engine.convoys import RouteChoice
from talleyrand.engine.movement_resolution import MovementResolution
from talleyrand.engine.orders import Convoy, Move, Support
from talleyrand.engine.position import Unit
from talleyrand.variants import load

from .positions import BOOK, Drawn
from .result import Result

TYPES = {"A": UnitTypes.TROOP, "F": UnitTypes.FLEET}
LETTERS = {kind: letter for letter, kind in TYPES.items()}
SPELT = {"EAS": "Eastern Mediterranean Sea", "WES": "Western Mediterranean Sea"}
COASTS = {"": "Coast", "NC": "North Coast", "EC": "North Coast", "SC": "South Coast"}


@cache
def board_map() -> Any:
    return vanilla_dip.generate_map()


@cache
def place(kind: str, location: str) -> str:
    """A location as the peer calls it: its fleets lie at a coast even where there is but one."""
    code, _, coast = location.partition("/")
    name = SPELT.get(code) or load("classic").names("en").provinces[code].name
    ashore = isinstance(board_map().name_map[name], LandTerritory)
    return f"{name} {COASTS[coast]}" if kind == "F" and ashore else name


@cache
def _locations() -> Mapping[tuple[str, str], str]:
    board = load("classic").board
    return {
        (kind, place(kind, location)): location
        for kind in TYPES
        for location in sorted(board.locations)
        if board.can_stand(kind, location)
    }


def _unit(unit: Unit) -> Any:
    return PeerUnit(TYPES[unit.kind], place(unit.kind, unit.location))


def _player(power: str, units: list[Unit]) -> Any:
    places = [
        {"territory_name": place(unit.kind, unit.location), "unit_type": TYPES[unit.kind]} for unit in units
    ]
    return Player(power, board_map(), places)


class _Writer:
    """Turns our orders into the peer's commands."""

    def __init__(self, drawn: Drawn) -> None:
        self.position, self.orders = drawn.position, drawn.orders
        self.way = MovementResolution(load("classic").board, drawn.position, drawn.orders, BOOK).route_choice
        powers = sorted({unit.power for unit in self.position.units})
        self.players = {
            power: _player(power, [unit for unit in self.position.units if unit.power == power])
            for power in powers
        }

    def commands(self) -> list[Any]:
        return [self._command(unit) for unit in self.position.units]

    def _command(self, unit: Unit) -> Any:
        order, who = self.orders[unit.power, unit.province], (self.players[unit.power], _unit(unit))
        if isinstance(order, Move):
            by_sea = self.way[unit.province] is not RouteChoice.LAND
            kind = kinds.ConvoyMoveCommand if by_sea else kinds.MoveCommand
            return kind(*who, place(unit.kind, order.to))
        if isinstance(order, Support):
            target = self.position.units_by_province[order.target.province]
            return kinds.SupportCommand(*who, _unit(target), self._supported(target, order))
        if isinstance(order, Convoy):
            army = self.position.units_by_province[order.target.province]
            return kinds.ConvoyTransportCommand(*who, _unit(army), place("A", order.to))
        return kinds.HoldCommand(*who)

    def _supported(self, target: Unit, order: Support) -> str:
        """Where a support is directed. The peer wants a coast: the one that the fleet goes to."""
        if order.to is None:
            return place(target.kind, target.location)
        move = self.orders[target.power, target.province]
        if isinstance(move, Move) and order.to == province_of(move.to):
            return place(target.kind, move.to)
        several = load("classic").board.landing_locations(target.kind, target.location, order.to)
        return place(target.kind, several[0] if several else order.to)


def commands(drawn: Drawn) -> list[Any]:
    """The orders of a position as the peer's checked commands."""
    return _Writer(drawn).commands()


class Judge:
    """The peer's resolution, as it stands or mended (`resolver`, a module like `pydip.turn.resolve`)."""

    name = "pydip"

    def __init__(self, resolver: Any = resolve) -> None:
        self.resolver = resolver

    def judge(self, drawn: Drawn) -> Result:
        """What becomes of the position."""
        found = self.resolver.resolve_turn(board_map(), commands(drawn))
        units: set[tuple[str, str]] = set()
        fallen: dict[tuple[str, str], frozenset[str]] = {}
        for power, results in found.items():
            for unit, retreats in results.items():
                if retreats is None:
                    units.add((power, _named(unit.unit_type, unit.position)))
                else:
                    fallen[power, _named(unit.unit_type, unit.position)] = frozenset(
                        _locations()[LETTERS[unit.unit_type], name] for name in retreats
                    )
        return Result(frozenset(units), fallen)


def _named(kind: Any, name: str) -> str:
    return f"{LETTERS[kind]} {_locations()[LETTERS[kind], name]}"
