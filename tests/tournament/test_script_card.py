"""The card of a power that plays by a script, and what it does from a position typed."""

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.answer_errors import error_json
from talleyrand.tournament import script_card

SURVIVOR = "survivor_turkey"
WALL = ["F Con S A Bul", "A Bul S F Con", "A Ank S A Smy", "A Smy S A Ank"]


def shorts(phase: str, units: str, centres: str = "", language: str = "fr") -> list[str]:
    return [one.short for one in script_card.script_orders(SURVIVOR, phase, units, language, centres)]


def test_which_powers_have_a_script() -> None:
    assert script_card.powers(SURVIVOR) == ("TURKEY",)
    assert script_card.powers("classic") == script_card.powers("escalation") == ()


def test_the_card() -> None:
    spring, autumn, winter, after, remarks = script_card.script_card(SURVIVOR, "fr")
    assert (spring.title, spring.lines) == ("Printemps 1901", ("F Ank - Con", "A Con - Bul", "A Smy - Ank"))
    assert (autumn.title, autumn.lines) == ("Automne 1901", ("F Con S A Bul", "A Bul H", "A Ank H"))
    assert (winter.title, winter.lines) == ("Hiver 1901", ("A Smy B",))
    assert [line.partition("\u00a0;")[0] for line in after.lines] == WALL
    assert after.lines[0].endswith("sinon F Con H")
    assert len(remarks.lines) == 4
    assert not remarks.title


def test_the_card_in_english() -> None:
    parts = script_card.script_card(SURVIVOR, "en")
    assert [part.title for part in parts] == [
        "Spring 1901",
        "Autumn 1901",
        "Winter 1901",
        "Every season after that",
        "",
    ]
    assert parts[3].lines[0] == "F Con S A Bul; otherwise F Con H"


@pytest.mark.parametrize(
    ("phase", "units", "centres", "expected"),
    [
        ("S1901M", "F Ank, A Con, A Smy", "", ["F Ank - Con", "A Con - Bul", "A Smy - Ank"]),
        ("F1903M", "F Con, A Bulgarie ; A ank", "", ["F Con S A Bul", "A Bul S F Con", "A Ank H"]),
        ("F1903M", "A Bul", "", ["A Bul H"]),
        ("F1903M", "", "", []),
        ("S1904R", "A Bul", "", ["A Bul D"]),
        ("W1901A", "F Con, A Bul, A Ank", "Con, Ank, Smy, Bul", ["A Smy B"]),
        ("W1901A", "F Con, A Bul, A Ank", "Con, Ank, Smy", []),
        ("W1904A", "F Con, A Bul, A Ank", "Con, Ank", ["A Bul D"]),
        ("W1904A", "F Con, A Bul, A Ank", "Con, Ank, Smy, Bul", []),
    ],
)
def test_what_it_does_now(phase: str, units: str, centres: str, expected: list[str]) -> None:
    assert shorts(phase, units, centres) == expected


def test_names_of_both_languages_are_read() -> None:
    assert shorts("S1903M", "A Bulgaria, F Constantinople", language="en") == [
        "A Bul S F Con",
        "F Con S A Bul",
    ]
    [bulgaria] = script_card.script_orders(SURVIVOR, "S1903M", "A Bulgarie", "fr")
    assert bulgaria.full == "A Bulgarie tient"


@pytest.mark.parametrize(
    ("phase", "units", "centres"),
    [
        ("1903", "A Bul", ""),
        ("", "A Bul", ""),
        ("S1903M", "Z Nulle-part", ""),
        ("S1903M", "A Bul, A Bul", ""),
        ("S1903M", "A Noi", ""),
        ("S1903M", "A Bul\nordres\nA Bul - Gre", ""),
        ("W1903A", "A Bul", ""),
        ("W1903A", "A Bul", "nulle part"),
        ("S1903M", "A " + "x" * 5000, ""),
    ],
)
def test_what_cannot_be_read_is_told(phase: str, units: str, centres: str) -> None:
    with pytest.raises(TalleyrandError) as refused:
        script_card.script_orders(SURVIVOR, phase, units, "fr", centres)
    assert error_json(refused.value)["message"]


@pytest.mark.parametrize(("variant", "code"), [("classic", "act_no_script"), ("nothing", "unknown_variant")])
def test_a_variant_without_script_has_no_card(variant: str, code: str) -> None:
    with pytest.raises(TalleyrandError) as refused:
        script_card.script_card(variant, "fr")
    assert refused.value.code == code
