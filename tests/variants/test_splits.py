"""Splits: data of a variant, and games that begin by them."""

from __future__ import annotations

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import InvalidPosition, UnknownName
from talleyrand.engine.game import play_phase
from talleyrand.engine.orders import Hold, Move, Order
from talleyrand.engine.position import Phase, UnitName
from talleyrand.variants.game_splits import Split, SplitFault, split_faults

BOOK = rulebooks.load("anjou_feu").adjudication_rules
CLASSIC = variants.load("classic")


@pytest.mark.parametrize("name", variants.playable_names())
def test_every_split_deals_every_power_once(name: str) -> None:
    variant = variants.load(name)
    for split in (*variant.splits.values(), variant.each_alone):
        assert not list(split_faults(split, variant.definition.players))
        assert name == "classic" or not split.name or split.title.keys() == {"fr", "en"}


def test_the_texts_splits_by_number_of_people() -> None:
    found = {count: [one.name for one in CLASSIC.splits_for(count)] for count in range(2, 9)}
    assert found == {
        2: [],
        3: ["three_two_two", "russia_alone"],
        4: ["pairs"],
        5: ["elimination_five", "disorder_five"],
        6: ["elimination_six"],
        7: [""],
        8: [],
    }
    assert [one.name for one in variants.load("sandad").splits_for(5)] == [""]
    assert [one.name for one in variants.load("survivor_turkey").splits_for(6)] == [""]
    assert not variants.load("survivor_turkey").splits  # those of the board it extends are that board's
    assert [count for count in range(2, 30) if variants.load("diplomatie_2000").splits_for(count)] == [
        *range(8, 22)
    ]


def test_what_is_wrong_with_a_split_is_told() -> None:
    powers = ("A", "B", "C")
    for split, *told in (
        (Split((("A",), ("B",), ("C",))),),
        (Split((("A",), ("B",))), SplitFault("left_out", "C")),
        (Split((("A", "B"), ("B", "C"))), SplitFault("twice", "B")),
        (Split((("A",), ("B",)), ("C",), ("C",)), SplitFault("twice", "C")),
        (Split((("A", "B", "C"), ())), SplitFault("empty")),
        (Split((("A", "B", "C"),)), SplitFault("alone")),
        (Split((("A",), ("B",), ("C", "D"))), SplitFault("unknown", "D")),
    ):
        assert list(split_faults(split, powers)) == told


def test_a_split_that_nobody_defined_is_refused() -> None:
    with pytest.raises(UnknownName):
        variants.find_split(CLASSIC, "nobody")
    with pytest.raises(InvalidPosition):
        CLASSIC.begun(Split((("FRANCE",),), ("SPAIN",)))


def test_a_game_begins_in_the_year_of_its_split() -> None:
    begun = CLASSIC.begun(CLASSIC.splits["elimination_five"])
    start = begun.definition.start
    assert start.phase == Phase("S", 1801, "M")
    assert begun.definition.calendar.first == Phase("S", 1801, "M")
    assert begun.definition.players == ("AUSTRIA", "ENGLAND", "FRANCE", "RUSSIA", "TURKEY")
    assert (sorted(start.passive), start.first_year) == (["GERMANY", "ITALY"], 1801)
    other = CLASSIC.begun(CLASSIC.splits["elimination_five"], 1, 4).definition
    assert (other.start.phase.year, other.start.centres_to_win) == (1, 4)
    assert CLASSIC.begun(CLASSIC.each_alone).definition == CLASSIC.definition


def test_the_first_year_goes_with_the_game() -> None:
    """Survivor Turkey's script opens in whatever year the game begins."""
    variant = variants.load("survivor_turkey")
    definition = variant.begun(variant.each_alone, 1801).definition
    assert definition.start.phase == Phase("S", 1801, "M")
    played = play_phase(variant.definition, definition.start, {}, BOOK)  # the variant as it is read anywhere
    moved = {str(one.order): one.results for one in played.outcome.verdicts if one.power == "TURKEY"}
    assert "A CON - BUL" in moved
    assert played.next_position is not None
    assert (played.next_position.phase, played.next_position.first_year) == (Phase("F", 1801, "M"), 1801)


def test_an_opening_phase_leads_into_its_own_year() -> None:
    trio = variants.load("trio")
    begun = trio.begun(trio.each_alone, 1914).definition
    assert begun.start.phase == Phase("Y", 1914, "D")
    played = play_phase(trio.definition, begun.start, {}, BOOK)
    assert played.next_position is not None
    assert played.next_position.phase == Phase("Y", 1914, "M")


def test_a_game_is_won_with_the_centres_agreed() -> None:
    start = CLASSIC.begun(CLASSIC.each_alone, 0, 4).definition.start
    autumn = start.changed(phase=Phase("F", 1901, "M"))
    orders: dict[str, list[Order]] = {
        "FRANCE": [Move(UnitName("A", "MAR"), "SPA")],
        "GERMANY": [Hold(UnitName("A", "MUN"))],
    }
    assert play_phase(CLASSIC.definition, autumn, orders, BOOK).winner == ("FRANCE", "RUSSIA")
    assert not play_phase(CLASSIC.definition, autumn.changed(centres_to_win=0), orders, BOOK).winner
