"""Whether somebody has an account is told by no answer, and by no work done for it."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import hashers
from django.core import mail
from django.test import Client

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import GameRole, Invitation
from tests.web import cast
from tests.web.accounts.doors import PASSWORD, plain, sign_in, sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
KNOWN, UNKNOWN = "flora@exemple.fr", "nemo1@exemple.fr"  # of one length: an answer repeats them

TIMES = 3


@pytest.fixture(autouse=True)
def flora() -> Person:
    person = Person.objects.create_user("Flora", PASSWORD, email=KNOWN)
    EmailAddress.objects.create(user=person, email=KNOWN, verified=True, primary=True)
    return person


def told(answer: Any) -> tuple[int, str, str]:
    text = re.sub(r'data-topics="[^"]*"', "", plain(answer))  # signed with the hour
    for given in (KNOWN, UNKNOWN, "Flora", "Nemo1"):
        text = text.replace(given, "…")
    return answer.status_code, answer.headers.get("Location", ""), text


Ask = Callable[[str], Any]
# Each form that takes a name or an address, with one that is known and one that is not.
QUESTIONS: dict[str, tuple[str, str, Ask]] = {
    "a name, another's password": ("Flora", "Nemo1", lambda who: sign_in(Client(), who, "un mauvais mot")),
    "an address, another's password": (KNOWN, UNKNOWN, lambda who: sign_in(Client(), who, "un mauvais mot")),
    "a lost password": (
        KNOWN,
        UNKNOWN,
        lambda who: Client().post("/compte/mot-de-passe/perdu/", {"email": who}),
    ),
    "a code by mail": (KNOWN, UNKNOWN, lambda who: Client().post("/compte/code/", {"email": who})),
    "a new account": (KNOWN, UNKNOWN, lambda who: sign_up(Client(), "Gaspard", email=who)),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_known_and_unknown_are_answered_alike(question: str) -> None:
    known, unknown, ask = QUESTIONS[question]
    first = told(ask(known))
    Person.objects.filter(name="Gaspard").delete()
    assert first == told(ask(unknown))


@pytest.mark.parametrize("question", ["a lost password", "a code by mail"])
def test_a_mail_leaves_for_both(question: str) -> None:
    """What happens to the one who is known is not seen in how long the answer took."""
    known, unknown, ask = QUESTIONS[question]
    for who in (known, unknown):
        ask(who)
    assert [message.to for message in mail.outbox] == [[known], [unknown]]


@pytest.mark.parametrize("question", list(QUESTIONS)[:2])
def test_as_much_work_is_done_for_both(question: str, settings: Any, record_property: Any) -> None:
    """A password is hashed as often for an account that there is not: once, as it is dear."""
    settings.PASSWORD_HASHERS = ["tests.web.security.counting.Counting"]
    from tests.web.security.counting import Counting

    Person.objects.get().set_password(PASSWORD)
    person = Person.objects.get()
    person.set_password(PASSWORD)
    person.save()
    known, unknown, ask = QUESTIONS[question]
    done, took = {}, {}
    for who in (known, unknown):
        Counting.done = 0
        took[who] = statistics.median(timed(ask, who) for _ in range(TIMES))
        done[who] = Counting.done
    assert done[known] == done[unknown] == TIMES * Counting.iterations
    record_property("ratio", f"security: {question}: known/unknown took {took[known] / took[unknown]:.2f}")


def timed(ask: Ask, who: str) -> float:
    begun = time.perf_counter()
    ask(who)
    return time.perf_counter() - begun


def test_the_address_of_another_account_is_not_told_by_one_s_own_page() -> None:
    """Adding an address that somebody has looks like adding one that nobody has."""
    pages = []
    for address in (KNOWN, UNKNOWN):
        client = cast.client_of("Gaspard")
        client.post("/compte/encore/", {"password": "un mot de passe assez long"})
        answer = client.post("/compte/adresses/", {"action_add": "1", "email": address})
        page = client.get("/compte/adresses/")
        pages.append((told(answer), told(page)))
        EmailAddress.objects.filter(user__name="Gaspard").delete()
    assert pages[0] == pages[1]


@pytest.mark.parametrize(
    "path",
    [
        "/compte/lien/{}/",
        "/parties/invitation/{}/",
        "/parties/calendrier/{}.ics",
        "/parties/{}/",
        "/p/{}/",
        "/s/{}/",
    ],
)
def test_what_was_never_given_is_not_found(path: str) -> None:
    game = cast.table()
    Invitation.objects.create(game=game, token="zz-used-up", role=GameRole.OBSERVER).delete()
    asked = ("zz-used-up", "zz-never-was", "1-" + "0" * 40, "é", "a" * 2000)
    assert {Client().get(path.format(one)).status_code for one in asked} == {404}


def test_tokens_are_long_enough(settings: Any) -> None:
    """128 bits and more in what opens a door without an account; a calendar's is signed."""
    from talleyrand.web.accounts import one_time_links
    from talleyrand.web.games.deadlines import calendar_feed

    game = cast.table()
    token = Invitation.objects.create(game=game, role=GameRole.OBSERVER).token
    assert len(token) >= 22
    assert len(one_time_links.make_link(one_time_links.Kind.ACCOUNT, "one")) >= 32
    assert len(calendar_feed.feed_token(cast.person("Flora")).partition("-")[2]) == 40
    settings.SECRET_KEY = "another" * 8
    assert calendar_feed.person_of_feed_token(calendar_feed.feed_token(cast.person("Flora"))) is not None
    assert hashers.make_password(None).startswith("!")
