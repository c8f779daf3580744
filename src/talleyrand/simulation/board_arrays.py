"""Boards in numbers, for compiled code.

Provinces, locations (a province, then each of its coasts), powers and kinds of unit are numbered in the
board's order; those without land come after the powers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from talleyrand.engine.board import Board, province_of

from .array_layout import NONE, UInt8Array, UInt16Array

MOST_STEPS = 64


class BoardArrays(NamedTuple):
    """A board in arrays. P provinces, L locations, K kinds of unit, D steps at most from a location.

    `province` (L): the province of each location; `coasts` (P): how many coasts a province has. `reach`
    (K, L, P): how many locations of a province one step may lead to. `near` (K, L, D): the steps in order
    of their names, NONE after the last. `sea` (P); `waters` (P, P): the seas that touch a province.
    `convoys` and `sails` (K): the kinds that convoy and those that are convoyed. `whole` (P): the location
    that is all of a province; its coasts follow. `stands` (K, L): where a kind may stand.
    """

    province: UInt16Array
    coasts: UInt16Array
    reach: UInt8Array
    near: UInt16Array
    sea: UInt8Array
    waters: UInt8Array
    convoys: UInt8Array
    sails: UInt8Array
    whole: UInt16Array
    stands: UInt8Array


class BoardNames(NamedTuple):
    """What the numbers of a table stand for; `powers` are all who may have units, with land or without."""

    provinces: tuple[str, ...]
    locations: tuple[str, ...]
    kinds: tuple[str, ...]
    powers: tuple[str, ...]


@lru_cache(maxsize=16)
def board_names(board: Board) -> BoardNames:
    """The names of a board, in the order of their numbers."""
    locations = [
        location
        for code, province in board.provinces.items()
        for location in dict.fromkeys((code, *province.locations))
    ]
    return BoardNames(tuple(board.provinces), tuple(locations), tuple(board.kinds), board.seats)


@lru_cache(maxsize=16)
def board_arrays(board: Board) -> BoardArrays:
    """A board's table; raises ValueError where some unit has more than 64 steps to choose from."""
    called = board_names(board)
    place = {code: number for number, code in enumerate(called.provinces)}
    return BoardArrays(
        np.array([place[province_of(location)] for location in called.locations], np.uint16),
        np.array([len(province.coasts) for province in board.provinces.values()], np.uint16),
        _reach(board, called, place),
        _near(board, called),
        np.array([board.is_sea(code) for code in called.provinces], np.uint8),
        _waters(board, place),
        np.array([board.kinds[kind].convoys for kind in called.kinds], np.uint8),
        np.array([board.kinds[kind].convoyable for kind in called.kinds], np.uint8),
        np.array([called.locations.index(code) for code in called.provinces], np.uint16),
        np.array([[board.can_stand(k, place) for place in called.locations] for k in called.kinds], np.uint8),
    )


def _reach(board: Board, called: BoardNames, place: dict[str, int]) -> UInt8Array:
    reach = np.zeros((len(called.kinds), len(called.locations), len(place)), np.uint8)
    for kind, letter in enumerate(called.kinds):
        for origin, location in enumerate(called.locations):
            for step in board.adjacent_locations[letter].get(location, ()):
                reach[kind, origin, place[province_of(step)]] += 1
    return reach


def _near(board: Board, called: BoardNames) -> UInt16Array:
    """The steps from each location, in the order of the names."""
    number = {location: number for number, location in enumerate(called.locations)}
    most = max(len(steps) for links in board.adjacent_locations.values() for steps in links.values())
    if most > MOST_STEPS:
        raise ValueError(f"a unit has {most} steps to choose from; the kernel knows {MOST_STEPS} at most")
    near = np.full((len(called.kinds), len(called.locations), most), NONE, np.uint16)
    for kind, letter in enumerate(called.kinds):
        for location, steps in board.adjacent_locations[letter].items():
            near[kind, number[location], : len(steps)] = [number[step] for step in sorted(steps)]
    return near


def _waters(board: Board, place: dict[str, int]) -> UInt8Array:
    waters = np.zeros((len(place), len(place)), np.uint8)
    for code, seas in board.adjacent_seas.items():
        for sea in seas:
            waters[place[code], place[sea]] = 1
    return waters
