"""The coach's page: where it is, what it says, what it costs, and that it is for games that are over."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from talleyrand.simulation.bots import coach
from talleyrand.web.background.generated_documents import DocumentPending
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.bots import bot_players, coach_reviews
from talleyrand.web.common import rate_limits, visitor_quota
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.practice.models import PracticeGame
from tests.simulation.bots.test_coach import AUTUMN
from tests.web.cast import PLAYERS, client_of, table
from tests.web.conftest import Player, begin
from tests.web.games.test_endings import play

pytest.importorskip("numba")
pytestmark = pytest.mark.django_db


def text_of(response: Any) -> str:
    assert response.status_code == 200, response.status_code
    return " ".join(html.unescape(re.sub("<[^>]+>", " ", response.text)).split())


@pytest.fixture
def autumn(client: Client) -> Player:
    """A practice game in which France has let Belgium go."""
    player = Player(client, begin(**AUTUMN))
    player.draft(1, {"sheet": "FRANCE\nA Pic H\nF Bre H\nALLEMAGNE\nA Bou-Mar\nA Mun-Ruh\n"})
    player.resolve(1)
    return player


def test_it_tells_what_would_have_been_better(autumn: Player) -> None:
    page = autumn.client.get(autumn.address("1/")).text
    assert f'href="{autumn.address("1/coach/")}"' in page
    response = autumn.client.get(autumn.address("1/coach/?power=FRANCE"))
    told = text_of(response)
    assert "Avec le recul : prend la Belgique" in told.replace("\u00a0", " ")
    assert "Risque" in told
    assert "Ordres joués" in told
    assert response.text.count('<use href="#ground-under"/>') == response.text.count("<figure>") >= 2
    autumn.prefix = "/en"
    english = text_of(autumn.client.get(autumn.address("1/coach/?power=FRANCE")))
    assert "With hindsight: takes Belgium" in english
    assert "Risk:" in english


def test_what_would_break_an_agreement_says_so_to_its_owner_alone(autumn: Player) -> None:
    empty = {"kind": "demilitarised", "province": "BEL", "years": 2}
    said = {"number": 1, "phase": "F1905M", "by": "FRANCE", "to": "GERMANY", "text": "", "id": ""}
    message = {**said, "proposal": empty, "answer": "accepted", "about": "", "until": 1906}
    PracticeGame.objects.update(talk={"messages": [message], "characters": {}})
    broken = "Rompt un accord (Allemagne) : Laisser la Belgique vide jusqu’à la fin de 1906."
    told = text_of(autumn.client.get(autumn.address("1/coach/?power=FRANCE"))).replace("\u00a0", " ")
    assert broken in told
    assert broken not in told[told.index("Ordres joués") :]
    looks_on = text_of(Client().get(f"/s/{autumn.game.shared_key}/1/coach/?power=FRANCE"))
    assert "prend la Belgique" in looks_on
    assert "Rompt un accord" not in looks_on


def test_it_is_made_once_and_for_whoever_looks_on(autumn: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    autumn.client.get(autumn.address("1/coach/"))
    monkeypatch.setattr(coach, "review_moves", lambda *_told: pytest.fail("made again"))
    shown = text_of(Client().get(f"/s/{autumn.game.shared_key}/1/coach/"))
    assert "Que faire d’autre" in shown
    document = GeneratedDocument.objects.get(name__startswith="coach/")
    assert document.visitor_id
    assert document.arguments == {}


def test_it_begins_with_ones_own_power(autumn: Player) -> None:
    PracticeGame.objects.update(played_power="GERMANY")
    page = autumn.client.get(autumn.address("1/coach/")).text
    assert re.search(r'<a [^>]*power=GERMANY" aria-current="page"', page)


@pytest.mark.parametrize(
    "place",
    ["1/coach/?power=ITALY", "1/coach/?power=", "1/coach/?power=%00", "2/coach/", "7/coach/", "0/coach/"],
)
def test_what_is_not_there_is_not_found(autumn: Player, place: str) -> None:
    assert autumn.client.get(autumn.address(place)).status_code == 404


def test_winters_are_reviewed_for_who_decides_in_them(client: Client) -> None:
    centres = {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER", "KIE"], "ENGLAND": ["LON"]}
    units = {
        "FRANCE": ["A PIC", "A GAS", "F NAF"],
        "GERMANY": ["A BUR", "A RUH", "A MUN"],
        "ENGLAND": ["F NTH"],
    }
    winter = Player(client, begin(phase="W1905A", units=units, centers=centres))
    winter.draft(1, {"sheet": "FRANCE\nA Pic D\n"})
    winter.resolve(1)
    assert f'href="{winter.address("1/coach/")}"' in client.get(winter.address("1/")).text
    told = text_of(client.get(winter.address("1/coach/"))).replace("\u00a0", " ")
    assert "Ordres joués" in told
    assert "jusqu’à la fin de 1906" in told
    assert "Risque" in told
    assert client.get(winter.address("1/coach/?power=GERMANY")).status_code == 404, "nothing to decide"


def test_it_is_paid_from_the_hour_of_whoever_asks(autumn: Player) -> None:
    autumn.client.get(autumn.address("1/coach/?power=FRANCE"))
    (document,) = GeneratedDocument.objects.all()
    name = document.visitor_id
    assert rate_limits.recent_hits(visitor_quota.KIND, name, visitor_quota.HOURLY, lasting=True) > 0
    visitor_quota.charge_cpu_seconds(name, 900)
    refused = autumn.client.get(autumn.address("1/coach/?power=GERMANY"))
    assert refused.status_code == 429
    assert autumn.client.get(autumn.address("1/coach/?power=FRANCE")).status_code == 200


def test_while_it_is_made_the_page_waits(autumn: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def pending(*_told: object, **_named: object) -> bytes:
        raise DocumentPending(1.0, 0)

    monkeypatch.setattr(coach_reviews, "get_document", pending)
    response = autumn.client.get(autumn.address("1/coach/"))
    assert (response.status_code, response["Refresh"]) == (202, "3")
    assert "Le coach essaie d’autres ordres" in response.text


def test_a_fault_is_told_without_its_trace(autumn: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_told: object) -> object:
        raise RuntimeError("secret-of-ours")

    monkeypatch.setattr(coach, "review_moves", broken)
    response = autumn.client.get(autumn.address("1/coach/"))
    assert response.status_code == 500
    assert "secret-of-ours" not in response.text


def test_without_the_compiler_it_says_what_is_missing(
    autumn: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_players, "find_spec", lambda _name: None)
    assert "talleyrand[simulation]" in text_of(autumn.client.get(autumn.address("1/coach/")))
    assert not GeneratedDocument.objects.exists()


def test_votes_are_beyond_it(client: Client) -> None:
    player = Player(client, begin("diplomatie_2000", phase="F2001M"))
    player.resolve(1)
    assert "Pas de coach dans cette variante" in text_of(client.get(player.address("1/coach/")))


# orders to try


def copied(player: Player, **sent: str) -> tuple[PracticeGame, str]:
    told = {"submission": "a-copy-to-try-orders", "power": "FRANCE", **sent}
    page = player.client.post(player.address("1/copy/"), told, follow=True)
    return PracticeGame.objects.get(submission_id="a-copy-to-try-orders"), text_of(page)


def test_its_orders_are_tried_on_a_copy(autumn: Player) -> None:
    page = autumn.client.get(autumn.address("1/coach/?power=FRANCE")).text
    lines = html.unescape(re.findall('name="orders" value="([^"]*)"', page)[0])
    game, _page = copied(autumn, orders=lines)
    assert len(game.draft_orders["FRANCE"]) == 2
    assert game.draft_orders["FRANCE"] != autumn.game.turns.get().orders["FRANCE"]
    assert game.draft_orders["GERMANY"] == autumn.game.turns.get().orders["GERMANY"]


def test_twice_is_once_and_loses_nothing(autumn: Player) -> None:
    game, _page = copied(autumn, orders="A PIC - BEL")
    own = Player(autumn.client, game)
    own.draft(1, {"orders": {"PIC": "A PIC - PAR"}})
    again, _page = copied(autumn, orders="A PIC - BEL")
    assert "A Pic - Par" in again.draft_orders["FRANCE"]


def test_a_bots_power_is_taken_over(autumn: Player) -> None:
    PracticeGame.objects.update(bots={"FRANCE": "random", "GERMANY": "random"})
    game, _page = copied(autumn, orders="A PIC - BEL")
    assert game.bots == {"GERMANY": "random"}
    assert game.draft_orders["FRANCE"] == ["A PIC - BEL"]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"orders": "GERMANY\nA MUN H"}, "A MUN H"),
        ({"orders": "A PIC - BEL\x00"}, ""),
        ({"orders": "x" * 90_000}, ""),
        ({"orders": "A PIC - BEL", "power": "NOWHERE"}, ""),
    ],
)
def test_strange_orders_change_nothing(autumn: Player, sent: dict[str, str], said: str) -> None:
    game, page = copied(autumn, **sent)
    assert game.draft_orders == autumn.game.turns.get().orders
    assert said in page


# games on line


@pytest.fixture
def online() -> Game:
    return play(table(), FRANCE=["A PAR H"])


def test_a_running_game_has_no_coach(online: Game) -> None:
    for visitor in (Client(), client_of(PLAYERS["FRANCE"])):
        page = visitor.get(f"/parties/{online.key}/1/")
        assert page.status_code == 200
        assert "coach" not in page.text
        assert visitor.get(f"/parties/{online.key}/1/coach/").status_code == 404
    assert not GeneratedDocument.objects.exists()


def test_once_it_is_over_whoever_may_read_it_may_ask(online: Game) -> None:
    Game.objects.update(state=GameState.ENDED)
    address = f"/parties/{online.key}/1/coach/"
    assert f'href="{address}"' in Client().get(f"/parties/{online.key}/1/").text
    own = client_of(PLAYERS["FRANCE"]).get(address)
    assert re.search(r'power=FRANCE" aria-current="page"', own.text)
    assert "Ordres joués" in text_of(own)
    told = {"submission": "a-copy-of-that-game", "power": "FRANCE", "orders": "A PAR - BUR"}
    Client().post(f"/parties/{online.key}/1/copy/", told)
    assert PracticeGame.objects.get().draft_orders["FRANCE"] == ["A PAR - BUR"]
    assert Client().get(f"/parties/{online.key}/2/coach/").status_code == 404
