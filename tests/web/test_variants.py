"""The pages of the boards: every variant with its map and its facts, played or not."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client

from talleyrand import variants

pytestmark = pytest.mark.django_db
LANGUAGES = {"fr": "/variantes/", "en": "/en/variants/"}


@pytest.mark.parametrize(("language", "prefix"), LANGUAGES.items())
def test_every_board_is_listed(client: Client, language: str, prefix: str) -> None:
    text = unescape(client.get(prefix).text)
    for name in variants.every_name():
        assert f'href="{prefix}{name}/"' in text
        assert variants.load_board(name).title[language] in text


@pytest.mark.parametrize(("language", "prefix"), LANGUAGES.items())
@pytest.mark.parametrize("name", variants.every_name())
def test_a_board_names_its_powers_and_spaces(client: Client, name: str, language: str, prefix: str) -> None:
    text = unescape(client.get(f"{prefix}{name}/").text)
    variant = variants.load_board(name)
    names = variant.names(language)
    for code in variant.board.powers:
        assert names.powers[code].name in text
    for code in variant.board.provinces:
        assert names.provinces[code].name in text


@pytest.mark.parametrize("name", variants.every_name())
def test_a_board_that_was_drawn_is_shown(client: Client, name: str) -> None:
    text = client.get(f"/variantes/{name}/").text
    drawn = (variants.load_board(name).map_folder / "map.svg").is_file()
    assert ('id="layer-units"' in text) == drawn
    assert ("pas encore dessinée" in text) != drawn


def test_only_a_board_with_rules_can_be_played(client: Client) -> None:
    for name in variants.every_name():
        text = client.get(f"/variantes/{name}/").text
        assert ("Jouer sur ce plateau" in text) == (name in variants.names())


@pytest.mark.parametrize("name", ["nowhere", "..", "classic.svg", "%00"])
def test_another_name_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/variantes/{name}/").status_code == 404
