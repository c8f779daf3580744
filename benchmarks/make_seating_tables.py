"""Makes the tables of `talleyrand.seating`: who meets whom where there are six boards or fewer.

    python -m benchmarks.make_seating_tables [--boards 4] [--rounds 6] [--minutes 1] [--seed 1901]

Draws round by round under a few seeds; then swaps two people of any round at a time, at a temperature that
falls, again and again until the bound is reached or the minutes are over; in turn with rounds of which some
are images of others, which leaves fewer to find (42 people in six rounds: two, and a turn of threes). Keeps
a table where it is better than the one at hand: fewer repeats, then fewer meetings of those who meet most
often. Compiled by Numba, which the package itself does not need.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from math import comb
from pathlib import Path
from string import ascii_letters
from time import monotonic

import numpy as np
from numba import njit
from numpy.typing import NDArray

from talleyrand import seating
from talleyrand.seating import bounds, meeting_designs
from talleyrand.seating.event_planning import POWERS

COSTS = (0, 0, 1, 5, 12, 22, 35, 51, 70, 92)  # of a pair that meets so often: few should meet very often
HOTTEST, COLDEST = 0.9, 0.12
FILE = Path(meeting_designs.__file__).with_name("tables.txt")
MOVES = 30_000_000
DRAWN = 4


@njit(cache=True)
def counted(order):  # type: ignore[no-untyped-def]
    """How often each pair meets; rows and columns are people."""
    rounds, boards, size = order.shape
    met = np.zeros((boards * size, boards * size), np.int8)
    for r, b in np.ndindex(rounds, boards):
        for i, j in np.ndindex(size, size):
            if i != j:
                met[order[r, b, i], order[r, b, j]] += 1
    return met


@njit(cache=True, inline="always")
def change(met, dearer, order, r, b, seat, newcomer):  # type: ignore[no-untyped-def]
    """What it costs to have somebody else on a seat."""
    p, total = order[r, b, seat], 0
    for place in range(order.shape[2]):
        if place != seat:
            other = order[r, b, place]
            total += dearer[met[newcomer, other]] - dearer[met[p, other] - 1]
    return total


@njit(cache=True)
def seated(met, order, r, b, seat, newcomer):  # type: ignore[no-untyped-def]
    """Give a seat to somebody else."""
    p = order[r, b, seat]
    for place in range(order.shape[2]):
        if place != seat:
            other = order[r, b, place]
            met[p, other] -= 1
            met[other, p] -= 1
            met[newcomer, other] += 1
            met[other, newcomer] += 1
    order[r, b, seat] = newcomer


@njit(cache=True, inline="always")
def stepped(state):  # type: ignore[no-untyped-def]
    """The next state of a small generator (xorshift)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ (state << np.uint64(17))


@njit(cache=True)
def swapped(met, dearer, order, at, turn, a, i, b, j):  # type: ignore[no-untyped-def]
    """Swap two seats of a round, and those of its images; gives what that costs."""
    more = 0
    for r in range(at, at + turn):
        p, q = order[r, a, i], order[r, b, j]
        more += change(met, dearer, order, r, a, i, q) + change(met, dearer, order, r, b, j, p)
        seated(met, order, r, a, i, q)
        seated(met, order, r, b, j, p)
    return more


@njit(cache=True)
def anneal(order, turn, costs, moves, hottest, coldest, seed):  # type: ignore[no-untyped-def]
    """Swap people of `order` (round, board, seat) in place, to leave the best that is come across.

    Rounds come in groups of `turn`, each the image of the one before, and stay so.
    """
    rounds, boards, size = order.shape
    met, cost, least, kept, dearer = counted(order), 0, 0, order.copy(), np.diff(costs)
    falling, heat, state = (coldest / hottest) ** (1000.0 / moves), hottest * turn, np.uint64(seed * 2 + 1)
    swaps, places = rounds // turn * boards * (boards - 1) * size * size, size * size
    for move in range(moves):
        if move % 1000 == 0:
            heat *= falling
        state = stepped(state)
        drawn = np.int64((state >> np.uint64(33)) % np.uint64(swaps))
        seats, drawn = drawn % places, drawn // places
        i, j = seats // size, seats % size
        b, drawn = drawn % (boards - 1), drawn // (boards - 1)
        a, at = drawn % boards, drawn // boards * turn
        b += b >= a
        more = swapped(met, dearer, order, at, turn, a, i, b, j)
        state = stepped(state)
        if more > 0 and (state >> np.uint64(11)) * 2.0**-53 >= np.exp(-more / heat):
            swapped(met, dearer, order, at, turn, a, i, b, j)
            continue
        cost += more
        if cost < least:
            least = cost
            kept[:] = order
    order[:] = kept


