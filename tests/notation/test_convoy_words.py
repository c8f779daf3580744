"""The words by which an army asks for a convoy, and the seas it names, by the book (rows M10 and M15)."""

from __future__ import annotations

import pytest

from talleyrand import variants
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.notation import ReadingContext, read_line
from talleyrand.rulebooks import customise

CLASSIC = variants.load("classic")
POSITION = Position(
    Phase("S", 1901, "M"),
    (
        Unit("A", "ROM", "ITALY"),
        Unit("F", "TYS", "ITALY"),
        Unit("F", "ION", "ITALY"),
        Unit("A", "TUN", "ITALY"),
        Unit("F", "ADR", "ITALY"),
    ),
)


def context(**options: str) -> ReadingContext:
    return ReadingContext(CLASSIC, POSITION, "ITALY", customise("anjou_feu", options))


def told(text: str, **options: str) -> tuple[str, tuple[str, ...]]:
    line = read_line(text, context(**options))
    read = f"! {line.refusal.code}" if line.refusal else str(line.order)
    return read, tuple(note.kind for note in line.notes)


@pytest.mark.parametrize(
    ("marker", "text", "order", "notes"),
    [
        ("par_convoi_or_C", "A Rom C Nap", "A ROM - NAP VIA", ()),
        ("par_convoi_or_C", "A Rom - Nap par convoi", "A ROM - NAP VIA", ()),
        ("par_convoi_or_C", "A Rom - Nap via convoy", "A ROM - NAP VIA", ()),
        ("via_convoy", "A Rom C Nap", "A ROM - NAP", ("marker_ignored",)),
        ("via_convoy", "A Rom - Nap via convoy", "A ROM - NAP VIA", ()),
        ("via_convoy", "A Rom - Nap par convoi", "A ROM - NAP VIA", ()),
        ("none", "A Rom C Nap", "A ROM - NAP", ("marker_ignored",)),
        ("none", "A Rom - Nap via convoy", "A ROM - NAP", ("marker_ignored",)),
        ("none", "A ROM - NAP VIA", "A ROM - NAP", ("marker_ignored",)),
        # not adjacent: by sea in any case
        ("none", "A Rom C Tun", "A ROM - TUN", ()),
        ("via_convoy", "A Rom C Tun", "A ROM - TUN", ()),
        ("none", "A Rom - Tun par convoi", "A ROM - TUN", ()),
    ],
)
def test_who_asks_for_a_convoy(marker: str, text: str, order: str, notes: tuple[str, ...]) -> None:
    route = "land_then_sea" if marker == "none" else "own_chain_or_marker"
    assert told(text, convoy_marker=marker, land_or_sea_route=route) == (order, notes)


@pytest.mark.parametrize(
    ("path", "text", "order", "notes"),
    [
        ("ignored", "A Rom - TyS - Tun", "A ROM - TUN", ("path_ignored",)),
        ("ignored", "A Rom - Tun via TyS", "A ROM - TUN", ("path_ignored",)),
        ("allowed", "A Rom - TyS - Tun", "A ROM - TYS - TUN", ()),
        ("allowed", "A Rom - mer Tyrrhénienne - Tunis", "A ROM - TYS - TUN", ()),
        ("allowed", "A Rom - Tun via TyS", "A ROM - TYS - TUN", ()),
        ("allowed", "A Rom via TyS - Tun", "A ROM - TYS - TUN", ()),
        ("allowed", "A Rom - Tun (convoyed by F TyS)", "A ROM - TYS - TUN", ()),
        ("allowed", "A Rom - Tun par F TyS et F Ion", "! unknown_words", ()),
        ("allowed", "A Rom - Tun par convoi par F TyS", "A ROM - TYS - TUN", ()),
        ("allowed", "A Rom - TyS - Ion - Grè", "A ROM - TYS - ION - GRE", ()),
        ("allowed", "A Rom - Grè via TyS et Ion", "A ROM - TYS - ION - GRE", ()),
        ("allowed", "A Rom - TyS - Ion - Tun", "! no_route", ()),
        ("allowed", "A ROM - TYS - TUN", "A ROM - TYS - TUN", ()),
        ("allowed", "A Rom - Adr - Tun", "! no_route", ()),
        ("allowed", "A Rom - Tun", "A ROM - TUN", ()),
        ("required", "A Rom - Tun", "! path_missing", ()),
        ("required", "A Rom - TyS - Tun", "A ROM - TYS - TUN", ()),
        ("required", "F TyS C A Rom - TyS - Tun", "F TYS C A ROM - TUN", ("path_ignored",)),
        # a way over land is none, whatever the book
        ("allowed", "A Rom - Nap - Apu", "! several_steps", ()),
        ("ignored", "A Rom - Nap - Apu", "! several_steps", ()),
    ],
)
def test_the_seas_an_army_names(path: str, text: str, order: str, notes: tuple[str, ...]) -> None:
    assert told(text, convoy_path=path) == (order, notes)


def test_one_name_for_two_seas_is_settled_by_the_fleets() -> None:
    """`Med` alone may be either Mediterranean: only one of them holds a fleet of the chain."""
    position = Position(Phase("S", 1901, "M"), (Unit("A", "TUN", "ITALY"), Unit("F", "WES", "ITALY")))
    book = customise("anjou_feu", {"convoy_path": "allowed"})
    line = read_line("A Tun - Médit - Esp", ReadingContext(CLASSIC, position, "ITALY", book))
    assert str(line.order) == "A TUN - WES - SPA"


@pytest.mark.parametrize(
    ("rule", "text", "notes"),
    [
        ("both", "F TyS S A Rom", ()),
        ("both", "F TyS S A Rom H", ()),
        ("bare", "F TyS S A Rom", ()),
        ("bare", "F TyS S A Rom H", ("other_notation",)),
        ("with_H", "F TyS S A Rom", ("other_notation",)),
        ("with_H", "F TyS S A Rom H", ()),
        ("with_H", "F TyS S A Rom - Nap", ()),
    ],
)
def test_how_a_support_in_place_is_written(rule: str, text: str, notes: tuple[str, ...]) -> None:
    order, found = told(text, support_hold_notation=rule)
    assert order.startswith("F TYS S A ROM")
    assert found == notes
    strict, _ = told(text, support_hold_notation=rule, poorly_written="illegal")
    assert strict == ("! badly_written" if notes else order)


@pytest.mark.parametrize(
    ("case", "order"), [("free", "! ambiguous_place"), ("sea_upper_land_lower", "F TYS H")]
)
def test_capitals_by_the_book(case: str, order: str) -> None:
    position = Position(Phase("S", 1901, "M"), (Unit("A", "TYR", "ITALY"), Unit("F", "TYS", "ITALY")))
    book = customise("anjou_feu", {"abbreviation_case": case})
    line = read_line("TYR H", ReadingContext(CLASSIC, position, "ITALY", book))
    assert (f"! {line.refusal.code}" if line.refusal else str(line.order)) == order
