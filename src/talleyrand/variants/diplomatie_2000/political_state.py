"""What the world remembers beside units and centres; what each state's centres are worth (annex 3)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import NamedTuple

from talleyrand.engine.board import Board
from talleyrand.engine.position import Phase, Position, Unit

UN = "ONU"
"""The Secretary-General's seat."""
POINTS_NORMAL_GAME, POINTS_LONG_GAME = 1000, 1317
"""The points that win a normal game and a long one."""
FAR_NORTH = frozenset(("BAR", "BBA", "MBF", "MGR", "MSI"))


class StateRow(NamedTuple):
    """A state's row of annex 3: `base` centres score nothing, each beyond them `rate` points, each M
    `per_mandate`; it may subvert with no more than `subversion` centres, and `aid` are the numbers of
    centres from which it has one point of aid, two, three."""

    base: int
    rate: int
    per_mandate: int
    subversion: int
    aid: tuple[int, ...]

    def aid_points(self, centres: int) -> int:
        """The points of aid that so many centres bring."""
        return sum(centres >= least for least in self.aid)

    def subversion_points(self, centres: int, least: int = 1) -> int:
        """One point while there are few centres, but `least` at all."""
        return int(least <= centres <= self.subversion)

    def centres_for(self, points: int) -> int:
        """The centres that are enough for so many points by themselves."""
        return self.base - -points // self.rate

    def table_row(self) -> dict[str, int | None]:
        """The row as a table shows it, with the centres that win; None where the state never gets there."""
        aid = (*self.aid, None, None, None)[:3]
        return {
            "base": self.base,
            "rate": self.rate,
            "goal": self.centres_for(POINTS_NORMAL_GAME),
            "goal_long": self.centres_for(POINTS_LONG_GAME),
            "per_mandate": self.per_mandate,
            "subversion": self.subversion,
            **{f"aid_{place}": least for place, least in enumerate(aid, 1)},
        }


@cache
def state_rows() -> Mapping[str, StateRow]:
    """Every state with its row, in the order of their codes."""
    text = (resources.files(__package__) / "states.toml").read_text("utf-8")
    return {
        code: StateRow(**{**row, "aid": tuple(row["aid"])})
        for code, row in sorted(tomllib.loads(text).items())
    }


NO_AID: tuple[str | None, ...] = (None, None, None)
OPTION_VALUES: Mapping[str, tuple[str, ...]] = {
    "type1_adopted": ("one", "as_ballots"),
    "nine_proposals": ("3", "2"),
    "unranked_tie": ("nothing", "first_code"),
    "tally": ("published", "numbers", "secret"),
    "mandate_nationality": ("one_power", "owner"),
    "canal_convoy": ("yes", "no"),
    "colour": ("army_or_fleet", "never"),
    "mixed_builds": ("any", "m_only"),
    "host_all": ("with_un", "states_only"),
    "russ_subversion_from": ("1", "2"),
    "disgraced_mandates": ("before_winter", "after_winter"),
    "repeated_intervention": ("same_sector", "same_state"),
}
"""Points that the rules leave open: the values that each may have, our reading first."""

AMOUNT_LIMITS = {"1A": (1, 40), "1B": (1, 40), "1D": (1, 5)}
"""The amounts that the Secretary-General may set: points, turns."""


def turn_number(phase: Phase) -> int:
    """The number of a turn: a season, the winter going with its autumn."""
    return 2 * phase.year + (phase.season != "S")


def turn_code(turn: int) -> str:
    """`S2003`, `F2003`."""
    return f"{'SF'[turn % 2]}{turn // 2}"


