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

from talleyrand.web.accounts.models import Person
from talleyrand.web.claims import Sweep
from talleyrand.web.common import failpoints
from talleyrand.web.games import power_assignments, recipients
from talleyrand.web.games.models import Game, GameMembership
from talleyrand.web.notifications import notification_kinds, outbox
from talleyrand.web.notifications.models import NotificationDelivery
from talleyrand.web.notifications.preferences import NotificationPreferences
from talleyrand.web.push import push_payload, push_sending, vapid_keys
from talleyrand.web.push.models import PushDevice, PushMessage
from tests.web import cast
from tests.web.push.service import AGENT, Browser, Service, claims

pytestmark = pytest.mark.django_db


def registered(client: Client, browser: Browser, agent: str = AGENT) -> str:
    answer = client.post(
        "/notifications/appareils/ajouter/",
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
    outbox.notify([cast.person(name).pk], kind, told, about="", path="/parties/", once=once)


def test_a_device_reads_what_it_gets(service: Service, settings: Any) -> None:
    settings.SITE_URL = "https://jeu.exemple.org"
    browser = has("Flora", service)
    tell("Flora", "published", phase="S1901M")
    assert push_sending.send_due_pushes() == 1
    (told,) = service.to(browser)
    assert told["title"] == "La table ronde"
    assert told["body"] == "Les résultats sont là\u00a0: printemps 1901, mouvements."
    assert told["path"] == "/parties/"
    assert b"table" not in service.taken[0].body
    assert PushDevice.objects.get().last_delivered_at is not None


def test_the_service_knows_who_sends(service: Service, settings: Any) -> None:
    settings.SITE_URL = "https://jeu.exemple.org"
    has("Flora", service)
    tell("Flora")
    push_sending.send_due_pushes()
    (message,) = service.taken
    told = claims(message, vapid_keys.public_key())
    assert told["aud"] == service.address
    assert told["sub"] == "https://jeu.exemple.org"
    assert 0 < told["exp"] - time.time() <= 24 * 3600
    assert message.headers["content-encoding"] == "aes128gcm"
    assert 0 < int(message.headers["ttl"]) <= 24 * 3600
    assert len(message.headers["topic"]) <= 32


def test_in_the_language_and_zone_of_the_reader(service: Service) -> None:
    browser = has("Flora", service)
    Person.objects.filter(name="Flora").update(language="en", time_zone="America/Toronto")
    soon = (timezone.now() + timedelta(days=400)).replace(month=1, day=2, hour=20, minute=0).isoformat()
    tell("Flora", "due_soon", due=soon, phase="S1901M")
    push_sending.send_due_pushes()
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
    for kind in notification_kinds.KINDS:
        tell("Flora", kind, once=kind, **SECRETS)
    with override(language):
        told = {
            one.kind: json.loads(push_payload.push_payload(PushMessage(pk=1, notification=one)))
            for one in flora.notices.all()
        }
    assert told.keys() == notification_kinds.KINDS.keys()
    for one in told.values():
        assert [word for word in (*NEVER, "Germany") if word in one["body"]] == []
        assert one["title"] == "La table ronde"
        assert one["body"] not in ("", str(notification_kinds.SOMETHING))


def test_every_device_is_told_once(service: Service) -> None:
    """A second device does not take the place of the first."""
    first, second = has("Flora", service, "one"), has("Flora", service, "two")
    for _ in range(3):
        tell("Flora")
        push_sending.send_due_pushes()
    assert len(service.to(first)) == len(service.to(second)) == 1


def test_only_whoever_is_concerned_is_told(service: Service) -> None:
    flora, gaspard = has("Flora", service, "one"), has("Gaspard", service, "two")
    tell("Gaspard")
    push_sending.send_due_pushes()
    assert service.to(flora) == []
    assert len(service.to(gaspard)) == 1


def test_without_a_device_nothing_is_due(service: Service) -> None:
    tell("Flora")
    assert not NotificationDelivery.objects.exists()
    has("Flora", service)
    assert push_sending.send_due_pushes() == 0


@pytest.mark.parametrize("later", [False, True])
def test_what_one_does_not_want_stays(service: Service, later: bool) -> None:
    browser = has("Flora", service)
    if later:
        tell("Flora")
    NotificationPreferences.from_json({"phases": {"push": "no"}}).save(cast.person("Flora"))
    tell("Flora", once="2")
    push_sending.send_due_pushes()
    assert service.to(browser) == []


def test_what_was_read_on_the_site_stays(service: Service) -> None:
    browser = has("Flora", service)
    tell("Flora")
    outbox.mark_read(cast.person("Flora"))
    assert push_sending.send_due_pushes() == 0
    assert service.to(browser) == []


@pytest.mark.parametrize("kind", ["due_soon", "missing"])
def test_a_reminder_of_what_is_over_stays(service: Service, kind: str) -> None:
    has("Flora", service)
    tell("Flora", kind, due=(timezone.now() - timedelta(minutes=1)).isoformat())
    push_sending.send_due_pushes()
    assert service.taken == []
    assert PushMessage.objects.get().drop_reason == "stale"


# games


@pytest.fixture
def game() -> Game:
    return cast.table(anonymity="until_end")


def test_whoever_was_replaced_is_told_nothing(service: Service, game: Game) -> None:
    browser = has("Flora", service)
    recipients.notify_about_game(game, [cast.person("Flora").pk], "letter", "1", power="GERMANY")
    power_assignments.end_assignment(game, "FRANCE")
    GameMembership.objects.filter(game=game, person=cast.person("Flora")).update(left_at=timezone.now())
    push_sending.send_due_pushes()
    assert service.to(browser) == []


def test_the_alarms_are_for_administrators(service: Service) -> None:
    browser = has("Flora", service)
    Person.objects.filter(name="Flora").update(is_administrator=True)
    tell("Flora", "alarm_phases", count=3)
    push_sending.send_due_pushes()
    assert "retard" in service.to(browser)[0]["body"]
    tell("Flora", "alarm_phases", once="2")
    Person.objects.filter(name="Flora").update(is_administrator=False)
    push_sending.send_due_pushes()
    assert len(service.taken) == 1


# services that do not take it


@pytest.mark.parametrize("status", [410, 403])
def test_a_subscription_that_is_over_is_forgotten(service: Service, status: int) -> None:
    has("Flora", service)
    service.answers = [status]
    tell("Flora")
    assert push_sending.send_due_pushes() == 0
    assert not PushDevice.objects.exists()


@pytest.mark.parametrize("status", [503, 429])
def test_what_was_not_taken_is_sent_again(service: Service, status: int) -> None:
    browser, now = has("Flora", service), timezone.now()
    service.answers = [status, status]
    tell("Flora")
    begun = timezone.now()
    assert push_sending.send_due_pushes(begun) == 0
    assert push_sending.send_due_pushes(begun + timedelta(seconds=10)) == 0
    assert len(service.taken) == 1
    assert push_sending.send_due_pushes(begun + timedelta(minutes=1)) == 0
    assert push_sending.send_due_pushes(begun + timedelta(minutes=5)) == 1
    assert len(service.to(browser)) == 3
    assert {one["tag"] for one in service.to(browser)} == {service.to(browser)[0]["tag"]}
    assert now < begun


def test_it_is_given_up_within_a_day(service: Service) -> None:
    has("Flora", service)
    service.answers = [503] * 100
    tell("Flora")
    begun = timezone.now()
    for hour in range(30):
        push_sending.send_due_pushes(begun + timedelta(hours=hour))
    assert 3 <= len(service.taken) <= len(push_sending.PAUSES) + 1
    assert PushMessage.objects.get().drop_reason


@pytest.mark.parametrize("status", [400, 413])
def test_what_is_refused_for_good_is_dropped_alone(service: Service, status: int) -> None:
    browser = has("Flora", service)
    service.answers = [status]
    tell("Flora")
    push_sending.send_due_pushes()
    tell("Flora", once="2")
    assert push_sending.send_due_pushes() == 1
    assert len(service.to(browser)) == 2


@pytest.mark.parametrize("status", [302, 307])
def test_nobody_is_followed_elsewhere(service: Service, status: int) -> None:
    has("Flora", service)
    service.answers, service.elsewhere = [status], f"{service.address}/elsewhere"
    tell("Flora")
    assert push_sending.send_due_pushes() == 0
    assert [one.path for one in service.taken] == ["/one"]


def test_a_service_out_of_reach_costs_nothing(service: Service) -> None:
    browser = has("Flora", service)
    PushDevice.objects.update(endpoint="http://127.0.0.1:9/gone")
    tell("Flora")
    assert push_sending.send_due_pushes() == 0
    PushDevice.objects.update(endpoint=browser.endpoint)
    assert push_sending.send_due_pushes(timezone.now() + timedelta(minutes=1)) == 1


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

    with failpoints.observe_failpoints(die), pytest.raises(Dying):
        push_sending.send_due_pushes(begun)
    assert passed == [name]
    for minutes in (0, 5, 10):
        push_sending.send_due_pushes(begun + timedelta(minutes=minutes))
    found = service.to(browser)
    assert len(found) == POINTS[name]
    assert len({one["tag"] for one in found}) == 1
    assert PushMessage.objects.get().sent_at is not None


def test_two_senders_share_the_work(service: Service) -> None:
    has("Flora", service)
    tell("Flora")
    now = timezone.now()
    push_sending.create_pushes(now)
    first, second = Sweep(push_sending.QUEUE, now), Sweep(push_sending.QUEUE, now)
    assert len(first.claim_next()) == 1
    assert second.claim_next() == []
    assert push_sending.send_due_pushes(now + push_sending.CLAIM + timedelta(seconds=1)) == 1


def test_what_is_over_is_deleted(service: Service) -> None:
    has("Flora", service)
    tell("Flora")
    push_sending.send_due_pushes()
    assert push_sending.prune_pushes(timezone.now()) == 0
    assert push_sending.prune_pushes(timezone.now() + timedelta(days=8)) == 1
    assert PushDevice.objects.count() == 1


def test_mail_is_not_touched(service: Service) -> None:
    has("Flora", service)
    EmailAddress.objects.create(user=cast.person("Flora"), email="f@example.org", verified=True)
    tell("Flora")
    push_sending.send_due_pushes()
    assert [one.channel for one in NotificationDelivery.objects.filter(sent_at=None)] == ["mail"]
