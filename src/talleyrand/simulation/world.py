"""Many games in arrays: where they stand, and the engine's positions as their rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board
from talleyrand.engine.game import Setting
from talleyrand.engine.position import Dislodged, Phase, Position, Unit, check

from . import codes
from .codes import NOBODY, NONE, STAGES, Cells, Masks
from .encoding import Numbers, numbers, retreat_bits, retreat_places, steps
from .tables import Names, names

LETTERS = "MRA"
EVER = 10**9  # a year that no game comes to


@dataclass(frozen=True, eq=False)
class Games:
    """Games of one board by one calendar, as numbers (`codes`, `tables.names`).

    `places` (game, row, province); `escapes` (game, province): where the unit dislodged from there may
    retreat, a bit for each of its steps in the order of `Table.near`; `clock` (game, column); `rights`
    (game, power): builds kept from earlier winters; `seeds` settle what a book draws by lot.
    """

    places: Cells
    escapes: Masks
    clock: Masks
    rights: Masks
    seeds: list[str] = field(repr=False)

    @classmethod
    def blank(cls, board: Board, count: int) -> Games:
        """Room for so many games, in which nobody stands anywhere."""
        provinces = len(board.provinces)
        return cls(
            np.full((count, codes.STATE_ROWS, provinces), NONE, np.uint16),
            np.zeros((count, provinces), np.int64),
            np.zeros((count, codes.CLOCK_COLUMNS), np.int64),
            np.zeros((count, len(board.seats)), np.int64),
            [""] * count,
        )

    def __len__(self) -> int:
        return len(self.places)

    def take(self, which: Iterable[int]) -> Games:
        """A copy of some of the games, in this order; one may come several times."""
        rows = list(which)
        return Games(
            self.places[rows],
            self.escapes[rows],
            self.clock[rows],
            self.rights[rows],
            [self.seeds[row] for row in rows],
        )

    def put(self, at: int, one: Games) -> None:
        """Write the first of other games over one of these."""
        self.places[at], self.escapes[at] = one.places[0], one.escapes[0]
        self.clock[at], self.rights[at], self.seeds[at] = one.clock[0], one.rights[0], one.seeds[0]

    def sheets(self) -> Cells:
        """Sheets for every game, with no order yet."""
        count, _, provinces = self.places.shape
        return np.full((count, codes.SHEET_ROWS, provinces), NONE, np.uint16)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether each game is over."""
        over: NDArray[np.bool_] = self.clock[:, codes.OVER] != 0
        return over

    def centres(self) -> Masks:
        """How many centres each power owns (game, power)."""
        powers = np.arange(self.rights.shape[1])
        owners = self.places[:, codes.CENTRE, None, :]
        found: Masks = (owners == powers[:, None]).sum(axis=2)
        return found


# the calendar -------------------------------------------------------------------------------------


def rounds(setting: Setting) -> tuple[str, ...]:
    """Season and kind of every phase of a calendar, in the order of their numbers."""
    return setting.calendar.opening + setting.calendar.cycle


def seasons(setting: Setting) -> tuple[str, ...]:
    """The letters of the seasons, in the order of their numbers."""
    return tuple(dict.fromkeys(code[0] for code in setting.calendar.cycle + setting.calendar.opening))


def stage(code: str) -> int:
    """The number of a phase's kind."""
    place = LETTERS.find(code[1])
    return STAGES[place] if place >= 0 else codes.OWN_PHASE


# writing ------------------------------------------------------------------------------------------


def write_position(setting: Setting, position: Position, games: Games, at: int) -> None:
    """Put a game where a position stands. Raises BadPosition for one that cannot stand, ValueError for one
    of which the arrays do not tell everything."""
    check(setting.board, position)
    setting.calendar.check(position.phase)
    lacking = missing(setting.board, position)
    if lacking:
        raise ValueError(f"games in arrays hold no {', '.join(lacking)}")
    number, row = numbers(setting.board), games.places[at]
    row[:], games.escapes[at], games.rights[at] = NONE, 0, 0
    row[[codes.FALLEN_ROUTE, codes.SHUT]] = 0
    for unit in position.units:
        _write_unit(number, unit, row[:, number.provinces[unit.province]], codes.KIND)
    for fallen in position.dislodged:
        _write_dislodged(setting.board, fallen, games, at)
    for place in position.contested:
        row[codes.SHUT, number.provinces[place]] = 1
    _write_centres(number, position, row)
    for power, right in position.kept_builds.items():
        games.rights[at, number.powers[power]] = right
    games.seeds[at] = position.seed
    _write_clock(setting, position, games.clock[at])


