"""A table in hostile hands: another seat's phone, another table's, guesses, and what no keyboard types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import random_token
from talleyrand.web.tables import models, table_seats
from talleyrand.web.tables.models import LateOrders, TablePlayer
from talleyrand.web.tables.referee.referee_acts import ACTS
from tests import draws
from tests.web.games import playing
from tests.web.security.asking import fields
from tests.web.security.test_nonsense import VALUES, ask
from tests.web.security.writes import written
from tests.web.tables.phones import fresh_game, open_table, phone_of, player_named, started
from tests.web.visibility.table_scene import table_addresses

pytestmark = pytest.mark.django_db
EVENING = 6 * 60  # minutes
MINE = ("django_session",)


@pytest.fixture
def counted(settings: Any) -> None:
    settings.ATTEMPTS_BY_ADDRESS = {**settings.ATTEMPTS_BY_ADDRESS, "link": (5, 3600)}


def test_a_code_is_not_guessed_in_an_evening(settings: Any) -> None:
    """From one address, as often as is allowed, where thirty tables are open: months until one is found."""
    from talleyrand.web.settings import ATTEMPTS_BY_ADDRESS

    tries, seconds = ATTEMPTS_BY_ADDRESS["link"]
    codes = len(models.CODE_LETTERS) ** models.CODE_LENGTH
    days = codes / 30 / (tries * 60 / seconds) / 60 / 24
    assert days > 60
    assert len(random_token()) >= 22  # 128 bits: the key of a table, the tokens of seats and teachers


def test_a_pin_is_not_guessed_in_an_evening() -> None:
    """Of eight seats that are all tried as often as is allowed, all evening long."""
    pins = 8 * EVENING / (table_seats.PIN_LASTS.total_seconds() / 60)
    assert pins * table_seats.MOST_PIN_ATTEMPTS / 10**table_seats.PIN_DIGITS < 0.005


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("door", ["/tables/join/", "/tables/screen/", "/tables/class/join/"])
def test_wrong_codes_are_counted_and_right_ones_are_not(door: str) -> None:
    table, _laptop = open_table()
    answers = [Client().get(f"{door}ZZZZZ{n}/").status_code for n in range(2, 8)]
    assert answers == [404] * 5 + [429]
    assert Client().get(f"/tables/join/{table.code}/").status_code == 200
    assert Client().get(f"/tables/screen/{table.screen_code}/").status_code == 302


@pytest.mark.usefixtures("counted")
def test_pins_are_counted_by_address_too() -> None:
    """So that nobody has PINs of all seats flicker on the screen."""
    table, _laptop = open_table()
    path = f"/tables/{table.game.key}/seats/{{}}/move/"
    assert [Client().post(path.format(n)).status_code for n in range(1, 7)] == [200] * 5 + [429]


def test_a_pin_of_one_seat_opens_no_other() -> None:
    table, _laptop = open_table()
    for name in ("Anna", "Bela"):
        phone_of(table, name)
    asked = table_seats.ask_for_pin(player_named(table, "Anna"), timezone.now())
    other = player_named(table, "Bela")
    answer = Client().post(f"/tables/{table.game.key}/seats/{other.number}/move/", {"pin": asked.pin})
    assert answer.status_code == 409
    assert player_named(table, "Bela").phone_digest == other.phone_digest


def changing(key: str) -> Iterator[str]:
    """All addresses of a table, with all acts that there are."""
    for path in (path for path in table_addresses(key) if f"/{key}/" in path):
        if "/act/" in path:
            yield from (f"{path.partition('/act/')[0]}/act/{act}/" for act in ACTS)
        else:
            yield path


def attempts(client: Client, key: str, sent: dict[str, str]) -> dict[str, Any]:
    """What was changed, or taken as if it were theirs, at each address."""
    wrong: dict[str, tuple[int, object]] = {}
    for path in changing(key):
        with written() as tables:
            answer = client.post(path, sent)
        moves = path.endswith("/move/")  # a PIN on the screen, for whoever has the address of a seat
        if tables - {*MINE, *(("tables_tableplayer", "notices_topicversion") if moves else ())}:
            wrong[path] = (answer.status_code, tables)
        elif answer.status_code not in (404, 405, *((200, 302) if moves else ())):
            wrong[path] = (answer.status_code, answer.headers.get("Location"))
    return wrong


SENT = {"act": "start", "seat": "1", "number": "1", "power": "FRANCE", "confirmed": "yes", "late": "1"}


@pytest.mark.parametrize("who", ["referee", "player", "stranger"])
def test_whoever_sits_at_another_table_is_a_stranger(who: str) -> None:
    mine, laptop, phones = started()
    other, _laptop, _phones = started(submission="t" * 24)
    playing.resolved(fresh_game(other))
    client = {"referee": laptop, "player": phones["FRANCE"], "stranger": Client()}[who]
    assert mine.pk != other.pk
    assert attempts(client, other.game.key, SENT) == {}


def test_a_player_is_no_referee() -> None:
    table, _laptop, phones = started()
    client, key = phones["ENGLAND"], table.game.key
    referees = [path for path in changing(key) if "/referee/" in path or "/reading/" in path]
    assert len(referees) > len(ACTS)
    with written() as tables:
        answers = {path: client.post(path, SENT).status_code for path in referees}
        answers |= {f"{path} read": client.get(path).status_code for path in referees}
        for path in ("start/", "seat/", "clock/"):
            answers[path] = client.post(f"/tables/{key}/{path}", SENT).status_code
    assert {path for path, status in answers.items() if status not in (404, 405)} == set()
    assert tables <= {*MINE}


def test_numbers_of_another_table_are_nobody_here() -> None:
    """A referee names late orders and seats of somebody else's table at the address of their own."""
    mine, laptop, _phones = started()
    other, _laptop, phones = started(submission="t" * 24)
    playing.resolved(fresh_game(other))
    late = {"lines": ["A PAR - BUR"], "changes": [], "submission": "l" * 20, "ago": 1}
    path = f"/tables/{other.game.key}/1/late/FRANCE/"
    assert phones["FRANCE"].post(path, json.dumps(late), content_type="application/json").status_code == 200
    kept = LateOrders.objects.get()
    for act in ("count-late", "tear-late"):
        laptop.post(f"/tables/{mine.game.key}/referee/act/{act}/", {"late": kept.pk, "pk": kept.pk})
    kept.refresh_from_db()
    assert kept.decision == ""
    assert not mine.game.sheets.exists()


