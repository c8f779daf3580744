"""A line that reads as an order is one, whatever courtesy stands around it.

And one that holds a unit and a place but cannot be read is an error, never a remark.
"""

from __future__ import annotations

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.notation import OrderLine, ReadingContext, read_lines

CLASSIC = variants.load("classic")
BOOK = rulebooks.load("anjou_feu")


def situation(phase: str, power: str, units: str, centres: str = "") -> ReadingContext:
    """A power's units, and its centres in winter."""
    own = tuple(Unit(unit[:1], unit[2:], power) for unit in units.split(", "))
    owned = {power: tuple(centres.split())} if centres else None
    return ReadingContext(CLASSIC, Position(Phase.parse(phase), own, centres=owned), power, BOOK)


SITUATIONS = {
    "moves": lambda: situation("F1902M", "FRANCE", "A PAR, A MAR, F BRE, A BUR, F MAO"),
    "builds": lambda: situation("W1901A", "FRANCE", "A SPA, F POR", "PAR BRE MAR SPA POR"),
    "removals": lambda: situation("W1901A", "FRANCE", "A SPA, F POR, A PAR, F BRE", "PAR BRE"),
    "England moves": lambda: situation("F1902M", "ENGLAND", "A LVP, F ENG, A NWY"),
    "winter in Denmark": lambda: situation("W1901A", "ENGLAND", "A DEN, A YOR, F NTH", "LON"),
}


def told(scene: str, sheet: str) -> list[str]:
    """Each order; "!" for an error; what is no order is left out."""
    found = [_told(line) for line in read_lines(sheet.splitlines(), SITUATIONS[scene]())]
    return [text for text in found if text]


def _told(line: OrderLine) -> str:
    return "!" if line.refusal is not None else str(line.order or "")


THREE = ["A PAR - GAS", "A MAR - SPA", "F BRE - ENG"]


@pytest.mark.parametrize(
    ("scene", "sheet", "orders"),
    [
        ("moves", "Salutations,\nParis - Gascogne\nMarseille - Espagne\nBrest - Manche", THREE),
        ("moves", "Cheers\nA Bur H\nPar - Gas\nMar - Spa\nBre - Eng", ["A BUR H", *THREE]),
        ("moves", "Par - Gas\nRegards,\nDan Brown\n\nMar - Spa\nBre - Eng", [*THREE[:1], "!", *THREE[1:]]),
        ("moves", "— Par - Gas\n— Mar - Spa\n— Bre - Eng\n— Bur - Bel\n— MAO - Por", None),
        ("moves", "A Par - Gas\n— Mar - Spa\n-- Bre-Eng", THREE),
        ("moves", "A Par - Gas\nCheers,\nMar-Spa, Bre-Eng", THREE),
        ("moves", "A Par - Gas\nCheers,\nMrsls - Spain", ["A PAR - GAS", "!"]),
        ("moves", "Cheers,\nParis\nMarseilles", ["A PAR H", "A MAR H"]),
        ("removals", "— Espagne\n— Portugal", ["A SPA D", "F POR D"]),
        ("removals", "-- Spain\n-- Portugal", ["A SPA D", "F POR D"]),
        ("removals", "Cheers,\nSpain\nPortugal", ["A SPA D", "F POR D"]),
        ("removals", "A Spa\nCheers,\nPortugal", ["A SPA D", "F POR D"]),
        ("builds", "A Par\nCheers,\nBrest\nMarseilles", ["A PAR B", "!", "!"]),
    ],
)
def test_an_order_is_no_signature(scene: str, sheet: str, orders: list[str] | None) -> None:
    assert told(scene, sheet) == (orders or [*THREE, "A BUR - BEL", "F MAO - POR"])


@pytest.mark.parametrize(
    ("scene", "sheet", "orders"),
    [
        ("moves", "A Par - Gas\n\nParis", ["A PAR - GAS", "A PAR H"]),
        ("moves", "A Par - Gas\nCheers,\nParis", ["A PAR - GAS"]),
        ("moves", "A Par - Gas\nCheers,\nJean-Pierre", ["A PAR - GAS"]),
        ("moves", "A Par - Gas\n— Mar", ["A PAR - GAS"]),
        ("builds", "A Par\n\n— Mar", ["A PAR B"]),
        ("winter in Denmark", "F NTH\nCheers,\nDan", ["F NTH D"]),
        ("winter in Denmark", "F NTH\nCheers,\nYork", ["F NTH D"]),
    ],
)
def test_a_name_may_still_be_a_place(scene: str, sheet: str, orders: list[str]) -> None:
    assert told(scene, sheet) == orders


