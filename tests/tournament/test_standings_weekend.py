"""A whole weekend of 19 invented people, four rounds with a final, reckoned twice: by the program, and here.

Here from the raw file and the words of the regulations, in another manner: whole numbers, the printed Baf.
"""

import csv
import itertools
import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from talleyrand.tournament import codec, invariants, standings
from talleyrand.tournament.model import Event

HERE = Path(__file__).parent
FILE = HERE / "examples" / "weekend.json"
RAW: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
UNIT = 1000 * 9 * 7 * 14 * 8 * 100 * 10  # everything below is a whole number of such parts of a point


def rows(name: str) -> dict[tuple[int, int], int]:
    with (HERE.parent / "scoring" / name).open(encoding="utf-8", newline="") as file:
        return {
            (int(one), int(two)): round(float(score) * 1000) for one, two, score in [*csv.reader(file)][1:]
        }


CELLS, TIES = rows("baf.csv"), rows("baf_ties.csv")


def thousandths(board: dict[str, Any], power: str) -> int:
    """The printed Baf of a power."""
    held = board["result"]["centres"]
    mine, others = held[power], sorted(count for one, count in held.items() if one != power)
    if mine > 17:
        return 100_000
    if others[-1] > 17 or mine == 0 or power in board["result"].get("out", []):
        return 0
    if mine == others[-1]:
        return TIES[mine, others.count(mine) + 1]
    return CELLS[mine, others[-1]]


def boards(number: int) -> list[dict[str, Any]]:
    return list(RAW["rounds"][str(number)]["boards"].values())


def of_round(number: int, takers: frozenset[tuple[int, int]]) -> dict[int, int]:
    """What each person has in a round after coefficients; `takers`: (round, newcomer) whom it benefits."""
    found: dict[int, list[int]] = defaultdict(list)
    full = any(board["seats"]["TURKEY"].get("person") for board in boards(number))
    for board in boards(number):
        sat = len({seat["person"] for seat in board["seats"].values() if seat.get("person")})
        ninths = {1: 6, 2: 7, 3: 8, 4: 9 if board.get("final") else 7}[number]
        sevenths = 7 if full else sat
        for power, seat in board["seats"].items():
            score = thousandths(board, power) * (UNIT // 1000) // 63 * ninths * sevenths
            score = score * (14 - seat.get("missed", 0)) // 14
            first, later = seat.get("person"), seat.get("reliefs", [])
            if later and (number, later[0]["person"]) in takers:
                found[later[0]["person"]].append(score)
                found[first].append(0)
            elif first:
                kept = 14 - sum(relief["seasons"] for relief in later)
                found[first].append(score * kept // 14)
    return {person: min(scores) for person, scores in found.items()}


def ruled(number: int, scores: dict[int, int]) -> dict[int, int]:
    for _, told in sorted(RAW["adjustments"].items()):
        who = told["person"]
        if told["round"] == number and who in scores:
            value = Fraction(told["value"])
            new = scores[who] + value * UNIT if told["effect"] == "add" else scores[who] * value
            assert new.denominator == 1
            scores[who] = int(new)
    return scores


def total(person: int, takers: frozenset[tuple[int, int]]) -> int | None:
    """Somebody's total in the parts of a point; None for who has played nothing."""
    each = [ruled(number, of_round(number, takers)) for number in (1, 2, 3, 4)]
    three = sorted((one[person] for one in each[:3] if person in one), reverse=True)
    if not three and person not in each[3]:
        return None
    rests = [RAW["rounds"][number]["resting"].get(str(person)) for number in "1234"]
    made_good = any(rests) and RAW["people"][str(person)].get("office", "none") == "none"
    percents = (100, 100, 50) if len(three) == 3 else (120, 120) if made_good else (110, 110)
    points = sum(score * percent for score, percent in zip(three, percents, strict=False)) // 100
    points += each[3].get(person, 0)
    return points * 11 // 10 if person in finalists(takers) else points


def finalists(takers: frozenset[tuple[int, int]]) -> set[int]:
    table = next(board for board in boards(4) if board.get("final"))
    found = set()
    for seat in table["seats"].values():
        later = [one["person"] for one in seat.get("reliefs", []) if (4, one["person"]) in takers]
        found.add(later[0] if later else seat["person"])
    return found


def benefits() -> frozenset[tuple[int, int]]:
    """Whom a replacement benefits: of all possibilities the one where each is as the rule wants it."""
    asked = [
        (number, later["person"])
        for number in (1, 2, 3, 4)
        for board in boards(number)
        for seat in board["seats"].values()
        for later in seat.get("reliefs", [])
    ]
    every = itertools.chain.from_iterable(
        itertools.combinations(asked, count) for count in range(len(asked) + 1)
    )
    fair = [taken for taken in map(frozenset, every) if all(_is_fair(one, taken) for one in asked)]
    assert len(fair) == 1
    return fair[0]


def _is_fair(one: tuple[int, int], taken: frozenset[tuple[int, int]]) -> bool:
    better = (total(one[1], taken | {one}) or 0) > (total(one[1], taken - {one}) or 0)
    return better == (one in taken)


@pytest.fixture(scope="module")
def event() -> Event:
    found: Event = codec.read_value(Event, RAW)
    invariants.check_invariants(found)
    return found


def test_every_total_is_the_same_to_the_last_fraction(event: Event) -> None:
    taken = benefits()
    found = standings.compute_standings(event).by_person
    assert len(found) == 19
    for person, line in found.items():
        due = Fraction(total(person, taken) or 0, UNIT)
        due += sum(
            Fraction(one["value"])
            for one in RAW["adjustments"].values()
            if one["person"] == person and one["round"] == 0
        )
        assert line.total == due, f"{person}: {line.working}"


def test_the_weekend_has_what_it_should(event: Event) -> None:
    """Lest the example lose what makes it one: a final, a completed six, two boards, replacements."""
    found = standings.compute_standings(event)
    kinds = {step.kind for line in found.lines for step in line.working}
    assert kinds >= {
        "raw", "round", "aside", "size", "parallel", "late", "two_boards_worse", "relief", "replaced",
        "replaced_lost", "weight", "weight_rested", "weight_apart", "sum", "finalist", "ruling_add",
        "ruling_times",
    }  # fmt: skip
    assert found.final
    assert [line.place for line in found.lines] == list(range(1, 20))


def test_the_file_is_what_is_written(event: Event) -> None:
    assert codec.write_value(event) == RAW
