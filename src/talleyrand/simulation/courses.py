"""What a game asks beyond its board: calendar, homes, victory and the book's choices, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from talleyrand.engine.board import Board, Mobility
from talleyrand.engine.game import Setting
from talleyrand.engine.rulebook import (
    AdjustBalance,
    Marker,
    MissingRemovals,
    Path,
    RemovalAlphabet,
    RemovalMetric,
    RemovalReference,
    Rulebook,
    SingleRetreat,
    Surplus,
    SurplusRemovals,
    UnusedBuilds,
)

from .codes import FIRST_COUNT, LAST_COUNT, NONE_COUNTS, Bytes, Masks
from .rules import rules
from .tables import Names, names
from .world import EVER, rounds, seasons, stage

BUILDS_KEPT: Mapping[Surplus, int] = {
    Surplus.FIRST_LEGAL: FIRST_COUNT,
    Surplus.LAST_LEGAL: LAST_COUNT,
    Surplus.NONE: NONE_COUNTS,
}
REMOVALS_KEPT: Mapping[SurplusRemovals, int] = {
    SurplusRemovals.FIRST_LEGAL: FIRST_COUNT,
    SurplusRemovals.LAST_LEGAL: LAST_COUNT,
    SurplusRemovals.CIVIL_DISORDER: NONE_COUNTS,
}


class Course(NamedTuple):
    """A setting and a book in arrays. P provinces, L locations, K kinds of unit, W powers, N phases.

    `after`, `years`, `season`, `stage` (N): the phase that follows each, how many years later (-1: in the
    first year), and its own season and kind; `captures` (N): whether centres change hands after it.
    `centre` (P); `takes` (K): the kinds that capture; `afloat` (K): those that move at sea. `homes` (W, P).
    Removals go by `goals` (W, P), `far` (K, L, P), -1 without a way, and the `alphabet` (P).
    `choices`: columns of `codes`.
    """

    after: Masks
    years: Masks
    season: Masks
    stage: Masks
    captures: Bytes
    centre: Bytes
    takes: Bytes
    afloat: Bytes
    homes: Bytes
    goals: Bytes
    far: NDArray[np.int16]
    alphabet: Masks
    choices: Masks


def course(setting: Setting, book: Rulebook, until: int | None) -> Course:
    """The arrays of games of a setting by a book, which end with the year `until`."""
    board, called = setting.board, names(setting.board)
    kinds = [board.kinds[letter] for letter in called.kinds]
    return Course(
        *_calendar(setting),
        np.array([province.centre for province in board.provinces.values()], np.uint8),
        np.array([kind.captures for kind in kinds], np.uint8),
        np.array([kind.mobility is Mobility.SEA for kind in kinds], np.uint8),
        _provinces_of(called, board.homes),
        _provinces_of(called, _references(board, book)),
        _distances(board, book),
        _alphabet(board, book),
        _choices(setting, book, until),
    )


def _calendar(setting: Setting) -> tuple[Masks, Masks, Masks, Masks, Bytes]:
    calendar, codes = setting.calendar, rounds(setting)
    opened, count = len(calendar.opening), len(codes)
    after = [number + 1 for number in range(count - 1)] + [opened]
    if opened:
        after[opened - 1] = codes.index(f"{calendar.first.season}{calendar.first.kind}", opened)
    years = [-1 if number == opened - 1 else int(number == count - 1) for number in range(count)]
    captures = [_captures(setting, codes[number], codes[after[number]]) for number in range(count)]
    letters = seasons(setting)
    return (
        np.array(after, np.int64),
        np.array(years, np.int64),
        np.array([letters.index(code[0]) for code in codes], np.int64),
        np.array([stage(code) for code in codes], np.int64),
        np.array(captures, np.uint8),
    )


def _captures(setting: Setting, left: str, entered: str) -> bool:
    first = setting.calendar.first
    return setting.calendar.captures(
        first._replace(season=left[0], kind=left[1]), first._replace(season=entered[0], kind=entered[1])
    )


def _provinces_of(called: Names, listed: Mapping[str, tuple[str, ...]]) -> Bytes:
    return np.array(
        [[code in listed.get(power, ()) for code in called.provinces] for power in called.powers], np.uint8
    )


def _references(board: Board, book: Rulebook) -> Mapping[str, tuple[str, ...]]:
    """What removals' distances are measured to, where it is not the centres owned (row M50)."""
    if book.removal_reference is RemovalReference.COUNTRY:
        return {**board.homes, **board.countries}
    return board.homes


def _distances(board: Board, book: Rulebook) -> NDArray[np.int16]:
    """How far each kind of unit is from each province, by the book's count (row M51)."""
    called = names(board)
    far = np.empty((len(called.kinds), len(called.locations), len(called.provinces)), np.int16)
    for kind, letter in enumerate(called.kinds):
        for at, place in enumerate(called.locations):
            far[kind, at] = [_distance(board, book, letter, place, goal) for goal in called.provinces]
    return far


def _distance(board: Board, book: Rulebook, letter: str, place: str, goal: str) -> int:
    afloat = board.kinds[letter].mobility is Mobility.SEA
    by_moves = book.removal_metric is RemovalMetric.BY_UNIT_MOVES
    if by_moves or (afloat and book.removal_metric is RemovalMetric.ARMY_ANY_FLEET_SEA):
        return board.journey(letter, place, (goal,))
    return board.distance(place.partition("/")[0], (goal,))


def _alphabet(board: Board, book: Rulebook) -> Masks:
    """The place of each province in the alphabet or list that settles removals (row M52)."""
    keys: list[str] | list[int]
    if book.removal_alphabet is RemovalAlphabet.ANNEX_NUMBER:
        keys = [province.number for province in board.provinces.values()]
        return np.array(keys, np.int64)
    french = book.removal_alphabet is RemovalAlphabet.FRENCH
    keys = [province.french if french else province.name for province in board.provinces.values()]
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return np.array([ranks[key] for key in keys], np.int64)


def _choices(setting: Setting, book: Rulebook, until: int | None) -> Masks:
    return np.array(
        [
            setting.victory.needed(setting.board),
            EVER if until is None else until,
            setting.calendar.first.year,
            rules(book) is not None,
            book.adjust_balance is AdjustBalance.GROSS,
            book.unused_builds is UnusedBuilds.KEPT,
            BUILDS_KEPT[book.too_many_builds],
            REMOVALS_KEPT[book.too_many_removals],
            book.missing_removals is MissingRemovals.RANDOM,
            book.removal_reference is RemovalReference.OWNED_CENTRES,
            book.single_retreat_space is SingleRetreat.EXPLICIT,
            book.convoy_marker is not Marker.NONE and book.convoy_path is not Path.REQUIRED,
            book.convoy_path is not Path.REQUIRED,
        ],
        np.int64,
    )
