"""A sheet is read line by line: titles and remarks beside orders, several orders on a line."""

from __future__ import annotations

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import OrderAmbiguous
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.notation import (
    OrderLine,
    ReadingContext,
    RefusalReason,
    SheetRelation,
    announced_relation,
    read_line,
    read_lines,
)

CLASSIC = variants.load("classic")
BOOK = rulebooks.load("anjou_feu")
START = ReadingContext(CLASSIC, CLASSIC.definition.start, "FRANCE", BOOK)
WINTER = ReadingContext(
    CLASSIC,
    Position(
        Phase("W", 1901, "A"), (Unit("A", "SPA", "FRANCE"),), centres={"FRANCE": ("PAR", "BRE", "MAR", "SPA")}
    ),
    "FRANCE",
    BOOK,
)


def told(text: str, context: ReadingContext = START) -> list[str]:
    """Each order or the reason of its refusal, or the note on a line without order."""
    return [_told(line) for line in read_lines([text], context)]


def _told(line: OrderLine) -> str:
    if line.refusal is not None:
        return f"! {line.refusal.code}"
    return str(line.order or ", ".join(note.kind for note in line.notes))


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A Par - Bou ; A Mar - Esp", ["A PAR - BUR", "A MAR - SPA"]),
        ("A Par - Bou, A Mar - Esp.", ["A PAR - BUR", "A MAR - SPA"]),
        ("A Par-Bou | A Mar-Esp & F Bre-Man", ["A PAR - BUR", "A MAR - SPA", "F BRE - ENG"]),
        ("1. A Par-Bou 2. A Mar-Esp", ["A PAR - BUR", "A MAR - SPA"]),
        ("A Par - Bou\u2028A Mar - Esp", ["A PAR - BUR", "A MAR - SPA"]),
        ("A Par S A Mar - Bou A Mar - Bou", ["A PAR S A MAR - BUR", "A MAR - BUR"]),
        ("France : A Par - Bou, A Mar - Esp", ["A PAR - BUR", "A MAR - SPA"]),
        ("France ; A Par - Bou", ["heading", "A PAR - BUR"]),
        # behind # stands a comment, even where it reads like an order; a number is none, nor are two strokes
        ("A Par - Bou # F Bre - MAO", ["A PAR - BUR"]),
        ("A Par - Bou, F Bre - MAO # A Mar - Esp", ["A PAR - BUR", "F BRE - MAO"]),
        ("A Par - Bou # F Bre - MAO ; A Mar - Esp", ["A PAR - BUR", "A MAR - SPA"]),
        ("A Par - Bou #2 F Bre - MAO", ["A PAR - BUR", "F BRE - MAO"]),
        ("A Par - Bou // F Bre - MAO", ["A PAR - BUR", "F BRE - MAO"]),
        ("A Par - Bou # si Munich part", ["! conditional"]),
        # a title before its orders; a remark is none, and a title says not whose the orders are
        ("Printemps 1901 : A Par - Bou", ["heading", "A PAR - BUR"]),
        ("Spring 1901: A Par-Bou, A Mar H", ["heading", "A PAR - BUR", "A MAR H"]),
        ("Correction : A Par - Pic", ["heading", "A PAR - PIC"]),
        ("Printemps 1901 : rien", ["! unknown_place"]),
        ("Note : A Par - Bou demain", ["! unknown_place"]),
        ("A Par - Bou; A Par - Tokyo", ["A PAR - BUR", "! unknown_place"]),
        ("A Par - Bou; A Mun - Ruh", ["A PAR - BUR", "! foreign_unit"]),
        # a unit alone may share what follows with the next one: no guess
        ("A Par et A Mar - Bou", ["! several_orders"]),
        ("A Par, A Mar - Bou", ["! several_orders"]),
        ("A Par - Bou A Mar", ["! several_orders"]),
        ("zut; zut", ["! unknown_place"]),
        # conditions
        ("A Par - Bou; sinon A Par H", ["A PAR - BUR", "! conditional"]),
        ("A Par - Bou et sinon A Par H", ["A PAR - BUR", "! conditional"]),
        ("A Mar - Esp; si A Mun - Bou; A Par - Pic", ["A MAR - SPA", "! conditional"]),
        ("A Mar - Esp, A Par - Pic si A Mun - Bou", ["! conditional"]),
        # alternatives
        ("A Par - Bou ou A Par - Pic", ["! alternatives"]),
        ("A Par - Bou ou A Mar - Bou", ["! alternatives"]),
        ("A Par - Bou / Pic", ["! alternatives"]),
        ("A Par - Bou ou tient", ["! alternatives"]),
        # remarks
        ("A Par - Bou (comme convenu)", ["A PAR - BUR"]),
        ("A Par - Bou [ok], A Mar - Esp (enfin)", ["A PAR - BUR", "A MAR - SPA"]),
        ("A Par - Bou // vite", ["A PAR - BUR"]),
        ("A Par - Bou (annulé)", ["! unknown_words"]),
        ("A Par - Bou (non)", ["! unknown_words"]),
        ("A Par - Bou (plutôt Pic)", ["! unknown_words"]),
        ("~~A Par - Bou~~", ["! struck_out"]),
        ("A Par - Bou ~~A Mar - Esp~~", ["A PAR - BUR"]),
        ("~~A Par - Bou~~ A Par - Pic", ["A PAR - PIC"]),
        ("A Par - Bou ~~", ["! struck_out"]),
        # no order at all
        ("", [""]),
        ("  \t", [""]),
        ("=====", [""]),
        ("...", [""]),
        ("??", ["! unreadable"]),
        ("# A Par - Bou", ["remark"]),
        ("#1 A Par - Bou", ["A PAR - BUR"]),
        ("Ordres de la France, printemps 1901", ["heading"]),
        ("Retraites :", ["heading"]),
        ("Voici mes ordres", ["heading"]),
        ("Correction", ["heading"]),
        ("Ceci annule mes ordres précédents.", ["remark"]),
        ("Annule A Par - Bou", ["! unknown_place"]),
        ("1901", ["! unknown_place"]),
        ("Paris :", ["A PAR H"]),
    ],
)
def test_what_a_line_holds(text: str, orders: list[str]) -> None:
    assert told(text) == orders


