"""What goes wrong is told to the administrators once, for as long as it lasts."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone, translation

from talleyrand.web.games import game_lifecycle
from talleyrand.web.games.models import Game, Heartbeat
from talleyrand.web.mail.models import OutboundEmail
from talleyrand.web.mail.outbound import notification_digests
from talleyrand.web.monitoring import alarms, health_checks, monitor
from talleyrand.web.monitoring.models import Alarm
from talleyrand.web.notifications import notification_kinds, notification_sentences
from talleyrand.web.notifications.models import Notification
from tests.web.cast import MASTER, person, table
from tests.web.mail.correspondents import correspond

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("chief", "beating")]
MINUTE, LATE = timedelta(minutes=1), timedelta(minutes=6)


@pytest.fixture
def now() -> datetime:
    return timezone.now()


def look(now: datetime) -> None:
    """As a minute later, the clock still running."""
    Heartbeat.objects.update(last_seen_at=now)
    alarms.update_alarms(health_checks.check_health(now), now)


def told() -> list[str]:
    news = Notification.objects.filter(kind__startswith="alarm_").order_by("pk")
    return [
        f"{one.person}: {notification_sentences.notification_sentence(one.kind, one.facts)}" for one in news
    ]


def test_nothing_is_told_of_a_site_that_is_well(game: Game, now: datetime) -> None:
    look(now)
    assert (told(), Alarm.objects.count()) == ([], 0)


def test_phases_that_are_late_are_told_once(game: Game, now: datetime) -> None:
    Game.objects.filter(pk=game.pk).update(next_check_at=now - LATE)
    for minute in range(5):
        look(now + minute * MINUTE)
    assert told() == ["Adèle: Des phases ont plus de cinq minutes de retard. Parties\u00a0: 1."]


def test_what_comes_back_within_the_hour_is_the_same(game: Game, now: datetime) -> None:
    late, well = {"next_check_at": now - LATE}, {"next_check_at": now + timedelta(days=9)}
    for minute, dates in enumerate([late, well, late, well]):
        Game.objects.filter(pk=game.pk).update(**dates)
        look(now + minute * MINUTE)
    assert (len(told()), Alarm.objects.get().ended_at) == (1, now + 3 * MINUTE)
    Game.objects.filter(pk=game.pk).update(**late)
    look(now + 65 * MINUTE)
    assert (len(told()), Alarm.objects.count()) == (2, 2)


def test_each_game_that_stops_is_told(game: Game, now: datetime) -> None:
    game_lifecycle.park_game(game, game_lifecycle.SITE_FAULT)
    look(now)
    look(now + MINUTE)
    other = table()
    game_lifecycle.park_game(other, game_lifecycle.SITE_FAULT)
    look(now + 2 * MINUTE)
    Game.objects.filter(pk=game.pk).update(adjudication_error="")
    look(now + 3 * MINUTE)
    Game.objects.filter(pk=game.pk).update(adjudication_error="fault")
    look(now + 4 * MINUTE)
    assert [line[-2:] for line in told()] == ["1.", "2.", "2."]
    Game.objects.update(adjudication_error="", next_check_at=now + timedelta(days=9))
    look(now + 5 * MINUTE)
    assert Alarm.objects.get().ended_at is not None


def test_a_clock_that_stands_still(now: datetime) -> None:
    Heartbeat.objects.update(last_seen_at=now - LATE)
    alarms.update_alarms(health_checks.check_health(now), now)
    assert told() == [
        "Adèle: Aucune horloge ne s’est signalée depuis deux minutes\u00a0: aucune phase n’est résolue."
    ]


def test_only_who_runs_the_site_is_told(game: Game, now: datetime) -> None:
    game_lifecycle.park_game(game, game_lifecycle.SITE_FAULT)
    look(now)
    assert {one.split(":")[0] for one in told()} == {"Adèle"}
    facts = Notification.objects.get(kind="alarm_parked").facts
    assert facts == {"game": "Talleyrand", "count": 1}
    assert not Notification.objects.filter(kind__startswith="alarm_", person=person(MASTER)).exists()


def test_a_database_that_is_away_tells_nobody(now: datetime) -> None:
    away = health_checks.Health(
        {"database": health_checks.FAILING, "clock": health_checks.UNKNOWN, "disk": health_checks.OK}
    )
    assert alarms.update_alarms(away, now) == 0


def test_every_alarm_has_words_in_both_languages() -> None:
    for language in ("fr", "en"):
        with translation.override(language):
            found = {
                notification_sentences.notification_sentence(f"alarm_{kind}", facts)
                for kind in (*alarms.CHECKED, *alarms.COUNTED)
                for facts in ({"count": 2}, {})
            }
        assert str(notification_kinds.SOMETHING) not in found
        assert len(found) == 9


def test_the_page_of_news_leads_to_the_page_of_health(chief: Client, game: Game, now: datetime) -> None:
    game_lifecycle.park_game(game, game_lifecycle.SITE_FAULT)
    look(now)
    text = chief.get("/notifications/").content.decode()
    assert "/administration/etat/" in text
    assert "Talleyrand" in text
    page = chief.get("/administration/etat/").content.decode()
    assert "Une partie s’est arrêtée parce qu’une phase a échoué." in page
    assert not Notification.objects.filter(kind="alarm_parked", read_at=None).exists()


@pytest.mark.usefixtures("by_post")
def test_by_mail_to_who_has_an_address(game: Game, now: datetime) -> None:
    correspond("Adèle")
    game_lifecycle.park_game(game, game_lifecycle.SITE_FAULT)
    look(now)
    notification_digests.queue_digests(timezone.now())
    mail = OutboundEmail.objects.get(person=person("Adèle"))
    assert "Une phase a échoué" in mail.text
    assert "/administration/etat/" in mail.text
    assert "Talleyrand" in mail.subject
    assert game.name not in mail.text + mail.subject


@pytest.mark.django_db(transaction=True)
def test_several_watches_tell_once(game: Game, now: datetime) -> None:
    Game.objects.filter(pk=game.pk).update(next_check_at=now - LATE)
    health, failed = health_checks.check_health(now), []

    def settle() -> None:
        try:
            alarms.update_alarms(health, now)
        except Exception as problem:  # noqa: BLE001 told below
            failed.append(problem)
        finally:
            connection.close()

    watches = [threading.Thread(target=settle) for _ in range(4)]
    for one in watches:
        one.start()
    for one in watches:
        one.join()
    assert (failed, Alarm.objects.count(), len(told())) == ([], 1, 1)


def test_a_watch_that_stumbles_goes_on(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    stop, seen = threading.Event(), []

    def stumble(_health: Any, _now: datetime) -> None:
        seen.append(1)
        stop.set() if len(seen) == 2 else None
        raise RuntimeError

    monkeypatch.setattr(alarms, "update_alarms", stumble)
    monkeypatch.setattr("talleyrand.web.background.periodic_runner.connection.close", lambda: None)
    monitor.run_monitor(stop, 0.01)
    assert len(seen) == 2
    assert "the watch stumbled" in caplog.text
