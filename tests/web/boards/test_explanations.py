"""The chain of causes of an order: its page, its steps for the map, who may see it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.web.conftest import Player

SHEET = "FRANCE\nA Par-Bou\nA Mar S A Par-Bou\nALLEMAGNE\nA Mun-Bou\nITALIE\nA Ven-Pié\n"
CUT = {"sheet": SHEET}


@pytest.fixture
def played(player: Player) -> Player:
    player.draft(1, CUT)
    player.resolve(1)
    return player


@pytest.mark.django_db
def test_every_order_asks_why(played: Player) -> None:
    page = played.client.get(played.address("1/")).text
    assert page.count('class="ask no-print"') == page.count('class="why"') > 15
    assert f'href="{played.address("1/why/PAR/")}"' in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("prefix", "words"), [("", "avec une force de 2"), ("/en", "with strength 2, supported by A Marseilles")]
)
def test_the_page_has_a_picture_for_each_step(played: Player, prefix: str, words: str) -> None:
    played.prefix = prefix
    response = played.client.get(played.address("1/why/PAR/"))
    page = response.text
    assert words in page
    steps = re.findall(r'<li id="step-(\d)">', page)
    assert len(steps) >= 3
    assert page.count('<use href="#ground-under"/>') == len(steps)
    assert page.count('id="ground-under"') == 1
    nonce = re.search(r"'nonce-([^']+)'", response["Content-Security-Policy"])
    assert nonce
    assert f'<style nonce="{nonce[1]}">' in page


@pytest.mark.django_db
def test_the_steps_for_the_map(played: Player) -> None:
    found = played.client.get(played.address("1/why/PAR/steps.json")).json()
    assert found["order"] == "A Paris - Bourgogne"
    _, _, width, height = found["frame"]
    assert 0 < width <= 1000
    assert height == pytest.approx(width * 0.696, abs=0.2)
    first = found["steps"][0]
    assert first["provinces"] == ["PAR", "MAR"]
    assert set(first["layers"]) == {"layer-orders", "layer-marks"}
    assert all(layer.startswith(f'<g id="{name}"') for name, layer in first["layers"].items())


@pytest.mark.django_db
def test_whoever_has_the_link_may_ask_too(played: Player) -> None:
    client, at = Client(), f"/s/{played.game.shared_key}/1/"
    page = client.get(at).text
    assert f'href="{at}why/PAR/"' in page
    assert client.get(f"{at}why/PAR/").status_code == 200
    assert client.get(f"{at}why/PAR/steps.json").json()["steps"]
    assert played.game.key not in client.get(f"{at}why/PAR/").text


@pytest.mark.one_in(3)
@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["1/why/XXX/", "1/why/par/", "1/why/SPA/", "1/why/../", "2/why/PAR/", "9/why/PAR/", "0/why/PAR/"],
)
def test_what_cannot_be_explained_is_not_found(played: Player, path: str) -> None:
    assert played.client.get(played.address(path)).status_code == 404
    assert played.client.get(played.address(f"{path}steps.json")).status_code == 404


@pytest.mark.django_db
def test_nobody_writes_there(played: Player) -> None:
    assert played.client.post(played.address("1/why/PAR/")).status_code == 405


@pytest.mark.django_db
def test_other_phases_explain_in_one_sentence_alone(player: Player) -> None:
    player.resolve(1)
    player.draft(2, {"sheet": "FRANCE\nA Par-Gas\nA Mar-Esp\nF Bre-Man\n"})
    player.resolve(2)
    player.resolve(3)
    page = player.client.get(player.address("3/")).text
    assert 'class="ask' not in page
