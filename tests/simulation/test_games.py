"""Whole games in arrays and by the engine, phase by phase, on every variant and by many books.

A sample in the everyday run, long games with `--full`; `--seed` draws others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import numpy as np
import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.orders import Order
from talleyrand.engine.position import Phase, Position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.simulation import array_layout
from talleyrand.simulation.array_layout import rulebook_numbers
from talleyrand.simulation.game_runner import GameBatch, GameRunner
from talleyrand.simulation.order_encoding import OrderRowReader
from tests.oracle.rules import MIXED, book_of
from tests.simulation.games import by_bots, by_lot, compare, menu, played, same_step
from tests.simulation.positions import crowded, crowds
from tests.variants.plain import PLAIN

NAMED = ("datc", "renegade_2023", "anjou_feu", "classic_1976", "play_by_mail_001")
VARIANTS = PLAIN
# Where a script plays a power, every phase is left to the engine.
# those on which bots write in arrays: the whole board, and nobody else's script
PLAYED = [name for name in VARIANTS if variants.load(name).definition.has_standard_phases]
YEARS, FULL_YEARS = 4, 15
Record = Callable[[str, object], None]


def led(variant: str, book: Rulebook, years: int) -> GameRunner:
    setting = variants.load(variant).definition
    return GameRunner(setting, book, setting.calendar.first.year + years - 1)


def told(seen: Counter[str]) -> str:
    engine = sum(seen[why] for why in ("paradox", "too_large", "lot", "own_phase", "unknown_option"))
    kinds = ", ".join(f"{seen[kind]} {kind}" for kind in "MRAD" if seen[kind])
    return f"{kinds} phases; {engine} by the engine, {seen['illegal']} orders not legal"


# phase by phase -----------------------------------------------------------------------------------


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", NAMED)
def test_games_by_lot_go_as_by_the_engine(
    name: str, variant: str, seed: int, full: bool, record_property: Record
) -> None:
    referee = led(variant, rulebooks.load(name).adjudication_rules, FULL_YEARS if full else YEARS)
    seen = compare(referee, 40 if full else 4, by_lot(f"{seed} {variant} {name}"))
    record_property("sampled", f"games by lot, {variant}, {name}: {told(seen)}")
    assert seen["M"] > 2 * YEARS - 4
    assert seen["R"] + seen["A"] > 0
    assert seen["illegal"] > 0


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", PLAYED)
@pytest.mark.parametrize("name", NAMED)
def test_games_of_bots_go_as_by_the_engine(
    name: str, variant: str, seed: int, full: bool, record_property: Record
) -> None:
    referee = led(variant, rulebooks.load(name).adjudication_rules, FULL_YEARS if full else YEARS)
    seen = compare(
        referee, 40 if full else 4, by_bots(seed + NAMED.index(name), "values", "values", "random")
    )
    record_property("sampled", f"games of bots, {variant}, {name}: {told(seen)}")
    assert seen["A"] > 0
    assert seen["illegal"] == 0


@pytest.mark.long
@pytest.mark.parametrize("variant", PLAYED)
def test_games_by_any_choices_go_as_by_the_engine(
    variant: str, seed: int, full: bool, record_property: Record
) -> None:
    seen: Counter[str] = Counter()
    for number in range(120 if full else 12):
        referee = led(variant, _mixed(Random(f"{seed} {number}"), known=number % 2 == 0), YEARS)
        seen += compare(referee, 2, by_lot(f"{seed} {variant} {number}", omitted=0.3))
        seen += compare(referee, 2, by_bots(seed + number, "values", "random"))
    record_property("sampled", f"games by mixed books, {variant}: {told(seen)}")
    assert seen["unknown_option"] > 0
    assert seen["A"] > 0


def _mixed(lot: Random, *, known: bool) -> Rulebook:
    """A book of any choices; of those that the kernel knows, if it has to be."""
    book = book_of(MIXED, lot)
    while known and rulebook_numbers(book) is None:
        book = book_of(MIXED, lot)
    return book


@pytest.mark.long
def test_hardly_any_phase_of_a_game_goes_to_the_engine(
    seed: int, full: bool, record_property: Record
) -> None:
    """What searching and simulating wait for: fewer than one movement phase in two hundred."""
    for name in NAMED:
        referee = led("classic", rulebooks.load(name).adjudication_rules, FULL_YEARS)
        left, phases = 0, 0
        for order in (by_bots(seed, "values"), by_bots(seed, "random")):
            for before, _, _, counted in played(referee, 200 if full else 20, order):
                left += sum(counted.values())
                phases += int((~before.over).sum())
        record_property("sampled", f"phases of games, {name}: {phases}, {left / phases:.3%} by the engine")
        assert phases > 1000
        assert left / phases < 0.005


# options ------------------------------------------------------------------------------------------


def offered(referee: GameRunner, games: GameBatch, at: int) -> list[tuple[str, Order]]:
    """The options of one game, read back one by one."""
    options, found = referee.legal_orders(games), []
    reader = OrderRowReader(referee.board, games.places[at], games.clock[at])
    for place in range(len(referee.names.provinces)):
        for row in options.orders[options.first[at, place] : options.first[at, place + 1]]:
            power, order = reader.order(place, row.tolist())
            assert order is not None
            found.append((power, order))
    return found


def same_menu(referee: GameRunner, games: GameBatch, at: int) -> int:
    """Fails unless a game's options are the engine's, each of them once; gives how many."""
    position = referee.read(games, at)
    found, expected = offered(referee, games, at), menu(referee.setting, position, referee.book)
    assert set(found) == expected, (position, referee.book, set(found) ^ expected)
    assert len(found) == len(expected)
    return len(found)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", NAMED)
def test_options_of_games_are_those_of_the_engine(
    name: str, variant: str, seed: int, full: bool, record_property: Record
) -> None:
    referee = led(variant, rulebooks.load(name).adjudication_rules, FULL_YEARS if full else YEARS - 1)
    orders, kinds = 0, Counter[int]()
    for before, _, _, _ in played(referee, 6 if full else 1, by_lot(f"{seed} {variant}", spoilt=0)):
        for at in np.flatnonzero(~before.over):
            orders += same_menu(referee, before.copy_games([int(at)]), 0)
            kinds[int(before.clock[at, array_layout.STAGE])] += 1
    record_property("sampled", f"options, {variant}, {name}: {orders} in {sum(kinds.values())} phases")
    assert kinds[array_layout.MOVEMENT]
    assert orders > 100


@pytest.mark.one_in(6)
@pytest.mark.parametrize("variant", VARIANTS)
def test_options_of_crowds_are_those_of_the_engine(
    variant: str, seed: int, full: bool, record_property: Record
) -> None:
    """Many fleets in a row, by books of any choices; then one step from there."""
    setting = variants.load(variant).definition
    setting = replace(setting, board=crowded(setting.board))
    count, orders, convoys = 1000 if full else 40, 0, 0
    drawn = crowds(setting.board, seed, 3 * count)
    for number, position in enumerate(_alone(drawn, setting.calendar.first, count)):
        referee = GameRunner(setting, book_of(MIXED, Random(f"{seed} {number}")))
        games = GameBatch.blank(setting.board, 1)
        referee.write(position, games, 0)
        orders += same_menu(referee, games, 0)
        convoys += int(
            (referee.legal_orders(games).orders[:, array_layout.ORDER_KIND] == array_layout.CONVOY).sum()
        )
        before, sheets = games.copy_games([0]), by_lot(f"{seed} {number}")(referee, games)
        referee.step(games, sheets)
        same_step(referee, before, sheets, games, 0)
    record_property("sampled", f"options of crowds, {variant}: {orders}, {convoys} of them convoys")
    assert convoys > count


def _alone(drawn: Iterator[tuple[Position, object]], phase: Phase, count: int) -> Iterator[Position]:
    """Those positions that arrays can hold."""
    led_by_all = (
        one
        for one, _ in drawn
        if not one.powers_in_disorder and not one.passive and not one.provinces_in_disorder
    )
    return (replace(one, phase=phase, centres={}) for one in islice(led_by_all, count))
