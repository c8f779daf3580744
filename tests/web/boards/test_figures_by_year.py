"""Figures of the powers year by year: the picture, the table, and what an address narrows them to."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from talleyrand import variants
from talleyrand.web.boards import adjudicator
from talleyrand.web.games.game_history import initial_situation
from talleyrand.web.practice import practice_games
from talleyrand.web.practice.models import PracticeGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> PracticeGame:
    """A game in which the autumn of 2001 is over: CHIN has taken SEO."""
    start = {**initial_situation(variants.load("diplomatie_2000")), "phase": "F2001M"}
    game = practice_games.create_practice_game("diplomatie_2000", "anjou_feu", start, "", played_power="RUSS")
    units = game.start_situation["units"]
    units["OPTO"].remove(next(one for one in units["OPTO"] if one.endswith("SEO")))
    game.save()
    practice_games.change_practice_draft(game, 1, lambda _question, _draft: {"CHIN": ["A PYO - SEO"]})
    practice_games.resolve_practice_phase(game, 1, "the-only-autumn")
    return game


def shown(client: Client, game: PracticeGame, query: str = "", prefix: str = "") -> str:
    answer = client.get(f"{prefix}/p/{game.key}/curves/{query}")
    assert answer.status_code == 200
    return " ".join(html.unescape(answer.content.decode()).split())


def rows(text: str) -> dict[str, list[str]]:
    """The figures of each row of the table."""
    table = text[text.index('<table class="counts columns">') :]
    body = table[table.index("<tbody>") : table.index("</tbody>")]
    found = {}
    for row in body.split("<tr")[1:]:
        name = re.sub("<[^>]+>", "", row[row.index("<th") : row.index("</th>")])
        found[name.split(" (")[0]] = re.findall("<td>([^<]*)</td>", row)
    return found


def test_points_are_followed_with_their_parts(client: Client, world: PracticeGame) -> None:
    text = shown(client, world)
    told = rows(text)
    assert len(told) == 21
    assert next(iter(told)) == "Russie"  # one's own first
    assert told["République populaire de Chine"] == ["0", "72"]
    assert "1000" in text
    assert rows(shown(client, world, "?figure=centres"))["République populaire de Chine"] == ["10", "11"]
    for figure in ("raw", "contribution", "adjustment", "zz"):
        assert len(rows(shown(client, world, f"?figure={figure}", "/en"))) == 21


def test_an_address_narrows_them(client: Client, world: PracticeGame) -> None:
    assert list(rows(shown(client, world, "?only=CHIN&only=zz"))) == ["République populaire de Chine"]
    told = rows(shown(client, world, "?only=oceania", "/en"))
    assert "Commonwealth" in told
    assert "Mercosur" not in told
    many = "&".join(["only=CHIN"] * 90)
    assert len(rows(shown(client, world, f"?{many}"))) == 1


def test_each_line_has_its_code_and_ones_own_is_bold(client: Client, world: PracticeGame) -> None:
    text = shown(client, world)
    picture = text[text.index('<div class="curves-chart">') :]
    picture = picture[: picture.index("</svg></div>")]
    assert picture.count("<polyline") == 42
    assert re.search('font-weight="bold"[^>]*>[−0-9]+ RUSS<', picture)
    assert picture.count('font-weight="bold"') == 1
    assert 'aria-hidden="true"' in picture  # the table says the same


def test_before_the_first_autumn_there_is_only_the_start(client: Client, db: None) -> None:
    variant = variants.load("diplomatie_2000")
    game = practice_games.create_practice_game("diplomatie_2000", "anjou_feu", initial_situation(variant), "")
    text = shown(client, game, prefix="/en")
    assert "The chart begins once a year is over." in text
    assert "<polyline" not in text
    assert rows(text)["Mercosur"] == ["0"]


def test_a_game_without_politics_shows_centres(client: Client, db: None) -> None:
    start = {
        "phase": "F1901M",
        "units": {"FRANCE": ["A MAR"], "GERMANY": []},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN", "BER"]},
    }
    game = practice_games.create_practice_game("classic", "anjou_feu", start, "")
    practice_games.change_practice_draft(game, 1, lambda _question, _draft: {"FRANCE": ["A MAR - SPA"]})
    assert adjudicator.deciding_powers(practice_games.PracticeHistory(game).open_question(1))
    practice_games.resolve_practice_phase(game, 1, "the-first-autumn")
    text = shown(client, game, prefix="/en")
    assert rows(text)["France"] == ["3", "4"]
    assert 'name="only"' not in text
    assert 'name="figure"' not in text
    assert client.get(f"/s/{game.shared_key}/curves/").status_code == 200
