"""Pages of a large board narrowed to some powers or regions by their address."""

from __future__ import annotations

import html
import re

import pytest
from django.http import QueryDict
from django.test import Client

from talleyrand import variants
from talleyrand.web.boards.board_filter import BoardFilter
from tests.web.cast import MASTER, client_of
from tests.web.conftest import Player, begin
from tests.web.games.states import begun, played, player

WORLD = variants.load("diplomatie_2000")


def asked(query: str) -> BoardFilter:
    return BoardFilter.from_query(WORLD, QueryDict(query))


def powers(text: str) -> list[str]:
    """Whose results a page lists."""
    summary = r'</svg></span>([^<]+)(?:<span class="hint">[^<]*</span>)?</summary>'
    return [name.strip() for name in re.findall(summary, text)]


def plain(answer: object) -> str:
    return " ".join(html.unescape(answer.content.decode()).split())  # type: ignore[attr-defined]


def test_a_region_is_its_land_and_the_seas_that_it_touches() -> None:
    oceania = WORLD.regions["oceania"]
    assert {"CNB", "NZE", "MEL", "OIS"} <= oceania
    assert not {"JAK", "MOR", "LON"} & oceania
    assert all(any(code in region for region in WORLD.regions.values()) for code in WORLD.board.provinces)


def test_what_is_asked_for() -> None:
    assert not asked("only=zz&only=&other=RUSS")
    found = asked("only=RUSS&only=oceania&only=RUSS")
    assert found.query_string == "only=oceania&only=RUSS"
    assert found.shows("RUSS", "MOS")
    assert found.shows("CMWL", "PRT")
    assert not found.shows("CMWL", "LON")
    assert not found.shows("CHIN")
    assert asked("").shows("CHIN")


def test_small_boards_have_no_form(client: Client, db: None) -> None:
    own = Player(client, begin("classic"))
    assert 'name="only"' not in plain(own.client.get(own.address()))


@pytest.mark.long
@pytest.mark.django_db
def test_the_results_the_tables_and_the_arrows_of_a_game() -> None:
    game = begun()
    played(game)
    played(
        game, {"RUSS": ["A MOS - GOR", "Aide : 1 : INDE"], "CMWL": ["V PRT - OIS"], "CHIN": ["V XIN - LHA"]}
    )
    client = client_of(player("INDE"))
    path = f"/parties/{game.key}/2/"
    everything, russian = plain(client.get(path)), plain(client.get(f"{path}?only=RUSS"))
    assert len(powers(everything)) > 15
    assert powers(russian) == ["Russie"]
    assert 'href="?"' in russian
    assert f'href="/parties/{game.key}/1/?only=RUSS"' in russian  # the other phases too
    assert f'data-scene="/parties/{game.key}/0/scene.json?power=INDE&only=RUSS"' in russian
    assert russian.count('<th scope="row">') < everything.count('<th scope="row">') / 3
    oceania = plain(client.get(f"{path}?only=oceania"))
    assert powers(oceania) == ["Commonwealth"]  # ASEA has no unit there
    scenes = [
        client.get(f"{path}scene.json{query}").json()["layers"]["layer-orders"]
        for query in ("", "?only=CHIN", "?only=oceania")
    ]
    assert [scene.count("<path") > 0 for scene in scenes] == [True, True, True]
    assert len(set(scenes)) == 3
    report = plain(client.get(f"{path}report/?only=RUSS"))
    assert re.findall(r"</svg></span>([^<]+)</h3>", report) == ["Russie"]
    nothing = plain(client.get(f"/en/games/{game.key}/1/?only=RUSS"))
    assert "Nothing for this selection in this phase." in nothing
    assert "Orders of this phase" in plain(client_of(MASTER).get(f"/en/games/{game.key}/?only=asia"))


@pytest.mark.long
def test_the_practice_board_too(client: Client, db: None) -> None:
    own = Player(client, begin("diplomatie_2000"))
    own.resolve(1)
    own.draft(2, {"sheet": "RUSSIE\nA MOS - GOR\nMEXI\nA GDL - MTR"})
    own.resolve(2, "another-submission-1")
    text = plain(own.client.get(f"{own.address('2/')}?only=latin_america"))
    assert "Mexique" in powers(text)
    assert "République populaire de Chine" not in powers(text)
    assert "F Cuba" in text  # Russia has a fleet there, and nothing else of it is shown
    assert 'order-text">A Moscou' not in text
    assert f"{own.address('1/')}?only=latin_america" in text
