"""A sheet is cut into powers and lines."""

from __future__ import annotations

import pytest

from talleyrand import variants
from talleyrand.notation import is_title_line, join_broken_lines, split_sheet
from talleyrand.notation.name_index import load_name_index

CLASSIC = variants.load("classic")


@pytest.mark.parametrize(
    ("sheet", "found"),
    [
        ("", {}),
        ("A Par H", {None: ["A Par H"]}),
        ("A Par H; A Mar H\nF Bre H", {None: ["A Par H", "A Mar H", "F Bre H"]}),
        ("France\nA Par H", {"FRANCE": ["A Par H"]}),
        ("FRANCE :\nA Par H", {"FRANCE": ["A Par H"]}),
        ("# France\nA Par H", {"FRANCE": ["A Par H"]}),
        ("**Autriche-Hongrie**\nA Vie H", {"AUSTRIA": ["A Vie H"]}),
        ("The Ottoman Empire\nA Con H", {"TURKEY": ["A Con H"]}),
        (
            "France : A Par H; A Mar H\nRussia: A Mos H",
            {"FRANCE": ["A Par H", "A Mar H"], "RUSSIA": ["A Mos H"]},
        ),
        ("France\nRussie\nA Mos H", {"FRANCE": [], "RUSSIA": ["A Mos H"]}),
        (
            "France\nA Par H\nRussie\nA Mos H\nFrance\nA Mar H",
            {"FRANCE": ["A Par H", "A Mar H"], "RUSSIA": ["A Mos H"]},
        ),
        ("Printemps 1901\nFrance\nA Par H", {"FRANCE": ["A Par H"]}),
        ("Spring 1901", {}),
        ("Allemagne : F Kie et A Mun", {"GERMANY": ["F Kie", "A Mun"]}),
        ("Germany: F Kie, A Mun and A Ber", {"GERMANY": ["F Kie", "A Mun", "A Ber"]}),
        ("A Alg - Maroc et Algérie", {None: ["A Alg - Maroc et Algérie"]}),
        ("F Sue S A StP-\nNge; F Rou H", {None: ["F Sue S A StP- Nge", "F Rou H"]}),
        ("A Gal S F Rou; A\nUkr S A Seb", {None: ["A Gal S F Rou", "A Ukr S A Seb"]}),
        ("A Par -\nA Mar H", {None: ["A Par -", "A Mar H"]}),
        ("A Par -\nRussie\nA Mos H", {None: ["A Par -"], "RUSSIA": ["A Mos H"]}),
        ("A Mun-Ber; sinon, A Boh (S) A Mun", {None: ["A Mun-Ber", "sinon, A Boh (S) A Mun"]}),
        ("A Par H; sinon A Par - Bou; A Mar H", {None: ["A Par H", "sinon A Par - Bou; A Mar H"]}),
        ("A Par H\r\n\r\nA Mar H\r\n", {None: ["A Par H", "A Mar H"]}),
        ("- A Bou\n+ A Par", {None: ["- A Bou", "+ A Par"]}),
        ("Eng H", {None: ["Eng H"]}),
        ("Eng\nF Lon H", {None: ["Eng", "F Lon H"]}),
    ],
)
def test_split(sheet: str, found: dict[str | None, list[str]]) -> None:
    assert split_sheet(sheet, CLASSIC) == found


def test_powers_and_letters_come_from_the_variant() -> None:
    sheet = "Borée\nP Givre - Cime, A Phare H\nSOLANA: F Noo H"
    found = split_sheet(sheet, variants.load("trio"))
    assert found == {"BOREA": ["P Givre - Cime", "A Phare H"], "SOLANA": ["F Noo H"]}


@pytest.mark.parametrize(
    ("sheet", "lines"),
    [
        ("A Par - Bur\n\nF Bre - MAO\n", ["A Par - Bur", "F Bre - MAO"]),
        ("A Par -\nBur", ["A Par - Bur"]),
        ("A\nPar - Bur", ["A Par - Bur"]),
        ("A Par -\n\nBur", ["A Par -", "Bur"]),
        ("Bonjour,\n  A Par - Bur", ["Bonjour,", "  A Par - Bur"]),
        ("", []),
    ],
)
def test_an_order_cut_in_the_middle_is_one_line(sheet: str, lines: list[str]) -> None:
    assert list(join_broken_lines(sheet, CLASSIC)) == lines


@pytest.mark.parametrize(
    ("line", "titled"),
    [
        ("Ordres de la France pour le printemps 1901 :", True),
        ("ITALY", True),
        ("Retraites", True),
        ("Bonjour, voici mes ordres pour ce printemps :", False),
        ("A Paris", False),
        ("# un commentaire", False),
        ("------", False),
    ],
)
def test_titles_are_known(line: str, titled: bool) -> None:
    assert is_title_line(line, CLASSIC, load_name_index(CLASSIC, None)) == titled
