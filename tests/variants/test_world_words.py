"""The world's own sentences in both languages: who stopped a unit, canals, plural states, spelling."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from talleyrand import notation
from talleyrand.engine.orders import PoliticalOrder
from talleyrand.variants import LANGUAGES
from tests.variants.test_diplomatie_2000 import WORLD, play
from tests.variants.test_world_slips import entry

FOLDER = Path(__file__).parents[2] / "src/talleyrand/variants/diplomatie_2000"
TEXTS = re.compile(r'\b(fr|en) = "((?:[^"\\]|\\.)*)"')


@pytest.mark.parametrize(
    ("states", "target", "code", "english", "french"),
    [
        (
            ["MCCA"],
            None,
            "subverted",
            "Stopped: subverted by the Central American Common Market.",
            "Arrêtée par l’action subversive du Marché commun centre-américain.",
        ),
        (
            [],
            "BOG",
            "intervened",
            "Stopped by the Secretary-General’s intervention.",
            "Arrêtée par l’intervention du secrétaire général.",
        ),
        (
            ["CASO", "MCCA"],
            "BOG",
            "subverted_and_intervened",
            "and the Central American Common Market, and by the Secretary-General’s intervention.",
            "action subversive de la Coopération d’Asie du Sud-Ouest et du Marché commun centre-américain.",
        ),
    ],
)
def test_a_stopped_unit_says_by_what_and_by_whom(
    states: list[str], target: str | None, code: str, english: str, french: str
) -> None:
    lines = {state: ["AS : BOG"] for state in states}
    politics = {"intervention": {"target": target, "last": None}} if target else {}
    answer = play("S2002M", {"CAOR": ["A BOG"]}, {**lines, "CAOR": ["A BOG - LIM"]}, **politics)
    found = next(one for one in answer["orders"] if one["line"] == "A BOG - LIM")
    assert (found["results"], found["cause"]["code"]) == (["subverted"], code)
    assert found["why"]["en"].endswith(english)
    assert found["why"]["fr"].endswith(french)


def test_a_unit_stopped_and_dislodged_says_both() -> None:
    units = {"CAOR": ["A BOG"], "MCSU": ["A AMA", "A VEN"]}
    orders = {"MCCA": ["AS : BOG"], "MCSU": ["A AMA - BOG", "A VEN S A AMA - BOG"]}
    found = next(one for one in play("S2002M", units, orders)["orders"] if one["power"] == "CAOR")
    assert found["cause"]["code"] == "subverted"
    assert "dislodged" in found["results"]
    assert "Central American Common Market" in found["why"]["en"]
    assert "dislodged by A Amazon" in found["why"]["en"]


@pytest.mark.parametrize(
    ("amount", "english", "french"),
    [
        (1, "disgrace: Russia, 1 turn", "disgrâce : Russie, 1 tour"),
        (3, "disgrace: Russia, 3 turns", "disgrâce : Russie, 3 tours"),
    ],
)
def test_one_turn_is_one(amount: int, english: str, french: str) -> None:
    order = PoliticalOrder(f"1D RUSS {amount}")
    assert notation.describe_order(order, WORLD, "en") == english
    assert notation.describe_order(order, WORLD, "fr").replace("\u00a0", " ") == french


@pytest.mark.parametrize("state", ["ETUN", "CEAO"])
def test_sentences_suit_states_whose_name_is_a_plural(state: str) -> None:
    found = entry("F2001P", "UMAR", f"1A : {state}", {"eliminated": [state]})
    name = {language: WORLD.names(language).powers[state].name for language in LANGUAGES}
    for language, verb in (("en", "this state is out"), ("fr", "cet état est hors")):
        told = found["error"]["message"][language]
        assert verb in told
        assert f"{name[language]})" in told


def test_who_proposed_is_named_whether_one_or_several() -> None:
    for made, english, french in (
        (("ETUN",), "but by the United States of America.", "mais par les États-Unis d’Amérique."),
        (
            ("ETUN", "RUSS"),
            "but by the United States of America and Russia.",
            "mais par les États-Unis d’Amérique et la Russie.",
        ),
    ):
        proposals = {"proposals": {state: ["1A RUSS 20"] for state in made}}
        (note,) = entry("F2001M", "CHIN", "1) INDE", proposals)["notes"]
        assert note["en"].endswith(english)
        assert note["fr"].endswith(french)


def test_a_fleet_that_may_not_convoy_in_a_canal_is_told_so() -> None:
    units = {"CAOR": ["A EQU"], "MCCA": ["F PAN"]}
    answer = play("S2002M", units, {"MCCA": ["F PAN C A EQU - VEN"]}, options={"canal_convoy": "no"})
    told = next(one for one in answer["orders"] if one["line"])["error"]["message"]
    assert "a fleet that stands in a canal (Panama) may not convoy" in told["en"]
    assert "une flotte qui se trouve dans un canal (le Panama) ne peut pas convoyer" in told["fr"]


def texts() -> list[tuple[str, str]]:
    """Every sentence of the variant with its language."""
    found = []
    for path in sorted(FOLDER.rglob("*.toml")):
        text = path.read_text("utf-8")
        if path.stem.startswith("sentences."):
            found += [
                (path.stem[-2:], line.partition(' = "')[2][:-1])
                for line in text.splitlines()
                if ' = "' in line
            ]
        else:
            found += TEXTS.findall(text)
    return found


def test_the_secretary_general_is_written_alike_everywhere() -> None:
    said = [(language, text) for language, text in texts() if re.search("(?i)secr[eé]ta", text)]
    assert len(said) > 30
    for language, text in said:
        inside = re.findall(r"(?i)(?<![.!?] )(?<!^)secr[eé]ta[a-z]*.g[eé]n[eé]ral", text)
        spelt = "Secretary-General" if language == "en" else "secrétaire général"
        assert set(inside) <= {spelt}, text


def test_double_punctuation_is_spaced_as_each_language_has_it() -> None:
    told = texts()
    assert len(told) > 400
    for language, text in told:
        words = re.sub(r"`[^`]*`", "", text)
        if language == "en":
            assert not re.search(r"\w[ \u00a0][:;?!]", words), text
        else:
            assert not re.search(r"\w[:;?!](?:\s|$)", words), text


@pytest.mark.parametrize(
    ("language", "words"), [("en", "code that comes first"), ("fr", "code qui vient le")]
)
def test_a_tie_settled_by_the_alphabet_says_whose(language: str, words: str) -> None:
    """Names and codes are not in one order: CAOR is the Golden Cartel, « Cartel d’Or »."""
    assert words in WORLD.sentence(language, "decided", "first_code")
    chapter = (FOLDER / "chapters/03-votes.toml").read_text("utf-8")
    assert "CAOR before CASO" in chapter
    assert "CAOR avant CASO" in chapter
