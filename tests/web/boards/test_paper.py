"""Sheets and maps on paper, from a game, the practice board and the pages of the variants."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from talleyrand import rulebooks, variants
from talleyrand.engine.position import Phase
from talleyrand.printing import pdf
from talleyrand.variants import Variant
from talleyrand.web.boards import paper_downloads
from talleyrand.web.games.models import Game, GameRole
from tests.each import each
from tests.web import cast
from tests.web.conftest import Player
from tests.web.games.phases import second_phase

pytestmark = pytest.mark.django_db
makes = pytest.mark.skipif(not pdf.is_available(), reason="the extra “pdf” or its system library is missing")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Papers as the pages they are made from, with their drawing."""
    monkeypatch.setattr(
        paper_downloads,
        "get_document",
        lambda _name, _job, told, **_more: (told["html"] + told["svg"]).encode(),
    )


def powers(answer: Any) -> list[str]:
    """The powers whose sheets are there."""
    assert answer.status_code == 200
    return re.findall(r"<h2>.*?</span>(.*?)</h2>", answer.content.decode())


@pytest.fixture
def online() -> Game:
    return second_phase()


class TestGames:
    def test_a_player_has_their_own_power_the_game_master_has_all(self, online: Game) -> None:
        way = f"/en/games/{online.key}/2/order-sheets.pdf"
        assert powers(cast.client_of("Flora").get(way)) == ["France"]
        assert len(powers(cast.client_of(cast.MASTER).get(way))) == 7

    def test_nobody_else_has_any(self, online: Game) -> None:
        cast.member(online, "Olga", GameRole.OBSERVER)
        for client in (Client(), cast.client_of("Olga"), cast.client_of("Nobody")):
            assert client.get(f"/parties/{online.key}/2/order-sheets.pdf").status_code == 404
            assert "order-sheets" not in client.get(f"/parties/{online.key}/2/").text

    def test_units_stand_as_they_are_not_as_they_are_ordered(self, online: Game) -> None:
        client = cast.client_of("Flora")
        told = client.get(f"/en/games/{online.key}/2/order-sheets.pdf").content.decode()
        assert "Autumn 1901" in told
        lines = re.findall(r'<div class="line"><b>(.*?)</b>', told)
        assert len(lines) == 3
        client.get(f"/en/games/{online.key}/2/map-a3.pdf")
        mapped = [
            cast.client_of(name).get(f"/en/games/{online.key}/2/map-a3.pdf").content
            for name in ("Flora", cast.MASTER)
        ]
        assert mapped[0] == mapped[1]  # nobody’s orders are on it
        assert b"@page { size: 420mm 297mm" in mapped[0]

    @pytest.mark.parametrize(
        "path", ["1/map-a5.pdf", "1/map-.pdf", "9/map-a4.pdf", "9/order-sheets.pdf", "0/order-sheets.pdf"]
    )
    def test_what_is_not_there(self, online: Game, path: str) -> None:
        assert cast.client_of(cast.MASTER).get(f"/parties/{online.key}/{path}").status_code == 404


class TestPractice:
    def test_all_powers_or_the_one_that_is_played(self, player: Player) -> None:
        way = f"/p/{player.game.key}/1/order-sheets.pdf"
        assert len(powers(player.client.get(way))) == 7
        player.client.post(f"/p/{player.game.key}/power/", {"power": "ITALY"})
        assert powers(player.client.get(way)) == ["Italie"]

    def test_whoever_looks_sees_no_order_in_preparation(self, player: Player) -> None:
        player.draft(1, {"sheet": "FRANCE\nA Par-Bou"})
        own = player.client.get(f"/p/{player.game.key}/1/map-a4.pdf").content
        assert own == Client().get(f"/s/{player.game.shared_key}/1/map-a4.pdf").content
        assert b'class="order' not in own


@pytest.mark.parametrize("name", variants.playable_names())
@pytest.mark.parametrize(("language", "prefix"), [("fr", "/variantes/"), ("en", "/en/variants/")])
def test_the_papers_of_every_variant(client: Client, name: str, language: str, prefix: str) -> None:
    links = re.findall(r'href="([^"]*\.pdf)"', client.get(f"{prefix}{name}/").text)
    papers = [one for one in links if "rules" not in one and "regles" not in one]
    assert len(papers) == 5
    *maps, sheets = [client.get(link) for link in papers]
    assert [b'class="board"' in one.content for one in maps] == [True] * 4
    assert [b'<svg data-names="off"' in one.content for one in maps] == [True, False, False, False]
    variant = variants.load(name)
    playing = moving_first(variant) or variant.definition.players
    assert powers(sheets) == [variant.names(language).powers[code].name for code in playing]
    begun = re.findall(r'<div class="line"><b>', sheets.content.decode())
    assert len(begun) == sum(unit.power in playing for unit in variant.definition.start.units)


def moving_first(variant: Variant) -> list[str]:
    """The powers that have something to write when a variant’s units first move."""
    definition, rules = variant.definition, rulebooks.load("anjou_feu").adjudication_rules
    moves = next(code for code in definition.calendar.cycle if code.endswith("M"))
    begun = replace(definition.start, phase=Phase(moves[0], definition.start.phase.year, moves[1]))
    known = definition.rules_for(begun.phase).powers_with_choices(variant.board, begun, rules)
    return [code for code in definition.players if code in known]


@each(
    "path",
    [
        "/variantes/classic/carte-a5.pdf",
        "/variantes/nowhere/carte-a4.pdf",
        "/variantes/x/feuilles-d-ordres.pdf",
    ],
)
def test_no_paper_of_what_is_not_there(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