@pytest.mark.long
@pytest.mark.parametrize("who", ["referee", "player"])
def test_every_field_of_every_address_of_one_s_own_table(who: str, full: bool, draw: str) -> None:
    """Nonsense in every field, from somebody who may do most."""
    table, laptop, phones = started()
    playing.resolved(fresh_game(table))
    client = laptop if who == "referee" else phones["FRANCE"]
    client.raise_request_exception = False
    paths, wrong = list(changing(table.game.key)), set()
    values = list(VALUES.values())
    for at in range(len(paths)) if full else draws.one_in(3, range(len(paths)), draw, who):
        for method in ("get", "post"):
            found, answers = fields(partial(ask, client, method, paths[at]), values[0])
            more = values[1:] if found else []
            answers += [ask(client, method, paths[at], dict.fromkeys(found, one)) for one in more]
            wrong |= {f"{paths[at]} {one.status_code}" for one in answers if one.status_code >= 500}
    assert wrong == set()


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "application/json"])
def test_what_is_far_too_much_is_refused(kind: str) -> None:
    table, laptop, phones = started()
    huge = b"pin=" + b"9" * (3 << 20)
    for client in (laptop, phones["FRANCE"]):
        for path in changing(table.game.key):
            with written() as tables:
                answer = client.post(path, huge, content_type=kind)
            assert answer.status_code < 500, path
            assert not tables & {"games_orderset", "tables_lateorders"}, path


def test_no_form_of_a_table_goes_without_its_token() -> None:
    table, laptop = open_table()
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = laptop.cookies
    with written() as tables:
        answers = {path: strict.post(path, SENT).status_code for path in changing(table.game.key)}
    assert {path for path, status in answers.items() if status != 403} == set()
    assert tables <= {*MINE}


def test_a_guest_is_nobody_to_programs_and_has_no_account() -> None:
    table, laptop, phones = started()
    guest = TablePlayer.objects.filter(table=table, number=1).get().person
    assert (guest.is_active, guest.has_usable_password(), guest.email) == (False, False, "")
    for client in (laptop, phones["FRANCE"]):
        for path in (f"games/{table.game.key}", f"games/{table.game.key}/people", "me", "games"):
            assert client.get(f"/api/{path}").status_code == 401
        assert client.get("/compte/").status_code == 302
        answer = Client().post("/compte/connexion/", {"login": guest.name, "password": ""})
        assert "sessionid" not in answer.cookies or not answer.wsgi_request.user.is_authenticated
