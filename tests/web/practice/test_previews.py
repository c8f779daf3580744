"""The picture of a link, and the history on paper: what everybody with the link may see, and no more."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from talleyrand.printing import history_pdf, pdf
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.limits import low_priority
from talleyrand.web.practice import link_previews
from tests.web.conftest import Player, begin

pytestmark = pytest.mark.django_db
makes = pytest.mark.skipif(not pdf.is_available(), reason="the extra “pdf” or its system library is missing")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, settings: Any) -> Path:
    settings.DATA = tmp_path
    return tmp_path


def metas(text: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', text))


@pytest.mark.parametrize(("prefix", "phase"), [("", "Printemps 1901"), ("/en", "Spring 1901")])
def test_a_shared_page_says_what_its_link_shows(player: Player, prefix: str, phase: str) -> None:
    told = metas(player.client.get(f"{prefix}/s/{player.game.shared_key}/").text)
    assert phase in told["og:title"]
    assert phase in told["og:image:alt"]
    assert "France 3" in told["og:description"]
    assert told["twitter:card"] == "summary_large_image"
    assert told["og:image"] == f"http://testserver{prefix}/s/{player.game.shared_key}/1/preview.png"
    assert told["og:url"] == f"http://testserver{prefix}/s/{player.game.shared_key}/"


def test_the_page_of_the_owner_names_the_address_for_all(player: Player) -> None:
    told = metas(player.client.get(player.address()).text)
    assert told["og:url"].endswith(f"/s/{player.game.shared_key}/")
    assert not any(player.game.key in value for value in told.values())


def test_behind_a_proxy_addresses_are_those_of_the_world(player: Player, settings: Any) -> None:
    settings.SITE_URL = "https://diplomatie.example"
    page = player.client.get(player.address()).text
    assert metas(page)["og:image"].startswith("https://diplomatie.example/s/")
    assert f'value="https://diplomatie.example/s/{player.game.shared_key}/"' in page


@pytest.mark.long
def test_the_picture_has_the_size_of_a_card(player: Player) -> None:
    response = player.client.get(f"/s/{player.game.shared_key}/1/preview.png")
    assert response["Content-Type"] == "image/png"
    assert struct.unpack(">II", response.content[16:24]) == (1200, 630)
    assert "max-age" in response["Cache-Control"]


@pytest.mark.long
def test_it_is_made_once_and_not_sent_twice(player: Player) -> None:
    address = f"/s/{player.game.shared_key}/1/preview.png"
    first = player.client.get(address)
    assert GeneratedDocument.objects.update(content=b"as it was kept") == 1
    assert player.client.get(address).content == b"as it was kept"
    again = player.client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.long
def test_the_orders_in_preparation_are_not_in_it(player: Player) -> None:
    address = f"/s/{player.game.shared_key}/1/preview.png"
    before = player.client.get(address)
    player.draft(1, {"sheet": "FRANCE\nA Par - Bou"})
    assert player.client.get(address)["ETag"] == before["ETag"]
    player.resolve(1)
    assert player.client.get(address)["ETag"] != before["ETag"]


@pytest.mark.parametrize("path", ["0/preview.png", "2/preview.png", "99999999999/preview.png"])
def test_no_phase_no_picture(player: Player, path: str) -> None:
    assert player.client.get(f"/s/{player.game.shared_key}/{path}").status_code == 404
    assert player.client.get(f"/s/{player.game.key}/1/preview.png").status_code == 404


def test_while_it_is_made_it_opens_by_itself(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_previews, "IMAGE_WAIT_SECONDS", 0.0)
    monkeypatch.setattr(low_priority, "run_at_low_priority", lambda _path: True)
    response = player.client.get(f"/s/{player.game.shared_key}/1/preview.png")
    assert response.status_code == 202
    assert response["Refresh"] == "3"


def test_without_the_rasteriser_no_picture_is_promised(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_previews, "find_spec", lambda _name: None)
    told = metas(player.client.get(f"/s/{player.game.shared_key}/").text)
    assert "og:title" in told
    assert "og:image" not in told


# on paper


@makes
@pytest.mark.one_in(2)
@pytest.mark.parametrize("prefix", ["", "/en"])
def test_the_history_of_a_game(player: Player, prefix: str) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Par - Bou"})
    player.resolve(1)
    for address in (player.address("game.pdf"), f"/s/{player.game.shared_key}/game.pdf"):
        response = player.client.get(prefix + address)
        assert response["Content-Type"] == "application/pdf"
        assert response.content.startswith(b"%PDF")
    assert GeneratedDocument.objects.count() == 1  # the same for both


def test_the_history_has_no_orders_in_preparation(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        history_pdf, "render_history_pdf", lambda one, _language: f"{len(one.years)} years".encode()
    )
    player.draft(1, {"sheet": "FRANCE\nA Par - Bou"})
    assert player.client.get(player.address("game.pdf")).content == b"0 years"
    player.resolve(1)
    assert player.client.get(player.address("game.pdf")).content == b"1 years"


@pytest.mark.parametrize(("prefix", "sentence"), [("", "Pas de PDF ici"), ("/en", "No PDF")])
def test_without_its_maker_the_page_says_what_to_do(
    client: Client, monkeypatch: pytest.MonkeyPatch, prefix: str, sentence: str
) -> None:
    monkeypatch.setattr(pdf, "_maker", lambda: None)
    response = client.get(f"{prefix}/p/{begin().key}/game.pdf")
    assert response.status_code == 501
    assert sentence in response.text
    assert "Pango" in response.text
