"""The shape a map is drawn on: by the shape of the window, or the one a reader chose."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from talleyrand import variants
from talleyrand.web.practice.models import PracticeGame
from tests.web.conftest import begin

WIDE, TALL, TRUE = "0 0 1000 696", "0 0 440 564", "0 0 1200 1000"
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"


def shape(page: str) -> str:
    found = re.search(r'<svg [^>]*class="board" viewBox="([^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("cookies", "headers", "seen"),
    [
        ({}, {}, WIDE),
        ({}, {"User-Agent": PHONE}, TALL),
        ({}, {"User-Agent": PHONE, "Sec-CH-UA-Mobile": "?0"}, WIDE),
        ({}, {"Sec-CH-UA-Mobile": "?1"}, TALL),
        ({"window": "wide"}, {"User-Agent": PHONE}, WIDE),
        ({"window": "tall"}, {}, TALL),
        ({"window": "round"}, {}, WIDE),
        ({"shape": "true", "window": "tall"}, {}, TRUE),
        ({"shape": "wide", "window": "tall"}, {}, WIDE),
        ({"shape": "fitted", "window": "tall"}, {}, TALL),
        ({"shape": "../../secret", "window": "x" * 4000}, {"User-Agent": "\xff"}, WIDE),
    ],
)
def test_the_shape_is_the_chosen_one_or_fits_the_window(
    client: Client, game: PracticeGame, cookies: dict[str, str], headers: dict[str, str], seen: str
) -> None:
    client.cookies.load(cookies)
    page = client.get(f"/p/{game.key}/", headers=headers).text
    assert shape(page) == seen
    places = json.loads(re.search(r'<script id="places"[^>]*>(.*?)</script>', page)[1])  # type: ignore[index]
    name = {WIDE: "", TALL: "tall", TRUE: "true"}[seen]
    spot = variants.load("classic").in_shape(name).anchors["PAR"]["unit"]
    assert places["PAR"][1:] == list(spot)


@pytest.mark.django_db
def test_the_shape_of_one_reader_is_not_that_of_the_next(client: Client, game: PracticeGame) -> None:
    client.cookies.load({"shape": "tall"})
    assert shape(client.get(f"/p/{game.key}/").text) == TALL
    assert shape(Client().get(f"/s/{game.shared_key}/").text) == WIDE
    scene = client.get(f"/p/{game.key}/1/scene.json").json()
    assert scene["layers"] != Client().get(f"/s/{game.shared_key}/1/scene.json").json()["layers"]


@pytest.mark.django_db
def test_files_and_boards_of_one_shape_stay_as_they_are(client: Client, game: PracticeGame) -> None:
    client.cookies.load({"shape": "tall"})
    assert 'viewBox="0 0 440' not in client.get(f"/p/{game.key}/1/map.svg").text
    trio = variants.load_board("trio")
    assert trio.in_shape("tall") is trio
    assert trio.shapes == ()
    assert variants.load("survivor_turkey").shapes == ("tall", "true")


@pytest.mark.long
@pytest.mark.django_db
def test_a_large_map_has_regions_to_go_to(client: Client) -> None:
    """Each in the reader's language, with the part of the map that holds all its provinces; Asia in parts."""
    world = variants.load("diplomatie_2000")
    game = begin(world.name)
    page = client.get(f"/en/p/{game.key}/").text
    found = dict(re.findall(r'<option value="([-\d]+ [-\d ]+)">([^<]+)</option>', page))
    names = world.names("en").regions
    assert set(found.values()) == set(names.values()) - {"Asia"}
    boxes = {name: [float(side) for side in box.split()] for box, name in found.items()}
    parts = [{*land} for code, land in world.region_provinces.items() if code.endswith("_asia")]
    assert set.union(*parts) == {*world.region_provinces["asia"]}
    for code, provinces in world.seen_regions.items():
        left, top, width, height = boxes[names[code]]
        for x, y, *_ in (world.anchors[one]["unit"] for one in provinces):
            assert left < x < left + width
            assert top < y < top + height
