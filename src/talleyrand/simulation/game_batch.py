"""Many games in arrays: where they stand, and the engine's positions as their rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.deprecated_names import renamed_attribute
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit, check_position

from . import array_layout
from .array_layout import NOBODY, NONE, STAGES, Int64Array, UInt16Array
from .board_arrays import BoardNames, board_names
from .phase_encoding import BoardNumbers, board_numbers, retreat_bits, retreat_places, steps_of_unit

LETTERS = "MRA"
NO_LAST_YEAR = 10**9  # a year that no game comes to


@dataclass(frozen=True, eq=False)
class GameBatch:
    """Games of one board by one calendar, as numbers (`codes`, `tables.names`).

    `places` (game, row, province); `retreat_options` (game, province): where the unit dislodged from there
    may retreat, a bit for each of its steps in the order of `Table.near`; `clock` (game, column);
    `build_rights` (game, power): builds kept from earlier winters; `seeds` settle what a book draws by lot.
    """

    places: UInt16Array
    retreat_options: Int64Array
    clock: Int64Array
    build_rights: Int64Array
    seeds: list[str] = field(repr=False)

    escapes = renamed_attribute("escapes", "retreat_options")
    rights = renamed_attribute("rights", "build_rights")
    take = renamed_attribute("take", "copy_games")
    sheets = renamed_attribute("sheets", "blank_orders")

    @classmethod
    def blank(cls, board: Board, count: int) -> GameBatch:
        """Room for so many games, in which nobody stands anywhere."""
        provinces = len(board.provinces)
        return cls(
            np.full((count, array_layout.STATE_ROWS, provinces), NONE, np.uint16),
            np.zeros((count, provinces), np.int64),
            np.zeros((count, array_layout.CLOCK_COLUMNS), np.int64),
            np.zeros((count, len(board.seats)), np.int64),
            [""] * count,
        )

    def __len__(self) -> int:
        return len(self.places)

    def copy_games(self, which: Iterable[int]) -> GameBatch:
        """A copy of some of the games, in this order; one may come several times."""
        rows = list(which)
        return GameBatch(
            self.places[rows],
            self.retreat_options[rows],
            self.clock[rows],
            self.build_rights[rows],
            [self.seeds[row] for row in rows],
        )

    def restore(self, which: Sequence[int] | Int64Array, former: GameBatch) -> None:
        """Put some of the games back to where `former` has the same games."""
        self.places[which], self.retreat_options[which] = former.places[which], former.retreat_options[which]
        self.clock[which], self.build_rights[which] = former.clock[which], former.build_rights[which]

    def replace_game(self, at: int, one: GameBatch) -> None:
        """Write the first of other games over one of these."""
        self.places[at], self.retreat_options[at] = one.places[0], one.retreat_options[0]
        self.clock[at], self.build_rights[at], self.seeds[at] = (
            one.clock[0],
            one.build_rights[0],
            one.seeds[0],
        )

    def blank_orders(self) -> UInt16Array:
        """Sheets for every game, with no order yet."""
        count, _, provinces = self.places.shape
        return np.full((count, array_layout.ORDER_ROWS, provinces), NONE, np.uint16)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether each game is over."""
        over: NDArray[np.bool_] = self.clock[:, array_layout.OVER] != 0
        return over

    def centres(self) -> Int64Array:
        """How many centres each power owns (game, power)."""
        powers = np.arange(self.build_rights.shape[1])
        owners = self.places[:, array_layout.CENTRE, None, :]
        found: Int64Array = (owners == powers[:, None]).sum(axis=2)
        return found


# the calendar -------------------------------------------------------------------------------------


def phase_codes(setting: GameDefinition) -> tuple[str, ...]:
    """Season and kind of every phase of a calendar, in the order of their numbers."""
    return setting.calendar.opening + setting.calendar.cycle


def season_letters(setting: GameDefinition) -> tuple[str, ...]:
    """The letters of the seasons, in the order of their numbers."""
    return tuple(dict.fromkeys(code[0] for code in setting.calendar.cycle + setting.calendar.opening))


def stage_number(code: str) -> int:
    """The number of a phase's kind."""
    place = LETTERS.find(code[1])
    return STAGES[place] if place >= 0 else array_layout.VARIANT_PHASE_KIND


# writing ------------------------------------------------------------------------------------------


def write_position(setting: GameDefinition, position: Position, games: GameBatch, at: int) -> None:
    """Put a game where a position stands. Raises InvalidPosition for one that cannot stand, ValueError for
    one of which the arrays do not tell everything.
    """
    check_position(setting.board, position)
    setting.calendar.check_phase(position.phase)
    lacking = unsupported_facts(setting, position)
    if lacking:
        raise ValueError(f"games in arrays hold no {', '.join(lacking)}")
    number, row = board_numbers(setting.board), games.places[at]
    row[:], games.retreat_options[at], games.build_rights[at] = NONE, 0, 0
    row[[array_layout.DISLODGED_BY_SEA, array_layout.STANDOFF]] = 0
    for unit in position.units:
        _write_unit(number, unit, row[:, number.provinces[unit.province]], array_layout.KIND)
    for fallen in position.dislodged:
        _write_dislodged(setting.board, fallen, games, at)
    for place in position.contested:
        row[array_layout.STANDOFF, number.provinces[place]] = 1
    _write_centres(number, position, row)
    for power, right in position.kept_builds.items():
        games.build_rights[at, number.powers[power]] = right
    games.seeds[at] = position.seed
    _write_clock(setting, position, games.clock[at])


