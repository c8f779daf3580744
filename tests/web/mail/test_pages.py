"""The page “by mail” of a game: one’s own addresses and mails, and nobody else’s."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import transaction
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import game_lifecycle, power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.outbound import email_queue
from talleyrand.web.mail.subscriptions import subscribing
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, STRANGER, client_of, deal, member, person, table
from tests.web.mail.correspondents import DOMAIN, address_of, correspond, everybody

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


@pytest.fixture
def game() -> Game:
    everybody()
    return table()


def path(game: Game, more: str = "") -> str:
    return f"/parties/{game.key}/courriel/{more}"


def page(game: Game, who: str, more: str = "") -> str:
    answer = client_of(who).get(path(game, more))
    assert answer.status_code == 200
    return unescape(answer.content.decode()).replace("\u00a0", " ").replace("\u202f", " ")


def corresponds(game: Game, who: str) -> None:
    subscribing.subscribe(game, person(who))


def act(game: Game, who: str, more: str, **sent: Any) -> str:
    """Press a button; what the page says afterwards."""
    answer: Any = client_of(who).post(path(game, more), sent, follow=True)
    assert answer.status_code == 200
    return str(unescape(answer.content.decode()).replace("\u00a0", " ").replace("\u202f", " "))


def addresses(text: str) -> list[str]:
    return re.findall(rf'value="([a-z]+-[a-z2-7]+@{DOMAIN})"', text)


# beginning and ending


def test_nothing_yet(game: Game) -> None:
    text = page(game, "Flora")
    assert "Vous ne jouez pas cette partie par courriel" in text
    assert "Aucun reçu pour l’instant." in text
    assert "Aucun envoyé pour l’instant." in text
    assert addresses(text) == []
    assert address_of("Flora") in text


def test_begin_and_end(game: Game) -> None:
    assert "Vous jouez cette partie par courriel" in act(game, "Flora", "commencer/")
    act(game, "Flora", "commencer/")
    assert subscribing.is_subscribed(game, person("Flora"))
    assert "Vous ne jouez pas cette partie par courriel" in act(game, "Flora", "arreter/")
    act(game, "Flora", "arreter/")
    assert not subscribing.is_subscribed(game, person("Flora"))


def test_without_an_address_one_is_asked_for(game: Game) -> None:
    EmailAddress.objects.filter(user=person("Flora")).delete()
    text = act(game, "Flora", "commencer/")
    assert "Ajouter une adresse" in text
    assert not subscribing.is_subscribed(game, person("Flora"))
    EmailAddress.objects.create(user=person("Flora"), email="f@exemple.fr", verified=False)
    assert "pas encore confirmée" in page(game, "Flora")


def test_a_game_that_is_over_sends_nothing(game: Game) -> None:
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    text = act(game, "Flora", "commencer/")
    assert "La partie est finie" in text
    assert not subscribing.is_subscribed(game, person("Flora"))


def test_an_observer_has_reports_and_no_address(game: Game) -> None:
    correspond(OBSERVER, "oscar@exemple.fr")
    text = act(game, OBSERVER, "commencer/")
    assert "Vous recevez les résultats de cette partie par courriel" in text
    assert addresses(text) == []


# addresses


def test_one_address_for_each_thing(game: Game) -> None:
    corresponds(game, "Flora")
    found = [mailboxes.find_mailbox(one) for one in addresses(page(game, "Flora"))]
    assert {(one.person, one.power) for one in found} == {(person("Flora"), "FRANCE")}
    assert [one.purpose for one in found] == [MailboxPurpose.ORDERS, *[MailboxPurpose.MESSAGE] * 8]
    assert [one.target for one in found][-2:] == ["*", "@"]


def test_the_game_master_has_a_desk(game: Game) -> None:
    corresponds(game, MASTER)
    found = [mailboxes.find_mailbox(one) for one in addresses(page(game, MASTER))]
    assert [one.purpose for one in found] == [MailboxPurpose.DESK, *[MailboxPurpose.MESSAGE] * 8]
    assert {one.power for one in found} == {"@"}


def test_looking_twice_makes_no_second_address(game: Game) -> None:
    corresponds(game, "Flora")
    assert addresses(page(game, "Flora")) == addresses(page(game, "Flora"))


def test_two_powers_of_one_person(game: Game) -> None:
    corresponds(game, "Flora")
    deal(game, "ITALY", "Flora")
    found = [mailboxes.find_mailbox(one) for one in addresses(page(game, "Flora"))]
    assert {one.power for one in found} == {"FRANCE", "ITALY"}
    assert not [
        one for one in found if one.purpose == MailboxPurpose.MESSAGE and one.target in ("FRANCE", "ITALY")
    ]


def test_letters_that_may_not_be_written_say_why(game: Game) -> None:
    corresponds(game, "Flora")
    game.settings_json = {**game.settings_json, "press_between": False}
    game.phase = "S1901R"
    game.save()
    text = page(game, "Flora")
    assert text.count("Pas de messages entre puissances pendant les retraites et") == 7
    assert f"mailto:{addresses(text)[0]}" in text
    assert f"mailto:{addresses(text)[1]}" not in text


def test_no_letters_no_addresses(game: Game) -> None:
    corresponds(game, "Flora")
    game.settings_json = {**game.settings_json, "press": "none"}
    game.save()
    assert [mailboxes.find_mailbox(one).target for one in addresses(page(game, "Flora"))] == ["", "@"]


def test_a_stand_in_has_addresses_of_his_own(game: Game) -> None:
    corresponds(game, "Théa")
    before = addresses(page(game, "Théa"))
    member(game, "Sacha", GameRole.PLAYER)
    with transaction.atomic():
        power_assignments.assign_power(game, "TURKEY", person("Sacha"), stand_in=True)
    corresponds(game, "Sacha")
    rests = page(game, "Théa")
    assert addresses(rests) == []
    assert "Turquie : un suppléant la joue" in rests
    his = addresses(page(game, "Sacha"))
    assert len(his) == len(before)
    assert not set(his) & set(before)


def test_whoever_gave_up_reads_that_his_addresses_open_nothing(game: Game) -> None:
    corresponds(game, "Roman")
    page(game, "Roman")
    client_of("Roman").post(f"/parties/{game.key}/infos/resign/", {"power": "RUSSIA"})
    text = page(game, "Roman")
    assert addresses(text) == []
    assert "Russie : vous ne la jouez plus" in text


def test_renewed_after_a_question(game: Game) -> None:
    corresponds(game, "Flora")
    old = addresses(page(game, "Flora"))[0]
    box = mailboxes.find_mailbox(old)
    asked = page(game, "Flora", f"nouvelle-adresse/{mailboxes.mailbox_alias(box)}/")
    assert "cesse aussitôt de fonctionner" in asked
    assert mailboxes.find_mailbox(old) == box
    text = act(game, "Flora", f"nouvelle-adresse/{mailboxes.mailbox_alias(box)}/")
    assert old not in text
    assert len(addresses(text)) == 9
    with pytest.raises(mailboxes.NoMailbox):
        mailboxes.find_mailbox(old)
    again = act(game, "Flora", f"nouvelle-adresse/{mailboxes.mailbox_alias(box)}/")
    assert addresses(again) == addresses(text)


def test_the_page_tells_no_number_of_an_address(game: Game) -> None:
    """Rows are numbered in the order in which they are made, those of others too."""
    corresponds(game, "Flora")
    text = page(game, "Flora")
    boxes = Mailbox.objects.filter(person=person("Flora"))
    assert all(f"nouvelle-adresse/{mailboxes.mailbox_alias(box)}/" in text for box in boxes)
    for box in boxes:
        assert f"nouvelle-adresse/{box.pk}/" not in text
        assert f'address-{box.pk}"' not in text


@pytest.mark.parametrize("which", ["another’s", "the game master’s", "another game’s", "none"])
def test_no_address_but_ones_own_is_renewed(game: Game, which: str) -> None:
    corresponds(game, "Flora")
    other = Game.objects.create(name="Autre", variant="classic", rulebook="datc")
    boxes = {
        "another’s": mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person("Edmond"), "ENGLAND"),
        "the game master’s": mailboxes.get_mailbox(MailboxPurpose.DESK, game, person(MASTER), "@"),
        "another game’s": mailboxes.get_mailbox(MailboxPurpose.ORDERS, other, person("Flora"), "FRANCE"),
    }
    alias = mailboxes.mailbox_alias(boxes[which]) if which in boxes else "0" * 16
    for method in ("get", "post"):
        answer = getattr(client_of("Flora"), method)(path(game, f"nouvelle-adresse/{alias}/"))
        assert answer.status_code == 404
    assert not Mailbox.objects.exclude(revoked_at=None).exists()


# the mail to begin with


def test_the_mail_to_begin_with_once_more(game: Game) -> None:
    corresponds(game, "Flora")
    act(game, "Flora", "bienvenue/")
    act(game, "Flora", "bienvenue/")
    assert OutboundEmail.objects.filter(kind="welcome", person=person("Flora")).count() == 1
    OutboundEmail.objects.update(created_at=timezone.now() - timedelta(hours=1))
    act(game, "Flora", "bienvenue/")
    assert OutboundEmail.objects.filter(kind="welcome", person=person("Flora")).count() == 2


def test_no_mail_to_begin_with_for_who_does_not_play_so(game: Game) -> None:
    act(game, "Flora", "bienvenue/")
    assert not OutboundEmail.objects.exists()


def test_before_the_game_begins_there_is_nothing_to_send(game: Game) -> None:
    Game.objects.update(state=GameState.GATHERING, phase_number=0)
    assert "À son début, un courriel" in act(game, "Flora", "commencer/")
    assert "À son début, un courriel" in act(game, "Flora", "bienvenue/")
    assert not OutboundEmail.objects.exists()


# the address book


def test_a_file_for_the_address_book(game: Game) -> None:
    game.name = "La ronde, « \\ » ; 7 amis\u00a0: " + "é" * 30
    game.save()
    corresponds(game, "Flora")
    answer = client_of("Flora").get(path(game, "addresses.vcf"))
    assert answer["Content-Type"] == "text/vcard; charset=utf-8"
    raw = answer.content
    assert max(len(line) for line in raw.split(b"\r\n")) <= 75
    assert b"\n" not in raw.replace(b"\r\n", b"")
    lines = raw.decode().replace("\r\n ", "").split("\r\n")
    assert lines.count("BEGIN:VCARD") == lines.count("END:VCARD") == 9
    assert "La ronde\\, « \\\\ » \\; 7 amis" in next(line for line in lines if line.startswith("ORG:"))
    mails = [line.partition(":")[2] for line in lines if line.startswith("EMAIL")]
    assert mails == addresses(page(game, "Flora"))
    assert DOMAIN not in "".join(line for line in lines if not line.startswith("EMAIL"))


def test_an_empty_file_for_who_does_not_play_so(game: Game) -> None:
    assert client_of("Flora").get(path(game, "addresses.vcf")).content == b""


# mails


def arrived(game: Game, who: str, power: str, outcome: str, **facts: Any) -> InboundDelivery:
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person(who), power)
    message = InboundEmail.objects.create(raw_bytes=b"zz-secret", received_at=timezone.now())
    told = {"outcome": outcome, "facts": facts}
    return InboundDelivery.objects.create(email=message, mailbox=box, content_digest=str(message.pk), **told)


def left(game: Game, who: str, subject: str, **more: Any) -> OutboundEmail:
    return OutboundEmail.objects.create(
        person=person(who),
        game=game,
        kind="report",
        idempotency_key=subject,
        subject=subject,
        text="zz-text",
        **more,
    )


def test_my_mails_and_nobody_elses(game: Game) -> None:
    arrived(game, "Flora", "FRANCE", MailOutcome.TAKEN, receipt=17)
    arrived(game, "Edmond", "ENGLAND", MailOutcome.NO_ORDERS)
    left(game, "Flora", "Compte rendu du printemps", sent_at=timezone.now())
    left(game, "Flora", "Qui attend")
    left(game, "Flora", "Qui a échoué", drop_reason="refused", server_reply="550 flora.kerbrat")
    left(game, "Edmond", "Pour l’Angleterre seule", sent_at=timezone.now())
    text = page(game, "Flora")
    for wanted in (
        "Les ordres ont été reçus",
        "Ordres nº 17",
        "Compte rendu du printemps",
        "attend d’être envoyé",
    ):
        assert wanted in text
    assert "non distribué" in text
    for hidden in ("Angleterre seule", "zz-", "550 flora", "Aucun ordre"):
        assert hidden not in text


def test_what_waits_for_somebody_else_by_now_is_not_shown(game: Game) -> None:
    left(game, "Flora", "Message pour la Russie", power="RUSSIA")
    left(game, "Flora", "MJ seulement", power="@")
    text = page(game, "Flora")
    assert "Message pour la Russie" not in text
    assert "MJ seulement" not in text


# who may look


ADDRESSES = ("", "addresses.vcf", "nouvelle-adresse/1/")
ACTS = ("commencer/", "arreter/", "bienvenue/", "reprendre/")


@pytest.mark.parametrize("who", ["", STRANGER])
def test_without_a_role_there_is_no_such_page(game: Game, who: str) -> None:
    client = client_of(who) if who else Client()
    assert {client.get(path(game, one)).status_code for one in ADDRESSES} == {404}
    assert {client.post(path(game, one)).status_code for one in ACTS} == {404}


def test_whoever_has_left_finds_no_page(game: Game) -> None:
    corresponds(game, "Roman")
    GameMembership.objects.filter(person=person("Roman")).update(left_at=timezone.now())
    assert client_of("Roman").get(path(game)).status_code == 404


def test_where_no_mail_arrives_there_is_no_such_page(game: Game, settings: Any) -> None:
    assert "courriel/" in client_of("Flora").get(f"/parties/{game.key}/infos/").content.decode()
    settings.HAS_PLAY_BY_MAIL = False
    assert client_of("Flora").get(path(game)).status_code == 404
    assert {client_of("Flora").post(path(game, one)).status_code for one in ACTS} == {404}
    assert "courriel/" not in client_of("Flora").get(f"/parties/{game.key}/infos/").content.decode()


def test_looking_changes_nothing_but_makes_addresses(game: Game) -> None:
    assert client_of("Flora").get(path(game, "commencer/")).status_code == 405
    assert client_of("Flora").get(path(game, "arreter/")).status_code == 405
    assert not subscribing.is_subscribed(game, person("Flora"))


@pytest.mark.long
def test_nobody_reads_what_another_has(game: Game) -> None:
    """Each reader finds his own addresses alone, and no name or address of anybody."""
    names = ("Flora", "Edmond", MASTER)
    for name in (*names, ASSISTANT):
        corresponds(game, name)
    texts = {name: page(game, name) for name in (*names, ASSISTANT)}
    files = {name: client_of(name).get(path(game, "addresses.vcf")).content.decode() for name in texts}
    for name, text in texts.items():
        others = [one for other in names if other != name for one in addresses(texts[other])]
        told = text + files[name]
        assert not [one for one in others if one in told]
        assert not [other for other in names if other != name and address_of(other) in told]


def test_in_english(game: Game) -> None:
    corresponds(game, "Flora")
    text = client_of("Flora").get(f"/en/games/{game.key}/email/").content.decode()
    assert "You play this game by email" in text
    assert "Message to: Germany" in text


@pytest.fixture(autouse=True)
def _paris() -> Iterator[None]:
    with timezone.override("Europe/Paris"):
        yield


def test_mails_that_came_back_stop_until_one_says_that_the_address_works(game: Game) -> None:
    for day in range(3):
        email_queue.record_bounce(person("Flora"), address_of("Flora"), timezone.now() - timedelta(days=day))
    assert "Des courriels à cette adresse sont revenus plusieurs" in page(game, "Flora")
    assert "Des courriels à cette adresse sont revenus plusieurs" not in page(game, "Edmond")
    for _time in range(2):
        assert "Des courriels à cette adresse sont revenus plusieurs" not in act(game, "Flora", "reprendre/")
    assert not email_queue.is_paused(person("Flora"), address_of("Flora"))
