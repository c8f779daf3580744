"""News over the API: one's own, and how one wants to be told."""

from __future__ import annotations

from typing import Any

import pytest

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import recipients
from talleyrand.web.games.models import Game
from talleyrand.web.notifications import outbox
from talleyrand.web.notifications.preferences import NotificationPreferences
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    found = cast.table()
    people = [cast.person("Flora").pk]
    recipients.notify_about_game(found, people, "published", "one", phase="S1901M", number=1)
    recipients.notify_about_game(
        found, people, "corrected", "two", phase="S1901M", reason="Une armée de trop."
    )
    outbox.notify(people, "mail_paused", {}, about="", path="/compte/", once="three")
    return found


def of(name: str, language: str = "fr") -> Program:
    return program(name, [Scope.ACCOUNT], language)


def items(asked: Program, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = asked.get(f"/news{query}").json()["items"]
    return found


def test_one_s_own_the_newest_first(game: Game) -> None:
    found = items(of("Flora"))
    assert [one["kind"] for one in found] == ["mail_paused", "corrected", "published"]
    assert [one["game"] for one in found] == [None, game.key, game.key]
    facts = {name: value for name, value in found[2]["facts"].items() if value is not None}
    assert facts == {"variant": "classic", "phase": "S1901M", "number": 1}
    assert "Une armée de trop." in found[1]["sentence"]
    assert found[2]["page"].endswith(f"/parties/{game.key}/")
    assert items(of("Edmond")) == []


def test_in_english(game: Game) -> None:
    found = items(of("Flora", "en"))[2]
    assert found["sentence"].startswith("Results are in")
    assert found["page"].endswith(f"/en/games/{game.key}/")


def test_marked_as_read(game: Game) -> None:
    flora = of("Flora")
    until = items(flora)[2]["made"]
    assert flora.ask("POST", "/news/read", {"until": until}).json() == {"marked": 1, "unread": 2}
    assert flora.ask("POST", "/news/read", {"game": "nowhere"}).json() == {"marked": 0, "unread": 2}
    assert flora.ask("POST", "/news/read", {"game": game.key}).json() == {"marked": 1, "unread": 1}
    assert [one["kind"] for one in items(flora, "?unread=true")] == ["mail_paused"]
    assert of("Edmond").ask("POST", "/news/read", {}).json() == {"marked": 0, "unread": 0}
    assert flora.ask("POST", "/news/read", {}).json() == {"marked": 1, "unread": 0}


def test_a_part_at_a_time(game: Game) -> None:
    first = of("Flora").get("/news?limit=2").json()
    rest = of("Flora").get(f"/news?limit=2&after={first['next']}").json()
    assert [one["kind"] for one in first["items"] + rest["items"]] == [
        "mail_paused",
        "corrected",
        "published",
    ]
    assert rest["next"] is None


def test_the_kinds() -> None:
    found = of("Flora").get("/news/kinds").json()["items"]
    assert {"kind": "letter", "group": "letters", "sentence": "Nouveau message."} in found


def test_choices() -> None:
    flora = of("Flora")
    before = flora.get("/news/choices").json()["items"]
    assert "site" not in [one["group"] for one in before]
    wanted = {"group": "letters", "page": "no", "mail": "daily", "push": "no"}
    after = flora.ask("PUT", "/news/choices", {"items": [wanted]}).json()["items"]
    assert after == [wanted if one["group"] == "letters" else one for one in before]
    assert NotificationPreferences.for_person(cast.person("Flora")).wants("letters", "mail") == "daily"


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"items": [{"group": "letters"}]},
        {"items": [{"group": "nothing", "page": "no", "mail": "no", "push": "no"}]},
        {"items": [{"group": "letters", "page": "daily", "mail": "no", "push": "no"}]},
    ],
)
def test_choices_that_are_none(sent: dict[str, Any]) -> None:
    refused(of("Flora").ask("PUT", "/news/choices", sent), 422)


ENDS = [("0001-01-01T00:00:00+14:00", 0), ("9999-12-31T23:59:59-14:00", 3)]


@pytest.mark.parametrize(("until", "marked"), ENDS)
def test_moments_at_the_ends_of_time(game: Game, until: str, marked: int) -> None:
    assert of("Flora").ask("POST", "/news/read", {"until": until}).json()["marked"] == marked


@pytest.mark.parametrize(
    "sent", [{"until": "hier"}, {"until": "2026-11-22T20:00:00"}, {"game": "a b"}, {"notice": 1}]
)
def test_marks_that_make_no_sense(sent: dict[str, Any]) -> None:
    refused(of("Flora").ask("POST", "/news/read", sent), 422)


def test_the_scope() -> None:
    others = program("Flora", [one for one in Scope if one != Scope.ACCOUNT])
    for path in ("/news", "/news/kinds", "/news/choices"):
        refused(others.get(path), 403)
