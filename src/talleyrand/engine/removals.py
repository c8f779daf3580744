"""Which units leave the board where their power does not say so (DATC 4.D.8; rows M49 to M53)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .board import Board, Mobility
from .outcome import RandomDraw
from .position import Position, Unit
from .random_draws import draw_one
from .rulebook import Rulebook

FAR = 10**6
ChosenRemoval = tuple[Unit, RandomDraw | None]


def choose_removals(
    board: Board, position: Position, power: str, book: Rulebook, gone: Iterable[Unit], due: int
) -> Iterator[ChosenRemoval]:
    """The units to be removed beside those already gone, each with its lot if one was drawn."""
    left = [unit for unit in removal_order(board, position, power, book) if unit not in gone]
    for _ in range(min(due, len(left))):
        one, lot = left[0], None
        if book.missing_removals == "random" and due < len(left):
            one, lot = _drawn(position, power, left)
        left.remove(one)
        due -= 1
        yield one, lot


def _drawn(position: Position, power: str, left: Iterable[Unit]) -> tuple[Unit, RandomDraw]:
    named = {str(unit): unit for unit in left}
    name = draw_one(position.seed, str(position.phase), named)
    return named[name], RandomDraw("removal", power, tuple(sorted(named)), name)


def removal_order(board: Board, position: Position, power: str, book: Rulebook) -> list[Unit]:
    """A power's units, the first to go first: farthest from its centres or country, fleets, the alphabet."""
    goals = _goals(board, position, power, book)

    def rank(unit: Unit) -> tuple[int, bool, int | str]:
        far = _distance(board, unit, goals, book)
        fleet = board.kinds[unit.kind].mobility is Mobility.SEA
        return (-(far if far >= 0 else FAR), not fleet, _letters(board, unit, book))

    return sorted((unit for unit in position.units if unit.power == power), key=rank)


def _goals(board: Board, position: Position, power: str, book: Rulebook) -> tuple[str, ...]:
    """What distances are measured to (M50). A power that chose its homes has no other country."""
    if book.removal_reference == "owned_centres":
        return position.owned_by(power)
    homes = position.homes_of(board, power)
    if book.removal_reference == "home_centres" or power in position.homes:
        return homes
    return board.countries.get(power, homes)


def _distance(board: Board, unit: Unit, goals: tuple[str, ...], book: Rulebook) -> int:
    """M51: over any space; or a fleet by its own moves; or an army too. -1 where there is no way."""
    afloat = board.kinds[unit.kind].mobility is Mobility.SEA
    by_moves = book.removal_metric == "by_unit_moves"
    if by_moves or (afloat and book.removal_metric == "army_any_fleet_sea"):
        return board.moves_to_nearest(unit.kind, unit.location, goals)
    return board.spaces_to_nearest(unit.province, goals)


def _letters(board: Board, unit: Unit, book: Rulebook) -> int | str:
    province = board.provinces[unit.province]
    if book.removal_alphabet == "english_annex_number":
        return province.number
    return province.french_sort_key if book.removal_alphabet == "french" else province.name
