"""The prizes of the Anjou Feu read a second time, beside `second_reading`: VII, "Autres prix individuels"."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from talleyrand import variants
from tests.tournament.second_reading import NOTHING, Place, Reading, players


def best_of_power(reading: Reading, power: str) -> tuple[set[int], Fraction] | None:
    """Who scored most with a power in any one game, before coefficients; games of six or seven; nobody with
    Turkey if one that a script played scored more than all who played it; none where nobody has a point."""
    mine: list[tuple[Fraction, int]] = []
    scripted = [NOTHING]
    for place, board in reading.games.items():
        if players(board) < 6:
            continue
        raw, seat, chair = reading.scores[place][power], board["seats"][power], (*place, power)
        if not seat.get("person"):
            scripted.append(raw)
        else:
            taken = reading.takers.get(chair, False)
            mine.append((raw, seat["reliefs"][0]["person"] if taken else seat["person"]))
    best = max((raw for raw, _ in mine), default=NOTHING)
    if not best or max(scripted) > best:
        return None
    return {who for raw, who in mine if raw == best}, best


def travelled(reading: Reading) -> dict[int, Fraction]:
    """A point for each province between the home centres and the farthest unit, with the coefficients of the
    ranking but for the tenth of the final."""

    def measure(place: Place, power: str, _: int) -> Fraction:
        reached = reading.games[place]["result"].get("reached", {}).get(power)
        return Fraction(distance(reading.games[place]["variant"], power, reached)) if reached else NOTHING

    held = reading.of_rounds(measure, reading.claims(reading.takers))
    return {who: reading.total(who, each, reading.takers, Fraction(1)) for who, each in held.items()}


@cache
def distance(variant: str, power: str, reached: str) -> int:
    """Territories between the homes of a power and a province: steps less one, by land and sea alike."""
    if variant not in variants.playable_names():
        return int(reached)  # counted at the table
    board = variants.load(variant).board
    steps = dict.fromkeys(board.homes[power], 0)
    queue = deque(steps)
    while queue:
        here = queue.popleft()
        for there in board.neighbours[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return max(0, steps.get(reached, 0) - 1)


def voted(reading: Reading, key: str) -> dict[int, Fraction]:
    """A ballot gives one point, times the coefficients of its game: of who sat at the same board, for
    somebody else of it."""
    votes: Counter[tuple[Place, int]] = Counter()
    for ballot in reading.event.get("ballots", {}).values():
        if key in ballot["names"]:
            votes[(ballot["round"], ballot["board"]), ballot["names"][key]] += 1

    held = reading.of_rounds(lambda place, _, who: Fraction(votes[place, who]), reading.sat())
    return {
        who: reading.total(who, each, None, reading.tenth(who, reading.takers)) for who, each in held.items()
    }


def teams(reading: Reading) -> list[set[int]]:
    """Teams in their order, those who share a place together: by the sum of the scores; then the
    smaller team; then the lowest score, and so on."""
    tables = reading.rounds[2]["boards"].values() if 2 in reading.rounds else ()
    if sum(board.get("counts", True) for board in tables) < 2 or 2 in reading.void:
        return []
    scores = reading.of_round(2)
    keys: dict[int, list[Fraction]] = {}
    for number, team in reading.event.get("teams", {}).items():
        mine = sorted(scores[who] for who in team["members"] if who in scores)
        if mine:
            keys[int(number)] = [sum(mine, NOTHING), Fraction(-len(mine)), *mine]
    best_first = sorted({tuple(key) for key in keys.values()}, reverse=True)
    return [{number for number, own in keys.items() if tuple(own) == key} for key in best_first]


def best_young(reading: Reading) -> set[int]:
    """The best of those born since 2000 and of those at their first tournament."""
    people = reading.event["people"]
    young = {who for who in reading.totals if people[str(who)]["beginner"] or _born(reading, who) >= "2000"}
    best = max((reading.totals[who] for who in young), default=NOTHING)
    return {who for who in young if reading.totals[who] == best and best > 0}


def youngest(reading: Reading, sharing: Iterable[int]) -> set[int]:
    """Who shares a prize shares its name; the youngest takes it home."""
    last = max(_born(reading, who) for who in sharing)
    return {who for who in sharing if _born(reading, who) == last}


def _born(reading: Reading, who: int) -> str:
    return str(reading.event["people"][str(who)]["private"]["born"])
