"""News by mail: what is due to one person leaves as one mail; none that no longer concerns him."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import override_settings
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import power_assignments, recipients
from talleyrand.web.games.models import Game, GameMembership, GameRole
from talleyrand.web.mail.models import MailSubscription, OutboundEmail
from talleyrand.web.mail.outbound import email_sending, notification_digests
from talleyrand.web.notifications import outbox
from talleyrand.web.notifications.models import NotificationDelivery
from talleyrand.web.notifications.preferences import NotificationPreferences
from tests.web.cast import MASTER, member, person, table

from .correspondents import address_of, correspond
from .leaving import later
from .office import Office

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


@pytest.fixture
def game() -> Game:
    """Only Flora and the game master have addresses."""
    found = table()
    correspond("Flora")
    correspond(MASTER)
    return found


def tell(game: Game, kind: str = "published", once: str = "", name: str = "Flora", **facts: Any) -> None:
    recipients.notify_about_game(game, [person(name).pk], kind, once or kind, **facts)


def send(**length: float) -> int:
    return email_sending.send_due_emails(later(**length))


def unsent() -> int:
    return NotificationDelivery.objects.filter(channel="mail", sent_at=None).count()


def test_one_alone(office: Office, game: Game) -> None:
    tell(game, phase="S1901M")
    assert send() == 1
    (item,) = office.items
    assert item.to == (address_of("Flora"),)
    assert (
        item.mail["Subject"]
        == "La table ronde\u00a0: Les résultats sont là\u00a0: printemps 1901, mouvements."
    )
    assert item.text == (
        "La table ronde\n"
        "- Les résultats sont là\u00a0: printemps 1901, mouvements.\n\n"
        f"  https://jeu.example.org/parties/{game.key}/\n\n"
        "Choisissez ici les notifications reçues par courriel\u00a0:\n"
        "  https://jeu.example.org/notifications/reglages/\n"
    )
    assert (unsent(), send()) == (0, 0)


def test_several_of_one_game(office: Office, game: Game) -> None:
    tell(game, phase="S1901M")
    tell(game, "paused")
    assert send() == 1
    (item,) = office.items
    assert item.mail["Subject"] == "La table ronde\u00a0: 2 notifications"
    assert item.text.count(game.key) == 1
    assert item.text.index("résultat") < item.text.index("pause")


def test_several_games_in_english(office: Office, game: Game) -> None:
    Person.objects.update(language="en")
    second = table()
    Game.objects.filter(pk=second.pk).update(name="Le second tour")
    tell(game, phase="S1901M")
    tell(Game.objects.get(pk=second.pk), phase="S1901M")
    assert send() == 1
    (item,) = office.items
    assert item.mail["Subject"] == "2 notifications from your games"
    assert (
        "Choose which notifications you get by email:\n  https://jeu.example.org/en/notifications/settings/"
        in item.text
    )
    for one in (game, second):
        assert f"https://jeu.example.org/en/games/{one.key}/" in item.text


def test_in_the_zone_of_its_reader(office: Office, game: Game) -> None:
    Person.objects.update(time_zone="America/New_York", language="en")
    tell(game, "extended", due=datetime(2099, 3, 6, 20, 0, tzinfo=UTC).isoformat())
    assert send() == 1
    assert "15:00 (New York)" in " ".join(office.items[0].text.split())


@override_settings(SITE_URL="")
def test_a_site_without_a_known_address(office: Office, game: Game) -> None:
    tell(game, phase="S1901M")
    assert send() == 1
    assert "http" not in office.items[0].text
    assert "Sur le site, «\u00a0Réglages des notifications\u00a0» permet de" in office.items[0].text


def test_lines_are_narrow(office: Office, game: Game) -> None:
    tell(game, "corrected", phase="S1901M", reason="une erreur de saisie " * 12)
    assert send() == 1
    lines = office.items[0].text.splitlines()
    assert len(lines) > 5
    assert max(len(line) for line in lines if "http" not in line) <= 72


def test_without_play_by_post(office: Office, game: Game) -> None:
    MailSubscription.objects.create(game=game, person=person("Flora"))
    tell(game, phase="S1901M")
    with override_settings(HAS_PLAY_BY_MAIL=False, GAME_MAIL_DOMAIN=""):
        assert send() == 1
    assert office.items[0].envelope == "site@jeu.example.org"


def test_each_has_his_own(office: Office, game: Game) -> None:
    recipients.notify_about_game(game, recipients.member_ids(game), "published", "p", phase="S1901M")
    assert send() == 2
    assert sorted(item.to[0] for item in office.items) == sorted(map(address_of, ("Flora", MASTER)))


def test_once_a_day(office: Office, game: Game) -> None:
    flora = person("Flora")
    kept = NotificationPreferences.for_person(flora)
    wanted = {**kept.values, "phases": {**kept.values["phases"], "mail": "daily"}}
    NotificationPreferences(wanted).save(flora)
    tell(game, once="1", phase="S1901M")
    tell(game, once="2", phase="F1901M")
    assert send() == 0
    assert send(hours=25) == 1
    assert "2 notifications" in office.items[0].mail["Subject"]


# what is not sent


def reads(_game: Game) -> None:
    outbox.mark_read(person("Flora"))


def corresponds(game: Game) -> None:
    MailSubscription.objects.create(game=game, person=person("Flora"))


def leaves(game: Game) -> None:
    power_assignments.end_assignment(game, "FRANCE")
    GameMembership.objects.filter(game=game, person=person("Flora")).update(left_at=timezone.now())


def leaves_a_closed_game(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    leaves(game)


def is_deactivated(_game: Game) -> None:
    Person.objects.filter(name="Flora").update(is_active=False)


def has_no_address(_game: Game) -> None:
    EmailAddress.objects.filter(user=person("Flora")).delete()


def game_vanishes(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(key="ailleurs")


def becomes_observer(game: Game) -> None:
    leaves(game)
    member(game, "Flora", GameRole.OBSERVER)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("published", reads),
        ("published", corresponds),
        ("published", leaves_a_closed_game),
        ("published", is_deactivated),
        ("published", has_no_address),
        ("published", game_vanishes),
        ("due_soon", leaves),
        ("proposal", leaves),
        ("waiting", leaves),
        ("waiting", becomes_observer),
    ],
)
def test_what_concerns_him_no_more(
    office: Office, game: Game, kind: str, change: Callable[[Game], None]
) -> None:
    tell(game, kind)
    change(game)
    assert send() == 0
    assert unsent() == 0  # nor is it ever
    assert not OutboundEmail.objects.exists()


def test_results_of_a_game_that_everybody_may_watch(office: Office, game: Game) -> None:
    tell(game, phase="S1901M")
    leaves(game)
    assert send() == 1


def test_a_reminder_whose_date_is_over(office: Office, game: Game) -> None:
    due = (timezone.now() + timedelta(hours=2)).isoformat()
    tell(game, "due_soon", once="1", phase="S1901M", due=due)
    tell(game, "due_soon", once="2", phase="S1901M", due="2026-02-30")
    assert send(hours=3) == 1  # one that says no date is told rather than lost
    assert OutboundEmail.objects.count() == 1
    assert "échéance" not in office.items[0].mail["Subject"]


def test_news_of_long_ago(office: Office, game: Game) -> None:
    """As where a site has had no mail for a month."""
    tell(game, phase="S1901M")
    assert send(days=30) == 0
    assert unsent() == 0


def test_only_one_that_corresponds_is_left_out(office: Office, game: Game) -> None:
    second = table()
    MailSubscription.objects.create(game=game, person=person("Flora"))
    MailSubscription.objects.create(game=second, person=person("Flora"), ended_at=timezone.now())
    tell(game, phase="S1901M")
    tell(second, phase="S1901M")
    assert send() == 1
    assert second.key in office.items[0].text
    assert game.key not in office.items[0].text


def test_one_that_cannot_be_told_stops_no_other(
    office: Office, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(game, phase="S1901M")
    tell(game, once="m", name=MASTER, phase="S1901M")
    queue = notification_digests._queue

    def failing(reader: Person, *rest: Any) -> bool:
        if reader.name == "Flora":
            raise KeyError(reader.pk)
        return queue(reader, *rest)

    monkeypatch.setattr(notification_digests, "_queue", failing)
    assert send() == 1
    assert office.items[0].to == (address_of(MASTER),)
    assert (unsent(), send()) == (1, 0)
    monkeypatch.undo()
    assert send(hours=2) == 1


def test_gathered_twice_it_is_one_mail(office: Office, game: Game) -> None:
    tell(game, phase="S1901M")
    now = timezone.now()
    assert notification_digests.queue_digests(now) == 1
    NotificationDelivery.objects.update(sent_at=None)
    assert notification_digests.queue_digests(now) == 0
    assert send() == 1


def test_news_of_no_game(office: Office, game: Game) -> None:
    outbox.notify([person("Flora").pk], "revealed", {}, about="", path="", once="x")
    assert send() == 1
    assert office.items[0].text.startswith("Une partie\n- L’identité des joueurs est révélée")
