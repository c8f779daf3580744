"""The editor of positions: its text, its touches, what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from talleyrand import variants
from talleyrand.web.practice import position_editor_views, practice_records
from talleyrand.web.practice.models import PracticeGame
from tests.web.conftest import Player

pytestmark = pytest.mark.django_db
START = (
    "variante : classic\nlivre : datc\nphase : S1901M\n\nPositions\nFRANCE : A PAR\n\nCentres\nFRANCE : PAR\n"
)


def look(client: Client, text: Any, edit: Any = None, prefix: str = "") -> tuple[int, dict[str, Any]]:
    body = json.dumps({"text": text, "edit": edit})
    response = client.post(f"{prefix}/p/position/look/", body, content_type="application/json")
    answer: dict[str, Any] = json.loads(response.content)
    return response.status_code, answer


def edited(client: Client, text: str, **edit: str) -> dict[str, Any]:
    status, answer = look(client, text, edit)
    assert status == 200, answer
    return position_editor_views.fields_from_position_text(answer["text"])


@pytest.mark.parametrize("variant", variants.playable_names())
def test_the_editor_opens_at_every_variant(client: Client, variant: str) -> None:
    page = client.get("/p/position/", {"variant": variant})
    assert page.status_code == 200
    assert 'id="viewport"' in page.text


@pytest.mark.parametrize("variant", variants.playable_names())
def test_the_text_of_a_position_says_all_of_it(variant: str) -> None:
    fields = {
        "variant": variant,
        "rulebook": "datc",
        **practice_records.initial_position(variants.load(variant)),
    }
    read = position_editor_views.fields_from_position_text(
        position_editor_views.position_text_from_fields(fields)
    )
    fields["centers"] = {power: codes for power, codes in fields["centers"].items() if codes}
    assert {**read, "dislodged": {}, "contested": []} == fields  # a power that is not listed has no centre


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", variants.playable_names())
@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_place_is_read_as_it_is_written(variant: str, language: str) -> None:
    board = variants.load(variant).board
    power, phase = board.powers[0], practice_records.initial_position(variants.load(variant))["phase"]
    for letter in board.kinds:
        for code in board.provinces:
            for location in board.standable_locations(letter, code):
                fields = {"variant": variant, "phase": phase, "units": {power: [f"{letter} {location}"]}}
                with override(language):
                    assert (
                        position_editor_views.fields_from_position_text(
                            position_editor_views.position_text_from_fields(fields)
                        )["units"]
                        == fields["units"]
                    )


def test_dislodged_units_survive_the_text() -> None:
    fallen = {"unit": "A BUL", "by": "RUM", "convoyed": False}
    fields = {
        "variant": "classic",
        "rulebook": "datc",
        "phase": "S1901R",
        "units": {"RUSSIA": ["A BUL"]},
        "dislodged": {"TURKEY": [fallen]},
        "contested": ["SER"],
        "centers": {"RUSSIA": ["BUL"]},
    }
    assert (
        position_editor_views.fields_from_position_text(
            position_editor_views.position_text_from_fields(fields)
        )
        == fields
    )


def test_touches_place_and_take_off(client: Client) -> None:
    fields = edited(client, START, do="unit", power="ITALY", kind="F", place="SPA")
    assert fields["units"] == {"FRANCE": ["A PAR"], "ITALY": ["F SPA/NC"]}
    fields = edited(
        client,
        position_editor_views.position_text_from_fields(fields),
        do="unit",
        power="ITALY",
        kind="F",
        place="SPA",
    )
    assert fields["units"]["ITALY"] == ["F SPA/SC"]
    fields = edited(
        client,
        position_editor_views.position_text_from_fields(fields),
        do="unit",
        power="ITALY",
        kind="F",
        place="SPA",
    )
    assert "ITALY" not in fields["units"]
    fields = edited(client, START, do="unit", power="ITALY", kind="A", place="PAR")
    assert fields["units"] == {"ITALY": ["A PAR"]}
    assert edited(client, START, do="erase", place="PAR").get("units", {}) == {}


def test_touches_give_and_free_centres(client: Client) -> None:
    assert edited(client, START, do="centre", power="ITALY", place="PAR")["centers"] == {"ITALY": ["PAR"]}
    assert edited(client, START, do="centre", power="", place="PAR").get("centers", {}) == {}


def test_phase_and_rulebook_change(client: Client) -> None:
    assert edited(client, START, do="phase", phase="F1905R")["phase"] == "F1905R"
    assert edited(client, START, do="rulebook", rulebook="anjou_feu")["rulebook"] == "anjou_feu"
    assert edited(client, START, do="clear").get("units", {}) == {}


@pytest.mark.parametrize(
    "edit",
    [
        {"do": "unit", "power": "FRANCE", "kind": "F", "place": "MUN"},
        {"do": "unit", "power": "ATLANTIS", "kind": "F", "place": "MUN"},
        {"do": "unit", "power": "FRANCE", "kind": "Q", "place": "MUN"},
        {"do": "unit", "power": "FRANCE", "kind": "A", "place": "XYZ"},
        {"do": "unit"},
        {"do": "centre", "power": "FRANCE", "place": "BUR"},
        {"do": "phase", "phase": "S0"},
        {"do": "phase", "phase": "Q1901M"},
        {"do": "rulebook", "rulebook": "none"},
        {"do": "destroy"},
        {"do": ["unit"]},
        [],
        3,
    ],
)
def test_edits_that_cannot_be(client: Client, edit: Any) -> None:
    status, answer = look(client, START, edit)
    assert status == 400
    assert answer["message"].endswith((".", "!"))


@pytest.mark.parametrize("text", [None, 3, "x" * 20_001, "Positions\nFrance : A Xyz", "{", '{"phases": 1}'])
@pytest.mark.parametrize("prefix", ["", "/en"])
def test_texts_that_are_no_position(client: Client, text: Any, prefix: str) -> None:
    status, answer = look(client, text, prefix=prefix)
    assert status == 400
    assert answer["message"]


def test_the_text_of_another_board_is_not_drawn_on_this_one(client: Client) -> None:
    body = json.dumps({"text": START, "edit": None, "variant": "trio"})
    response = client.post("/p/position/look/", body, content_type="application/json")
    assert response.status_code == 400
    assert "une autre variante" in json.loads(response.content)["message"]


def test_play_from_a_position(client: Client) -> None:
    response = client.post("/p/position/", {"text": START, "submission": "a-position-of-my-own"}, follow=True)
    assert "Printemps 1901" in response.text
    game = PracticeGame.objects.get()
    assert game.rulebook == "datc"
    assert game.start_situation["units"] == {"FRANCE": ["A PAR"]}


def test_a_bad_position_stays_in_the_editor(client: Client) -> None:
    response = client.post("/p/position/", {"text": START + "ITALIE : A Rien"})
    assert response.status_code == 400
    assert "ITALIE : A Rien" in response.text
    assert 'class="error"' in response.text


def test_from_a_game(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    player.resolve(1)
    page = player.client.get(player.address("2/position/"))
    assert "phase : F1901M" in page.text
    assert "A Bourgogne" in page.text
