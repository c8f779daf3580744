"""What a position promises each power."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from talleyrand import variants
from talleyrand.engine.position import Position
from talleyrand.simulation import array_layout
from talleyrand.simulation.bots import position_values as counted
from talleyrand.simulation.bots.position_values import position_features, position_values
from talleyrand.simulation.game_batch import GameBatch
from tests.simulation.bots.playing import facts_of

FACTS = facts_of()
START = FACTS.definition.start
POWERS = list(FACTS.definition.board.powers)
FRANCE, GERMANY, ITALY = (POWERS.index(power) for power in ("FRANCE", "GERMANY", "ITALY"))


def games_at(*positions: Position) -> GameBatch:
    games = FACTS.runner.start(len(positions))
    for at, position in enumerate(positions):
        FACTS.runner.write(position, games, at)
    return games


def owning(**centres: str) -> Position:
    """The start with other owners: what a power has besides, or no longer."""
    assert START.centres is not None
    owned = {power: set(codes) for power, codes in START.centres.items()}
    for power, code in centres.items():
        owned = {other: codes - {code} for other, codes in owned.items()}
        owned[power].add(code)
    return replace(START, centres={power: tuple(sorted(codes)) for power, codes in owned.items()})


def test_the_parts_of_all_are_one_and_more_centres_promise_more() -> None:
    at_start, more = position_values(FACTS, games_at(START, owning(FRANCE="SPA")))
    assert np.allclose([at_start.sum(), more.sum()], 1)
    assert more[FRANCE] > at_start[FRANCE]
    assert more[GERMANY] < at_start[GERMANY]


def test_who_has_nothing_is_promised_nothing_and_who_has_won_all() -> None:
    games = games_at(START, START)
    games.places[0, array_layout.CENTRE][games.places[0, array_layout.CENTRE] == ITALY] = FRANCE
    games.clock[1, array_layout.WINNER] = ITALY
    beaten, won = position_values(FACTS, games)
    assert beaten[ITALY] == 0
    assert won.tolist() == [float(power == ITALY) for power in range(7)]


def test_what_is_counted_at_the_start() -> None:
    (found,) = position_features(FACTS, games_at(START))
    assert found[:, counted.CENTRES].tolist() == [4.0 if power == "RUSSIA" else 3.0 for power in POWERS]
    assert found[:, counted.HOMES].tolist() == found[:, counted.UNITS_ON_CENTRES].tolist()
    assert not found[:, counted.UNITS_OVER_CENTRES].any()
    # Spain alone is next to a French unit; nobody else can come to it. Rome may help Venice against Trieste.
    assert found[FRANCE, counted.NEUTRAL_STRONGER] == 1
    assert found[ITALY, [counted.OWN_STRONGER, counted.OWN_EQUAL, counted.OWN_WEAKER]].tolist() == [1, 0, 0]


def test_every_board_is_valued() -> None:
    for variant in ("sandad", "trio", "survivor_turkey"):
        facts = facts_of(variant)
        values = position_values(facts, facts.runner.start(1))
        assert np.isclose(values.sum(), 1), variant
        assert len(values[0]) == len(variants.load(variant).definition.board.seats)