def missing(board: Board, position: Position) -> tuple[str, ...]:
    """What a position says that the arrays cannot hold."""
    counted = (position.phase.year, *position.kept_builds.values())
    strange = {
        "retreats that are no steps": any(
            not set(fallen.retreats) <= set(steps(board, fallen.unit)) for fallen in position.dislodged
        ),
        "years or rights beyond a thousand million": max(map(abs, counted)) >= EVER,
        "unknown centres": position.centres is None,
        "homes of their own": bool(position.homes),
        "civil disorder": bool(position.disorder or position.torn or position.unordered),
        "eliminated powers whose units stand": bool(position.passive),
    }
    return tuple(what for what, found in strange.items() if found)


def _write_unit(number: Numbers, unit: Unit, column: Cells, first: int) -> None:
    """Kind, power and location, in three rows of a province."""
    column[first : first + 3] = (
        number.kinds[unit.kind],
        number.powers[unit.power],
        number.locations[unit.location],
    )


def _write_dislodged(board: Board, fallen: Dislodged, games: Games, at: int) -> None:
    number = numbers(board)
    place = number.provinces[fallen.unit.province]
    column = games.places[at, :, place]
    _write_unit(number, fallen.unit, column, codes.FALLEN_KIND)
    column[codes.FALLEN_BY] = number.provinces[fallen.by]
    column[codes.FALLEN_ROUTE] = fallen.convoyed
    games.escapes[at, place] = retreat_bits(board, fallen)


def _write_centres(number: Numbers, position: Position, row: Cells) -> None:
    for owners, where in ((position.centres, codes.CENTRE), (position.centres_before, codes.BEFORE)):
        for power, centres in (owners or {}).items():
            for code in centres:
                row[where, number.provinces[code]] = number.powers[power]


def _write_clock(setting: Setting, position: Position, clock: Masks) -> None:
    phase = position.phase
    code = phase.season + phase.kind
    clock[codes.PHASE], clock[codes.YEAR] = rounds(setting).index(code), phase.year
    clock[codes.SEASON], clock[codes.STAGE] = seasons(setting).index(phase.season), stage(code)
    clock[codes.OVER], clock[codes.WINNER] = 0, NOBODY
    clock[codes.COUNTED] = position.centres_before is not None


# reading ------------------------------------------------------------------------------------------


def read_position(setting: Setting, games: Games, at: int) -> Position:
    """Where a game stands."""
    board, clock = setting.board, games.clock[at].tolist()
    called, code = names(board), rounds(setting)[clock[codes.PHASE]]
    columns = games.places[at].T.tolist()
    here = range(len(columns))
    owners = _owners(called, columns, codes.CENTRE)
    return Position(
        Phase(code[0], clock[codes.YEAR], code[1]),
        tuple(read_unit(called, columns[p], codes.KIND) for p in here if columns[p][codes.KIND] != NONE),
        _dislodged(board, games, at),
        frozenset(called.provinces[place] for place in here if columns[place][codes.SHUT]),
        owners,
        centres_before=_owners(called, columns, codes.BEFORE) if clock[codes.COUNTED] else None,
        kept_builds=_rights(called, games, at),
        seed=games.seeds[at],
    )


def read_unit(called: Names, column: list[int], first: int) -> Unit:
    """The unit that three rows of a province tell of."""
    kind, power, location = column[first : first + 3]
    return Unit(called.kinds[kind], called.locations[location], called.powers[power])


def _dislodged(board: Board, games: Games, at: int) -> tuple[Dislodged, ...]:
    called, found = names(board), []
    for place, column in enumerate(games.places[at].T.tolist()):
        if column[codes.FALLEN_KIND] != NONE:
            unit = read_unit(called, column, codes.FALLEN_KIND)
            retreats = retreat_places(board, unit, int(games.escapes[at, place]))
            by, convoyed = called.provinces[column[codes.FALLEN_BY]], bool(column[codes.FALLEN_ROUTE])
            found.append(Dislodged(unit, by, convoyed, retreats))
    return tuple(found)


def _owners(called: Names, columns: list[list[int]], row: int) -> dict[str, tuple[str, ...]]:
    owned: dict[str, list[str]] = {power: [] for power in called.powers}
    for place, column in zip(called.provinces, columns, strict=True):
        if column[row] != NONE:
            owned[called.powers[column[row]]].append(place)
    return {power: tuple(sorted(centres)) for power, centres in owned.items()}


def _rights(called: Names, games: Games, at: int) -> Mapping[str, int]:
    return {power: int(right) for power, right in zip(called.powers, games.rights[at], strict=True) if right}
