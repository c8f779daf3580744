"""News on phones, through a real push service: read by the right device, once, and telling no secret."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from talleyrand.web import crashing
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import audience, seats
from talleyrand.web.games.models import Game, Membership
from talleyrand.web.notices import kinds, outbox
from talleyrand.web.notices.choices import Choices
from talleyrand.web.notices.models import Delivery
from talleyrand.web.push import keys, sending, words
from talleyrand.web.push.models import Device, Push
from tests.web import cast
from tests.web.push.service import AGENT, Browser, Service, claims

pytestmark = pytest.mark.django_db


def registered(client: Client, browser: Browser, agent: str = AGENT) -> str:
    answer = client.post(
        "/nouvelles/appareils/ajouter/",
        json.dumps(browser.subscription()),
        content_type="application/json",
        headers={"User-Agent": agent},
    )
    assert answer.status_code == 200, answer.content
    return str(answer.json()["device"])


def has(name: str, service: Service, device: str = "one") -> Browser:
    browser = service.browser(device)
    registered(cast.client_of(name), browser)
    return browser


def tell(name: str, kind: str = "begun", once: str = "1", **facts: Any) -> None:
    told = {"game": "La table ronde", "variant": "classic", **facts}
    outbox.tell([cast.person(name).pk], kind, told, about="", path="/parties/", once=once)


def test_a_device_reads_what_it_gets(service: Service, settings: Any) -> None:
    settings.ADDRESS = "https://jeu.exemple.org"
    browser = has("Flora", service)
    tell("Flora", "published", phase="S1901M")
    assert sending.send_due() == 1
    (told,) = service.to(browser)
    assert told["title"] == "La table ronde"
    assert told["body"] == "Le résultat est publié\N{NO-BREAK SPACE}: printemps 1901, mouvements."
    assert told["path"] == "/parties/"
    assert b"table" not in service.taken[0].body
    assert Device.objects.get().reached is not None


def test_the_service_knows_who_sends(service: Service, settings: Any) -> None:
    settings.ADDRESS = "https://jeu.exemple.org"
    has("Flora", service)
    tell("Flora")
    sending.send_due()
    (message,) = service.taken
    told = claims(message, keys.public())
    assert told["aud"] == service.address
    assert told["sub"] == "https://jeu.exemple.org"
    assert 0 < told["exp"] - time.time() <= 24 * 3600
    assert message.headers["content-encoding"] == "aes128gcm"
    assert 0 < int(message.headers["ttl"]) <= 24 * 3600
    assert len(message.headers["topic"]) <= 32


def test_in_the_language_and_zone_of_the_reader(service: Service) -> None:
    browser = has("Flora", service)
    Person.objects.filter(name="Flora").update(language="en", zone="America/Toronto")
    soon = (timezone.now() + timedelta(days=400)).replace(month=1, day=2, hour=20, minute=0).isoformat()
    tell("Flora", "due_soon", due=soon, phase="S1901M")
    sending.send_due()
    (told,) = service.to(browser)
    assert "Orders are due by" in told["body"]
    assert "15:00 (Toronto" in told["body"]
    assert told["path"] == "/en/games/"


SECRETS = {
    "power": "FRANCE",
    "powers": ["FRANCE", "GERMANY"],
    "reason": "Flora a avoué",
    "result": "solo",
    "outcome": "accepted",
    "misfit": "yes",
    "due": "2999-01-01T10:00:00+00:00",
    "phase": "S1901M",
    "count": 3,
}
NEVER = ("France", "Allemagne", "Flora", "avoué")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_locked_screen_tells_no_secret(language: str) -> None:
    """Whatever the kind of news, and whatever it knows."""
    flora = cast.person("Flora")
    for kind in kinds.KINDS:
        tell("Flora", kind, once=kind, **SECRETS)
    with override(language):
        told = {one.kind: json.loads(words.payload(Push(pk=1, notice=one))) for one in flora.notices.all()}
    assert told.keys() == kinds.KINDS.keys()
    for one in told.values():
        assert [word for word in (*NEVER, "Germany") if word in one["body"]] == []
        assert one["title"] == "La table ronde"
        assert one["body"] not in ("", str(kinds.SOMETHING))


def test_every_device_is_told_once(service: Service) -> None:
    """A second device does not take the place of the first."""
    first, second = has("Flora", service, "one"), has("Flora", service, "two")
    for _ in range(3):
        tell("Flora")
        sending.send_due()
    assert len(service.to(first)) == len(service.to(second)) == 1


def test_only_whoever_is_concerned_is_told(service: Service) -> None:
    flora, gaspard = has("Flora", service, "one"), has("Gaspard", service, "two")
    tell("Gaspard")
    sending.send_due()
    assert service.to(flora) == []
    assert len(service.to(gaspard)) == 1


def test_without_a_device_nothing_is_due(service: Service) -> None:
    tell("Flora")
    assert not Delivery.objects.exists()
    has("Flora", service)
    assert sending.send_due() == 0


@pytest.mark.parametrize("later", [False, True])
def test_what_one_does_not_want_stays(service: Service, later: bool) -> None:
    browser = has("Flora", service)
    if later:
        tell("Flora")
    Choices.read({"phases": {"push": "no"}}).keep(cast.person("Flora"))
    tell("Flora", once="2")
    sending.send_due()
    assert service.to(browser) == []


def test_what_was_read_on_the_site_stays(service: Service) -> None:
    browser = has("Flora", service)
    tell("Flora")
    outbox.mark_read(cast.person("Flora"))
    assert sending.send_due() == 0
    assert service.to(browser) == []


@pytest.mark.parametrize("kind", ["due_soon", "missing"])
def test_a_reminder_of_what_is_over_stays(service: Service, kind: str) -> None:
    has("Flora", service)
    tell("Flora", kind, due=(timezone.now() - timedelta(minutes=1)).isoformat())
    sending.send_due()
    assert service.taken == []
    assert Push.objects.get().dropped == "stale"


# games


@pytest.fixture
def game() -> Game:
    return cast.table(anonymity="until_end")


def test_whoever_was_replaced_is_told_nothing(service: Service, game: Game) -> None:
    browser = has("Flora", service)
    audience.tell(game, [cast.person("Flora").pk], "letter", "1", power="GERMANY")
    seats.vacate(game, "FRANCE")
    Membership.objects.filter(game=game, person=cast.person("Flora")).update(left=timezone.now())
    sending.send_due()
    assert service.to(browser) == []


def test_the_alarms_are_for_administrators(service: Service) -> None:
    browser = has("Flora", service)
    Person.objects.filter(name="Flora").update(is_administrator=True)
    tell("Flora", "alarm_phases", count=3)
    sending.send_due()
    assert "retard" in service.to(browser)[0]["body"]
    tell("Flora", "alarm_phases", once="2")
    Person.objects.filter(name="Flora").update(is_administrator=False)
    sending.send_due()
    assert len(service.taken) == 1


# services that do not take it


@pytest.mark.parametrize("status", [410, 403])
def test_a_subscription_that_is_over_is_forgotten(service: Service, status: int) -> None:
    has("Flora", service)
    service.answers = [status]
    tell("Flora")
    assert sending.send_due() == 0
    assert not Device.objects.exists()


@pytest.mark.parametrize("status", [503, 429])
def test_what_was_not_taken_is_sent_again(service: Service, status: int) -> None:
    browser, now = has("Flora", service), timezone.now()
    service.answers = [status, status]
    tell("Flora")
    begun = timezone.now()
    assert sending.send_due(begun) == 0
    assert sending.send_due(begun + timedelta(seconds=10)) == 0
    assert len(service.taken) == 1
    assert sending.send_due(begun + timedelta(minutes=1)) == 0
    assert sending.send_due(begun + timedelta(minutes=5)) == 1
    assert len(service.to(browser)) == 3
    assert {one["tag"] for one in service.to(browser)} == {service.to(browser)[0]["tag"]}
    assert now < begun


def test_it_is_given_up_within_a_day(service: Service) -> None:
    has("Flora", service)
    service.answers = [503] * 100
    tell("Flora")
    begun = timezone.now()
    for hour in range(30):
        sending.send_due(begun + timedelta(hours=hour))
    assert 3 <= len(service.taken) <= len(sending.PAUSES) + 1
    assert Push.objects.get().dropped


@pytest.mark.parametrize("status", [400, 413])
def test_what_is_refused_for_good_is_dropped_alone(service: Service, status: int) -> None:
    browser = has("Flora", service)
    service.answers = [status]
    tell("Flora")
    sending.send_due()
    tell("Flora", once="2")
    assert sending.send_due() == 1
    assert len(service.to(browser)) == 2


@pytest.mark.parametrize("status", [302, 307])
def test_nobody_is_followed_elsewhere(service: Service, status: int) -> None:
    has("Flora", service)
    service.answers, service.elsewhere = [status], f"{service.address}/elsewhere"
    tell("Flora")
    assert sending.send_due() == 0
    assert [one.path for one in service.taken] == ["/one"]


def test_a_service_out_of_reach_costs_nothing(service: Service) -> None:
    browser = has("Flora", service)
    Device.objects.update(endpoint="http://127.0.0.1:9/gone")
    tell("Flora")
    assert sending.send_due() == 0
    Device.objects.update(endpoint=browser.endpoint)
    assert sending.send_due(timezone.now() + timedelta(minutes=1)) == 1


# crashes


class Dying(BaseException):
    pass


POINTS = {
    "push: rows written": 1,
    "push: news gathered, not committed": 1,
    "push: claimed": 1,
    "push: noted": 1,
    # killed between the answer and our note of it: sent again, under the same tag
    "push: answered, not noted": 2,
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", POINTS)
def test_whoever_dies_loses_nothing(service: Service, name: str) -> None:
    browser = has("Flora", service)
    tell("Flora")
    begun = timezone.now()
    passed: list[str] = []

    def die(point: str) -> None:
        if point == name and not passed:
            passed.append(point)
            raise Dying

    with crashing.telling(die), pytest.raises(Dying):
        sending.send_due(begun)
    assert passed == [name]
    for minutes in (0, 5, 10):
        sending.send_due(begun + timedelta(minutes=minutes))
    found = service.to(browser)
    assert len(found) == POINTS[name]
    assert len({one["tag"] for one in found}) == 1
    assert Push.objects.get().sent is not None


def test_two_senders_share_the_work(service: Service) -> None:
    has("Flora", service)
    tell("Flora")
    now = timezone.now()
    sending.gather(now)
    first, second = sending.Sender(now), sending.Sender(now)
    assert len(first._claim()) == 1
    assert second._claim() == []
    assert sending.send_due(now + sending.CLAIM + timedelta(seconds=1)) == 1


def test_what_is_over_is_deleted(service: Service) -> None:
    has("Flora", service)
    tell("Flora")
    sending.send_due()
    assert sending.prune(timezone.now()) == 0
    assert sending.prune(timezone.now() + timedelta(days=8)) == 1
    assert Device.objects.count() == 1


def test_mail_is_not_touched(service: Service) -> None:
    has("Flora", service)
    EmailAddress.objects.create(user=cast.person("Flora"), email="f@example.org", verified=True)
    tell("Flora")
    sending.send_due()
    assert [one.channel for one in Delivery.objects.filter(sent=None)] == ["mail"]
