"""The traveller: how far from home each power's units went, in territories that lie between.

Source: Anjou Feu regulations, prize of François Le Gouz de la Boullaye. A territory counts as a step whatever
the unit, by land or by sea: so both printed examples come out (Turkey: Picardy 6, Bulgaria 0).
"""

from __future__ import annotations

from collections.abc import Iterable

from talleyrand import variants
from talleyrand.engine.board import Board, province_of
from talleyrand.engine.position import Position

MAX_TYPED_TERRITORIES = 99  # territories that may be typed where the judge does not know the homes


def knows_homes(variant: str) -> bool:
    """Whether the judge knows the homes of a variant; otherwise territories are counted at the table."""
    return variant in variants.all_names() and all(variants.load_board(variant).board.homes.values())


def is_reachable(variant: str, reached: str) -> bool:
    """Whether this can be typed: a province of the variant, or a number of territories where it has none."""
    if reached.isascii() and reached.isdecimal() and not knows_homes(variant):
        return len(reached) <= len(str(MAX_TYPED_TERRITORIES))
    return knows_homes(variant) and reached in variants.load_board(variant).board.provinces


def travel_points(variant: str, power: str, reached: str) -> int:
    """Territories between a power's home centres and the farthest province it reached; 0 for none, and for
    what it may not reach: a file may say anything."""
    if not is_reachable(variant, reached):
        return 0
    return (
        territories_between(variants.load_board(variant).board, power, reached)
        if knows_homes(variant)
        else int(reached)
    )


def territories_between(board: Board, power: str, province: str, homes: Iterable[str] = ()) -> int:
    """Territories between a province and the nearest home centre, those of the board where none are given."""
    return max(0, board.spaces_to_nearest(province, homes or board.homes[power]) - 1)


def farthest_province(board: Board, power: str, positions: Iterable[Position]) -> str:
    """The province farthest from home that a power's units stood in during a game; "" for none.

    Of several equally far, the first that was reached.
    """
    best, far = "", -1
    for position in positions:
        homes = position.homes_of(board, power)
        for province in _occupied(position, power):
            steps = board.spaces_to_nearest(province, homes)
            best, far = (province, steps) if steps > far else (best, far)
    return best


def _occupied(position: Position, power: str) -> list[str]:
    fallen = [one.unit for one in position.dislodged]
    return [province_of(unit.location) for unit in (*position.units, *fallen) if unit.power == power]
