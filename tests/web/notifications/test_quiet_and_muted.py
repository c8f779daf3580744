"""Quiet hours, and games that tell nothing outside the site."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import deadline_clock, phase_deadlines, recipients
from talleyrand.web.notifications import preferences
from talleyrand.web.notifications.models import Notification, NotificationDelivery
from tests.web.cast import STRANGER, client_of, deal, person, table
from tests.web.games.test_table_races import together

pytestmark = pytest.mark.django_db
NIGHT = (22 * 60, 7 * 60)


def at(hour: int, minute: int = 0, day: int = 2) -> datetime:
    """UTC, in March: one hour less than in Paris."""
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC)


MOMENTS = [
    (NIGHT, at(20, 59), at(20, 59)),
    (NIGHT, at(21), at(6, day=3)),
    (NIGHT, at(23, 30), at(6, day=3)),
    (NIGHT, at(5, 59), at(6)),
    (NIGHT, at(6), at(6)),
    ((9 * 60, 17 * 60), at(8), at(16)),
    ((9 * 60, 17 * 60), at(16), at(16)),
    (None, at(23), at(23)),
]


@pytest.mark.parametrize(("hours", "now", "leaves"), MOMENTS)
def test_what_is_told_in_quiet_hours_waits_for_their_end(
    hours: tuple[int, int] | None, now: datetime, leaves: datetime
) -> None:
    someone = person("Flora")
    preferences.keep_quiet_hours(someone, hours)
    assert preferences.delivery_time(someone, "now", now) == leaves


DUE = [(at(3, day=3), True), (at(6, day=3), True), (at(6, 1, day=3), False)]


@pytest.mark.parametrize(("due", "at_once"), DUE)
def test_a_deadline_that_comes_before_does_not_wait(due: datetime, *, at_once: bool) -> None:
    someone, now = person("Flora"), at(22)
    preferences.keep_quiet_hours(someone, NIGHT)
    left = preferences.delivery_time(someone, "now", now, due.isoformat())
    assert (left == now) == at_once
    for nonsense in ("", "soon", 7, None, "2026-03-02"):
        assert preferences.delivery_time(someone, "now", now, nonsense) == at(6, day=3)


@pytest.mark.parametrize(
    "kept", [None, [], [1], [1, 1], ["a", 2], [-1, 5], [0, 1440], {"a": 1}, [True, 5], 7]
)
def test_what_was_kept_wrongly_is_none(kept: Any) -> None:
    someone = person("Flora")
    someone.preferences = {"quiet": kept, "muted": kept}
    assert preferences.quiet_hours(someone) is None
    assert set(preferences.muted_topics(someone)) <= {"a"}


def reachable(name: str) -> Person:
    someone = person(name)
    EmailAddress.objects.create(user=someone, email=f"{someone.pk}@exemple.fr", verified=True, primary=True)
    return someone


def test_a_muted_game_tells_on_the_site_alone() -> None:
    game, other, flora = table(), table(), reachable("Flora")
    path = f"/notifications/sourdine/{game.key}/"
    assert client_of("Flora").post(path)["Location"] == f"/parties/{game.key}/infos/"
    for one in (game, other):
        recipients.notify_about_game(one, [flora.pk], "begun", "again")
    told = Notification.objects.filter(person=flora, kind="begun", idempotency_key__endswith="again")
    assert told.count() == 2
    assert all(one.is_shown for one in told)
    left = NotificationDelivery.objects.filter(notification__in=told)
    assert [one.notification.topic for one in left] == [f"game:{other.key}"]
    page = client_of("Flora").get(f"/parties/{game.key}/infos/")
    assert "Ôter la sourdine" in page.text
    client_of("Flora").post(path, {"do": "unmute"})
    recipients.notify_about_game(game, [flora.pk], "begun", "later")
    assert NotificationDelivery.objects.filter(notification__idempotency_key=f"{game.key}:later").exists()


def test_muting_keeps_what_else_is_chosen_and_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "MOST_MUTED", 3)
    client = client_of("Flora")
    client.post("/en/notifications/settings/", {"votes-mail": "no"})
    for number in range(5):
        client.post(f"/en/notifications/mute/game{number}/")
        client.post(f"/en/notifications/mute/game{number}/")
    flora = person("Flora")
    assert preferences.muted_topics(flora) == ["game:game2", "game:game3", "game:game4"]
    assert preferences.NotificationPreferences.for_person(flora).wants("votes", "mail") == "no"
    client.post("/en/notifications/settings/", {"votes-mail": "now", "quiet_from": "", "quiet_to": ""})
    assert preferences.muted_topics(person("Flora"))


@pytest.mark.parametrize("key", ["a" * 17, "a b", "é", "%00"])
def test_what_is_no_game_is_not_muted(key: str) -> None:
    assert client_of("Flora").post(f"/en/notifications/mute/{key}/").status_code in (400, 404)
    assert preferences.muted_topics(person("Flora")) == []


def test_only_who_is_in_the_game_is_offered_it_and_visitors_mute_nothing() -> None:
    game = table()
    assert "sourdine" not in client_of(STRANGER).get(f"/parties/{game.key}/infos/").text
    assert "?next=" in Client().post(f"/notifications/sourdine/{game.key}/")["Location"]
    assert client_of("Flora").get(f"/notifications/sourdine/{game.key}/").status_code == 405


BAD = [("22:00", ""), ("", "07:00"), ("25:00", "07:00"), ("x", "y"), ("07:00", "07:00"), ("\x01", "9" * 9999)]


@pytest.mark.parametrize(("since", "until"), BAD)
def test_times_that_are_none_are_told_and_change_nothing(since: str, until: str) -> None:
    client = client_of("Flora")
    page = "/en/notifications/settings/"
    client.post(page, {"quiet_from": "22:00", "quiet_to": "07:00"})
    answer = client.post(page, {"quiet_from": since, "quiet_to": until, "votes-mail": "no"})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert preferences.quiet_hours(person("Flora")) == NIGHT
    # a form of before, without them, leaves them
    client.post(page, {"votes-mail": "no"})
    assert preferences.quiet_hours(person("Flora")) == NIGHT
    assert 'value="22:00"' in client.get(page).text
    client.post(page, {"quiet_from": "", "quiet_to": ""})
    assert preferences.quiet_hours(person("Flora")) is None


def test_a_reminder_names_the_powers_whose_orders_are_missing() -> None:
    game = table()
    deal(game, "GERMANY", "Flora")
    warning = phase_deadlines.warning_time(game)
    assert warning is not None
    deadline_clock.record_heartbeat(warning)
    deadline_clock.DeadlineClock().check_due(warning)
    told = dict(Notification.objects.filter(kind="due_soon").values_list("person__name", "facts__powers"))
    assert told["Flora"] == ["FRANCE", "GERMANY"]
    assert told["Roman"] == ["RUSSIA"]
    assert "Gaspard" not in told
    page = client_of("Roman").get("/en/notifications/").text
    assert "Missing: Russia." in page


@pytest.mark.django_db(transaction=True)
def test_what_is_chosen_on_several_pages_at_the_same_moment_is_all_kept() -> None:
    someone = person("Flora")
    chosen = preferences.NotificationPreferences.for_person(someone)
    mutes = [
        lambda topic=topic: preferences.mute(Person.objects.get(pk=someone.pk), topic, muted=True)
        for topic in "abc"
    ]
    saves = [lambda: chosen.save(Person.objects.get(pk=someone.pk))] * 3
    together(*mutes, *saves, lambda: preferences.keep_quiet_hours(someone, NIGHT))
    someone.refresh_from_db()
    assert sorted(preferences.muted_topics(someone)) == ["a", "b", "c"]
    assert preferences.quiet_hours(someone) == NIGHT
