"""The pages of the boards: every variant with its map and its facts, played or not."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from talleyrand import variants

pytestmark = pytest.mark.django_db
LANGUAGES = {"fr": "/variantes/", "en": "/en/variants/"}


@pytest.mark.parametrize(("language", "prefix"), LANGUAGES.items())
def test_every_board_is_listed(client: Client, language: str, prefix: str) -> None:
    text = unescape(client.get(prefix).text)
    for name in variants.all_names():
        assert f'href="{prefix}{name}/"' in text
        assert variants.load_board(name).title[language] in text


@pytest.mark.parametrize("page", ["/en/p/new/", "/en/variants/", "/en/variants/diplomatie_2000/"])
def test_where_no_number_of_centres_wins_none_is_told(client: Client, page: str) -> None:
    world = variants.load("diplomatie_2000")
    text = unescape(client.get(page).text)
    assert "1,000 victory points" in text
    assert f"{world.definition.victory.centres_needed(world.board)} to win" not in text
    assert f"{world.definition.victory.centres_needed(world.board)} centres to win" not in text


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("language", "prefix"), LANGUAGES.items())
@pytest.mark.parametrize("name", variants.all_names())
def test_a_board_names_its_powers_and_spaces(client: Client, name: str, language: str, prefix: str) -> None:
    text = unescape(client.get(f"{prefix}{name}/").text)
    variant = variants.load_board(name)
    names = variant.names(language)
    for code in variant.board.powers:
        assert names.powers[code].name in text
    for code in variant.board.provinces:
        assert names.provinces[code].name in text


@pytest.mark.parametrize("name", variants.all_names())
def test_a_board_that_was_drawn_is_shown(client: Client, name: str) -> None:
    text = client.get(f"/variantes/{name}/").text
    drawn = (variants.load_board(name).map_folder / "map.svg").is_file()
    assert ('id="layer-units"' in text) == drawn
    assert ("pas encore dessinée" in text) != drawn


def test_only_a_board_with_rules_can_be_played(client: Client) -> None:
    for name in variants.all_names():
        text = client.get(f"/variantes/{name}/").text
        assert ("Jouer cette variante" in text) == (name in variants.playable_names())


@pytest.mark.parametrize("name", ["nowhere", "..", "classic.svg", "%00"])
def test_another_name_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/variantes/{name}/").status_code == 404


ANNEX = {
    "fr": "Ajustement politique, Anti-pAE, Arsenal, Bonus de contribution, Communauté internationale, "
    "En disgrâce, En grâce, Flotte aéronavale (V), Point d’action subversive (pAS), "
    "Point d’aide étrangère (pAE), Point d’embargo (pEmb), Point d’intervention (pInt), Point du FMI (pFMI), "
    "Points de victoire (pV), "
    "Programme d’aide, Proposition de vote, Secrétaire général de l’ONU, Unité sous mandat international (M)",
    "en": "Aid programme, Anti-aid point, Arsenal, Carrier fleet (V), Contribution bonus, "
    "Embargo point (pEmb), Foreign aid point (pAE), IMF point (pFMI), In disgrace, In grace, "
    "International Community, "
    "Intervention point (pInt), Political adjustment, Proposal, Secretary-General of the UN, "
    "Subversive action point (pAS), Unit under international mandate (M), Victory points (pV)",
}
"""The eighteen words of the annex, in alphabetical order."""


@pytest.mark.parametrize(("language", "name"), [("fr", "glossaire"), ("en", "glossary")])
def test_the_words_of_a_variant_have_a_page(client: Client, language: str, name: str) -> None:
    board = f"{LANGUAGES[language]}diplomatie_2000/"
    assert f'href="{board}{name}/"' in client.get(board).text
    text = unescape(client.get(f"{board}{name}/").text)
    assert ", ".join(re.findall(r"<dt>(.*?)</dt>", text)) == ANNEX[language]
    assert all(len(told) > 20 for told in re.findall(r"<dd>(.*?)</dd>", text))
    assert ("Notre lecture\u00a0:" in text) == (language == "fr")


@pytest.mark.parametrize("name", ["classic", "nowhere"])
def test_a_variant_without_words_of_its_own_has_no_such_page(client: Client, name: str) -> None:
    assert client.get(f"/variantes/{name}/glossaire/").status_code == 404
    assert "glossaire" not in client.get(f"/variantes/{name}/").text


DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize(("language", "weapon"), [("fr", "L’arme nucléaire"), ("en", "Nuclear weapons")])
def test_nothing_is_promised_that_the_rules_of_2000_leave_out(language: str, weapon: str) -> None:
    page = (DOCS / language / "variants" / "diplomatie_2000.md").read_text("utf-8")
    assert [line.partition(",")[0] for line in re.findall(r"[^.]*[Nn]ucl[^.]*", page.replace("\n", " "))] == [
        f" {weapon}"
    ]
