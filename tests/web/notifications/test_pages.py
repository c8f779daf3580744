"""The page of news and the choices: one's own alone, unread first, read once opened."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from talleyrand.web.games import recipients
from talleyrand.web.games.models import Game
from talleyrand.web.notifications import outbox, views
from talleyrand.web.notifications.models import Notification
from talleyrand.web.notifications.preferences import NotificationPreferences
from tests.web.cast import client_of, person, table

pytestmark = pytest.mark.django_db
NEWS, READ, CHOICES = "/notifications/", "/notifications/lues/", "/notifications/reglages/"


@pytest.fixture
def game() -> Game:
    """A begun game; whatever its beginning told is read."""
    found = table()
    Notification.objects.all().delete()
    return found


def tell(game: Game, name: str, kind: str = "published", once: str = "1", **facts: Any) -> Notification:
    told = {"phase": "S1901M", "number": 1, **facts}
    recipients.notify_about_game(game, [person(name).pk], kind, once, **told)
    return Notification.objects.get(person=person(name), idempotency_key=f"{game.key}:{once}")


def test_nothing_yet() -> None:
    page = client_of("Agathe").get(NEWS).content.decode()
    assert "Aucune notification" in page
    assert "Tout marquer" not in page


def test_news_are_ones_own(game: Game) -> None:
    tell(game, "Agathe")
    mine, other = (client_of(name).get(NEWS).content.decode() for name in ("Agathe", "Edmond"))
    assert "printemps 1901, mouvements" in mine
    assert game.name in mine
    assert "printemps 1901" not in other


def test_each_in_his_language(game: Game) -> None:
    tell(game, "Agathe")
    page = client_of("Agathe").get("/en/notifications/").content.decode()
    assert "Results are in: spring 1901, movement." in page
    assert f'href="/en/games/{game.key}/"' in page


@pytest.mark.parametrize("path", [NEWS, CHOICES, "/en/notifications/"])
def test_a_visitor_is_asked_who_he_is(path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 302
    assert path in answer["Location"]


def test_opening_what_news_lead_to_marks_them(game: Game) -> None:
    tell(game, "Agathe")
    tell(game, "Edmond")
    client = client_of("Agathe")
    address = f"/en/games/{game.key}/"
    client.get(address, headers={"Sec-Purpose": "prefetch"})
    client.get(address, headers={"Sec-Fetch-Mode": "cors"})
    assert outbox.unread_count(person("Agathe")) == 1
    client.get(address)
    assert outbox.unread_count(person("Agathe")) == 0
    assert outbox.unread_count(person("Edmond")) == 1


def test_an_address_that_is_none_is_not_found(game: Game) -> None:
    tell(game, "Agathe")
    for path in ("/parties/%00/", "/" + "x" * 3000 + "/", "/%ff%fe/", "/en/parties/"):
        assert client_of("Agathe").get(path).status_code == 404


def test_unread_come_first_then_the_newest(game: Game) -> None:
    for once in ("1", "2", "3"):
        tell(game, "Agathe", once=once)
    outbox.mark_read(person("Agathe"), idempotency_key=f"{game.key}:3")
    listed = [one.idempotency_key[-1] for one in views.notification_page(person("Agathe"), None)]
    assert listed == ["2", "1", "3"]
    page = client_of("Agathe").get(NEWS).content.decode()
    assert page.index("Non lues") < page.index("Déjà lues")


def test_marking_all_leaves_what_came_since(game: Game) -> None:
    tell(game, "Agathe", once="1")
    client = client_of("Agathe")
    until = client.get(NEWS).context["until"]
    tell(game, "Agathe", once="2")
    client.post(READ, {"until": until})
    assert [
        one.idempotency_key[-1] for one in Notification.objects.filter(person=person("Agathe"), read_at=None)
    ] == ["2"]


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"until": "x"},
        {"until": "-1"},
        {"until": "9" * 100},
        {"notice": "٣"},
        {"about": "game:nowhere"},
        {"about": "x" * 5000},
        {"until": "99999", "about": "\x00"},
    ],
)
def test_nonsense_marks_nothing(game: Game, sent: dict[str, str]) -> None:
    tell(game, "Agathe")
    assert client_of("Agathe").post(READ, sent).status_code == 302
    assert outbox.unread_count(person("Agathe")) == 1


def test_nobody_marks_anothers(game: Game) -> None:
    one = tell(game, "Agathe")
    client = client_of("Edmond")
    for _ in range(2):
        client.post(READ, {"notice": one.pk})
    assert outbox.unread_count(person("Agathe")) == 1
    assert client.get(READ).status_code == 405


def test_one_games_news_are_marked(game: Game) -> None:
    other = table(variant="classic")
    Notification.objects.all().delete()
    tell(game, "Agathe")
    tell(other, "Agathe")
    client_of("Agathe").post(READ, {"about": f"game:{game.key}"})
    assert Notification.objects.get(person=person("Agathe"), read_at=None).topic == f"game:{other.key}"


@pytest.mark.long
def test_many_news_have_several_pages(game: Game) -> None:
    for number in range(views.ON_A_PAGE + 5):
        tell(game, "Agathe", once=str(number))
    client = client_of("Agathe")
    assert client.get(NEWS).content.count(b"<time") == views.ON_A_PAGE
    for page in ("2", "999", "2", "x", "-1", "é" * 3000):
        assert client.get(NEWS, {"page": page}).status_code == 200
    assert client.get(NEWS, {"page": "2"}).content.count(b"<time") == 5


def test_odd_facts_show_all_the_same(game: Game) -> None:
    odd: list[dict[str, Any]] = [{"phase": None}, {"variant": "gone"}, {"phase": "<b>S1901M"}]
    for once, facts in enumerate(odd):
        tell(game, "Agathe", once=str(once), **facts)
    Notification.objects.create(person=person("Agathe"), kind="of_tomorrow", idempotency_key="x", facts={})
    page = client_of("Agathe").get(NEWS).content.decode()
    assert "<b>S1901M" not in page
    assert "Du nouveau dans cette partie" in page


def test_the_head_counts(game: Game) -> None:
    from django.template import Context, Template

    tell(game, "Agathe")
    source = (
        "{% load notification_tags %}{% notification_count user %}{% notification_link user %}"
        "{% notification_script %}"
    )
    client = client_of("Agathe")
    request = client.get(NEWS).wsgi_request
    shown = Template(source).render(Context({"request": request, "user": person("Agathe")}))
    assert shown.startswith("1")
    assert "data-news-count>" in shown
    assert shown.count("data-topics") == 1
    visitor = Template(source).render(Context({"user": None}))
    assert visitor.strip() == "0"
    watching = Template(source).render(Context({"user": None, "topics": "words"}))
    assert 'data-topics="words"' in watching


# choices


def test_choices_are_kept_and_shown() -> None:
    client = client_of("Agathe")
    assert client.post(CHOICES, {"letters-mail": "daily", "phases-page": "no"}).status_code == 302
    found = NotificationPreferences.for_person(person("Agathe"))
    assert (found.wants("letters", "mail"), found.wants("phases", "page")) == ("daily", "no")
    page = client.get(CHOICES).content.decode()
    assert page.count(" selected") == 24
    assert '<option value="daily" selected>' in page


@pytest.mark.parametrize(
    "sent",
    [{}, {"letters-mail": "hourly"}, {"letters-pigeon": "now"}, {"letters-page": "daily"}, {"x": "y" * 9999}],
)
def test_choices_that_make_no_sense_change_nothing(sent: dict[str, str]) -> None:
    client = client_of("Agathe")
    client.post(CHOICES, {"letters-mail": "daily"})
    before = NotificationPreferences.for_person(person("Agathe"))
    assert client.post(CHOICES, sent).status_code == 302
    assert NotificationPreferences.for_person(person("Agathe")) == before
