"""The demonstration game of a variant: orders are data, and everything that is told comes from the judge."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from talleyrand import variants
from talleyrand.variants import LANGUAGES
from talleyrand.web.library import variant_demonstration
from talleyrand.web.library.example_boards import ExampleBoard
from talleyrand.web.practice.models import PracticeGame

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("strict_templates")]
NAME = "diplomatie_2000"
SCENES = variant_demonstration.variant_demonstration_phases(NAME)
PREFIX = {"fr": f"/variantes/{NAME}/demonstration/", "en": f"/en/variants/{NAME}/demonstration/"}
NUMBERS = range(1, len(SCENES) + 1)


def phase(name: str) -> ExampleBoard:
    number = [scene.phase for scene in SCENES].index(name)
    return variant_demonstration.variant_demonstration_boards(NAME)[number]


def politics(name: str) -> dict[str, Any]:
    told = phase(name).answer["politics"]
    assert isinstance(told, dict)
    return told


def test_two_years_are_played_to_their_end() -> None:
    played = variant_demonstration.variant_demonstration_boards(NAME)
    assert [board.answer["phase"] for board in played] == [scene.phase for scene in SCENES]
    assert (SCENES[0].phase, SCENES[-1].phase) == ("S2001P", "W2002A")
    assert played[-1].answer["next"] == "S2003P"


def test_every_order_is_lawful_and_understood_whole() -> None:
    for board in variant_demonstration.variant_demonstration_boards(NAME):
        for entry in board.answer["orders"]:
            assert entry["error"] is None, (board.answer["phase"], entry)
            assert entry["notes"] == [], (board.answer["phase"], entry)
            assert "illegal" not in entry["results"], (board.answer["phase"], entry)


def test_every_state_votes_when_it_may() -> None:
    states = set(variants.load_board(NAME).board.powers)
    for name in ("S2001M", "F2001M", "S2002M", "F2002M"):
        silent = states - set(politics(name)["ballots"]["2"]["cast"])
        assert silent == ({"EEAE"} if name == "F2002M" else set())


def test_what_is_told_has_happened() -> None:
    """The comments name these; the judge says them."""
    assert politics("S2001M")["ballots"]["2"] | {"cast": {}} == {
        "cast": {},
        "tally": {"ETUN": 8, "ONU": 6, "UMAR": 3, "NONE": 2},
        "tied": [],
        "adopted": ["ETUN"],
        "by": "most",
    }
    assert politics("F2001P")["proposals"]["UCEN"] == ["1B EEAE 30", "3A UCEN"]
    economic = politics("F2001M")["ballots"]["3"]
    assert (economic["tally"]["OPTO"], economic["tally"]["UCEN"], economic["by"]) == (7, 7, "ranking")
    scores = politics("F2001M")["scores"]
    assert (scores["MCCA"]["total"], scores["EEAE"]["total"]) == (143, 113)
    assert politics("F2001M")["allowance"]["CAOR"] | {"imf": 0, "embargo": 0} == {
        "centres": 3, "aid": 1, "imf": 0, "embargo": 0, "allowed": 4, "units": 4,
    }  # fmt: skip
    assert "M ABD" in phase("W2001A").answer["units"]["UCEN"]
    assert politics("S2002M")["grace"] == {"EEAE": "S2003"}
    assert "A BOG" in phase("S2002M").answer["units"]["CAOR"]
    assert "M KAM" not in phase("S2002R").answer["units"]["EEAE"]
    assert not politics("F2002M").get("grace")
    assert phase("F2002M").answer["dislodged"]["RUSS"][0]["retreats"] == []
    allowed = politics("F2002M")["allowance"]["RUSS"]
    assert (allowed["centres"], allowed["embargo"], allowed["allowed"]) == (13, 1, 12)
    after = phase("W2002A").answer["units"]
    assert after["ONU"] == ["M YEM"]
    assert "M ABD" in after["EEAE"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", NUMBERS)
def test_every_phase_has_its_page_and_pictures(client: Client, number: int, language: str) -> None:
    page = client.get(f"{PREFIX[language]}{number}/").text
    assert "MISSING" not in page
    names = re.findall(r' id="([^"]+)"', page)
    assert len(names) == len(set(names))
    told = unescape(page).replace("\u00a0", " ")
    assert SCENES[number - 1].text[language].replace("\u00a0", " ")[:60] in told
    for kind in ("orders", "result"):
        picture = client.get(f"{PREFIX[language]}{number}/{kind}.svg")
        assert picture["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert 'id="insets"' not in picture.text
        ET.fromstring(picture.text)
        assert "max-age=600" in picture["Cache-Control"]


@pytest.mark.long
@pytest.mark.parametrize("number", [1, 2, len(NUMBERS) - 1])
def test_a_phase_is_played_on_the_practice_board(client: Client, number: int) -> None:
    page = unescape(client.get(f"{PREFIX['en']}{number}/").text)
    sent = {name: re.search(f'name="{name}" value="(.*?)">', page) for name in ("submission", "text")}
    assert all(sent.values())
    told = {name: found[1] for name, found in sent.items() if found}
    board = client.post("/en/p/import/", told, follow=True)
    assert board.status_code == 200
    game = PracticeGame.objects.get(submission_id=told["submission"])
    scene = SCENES[number - 1]
    assert (game.variant, game.start_situation["phase"]) == ("diplomatie_2000", scene.phase)
    assert {power: len(lines) for power, lines in game.draft_orders.items()} == {
        power: len(lines) for power, lines in scene.orders.items()
    }


@pytest.mark.long
def test_every_unit_that_a_picture_is_about_is_in_it(client: Client) -> None:
    variant = variants.load_board(NAME)
    for number, scene in enumerate(SCENES, 1):
        svg = client.get(f"{PREFIX['en']}{number}/result.svg").text
        left, top, width, height = map(float, re.findall(r'viewBox="([^"]+)"', svg)[0].split())
        for place in scene.view:
            x, y = variant.anchors[place]["unit"][:2]
            assert left < x < left + width, (scene.phase, place)
            assert top < y < top + height, (scene.phase, place)


def test_politics_are_told_phase_by_phase(client: Client) -> None:
    pages = {
        scene.phase: unescape(client.get(f"{PREFIX['fr']}{number}/").text).replace("\u00a0", " ")
        for number, scene in enumerate(SCENES, 1)
    }
    assert "Motion de censure : Entente des États d’Afrique de l’Est, −30 pV" in pages["F2001P"]
    assert "Intervention annoncée" in pages["F2001P"]
    assert "Pyongyang" in pages["F2001P"]
    for title in (
        "Vote politique",
        "Missions des M",
        "Vote économique",
        "Aide versée",
    ):
        assert title in pages["F2001M"]
    assert "Égalité, départagée par le secrétaire général." in pages["F2001M"]
    assert "(4 − 3) × 143 = 143" in pages["F2001M"]
    assert "13 + 0 + 0 − 1 = 12" in pages["F2002M"]
    assert "Disgrâce : Entente des États d’Afrique de l’Est, 2 tours" in pages["S2002P"]


def test_a_variant_without_a_game_has_no_scenes() -> None:
    assert variant_demonstration.variant_demonstration_phases("classic") == ()
    with pytest.raises(IndexError):
        variant_demonstration.variant_demonstration_context(variants.load_board(NAME), len(SCENES) + 1)