@pytest.mark.parametrize(
    ("scene", "line", "orders"),
    [
        ("moves", "Bonjour Marc, A Par - Gas", THREE[:1]),
        ("moves", "Hi Dan: A Par - Gas", THREE[:1]),
        ("moves", "Dear GM, A Par - Gas", THREE[:1]),
        ("moves", "Cher arbitre, mon armée de Paris va en Gascogne", THREE[:1]),
        ("moves", "Bonjour Marc, voici mes ordres : A Par - Gas, A Mar - Spa, F Bre - Man", THREE),
        ("moves", "Hello, here are my orders: A Par - Gas, A Mar - Spa", THREE[:2]),
        ("moves", "Bonjour, Paris - Gas ; A Mar - Spa", THREE[:2]),
        ("moves", "Please order A Par to Gas", THREE[:1]),
        ("moves", "Merci d'ordonner A Par - Gas", THREE[:1]),
        ("moves", "France (dan@example.org): A Par - Gas", THREE[:1]),
        ("moves", "Comme prévu : A Par - Gas", THREE[:1]),
        ("moves", "PS: A Par H", ["A PAR H"]),
        ("moves", "Bonjour, A Par - Gxx, A Mar - Spa", ["!"]),
        ("moves", "Please note A Par - Gas", ["!"]),
        ("moves", "please A Prrs - Bur", ["!"]),
        ("moves", "please Prrs - Bur", ["!"]),
        ("moves", "Thanks A Mar - Spq", ["!"]),
        ("moves", "Please convoy A Par to Lon", ["!"]),
        ("moves", "A Par - Gas, dan@example.org", ["!"]),
        ("moves", "please cancel A Par - Gas", ["!"]),
        ("moves", "Merci d'annuler A Par - Gas", ["!"]),
        ("builds", "Please build A Par, not F Mar", ["!"]),
        ("removals", "Please disband Spian", ["!"]),
        ("builds", "Bonjour, A Par, F Bre", ["A PAR B", "F BRE B"]),
        ("moves", "Merci, Paris", []),
        ("moves", "Hello! Brest", []),
        ("moves", "Greetings from Paris", []),
    ],
)
def test_an_order_is_no_greeting(scene: str, line: str, orders: list[str]) -> None:
    assert told(scene, line) == orders


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("PS Fleet in Brest to English Channel", ["!"]),
        ("also Marseilles to Spain", ["!"]),
        ("AND Army Marsielles - Spain", ["!"]),
        ("PS : Mar - Spa", ["A MAR - SPA"]),
        ("See you all in Paris next summer", []),
        ("12 Station Road", []),
    ],
)
@pytest.mark.parametrize("goodbye", ["Regards,", "Amicalement"])
def test_behind_a_goodbye_an_order_is_no_remark(goodbye: str, line: str, orders: list[str]) -> None:
    assert told("moves", f"A Par - Gas\n{goodbye}\n{line}") == ["A PAR - GAS", *orders]


def test_lines_left_unread_are_no_remarks_behind_a_goodbye() -> None:
    sheet = ["A Par - Gas", "Regards,", *["A Par - Tokyo"] * 600]
    lines = read_lines(sheet, SITUATIONS["moves"]())
    assert all(line.refusal is not None for line in lines[2:])


@pytest.mark.parametrize("scene", ["builds", "removals"])
@pytest.mark.parametrize(
    ("sheet", "orders"),
    [
        ("Je construis A Par et F Bre", ["A PAR B", "F BRE B"]),
        ("Build A Par and F Bre", ["A PAR B", "F BRE B"]),
        ("je mobilise A Par et F Bre", ["A PAR B", "F BRE B"]),
        ("+ A Par, F Bre", ["A PAR B", "F BRE B"]),
        ("Build A Par; F Bre", ["A PAR B", "F BRE B"]),
        ("Builds: A Par, F Bre", ["A PAR B", "F BRE B"]),
        ("Constructions : A Par, F Bre", ["A PAR B", "F BRE B"]),
        ("Mobilisations\nA Par\nF Bre", ["A PAR B", "F BRE B"]),
        ("Builds:\n- A Par\n- F Bre", ["A PAR B", "F BRE B"]),
        ("Remove A Spa and F Por", ["A SPA D", "F POR D"]),
        ("je retire A Spa et F Por", ["A SPA D", "F POR D"]),
        ("- A Spa, F Por", ["A SPA D", "F POR D"]),
        ("Removals: A Spa, F Por", ["A SPA D", "F POR D"]),
        ("Retraits :\nA Spa\nFrance\nF Por", ["A SPA D", "F POR D"]),
        ("Suppressions : A Spa\nConstructions : F Bre", ["A SPA D", "F BRE B"]),
        ("Build A Par, remove F Por, A Spa", ["A PAR B", "F POR D", "A SPA D"]),
        ("+ A Par, - F Por", ["A PAR B", "F POR D"]),
    ],
)
def test_what_leads_a_list_of_units_is_said_of_each(scene: str, sheet: str, orders: list[str]) -> None:
    assert told(scene, sheet) == orders


