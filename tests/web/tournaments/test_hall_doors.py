"""How people come in: by signing up, by a link, by the code of the room; and who does not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from talleyrand.tournament.acts.people_acts import WithdrawPerson
from talleyrand.tournament.model import RoundState
from talleyrand.web.mail.models import OutboundEmail
from talleyrand.web.mail.outbound import email_sending
from talleyrand.web.tournaments import access_tokens, event_journal
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.tournaments import hall, scene

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uncounted() -> None:
    cache.clear()


def form(client: Client, made: Tournament, **fields: Any) -> dict[str, Any]:
    page = hall.text(client.get(hall.path(made, "sign_up")))
    found = re.search(r'name="submission" value="([^"]+)"', page)
    assert found is not None
    usual = {"name": "Théodora Ménard", "rounds": ["2", "3"], "accepted": "1"}
    return {"submission": found[1], **usual, **fields}


def signed_up(client: Client, made: Tournament, **fields: Any) -> Any:
    return client.post(hall.path(made, "sign_up"), form(client, made, **fields))


# Signing up.


def test_who_can_keep_a_record_is_asked_where_the_draw_looks_at_it() -> None:
    made, client = scene.tournament(3), Client()
    assert 'name="recorder"' in hall.text(client.get(hall.path(made, "sign_up")))
    assert signed_up(client, made, recorder="1").status_code == 302
    assert hall.event(made).people[4].recorder
    assert 'name="recorder"' in hall.text(client.get(hall.path(made, "mine")))
    hall.changed(made, regulations={"extends": "anjou_feu", "recorders": False})
    assert 'name="recorder"' not in hall.text(client.get(hall.path(made, "mine")))
    client.post(hall.path(made, "facts"), {"name": "Théodora Ménard"})
    assert hall.event(made).people[4].recorder


def test_whoever_signs_up_without_an_account_is_somebody_at_once() -> None:
    made, client = scene.tournament(3), Client()
    answer = signed_up(
        client, made, club="Les Tours", mail="theodora@example.org", born="1999", minutes="150"
    )
    assert answer.status_code == 302
    known = hall.event(made).people[4]
    assert (known.name, known.rounds, known.accepted) == ("Théodora Ménard", (2, 3), True)
    assert (known.private.born, known.minutes) == ("1999", 150)
    mine = hall.text(client.get(hall.path(made, "mine")))
    assert access_tokens.token_of(made, 4).token in mine  # the link is shown once
    assert access_tokens.token_of(made, 4).token not in hall.text(client.get(hall.path(made, "mine")))


def test_an_account_finds_itself_again_on_another_device() -> None:
    made = scene.tournament(1)
    signed_up(cast.client_of("Flora"), made)
    assert "Théodora" in hall.text(cast.client_of("Flora").get(hall.path(made, "mine")))
    again = cast.client_of("Flora").get(hall.path(made, "sign_up"))
    assert again.status_code == 302


def test_a_form_sent_twice_is_one_person_and_nobody_takes_anothers() -> None:
    made, client = scene.tournament(1), Client()
    sent = form(client, made)
    for _again in range(2):
        client.cookies.clear()  # the answer was lost on the way
        assert client.post(hall.path(made, "sign_up"), sent).status_code == 302
    assert len(hall.event(made).people) == 2
    forged = {**sent, "submission": sent["submission"].partition(":")[0] + ":forged"}
    thief = Client()
    assert thief.post(hall.path(made, "sign_up"), forged).status_code == 409
    assert access_tokens.TOKENS_SESSION_KEY not in thief.session


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": "  "}, "Saisissez le nom sous lequel les autres vous connaissent\u202f"),
        ({"name": "\u200b\u202e"}, "Saisissez le nom sous lequel les autres vous connaissent\u202f"),
        ({"name": "x" * 81}, "Trop long"),
        ({"mail": "nothing like it"}, "Saisissez une adresse comme nom@exemple.org"),
        ({"born": "1899-13-45"}, "année (1999)"),
        ({"born": "hier"}, "année (1999)"),
        ({"minutes": "-1"}, "Saisissez un nombre de minutes"),
        ({"minutes": "99999"}, "Saisissez un nombre de minutes"),
        ({"rounds": ["9"]}, "n’existe pas"),
        ({"rounds": ["2; drop"]}, "n’existe pas"),
        ({"accepted": ""}, "Il faut accepter le règlement pour jouer. Cochez la case"),
    ],
)
def test_a_refused_form_comes_back_as_it_was_typed(fields: dict[str, Any], said: str) -> None:
    made, client = scene.tournament(1), Client()
    answer = signed_up(client, made, town="Béhuard-sur-Loire", **fields)
    assert answer.status_code == 409
    assert said in hall.text(answer)
    assert "Béhuard-sur-Loire" in hall.text(answer)
    assert len(hall.event(made).people) == 1


def test_a_namesake_is_asked_whether_he_is_another() -> None:
    made, client = scene.tournament(2), Client()
    answer = signed_up(client, made, name="bastien QUERE")
    assert answer.status_code == 409
    assert "Bastien Quéré" in hall.text(answer)
    assert signed_up(client, made, name="Bastien Quéré", other="1").status_code == 302
    assert len(hall.event(made).people) == 3


@pytest.mark.parametrize("fields", [{"signups": False}, {"over": True}])
def test_closed_is_closed_even_for_a_form_that_was_open(fields: dict[str, bool]) -> None:
    made, client = scene.tournament(1), Client()
    sent = form(client, made)
    hall.changed(made, **fields)
    assert client.post(hall.path(made, "sign_up"), sent).status_code == 409
    assert len(hall.event(made).people) == 1


def test_a_round_that_has_begun_is_not_offered() -> None:
    made = hall.with_round(scene.tournament(1), 2, state=RoundState.DRAFT)
    assert signed_up(Client(), made, rounds=["2"]).status_code == 409


def test_a_flood_from_one_address_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.ATTEMPTS_BY_ADDRESS, "entry", (1, 3600))
    made = scene.tournament(1)
    assert signed_up(Client(), made).status_code == 302
    assert signed_up(Client(), made, name="Another Somebody").status_code == 429


def test_the_link_is_mailed_once_where_the_site_sends_mail(settings: Any) -> None:
    settings.HAS_MAIL, settings.SITE_URL = True, "https://example.org"
    made = scene.tournament(1)
    for at in range(5):
        signed_up(Client(), made, name=f"Numéro {'abcde'[at] * 5}", mail="One@Example.org", other="1")
    sent = list(OutboundEmail.objects.filter(address="one@example.org"))
    assert len(sent) == 3  # anybody may have typed it
    assert (
        f"https://example.org/tournois/{made.key}/entrer/{access_tokens.token_of(made, 2).token}/"
        in sent[0].text
    )
    assert email_sending.send_due_emails(timezone.now()) == 3
    assert {tuple(one.to) for one in mail.outbox} == {("one@example.org",)}


# A link of one's own.


def test_every_door_by_a_link() -> None:
    made = hall.playing(listed=False)
    good = access_tokens.token_of(made, 2).token
    assert Client().get(hall.path(made, "welcome")).status_code == 404
    client = Client()
    link = hall.path(made, "enter", good)
    looked = client.get(link)
    assert looked.status_code == 200
    assert "Je suis Bastien Quéré" in hall.text(looked)
    assert client.get(hall.path(made, "mine")).status_code == 404  # who looks is nobody
    assert client.post(link).status_code == client.get(link).status_code == 302
    assert "Bastien Quéré" in hall.text(client.get(hall.path(made, "mine")))
    assert Client().get(hall.path(made, "enter", "forged")).status_code == 404
    assert Client().get(hall.path(scene.tournament(3), "enter", good)).status_code == 404
    access_tokens.release_person(made, 2)
    assert Client().get(hall.path(made, "enter", good)).status_code == 404
    assert client.get(hall.path(made, "mine")).status_code == 404


def test_a_device_that_is_somebody_is_asked_before_it_is_another() -> None:
    made = hall.playing()
    client, link = hall.phone(made, 1), hall.path(made, "enter", access_tokens.token_of(made, 2).token)
    asked = client.get(link)
    assert asked.status_code == 200
    assert "Agathe Oriol" in hall.text(client.get(hall.path(made, "mine")))
    assert client.post(link).status_code == 302
    assert "Bastien Quéré" in hall.text(client.get(hall.path(made, "mine")))


def test_no_other_site_makes_a_browser_somebody() -> None:
    """A picture of another page may lead here, and a form of it lacks the token."""
    made, strict = hall.playing(), Client(enforce_csrf_checks=True)
    link = hall.path(made, "enter", access_tokens.token_of(made, 2).token)
    strict.get(link)
    assert strict.post(link).status_code == 403
    assert access_tokens.TOKENS_SESSION_KEY not in strict.session


# The room.


def test_the_code_turns_with_the_round_and_who_is_in_stays_in() -> None:
    made, early, late = scene.tournament(5, listed=False), Client(), Client()
    door, first = hall.path(made, "join"), access_tokens.room_code(made)
    assert early.post(door, {"code": first, "person": "3"}).status_code == 302
    made = hall.with_round(made, 2, state=RoundState.OPEN)
    second = access_tokens.room_code(made)
    assert second != first
    assert early.get(hall.path(made, "mine")).status_code == 200
    for answer in (late.get(door, {"code": first}), late.post(door, {"code": first, "person": "4"})):
        assert answer.status_code == 409
        assert "celui d’une ronde précédente" in hall.text(answer)
        assert "Clémence" not in hall.text(answer)
        assert first not in hall.text(answer)
    assert access_tokens.TOKENS_SESSION_KEY not in late.session
    assert late.post(door, {"code": second, "person": "4"}).status_code == 302


def test_a_round_that_is_called_off_brings_no_earlier_code_back() -> None:
    made = hall.with_round(scene.tournament(5), 2, state=RoundState.OPEN)
    second = access_tokens.room_code(made)
    assert access_tokens.room_code(hall.with_round(made, 2, cancelled=True)) == second


def test_an_earlier_code_is_no_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    """A photograph of the screen goes round: two hundred phones with it leave the others their turns."""
    monkeypatch.setitem(settings.ATTEMPTS_BY_ADDRESS, "link", (1, 3600))
    made = scene.tournament(5)
    old = access_tokens.room_code(made)
    made = hall.with_round(made, 2, state=RoundState.OPEN)
    asked = [Client().get(hall.path(made, "join"), {"code": old}).status_code for _ in range(5)]
    assert asked == [409] * 5
    assert Client().get(hall.path(made, "join"), {"code": "GUESS"}).status_code == 409


def test_the_code_of_the_room_makes_a_phone_somebody_who_is_there() -> None:
    made, client = scene.tournament(5, listed=False), Client()
    door, code = hall.path(made, "join"), access_tokens.room_code(made)
    assert client.get(door).status_code == 404
    assert client.get(door, {"code": "WRONG"}).status_code == 404
    listed = hall.text(client.get(door, {"code": code.lower().replace(" ", "-")}))
    assert "Clémence Vidal" in listed
    assert client.post(door, {"code": code, "person": "3"}).status_code == 302
    assert list(hall.event(made).rounds[1].present) == [3]
    assert client.post(door, {"code": code, "person": "4"}).status_code == 302  # he is somebody already
    assert list(hall.event(made).rounds[1].present) == [3]


@pytest.mark.parametrize("person", ["3", "0", "99", "-1", "x", "9" * 30])
def test_nobody_takes_a_name_that_is_taken_or_not_there(person: str) -> None:
    made = scene.tournament(5)
    door, code = hall.path(made, "join"), access_tokens.room_code(made)
    Client().post(door, {"code": code, "person": "3"})
    client = Client()
    assert client.post(door, {"code": code, "person": person}).status_code == 409
    assert access_tokens.TOKENS_SESSION_KEY not in client.session


def test_nobody_takes_the_name_of_who_has_withdrawn() -> None:
    made = scene.tournament(5)
    event_journal.perform_acts(made, [WithdrawPerson(3)], event_journal.JournalActor(scene.director()))
    client = Client()
    sent = {"code": access_tokens.room_code(made), "person": "3"}
    assert client.post(hall.path(made, "join"), sent).status_code == 409
    assert access_tokens.TOKENS_SESSION_KEY not in client.session


def test_nobody_takes_a_name_without_the_code() -> None:
    made, client = scene.tournament(5), Client()
    for code in ("", "AAAA AAAA", "é" * 8):
        answer = client.post(hall.path(made, "join"), {"code": code, "person": "3"})
        assert answer.status_code in (200, 409)
        assert "Clémence" not in hall.text(answer)
    assert hall.event(made).rounds[1].present == {}
    assert not made.passes.exclude(claimed_at=None).exists()


def test_that_is_not_me_gives_the_name_back() -> None:
    made, client = scene.tournament(5), Client()
    door, code = hall.path(made, "join"), access_tokens.room_code(made)
    client.post(door, {"code": code, "person": "3"})
    assert client.post(hall.path(made, "leave")).status_code == 302
    assert hall.event(made).rounds[1].present == {}
    assert client.post(hall.path(made, "leave")).status_code == 302  # twice is once
    assert Client().post(door, {"code": code, "person": "3"}).status_code == 302


def test_codes_are_not_guessed_without_end_and_a_whole_room_has_one_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(settings.ATTEMPTS_BY_ADDRESS, "link", (3, 3600))
    made = scene.tournament(8)
    door, code = hall.path(made, "join"), access_tokens.room_code(made)
    guesses = [Client().get(door, {"code": f"GUESS{at}"}).status_code for at in range(5)]
    assert guesses == [409, 409, 409, 429, 429]
    assert Client().post(door, {"code": "GUESS"}).status_code == 429
    for person in range(1, 9):
        assert Client().post(door, {"code": code, "person": person}).status_code == 302
