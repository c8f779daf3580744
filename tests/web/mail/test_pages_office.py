"""The administrator’s page of the post: counts, and nothing of anybody’s mail."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import Game
from talleyrand.web.mail import addressing
from talleyrand.web.mail.models import Arrival, Departure, Door, Gate, Message
from talleyrand.web.mail.outcomes import Outcome
from talleyrand.web.mail.outgoing import pausing
from tests.web.cast import MASTER, client_of, person, table
from tests.web.mail.correspondents import address_of, everybody

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
PLACE, AGAIN = "/administration/courrier/", "/administration/courrier/relire/"


@pytest.fixture
def game() -> Game:
    everybody()
    return table()


@pytest.fixture
def chief() -> Client:
    administrator = person("Adèle")
    administrator.is_administrator = True
    administrator.save()
    return client_of("Adèle")


def read(client: Client) -> str:
    answer = client.get(PLACE)
    assert answer.status_code == 200
    return unescape(answer.content.decode()).replace("\u00a0", " ").replace("\u202f", " ")


def arrived(game: Game, outcome: str = "", ago: timedelta = timedelta(0)) -> Arrival:
    box = addressing.mailbox(Door.ORDERS, game, person("Flora"), "FRANCE")
    message = Message.objects.create(data=b"zz-text", envelope="zz-envelope@x.fr", received=timezone.now())
    Message.objects.filter(pk=message.pk).update(kept=timezone.now() - ago)
    done = {"outcome": outcome, "sorted": timezone.now() if outcome else None, "attempts": 5}
    return Arrival.objects.create(message=message, mailbox=box, same=message.key, **done)


def left(game: Game, **more: Any) -> Departure:
    kept = {
        "kind": "report",
        "once": str(Departure.objects.count()),
        "subject": "zz-subject",
        "text": "zz-words",
    }
    return Departure.objects.create(person=person("Flora"), game=game, **{**kept, **more})


def test_a_site_without_mail_yet(chief: Client) -> None:
    text = read(chief)
    assert text.count("aucun encore") == 2
    assert 'role="alert"' not in text


def test_counts_and_nothing_of_what_is_written(chief: Client, game: Game) -> None:
    for outcome in ("", "", Outcome.TAKEN, Outcome.TAKEN, Outcome.TAKEN, Outcome.FAULT):
        arrived(game, outcome)
    left(game, sent=timezone.now())
    left(game, due=timezone.now() + timedelta(days=1))
    left(game, tries=2, refusal="450 zz-refusal")
    left(game, dropped="refused", refusal="550 zz-refusal")
    text = read(chief)
    for wanted in ("orders: taken", "<code>refused</code>", f"Numéro {Arrival.objects.last().pk}"):  # type: ignore[union-attr]
        assert wanted in text
    for hidden in ("zz-", address_of("Flora"), "Flora", game.name, game.key):
        assert hidden not in text
    assert 'role="alert"' not in text


def test_a_server_that_takes_nothing_and_people_whom_nothing_reaches(chief: Client, game: Game) -> None:
    Gate.objects.create(name="out", opens=timezone.now() + timedelta(minutes=5), failures=3)
    for day in range(3):
        pausing.came_back(person("Flora"), address_of("Flora"), timezone.now() - timedelta(days=day))
    text = read(chief)
    assert "Le serveur d’envoi ne prend rien" in text
    assert "Personnes à qui rien n’est envoyé" in text
    assert address_of("Flora") not in text


@pytest.mark.parametrize("what", ["came", "left"])
def test_an_alarm_where_nobody_is_at_work(chief: Client, game: Game, what: str) -> None:
    if what == "came":
        arrived(game, ago=timedelta(minutes=6))
    else:
        left(game, due=timezone.now() - timedelta(minutes=6))
    assert 'role="alert"' in read(chief)


def test_faults_are_tried_again_and_nothing_else(chief: Client, game: Game) -> None:
    fault, taken = arrived(game, Outcome.FAULT), arrived(game, Outcome.TAKEN)
    for words in ("1 courriel est relu", "Aucun courriel n’attend cela"):
        answer: Any = chief.post(AGAIN, follow=True)
        assert words in unescape(answer.content.decode())
    fault.refresh_from_db()
    taken.refresh_from_db()
    assert (fault.outcome, fault.attempts, fault.sorted) == ("", 0, None)
    assert taken.outcome == Outcome.TAKEN


@pytest.mark.parametrize("who", ["", "Flora", MASTER])
def test_others_find_no_such_page(game: Game, who: str) -> None:
    arrived(game, Outcome.FAULT)
    client = client_of(who) if who else Client()
    assert client.get(PLACE).status_code == 404
    assert client.post(AGAIN).status_code == 404
    assert Arrival.objects.get().outcome == Outcome.FAULT


def test_the_way_there(chief: Client) -> None:
    assert PLACE in chief.get("/compte/").content.decode()
    assert "/administration/courrier/" not in client_of("Flora").get("/compte/").content.decode()