def begun(boards: int, rounds: int, turn: int, seed: int) -> NDArray[np.int32]:
    """Rounds in a chance order; of each group, one is the image of another by a turn of all people."""
    chance, people = np.random.default_rng(seed), 7 * boards
    image = np.arange(people, dtype=np.int32)
    for first in range(0, people - people % turn, turn):
        image[first : first + turn] = np.roll(image[first : first + turn], 1)
    order = np.empty((rounds, boards, 7), np.int32)
    for at in range(0, rounds, turn):
        here = chance.permutation(people).astype(np.int32)
        for number in range(at, at + turn):
            order[number] = here.reshape(boards, 7)
            here = image[here]
    return order


def search(boards: int, rounds: int, minutes: float, seed: int) -> meeting_designs.RoundTable:
    """The best table that is found in so many minutes, or the first that reaches both bounds."""
    until, best = (
        monotonic() + 60 * minutes,
        min(map(partial(by_rounds, boards, rounds), range(DRAWN)), key=quality),
    )
    goal = (bounds.fewest_repeats_of_rounds(boards, rounds), bounds.most_meetings(boards, rounds))
    moves, turns = MOVES, [turn for turn in (1, 2, 3) if rounds % turn == 0]
    print(f"{7 * boards}x{rounds}: {quality(best)}, bounds {goal}, drawn", flush=True)
    while quality(best) > goal and monotonic() < until:
        turn = turns[seed % len(turns)]
        order = begun(boards, rounds, turn, seed)
        anneal(order, turn, np.array(COSTS), moves // turn, HOTTEST, COLDEST, seed)
        found = meeting_designs.RoundTable(
            tuple(tuple(tuple(map(int, board)) for board in round_) for round_ in order)
        )
        if quality(found) < quality(best):
            best = found
            print(
                f"{7 * boards}x{rounds}: {quality(best)}, bounds {goal}, seed {seed}, turn {turn}", flush=True
            )
        seed, moves = seed + 1, min(moves * 6 // 5, 20 * MOVES)
    return best


def by_rounds(boards: int, rounds: int, seed: int) -> meeting_designs.RoundTable:
    """The rounds that one seed draws, none with a thought of those to come."""
    past: list[seating.PastGame] = []
    table = []
    asked = seating.SeatingRequest(dict.fromkeys(range(boards), POWERS), tuple(range(7 * boards)))
    for number in range(rounds):
        found = seating.draw(
            replace(asked, seed=f"{seed} {number}", history=seating.SeatingHistory(tuple(past)))
        )
        past += [seating.PastGame(given) for given in found.seats.values()]
        table.append(tuple(tuple(given.values()) for given in found.seats.values()))
    return meeting_designs.RoundTable(tuple(table))


def quality(table: meeting_designs.RoundTable) -> tuple[int, int]:
    """Repeats, and how often the pair meets that meets most."""
    counts = table.meetings().values()
    return sum(comb(count, 2) for count in counts), max(counts)


def keep(table: meeting_designs.RoundTable) -> None:
    """Put a table into the file, in place of those it is better than, or as good as and longer."""
    meeting_designs.read_tables.cache_clear()
    known = {**meeting_designs.read_tables(), (len(table.rounds[0]), len(table.rounds)): table}
    needed = {
        size: one for size, one in known.items() if not any(serves(other, one) for other in known.values())
    }
    FILE.write_text("\n\n".join(written(*entry) for entry in sorted(needed.items())) + "\n", "ascii")
    meeting_designs.read_tables.cache_clear()


def serves(longer: meeting_designs.RoundTable, table: meeting_designs.RoundTable) -> bool:
    """Whether the first rounds of a longer table are as good."""
    rounds, boards = len(table.rounds), len(table.rounds[0])
    if len(longer.rounds) <= rounds or len(longer.rounds[0]) != boards:
        return False
    return quality(meeting_designs.RoundTable(longer.rounds[:rounds])) <= quality(table)


def written(size: tuple[int, int], table: meeting_designs.RoundTable) -> str:
    """A table as the file has it, people in the order in which they first sit."""
    letter = dict(
        zip((person for board in table.rounds[0] for person in sorted(board)), ascii_letters, strict=False)
    )
    rounds = [
        sorted("".join(sorted(letter[person] for person in board)) for board in boards)
        for boards in table.rounds
    ]
    return "\n".join([f"{size[0]} {size[1]}", *map(" ".join, rounds)])


def main() -> None:
    """Search, and keep what is better than what is at hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, nargs="*", default=[2, 3, 4, 5, 6])
    parser.add_argument("--rounds", type=int, nargs="*", default=[8, 7, 6, 5, 4, 3, 2])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1901)
    options = parser.parse_args()
    for boards in options.boards:
        for rounds in options.rounds:
            at_hand = meeting_designs.load_table(boards, rounds)
            goal = (bounds.fewest_repeats_of_rounds(boards, rounds), bounds.most_meetings(boards, rounds))
            if at_hand and quality(at_hand) <= goal:
                continue
            found = search(boards, rounds, options.minutes, options.seed)
            if at_hand is None or quality(found) < quality(at_hand):
                keep(found)


if __name__ == "__main__":
    main()
