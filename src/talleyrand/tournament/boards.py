"""What the desk asks of a board: its powers, its centres, who may be missing from it.

Games that no file of the judge describes (intimate Diplomacy, Escalation, the game for two alliances) are
played at tournaments too: they take powers of the classic board, and nobody knows how many centres add up.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from talleyrand import variants
from talleyrand.tournament.model import Board

CLASSIC = "classic"
INTIMATE = "intimate"  # two players, who hire the other powers
PAIRS = "pairs"  # four players: England alone, and three pairs of powers played apart
ESCALATION = "escalation"  # three to five players who choose their centres in turn
FULL = 7
SMALL = 5  # a game of so many players or fewer does not count among powers already played
DISORDER = ("GERMANY", "ITALY")  # left to themselves on a classic board for five
UNKNOWN_CENTRES = {INTIMATE, ESCALATION}


@cache
def powers_of(variant: str) -> tuple[str, ...]:
    """The powers of a variant, in its order; the classic ones where the judge does not know it."""
    known = variant if variant in variants.every_name() else CLASSIC
    return variants.load_board(known).setting.board.powers


@cache
def centres_of(variant: str) -> int | None:
    """How many centres there are in all; None where that depends on the game."""
    if variant in UNKNOWN_CENTRES:
        return None
    known = variant if variant in variants.every_name() else CLASSIC
    return len(variants.load_board(known).setting.board.centres)


@cache
def solo_of(variant: str) -> int | None:
    """How many centres win alone; None where that depends on the game."""
    if variant in UNKNOWN_CENTRES:
        return None
    known = variant if variant in variants.every_name() else CLASSIC
    setting = variants.load_board(known).setting
    return setting.victory.needed(setting.board)


@cache
def scripted_of(variant: str) -> tuple[str, ...]:
    """The powers that a script plays where nobody sits."""
    if variant not in variants.every_name():
        return ()
    return tuple(variants.load_board(variant).setting.scripted)


def empty(board: Board) -> tuple[str, ...]:
    """The powers of a board where nobody sits."""
    return tuple(power for power, seat in board.seats.items() if seat.person is None)


def may_stay_empty(board: Board) -> bool:
    """Whether the game can begin with those powers empty: a script plays them, or they stand in disorder."""
    missing = set(empty(board))
    if board.variant == CLASSIC:
        return missing in (set(), set(DISORDER))
    return missing <= set(scripted_of(board.variant))


def players(board: Board) -> int:
    """How many people a board was drawn for; a latecomer who sits in for a script is one of them."""
    return len(list(seated(board)))


def seated(board: Board) -> Iterable[int]:
    """Whoever sits down at a board at its beginning, each person once."""
    return dict.fromkeys(seat.person for seat in board.seats.values() if seat.person is not None)