def unsupported_facts(setting: GameDefinition, position: Position) -> tuple[str, ...]:
    """What a position says that the arrays cannot hold."""
    counted = (position.phase.year, *position.kept_builds.values())
    strange = {
        "retreats that are no steps": any(
            not set(fallen.retreats) <= set(steps_of_unit(setting.board, fallen.unit))
            for fallen in position.dislodged
        ),
        "years or rights beyond a thousand million": max(map(abs, counted)) >= NO_LAST_YEAR,
        "unknown centres": position.centres is None,
        "homes of their own": bool(position.homes),
        "civil disorder": bool(
            position.powers_in_disorder or position.torn or position.provinces_in_disorder
        ),
        "eliminated powers whose units stand": bool(position.passive),
        "a victory of its own": position.centres_to_win not in (0, setting.victory.centres),
    }
    return tuple(what for what, found in strange.items() if found)


def _write_unit(number: BoardNumbers, unit: Unit, column: UInt16Array, first: int) -> None:
    """Kind, power and location, in three rows of a province."""
    column[first : first + 3] = (
        number.kinds[unit.kind],
        number.powers[unit.power],
        number.locations[unit.location],
    )


def _write_dislodged(board: Board, fallen: DislodgedUnit, games: GameBatch, at: int) -> None:
    number = board_numbers(board)
    place = number.provinces[fallen.unit.province]
    column = games.places[at, :, place]
    _write_unit(number, fallen.unit, column, array_layout.DISLODGED_KIND)
    column[array_layout.DISLODGED_BY] = number.provinces[fallen.by]
    column[array_layout.DISLODGED_BY_SEA] = fallen.convoyed
    games.retreat_options[at, place] = retreat_bits(board, fallen)


def _write_centres(number: BoardNumbers, position: Position, row: UInt16Array) -> None:
    for owners, where in (
        (position.centres, array_layout.CENTRE),
        (position.centres_before, array_layout.BEFORE),
    ):
        for power, centres in (owners or {}).items():
            for code in centres:
                row[where, number.provinces[code]] = number.powers[power]


def _write_clock(setting: GameDefinition, position: Position, clock: Int64Array) -> None:
    phase = position.phase
    code = phase.season + phase.kind
    clock[array_layout.PHASE], clock[array_layout.YEAR] = phase_codes(setting).index(code), phase.year
    clock[array_layout.SEASON], clock[array_layout.STAGE] = (
        season_letters(setting).index(phase.season),
        stage_number(code),
    )
    clock[array_layout.OVER], clock[array_layout.WINNER] = 0, NOBODY
    clock[array_layout.BEFORE_IS_KNOWN] = position.centres_before is not None


# reading ------------------------------------------------------------------------------------------


def read_position(setting: GameDefinition, games: GameBatch, at: int) -> Position:
    """Where a game stands."""
    board, clock = setting.board, games.clock[at].tolist()
    called, code = board_names(board), phase_codes(setting)[clock[array_layout.PHASE]]
    columns = games.places[at].T.tolist()
    here = range(len(columns))
    owners = _owners(called, columns, array_layout.CENTRE)
    return Position(
        Phase(code[0], clock[array_layout.YEAR], code[1]),
        tuple(
            read_unit(called, columns[p], array_layout.KIND)
            for p in here
            if columns[p][array_layout.KIND] != NONE
        ),
        _dislodged(board, games, at),
        frozenset(called.provinces[place] for place in here if columns[place][array_layout.STANDOFF]),
        owners,
        centres_before=_owners(called, columns, array_layout.BEFORE)
        if clock[array_layout.BEFORE_IS_KNOWN]
        else None,
        kept_builds=_rights(called, games, at),
        seed=games.seeds[at],
        first_year=setting.start.first_year,
        centres_to_win=setting.start.centres_to_win,
    )


def read_unit(called: BoardNames, column: list[int], first: int) -> Unit:
    """The unit that three rows of a province tell of."""
    kind, power, location = column[first : first + 3]
    return Unit(called.kinds[kind], called.locations[location], called.powers[power])


def _dislodged(board: Board, games: GameBatch, at: int) -> tuple[DislodgedUnit, ...]:
    called, found = board_names(board), []
    for place, column in enumerate(games.places[at].T.tolist()):
        if column[array_layout.DISLODGED_KIND] != NONE:
            unit = read_unit(called, column, array_layout.DISLODGED_KIND)
            retreats = retreat_places(board, unit, int(games.retreat_options[at, place]))
            by, convoyed = (
                called.provinces[column[array_layout.DISLODGED_BY]],
                bool(column[array_layout.DISLODGED_BY_SEA]),
            )
            found.append(DislodgedUnit(unit, by, convoyed, retreats))
    return tuple(found)


def _owners(called: BoardNames, columns: list[list[int]], row: int) -> dict[str, tuple[str, ...]]:
    owned: dict[str, list[str]] = {power: [] for power in called.powers}
    for place, column in zip(called.provinces, columns, strict=True):
        if column[row] != NONE:
            owned[called.powers[column[row]]].append(place)
    return {power: tuple(sorted(centres)) for power, centres in owned.items()}


def _rights(called: BoardNames, games: GameBatch, at: int) -> Mapping[str, int]:
    return {
        power: int(right) for power, right in zip(called.powers, games.build_rights[at], strict=True) if right
    }
