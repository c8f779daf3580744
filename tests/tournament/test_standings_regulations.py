"""Regulations as data: the presets that are shipped, and what an organiser writes, well or badly."""

import re
from fractions import Fraction
from typing import Any

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import regulations
from talleyrand.tournament.standings import standings_json
from talleyrand.variants import LANGUAGES


@pytest.mark.parametrize("name", regulations.preset_names())
def test_presets_are_whole(name: str) -> None:
    rules = regulations.read_regulations(name)
    assert set(rules.title) == set(rules.source) == set(LANGUAGES)
    for prize in rules.prizes.values():
        assert set(prize.title) == set(LANGUAGES)
        assert bool(prize.power) == (prize.kind == "power")
    assert regulations.scoring_system(rules).title


def test_the_prizes_of_the_anjou_feu() -> None:
    kinds = [prize.kind for prize in regulations.read_regulations("anjou_feu").prizes.values()]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "power": 7,
        "vote": 7,
        "travel": 1,
        "youth": 1,
        "journey": 1,
        "team": 1,
    }


def test_a_table_extends_a_preset_key_by_key() -> None:
    told = {"extends": "anjou_feu", "intimate": {"won": "1/2"}, "rounds": [{"coefficient": "2"}]}
    rules = regulations.read_regulations(told)
    assert rules.intimate == {"lost": "10/100", "level": "15/100", "won": "1/2"}
    assert [one.coefficient for one in rules.rounds] == ["2"]
    assert rules.system == "baf"


def test_the_decimals_of_json_are_exact() -> None:
    rules = regulations.read_regulations({"system": {"parts": [{"kind": "centres", "per": 0.1}]}})
    assert (
        regulations.scoring_system(rules).parts
        == regulations.scoring_system(
            regulations.read_regulations({"system": {"parts": [{"kind": "centres", "per": "1/10"}]}})
        ).parts
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [("6/9", Fraction(2, 3)), ("1.10", Fraction(11, 10)), ("-2", Fraction(-2)), ("1.5/3", Fraction(1, 2))]
    + [
        (text, None)
        for text in ("", "x", "1/0", "1e9", "½", "1,5", "1/-2", " 1", "1" * 20, "nan", "٣", "1/2/3")
    ],
)
def test_numbers(text: str, value: Fraction | None) -> None:
    assert regulations.exact_amount(text) == value


BAD: dict[str, Any] = {
    "unknown preset": "no_such",
    "no preset at all": "",
    "a path": "../anjou_feu",
    "extends a list": {"extends": ["anjou_feu"]},
    "extends what is unknown": {"extends": "no_such"},
    "unknown key": {"sistem": "baf"},
    "unknown system": {"system": "no_such"},
    "a system that is none": {"system": {"parts": []}},
    "a system with an unknown part": {"system": {"parts": [{"kind": "luck"}]}},
    "a system that is a number": {"system": 7},
    "an example that does not come out": {
        "system": {
            "parts": [{"kind": "centres", "per": 1}],
            "examples": [{"centres": {"FRANCE": 4}, "scores": {"FRANCE": "5"}}],
        }
    },
    "a coefficient that is none": {"rounds": [{"coefficient": "a lot"}]},
    "divided by nothing": {"rounds": [{"coefficient": "1/0"}]},
    "aside": {"rounds": [{"aside": "?"}]},
    "a size": {"sizes": {"6": "6:7"}},
    "intimate": {"intimate": {"won": "20 %"}},
    "bonus": {"final": {"round": 4, "bonus": "10 %"}},
    "weight": {"weighing": [{"weights": {"3": ["1", "x"]}}]},
    "a weight that is a number": {"weighing": [{"weights": {"3": [1]}}]},
    "weights in a table": {"weighing": {"weights": {}}},
    "late by nothing": {"late": 0},
    "replaced by nothing": {"replaced": -1},
    "rounds without a list": {"rounds": {"1": {}}},
    "a kind of office": {"organisation": ["king"]},
    "twice": {"twice": "never"},
}


@pytest.mark.parametrize("name", BAD)
def test_bad_regulations_get_a_sentence(name: str) -> None:
    with pytest.raises(TalleyrandError) as refused:
        regulations.read_regulations(BAD[name])
    said = standings_json.refusal_sentences(refused.value)
    assert set(said) == set(LANGUAGES)
    assert all(words.endswith(".") and not re.search(r"{\w+}", words) for words in said.values())
    assert said["fr"] != said["en"]
