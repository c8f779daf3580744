"""What goes wrong is told to the administrators once, for as long as it lasts."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone, translation

from talleyrand.web.games import running
from talleyrand.web.games.models import Beat, Game
from talleyrand.web.mail.models import Departure
from talleyrand.web.mail.outgoing import digests
from talleyrand.web.notices import kinds, wording
from talleyrand.web.notices.models import Notice
from talleyrand.web.watching import alarms, checks, rounds
from talleyrand.web.watching.models import Alarm
from tests.web.cast import MASTER, person, table
from tests.web.mail.correspondents import correspond

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("chief", "beating")]
MINUTE, LATE = timedelta(minutes=1), timedelta(minutes=6)


@pytest.fixture
def now() -> datetime:
    return timezone.now()


def look(now: datetime) -> None:
    """As a minute later, the clock still running."""
    Beat.objects.update(at=now)
    alarms.settle(checks.look(now), now)


def told() -> list[str]:
    news = Notice.objects.filter(kind__startswith="alarm_").order_by("pk")
    return [f"{one.person}: {wording.sentence(one.kind, one.facts)}" for one in news]


def test_nothing_is_told_of_a_site_that_is_well(game: Game, now: datetime) -> None:
    look(now)
    assert (told(), Alarm.objects.count()) == ([], 0)


def test_phases_that_are_late_are_told_once(game: Game, now: datetime) -> None:
    Game.objects.filter(pk=game.pk).update(sweep=now - LATE)
    for minute in range(5):
        look(now + minute * MINUTE)
    assert told() == ["Adèle: Des phases ont plus de cinq minutes de retard. Parties\u00a0: 1."]


def test_what_comes_back_within_the_hour_is_the_same(game: Game, now: datetime) -> None:
    late, well = {"sweep": now - LATE}, {"sweep": now + timedelta(days=9)}
    for minute, dates in enumerate([late, well, late, well]):
        Game.objects.filter(pk=game.pk).update(**dates)
        look(now + minute * MINUTE)
    assert (len(told()), Alarm.objects.get().until) == (1, now + 3 * MINUTE)
    Game.objects.filter(pk=game.pk).update(**late)
    look(now + 65 * MINUTE)
    assert (len(told()), Alarm.objects.count()) == (2, 2)


def test_each_game_that_stops_is_told(game: Game, now: datetime) -> None:
    running.park(game, running.FAULT)
    look(now)
    look(now + MINUTE)
    other = table()
    running.park(other, running.FAULT)
    look(now + 2 * MINUTE)
    Game.objects.filter(pk=game.pk).update(trouble="")
    look(now + 3 * MINUTE)
    Game.objects.filter(pk=game.pk).update(trouble="fault")
    look(now + 4 * MINUTE)
    assert [line[-2:] for line in told()] == ["1.", "2.", "2."]
    Game.objects.update(trouble="", sweep=now + timedelta(days=9))
    look(now + 5 * MINUTE)
    assert Alarm.objects.get().until is not None


def test_a_clock_that_stands_still(now: datetime) -> None:
    Beat.objects.update(at=now - LATE)
    alarms.settle(checks.look(now), now)
    assert told() == [
        "Adèle: Aucune horloge ne s’est signalée depuis deux minutes\u00a0: aucune phase n’est publiée."
    ]


def test_only_who_runs_the_site_is_told(game: Game, now: datetime) -> None:
    running.park(game, running.FAULT)
    look(now)
    assert {one.split(":")[0] for one in told()} == {"Adèle"}
    facts = Notice.objects.get(kind="alarm_parked").facts
    assert facts == {"game": "Talleyrand", "count": 1}
    assert not Notice.objects.filter(kind__startswith="alarm_", person=person(MASTER)).exists()


def test_a_database_that_is_away_tells_nobody(now: datetime) -> None:
    away = checks.Health({"database": checks.FAILING, "clock": checks.UNKNOWN, "disk": checks.OK})
    assert alarms.settle(away, now) == 0


def test_every_alarm_has_words_in_both_languages() -> None:
    for language in ("fr", "en"):
        with translation.override(language):
            found = {
                wording.sentence(f"alarm_{kind}", facts)
                for kind in (*alarms.CHECKED, *alarms.COUNTED)
                for facts in ({"count": 2}, {})
            }
        assert str(kinds.SOMETHING) not in found
        assert len(found) == 9


def test_the_page_of_news_leads_to_the_page_of_health(chief: Client, game: Game, now: datetime) -> None:
    running.park(game, running.FAULT)
    look(now)
    text = chief.get("/nouvelles/").content.decode()
    assert "/administration/veille/" in text
    assert "Talleyrand" in text
    page = chief.get("/administration/veille/").content.decode()
    assert "Une partie s’est arrêtée parce qu’une phase a échoué." in page
    assert not Notice.objects.filter(kind="alarm_parked", read=None).exists()


@pytest.mark.usefixtures("by_post")
def test_by_mail_to_who_has_an_address(game: Game, now: datetime) -> None:
    correspond("Adèle")
    running.park(game, running.FAULT)
    look(now)
    digests.gather(timezone.now())
    mail = Departure.objects.get(person=person("Adèle"))
    assert "Une phase a échoué" in mail.text
    assert "/administration/veille/" in mail.text
    assert "Talleyrand" in mail.subject
    assert game.name not in mail.text + mail.subject


@pytest.mark.django_db(transaction=True)
def test_several_watches_tell_once(game: Game, now: datetime) -> None:
    Game.objects.filter(pk=game.pk).update(sweep=now - LATE)
    health, failed = checks.look(now), []

    def settle() -> None:
        try:
            alarms.settle(health, now)
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

    monkeypatch.setattr(alarms, "settle", stumble)
    monkeypatch.setattr("talleyrand.web.watching.rounds.connection.close", lambda: None)
    rounds.run(stop, 0.01)
    assert len(seen) == 2
    assert "the watch stumbled" in caplog.text
