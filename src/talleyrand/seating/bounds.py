"""What no draw can do better than, proven.

Seven who shared a board are spread over k boards: some of them meet again, as few as possible where they are
spread evenly. Every board of the past gives so many repeats for itself, whatever becomes of the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from math import comb

SIZE = 7


def fewest_pairs_when_spread(count: int, boards: int) -> int:
    """The fewest pairs that share a board where so many people are spread over so many boards."""
    each, more = divmod(count, boards)
    return more * comb(each + 1, 2) + (boards - more) * comb(each, 2)


def fewest_repeats_of_two_rounds(boards: int, size: int = SIZE) -> int:
    """The fewest pairs that meet in both of two rounds on so many boards."""
    return boards * fewest_pairs_when_spread(size, boards)


def fewest_repeats_of_rounds(boards: int, rounds: int, size: int = SIZE) -> int:
    """The fewest repeats, the sum of C(m, 2) where a pair meets m times, of so many rounds."""
    return comb(rounds, 2) * fewest_repeats_of_two_rounds(boards, size)


def fewest_third_meetings(games: Sequence[Collection[int]], boards: int) -> int:
    """How many pairs meet for the third time or more often at least: who shared two games, of the players of
    each, is spread over so many boards. Groups that have a pair in common count once.
    """
    shared = (frozenset(one).intersection(other) for one, other in combinations(games, 2))
    chosen = list[frozenset[int]]()
    for group in sorted((group for group in shared if len(group) > boards), key=len, reverse=True):
        if all(len(group & other) < 2 for other in chosen):
            chosen.append(group)
    return sum(fewest_pairs_when_spread(len(group), boards) for group in chosen)


def most_meetings(boards: int, rounds: int, size: int = SIZE) -> int:
    """How often some pair meets at least: of those who have always met, some meet again."""
    together, most = size, 0
    for _ in range(rounds):
        if together < 2:
            break
        most += 1
        together = -(-together // boards)
    return most


def fewest_repeats_of_next_round(
    games: Iterable[Mapping[int, int]], sizes: Sequence[int], locked: Mapping[int, int] | None = None
) -> int:
    """The fewest repeats of one more round on boards of these sizes.

    `games`: of each game so far, its players who play now, and on how many boards (1, or 2). `locked`: the
    board, by its place in `sizes`, of people who have to sit on it.
    """
    locked = locked or {}
    return sum(_of_game(game, sizes, locked) for game in games)


def _of_game(game: Mapping[int, int], sizes: Sequence[int], locked: Mapping[int, int]) -> int:
    """Spread the players of a game over the boards, each time where fewest of them sit."""
    there, room = [0] * len(sizes), list(sizes)
    for person, board in locked.items():
        there[board] += person in game
        room[board] -= 1
    here = sum(1 for person in game if person in locked)
    for _ in range(sum(game.values()) - here):
        open_boards = [board for board, free in enumerate(room) if free > 0]
        if not open_boards:
            break
        least = min(open_boards, key=there.__getitem__)
        there[least] += 1
        room[least] -= 1
    return sum(comb(count, 2) for count in there)


def fewest_power_repeats_of_round(played: Sequence[frozenset[str]], seats: Mapping[str, int]) -> int:
    """How many play a power again at least. `played`: by each seat to be filled; `seats`: of each power.

    As many as possible get a power that is new to them: people and powers are matched, boards forgotten.
    """
    matched: dict[str, list[int]] = {power: [] for power in seats}
    new = sum(_match(person, played, seats, matched) for person in range(len(played)))
    return len(played) - new


def _match(
    person: int, played: Sequence[frozenset[str]], seats: Mapping[str, int], matched: dict[str, list[int]]
) -> bool:
    """Find a new power for a person, moving others on along the shortest chain; tell whether there is one."""
    came_from: dict[str, tuple[int, str]] = {}
    waiting: list[tuple[int, str]] = [(person, "")]
    for one, before in waiting:
        for power in seats:
            if power in played[one] or power in came_from:
                continue
            came_from[power] = (one, before)
            if len(matched[power]) < seats[power]:
                _move_along(power, came_from, matched)
                return True
            waiting += [(other, power) for other in matched[power]]
    return False


def _move_along(power: str, came_from: Mapping[str, tuple[int, str]], matched: dict[str, list[int]]) -> None:
    while power:
        one, before = came_from[power]
        matched[power].append(one)
        if before:
            matched[before].remove(one)
        power = before
