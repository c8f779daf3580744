"""Who is told what, once, and by which ways."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.notifications import outbox, preferences, topic_versions
from talleyrand.web.notifications.models import Notification, NotificationDelivery, TopicVersion
from talleyrand.web.notifications.preferences import NotificationPreferences
from tests.web.cast import person

NOTHING: dict[str, Any] = {"about": "game:K", "path": "/parties/K/"}
Committing = Any  # pytest-django's fixture


def tell(*names: str, kind: str = "published", once: str = "1") -> None:
    outbox.notify([person(name).pk for name in names], kind, {"game": "G"}, once=once, **NOTHING)


def reachable(name: str, is_confirmed: bool = True, **more: str) -> Person:
    someone = person(name, **more)
    EmailAddress.objects.create(user=someone, email=f"{someone.pk}@example.org", verified=is_confirmed)
    return someone


def ways(name: str) -> set[str]:
    return set(
        NotificationDelivery.objects.filter(notification__person=person(name)).values_list(
            "channel", flat=True
        )
    )


@pytest.mark.django_db
def test_the_same_thing_is_told_once() -> None:
    tell("Agathe")
    tell("Agathe", "Edmond")
    assert outbox.unread_count(person("Agathe")) == outbox.unread_count(person("Edmond")) == 1


@pytest.mark.django_db
def test_the_same_thing_is_told_once_among_many_too(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[outbox.NotificationEvent] = []
    monkeypatch.setattr(outbox, "_hearers", [heard.extend])
    reachable("Agathe")
    with outbox.notified_together():
        for _ in range(2):
            tell("Agathe", "Agathe")
            tell("Agathe", "Edmond", once="2")
    told = [(event.idempotency_key, [one.name for one in event.people]) for event in heard]
    assert told == [("1", ["Agathe"]), ("2", ["Agathe", "Edmond"])]
    assert NotificationDelivery.objects.count() == 2


@pytest.mark.django_db
def test_what_was_told_before_is_found_by_who_was_told() -> None:
    """The index begins with the person: a key alone would have all that was ever told looked through."""
    reachable("Edmond")
    with CaptureQueriesContext(connection) as asked:
        tell("Edmond", "Agathe")
    read = [one["sql"] for one in asked if '"idempotency_key" IN' in one["sql"]]
    assert len(read) == 2
    assert all('"person_id" IN' in sql for sql in read)


@pytest.mark.django_db
def test_only_who_hears_something_new_is_woken(django_capture_on_commit_callbacks: Committing) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        tell("Agathe")
    with django_capture_on_commit_callbacks(execute=True):
        tell("Agathe", "Edmond")
    topics = [topic_versions.person_topic(person(name).pk) for name in ("Agathe", "Edmond")]
    assert list(topic_versions.current_versions(topics).values()) == [1, 1]


@pytest.mark.django_db(transaction=True)
def test_what_is_taken_back_is_never_told() -> None:
    someone = person("Agathe")
    with transaction.atomic():
        tell("Agathe")
        transaction.set_rollback(True)
    assert outbox.unread_count(someone) == 0
    assert not TopicVersion.objects.exists()


@pytest.mark.django_db
def test_without_an_address_nothing_leaves() -> None:
    reachable("Edmond", is_confirmed=False)
    tell("Agathe", "Edmond")
    assert ways("Agathe") == ways("Edmond") == set()


@pytest.mark.django_db
def test_with_an_address_what_was_chosen_leaves_once() -> None:
    reachable("Edmond")
    for _ in range(2):
        tell("Edmond")
        tell("Edmond", kind="letter", once="2")
    assert ways("Edmond") == {"mail"}
    assert NotificationDelivery.objects.get().notification.kind == "published"


@pytest.mark.django_db
def test_a_channel_that_was_refused_has_no_rows() -> None:
    someone = reachable("Edmond")
    NotificationPreferences.from_json({"phases": {"mail": "no", "page": "no"}}).save(someone)
    tell("Edmond")
    assert ways("Edmond") == set()
    assert outbox.unread_count(someone) == 0
    assert Notification.objects.filter(person=someone).count() == 1  # so that it is not told later either


@pytest.mark.django_db
def test_once_a_day_is_due_in_the_evening() -> None:
    someone = reachable("Edmond", time_zone="America/Toronto")
    NotificationPreferences.from_json({"phases": {"mail": "daily"}}).save(someone)
    tell("Edmond")
    due = NotificationDelivery.objects.get().due_at
    assert timedelta(0) < due - timezone.now() <= timedelta(days=1)
    assert due.astimezone(preferences.time_zone_of(someone)).hour == preferences.DIGEST_HOUR


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("now", "due"),
    [
        ((2026, 3, 28, 20), (2026, 3, 29, 16)),  # clocks go forward in the night
        ((2026, 10, 24, 20), (2026, 10, 25, 17)),  # and back
        ((2026, 6, 1, 15), (2026, 6, 1, 16)),
        ((2026, 6, 1, 16), (2026, 6, 2, 16)),
    ],
)
def test_the_daily_hour_when_clocks_change(now: tuple[int, ...], due: tuple[int, ...]) -> None:
    found = preferences.delivery_time(person("Flora"), "daily", datetime(*now, tzinfo=UTC))  # type: ignore[arg-type,misc]
    assert found == datetime(*due, tzinfo=UTC)  # type: ignore[arg-type,misc]


@pytest.mark.django_db
def test_who_is_gone_is_not_told() -> None:
    someone = person("Gaspard", email="g@example.org", is_active=False)
    tell("Gaspard")
    outbox.notify([someone.pk + 1000], "begun", {}, once="x", **NOTHING)
    assert not Notification.objects.exists()


@pytest.mark.django_db
def test_a_long_name_of_what_is_told_stays_its_own() -> None:
    tell("Agathe", once="a" * 300 + "1")
    tell("Agathe", once="a" * 300 + "1")
    tell("Agathe", once="a" * 300 + "2")
    assert Notification.objects.count() == 2
    assert all(len(one.idempotency_key) <= 120 for one in Notification.objects.all())


@pytest.mark.django_db
def test_paths_lose_their_language() -> None:
    assert outbox.path_without_language("/en/notifications/") == "/notifications/"
    assert outbox.path_without_language("/notifications/") == "/notifications/"
    assert outbox.path_without_language("/x" * 300) == ""


@pytest.mark.django_db
def test_what_was_read_long_ago_goes() -> None:
    tell("Agathe", once="old")
    tell("Agathe", once="unread")
    tell("Agathe", once="young")
    now = timezone.now()
    Notification.objects.filter(idempotency_key="old").update(read_at=now - timedelta(days=91))
    Notification.objects.filter(idempotency_key="young").update(read_at=now - timedelta(days=89))
    assert outbox.prune(now) == 1
    assert outbox.prune(now) == 0
    assert set(Notification.objects.values_list("idempotency_key", flat=True)) == {"unread", "young"}


@pytest.mark.django_db
@pytest.mark.parametrize("kept", [None, 3, [], "x", {"phases": 1}, {"phases": {"mail": ["now"]}}, {"?": {}}])
def test_choices_of_any_age_are_read(kept: Any) -> None:
    someone = person("Agathe")
    someone.preferences = {"notices": kept, "theme": "night"}
    found = NotificationPreferences.for_person(someone)
    assert found.values == preferences.DEFAULTS
    found.save(person("Agathe"))
    someone.refresh_from_db()
    assert NotificationPreferences.for_person(someone).values == preferences.DEFAULTS


@pytest.mark.django_db
def test_other_choices_stay() -> None:
    someone = person("Agathe")
    someone.preferences = {"theme": "night"}
    someone.save()
    NotificationPreferences.from_json({}).save(someone)
    someone.refresh_from_db()
    assert someone.preferences["theme"] == "night"