def test_builds_share_their_verb() -> None:
    assert told("Construit A Par, F Bre et A Mar", WINTER) == ["A PAR B", "F BRE B", "A MAR B"]


def test_a_power_in_brackets_behind_the_order_is_the_helped_one() -> None:
    (line,) = read_lines(["A Par S A Mun - Bou (Autriche)"], START)
    assert str(line.order) == "A PAR S A MUN - BUR"
    assert [note.kind for note in line.notes] == ["nationality_ignored"]
    (line,) = read_lines(["A Par S A Mun - Bou (Allemagne)"], START)
    assert line.notes == ()


def test_alternatives_are_listed() -> None:
    (line,) = read_lines(["A Par - Bou ou Pic"], START)
    assert isinstance(line.refusal, OrderAmbiguous)
    assert line.refusal.code == RefusalReason.ALTERNATIVES
    assert line.refusal.candidates == ("A PAR - BUR", "A PAR - PIC")
    assert str(line.unit) == "A PAR"


def test_every_line_is_numbered_and_nothing_typed_is_lost() -> None:
    sheet = ["France", "", "A Par - Bou (oui), A Mar - Esp", "F Bre - Man; sinon F Bre H"]
    lines = read_lines(sheet, START)
    assert [line.number for line in lines] == [1, 2, 3, 3, 4, 4]
    assert [line.text for line in lines] == [
        "France",
        "",
        "A Par - Bou",
        "A Mar - Esp",
        "F Bre - Man",
        "sinon F Bre H",
    ]
    remarks = [dict(note.facts)["written"] for line in lines for note in line.notes if line.order]
    assert remarks == ["(oui)"]


def test_a_whole_sheet_on_one_line() -> None:
    text = "; ".join(["A Par - Bou", "A Mar - Esp", "F Bre - Man"] * 15)
    assert len(text) > 500
    assert told(text) == ["A PAR - BUR", "A MAR - SPA", "F BRE - ENG"] * 15


def test_a_long_line_is_cut_at_its_commas() -> None:
    text = ", ".join(["A Paris - Bourgogne", "A Marseille - Espagne", "F Brest - mer de la Manche"] * 9)
    assert len(text) > 400
    assert told(text) == ["A PAR - BUR", "A MAR - SPA", "F BRE - ENG"] * 9


def test_one_order_is_still_one_order() -> None:
    assert read_line("A Par - Bou, A Mar - Esp", START).refusal is not None


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Correction de mes ordres", SheetRelation.ADDS),
        ("COMPLÉMENT", SheetRelation.ADDS),
        ("Changes to my orders", SheetRelation.ADDS),
        ("Ceci annule et remplace ma feuille", SheetRelation.REPLACES),
        ("This replaces my orders, with changes", SheetRelation.REPLACES),
        ("Ordres de la France", None),
        ("", None),
    ],
)
def test_what_a_title_says_of_earlier_sheets(text: str, relation: SheetRelation | None) -> None:
    assert announced_relation(text) is relation


@pytest.mark.parametrize(
    "word", ["Bel", "Ber", "Boh", "Bud", "Pie", "Lon", "Ion", "Rom", "Rum", "Tun", "Tus"]
)
def test_no_listed_form_is_bent(word: str) -> None:
    """Each is a letter away from another form, and means what it says all the same."""
    (line,) = read_lines([f"A Par - {word}"], START)
    meant = START.index.listed_provinces(word.lower(), word)
    assert len(meant) == 1
    assert line.refusal is not None or str(line.order) == f"A PAR - {meant[0]}"
    if line.order is not None:
        assert str(line.order).endswith(meant[0])


ENGLAND = ReadingContext(CLASSIC, CLASSIC.definition.start, "ENGLAND", BOOK)


def test_a_place_left_open_names_only_what_would_be_legal() -> None:
    refusal = read_line("F Edi - Nor", ENGLAND).refusal
    assert isinstance(refusal, OrderAmbiguous)
    assert refusal.places == ("NTH", "NWG")


def test_a_place_of_which_no_reading_is_legal_is_read_as_none() -> None:
    line = read_line("F Bre - Nor", START)
    assert line.refusal is not None
    assert len(line.refusal.candidates) > 1
    assert line.notes == ()