@pytest.mark.parametrize(
    "sheet", ["Remove A Spa and F Bre", "je retire A Spa et F Bre", "- A Spa, F Bre", "Disband A Spa, A Par"]
)
def test_a_removal_builds_nothing(sheet: str) -> None:
    assert told("builds", sheet) == ["A SPA D", "!"]


@pytest.mark.parametrize("sheet", ["Adjustments: A Par, F Bre", "Builds and removals: A Par, F Bre"])
@pytest.mark.parametrize(("scene", "sign"), [("builds", "B"), ("removals", "D")])
def test_a_title_that_says_both_says_neither(scene: str, sign: str, sheet: str) -> None:
    assert told(scene, sheet) == [f"A PAR {sign}", f"F BRE {sign}"]


@pytest.mark.parametrize(
    "line", ["In Spain", "in Spain", "At Spain", "from Portugal", "de Paris", "En Espagne"]
)
@pytest.mark.parametrize("scene", ["removals", "moves"])
def test_a_place_behind_a_preposition_is_no_order(scene: str, line: str) -> None:
    assert told(scene, line) == ["!"]


@pytest.mark.parametrize(
    ("scene", "line", "orders"),
    [
        ("builds", "Une nouvelle armée à Paris", ["A PAR B"]),
        ("builds", "Une nouvelle flotte à Brest", ["F BRE B"]),
        ("builds", "one army in Paris", ["A PAR B"]),
        ("builds", "Nous construisons A Par", ["A PAR B"]),
        ("builds", "construisez A Par", ["A PAR B"]),
        ("builds", "on construit A Par", ["A PAR B"]),
        ("removals", "je dissous A Spa", ["A SPA D"]),
        ("moves", "Nous déplaçons A Par en Gascogne", ["A PAR - GAS"]),
        ("moves", "je bouge A Par en Gascogne", ["A PAR - GAS"]),
        ("moves", "J'avance A Par en Gascogne", ["A PAR - GAS"]),
        ("moves", "Nous attaquons la Gascogne avec A Par", ["A PAR - GAS"]),
        ("moves", "Nous soutenons A Par - Gas avec A Mar", ["A MAR S A PAR - GAS"]),
        ("moves", "je reste à Paris", ["A PAR H"]),
        ("moves", "La flotte de Brest reste à Brest", ["F BRE H"]),
        ("moves", "A Par reste en Gascogne", ["!"]),
        ("moves", "par gas", ["A PAR - GAS"]),
        ("England moves", "A Lvp stays in Liverpool", ["A LVP H"]),
        ("England moves", "The channel fleet attacks Brest", ["F ENG - BRE"]),
    ],
)
def test_what_a_player_says_in_words_is_read(scene: str, line: str, orders: list[str]) -> None:
    assert told(scene, line) == orders


@pytest.mark.parametrize(
    "line",
    [
        "waive all",
        "waive both",
        "waive 1",
        "waive one",
        "je passe mon tour",
        "no more builds",
        "no other builds",
        "Pas de build",
    ],
)
def test_more_ways_to_waive(line: str) -> None:
    assert told("builds", line) == ["WAIVE"]
    assert told("builds", f"A Par, {line}") == ["A PAR B", "WAIVE"]


@pytest.mark.parametrize(
    ("scene", "line", "order"),
    [
        ("England moves", "A Nwy est immobile", "A NWY H"),
        ("removals", "A Par est dissoute", "A PAR D"),
        ("removals", "A Par est supprimée", "A PAR D"),
        ("builds", "A Par est dissoute", "A PAR D"),
    ],
)
def test_a_word_of_a_sign_is_no_coast(scene: str, line: str, order: str) -> None:
    (read,) = read_lines([line], SITUATIONS[scene]())
    assert str(read.order) == order
    assert read.notes == ()
