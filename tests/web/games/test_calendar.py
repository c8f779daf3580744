"""The calendar that other programs read: whose it is, what it holds, and what it never does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from icalendar import Calendar

from talleyrand.web.games import order_submission
from talleyrand.web.games.deadlines import DeadlineSettings, calendar_feed
from talleyrand.web.games.deadlines.deadline_rules import IntervalRule, WeekdayRule
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState
from tests.web import cast

pytestmark = pytest.mark.django_db
WEEKLY = DeadlineSettings(WeekdayRule((4,), 1440), IntervalRule(timedelta(hours=48)))
DUE = datetime(2026, 3, 6, 23, tzinfo=UTC)
HEAD = {"PRODID", "VERSION", "METHOD", "NAME", "X-WR-CALNAME", "REFRESH-INTERVAL", "X-PUBLISHED-TTL"}
EVENT = {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "DESCRIPTION", "URL", "TRANSP"}


@pytest.fixture
def game() -> Game:
    return cast.table(rhythm=WEEKLY.as_json())


def address(name: str, game: Game | None = None) -> str:
    told = [calendar_feed.feed_token(cast.person(name)), *([game.key] if game else [])]
    return reverse("games:feed_of_game" if game else "games:feed", args=told)


def events(path: str, client: Client | None = None) -> list[Any]:
    answer = (client or Client()).get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


def test_what_it_holds(game: Game) -> None:
    answer = Client().get(address("Flora"))
    calendar = Calendar.from_ical(answer.content)
    assert set(calendar) == HEAD
    assert calendar["REFRESH-INTERVAL"].to_ical() == b"PT1H"
    (event,) = calendar.walk("VEVENT")
    assert set(event) == EVENT
    assert event.decoded("dtend") == DUE == game.deadline
    assert event["dtend"].to_ical() == b"20260306T230000Z"
    assert event["uid"] == f"{game.key}-1@talleyrand"
    assert event["summary"] == "La table ronde – Printemps 1901, mouvements"
    assert str(event["description"]).splitlines()[0] == (
        "Échéance\u00a0: vendredi 6 mars 2026 à 24\u00a0h, heure de Paris."
    )
    assert event["url"] == f"http://testserver{reverse('games:game', args=[game.key])}"
    assert answer.content.endswith(b"END:VCALENDAR\r\n")
    assert max(len(line) for line in answer.content.split(b"\r\n")) <= 75
    assert "sessionid" not in answer.cookies


def test_its_hours_are_of_midnight_in_summer_too(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=datetime(2026, 7, 3, 22, tzinfo=UTC))
    (event,) = events(address("Flora"))
    assert event["dtend"].to_ical() == b"20260703T220000Z"
    assert "vendredi 3 juillet 2026 à 24" in event["description"]


def test_in_the_language_of_its_reader(game: Game) -> None:
    flora = cast.person("Flora")
    flora.language = "en"
    flora.save()
    (event,) = events(address("Flora"))
    assert event["summary"] == "La table ronde – Spring 1901, movement"
    assert "/en/games/" in event["url"]


@pytest.mark.parametrize("name", [*cast.PLAYERS.values(), cast.MASTER, cast.ASSISTANT, cast.OBSERVER])
def test_everybody_at_the_table_reads_the_same_and_of_no_person(game: Game, name: str) -> None:
    answer = Client().get(address(name))
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert event["uid"] == f"{game.key}-1@talleyrand"
    text = answer.content.decode().replace("\r\n ", "")
    for person in [*cast.PLAYERS.values(), cast.MASTER, cast.ASSISTANT, cast.OBSERVER]:
        assert person not in text


def test_a_sheet_that_arrives_leaves_no_trace(game: Game) -> None:
    def told() -> bytes:
        lines = Client().get(address("Flora")).content.split(b"\r\n")
        return b"\n".join(line for line in lines if not line.startswith(b"DTSTAMP"))

    before = told()
    Game.objects.filter(pk=game.pk).update(deadline=DUE)
    order_submission.submit_orders(
        game, "TURKEY", ["A CON H"], number=1, key="one", origin="text", at=cast.BEGUN
    )
    assert told() == before


GONE: dict[str, dict[str, Any]] = {
    "gathering": {"state": GameState.GATHERING},
    "paused": {"state": GameState.PAUSED},
    "ended": {"state": GameState.ENDED},
    "abandoned": {"state": GameState.ABANDONED},
    "by hand": {"deadline": None},
}


@pytest.mark.parametrize("changed", GONE.values(), ids=GONE)
def test_no_event_without_a_date(game: Game, changed: dict[str, Any]) -> None:
    Game.objects.filter(pk=game.pk).update(**changed)
    assert events(address("Flora")) == []
    assert events(address("Flora", game)) == []


def test_one_game_alone(game: Game) -> None:
    other = cast.table(rhythm=WEEKLY.as_json())
    Game.objects.filter(pk=other.pk).update(name="Seconde personne")
    assert len(events(address("Flora"))) == 2
    (event,) = events(address("Flora", other))
    assert event["summary"].startswith("Seconde personne")


def test_of_ones_own_games_alone(game: Game) -> None:
    cast.person(cast.STRANGER)
    assert events(address(cast.STRANGER)) == []
    assert Client().get(address(cast.STRANGER, game)).status_code == 404
    GameMembership.objects.filter(person__name="Flora").update(left_at=cast.BEGUN)
    assert events(address("Flora")) == []
    assert Client().get(address("Flora", game)).status_code == 404


def test_back_in_another_role_it_is_there_once(game: Game) -> None:
    GameMembership.objects.filter(person__name="Flora").update(left_at=cast.BEGUN)
    cast.member(game, "Flora", GameRole.OBSERVER)
    assert len(events(address("Flora"))) == 1


def bad_tokens() -> list[str]:
    good = calendar_feed.feed_token(cast.person("Flora"))
    number, signature = good.split("-")
    other = cast.person("Edmond").pk
    return [
        "",
        "-",
        number,
        f"{number}-",
        f"{number}-{signature[:-1]}",
        f"{number}-{signature}x",
        f"{number}-{signature.upper()}",
        f"0{number}-{signature}",
        f" {number}-{signature}",
        f"-{number}-{signature}",
        f"{other}-{signature}",
        f"999999999999999999-{signature}",
        f"{'9' * 400}-{signature}",
        f"{number}-é{signature}",
        f"²-{signature}",
        "\x00-\x00",
    ]


def test_an_address_that_is_not_good_does_not_exist(game: Game) -> None:
    assert calendar_feed.person_of_feed_token(calendar_feed.feed_token(cast.person("Flora"))) == cast.person(
        "Flora"
    )
    for token in bad_tokens():
        assert calendar_feed.person_of_feed_token(token) is None
        if token:
            assert Client().get(reverse("games:feed", args=[token])).status_code == 404


def test_a_new_address_ends_the_one_before(game: Game) -> None:
    before = address("Flora")
    edmond = address("Edmond")
    client = cast.client_of("Flora")
    assert client.get(reverse("games:calendar_renew")).status_code == 405
    assert events(before)
    assert client.post(reverse("games:calendar_renew")).status_code == 302
    assert Client().get(before).status_code == 404
    assert address("Flora") != before
    assert events(address("Flora"))
    assert events(edmond)


def test_other_choices_outlive_a_new_address(game: Game) -> None:
    flora = cast.person("Flora")
    stale = cast.person("Flora")
    flora.preferences["mails"] = "none"
    flora.save()
    calendar_feed.renew_token(stale)
    assert cast.person("Flora").preferences["mails"] == "none"


def test_who_has_left_the_site_has_no_calendar(game: Game) -> None:
    path = address("Flora")
    flora = cast.person("Flora")
    flora.is_active = False
    flora.save()
    assert Client().get(path).status_code == 404


def test_the_page_with_ones_address(game: Game) -> None:
    page = cast.client_of("Flora").get(reverse("games:calendar")).content.decode()
    assert f"http://testserver{address('Flora')}" in page
    assert Client().get(reverse("games:calendar")).status_code == 302
    assert Client().post(reverse("games:calendar_renew")).status_code == 302


NAMES = [
    "a\r\nBEGIN:VALARM\r\nEND:VALARM",
    "a\nEND:VEVENT",
    "a\rEND:VEVENT",
    "a\u2028END:VEVENT",
    "a\x85END:VEVENT",
    "a\x0bEND:VEVENT",
    'virgule, point-virgule; \\n et « guillemets » "droits"',
    "é" * 80,
    "🎲" * 80,
    "a:b;c=d,e",
]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:30])
def test_a_name_stays_a_name(game: Game, name: str) -> None:
    Game.objects.filter(pk=game.pk).update(name=name)
    for path in (address("Flora"), address("Flora", game)):
        content = Client().get(path).content
        calendar = Calendar.from_ical(content)
        assert set(calendar) == HEAD
        (event,) = calendar.walk("VEVENT")
        assert set(event) == EVENT
        assert [part.name for part in calendar.walk()] == ["VCALENDAR", "VEVENT"]
        visible = "".join(one if one.isprintable() else " " for one in name)
        assert " ".join(str(event["summary"]).split()).startswith(" ".join(visible.split()))
        lines = content.split(b"\r\n")
        assert max(len(line) for line in lines) <= 75
        assert not any(b"\n" in line or b"\r" in line for line in lines)


def test_languages_of_the_address(game: Game) -> None:
    assert address("Flora").startswith("/parties/calendrier/")
    with translation.override("en"):
        assert address("Flora").startswith("/en/games/calendar/")
        assert events(address("Flora"))
