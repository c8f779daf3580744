"""What has had its time is deleted, and nothing before."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import one_time_links
from talleyrand.web.accounts.models import OneTimeLink
from talleyrand.web.monitoring import monitor, retention
from talleyrand.web.monitoring.models import Alarm, ClockSweep
from talleyrand.web.notifications import outbox
from talleyrand.web.notifications.models import Notification
from talleyrand.web.practice.models import PracticeBotTask, PracticeGame, PracticeTurn
from tests.web.cast import person
from tests.web.conftest import begin

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def old(now: datetime) -> PracticeGame:
    """A game that nobody has opened for forty days."""
    return aged(begin(), now - 40 * DAY)


def aged(game: PracticeGame, opened: datetime | None, changed: datetime | None = None) -> PracticeGame:
    PracticeGame.objects.filter(pk=game.pk).update(opened_at=opened, changed_at=changed or opened)
    return game


def kept() -> int:
    return PracticeGame.objects.count()


def test_practice_games_last_for_ever_unless_told_otherwise(old: PracticeGame, now: datetime) -> None:
    assert retention.prune(now + 10_000 * DAY)["practice"] == 0
    assert kept() == 1


@pytest.mark.parametrize(("days", "left"), [(39, 0), (41, 1)])
def test_practice_games_that_nobody_opens(
    settings: LazySettings, old: PracticeGame, now: datetime, days: int, left: int
) -> None:
    settings.PRACTICE_DAYS = days
    PracticeTurn.objects.create(game=old, phase_number=1, phase="S1901M", orders={}, answer={})
    assert retention.prune(now)["practice"] == 1 - left
    assert (kept(), PracticeTurn.objects.count()) == (left, left)


@pytest.mark.parametrize(
    "path",
    ["/p/{key}/", "/s/{shared}/", "/s/{shared}/1/map.svg", "/s/{shared}/game.json", "/p/{key}/1/scene.json"],
)
def test_whoever_opens_it_by_any_address_keeps_it(
    settings: LazySettings, old: PracticeGame, now: datetime, path: str
) -> None:
    settings.PRACTICE_DAYS = 30
    answer = Client().get(path.format(key=old.key, shared=old.shared_key))
    assert answer.status_code == 200
    assert (retention.prune(now)["practice"], kept()) == (0, 1)
    assert retention.prune(now + 32 * DAY)["practice"] == 1


def test_an_order_keeps_it(settings: LazySettings, old: PracticeGame, now: datetime) -> None:
    settings.PRACTICE_DAYS = 30
    Client().post(f"/p/{old.key}/1/draft/", {"lines": {}}, content_type="application/json")
    assert retention.prune(now)["practice"] == 0


def test_games_of_before_count_from_their_last_change(settings: LazySettings, now: datetime) -> None:
    """When each was opened is not known of them."""
    settings.PRACTICE_DAYS = 30
    aged(begin(), None, now - 29 * DAY)
    aged(begin(), None, now - 31 * DAY)
    assert (retention.prune(now)["practice"], kept()) == (1, 1)


def test_a_game_that_the_computer_thinks_about_stays(
    settings: LazySettings, old: PracticeGame, now: datetime
) -> None:
    settings.PRACTICE_DAYS = 30
    PracticeBotTask.objects.create(
        game=old, first_phase_number=1, phase_number=1, goal="turn", submission_id="", visitor_id=""
    )
    assert retention.prune(now)["practice"] == 0


def test_more_than_go_at_once(settings: LazySettings, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PRACTICE_DAYS = 30
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    for _ in range(5):
        aged(begin(), now - 40 * DAY)
    assert retention.prune(now)["practice"] == 5


def test_that_it_was_opened_is_written_once_a_day(old: PracticeGame, django_assert_num_queries: Any) -> None:
    from talleyrand.web.practice import practice_access

    practice_access.game_or_404(old.key)
    with django_assert_num_queries(1):
        practice_access.game_or_404("", old.shared_key)
    old.refresh_from_db()
    assert old.opened_at is not None
    assert timezone.now() - old.opened_at < DAY


@pytest.mark.django_db(transaction=True)
def test_a_page_is_shown_where_nothing_can_be_written(old: PracticeGame) -> None:
    from django.db import connection

    def refusing(execute: Any, query: str, *rest: Any) -> Any:
        if query.startswith("UPDATE"):
            raise DatabaseError("disk full")
        return execute(query, *rest)

    with connection.execute_wrapper(refusing):
        assert Client().get(f"/s/{old.shared_key}/").status_code == 200


def test_sessions_and_links_that_ended(now: datetime) -> None:
    cache.clear()
    Session.objects.create(session_key="a", session_data="", expire_date=now - DAY)
    Session.objects.create(session_key="b", session_data="", expire_date=now + DAY)
    one_time_links.make_link(one_time_links.Kind.ACCOUNT, "one")
    one_time_links.make_link(one_time_links.Kind.ACCOUNT, "two")
    OneTimeLink.objects.filter(submission_id="one").update(expires_at=now - 31 * DAY)
    OneTimeLink.objects.filter(submission_id="two").update(expires_at=now - 29 * DAY)
    retention.prune(now)
    assert [one.session_key for one in Session.objects.filter(session_key__in="ab")] == ["b"]
    assert OneTimeLink.objects.count() == 1


def test_alarms_that_are_over_and_sweeps_of_clocks_that_are_gone(now: datetime) -> None:
    Alarm.objects.create(kind="disk", started_at=now - 200 * DAY)
    Alarm.objects.create(kind="disk", started_at=now - 200 * DAY, ended_at=now - 91 * DAY)
    Alarm.objects.create(kind="disk", started_at=now - 200 * DAY, ended_at=now - 89 * DAY)
    ClockSweep.objects.create(clock_name="gone", noted_at=now - 2 * DAY, seconds=1)
    ClockSweep.objects.create(clock_name="here", noted_at=now, seconds=1)
    assert {name: count for name, count in retention.prune(now).items() if count} == {
        "alarms": 1,
        "sweeps": 1,
    }
    assert (Alarm.objects.count(), ClockSweep.objects.count()) == (2, 1)


def test_news_that_were_read(now: datetime) -> None:
    for once in ("unread", "old", "young"):
        outbox.notify([person("Flora").pk], "revealed", {}, about="", path="", once=once)
    Notification.objects.filter(idempotency_key="old").update(read_at=now - 91 * DAY)
    Notification.objects.filter(idempotency_key="young").update(read_at=now - 89 * DAY)
    assert retention.prune(now)["notifications"] == 1
    assert set(Notification.objects.values_list("idempotency_key", flat=True)) == {"unread", "young"}


def test_once_a_day(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    days: list[datetime] = []
    monkeypatch.setattr(retention, "prune", days.append)
    watch = monitor.Monitor()
    for hours in (0, 1, 23, 24, 25, 48):
        watch.check_once(now + timedelta(hours=hours))
    assert [day - now for day in days] == [0 * DAY, DAY, 2 * DAY]
