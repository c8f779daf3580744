"""The desk’s list of orders that came too late by mail: whose it is, and what a button lets in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from talleyrand.web.games import order_submission, phase_adjudication
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.mailed_orders import late_orders
from talleyrand.web.mail.models import InboundDelivery, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.subscriptions import subscribing
from talleyrand.web.notifications.models import Notification
from tests.web import cast
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of
from tests.web.games.acting import HOUR, all_hand_in, fresh, hand_in
from tests.web.games.desks import page_of
from tests.web.mail.collected import flowing, last, sweep
from tests.web.mail.correspondents import correspond
from tests.web.mail.masters import directed, led, said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


def overdue() -> Game:
    """A game that waits for its game master, past its deadline."""
    game = led(absent="wait")
    all_hand_in(game, but=("FRANCE", "ITALY"), at=timezone.now())
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - HOUR, next_check_at=None)
    return fresh(game)


def orders(game: Game, text: str = "A Par - Bur\nF Bre - Man", power: str = "FRANCE") -> InboundDelivery:
    """Orders by mail to a game whose deadline is over."""
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, correspond(PLAYERS[power]), power)
    data = f"From: x@y.fr\r\nSubject: ordres\r\nMessage-ID: <{hash(text)}@y>\r\n\r\n{text}\r\n".encode()
    arrival = inbound_storage.store_email(data, [box], "", timezone.now()).arrivals.get()
    assert inbound_processing.process_due_mail(timezone.now()) == 1
    arrival.refresh_from_db()
    assert arrival.outcome == MailOutcome.LATE
    return arrival


def place(game: Game, more: str = "") -> str:
    return f"/parties/{game.key}/courriel/en-retard/{more}"


def page(game: Game, name: str = MASTER) -> Any:
    return client_of(name).get(place(game))


def let_in(game: Game, arrival: InboundDelivery | str, client: Client | None = None) -> Any:
    mail = str(arrival.pk) if isinstance(arrival, InboundDelivery) else arrival
    return (client or client_of(MASTER)).post(place(game, "accepter/"), {"mail": mail}, follow=True)


@pytest.mark.long
def test_shown_and_let_in() -> None:
    game = overdue()
    arrival = orders(game)
    assert "1 courriel avec des ordres en retard." in page_of(game)
    text = page(game).text
    assert "France" in text
    assert "F Bre - Man" in text
    answer = let_in(game, arrival)
    assert "Ordres en retard acceptés\u00a0: France." in answer.text
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines == ["A Par - Bur", "F Bre - Man"]
    assert "F Bre - Man" not in page(game).text
    assert "ordres en retard" not in page_of(game)
    assert OutboundEmail.objects.filter(kind="granted", person__name="Flora").count() == 1


@pytest.mark.long
def test_several_and_twice() -> None:
    game = overdue()
    first, second = orders(game), orders(game, "A Par - Pic")
    orders(game, "A Ven - Tri", "ITALY")
    assert "3 courriels avec des ordres en retard" in page_of(game)
    let_in(game, second)
    let_in(game, second)
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines == ["A Par - Pic"]
    assert game.sheets.filter(power="FRANCE").count() == 1
    assert "Aucun changement" in let_in(game, first).text
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines == ["A Par - Pic"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", [ASSISTANT, "Flora", "Théa", OBSERVER, STRANGER])
def test_for_nobody_else(name: str) -> None:
    """Secret sheets are the game master’s alone."""
    game = overdue()
    arrival = orders(game)
    assert page(game, name).status_code == 404
    assert let_in(game, arrival, client_of(name)).status_code == 404
    if name == ASSISTANT:
        assert "ordres en retard" not in page_of(game, client=client_of(ASSISTANT))
    assert "FRANCE" not in order_submission.counting_order_sets(game, 1)


def test_for_no_visitor() -> None:
    game = overdue()
    arrival = orders(game)
    assert Client().get(place(game)).status_code == 404
    assert let_in(game, arrival, Client()).status_code == 404


@pytest.mark.parametrize("sent", ["", "0", "-1", "x", "9999999999999", "\x00", "²"])
def test_no_such_mail(sent: str) -> None:
    assert let_in(overdue(), sent).status_code == 404


def test_a_mail_to_another_game_or_another_door() -> None:
    game, other = overdue(), led()
    arrival = orders(game)
    assert let_in(other, arrival).status_code == 404
    box = mailboxes.get_mailbox(MailboxPurpose.DESK, game, correspond(MASTER), "@")
    letter = inbound_storage.store_email(b"Subject: x\r\n\r\ny", [box], "", timezone.now()).arrivals.get()
    assert let_in(game, letter).status_code == 404


def test_when_the_phase_is_over() -> None:
    game = overdue()
    arrival = orders(game)
    Game.objects.filter(pk=game.pk).update(phase_number=2)
    assert "F Bre - Man" not in page(game).text
    assert "Aucun changement" in let_in(game, arrival).text


def resolved() -> Game:
    """A game in its second phase; nobody of France has ordered in the first."""
    game = led(absent="disorder")
    all_hand_in(game, but=("FRANCE",), at=timezone.now())
    phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    return fresh(game)


SHEET = "A Par - Bur\nF Bre - Man\nA Mar S A Par - Bur"


def orders_after(
    game: Game,
    subject: str = "Re: [La table ronde · Printemps 1901, mouvements]",
    sheet: str = SHEET,
    at: datetime | None = None,
) -> InboundDelivery:
    """An answer to a mail about the phase that has been resolved a moment ago."""
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, correspond(PLAYERS["FRANCE"]), "FRANCE")
    once = f"{hash((subject, sheet))}.{InboundDelivery.objects.count()}"
    data = f"From: x@y.fr\r\nSubject: {subject}\r\nMessage-ID: <{once}@y>\r\n\r\n{sheet}\r\n".encode()
    row = inbound_storage.store_email(data, [box], "", at or timezone.now()).arrivals.get()
    assert inbound_processing.process_due_mail(timezone.now()) == 1
    row.refresh_from_db()
    return row


@pytest.mark.long
def test_too_late_by_ten_seconds_is_told_and_let_in_with_one_button() -> None:
    game = resolved()
    row = orders_after(game)
    assert (row.outcome, row.facts["why"], row.facts["number"]) == (MailOutcome.OTHER_PHASE, "past", 1)
    told = flowing(last(PLAYERS["FRANCE"], "answer").text)
    assert "Trop tard : cette phase (Printemps 1901, mouvements) a été résolue le" in told.replace(
        "\u00a0", " "
    )
    assert "sans ordres de votre part" in told
    assert "Le MJ est prévenu" in told
    assert Notification.objects.filter(kind="resolved_orders", person__name=cast.MASTER).count() == 1
    assert "1 courriel avec des ordres en retard." in page_of(game)
    text = page(game).text
    assert "Trop tard pour Printemps 1901" in text.replace("\u00a0", " ")
    assert "Aucun ordre en retard" not in text
    assert "F Bre - Man" in text
    master, sent = client_of(MASTER), {"mail": str(row.pk), "on": "1", "revision": "1"}
    for _ in range(2):  # two clicks
        answer = master.post(place(game, "accepter/"), sent, follow=True)
    assert answer.status_code == 200
    assert fresh(game).phase_number == 1
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines[0] == "A Par - Bur"
    assert "ordres en retard" not in page_of(game)


def test_what_was_resolved_is_rolled_back_by_its_game_master_alone() -> None:
    game = resolved()
    sent = {"mail": str(orders_after(game).pk), "on": "1", "revision": "1"}
    for name in (ASSISTANT, "Flora", "Théa", OBSERVER, STRANGER):
        assert client_of(name).post(place(game, "accepter/"), sent).status_code == 404
    for wrong in ({"on": "2"}, {"on": "x"}, {"revision": "7"}):
        client_of(MASTER).post(place(game, "accepter/"), sent | wrong)
    assert fresh(game).phase_number == 2


def test_once_the_next_phase_is_resolved_too_nothing_waits_any_more() -> None:
    game = resolved()
    orders_after(game)
    phase_adjudication.adjudicate_phase(game, 2, timezone.now())
    assert "ordres en retard" not in page_of(game)


def before_it_opened(game: Game) -> datetime:
    assert game.phase_opened_at is not None
    return game.phase_opened_at - timedelta(seconds=1)


def test_whoever_was_only_ready_too_late_has_no_empty_sheet_to_accept() -> None:
    """It would take away the orders that counted."""
    game = resolved()
    subject = "ordres"
    row = orders_after(game, subject, "prêt", before_it_opened(game))
    assert (row.outcome, row.facts["why"], row.facts.get("lines")) == (
        MailOutcome.OTHER_PHASE,
        "before",
        None,
    )
    assert "Revenir en arrière et accepter" not in page(game).text
    assert not Notification.objects.filter(kind="resolved_orders").exists()
    empty = orders_after(game, subject, "aucun ordre", before_it_opened(game))
    assert empty.facts["lines"] == []
    assert "Vide" in page(game).text
    assert Notification.objects.filter(kind="resolved_orders", person__name=cast.MASTER).count() == 1


def test_a_mail_from_before_the_phase_that_names_the_one_before_it_is_too_late_for_that() -> None:
    game = resolved()
    assert orders_after(game, at=before_it_opened(game)).facts["why"] == "past"
    assert "a été résolue le" in flowing(last(PLAYERS["FRANCE"], "answer").text)


def test_nothing_is_rolled_back_for_orders_that_cannot_be_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    game = resolved()
    row = orders_after(game)
    sent = {"mail": str(row.pk), "on": "1", "revision": "1"}
    facts = row.facts
    InboundDelivery.objects.filter(pk=row.pk).update(facts={**facts, "number": 9})
    answer = client_of(MASTER).post(place(game, "accepter/"), sent, follow=True)
    assert "Aucun changement" in answer.text
    assert fresh(game).phase_number == 2
    InboundDelivery.objects.filter(pk=row.pk).update(facts=facts)
    with monkeypatch.context() as patched:
        patched.setattr(late_orders, "_tell", lambda *_: 1 / 0)  # it ends there: the receipt is not written
        with pytest.raises(ZeroDivisionError):
            client_of(MASTER).post(place(game, "accepter/"), sent)
    assert fresh(game).phase_number == 2
    assert not Notification.objects.filter(kind="taken_back").exists()
    client_of(MASTER).post(place(game, "accepter/"), sent)
    assert fresh(game).phase_number == 1


def test_the_game_master_hears_of_each_time_that_it_is_too_late() -> None:
    game = resolved()
    sent = {"mail": str(orders_after(game).pk), "on": "1", "revision": "1"}
    client_of(MASTER).post(place(game, "accepter/"), sent)
    phase_adjudication.adjudicate_phase(fresh(game), 1, timezone.now())
    orders_after(fresh(game), sheet="A Par - Pic")
    assert Notification.objects.filter(kind="resolved_orders", person__name=cast.MASTER).count() == 2
    told = flowing(last(PLAYERS["FRANCE"], "answer").text)
    assert "avec les ordres déjà enregistrés" in told


def test_a_correction_is_not_the_time_at_which_the_phase_was_resolved() -> None:
    game = resolved()
    found = game.revisions.get(phase_number=1, is_current=True)
    game.revisions.filter(pk=found.pk).update(
        is_current=False, published_at=datetime(2026, 3, 1, 11, 22, 33, tzinfo=UTC)
    )
    found.pk, found.revision, found.kind, found.is_current = None, 2, "override", True
    found.save()
    orders_after(game)
    assert "1er mars à 12:22:33" in flowing(last(PLAYERS["FRANCE"], "answer").text)


def test_where_the_game_is_over_its_master_reads_that_it_goes_on() -> None:
    game = resolved()
    row = orders_after(game)
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED, phase="", ended_at=timezone.now())
    assert "La partie était finie" in page(game).text
    client_of(MASTER).post(place(game, "accepter/"), {"mail": str(row.pk), "on": "1", "revision": "1"})
    assert (fresh(game).state, fresh(game).phase_number) == (GameState.PLAYING, 1)


def test_orders_too_late_for_the_phase_that_ended_the_game_are_kept_too() -> None:
    game = resolved()
    last_one = game.revisions.get(phase_number=1, is_current=True)
    game.revisions.filter(pk=last_one.pk).update(next_situation=None)
    Game.objects.filter(pk=game.pk).update(
        state=GameState.ENDED, phase="", phase_number=1, ended_at=timezone.now()
    )
    row = orders_after(fresh(game))
    told = flowing(last(PLAYERS["FRANCE"], "answer").text)
    assert "Le MJ est prévenu" in told
    assert "phase en cours" not in told
    assert "La partie était finie" in page(game).text
    client_of(MASTER).post(place(game, "accepter/"), {"mail": str(row.pk), "on": "1", "revision": "1"})
    assert (fresh(game).state, fresh(game).phase) == (GameState.PLAYING, "S1901M")
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines[1] == "F Bre - Man"


def test_an_assistant_alone_is_no_game_master_to_be_told() -> None:
    game = resolved()
    game.memberships.filter(person__name=MASTER).update(left_at=timezone.now())
    orders_after(game)
    assert "Le MJ est prévenu" not in flowing(last(PLAYERS["FRANCE"], "answer").text)


def test_by_post_only() -> None:
    game = overdue()
    orders(game)
    assert client_of(MASTER).get(place(game, "accepter/")).status_code == 405
    with override_settings(HAS_PLAY_BY_MAIL=False):
        assert page(game).status_code == 404
        assert "ordres en retard" not in page_of(game)


def test_none_waits() -> None:
    assert "Aucun ordre en retard." in page(overdue()).text


def test_the_mail_that_tells_of_them_says_what_to_answer() -> None:
    game = overdue()
    master = correspond(MASTER)
    subscribing.subscribe(game, master)
    sweep()
    orders(game)
    sweep()
    told = flowing(last(MASTER).text)
    assert "en retard : vous pouvez les accepter" in told
    assert "Répondez « acceptez France » pour les accepter." in told


@pytest.mark.long
def test_by_mail_the_game_master_is_asked_before_a_phase_is_rolled_back_for_late_orders() -> None:
    game = resolved()
    subscribing.subscribe(game, correspond(MASTER))
    sweep()
    orders_after(game)
    sweep()
    assert "Répondez « acceptez France » pour les accepter." in flowing(last(MASTER).text)
    asked = said(directed(game, "acceptez France"))
    assert "France : ces ordres comptent alors : A Par - Bur, F Bre - Man, A Mar S A Par - Bur." in asked
    assert "Cette phase est rouverte : Printemps 1901, mouvements." in asked
    assert fresh(game).phase_number == 2
    assert "rien n’a été fait" in said(directed(game, "non"))
    assert fresh(game).phase_number == 2
    directed(game, "acceptez France")
    assert directed(game, "oui").outcome == MailOutcome.DONE
    assert fresh(game).phase_number == 1
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines == SHEET.splitlines()
    assert OutboundEmail.objects.filter(kind="granted", person__name="Flora").count() == 1
    assert "Pas d’ordres en retard" in said(directed(game, "acceptez France"))
    assert "Pas d’ordres en retard" in said(directed(game, "acceptez Italie"))


def test_what_changed_since_the_question_is_asked_anew() -> None:
    game = resolved()
    orders_after(game)
    directed(game, "acceptez France")
    hand_in(game, "ENGLAND", ["F Lon H"], at=timezone.now())
    assert "Ordres de la phase en cours déjà reçus : Angleterre." in said(directed(game, "oui"))
    assert fresh(game).phase_number == 2
    assert directed(game, "oui").outcome == MailOutcome.DONE
    assert fresh(game).phase_number == 1
