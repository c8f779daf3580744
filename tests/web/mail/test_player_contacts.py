"""The game master sees of each power when it was last heard of, failed mails, and absences."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from allauth.usersessions.models import UserSession
from django.utils import timezone

from talleyrand.web.games import phase_adjudication, power_assignments
from talleyrand.web.games.models import Game, GameSeat
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_storage
from talleyrand.web.mail.models import BouncedAddress, InboundDelivery, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.player_contacts import PlayerContact, player_contacts
from tests.web.cast import ASSISTANT, MASTER, PLAYERS, client_of, person
from tests.web.games.acting import fresh, hand_in
from tests.web.games.desks import page_of
from tests.web.mail.correspondents import correspond
from tests.web.mail.masters import directed, led, said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

NOON = datetime(2026, 3, 12, 12, tzinfo=ZoneInfo("Europe/Paris"))


def write(game: Game, name: str, power: str, at: datetime, outcome: str = "taken") -> None:
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, correspond(name), power)
    kept = inbound_storage.store_email(f"Subject: {at}\r\n\r\nA".encode(), [box], "", at)
    InboundDelivery.objects.filter(email=kept).update(outcome=outcome)


def test_last_contacts() -> None:
    """By mail, by orders and by a visit, each with its day; what a machine wrote is nothing of a person's."""
    game = led()
    flora = person("Flora")
    write(game, "Flora", "FRANCE", NOON)
    write(game, "Flora", "FRANCE", NOON + timedelta(days=3), outcome="automatic")
    hand_in(game, "FRANCE", ["A PAR H"], at=NOON + timedelta(days=1), by=flora)
    UserSession.objects.create(user=flora, session_key="x", ip="127.0.0.1", user_agent="")
    UserSession.objects.update(last_seen_at=NOON + timedelta(days=2))
    found = player_contacts(game)
    day = timedelta(days=1)
    assert found["FRANCE"] == PlayerContact(NOON, NOON + day, NOON + 2 * day)
    assert found["ITALY"] == PlayerContact()
    answer = said(directed(game, "état"))
    told = "courriel le 12 mars 2026, ordres le 13 mars 2026, visite du site le 14 mars 2026."
    assert f"- France : Derniers contacts : {told}" in " ".join(answer.split())
    assert "- Italie : Aucun contact pour l’instant." in answer


def test_failed_mails() -> None:
    game = led()
    for number, reason in enumerate(("refused", "undeliverable", "overtaken", "")):
        OutboundEmail.objects.create(
            person=person("Flora"), game=game, kind="x", idempotency_key=str(number), subject="", text="",
            drop_reason=reason,
        )  # fmt: skip
    BouncedAddress.objects.create(person=person("Flora"), address="x", paused_at=timezone.now())
    found = player_contacts(game)["FRANCE"]
    assert (found.failed_mails, found.is_paused) == (2, True)
    answer = said(directed(game, "état"))
    assert "2 courriels ne sont pas arrivés. Des courriels sont revenus : plus rien n’est envoyé." in answer


def test_absences_over_the_whole_game() -> None:
    """Of movement phases, in which the power had units; a phase that was rolled back counts no more."""
    game = led()
    hand_in(game, "FRANCE", at=timezone.now())
    phase_adjudication.adjudicate_phase(fresh(game), 1, timezone.now())
    phase_adjudication.adjudicate_phase(fresh(game), 2, timezone.now())
    found = player_contacts(game)
    assert (found["FRANCE"].missed_phases, found["FRANCE"].due_phases) == (1, 2)
    assert (found["ITALY"].missed_phases, found["ITALY"].due_phases) == (2, 2)
    assert "Phases de mouvement sans ordres : 1 sur 2." in said(directed(game, "status"))


def test_whoever_played_before_is_not_meant() -> None:
    game = led()
    write(game, "Flora", "FRANCE", NOON)
    power_assignments.end_assignment(game, "FRANCE")
    assert player_contacts(game)["FRANCE"] == PlayerContact()
    assert "- France : " not in said(directed(game, "état")).partition("JOUEURS")[2]
    assert "- Italie : Aucun contact pour l’instant." in said(directed(game, "état"))


def test_at_the_desk() -> None:
    """For game masters; assistants and answers to other commands tell nothing of it."""
    game = led()
    write(game, PLAYERS["ITALY"], "ITALY", NOON)
    shown = re.sub(r"\s+", " ", page_of(game))
    assert "courriel le 12 mars 2026" in shown
    assert "Aucun contact pour l’instant." in shown
    for_assistant = page_of(game, client=client_of(ASSISTANT))
    assert "12 mars 2026" not in for_assistant
    assert "Aucun contact pour l’instant" not in for_assistant
    assert "12 mars 2026" not in said(directed(game, "pause"))


def test_phases_missed_are_told_once_in_a_row_of_the_desk() -> None:
    """Those missed last are told where they are not all that were missed."""
    game = led()
    phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    assert "Phases de mouvement sans ordres : 1 sur 1." in page_of(game).replace("\u00a0", " ")
    assert "phase de mouvement manquée" not in page_of(game)
    GameSeat.objects.filter(game=game).update(missed_phases=2)
    assert "les 2 dernières phases de mouvement manquées" in page_of(game)
    assert "Phases de mouvement sans ordres" not in page_of(game, client=client_of(ASSISTANT))


def test_in_english() -> None:
    game = led()
    write(game, "Flora", "FRANCE", NOON)
    reader = person(MASTER)
    reader.language = "en"
    reader.save()
    assert "- France: Last contact: email 12 March 2026." in said(directed(game, "status"))


def test_refused_mails_are_shown_without_what_they_say() -> None:
    """The last one of each power since the phase opened, until orders are received."""
    game = led()
    now = timezone.now()
    write(game, "Flora", "FRANCE", now - timedelta(hours=3), outcome="no_orders")
    write(game, "Flora", "FRANCE", now - timedelta(hours=2), outcome="unfit")
    for minutes, outcome in enumerate(("repeated", "automatic", "answered", "")):
        write(game, "Flora", "FRANCE", now - timedelta(minutes=90 - minutes), outcome=outcome)
    write(game, PLAYERS["ITALY"], "ITALY", now - timedelta(days=3), outcome="unfit")
    assert {power: one.refused for power, one in player_contacts(game).items() if one.refused} == {
        "FRANCE": "unfit"
    }
    answer = said(directed(game, "état"))
    assert "Le texte est trop long ou contient des caractères abîmés" in answer
    assert "Le texte est trop long" in page_of(game)
    assert "Le texte est trop long" not in page_of(game, client=client_of(ASSISTANT))
    hand_in(game, "FRANCE", at=now)
    assert not player_contacts(game)["FRANCE"].refused
