"""The two sides, and Italy between them: what is remembered of the toss, and what is closed before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from talleyrand.engine.board import Board
from talleyrand.engine.position import Position

ITALY = "ITALY"
SIDES: Mapping[str, tuple[str, ...]] = {
    "ENTENTE": ("ENGLAND", "FRANCE", "RUSSIA"),
    "CENTRAL": ("AUSTRIA", "GERMANY", "TURKEY"),
}
OPTIONS: Mapping[str, tuple[str, ...]] = {"italian_units": ("untouchable", "attackable")}
UNITS_THAT_WIN = 24


@dataclass(frozen=True)
class WarState:
    """The side that Italy has joined, None while it is neutral; the options that are not as usual."""

    italy: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


def war_state_of(position: Position) -> WarState:
    """What a position remembers; Italy is neutral where it says nothing."""
    state = position.political_state
    return state if isinstance(state, WarState) else WarState()


def side_powers(position: Position, side: str) -> tuple[str, ...]:
    """The powers of a side, Italy last where it has joined it."""
    return (*SIDES[side], ITALY) if war_state_of(position).italy == side else SIDES[side]


def side_of(position: Position, power: str) -> str | None:
    """The side of a power; None for Italy while it is neutral."""
    return next((side for side in SIDES if power in side_powers(position, side)), None)


def side_units(position: Position, side: str) -> int:
    """The units that a side has on the board."""
    powers = side_powers(position, side)
    return sum(unit.power in powers for unit in position.units)


def is_italy_neutral(position: Position) -> bool:
    """Whether Italy is with nobody."""
    return war_state_of(position).italy is None


def touches_no_italian_unit(position: Position) -> bool:
    """Whether nobody may attack or support an Italian unit while Italy is neutral, wherever it stands."""
    return war_state_of(position).options.get("italian_units") != "attackable"


def closed_provinces(board: Board, position: Position) -> frozenset[str]:
    """Where no unit may go while Italy is neutral."""
    if not is_italy_neutral(position):
        return frozenset()
    stood = {unit.province for unit in position.units if unit.power == ITALY}
    return frozenset(board.countries[ITALY]) | (stood if touches_no_italian_unit(position) else set())


def toss_seed(game_seed: str) -> str:
    """The seed of the toss, which is told with it; it says nothing of the game's own."""
    return sha256(f"Italy {game_seed}".encode("utf-8", "surrogatepass")).hexdigest()
