"""What sweeps queue: all that somebody has not been sent, once, and never what he may not know."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from talleyrand.web.games import (
    deadline_clock,
    game_lifecycle,
    order_submission,
    power_assignments,
    recipients,
)
from talleyrand.web.games.models import Game, GameMembership, GameRole
from talleyrand.web.mail.models import MailSubscription
from talleyrand.web.mail.subscriptions import game_update_mail, subscribing, subscription_sweep
from talleyrand.web.notifications import outbox
from talleyrand.web.press import message_actions
from talleyrand.web.press.message_actions import MessageDraft
from talleyrand.web.press.models import Message
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, person
from tests.web.mail.collected import (
    SPRING,
    committed,
    correspondent,
    flowing,
    fresh,
    last,
    mails,
    play,
    settled,
    sweep,
)
from tests.web.mail.correspondents import correspond

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
PAIR, ALL = Recipients(ConversationKind.PAIR, ("FRANCE", "GERMANY")), Recipients(ConversationKind.ALL)
TO_MASTER = Recipients(ConversationKind.MASTER, ("FRANCE",))


@pytest.fixture
def game() -> Game:
    """A game by post; everybody has had his first mail, and is up to date."""
    begun = settled()
    sweep()
    return begun


def write(game: Game, name: str, writer: str, to: Recipients, text: str) -> Message:
    return message_actions.send_message(
        fresh(game), person(name), to, MessageDraft(text, writer, f"s-{text}"), timezone.now()
    )


def tell(game: Game, name: str, kind: str, **facts: Any) -> None:
    once = f"{kind}:{timezone.now().isoformat()}"
    recipients.notify_about_game(fresh(game), [person(name).pk], kind, once, **facts)


# once


@pytest.mark.long
def test_a_report_is_queued_once(game: Game) -> None:
    play(game, SPRING)
    assert sorted(str(mail.person) for mail in sweep()) == sorted([*PLAYERS.values(), MASTER])
    assert sweep() == []
    MailSubscription.objects.update(game_version=-1)
    assert sweep() == []


@pytest.mark.long
def test_two_sweeps_at_once_queue_once(game: Game) -> None:
    play(game, SPRING)
    first, second = (
        subscription_sweep.due_subscriptions(timezone.now()),
        subscription_sweep.due_subscriptions(timezone.now()),
    )
    for one in (*first, *second):
        subscription_sweep.queue_mail_for(one, timezone.now())
    assert len(mails("Flora", "report")) == 1


def test_who_dies_before_the_end_leaves_everything_to_do(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    play(game, SPRING)
    with monkeypatch.context() as dying:
        dying.setattr(subscription_sweep, "_relay", _die)
        with pytest.raises(KeyboardInterrupt):
            subscription_sweep.queue_due_mail(timezone.now())
    assert mails("Flora", "report") == []
    sweep()
    assert len(mails("Flora", "report")) == 1


def _die(_found: Any) -> None:
    raise KeyboardInterrupt


def test_what_fails_for_one_stops_nobody_and_is_tried_again(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(game, SPRING)
    healthy = game_update_mail.GameUpdateMail.mail

    def post(self: game_update_mail.GameUpdateMail) -> Any:
        if self.subscription.person.name == "Flora":
            raise ValueError("broken")
        return healthy(self)

    now = timezone.now()
    with monkeypatch.context() as broken:
        broken.setattr(game_update_mail.GameUpdateMail, "mail", post)
        sweep(now)
        assert mails("Gaspard", "report")
        assert sweep(now + timedelta(seconds=1)) == []
    assert sweep(now + timedelta(seconds=1)) == []
    sweep(now + subscription_sweep.REST)
    assert mails("Flora", "report")


def test_a_database_that_fails_for_several_ends_the_sweep(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(game, SPRING)
    calls = []

    def fail(*_given: Any) -> None:
        calls.append(1)
        raise DatabaseError

    monkeypatch.setattr(subscription_sweep, "queue_mail_for", fail)
    with pytest.raises(DatabaseError):
        subscription_sweep.queue_due_mail(timezone.now())
    assert len(calls) == subscription_sweep.BROKEN


def test_news_that_no_counter_told_of_come_within_the_hour(game: Game) -> None:
    play(game, SPRING)
    committed()
    # as if a crash had kept the counters from moving
    for one in subscription_sweep.due_subscriptions(timezone.now()):
        now: Any = one
        MailSubscription.objects.filter(pk=one.pk).update(
            game_version=now.game_now, person_version=now.person_now
        )
    assert sweep() == []
    assert len(sweep(timezone.now() + subscription_sweep.HOUR)) == 8


# what it costs


def test_a_quiet_site_costs_two_questions(game: Game) -> None:
    with CaptureQueriesContext(connection) as asked:
        subscription_sweep.queue_due_mail(timezone.now())
    assert len(asked) == 2


def test_a_game_that_has_been_over_for_long_is_left_alone(game: Game) -> None:
    game_lifecycle.end_game(fresh(game), {"kind": "over", "powers": []}, timezone.now())
    sweep()
    Game.objects.filter(pk=game.pk).update(
        ended_at=timezone.now() - subscription_sweep.AFTERWARDS - timedelta(days=1)
    )
    MailSubscription.objects.update(game_version=-1)
    assert subscription_sweep.due_subscriptions(timezone.now()) == []


# several at once, reminders, what was read


@pytest.mark.long
def test_several_news_of_a_moment_are_one_mail(game: Game) -> None:
    play(game, SPRING)
    game_lifecycle.pause_game(fresh(game), timezone.now())
    game_lifecycle.resume_game(fresh(game), timezone.now())
    game_lifecycle.pause_game(fresh(game), timezone.now())
    assert len(sweep()) == 8
    text = flowing(last("Flora").text)
    assert text.count("La partie est en pause : l’horloge est arrêtée") == 2  # the last of them, and why
    assert "La partie reprend" not in text


def test_a_reminder_is_one_only_while_it_helps(game: Game) -> None:
    due = fresh(game).deadline
    assert due is not None
    facts = {"phase": "S1901M", "due": due.isoformat()}
    order_submission.submit_orders(
        game, "GERMANY", ["A Mun H"], number=1, key="g", origin="text", at=timezone.now()
    )
    for name in ("Flora", "Gaspard"):
        tell(game, name, "missing", **facts)
    tell(game, "Edmond", "due_soon", **{**facts, "phase": "F1900M"})
    assert [str(mail.person) for mail in sweep()] == ["Flora"]
    assert "Pas encore d’ordres" in last("Flora").text


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_subject_of_a_reminder_holds_the_whole_hour(game: Game, language: str) -> None:
    flora = person("Flora")
    flora.language, flora.time_zone = language, "America/St_Johns"
    flora.save()
    due = datetime(2026, 12, 2, 1, 37, tzinfo=UTC)
    for kind in ("due_soon", "missing"):
        tell(game, "Flora", kind, phase="S1901M", due=due.isoformat())
        sweep()
        zone = {"fr": "22 h 07 (Saint-Jean de Terre-Neuve)", "en": "22:07 (St Johns)"}[language]
        assert last("Flora").subject.replace("\u00a0", " ").endswith(zone)


def test_what_happened_several_times_is_told_once(game: Game) -> None:
    for number in range(3):
        recipients.notify_about_game(game, [person(MASTER).pk], "joined", f"joined:{number}")
    sweep()
    assert last(MASTER).text.count("Quelqu’un a rejoint la partie") == 1


@pytest.mark.long
def test_reports_come_though_they_were_read_and_reminders_do_not(game: Game) -> None:
    due = fresh(game).deadline
    assert due is not None
    tell(game, "Flora", "missing", phase="S1901M", due=due.isoformat())
    outbox.mark_read(person("Flora"))
    assert sweep() == []
    play(game, SPRING)
    outbox.mark_read(person("Flora"))
    sweep()
    assert len(mails("Flora", "report")) == 1


def test_the_game_master_hears_who_is_missing_before_the_deadline(game: Game) -> None:
    order_submission.submit_orders(
        game, "FRANCE", ["A Par H"], number=1, key="f", origin="text", at=timezone.now()
    )
    due = fresh(game).deadline
    assert due is not None
    Game.objects.filter(pk=game.pk).update(next_check_at=timezone.now())
    warning = due - timedelta(hours=12)
    deadline_clock.check_due_games(warning)
    sweep(warning)
    mail = last(MASTER)
    assert (mail.kind, mail.power) == ("desk", "@")
    assert "- France : envoyés" in mail.text.replace("\u00a0", " ")
    assert "Ordres manquants" in mail.text
    assert "A Par" not in mail.text
    assert mails(MASTER, "desk") == [mail]
    MailSubscription.objects.update(game_version=-1)
    assert sweep(warning) == []


# letters


@pytest.mark.long
def test_letters_go_to_those_they_are_for(game: Game) -> None:
    letter = write(game, "Flora", "FRANCE", PAIR, "Partageons la Belgique.")
    assert [str(mail.person) for mail in sweep()] == ["Gaspard"]
    assert last("Gaspard").idempotency_key == f"letter:{letter.pk}"
    write(game, "Flora", "FRANCE", ALL, "Paix à tous.")
    assert {str(mail.person) for mail in sweep()} == {*PLAYERS.values(), MASTER} - {"Flora"}
    write(game, "Flora", "FRANCE", TO_MASTER, "Une question.")
    assert [str(mail.person) for mail in sweep()] == [MASTER]
    assert sweep() == []


@pytest.mark.long
def test_held_letters_go_to_the_game_master_and_come_back_or_on() -> None:
    game = settled(press="held")
    first = write(game, "Flora", "FRANCE", PAIR, "Partageons la Belgique.")
    second = write(game, "Flora", "FRANCE", PAIR, "Je signe Flora.")
    assert [(str(mail.person), mail.kind) for mail in sweep()] == [(MASTER, "held"), (MASTER, "held")]
    message_actions.release_message(first, timezone.now())
    assert [(str(mail.person), mail.kind) for mail in sweep()] == [("Gaspard", "letter")]
    message_actions.return_message(second, "Pas de nom.")
    assert [(str(mail.person), mail.kind) for mail in sweep()] == [("Flora", "returned")]
    assert sweep() == []


@pytest.mark.long
def test_assistants_and_observers_have_no_letters_but_those_that_observers_may_read(game: Game) -> None:
    for name in (ASSISTANT, OBSERVER):
        subscribing.subscribe(game, correspond(name))
    sweep()
    write(game, "Flora", "FRANCE", PAIR, "Partageons la Belgique.")
    write(game, "Flora", "FRANCE", ALL, "Paix à tous.")
    sweep()
    assert mails(ASSISTANT, "letter") == []
    assert len(mails(OBSERVER, "letter")) == 1


@pytest.mark.long
def test_whoever_takes_a_power_gets_no_letters_of_before(game: Game) -> None:
    write(game, "Roman", "RUSSIA", Recipients(ConversationKind.PAIR, ("GERMANY", "RUSSIA")), "Avant.")
    write(
        game, "Gaspard", "GERMANY", Recipients(ConversationKind.PAIR, ("GERMANY", "RUSSIA")), "Avant aussi."
    )
    sweep()
    renaud = correspond("Renaud")
    _replace(game, "RUSSIA", "Roman", "Renaud")
    MailSubscription.objects.filter(person=renaud).update(started_at=timezone.now() - timedelta(days=9))
    sweep()
    assert mails("Renaud", "letter") == []
    write(game, "Gaspard", "GERMANY", Recipients(ConversationKind.PAIR, ("GERMANY", "RUSSIA")), "Après.")
    sweep()
    assert len(mails("Renaud", "letter")) == 1


# who loses a power


def _replace(game: Game, power: str, old: str, new: str) -> None:
    now = timezone.now()
    told = recipients.member_ids(game)
    GameMembership.objects.filter(game=game, person=person(old), left_at=None).update(left_at=now)
    GameMembership.objects.create(game=game, person=person(new), role=GameRole.PLAYER)
    given = power_assignments.assign_power(fresh(game), power, person(new))
    recipients.notify_about_game(game, [person(new).pk], "given", f"given:{given.pk}", power=power)
    recipients.notify_about_game(game, told, "replaced", f"replaced:{given.pk}", power=power)


@pytest.mark.long
def test_who_loses_a_power_is_told_and_then_nothing_more(game: Game) -> None:
    correspond("Renaud")
    _replace(game, "RUSSIA", "Roman", "Renaud")
    sweep()
    told = last("Roman")
    assert "Quelqu’un d’autre joue maintenant la Russie" in flowing(told.text)
    assert (told.reply_mailbox, told.power) == (None, "")
    assert "Quelqu’un d’autre joue désormais la Russie" in flowing(last("Flora").text)
    assert mails("Renaud", "welcome")
    write(game, "Flora", "FRANCE", Recipients(ConversationKind.PAIR, ("FRANCE", "RUSSIA")), "À la Russie.")
    write(game, "Flora", "FRANCE", ALL, "À tous.")
    play(game, SPRING)
    sweep()
    assert last("Roman") == told
    assert "Printemps 1901, mouvements" in mails("Renaud", "report")[0].subject


@pytest.mark.long
def test_who_begins_in_the_middle_has_the_last_report(game: Game) -> None:
    play(game, SPRING)
    sweep()
    correspond("Renaud")
    _replace(game, "RUSSIA", "Roman", "Renaud")
    sweep()
    assert [mail.kind for mail in mails("Renaud")] == ["welcome", "report"]
    assert "A Munich - Bourgogne" in flowing(last("Renaud").text)
    subscribing.unsubscribe(game, person("Renaud"))
    subscribing.subscribe(game, person("Renaud"))
    sweep()
    assert [mail.kind for mail in mails("Renaud")] == ["welcome", "report"] * 2
    assert sweep() == []


def test_a_mail_of_the_desk_is_for_whoever_runs_the_game_when_it_leaves(game: Game) -> None:
    game_lifecycle.pause_game(fresh(game), timezone.now())
    sweep()
    assert last(MASTER).power == "@"
    assert last("Flora").power == ""
    assert correspondent(game, MASTER).check_count == 2


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "kind", ["joined", "parked", "waiting", "vacant", "revealed", "disorder", "unheard-of"]
)
def test_every_kind_of_news_becomes_a_mail(game: Game, kind: str) -> None:
    tell(game, MASTER, kind, power="ITALY", powers=["ITALY"], phase="S1901M")
    queued = sweep()
    assert [str(mail.person) for mail in queued] == [MASTER]
    assert "- " in queued[0].text


CORRUPT: list[dict[str, Any]] = [
    {},
    {"number": 99, "phase": "S1999M", "due": "soon", "gazette": 0, "power": "SPAIN"},
    {"number": "x", "phase": 5, "due": 3, "gazette": "y", "power": ["FRANCE"]},
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("facts", CORRUPT)
@pytest.mark.parametrize("kind", ["published", "corrected", "taken_back", "ended", "gazette", "due_soon"])
def test_news_without_sense_stop_nothing(game: Game, kind: str, facts: dict[str, Any]) -> None:
    tell(game, "Flora", kind, **facts)
    tell(game, "Flora", "revealed")
    sweep()
    assert "identité" in last("Flora", "report").text
