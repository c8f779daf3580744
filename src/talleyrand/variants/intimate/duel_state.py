"""What Intimate Diplomacy remembers beside units and centres: home powers, credits, who has hired whom.

Sources: the judge's form (njudge 1.7, Millis Miller, 2004: its figures, its victory and its ruin) and Dave
Allen's (Intimate Diplomacy II, variant bank: other figures), both after Adrien Baird and Steve Doubleday.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from talleyrand.engine.board import Board
from talleyrand.engine.errors import TalleyrandError, UnknownName
from talleyrand.engine.position import Position

SIDES = ("FIRST", "SECOND")
"""The players' seats."""
OPTION_VALUES: Mapping[str, tuple[str, ...]] = {
    "reserves": ("judge", "allen", "equal"),
    "overbidding": ("refused", "ruin"),
    "occupier": ("home_power", "any_unit"),
}
RESERVES: Mapping[str, Mapping[str, int]] = {
    "judge": {
        "AUSTRIA": 24,
        "ENGLAND": 20,
        "FRANCE": 20,
        "GERMANY": 22,
        "ITALY": 24,
        "RUSSIA": 20,
        "TURKEY": 20,
    },
    "allen": {
        "AUSTRIA": 22,
        "ENGLAND": 18,
        "FRANCE": 20,
        "GERMANY": 22,
        "ITALY": 20,
        "RUSSIA": 23,
        "TURKEY": 18,
    },
    "equal": {},
}
EQUAL_RESERVE = 20
"""The credits of every home power under `equal`: our own figure."""
MAX_CREDITS = 999
ANSWER_ONLY_FIELDS = frozenset(("lists", "bids", "paid", "income"))
"""What only goes out."""


@dataclass(frozen=True)
class DuelState:
    """`homes`: each side's home power; `credits` by side; `hired`: for each mercenary power that has one, its
    side of the year; `options` that are not as usual."""

    homes: Mapping[str, str] = field(default_factory=dict)
    credits: Mapping[str, int] = field(default_factory=dict)
    hired: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    def option(self, name: str) -> str:
        """What the game has chosen."""
        return self.options.get(name, OPTION_VALUES[name][0])

    def leader(self, power: str) -> str:
        """The side that commands a power; "" for none."""
        if power in SIDES:
            return power
        own = (side for side, home in self.homes.items() if home == power)
        return next(own, self.hired.get(power, ""))

    def reserve(self, home: str) -> int:
        """The credits with which a home power begins."""
        return RESERVES[self.option("reserves")].get(home, EQUAL_RESERVE)


def duel_state_of(position: Position) -> DuelState:
    """The state of a position; that of a beginning where it has none."""
    return position.political_state if isinstance(position.political_state, DuelState) else DuelState()


def powers_of_board(board: Board) -> tuple[str, ...]:
    """The powers with land."""
    return tuple(power for power in board.powers if power not in SIDES)


def mercenaries(board: Board, state: DuelState) -> tuple[str, ...]:
    """The powers that are for hire."""
    taken = state.homes.values()
    return tuple(power for power in powers_of_board(board) if power not in taken)


def read_duel_state(board: Board, given: Mapping[str, object]) -> tuple[DuelState, tuple[str, ...]]:
    """The state of a question, and the fields nobody knows.

    Raises TalleyrandError (`not_a_table`, `power_unknown`, `not_a_count`), UnknownName (`unknown_option`,
    `unknown_value`).
    """
    powers, known = powers_of_board(board), ("homes", "credits", "hired", "options")
    homes = {side: _power(home, powers, "homes") for side, home in _by_side(given, "homes").items()}
    if len(set(homes.values())) < len(homes):
        raise TalleyrandError(
            "power_unknown", field="politics.homes", power=next(iter(homes.values())), known=", ".join(powers)
        )
    state = DuelState(
        homes=homes,
        credits={side: _amount(amount) for side, amount in _by_side(given, "credits").items()},
        hired={
            _power(power, powers, "hired"): _power(side, SIDES, "hired")
            for power, side in _table(given, "hired").items()
            if power not in homes.values()
        },
        options=chosen_options(_table(given, "options")),
    )
    return state, tuple(sorted(set(given) - ANSWER_ONLY_FIELDS - {*known}))


def chosen_options(chosen: Mapping[str, object]) -> dict[str, str]:
    """The options that are not as usual; raises UnknownName (`unknown_option`, `unknown_value`)."""
    for option, value in chosen.items():
        values = OPTION_VALUES.get(option)
        if values is None:
            raise UnknownName("unknown_option", option=option, nearest="")
        if value not in values:
            raise UnknownName("unknown_value", option=option, value=str(value)[:40], values=", ".join(values))
    return {name: str(value) for name, value in chosen.items() if value != OPTION_VALUES[name][0]}


def write_duel_state(state: DuelState) -> dict[str, object]:
    """The same as a table; what is empty is left out."""
    fields = {name: dict(getattr(state, name)) for name in ("homes", "credits", "hired", "options")}
    return {name: value for name, value in fields.items() if value}


def _by_side(given: Mapping[str, object], name: str) -> dict[str, object]:
    return {_power(side, SIDES, name): value for side, value in _table(given, name).items()}


def _table(given: Mapping[str, object], name: str) -> Mapping[str, object]:
    value = given.get(name) or {}
    if not isinstance(value, dict):
        raise TalleyrandError("not_a_table", field=f"politics.{name}", value=str(value)[:40])
    return value


def _power(value: object, known: tuple[str, ...], name: str) -> str:
    if value not in known:
        raise TalleyrandError(
            "power_unknown", field=f"politics.{name}", power=str(value)[:40], known=", ".join(known)
        )
    return str(value)


def _amount(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_CREDITS:
        raise TalleyrandError(
            "not_a_count", field="politics.credits", value=str(value)[:40], most=str(MAX_CREDITS)
        )
    return value
