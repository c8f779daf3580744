"""What the desk asks of a board: its powers, its centres, who may be missing from it.

Games that no file of the judge describes (intimate Diplomacy, the game for two alliances, the Escalation of
former events) are played at tournaments too: they take powers of the classic board, and nobody knows how many
centres add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache

from talleyrand import variants
from talleyrand.tournament.model import FIRST_YEAR, BoardResult, EventBoard, PowerSeat
from talleyrand.variants import Variant

CLASSIC = "classic"
INTIMATE = "intimate"  # two players, who hire the other powers
PAIRS = "pairs"  # four players: England alone, and three pairs of powers played apart
ESCALATION = "escalation"  # of former events: the variants `escalation_3` to `escalation_5` have files now
FULL_BOARD = 7
SMALL_BOARD = 5  # a game of so many players or fewer does not count among powers already played
PAIRS_SPLIT = variants.load(CLASSIC).splits["pairs"]
DISORDER_POWERS = variants.load(CLASSIC).splits["disorder_five"].absent  # of a classic board for five
UNKNOWN_CENTRES = {INTIMATE, ESCALATION}


@cache
def board_variant(name: str) -> Variant:
    """The variant of a board; the classic one where the judge does not know it, and where at a table people
    take powers of the classic board."""
    return variants.load_board(name if knows_board(name) else CLASSIC)


def knows_board(name: str) -> bool:
    """Whether the powers of a board are those of a variant of that name."""
    return name in variants.all_names() and name not in UNKNOWN_CENTRES


def variant_powers(variant: str) -> tuple[str, ...]:
    """The powers of a variant, in its order."""
    return board_variant(variant).definition.board.powers


def centre_count(variant: str) -> int | None:
    """How many centres there are in all; None where that depends on the game."""
    if variant in UNKNOWN_CENTRES:
        return None
    return len(board_variant(variant).definition.board.centres)


@cache
def solo_centres(variant: str) -> int | None:
    """How many centres win alone; None where that depends on the game."""
    if variant in UNKNOWN_CENTRES:
        return None
    setting = board_variant(variant).definition
    return setting.victory.centres_needed(setting.board)


def scripted_powers(variant: str) -> tuple[str, ...]:
    """The powers that a script plays where nobody sits."""
    return tuple(board_variant(variant).definition.scripted_powers)


def empty_powers(board: EventBoard) -> tuple[str, ...]:
    """The powers of a board where nobody sits."""
    return tuple(power for power, seat in board.seats.items() if seat.person is None)


def may_stay_empty(board: EventBoard) -> bool:
    """Whether the game can begin with those powers empty: a script plays them, or they stand in disorder."""
    missing = set(empty_powers(board))
    if board.variant == CLASSIC:
        return missing in (set(), set(DISORDER_POWERS))
    return missing <= set(scripted_powers(board.variant))


def player_count(board: EventBoard) -> int:
    """How many people a board was drawn for; a latecomer who sits in for a script is one of them."""
    return len(list(first_players(board)))


def first_players(board: EventBoard) -> Iterable[int]:
    """Whoever sits down at a board at its beginning, each person once."""
    return dict.fromkeys(seat.person for seat in board.seats.values() if seat.person is not None)


def seat_players(seat: PowerSeat) -> tuple[int, ...]:
    """Whoever played a seat, in order: the first, and those who took over."""
    first = () if seat.person is None else (seat.person,)
    return (*first, *(relief.person for relief in seat.reliefs))


def board_people(board: EventBoard) -> list[int]:
    """Whoever sits at a board, or sat there, each once."""
    return list(dict.fromkeys(who for seat in board.seats.values() for who in seat_players(seat)))


def yearly_centres(board: EventBoard, ended: int | None = None) -> dict[int, Mapping[str, int]]:
    """Centres at the end of each year that is known, in order; none of a year that nobody wrote down.

    The result has the last word on its own year, and nothing is after it. `ended`: the year of a result that
    does not say its own.
    """
    told, result = dict(sorted(board.years.items())), board.result
    last = (result.year or ended) if result is not None else None
    if result is None or last is None:
        return told
    return {**{year: centres for year, centres in told.items() if year < last}, last: result.centres}


def elimination_years(years: Mapping[int, Mapping[str, int]]) -> dict[str, int]:
    """The year in which each power fell, as centres year by year tell it: where the year before is known."""
    return {
        power: year
        for year, centres in years.items()
        for power, count in centres.items()
        if not count and (year == FIRST_YEAR or years.get(year - 1, {}).get(power))
    }


def result_elimination_years(
    board: EventBoard, result: BoardResult, ended: int | None = None
) -> dict[str, int]:
    """The year in which each power that is out fell: as the result tells it, or centres year by year."""
    told = elimination_years(yearly_centres(replace(board, result=result), ended))
    out = {power: year for power, year in told.items() if not result.centres.get(power)}
    return {**out, **result.eliminated_in}
