"""Mail of tournaments leaves in the site's name, so often a day and no more, whoever sends at that moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes, policy
from threading import Barrier
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.model import EventPerson, PrivateFacts
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.mail.models import OutboundEmail
from talleyrand.web.mail.outbound import message_builder
from talleyrand.web.settings.mail_server import SENDS
from talleyrand.web.tournaments import access_tokens, event_journal, tournament_creation, tournament_mail
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.notifications import notification_mail, pending_notifications
from talleyrand.web.tournaments.public_site import link_mail
from tests.web import cast
from tests.web.tournaments import hall, scene, weekend
from tests.web.tournaments.test_hall_doors import signed_up

pytestmark = pytest.mark.django_db
DAY = 86_400
POSING = "Banque Postale : votre compte sur https://evil.example est bloqué"


@pytest.fixture(autouse=True)
def _mail(settings: Any) -> None:
    settings.EMAIL_BACKEND, settings.HAS_MAIL, settings.SITE_URL = SENDS, True, "https://jeu.example.org"
    settings.DEFAULT_FROM_EMAIL = "Talleyrand <site@jeu.example.org>"


def limited(settings: Any, **limits: int) -> None:
    """So many in a day."""
    changed = {name: (most, DAY) for name, most in limits.items()}
    settings.TOURNAMENT_MAILS = {
        kind: {**usual, **changed} for kind, usual in settings.TOURNAMENT_MAILS.items()
    }


def sent(made: Tournament, number: int, kind: str = tournament_mail.LINK_MAIL) -> bool:
    """One more mail, to an address of its own."""
    address = f"person{number}@example.org"
    return write_transaction(tournament_mail.queue_tournament_mail)(
        made, tournament_mail.TournamentMail(kind, address, f"{made.key}:{number}", "subject", "text")
    )


def test_a_director_has_so_many_whatever_the_events(settings: Any) -> None:
    limited(settings, director=3)
    first, second = scene.tournament(1), scene.tournament(1)
    assert [sent(first, 1), sent(second, 2), sent(first, 3), sent(second, 4)] == [True, True, True, False]
    other = tournament_creation.create_tournament(weekend.event(), cast.person(cast.STRANGER))
    assert sent(other, 5)
    assert sent(
        first, 6, tournament_mail.NOTIFICATION_MAIL
    )  # strangers who sign up spend nothing of the news
    assert sent(first, 1)  # the same again is no other one
    assert OutboundEmail.objects.count() == 5


def test_who_directs_answers_for_an_event_whose_maker_is_gone(settings: Any) -> None:
    limited(settings, director=1)
    made = scene.tournament(1)
    Tournament.objects.update(creator=None)
    made.refresh_from_db()
    assert tournament_mail.responsible_person(made) == str(scene.director().pk)
    made.memberships.all().delete()
    assert sent(made, 1)
    assert not sent(made, 2)


def test_the_site_has_so_many_whoever_directs(settings: Any) -> None:
    limited(settings, site=2)
    made = [
        tournament_creation.create_tournament(weekend.event(), cast.person(name))
        for name in ("Flora", "Edmond", "Gaspard")
    ]
    assert [sent(one, number) for number, one in enumerate(made)] == [True, True, False]


def test_an_address_has_so_many_and_what_it_refuses_costs_nobody(settings: Any) -> None:
    limited(settings, address=1, director=2)
    made = scene.tournament(1)
    mail = [
        tournament_mail.TournamentMail(tournament_mail.LINK_MAIL, "one@example.org", f"once {at}", "s", "t")
        for at in range(3)
    ]
    assert [write_transaction(tournament_mail.queue_tournament_mail)(made, one) for one in mail] == [
        True,
        False,
        False,
    ]
    assert sent(made, 1)
    assert tournament_mail.mails_used_today(made, tournament_mail.LINK_MAIL) == (2, 2)


@pytest.mark.django_db(transaction=True)
def test_those_who_send_at_the_same_moment_share_what_there_is(settings: Any) -> None:
    limited(settings, director=5)
    made, gate = scene.tournament(1), Barrier(4)

    def send(begin: int) -> int:
        gate.wait()
        try:
            return sum(sent(made, begin + at) for at in range(5))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as crowd:
        assert sum(crowd.map(send, (0, 100, 200, 300))) == 5
    assert OutboundEmail.objects.count() == 5


def test_the_name_of_an_event_poses_as_nobody() -> None:
    made = scene.tournament(1)
    Tournament.objects.filter(pk=made.pk).update(name=POSING)
    made = hall.changed(hall.fresh(made), name=POSING)
    private = PrivateFacts(mail="two@example.org")
    event_journal.perform_acts(
        made,
        [AddPerson(EventPerson("Cliquez sur www.evil.example", private=private))],
        event_journal.JournalActor(),
    )
    made = hall.fresh(made)
    assert link_mail.send_own_link(made, access_tokens.token_of(made, 1), "One@example.org")
    news = pending_notifications.PendingNotification(
        "prizes 2", "shown", 2, pending_notifications.PRIZES, "prizes_shown"
    )
    assert write_transaction(notification_mail.mail_notification)(made, hall.event(made), news)
    assert OutboundEmail.objects.count() == 2
    for one in OutboundEmail.objects.all():
        left = message_from_bytes(message_builder.build_email(one, one.address).data, policy=policy.default)
        assert left["From"] == "Talleyrand <site@jeu.example.org>"
        assert left["Subject"].startswith(
            ("Tournoi «\u00a0…\u00a0»", "Votre lien pour le tournoi «\u00a0…\u00a0»")
        )
        assert not any(word in left.as_string() for word in ("evil", "Banque"))


def test_a_long_name_is_cut() -> None:
    assert tournament_mail.safe_title("é" * 100) == "é" * 60 + "…"
    assert tournament_mail.safe_title("Angers 2026") == "Angers 2026"


def test_the_director_sees_how_many_have_left_and_that_no_more_do(settings: Any) -> None:
    made = scene.tournament(1)
    desk, way = cast.client_of(cast.MASTER), f"/tournois/{made.key}/bureau/notifications/"
    sent(made, 1)
    page = hall.text(desk.get(way))
    assert "0 courriels de notification sur 5000, 1 avec un lien personnel sur 300" in page
    assert "avant minuit" not in page
    limited(settings, director=1)
    assert "Plus aucun ne part avant minuit (UTC). Chacun a tout sur sa" in hall.text(desk.get(way))


def test_who_signs_up_after_the_last_mail_is_not_told_that_one_is_on_its_way(settings: Any) -> None:
    limited(settings, director=0)
    client, made = Client(), scene.tournament(1)
    assert signed_up(client, made, mail="one@example.org").status_code == 302
    page = hall.text(client.get(hall.path(made, "mine")))
    assert "courriel" not in page.partition("<main")[2].partition("</ul>")[0]
    assert f"/entrer/{access_tokens.token_of(made, 2).token}/" in page  # the link is shown
    assert not OutboundEmail.objects.exists()


def test_news_that_found_no_turn_leave_what_waits_as_it_is(settings: Any) -> None:
    made = hall.playing()
    known = hall.event(made).people[1]
    people = {
        **hall.event(made).people,
        1: EventPerson(known.name, private=PrivateFacts(mail="one@example.org")),
    }
    made = hall.changed(made, people=people)
    news = [
        pending_notifications.PendingNotification(
            "seat 1 1", at, 1, pending_notifications.SEATS, "seat_none", {"round": 1}
        )
        for at in "ab"
    ]
    assert write_transaction(notification_mail.mail_notification)(made, hall.event(made), news[0])
    limited(settings, director=1)
    Tournament.objects.filter(pk=made.pk).update(version=made.version + 1)
    assert not write_transaction(notification_mail.mail_notification)(
        hall.fresh(made), hall.event(made), news[1]
    )
    assert OutboundEmail.objects.get().drop_reason == ""


def test_a_championship_of_two_hundred_and_ten_fits_into_a_day(settings: Any) -> None:
    """Seats, changes, results to confirm and votes of four rounds, and the prizes."""
    people, boards, rounds = 210, 30, 4
    most, _seconds = settings.TOURNAMENT_MAILS[tournament_mail.NOTIFICATION_MAIL]["director"]
    assert most >= rounds * (people + 6 * boards * 3) + people
