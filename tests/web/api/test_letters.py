"""Letters over the API: what one reads on the pages, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.models import Game
from talleyrand.web.notifications import outbox
from talleyrand.web.press.models import Message
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import refused

pytestmark = pytest.mark.django_db
TEXT = "Laissons la Bourgogne vide."


@pytest.fixture
def game() -> Game:
    return cast.table()


def of(name: str, *scopes: Scope) -> Program:
    return program(name, scopes or [Scope.LETTERS])


def write(game: Game, name: str, to: list[str], text: str = TEXT, once: str = "", **more: Any) -> Any:
    head = {"Idempotency_Key": once} if once else {}
    return of(name).ask("POST", f"/games/{game.key}/letters", {"to": to, "text": text, **more}, **head)


def texts(game: Game, name: str, query: str = "") -> list[str]:
    found = of(name).get(f"/games/{game.key}/letters{query}").json()
    return [one["text"] for one in found["items"]]


def holding(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(
        settings_json={**game.settings_json, "press": str(PressSetting.HELD)}
    )


def test_written_and_read(game: Game) -> None:
    made = write(game, "Flora", ["GERMANY"])
    assert made.status_code == 201
    sent = made.json()
    assert (sent["signed"], sent["state"], sent["number"]) == ("FRANCE", "delivered", 1)
    (got,) = of("Gaspard").get(f"/games/{game.key}/letters").json()["items"]
    assert got == {**sent, "letter": None}
    for name in ("Edmond", "Oscar", "Armand", "Sylvain"):
        assert texts(game, name) == []


def test_what_players_write_is_read_at_the_desk(game: Game) -> None:
    """A game master’s token for his own letters reads nothing that players write to each other."""
    place = f"/games/{game.key}"
    room = write(game, "Flora", ["GERMANY"]).json()["room"]
    write(game, "Flora", ["@"], "À vous seule.")
    for scopes, read in (([], ["À vous seule."]), ([Scope.DESK], [TEXT, "À vous seule."])):
        asking = of("Maëlle", Scope.LETTERS, *scopes)
        assert [one["text"] for one in asking.get(f"{place}/letters").json()["items"]] == read
        assert len(asking.get(f"{place}/rooms").json()["items"]) == len(read)
    alone = of("Maëlle")
    refused(alone.get(f"{place}/letters?room={room}"), 404)
    refused(alone.ask("POST", f"{place}/rooms/{room}/read"), 404)


def test_rooms_and_what_is_unread(game: Game) -> None:
    room = write(game, "Flora", ["GERMANY"]).json()["room"]
    gaspard = of("Gaspard")
    assert gaspard.get(f"/games/{game.key}/rooms").json() == {
        "items": [{"room": room, "kind": "pair", "powers": ["FRANCE", "GERMANY"], "unread": 1}]
    }
    assert outbox.unread_count(cast.person("Gaspard")) == 1
    for _turn in range(2):
        answer = gaspard.ask("POST", f"/games/{game.key}/rooms/{room}/read")
        assert answer.json() == {"unread": 0}
    assert outbox.unread_count(cast.person("Gaspard")) == 0
    refused(of("Edmond").ask("POST", f"/games/{game.key}/rooms/{room}/read"), 404)
    refused(of("Edmond").get(f"/games/{game.key}/letters?room={room}"), 404)


def test_sent_twice_is_one_letter(game: Game) -> None:
    first, again = (write(game, "Flora", ["GERMANY"], once="once-and-for-all") for _turn in range(2))
    assert first.json() == again.json()
    assert Message.objects.count() == 1


def test_a_part_at_a_time(game: Game) -> None:
    for number in range(5):
        write(game, "Flora", ["*"], f"Déclaration {number}")
    first = of("Edmond").get(f"/games/{game.key}/letters?limit=3").json()
    rest = of("Edmond").get(f"/games/{game.key}/letters?limit=3&after={first['next']}").json()
    asked = [one["text"] for one in first["items"] + rest["items"]]
    assert asked == [f"Déclaration {number}" for number in range(5)]
    assert rest["next"] is None
    assert texts(game, "Edmond", "?after=999999999999999999") == []


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"to": []}, 422, "wrong_value"),
        ({"to": ["FRANCE"]}, 422, "oneself"),
        ({"to": ["GERMANY", "GERMANY"]}, 422, "twice"),
        ({"to": ["NARNIA"]}, 422, "unknown"),
        ({"to": ["*", "GERMANY"]}, 422, "mixed"),
        ({"to": ["GERMANY"], "text": "   "}, 422, "empty"),
        ({"to": ["GERMANY"], "text": "a\u0000b"}, 422, "wrong_value"),
        ({"to": ["GERMANY"], "text": "x" * 30_000}, 422, "too_long"),
        ({"to": ["GERMANY"], "text": "x" * 50_000}, 422, "wrong_value"),
        ({"to": ["GERMANY"], "writer": "ITALY"}, 409, "not_yours"),
        ({"to": ["GERMANY"], "writer": "@"}, 409, "not_yours"),
        ({"to": ["GERMANY"], "unsigned": True}, 409, "unsigned"),
        ({"to": ["GERMANY"], "more": 1}, 422, "wrong_value"),
        ({"to": "GERMANY"}, 422, "wrong_value"),
    ],
)
def test_what_is_refused(game: Game, sent: dict[str, Any], status: int, code: str) -> None:
    answer = of("Flora").ask("POST", f"/games/{game.key}/letters", {"text": TEXT, **sent})
    assert refused(answer, status)["code"] == code
    assert Message.objects.count() == 0


@pytest.mark.parametrize(
    ("name", "code"), [("Oscar", "watching"), ("Armand", "watching"), ("Sylvain", "watching")]
)
def test_who_looks_on_writes_nothing(game: Game, name: str, code: str) -> None:
    assert refused(write(game, name, ["GERMANY"]), 409)["code"] == code


def test_several_signatures(game: Game) -> None:
    cast.deal(game, "ITALY", "Flora")
    assert refused(write(game, "Flora", ["GERMANY"]), 422)["fields"][0]["where"] == "body.writer"
    assert write(game, "Flora", ["GERMANY"], writer="ITALY").json()["signed"] == "ITALY"


def test_letters_that_wait(game: Game) -> None:
    holding(game)
    first, second = (write(game, "Flora", ["GERMANY"], text).json() for text in ("un", "deux"))
    assert first["state"] == "held"
    assert texts(game, "Gaspard") == []
    master, place = of("Maëlle", Scope.DESK), f"/games/{game.key}/letters"
    assert [one["text"] for one in master.get(f"{place}/held").json()["items"]] == ["un", "deux"]
    assert master.ask("POST", f"{place}/{first['letter']}/pass").json()["state"] == "delivered"
    assert refused(master.ask("POST", f"{place}/{first['letter']}/pass"), 409)["code"] == "delivered"
    assert refused(master.ask("POST", f"{place}/{second['letter']}/return", {"reason": " "}), 422)
    returned = master.ask("POST", f"{place}/{second['letter']}/return", {"reason": "Pas de noms."}).json()
    assert (returned["state"], returned["reason"]) == ("returned", "Pas de noms.")
    assert texts(game, "Gaspard") == ["un"]
    own = of("Flora").get(place).json()["items"]
    assert {one["text"]: one["reason"] for one in own} == {"un": "", "deux": "Pas de noms."}


@pytest.mark.parametrize("name", ["Flora", "Gaspard", "Armand", "Oscar", "Sylvain"])
def test_the_master_s_own(game: Game, name: str) -> None:
    holding(game)
    letter = write(game, "Flora", ["GERMANY"]).json()["letter"]
    other, place = of(name, Scope.DESK), f"/games/{game.key}/letters"
    refused(other.get(f"{place}/held"), 404)
    for path, sent in ((f"{place}/{letter}/pass", None), (f"{place}/{letter}/return", {"reason": "Non."})):
        refused(other.ask("POST", path, sent), 404)
    assert Message.objects.get().state == "held"


def test_scopes_and_games_that_are_not_there(game: Game) -> None:
    place = f"/games/{game.key}"
    refused(of("Flora", Scope.READ, Scope.DESK).get(f"{place}/letters"), 403)
    refused(of("Maëlle", Scope.LETTERS).get(f"{place}/letters/held"), 403)
    Game.objects.update(is_listed=False)
    for path in ("letters", "rooms"):
        refused(of("Flora").get(f"/games/nowhere/{path}"), 404)
        refused(of("Sylvain").get(f"{place}/{path}"), 404)
