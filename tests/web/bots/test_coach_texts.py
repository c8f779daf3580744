"""What the coach says of what it found, in French and English."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from talleyrand import variants
from talleyrand.web.bots.coach_texts import CoachTexts

CLASSIC = variants.load("classic")
N = "\u00a0"
AUTUMN: dict[str, Any] = {
    "tried": 90,
    "likely_answers": 24,
    "is_capture_season": True,
    "hindsight": 0.2,
    "likely": 0.125,
}
TAKES = {"gains": [["reaches", "BUR"], ["reaches", "MUN"], ["dislodges", "A MUN"]], "losses": []}
GIVES = {"gains": [], "losses": [["keeps_centre", "PAR"], ["keeps_unit", "A PAR"], ["reaches", "BEL"]]}
BOTH = {"gains": [["keeps_centre", "PAR"]], "losses": [["dislodges", "A MUN"]]}
SMALL = {"gains": [["stops", "F ENG - NTH"], ["stands", "GAL"], ["keeps_unit", "A VIE"]], "losses": []}


@pytest.mark.parametrize(
    ("found", "english", "french"),
    [
        (
            TAKES,
            "With hindsight: takes Burgundy and Munich and dislodges A Munich.",
            f"Avec le recul{N}: prend la Bourgogne et Munich et disloge A Munich.",
        ),
        (
            GIVES,
            "With hindsight: loses Paris, has A Paris dislodged and doesn’t take Belgium.",
            f"Avec le recul{N}: perd Paris, se fait disloger A Paris et ne prend pas la Belgique.",
        ),
        (
            BOTH,
            "With hindsight: keeps Paris; but doesn’t dislodge A Munich.",
            f"Avec le recul{N}: garde Paris\u202f; mais ne disloge pas A Munich.",
        ),
        (
            SMALL,
            "With hindsight: stops F English Channel - North Sea, occupies Galicia and saves A Vienna.",
            f"Avec le recul{N}: arrête F Manche - mer du Nord, occupe la Galicie et sauve A Vienne.",
        ),
        (
            {"gains": [], "losses": []},
            "With hindsight: nothing changes on the map.",
            f"Avec le recul{N}: rien ne change sur la carte.",
        ),
    ],
)
def test_with_hindsight(found: dict[str, Any], english: str, french: str) -> None:
    with translation.override("en"):
        assert CoachTexts(CLASSIC, AUTUMN).hindsight(found) == english
    with translation.override("fr"):
        assert CoachTexts(CLASSIC, AUTUMN).hindsight(found) == french


CENTRE = {"kind": "centre", "what": "MUN", "power": "RUSSIA", "origin": "SIL"}
UNIT = {"kind": "unit", "what": "A HOL", "power": "ENGLAND", "origin": "NTH"}


@pytest.mark.parametrize(
    ("loss", "autumn", "english", "french"),
    [
        (CENTRE, True, "Russia takes Munich from Silesia", "la Russie prend Munich depuis la Silésie"),
        (CENTRE, False, "Russia enters Munich from Silesia", "la Russie occupe Munich depuis la Silésie"),
        (
            UNIT,
            False,
            "England dislodges A Holland from the North Sea",
            "l’Angleterre disloge A Hollande depuis la mer du Nord",
        ),
    ],
)
def test_the_risk(loss: dict[str, str], autumn: bool, english: str, french: str) -> None:
    review = {**AUTUMN, "is_capture_season": autumn}
    with translation.override("en"):
        said = CoachTexts(CLASSIC, review).risk({"loss": loss, "count": 2, "played": 1})
        assert said == f"Risk: {english} in 2 of 24 likely cases (as played: 1)."
    with translation.override("fr"):
        said = CoachTexts(CLASSIC, review).risk({"loss": loss, "count": 2, "played": 2}, compared=False)
        assert said == f"Risque{N}: {french} dans 2 des 24 cas probables."


def test_the_chances_and_the_shares() -> None:
    better = {"chances": [["BEL", 24, 5], ["HOL", 3, 0], ["DEN", 1, 0]], "hindsight": 0.3, "likely": 0.15}
    with translation.override("en"):
        texts = CoachTexts(CLASSIC, AUTUMN)
        assert texts.chances(better) == (
            "Against likely orders: takes Belgium in 24 of 24 cases (as played: 5) "
            "and Holland in 3 of 24 cases (as played: 0)."
        )
        assert texts.chances({"chances": []}) == ""
        assert "30.0% with hindsight (as played: 20.0%)" in texts.shares(better)
        assert texts.none_better == "None of the 90 sets of orders tried is better than the one played."
    with translation.override("fr"):
        texts = CoachTexts(CLASSIC, {**AUTUMN, "is_capture_season": False})
        assert texts.chances({"chances": [["BEL", 1, 0]]}) == (
            f"Contre des ordres probables{N}: occupe la Belgique dans 1 des 24 cas (comme joué{N}: 0)."
        )
        assert f"20,0{N}% avec le recul" in texts.played_shares()
        assert texts.risk(None).startswith(f"Risque{N}: ni centre ni unité")