@dataclass(frozen=True)
class PoliticalState:
    """The affairs of the world.

    `disgrace_until`: the last turn of each disgrace; `aid`: three places a state; `imf`, `embargo`: who has
    the point of the Monetary Fund, whom the embargo hits; `colours`: the colour of sectors without a centre
    where it is not that of the start; `subversion`: who has spent theirs this year; `intervention_target`,
    `last_intervention`: the intervention announced, the last one with whoever controlled the sector then;
    `dismantled_mandates`: the M that their owners dismantle when the turn ends.
    """

    is_long_game: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    disgrace_until: Mapping[str, int] = field(default_factory=dict)
    score_adjustment: Mapping[str, int] = field(default_factory=dict)
    aid: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    imf: str | None = None
    embargo: str | None = None
    colours: Mapping[str, str | None] = field(default_factory=dict)
    subversion: frozenset[str] = frozenset()
    intervention_target: str | None = None
    last_intervention: tuple[str, str | None] | None = None
    proposals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dismantled_mandates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    eliminated: frozenset[str] = frozenset()

    @property
    def points_to_win(self) -> int:
        """The points that win."""
        return POINTS_LONG_GAME if self.is_long_game else POINTS_NORMAL_GAME

    @property
    def adjustment_limit(self) -> int:
        """The farthest that votes may move a score, up or down."""
        return 144 if self.is_long_game else 125

    def option(self, name: str) -> str:
        """The reading chosen for an open point."""
        return self.options.get(name, OPTION_VALUES[name][0])

    def in_grace(self, seat: str, phase: Phase) -> bool:
        """Whether a state may vote and propose; the United Nations always are."""
        return self.disgrace_until.get(seat, -1) < turn_number(phase)


def political_state_of(position: Position) -> PoliticalState:
    """The affairs of a position; those of the start where it carries none."""
    return (
        position.political_state if isinstance(position.political_state, PoliticalState) else PoliticalState()
    )


def centre_owners(board: Board, position: Position) -> dict[str, str]:
    """Every centre with its owner; those of the start where ownership is not known."""
    owned = board.homes if position.centres is None else position.centres
    return {code: power for power, centres in owned.items() for code in centres}


def centres_owned_by(board: Board, position: Position, power: str) -> tuple[str, ...]:
    """The centres of a state; those of the start where ownership is not known."""
    return board.homes.get(power, ()) if position.centres is None else position.owned_by(power)


def initial_controller(board: Board, code: str) -> str | None:
    """Whose colour a sector has at the start."""
    return next((power for power, country in board.countries.items() if code in country), None)


def controller(board: Board, position: Position, code: str) -> str | None:
    """The state that controls a sector: the owner of a centre, else the colour."""
    if board.provinces[code].centre:
        return centre_owners(board, position).get(code)
    colours = political_state_of(position).colours
    return colours[code] if code in colours else initial_controller(board, code)


def may_subvert(board: Board, position: Position, power: str) -> bool:
    """Whether a state has a point of subversion this year, spent or not."""
    least = int(political_state_of(position).option("russ_subversion_from")) if power == "RUSS" else 1
    return state_rows()[power].subversion_points(len(centres_owned_by(board, position, power)), least) > 0


def units_without(units: Iterable[Unit], gone: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units that are left."""
    lost = set(gone)
    return tuple(unit for unit in units if unit not in lost)


def mandates_of(units: Iterable[Unit], power: str) -> tuple[Unit, ...]:
    """The M of a state."""
    return tuple(unit for unit in units if unit.kind == "M" and unit.power == power)


def with_mandates_under_un(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units as a vote orders them: every M of one seat, that of the United Nations."""
    return tuple(unit._replace(power=UN) if unit.kind == "M" else unit for unit in units)


def seats(board: Board) -> tuple[str, ...]:
    """The states, then the United Nations."""
    return (*board.powers, UN)


def dismissed_mandates(affairs: PoliticalState, position: Position) -> tuple[Unit, ...]:
    """The M of states in disgrace, who leave as the turn ends; where that is the reading, those of an autumn
    stand through the winter."""
    if position.phase.season == "F" and affairs.option("disgraced_mandates") == "after_winter":
        return ()
    return tuple(
        unit
        for unit in position.units
        if unit.kind == "M" and unit.power != UN and not affairs.in_grace(unit.power, position.phase)
    )


def without_departed_mandates(position: Position) -> Position:
    """The position without the M that their owners dismantle, and without those of states in disgrace."""
    affairs = political_state_of(position)
    leaving = [
        unit
        for unit in position.units
        if str(unit) in affairs.dismantled_mandates.get(unit.power, ()) and unit.kind == "M"
    ]
    units = units_without(position.units, (*leaving, *dismissed_mandates(affairs, position)))
    return replace(position, units=units, political_state=replace(affairs, dismantled_mandates={}))
