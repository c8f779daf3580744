"""Mails leave once each, for whoever may read them at that moment; every refusal of a server has its end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as django_mail
from django.test import override_settings
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameRole
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.invitations import email_invitations
from talleyrand.web.mail.models import BouncedAddress, MailboxPurpose, OutboundEmail, SendLock
from talleyrand.web.mail.outbound import email_queue, email_sending, message_builder
from tests.web.cast import MASTER, person, table

from .correspondents import address_of, correspond
from .leaving import fresh, later, open_gate, waiting
from .office import PASSWORD, Office, open_office

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

FLORA, EDMOND = address_of("Flora"), address_of("Edmond")
THREE_DAYS = timedelta(days=3)


def send(**length: float) -> int:
    """Hand over what is due, now or later."""
    return email_sending.send_due_emails(later(**length))


# once each


def test_it_leaves_once(office: Office) -> None:
    row = waiting()
    assert send() == 1
    assert send() == 0
    (item,) = office.items
    assert item.to == (FLORA,)
    assert item.text == row.text
    assert fresh(row).sent_at is not None
    assert fresh(row).claimed_by == ""


def test_several_go_over_one_connection(office: Office) -> None:
    for name in ("Flora", "Edmond", "Théa"):
        waiting(name)
    assert send() == 3
    assert len(office.greetings) == 1


def test_nothing_before_its_time(office: Office) -> None:
    waiting(due=later(hours=1))
    assert send() == 0
    assert send(hours=2) == 1


def test_a_site_without_a_server_keeps_it(office: Office) -> None:
    row = waiting()
    with override_settings(HAS_MAIL=False):
        assert send() == 0
    assert fresh(row).sent_at is None
    assert send() == 1


def test_without_mail_in_it_leaves_from_the_site(office: Office) -> None:
    game = table()
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, correspond("Flora"), "FRANCE")
    waiting(mailbox=box, sender="La table ronde")
    with override_settings(HAS_PLAY_BY_MAIL=False, GAME_MAIL_DOMAIN=""):
        assert send() == 1
    (item,) = office.items
    assert item.envelope == "site@jeu.example.org"
    assert item.mail["From"] == '"La table ronde (Talleyrand)" <site@jeu.example.org>'


def test_any_way_out_that_django_knows(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    waiting()
    assert send() == 1
    assert [one.to for one in django_mail.outbox] == [[FLORA]]


# whom it concerns


def seat_changes(game: Game) -> None:
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"))
    GameMembership.objects.filter(game=game, person=person("Flora")).update(left_at=timezone.now())


def master_leaves(game: Game) -> None:
    GameMembership.objects.filter(game=game, person=person(MASTER)).update(left_at=timezone.now())


def master_plays(game: Game) -> None:
    GameMembership.objects.filter(game=game, person=person(MASTER)).update(role=GameRole.OBSERVER)


def deactivated(_game: Game) -> None:
    for one in (person("Flora"), person(MASTER)):
        one.is_active = False
        one.save()


def without_address(_game: Game) -> None:
    EmailAddress.objects.all().delete()


def unconfirmed(_game: Game) -> None:
    EmailAddress.objects.update(verified=False)


def closed(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    GameMembership.objects.filter(game=game).update(left_at=timezone.now())


CHANGES: list[tuple[str, str, Callable[[Game], None], str]] = [
    ("Flora", "FRANCE", seat_changes, email_sending.NO_LONGER),
    ("Flora", "FRANCE", deactivated, email_sending.INACTIVE),
    ("Flora", "FRANCE", without_address, email_sending.NO_ADDRESS),
    ("Flora", "FRANCE", unconfirmed, email_sending.NO_ADDRESS),
    ("Flora", "FRANCE", closed, email_sending.NO_LONGER),
    ("Flora", "", closed, email_sending.NO_LONGER),
    ("Flora", "", deactivated, email_sending.INACTIVE),
    (MASTER, "@", master_leaves, email_sending.NO_LONGER),
    (MASTER, "@", master_plays, email_sending.NO_LONGER),
    (MASTER, "@", deactivated, email_sending.INACTIVE),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("name", "power", "change", "code"), CHANGES)
def test_what_changed_since_it_was_written(
    office: Office, name: str, power: str, change: Callable[[Game], None], code: str
) -> None:
    game = table()
    row = waiting(name, game=game, power=power)
    change(game)
    assert send() == 0
    assert office.items == []
    assert fresh(row).drop_reason == code
    assert fresh(row).attempted_at is None  # it has not cost the others their turn


@pytest.mark.parametrize(("name", "power"), [("Flora", "FRANCE"), ("Flora", ""), (MASTER, "@")])
def test_whom_it_still_concerns(office: Office, name: str, power: str) -> None:
    waiting(name, game=table(), power=power)
    assert send() == 1


def test_of_another_power_it_never_leaves(office: Office) -> None:
    row = waiting("Flora", game=table(), power="GERMANY")
    assert send() == 0
    assert fresh(row).drop_reason == email_sending.NO_LONGER


def test_both_a_stand_in_and_whom_he_stands_in_for(office: Office) -> None:
    game = table()
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"), stand_in=True)
    GameMembership.objects.create(game=game, person=person("Sylvain"), role=GameRole.PLAYER)
    for name in ("Flora", "Sylvain"):
        waiting(name, game=game, power="FRANCE")
    assert send() == 2


def test_an_answer_reaches_who_has_just_left(office: Office) -> None:
    game = table()
    waiting("Flora", game=game, kind=email_queue.ANSWER)
    closed(game)
    assert send() == 1


def test_the_address_on_file_at_that_moment(office: Office) -> None:
    waiting("Flora")
    correspond("Flora", "flora@nouvelle.example")
    assert send() == 1
    assert office.items[0].to == ("flora@nouvelle.example",)


def test_an_address_that_changes_between_two_tries(office: Office) -> None:
    office.refuse("RCPT", "451 4.7.1 Later", times=1)
    row = waiting("Flora")
    assert send() == 0
    correspond("Flora", "flora@nouvelle.example")
    assert send(minutes=2) == 1
    assert [item.to for item in office.items] == [("flora@nouvelle.example",)]
    assert fresh(row).attempts == 1


def test_withdrawn_while_it_is_on_its_way(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    row = waiting()
    opened = email_sending.EmailSender._open

    def withdrawn(carrier: email_sending.EmailSender) -> None:
        opened(carrier)
        OutboundEmail.objects.filter(pk=row.pk).update(drop_reason="withdrawn")

    monkeypatch.setattr(email_sending.EmailSender, "_open", withdrawn)
    assert send() == 0
    assert office.items == []
    assert (fresh(row).drop_reason, fresh(row).claimed_by) == ("withdrawn", "")


def test_somebody_without_an_account(office: Office) -> None:
    OutboundEmail.objects.create(
        address="jeanne@exemple.fr",
        kind="invitation",
        idempotency_key="i:1",
        subject="Une place",
        text="Venez.",
    )
    assert send() == 1
    assert office.items[0].to == ("jeanne@exemple.fr",)
    assert office.items[0].envelope == "site@jeu.example.org"


# what a server refuses


def test_a_temporary_refusal_is_tried_again_with_growing_pauses(office: Office) -> None:
    office.refuse("RCPT", "450 4.2.2 The mailbox is full")
    row = waiting()
    waited = timedelta(0)
    for number, pause in enumerate(email_sending.PAUSES, start=1):
        assert send(seconds=waited.total_seconds()) == 0
        assert fresh(row).attempts == number
        assert fresh(row).drop_reason == ""
        assert send(seconds=(waited + pause).total_seconds() - 5) == 0
        assert fresh(row).attempts == number
        waited += pause + timedelta(seconds=5)
    assert abs(waited - THREE_DAYS) < timedelta(hours=6)
    assert send(seconds=waited.total_seconds()) == 0
    assert (fresh(row).drop_reason, fresh(row).sent_at) == (email_sending.UNDELIVERABLE, None)
    assert fresh(row).server_reply == "450 4.2.2 The mailbox is full"
    office.heal()
    assert send(days=30) == 0


def test_it_leaves_once_the_server_takes_it(office: Office) -> None:
    office.refuse("DATA", "451 4.3.0 Greylisted", times=2)
    row = waiting()
    assert [send(), send(minutes=2), send(minutes=10)] == [0, 0, 1]
    assert fresh(row).attempts == 2
    assert fresh(row).server_reply == ""
    assert len(office.items) == 1


@pytest.mark.parametrize(
    ("stage", "reply", "dropped", "days"),
    [
        ("RCPT", "550 5.1.1 Nobody here", email_sending.REFUSED, 1),
        ("RCPT", "553 no such thing", email_sending.REFUSED, 1),
        ("RCPT", "550 5.7.1 Relaying denied", "", 0),
        ("DATA", "554 5.6.0 Bad content", email_sending.REFUSED, 0),
        ("DATA", "554 5.7.1 Looks like an advert", "", 0),
        ("MAIL", "552 5.3.4 Too large", email_sending.REFUSED, 0),
        ("MAIL", "550 5.1.8 Who are you?", "", 0),
    ],
)
def test_refused_for_good_or_for_what_may_be_mended(
    office: Office, stage: str, reply: str, dropped: str, days: int
) -> None:
    office.refuse(stage, reply, times=1)
    row, other = waiting("Flora"), waiting("Edmond")
    assert send() == 1
    assert fresh(other).sent_at is not None
    assert fresh(row).drop_reason == dropped
    assert fresh(row).server_reply == reply
    assert sum(len(one.bounce_days) for one in BouncedAddress.objects.all()) == days
    assert send(minutes=2) == (0 if dropped else 1)


@pytest.mark.parametrize(
    ("stage", "reply"),
    [
        ("EHLO", "554 Go away"),
        ("MAIL", "421 4.3.2 Closing"),
        ("MAIL", "530 5.7.0 Sign in first"),
        ("RCPT", "530 5.7.0 Sign in first"),
    ],
)
def test_a_server_that_refuses_all_costs_no_mail_a_try(office: Office, stage: str, reply: str) -> None:
    office.refuse(stage, reply)
    rows = [waiting("Flora"), waiting("Edmond")]
    assert send() == 0
    assert [fresh(row).attempts for row in rows] == [0, 0]
    assert [fresh(row).claimed_by for row in rows] == ["", ""]
    gate = SendLock.objects.get()
    assert (gate.failure_count, gate.closed_until is not None) == (1, True)
    office.heal()
    assert send() == 0  # it is left in peace for a while
    assert send(minutes=1) == 2
    assert SendLock.objects.get().failure_count == 0


@pytest.mark.parametrize("stage", ["RCPT", "DATA"])
def test_a_server_that_hangs_up_on_one_takes_the_others(office: Office, stage: str) -> None:
    office.refuse(stage, "421 4.7.0 Not for him", to=FLORA)
    bad, good = waiting("Flora"), waiting("Edmond")
    assert send() == 1
    assert (fresh(bad).attempts, fresh(good).sent_at is not None) == (1, True)


def test_the_pauses_of_a_server_grow(office: Office) -> None:
    office.refuse("EHLO", "554 Go away")
    waiting()
    lengths = []
    for _ in range(6):
        begun = timezone.now()
        send()
        opens = SendLock.objects.get().closed_until
        assert opens is not None
        lengths.append(round((opens - begun).total_seconds() / 10) * 10)
        open_gate()
        OutboundEmail.objects.update(due_at=begun)
    assert lengths == [30, 60, 120, 300, 600, 600]


def test_a_wrong_password(office: Office, settings: Any) -> None:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "site", "un autre"
    row = waiting()
    assert send() == 0
    assert fresh(row).attempts == 0
    settings.EMAIL_HOST_PASSWORD = PASSWORD
    assert send(minutes=1) == 1


def test_nobody_at_the_port(settings: Any) -> None:
    with open_office() as gone:
        there = gone.settings
    for name, value in there.items():
        setattr(settings, name, value)
    row = waiting()
    assert send() == 0
    assert fresh(row).attempts == 0
    with open_office(there["EMAIL_PORT"]) as back:
        assert send(minutes=1) == 1
        assert len(back.items) == 1


def test_a_line_cut_after_the_mail_was_taken(office: Office) -> None:
    """Nobody can know whether it was: it is handed over again as the same mail."""
    office.drops = 1
    row = waiting()
    assert send() == 0
    assert fresh(row).attempts == 1
    correspond("Flora")
    assert send(minutes=2) == 1
    first, second = office.items
    assert first.data == second.data
    assert first.mail["Message-ID"] == second.mail["Message-ID"]


def test_a_mail_at_which_a_server_breaks_off_stops_no_other(office: Office) -> None:
    office.drops = 1
    bad, good = waiting("Flora"), waiting("Edmond")
    assert send() == 1
    assert (fresh(bad).attempts, fresh(good).sent_at is not None) == (1, True)


def test_a_server_that_breaks_off_at_all_is_left_in_peace(office: Office) -> None:
    office.drops = 99
    rows = [waiting(name) for name in ("Flora", "Edmond", "Théa", "Roman", "Agathe")]
    assert send() == 0
    assert sum(fresh(row).attempts for row in rows) == email_sending.BROKEN
    assert SendLock.objects.get().failure_count == 1


def test_a_slow_server_is_waited_for_and_not_too_long(office: Office, settings: Any) -> None:
    settings.EMAIL_TIMEOUT = 0.3
    office.pause = 0.1
    waiting()
    assert send() == 1
    office.pause = 0.8
    row = waiting()
    assert send() == 0
    assert fresh(row).attempts == 1
    office.heal()


def test_the_log_holds_no_address_and_no_words(office: Office, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    office.refuse("RCPT", f"550 5.1.1 <{FLORA}>: nobody", to=FLORA)
    office.refuse("DATA", f"451 4.3.0 {EDMOND} is full", to=EDMOND)
    for name in ("Flora", "Edmond"):
        waiting(name, text="Un secret d’État.")
    send()
    office.refuse("EHLO", f"554 {FLORA}, go away")
    waiting("Théa")
    send()
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("talleyrand")]
    assert len(ours) == 3
    assert not any("exemple" in line or "secret" in line for line in ours)


@pytest.mark.long
def test_a_mail_that_cannot_be_written_waits_for_the_mended_site(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = waiting("Flora", text="x"), waiting("Edmond")
    whole = message_builder.build_email

    def broken(row: OutboundEmail, to: str) -> message_builder.BuiltEmail:
        if row.text == "x":
            raise ValueError(to)
        return whole(row, to)

    monkeypatch.setattr(message_builder, "build_email", broken)
    assert send() == 1
    assert (fresh(bad).attempts, fresh(good).sent_at is not None) == (1, True)
    assert not any("exemple" in line for line in caplog.messages)
    monkeypatch.undo()


@pytest.mark.parametrize(
    "code",
    [
        *(
            email_sending.INACTIVE,
            email_sending.NO_ADDRESS,
            email_sending.NO_LONGER,
            email_sending.UNDELIVERABLE,
            email_sending.REFUSED,
        ),
        *(
            email_queue.PAUSED_REASON,
            email_sending.RESTORED,
            email_invitations.JOINED,
            email_invitations.DECLINED,
            email_invitations.WITHDRAWN,
        ),
    ],
)
def test_every_reason_has_words(code: str) -> None:
    assert email_queue.drop_reason_text(code)


# one after another


def test_answers_first_then_reports_letters_and_news(office: Office) -> None:
    now = timezone.now()
    for kind in ("news", "letter", "report", "answer"):
        waiting("Flora", kind=kind, subject=kind, due=now)
    assert send() == 4
    assert [item.mail["Subject"] for item in office.items] == ["answer", "report", "letter", "news"]


def test_whoever_floods_us_waits_behind_everybody(office: Office) -> None:
    now = timezone.now()
    for number in range(6):
        waiting("Flora", kind="answer", subject=f"flood {number}", due=now)
    for kind in ("report", "letter", "news"):
        waiting("Edmond", kind=kind, subject=kind, due=now)
    waiting("Edmond", kind="answer", subject="answer", due=now)
    assert send() == 10
    sent = [item.mail["Subject"] for item in office.items]
    assert sent[:4] == ["flood 0", "flood 1", "flood 2", "answer"]
    assert sent[4:7] == ["report", "letter", "news"]
    assert sent[7:] == ["flood 3", "flood 4", "flood 5"]


def test_nobody_starves(office: Office) -> None:
    waiting("Flora", kind="news", subject="old", due=timezone.now() - timedelta(minutes=16))
    waiting("Flora", kind="answer", subject="new")
    assert send() == 2
    assert [item.mail["Subject"] for item in office.items] == ["old", "new"]


@override_settings(MAILS_PER_MINUTE=3)
def test_the_pace(office: Office) -> None:
    for _ in range(8):
        waiting("Flora")
    assert [send(), send(), send(seconds=30)] == [3, 0, 0]
    assert [send(seconds=63), send(seconds=64)] == [3, 0]
    assert send(seconds=130) == 2


@override_settings(MAILS_PER_MINUTE=2)
def test_refusals_count_for_the_pace_and_what_never_leaves_does_not(office: Office) -> None:
    office.refuse("RCPT", "450 4.2.0 Later", times=1)
    gone = waiting("Théa", game=table(), power="FRANCE")
    for name in ("Flora", "Edmond", "Roman"):
        waiting(name)
    assert send() == 1
    assert fresh(gone).drop_reason == email_sending.NO_LONGER
    assert OutboundEmail.objects.filter(sent_at=None, drop_reason="", attempts=0).count() == 1


@override_settings(MAILS_PER_MINUTE=1)
def test_a_clock_that_was_put_back_stops_nothing(office: Office) -> None:
    waiting()
    assert send(hours=3) == 1
    waiting()
    assert send() == 1
