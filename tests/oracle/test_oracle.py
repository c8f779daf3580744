"""The judge beside an oracle that knows nothing but the definitions, on crowds drawn by a seed.

A sample in the everyday run, `--full` twenty times as many; `--seed` draws others. Run with `-s` to see
what was sampled.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine import legality, movement
from talleyrand.engine.board import Board
from talleyrand.engine.errors import ImpossibleCombination, Refusal
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.engine.rulebook import Rulebook, option_values
from talleyrand.notation import parse_normal
from tests.oracle.compare import differences, dislodged, fates
from tests.oracle.crowds import Crowd, draw, small_board
from tests.oracle.definitions import Orders
from tests.oracle.resolutions import Judged, TooMany, resolve
from tests.oracle.shrinking import shrink

BOARD = variants.load("classic").setting.board
BOOKS = ("datc", "renegade_2023", "anjou_feu")
MIXED = "mixed"
OPTIONS = (
    "convoy_self_protection",
    "convoy_paradox",
    "convoy_quasi_paradox",
    "land_or_sea_route",
    "route_fallback",
    "multi_route_disruption",
    "dislodged_unit_effect",
    "support_cut_by_convoy_from_target",
    "retreat_to_convoy_origin",
    "support_coast_foreign",
    "support_coast_own",
)
SAMPLE = 450
POSITIONS = tomllib.loads((Path(__file__).parent / "positions.toml").read_text("utf-8"))["position"]


def _mixed(random: Random) -> Rulebook:
    """A book of any choices that go together."""
    while True:
        choices = {option: random.choice(option_values()[option]) for option in OPTIONS}
        try:
            return rulebooks.load("datc").judge.with_options(choices)
        except ImpossibleCombination:
            continue


@pytest.mark.parametrize("name", [*BOOKS, MIXED])
@pytest.mark.parametrize("small", [False, True], ids=["classic", "drawn"])
def test_judge_and_oracle_agree(name: str, small: bool, seed: int, full: bool) -> None:
    random = Random(f"{seed} {name} {small}")
    count = SAMPLE * (2 if name == MIXED else 1) * (20 if full else 1)
    seen: Counter[str] = Counter()
    for _ in range(count):
        book = _mixed(random) if name == MIXED else rulebooks.load(name).judge
        board = small_board(random, BOARD) if small else BOARD
        crowd = draw(random, board, book)
        try:
            found, judged = differences(board, crowd, book)
        except TooMany:
            seen["left out: too many orders at once"] += 1
            continue
        assert not found, _report(board, crowd, book)
        seen.update(judged.events or ("no circle",))
    print(f"\n{name}, {'drawn boards' if small else 'classic board'}: {count} crowds, {dict(seen)}")
    assert seen["left out: too many orders at once"] < count // 50


def _report(board: Board, crowd: Crowd, book: Rulebook) -> str:
    """The difference on the smallest crowd that has one."""
    least = shrink(board, book, crowd, lambda fewer: bool(differences(board, fewer, book)[0]))
    found, judged = differences(board, least, book)
    return f"{found}\n{least.lines()}\n{judged.events}\n{book}\n{sorted(board.land)} {sorted(board.sea)}"


@pytest.mark.parametrize("entry", POSITIONS, ids=lambda entry: entry["name"])
def test_telling_positions(entry: Mapping[str, Any]) -> None:
    for outcome in entry["outcomes"]:
        book = rulebooks.load(outcome["book"]).judge.with_options(outcome["options"])
        crowd = _written(entry["orders"], book)
        found, judged = differences(BOARD, crowd, book)
        assert not found
        assert {fate: outcome[fate] for fate in fates(judged)} == fates(judged)


def _written(lines: Mapping[str, str], book: Rulebook) -> Crowd:
    """The units that the orders name, and their orders, all of them legal."""
    orders = {
        power: [parse_normal(line.strip()) for line in text.split(",")] for power, text in lines.items()
    }
    units = [(order.unit, power) for power, given in orders.items() for order in given]
    position = Position(
        Phase("S", 1901, "M"), tuple(Unit(*name, power) for name, power in units if name is not None)
    )
    legal = {}
    for power, given in orders.items():
        for order in given:
            checked = legality.check(BOARD, position, power, order, book)
            assert not isinstance(checked, Refusal), order
            assert order.unit is not None
            legal[power, order.unit.province] = checked
    return Crowd(position, legal)


def test_a_dislodged_unit_is_named_with_its_attacker() -> None:
    """The oracle itself on a position that everybody can follow: 2 against 1."""
    book = rulebooks.load("datc").judge
    crowd = _written({"FRANCE": "A PAR - BUR, A MAR S A PAR - BUR", "GERMANY": "A BUR H"}, book)
    judged = _oracle(crowd, book)
    assert [(str(fallen.unit), fallen.by) for fallen in dislodged(judged)] == [("A BUR", "PAR")]
    assert movement.judge(BOARD, crowd.position, crowd.orders, book).dislodged == tuple(dislodged(judged))


def _oracle(crowd: Crowd, book: Rulebook) -> Judged:
    return resolve(Orders(BOARD, crowd.position, crowd.by_province(), book))
