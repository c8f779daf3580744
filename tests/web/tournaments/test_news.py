"""Each person of an event is told what concerns himself, once, in the ways that are wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.end_vote_acts import OpenEndVote, ProposeEnd
from talleyrand.tournament.acts.event_acts import FinishEvent
from talleyrand.tournament.acts.result_acts import ConfirmResult, EnterResult, result_digest
from talleyrand.tournament.acts.round_acts import CancelRound
from talleyrand.tournament.acts.seating_acts import PublishDraft, ReplacePlayer, SwapSeats, UnpublishDraft
from talleyrand.tournament.model import BoardResult, PowerHoldings, RoundState
from talleyrand.web.mail.invitations import email_invitations
from talleyrand.web.mail.models import OutboundEmail, UnsubscribedAddress
from talleyrand.web.mail.outbound import message_builder
from talleyrand.web.notifications import notification_sentences
from talleyrand.web.notifications.models import Notification
from talleyrand.web.settings.mail_server import SENDS
from talleyrand.web.tournaments import (
    access_tokens,
    event_journal,
    private_data,
    tournament_creation,
    tournament_mail,
)
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import AccessToken, Tournament
from talleyrand.web.tournaments.notifications import (
    notification_choices,
    notification_mail,
    notification_sending,
)
from talleyrand.web.tournaments.notifications.models import MailUnsubscription, TournamentNotificationState
from tests.web import cast
from tests.web.tournaments import scene, weekend

pytestmark = pytest.mark.django_db
ROUND, SITS, OTHER, RESTS = 3, 11, 12, 5  # of the weekend: round 3 is a draft here
HOUR = "2026-07-05T09:00:00Z"


@pytest.fixture
def made() -> Tournament:
    """A weekend whose third draw is not shown yet; Agathe sits at a board, Edmond stands down."""
    event = weekend.event()
    rounds = {**event.rounds, ROUND: replace(event.rounds[ROUND], state=RoundState.DRAFT)}
    made = tournament_creation.create_tournament(replace(event, rounds=rounds), scene.director())
    for number, name in ((SITS, "Agathe"), (RESTS, "Edmond")):
        AccessToken.objects.create(tournament=made, person_number=number, account=cast.person(name))
    notification_sending.notify_due_tournaments()
    return made


@pytest.fixture
def _mail(settings: Any) -> None:
    settings.EMAIL_BACKEND, settings.HAS_MAIL, settings.SITE_URL = SENDS, True, "https://jeu.example.org"


def do(made: Tournament, *acts: EventAct) -> None:
    for one in acts:
        event_journal.perform_acts(made, [one], event_journal.JournalActor(scene.director()))
        notification_sending.notify_due_tournaments()


def want(made: Tournament, wish: str = notification_choices.ACCOUNTS) -> None:
    notification_choices.save_audiences(
        made, dict.fromkeys(("seats", "wanted", "results", "votes", "prizes"), wish)
    )


def told(name: str) -> list[str]:
    """What somebody was told, oldest first."""
    news = Notification.objects.filter(person=cast.person(name)).order_by("pk")
    return [notification_sentences.notification_sentence(one.kind, one.facts) for one in news]


def seat(made: Tournament, who: int = SITS) -> tuple[int, str]:
    boards = event_of(Tournament.objects.get(pk=made.pk)).rounds[ROUND].boards
    return next(
        (at, power) for at, one in boards.items() for power, held in one.seats.items() if held.person == who
    )


def swapped(made: Tournament) -> SwapSeats:
    """He and whoever sits first at the other board."""
    at, power = seat(made)
    other = next(one for one in event_of(made).rounds[ROUND].boards if one != at)
    return SwapSeats(ROUND, at, power, other, "AUSTRIA")


# seats


def test_a_seat_is_told_when_it_is_shown_and_again_only_if_it_changes(made: Tournament) -> None:
    assert (told("Agathe"), told("Edmond")) == ([], [])
    do(made, PublishDraft(ROUND))
    (said,) = told("Agathe")
    assert said.startswith("Ronde 3\u00a0: vous jouez l")
    assert said.endswith(f"à la table {seat(made)[0]}.")
    assert told("Edmond") == ["Ronde 3\u00a0: le tirage est publié\u202f; vous ne jouez pas cette ronde."]
    do(made, UnpublishDraft(ROUND), PublishDraft(ROUND))
    assert (len(told("Agathe")), len(told("Edmond"))) == (1, 1)
    do(made, UnpublishDraft(ROUND), swapped(made), PublishDraft(ROUND))
    assert told("Agathe")[1].startswith(
        "Ronde 3\u00a0: votre place a changé. Vous jouez désormais l’Autriche à la table"
    )
    assert len(told("Edmond")) == 1


def test_a_change_that_is_undone_is_told_too(made: Tournament) -> None:
    do(made, PublishDraft(ROUND), swapped(made))
    event_journal.undo_entry(
        made, Tournament.objects.get(pk=made.pk).version, event_journal.JournalActor(scene.director())
    )
    notification_sending.notify_due_tournaments()
    assert len(told("Agathe")) == 3
    assert told("Agathe")[0].endswith(told("Agathe")[2].partition("jouez désormais ")[2])


def test_news_lead_to_ones_own_page_and_name_nobody(made: Tournament) -> None:
    do(made, PublishDraft(ROUND))
    news = Notification.objects.get(person=cast.person("Agathe"))
    assert (news.path, news.topic) == (f"/tournois/{made.key}/moi/", f"tournament:{made.key}")
    names = [one.name for one in event_of(made).people.values()]
    assert [name for name in names if name in str(news.facts)] == []


def test_who_takes_a_seat_over_is_wanted_and_who_leaves_hears_nothing(made: Tournament) -> None:
    want(made)
    do(made, PublishDraft(ROUND), ReplacePlayer(ROUND, *seat(made), RESTS, 3, HOUR))
    assert told("Edmond")[1].startswith("Ronde 3\u00a0: on a besoin de vous. Vous jouez ")
    assert len(told("Agathe")) == 1


def test_nothing_is_told_that_the_director_does_not_want(made: Tournament) -> None:
    want(made, notification_choices.NOBODY)
    do(made, PublishDraft(ROUND), ReplacePlayer(ROUND, *seat(made), RESTS, 3, HOUR), FinishEvent())
    want(made)
    do(made, CancelRound(4))
    assert (told("Agathe"), told("Edmond")) == ([], [])  # nor afterwards


# results, votes, prizes


def entered(made: Tournament, by: int) -> EnterResult:
    at, _power = seat(made)
    seats = event_of(made).rounds[ROUND].boards[at].seats
    return EnterResult(ROUND, at, BoardResult(dict(zip(seats, (5, 5, 5, 5, 5, 5, 4), strict=True))), str(by))


def beside(made: Tournament) -> int:
    """Somebody else of his board."""
    seats = event_of(made).rounds[ROUND].boards[seat(made)[0]].seats.values()
    return next(one.person for one in seats if one.person not in (SITS, None))


def test_a_result_waits_for_the_others_of_the_board(made: Tournament) -> None:
    want(made)
    do(made, PublishDraft(ROUND), entered(made, beside(made)))
    assert told("Agathe")[1:] == [
        f"Ronde 3, table {seat(made)[0]}\u00a0: un résultat attend votre confirmation."
    ]
    stands = event_of(Tournament.objects.get(pk=made.pk)).rounds[ROUND].boards[seat(made)[0]].result
    assert stands is not None
    do(made, ConfirmResult(ROUND, seat(made)[0], str(SITS), result_digest(stands)))
    assert len(told("Agathe")) == 2


def test_who_entered_a_result_is_not_asked_to_confirm_it(made: Tournament) -> None:
    want(made)
    do(made, PublishDraft(ROUND), entered(made, SITS))
    assert len(told("Agathe")) == 1


def test_the_end_is_asked_then_voted_on(made: Tournament) -> None:
    want(made)
    do(made, PublishDraft(ROUND))
    at, mine = seat(made)
    asks = next(one for one in event_of(made).rounds[ROUND].boards[at].seats if one != mine)
    table = {power: PowerHoldings(5, 3, 5, 5, 0) for power in event_of(made).rounds[ROUND].boards[at].seats}
    table[mine] = PowerHoldings(4, 3, 4, 4, 0)
    do(made, ProposeEnd(ROUND, at, asks, "F1904R", table))
    assert "demande la fin de la partie" in told("Agathe")[1]
    do(made, OpenEndVote(ROUND, at, 1))
    assert "votez sur la fin de la partie" in told("Agathe")[2]


def test_prizes_are_announced_once_all_is_shown(made: Tournament) -> None:
    want(made)
    do(made, FinishEvent())
    assert told("Edmond") == ["Les prix sont annoncés."]
    do(made, FinishEvent(over=False), FinishEvent())
    assert len(told("Edmond")) == 1


# crashes


def test_a_crash_in_the_middle_loses_nothing_and_repeats_nothing(
    made: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6, 20):
        AccessToken.objects.get_or_create(
            tournament=made, person_number=number, defaults={"account": cast.person(f"Personne {number}")}
        )
    monkeypatch.setattr(notification_sending, "PEOPLE_A_TRANSACTION", 3)
    usual, calls = notification_sending.PersonNotifier._notify, iter(range(100))

    def failing(teller: notification_sending.PersonNotifier, *told: Any) -> None:
        if next(calls) == 7:
            raise RuntimeError
        usual(teller, *told)

    monkeypatch.setattr(notification_sending.PersonNotifier, "_notify", failing)
    do(made, PublishDraft(ROUND))
    before = Notification.objects.count()
    assert 0 < before < 15
    notification_sending.notify_due_tournaments()
    notification_sending.notify_due_tournaments()
    sat = {one.person_number for one in made.passes.exclude(account=None)}
    assert (
        Notification.objects.count() == len(sat) == Notification.objects.values("person").distinct().count()
    )


def test_one_that_cannot_be_told_stops_no_other(made: Tournament) -> None:
    broken = tournament_creation.create_tournament(weekend.event(), scene.director())
    Tournament.objects.filter(pk=broken.pk).update(document={"name": 3}, state_token="broken")
    do(made, PublishDraft(ROUND))
    assert len(told("Agathe")) == 1
    assert (
        TournamentNotificationState.objects.get(tournament=made).checked_version
        == Tournament.objects.get(pk=made.pk).version
    )


# mail to those without an account


@pytest.mark.usefixtures("_mail")
class TestMail:
    def test_it_goes_to_those_who_have_no_account(self, made: Tournament) -> None:
        do(made, PublishDraft(ROUND))
        assert (
            OutboundEmail.objects.filter(kind=tournament_mail.NOTIFICATION_MAIL).count() == 0
        )  # unless the director wants it
        do(made, UnpublishDraft(ROUND))
        want(made, notification_choices.ALL)
        do(made, swapped(made), PublishDraft(ROUND))
        assert (
            OutboundEmail.objects.filter(kind=tournament_mail.NOTIFICATION_MAIL).count() == 1
        )  # to him who sits elsewhere now
        assert not OutboundEmail.objects.filter(address=f"person{SITS}@example.org").exists()

    def test_its_words(self, made: Tournament) -> None:
        want(made, notification_choices.ALL)
        do(made, PublishDraft(ROUND))
        sent = {
            one.address: one for one in OutboundEmail.objects.filter(kind=tournament_mail.NOTIFICATION_MAIL)
        }
        assert len(sent) == 19 - 2
        one = sent[f"person{OTHER}@example.org"]
        name = event_of(made).people[OTHER].name
        assert f"Bonjour {name}," in one.text
        assert f"Hello {name}," in one.text
        assert f"/en/tournaments/{made.key}/me/" in one.text
        assert [other.name for other in event_of(made).people.values() if other.name in one.text] == [name]
        assert "example.org/tournois" in one.unsubscribe_url
        head = message_builder.build_email(one, one.address).data.decode("ascii").partition("\r\n\r\n")[0]
        assert f"List-Unsubscribe: <{one.unsubscribe_url}>" in head
        assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in head

    def test_one_touch_stops_them(self, made: Tournament) -> None:
        want(made, notification_choices.ALL)
        do(made, PublishDraft(ROUND))
        one = OutboundEmail.objects.get(address=f"person{OTHER}@example.org")
        way = one.unsubscribe_url.removeprefix("https://jeu.example.org")
        robot = Client(enforce_csrf_checks=True)
        assert robot.get(way).status_code == 200
        assert not MailUnsubscription.objects.exists()  # a scanner that looks stops nothing
        for _twice in range(2):
            assert robot.post(way, {"List-Unsubscribe": "One-Click"}).status_code == 200
        assert MailUnsubscription.objects.get().person_number == OTHER
        one.refresh_from_db()
        assert one.drop_reason == notification_mail.UNWANTED
        do(made, UnpublishDraft(ROUND), swapped(made), PublishDraft(ROUND))
        assert OutboundEmail.objects.filter(address=one.address).count() == 1

    @pytest.mark.parametrize("sign", ["zz", f"{OTHER}:zz", "0", "a:b:c"])
    def test_nobody_stops_anothers(self, made: Tournament, sign: str) -> None:
        for method in (Client().get, Client().post):
            assert method(f"/tournois/{made.key}/sans-courriel/{sign}/").status_code == 404
        elsewhere = scene.tournament(2)
        wrong = notification_mail.unsubscribe_url(elsewhere, OTHER, "fr").rsplit("/", 2)[1]
        assert Client().post(f"/tournois/{made.key}/sans-courriel/{wrong}/").status_code == 404
        assert not MailUnsubscription.objects.exists()

    def test_on_ones_own_page(self, made: Tournament) -> None:
        client = Client()
        client.post(f"/tournois/{made.key}/entrer/{access_tokens.token_of(made, OTHER).token}/", follow=True)
        passed = AccessToken.objects.get(tournament=made, person_number=OTHER)
        session = client.session
        session[access_tokens.TOKENS_SESSION_KEY] = {made.key: passed.token}
        session.save()
        for answer, held in (("no", True), ("no", True), ("yes", False)):
            client.post(f"/tournois/{made.key}/moi/courriels/", {"mails": answer})
            assert MailUnsubscription.objects.filter(person_number=OTHER).exists() is held
            page = client.get(f"/tournois/{made.key}/moi/").content.decode()
            assert ("Recevoir de nouveau des courriels" in page) is held

    @pytest.mark.parametrize("reason", ["unwilling", "often", "no address", "no site"])
    def test_whom_nothing_is_written(self, made: Tournament, reason: str, settings: Any) -> None:
        address = f"person{OTHER}@example.org"
        if reason == "unwilling":
            UnsubscribedAddress.objects.create(address_digest=email_invitations._digest(address))
        elif reason == "often":
            limits = settings.TOURNAMENT_MAILS[tournament_mail.NOTIFICATION_MAIL]
            settings.TOURNAMENT_MAILS = {
                tournament_mail.NOTIFICATION_MAIL: {**limits, "address": (0, 86_400)}
            }
        elif reason == "no address":
            settings.SITE_URL = ""
        else:
            settings.HAS_MAIL = False
        before = OutboundEmail.objects.filter(address=address).count()
        want(made, notification_choices.ALL)
        do(made, PublishDraft(ROUND))
        assert OutboundEmail.objects.filter(address=address).count() == before

    def test_what_is_forgotten(self, made: Tournament) -> None:
        want(made, notification_choices.ALL)
        do(made, PublishDraft(ROUND), FinishEvent())
        assert OutboundEmail.objects.filter(person=None).exists()
        notification_mail.unsubscribe_person(made, OTHER)
        private_data.forget_private_data(made, event_journal.JournalActor(scene.director()))
        assert not OutboundEmail.objects.filter(person=None).exists()
        assert not MailUnsubscription.objects.exists()


@pytest.fixture(autouse=True)
def _uncounted() -> Any:
    yield
    cache.clear()
