"""The judge beside an oracle that knows nothing but the definitions, on crowds drawn by a seed.

A sample in the everyday run, 20,000 positions and more a rule with `--full`; `--seed` draws others.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine import movement
from talleyrand.engine.board import Board
from talleyrand.engine.orders import Move
from talleyrand.engine.position import Position, Unit
from talleyrand.engine.rulebook import Rulebook
from talleyrand.notation import parse_normal
from tests.oracle.aftermath import dislodged
from tests.oracle.compare import differences, fates
from tests.oracle.crowds import draw, small_board
from tests.oracle.definitions import Orders, World
from tests.oracle.reading import Reading
from tests.oracle.resolutions import TooMany, resolve
from tests.oracle.rules import BY_PLAIN_CUTS, DATC, MIXED, RULES, book_of
from tests.oracle.scenes import SPRING, Crowd, naming_seas
from tests.oracle.shrinking import shrink

BOARD = variants.load("classic").definition.board
FULL, SAMPLE = 20_000, 240
LARGER = {MIXED: 3}
SAME_BOOK = 10
POSITIONS = tomllib.loads((Path(__file__).parent / "positions.toml").read_text("utf-8"))["position"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("rule", RULES)
def test_judge_and_oracle_agree(
    rule: str, seed: int, full: bool, record_property: Callable[[str, object], None]
) -> None:
    """On every position; of those of a rule at least one in twenty holds a real paradox."""
    begun, whole = perf_counter(), FULL * LARGER.get(rule, 1)
    count = whole if full else SAMPLE * LARGER.get(rule, 1)
    seen: Counter[str] = Counter()
    for board, book, crowd in _drawn(rule, seed, count):
        seen.update(_judge(board, book, crowd, rule))
    record_property(
        "sampled",
        f"oracle, {rule}: sampled {count} of {whole}, seed {seed}: {seen['paradox']} paradoxes "
        f"({seen['quasi']} quasi-paradoxes), {seen['agreed']} agreed, {seen['too many']} too large, "
        f"{perf_counter() - begun:.0f} s",
    )
    assert seen["too many"] < count // 1000 + 1
    assert seen["paradox"] >= count // 20 // LARGER.get(rule, 1)


def _drawn(rule: str, seed: int, count: int) -> Iterator[tuple[Board, Rulebook, Crowd]]:
    """Boards, books and crowds: one in four on a small drawn board; a mixed book for ten crowds."""
    random = Random(f"{seed} {rule}")
    for number in range(count):
        if number % SAME_BOOK == 0:
            book = book_of(rule, random)
        board = small_board(random, BOARD) if number % 4 == 0 else BOARD
        share = {"ignored": 0.02, "allowed": 0.3, "required": 0.97}[book.convoy_path]
        yield board, book, naming_seas(random, board, draw(random, board), share)


def _judge(board: Board, book: Rulebook, crowd: Crowd, rule: str) -> list[str]:
    """What to count of a crowd; fails where the judge and the oracle differ."""
    try:
        found, judged = differences(board, crowd, book)
        assert not found, _report(board, crowd, book)
        if rule in BY_PLAIN_CUTS:
            judged = resolve(Orders(board, crowd.position, crowd.by_province(), DATC))
    except TooMany:
        return ["too many"]
    return ["agreed", *["paradox"] * bool(judged.paradoxes), *["quasi"] * bool(judged.quasi)]


def _report(board: Board, crowd: Crowd, book: Rulebook) -> str:
    """The difference on the smallest crowd that has one: position, orders, book, both answers."""
    least = shrink(crowd, lambda fewer: bool(differences(board, fewer, book)[0]))
    found, judged = differences(board, least, book)
    options = {name: str(value) for name, value in vars(book).items() if value != getattr(DATC, name)}
    drawn = "" if board is BOARD else f"\n{sorted(board.land)} {sorted(board.sea)}"
    return f"{found}\n{least.lines()}\noracle: {fates(judged)} {judged.circles}\ndatc and {options}{drawn}"


@pytest.mark.parametrize("entry", POSITIONS, ids=lambda entry: entry["name"])
def test_telling_positions(entry: Mapping[str, Any]) -> None:
    for outcome in entry["outcomes"]:
        book = rulebooks.load(outcome["book"]).adjudication_rules.with_options(outcome["options"])
        crowd = _written(entry["orders"])
        found, judged = differences(BOARD, crowd, book)
        assert not found
        assert {fate: outcome[fate] for fate in fates(judged)} == fates(judged)


def _written(lines: Mapping[str, str]) -> Crowd:
    """The units that the orders name, and their orders."""
    orders = {
        power: [parse_normal(line.strip()) for line in text.split(",")] for power, text in lines.items()
    }
    named = [(order.unit, power, order) for power, given in orders.items() for order in given]
    units = tuple(Unit(*name, power) for name, power, _ in named if name is not None)
    given = {(power, name.province): order for name, power, order in named if name is not None}
    return Crowd(Position(SPRING, units), given)


# the oracle itself --------------------------------------------------------------------------------


def test_a_dislodged_unit_is_named_with_its_attacker() -> None:
    """The oracle on a position that everybody can follow: 2 against 1."""
    crowd = _written({"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H"})
    judged = resolve(Orders(BOARD, crowd.position, crowd.by_province(), DATC))
    assert [(str(fallen.unit), fallen.by) for fallen in dislodged(judged)] == [("A BUR", "PAR")]
    outcome = movement.adjudicate(BOARD, crowd.position, crowd.by_power(), DATC)
    assert outcome.dislodged == tuple(dislodged(judged))


def test_chains_are_the_smallest_sets_that_link(seed: int) -> None:
    random = Random(seed)
    for _ in range(40):
        board = small_board(random, BOARD)
        crowd = draw(random, board)
        reading = Reading(board, crowd.position, crowd.by_province(), DATC)
        for order in reading.written.values():
            if isinstance(order, Move):
                start, goal = order.unit.province, order.to
                found = set(reading.waters.chains(start, goal, reading.waters.fleets))
                assert found == set(_smallest(board, start, goal, reading.waters.fleets))


def _smallest(board: Board, start: str, goal: str, fleets: frozenset[str]) -> list[frozenset[str]]:
    found: list[frozenset[str]] = []
    for size in range(1, len(fleets) + 1):
        for some in map(frozenset, combinations(sorted(fleets), size)):
            if not any(chain <= some for chain in found) and _links(board, start, goal, some):
                found.append(some)
    return found


def _links(board: Board, start: str, goal: str, fleets: frozenset[str]) -> bool:
    reached = board.adjacent_seas[start] & fleets
    for _ in fleets:
        reached |= {fleet for fleet in fleets if board.neighbours[fleet] & reached}
    return bool(reached & board.adjacent_seas[goal])


def test_step_by_step_and_all_at_once_agree(seed: int, full: bool) -> None:
    """To settle first what hangs on nothing, then one circle after the other, changes no answer."""
    random, tried = Random(seed), 0
    while tried < (1000 if full else 60):
        crowd = draw(random, BOARD)
        orders = Orders(BOARD, crowd.position, crowd.by_province(), DATC)
        if len(orders.goals) > 6:
            continue
        tried += 1
        judged, worlds = resolve(orders), _all_consistent(orders)
        if not judged.circles:
            assert worlds == [judged.world]
        elif any(circle.resolutions == 0 for circle in judged.circles):
            assert not worlds
        elif not judged.paradoxes:
            assert judged.world in worlds


def _all_consistent(orders: Orders) -> list[World]:
    """Every world of the whole board that recomputing confirms."""
    by_sea = [mover for mover in orders.goals if orders.travel[mover] != "land"]
    worlds = (World(moved, sailed) for moved in _subsets(orders.goals) for sailed in _subsets(by_sea))
    return [
        world
        for world in worlds
        if all(orders.succeeds(mover, world) == (mover in world.moved) for mover in orders.goals)
        and all(orders.convoy_stands(mover, world) == (mover in world.sailed) for mover in by_sea)
    ]


def _subsets(whole: Mapping[str, str] | list[str]) -> list[frozenset[str]]:
    choices = product((False, True), repeat=len(whole))
    return [frozenset(one for one, there in zip(whole, some, strict=True) if there) for some in choices]
