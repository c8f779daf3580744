"""Lots: which one is drawn, and that a winter that draws says so."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.engine import game
from talleyrand.engine.outcome import PhaseOutcome
from talleyrand.engine.position import Position
from talleyrand.engine.random_draws import draw_one
from tests.engine.scenes import CLASSIC, DATC, fates, judged, orders, owning, position

RANDOM = DATC.with_options({"missing_removals": "random"})
TEXT = st.text(st.characters())


def test_the_lot_is_the_digest_of_what_is_said() -> None:
    text = b'["Lyon 2026","W1901A",["A BUR","A PAR","F BRE"]]'
    place = int(hashlib.sha256(text).hexdigest(), 16) % 3
    assert draw_one("Lyon 2026", "W1901A", ["F BRE", "A PAR", "A BUR"]) == ["A BUR", "A PAR", "F BRE"][place]


@given(TEXT, st.lists(TEXT, min_size=1, unique=True), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(seed: str, candidates: list[str], dice: object) -> None:
    mixed = sorted(candidates, key=lambda _: dice.random())  # type: ignore[attr-defined]
    assert draw_one(seed, "W1901A", mixed) == draw_one(seed, "W1901A", candidates) in candidates


def test_every_candidate_comes_up() -> None:
    found = Counter(draw_one(str(number), "W1901A", "ABC") for number in range(300))
    assert min(found["A"], found["B"], found["C"]) > 70


def test_there_is_no_lot_without_candidates() -> None:
    with pytest.raises(ValueError, match="no candidates"):
        draw_one("", "W1901A", ())


def _winter(units: str, centres: str, seed: str = "") -> Position:
    return replace(owning(position("W1901A", FRANCE=units), FRANCE=centres), seed=seed)


def _drawn(outcome: PhaseOutcome) -> list[str]:
    return [lot.drawn for lot in outcome.random_draws]


def test_missing_removals_are_drawn_one_by_one() -> None:
    outcome = judged(_winter("A PAR, A BUR, F BRE, A MAR", "PAR MAR", "x"), {}, RANDOM)
    first, second = outcome.random_draws
    assert first.purpose == second.purpose == "removal"
    assert first.power == second.power == "FRANCE"
    assert first.candidates == ("A BUR", "A MAR", "A PAR", "F BRE")
    assert set(second.candidates) == set(first.candidates) - {first.drawn}
    assert fates(outcome) == {first.drawn: "removed", second.drawn: "removed"}
    assert {verdict.cause.option for verdict in outcome.verdicts} == {"missing_removals"}
    assert len(outcome.units) == 2


def test_the_same_seed_draws_the_same_whatever_the_order_of_the_units() -> None:
    names = "A PAR, A BUR, F BRE, A MAR"
    turned = ", ".join(reversed(names.split(", ")))
    found = {seed: _drawn(judged(_winter(names, "PAR", seed), {}, RANDOM)) for seed in map(str, range(20))}
    assert found == {seed: _drawn(judged(_winter(turned, "PAR", seed), {}, RANDOM)) for seed in found}
    assert len({tuple(drawn) for drawn in found.values()}) > 5


def test_what_is_written_is_not_drawn() -> None:
    before = _winter("A PAR, A BUR, F BRE, A MAR", "PAR MAR", "x")
    outcome = judged(before, orders(FRANCE="A BUR D"), RANDOM)
    assert fates(outcome)["A BUR"] == "removed"
    assert [lot.candidates for lot in outcome.random_draws] == [("A MAR", "A PAR", "F BRE")]


@pytest.mark.parametrize(("centres", "lines"), [("", ""), ("PAR", "A BUR D, F BRE D"), ("PAR MAR BRE", "")])
def test_where_there_is_no_choice_nothing_is_drawn(centres: str, lines: str) -> None:
    outcome = judged(_winter("A PAR, A BUR, F BRE", centres), orders(FRANCE=lines), RANDOM)
    assert not outcome.random_draws
    assert not outcome.notes


def test_too_many_removals_may_leave_all_to_the_lot() -> None:
    book = RANDOM.with_options({"too_many_removals": "civil_disorder"})
    outcome = judged(_winter("A PAR, A BUR, F BRE", "PAR MAR", "x"), orders(FRANCE="A PAR D, A BUR D"), book)
    assert len(outcome.random_draws) == 1
    assert len(outcome.random_draws[0].candidates) == 3


@pytest.mark.parametrize(("seed", "notes"), [("", ["lot_without_seed"]), ("x", [])])
def test_a_lot_without_a_seed_is_noted(seed: str, notes: list[str]) -> None:
    outcome = judged(_winter("A PAR, A BUR", "PAR", seed), {}, RANDOM)
    assert [note.kind for note in outcome.notes] == notes


def test_lots_on_the_way_to_the_next_choice_are_told() -> None:
    """Nobody chooses for an eliminated power, so its winter is over at once."""
    before = owning(position("F1901M", ITALY="A APU, A TUS, A PIE"), ITALY="ROM")
    turn = game.play_phase(CLASSIC, replace(before, passive=frozenset({"ITALY"})), {}, RANDOM)
    assert turn.next_position is not None
    assert str(turn.next_position.phase) == "S1902M"
    assert len(_drawn(turn.outcome)) == 2
    assert {unit.location for unit in turn.next_position.units} == {"APU", "TUS", "PIE"} - {
        name.removeprefix("A ") for name in _drawn(turn.outcome)
    }
    assert [note.kind for note in turn.outcome.notes] == ["lot_without_seed"]
