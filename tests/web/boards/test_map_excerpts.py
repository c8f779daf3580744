"""The part of a board that a picture shows."""

from __future__ import annotations

import pytest

from talleyrand import variants
from talleyrand.web.boards import map_excerpts
from talleyrand.web.boards.map_excerpts import MapPoint

CLASSIC = variants.load("classic")
BOARD = (0.0, 0.0, 1800.0, 1500.0)


def test_without_a_place_the_whole_board_is_shown() -> None:
    assert map_excerpts.excerpt_box([], BOARD) == BOARD


@pytest.mark.parametrize("points", [[(0.0, 0.0)], [(1800.0, 1500.0)], [(900.0, 40.0), (950.0, 1000.0)]])
def test_a_part_holds_its_places_and_stays_on_the_board(points: list[MapPoint]) -> None:
    left, top, wide, high = map_excerpts.excerpt_box(points, BOARD)
    assert wide / high == pytest.approx(BOARD[2] / BOARD[3], abs=0.01)
    assert wide >= map_excerpts.LEAST * BOARD[2]
    assert all(left <= x <= left + wide and top <= y <= top + high for x, y in points)
    assert left >= 0
    assert top >= 0
    assert left + wide <= BOARD[2]
    assert top + high <= BOARD[3]


def test_places_that_lie_far_apart_take_the_whole_board() -> None:
    assert map_excerpts.excerpt_box([(10.0, 10.0), (1790.0, 1490.0)], BOARD) == BOARD


def test_what_is_no_place_has_no_point() -> None:
    assert len(list(map_excerpts.unit_points(CLASSIC, ["PAR", "XYZ", ""]))) == 1
