"""What a game asks beyond its board: calendar, homes, victory and the book's choices, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board, Mobility
from talleyrand.engine.game import GameDefinition
from talleyrand.engine.rulebook import Rulebook

from .array_layout import FIRST_COUNT, LAST_COUNT, NONE_COUNTS, Int64Array, UInt8Array, rulebook_numbers
from .board_arrays import BoardNames, board_names
from .game_batch import NO_LAST_YEAR, phase_codes, season_letters, stage_number

BUILDS_KEPT: Mapping[str, int] = {
    "first_legal": FIRST_COUNT,
    "last_legal": LAST_COUNT,
    "none": NONE_COUNTS,
}
REMOVALS_KEPT: Mapping[str, int] = {
    "first_legal": FIRST_COUNT,
    "last_legal": LAST_COUNT,
    "civil_disorder": NONE_COUNTS,
}


class SetupArrays(NamedTuple):
    """A setting and a book in arrays. P provinces, L locations, K kinds of unit, W powers, N phases.

    `after`, `years`, `season`, `stage` (N): the phase that follows each, how many years later (-1: in the
    first year), and its own season and kind; `captures` (N): whether centres change hands after it. `centre`
    (P); `kind_captures` (K): the kinds that capture; `afloat` (K): those that move at sea. `homes` (W, P).
    Removals go by `goals` (W, P), `removal_distances` (K, L, P), -1 without a way, and the `alphabet` (P).
    `choices`: columns of `codes`.
    """

    after: Int64Array
    years: Int64Array
    season: Int64Array
    stage: Int64Array
    captures: UInt8Array
    centre: UInt8Array
    kind_captures: UInt8Array
    afloat: UInt8Array
    homes: UInt8Array
    goals: UInt8Array
    removal_distances: NDArray[np.int16]
    alphabet: Int64Array
    choices: Int64Array


def setup_arrays(setting: GameDefinition, book: Rulebook, until: int | None) -> SetupArrays:
    """The arrays of games of a setting by a book, which end with the year `until`."""
    board, called = setting.board, board_names(setting.board)
    kinds = [board.kinds[letter] for letter in called.kinds]
    return SetupArrays(
        *_calendar(setting),
        np.array([province.centre for province in board.provinces.values()], np.uint8),
        np.array([kind.captures for kind in kinds], np.uint8),
        np.array([kind.mobility is Mobility.SEA for kind in kinds], np.uint8),
        _provinces_of(called, board.homes),
        _provinces_of(called, _references(board, book)),
        _distances(board, book.removal_metric),
        _alphabet(board, book),
        _choices(setting, book, until),
    )


def _calendar(setting: GameDefinition) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array, UInt8Array]:
    calendar, codes = setting.calendar, phase_codes(setting)
    opened, count = len(calendar.opening), len(codes)
    after = [number + 1 for number in range(count - 1)] + [opened]
    if opened:
        after[opened - 1] = codes.index(f"{calendar.first.season}{calendar.first.kind}", opened)
    years = [-1 if number == opened - 1 else int(number == count - 1) for number in range(count)]
    captures = [_captures(setting, codes[number], codes[after[number]]) for number in range(count)]
    letters = season_letters(setting)
    return (
        np.array(after, np.int64),
        np.array(years, np.int64),
        np.array([letters.index(code[0]) for code in codes], np.int64),
        np.array([stage_number(code) for code in codes], np.int64),
        np.array(captures, np.uint8),
    )


def _captures(setting: GameDefinition, left: str, entered: str) -> bool:
    first = setting.calendar.first
    return setting.calendar.captures_between(
        first._replace(season=left[0], kind=left[1]), first._replace(season=entered[0], kind=entered[1])
    )


def _provinces_of(called: BoardNames, listed: Mapping[str, tuple[str, ...]]) -> UInt8Array:
    return np.array(
        [[code in listed.get(power, ()) for code in called.provinces] for power in called.powers], np.uint8
    )


def _references(board: Board, book: Rulebook) -> Mapping[str, tuple[str, ...]]:
    """What removals' distances are measured to, where it is not the centres owned (row M50)."""
    if book.removal_reference == "country":
        return {**board.homes, **board.countries}
    return board.homes


@lru_cache(maxsize=16)
def _distances(board: Board, metric: str) -> NDArray[np.int16]:
    """How far each kind of unit is from each province, by the book's count (row M51)."""
    called = board_names(board)
    far = np.empty((len(called.kinds), len(called.locations), len(called.provinces)), np.int16)
    for kind, letter in enumerate(called.kinds):
        for at, place in enumerate(called.locations):
            far[kind, at] = [_distance(board, metric, letter, place, goal) for goal in called.provinces]
    return far


def _distance(board: Board, metric: str, letter: str, place: str, goal: str) -> int:
    afloat = board.kinds[letter].mobility is Mobility.SEA
    if metric == "by_unit_moves" or (afloat and metric == "army_any_fleet_sea"):
        return board.moves_to_nearest(letter, place, (goal,))
    return board.spaces_to_nearest(place.partition("/")[0], (goal,))


def _alphabet(board: Board, book: Rulebook) -> Int64Array:
    """The place of each province in the alphabet or list that settles removals (row M52)."""
    keys: list[str] | list[int]
    if book.removal_alphabet == "english_annex_number":
        keys = [province.number for province in board.provinces.values()]
        return np.array(keys, np.int64)
    french = book.removal_alphabet == "french"
    keys = [province.french_sort_key if french else province.name for province in board.provinces.values()]
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return np.array([ranks[key] for key in keys], np.int64)


def _choices(setting: GameDefinition, book: Rulebook, until: int | None) -> Int64Array:
    return np.array(
        [
            setting.victory.centres_needed(setting.board),
            NO_LAST_YEAR if until is None else until,
            setting.calendar.first.year,
            rulebook_numbers(book) is not None,
            book.adjust_balance == "gross",
            book.unused_builds == "kept",
            BUILDS_KEPT[book.too_many_builds],
            REMOVALS_KEPT[book.too_many_removals],
            book.missing_removals == "random",
            book.removal_reference == "owned_centres",
            book.single_retreat_space == "explicit_disband_of_other",
            book.convoy_marker != "none" and book.convoy_path != "required",
            book.convoy_path != "required",
        ],
        np.int64,
    )
