"""Inviting by mail: the page, what it refuses, what leaves, and who reads whose address."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_settings import Anonymity, GameSettings
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameSeat, GameState
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.invitations import email_invitations, invitation_texts, joining_by_mail
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import (
    EmailInvitation,
    InboundDelivery,
    InboundEmail,
    Mailbox,
    MailboxPurpose,
    OutboundEmail,
)
from talleyrand.web.mail.outbound import email_sending
from talleyrand.web.mail.parsing import MessageClass, ParsedEmail
from talleyrand.web.mail.subscriptions import subscribing
from talleyrand.web.notifications.models import Notification
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, STRANGER, client_of, member, person, table
from tests.web.mail.collected import last, sweep
from tests.web.mail.correspondents import address_of, correspond
from tests.web.mail.leaving import REPORT
from tests.web.mail.office import Office

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
GUEST, OTHER = "paule@exemple-paule.fr", "oscar@exemple-oscar.fr"


def gathered(name: str = "La table ronde", *, role: str = GameRole.GAME_MASTER, **terms: Any) -> Game:
    """A game that gathers its players; Flora has come already."""
    maker = correspond(MASTER)
    game = Game.objects.create(
        name=name,
        variant="classic",
        rulebook="anjou_feu",
        creator=maker,
        settings_json=GameSettings(**terms).as_json(),
    )
    for power in variants.load("classic").board.powers:
        GameSeat.objects.create(game=game, power=power)
    member(game, MASTER, role)
    correspond("Flora")
    member(game, "Flora", GameRole.PLAYER)
    return game


def path(game: Game, more: str = "") -> str:
    return f"/parties/{game.key}/courriel/invitations/{more}"


def read(answer: Any) -> str:
    return unescape(answer.content.decode()).replace("\u00a0", " ").replace("\u202f", " ")


def invite(game: Game, *lines: str, who: str = MASTER, **more: str) -> Any:
    sent = {"addresses": "\r\n".join(lines), "language": "fr", "submission": f"form-{'-'.join(lines)}"[:60]}
    return client_of(who).post(path(game), {**sent, **more}, follow=True)


def mails() -> list[OutboundEmail]:
    return list(OutboundEmail.objects.filter(kind=email_invitations.KIND))


def answered(game: Game, text: str, address: str = GUEST) -> None:
    """The guest’s answer has come."""
    box = Mailbox.objects.get(purpose=MailboxPurpose.INVITATION, game=game, target=address)
    message = InboundEmail.objects.create(raw_bytes=b"", received_at=timezone.now())
    arrival = InboundDelivery.objects.create(email=message, mailbox=box, content_digest=text)
    joining_by_mail.process_reply(arrival, ParsedEmail(MessageClass.PERSONAL, text=text))


# what leaves


def test_each_address_is_written_to_once() -> None:
    game = gathered()
    text = read(invite(game, GUEST.upper(), f" Oscar <{OTHER}>, ", ""))
    assert "Envoi de 2 invitations en cours." in text
    assert [(one.person, one.address, one.game) for one in mails()] == [
        (None, GUEST, game),
        (None, OTHER, game),
    ]
    boxes = [one.reply_mailbox for one in mails()]
    assert [mailboxes.find_mailbox(mailboxes.mailbox_address(box)) for box in boxes if box] == boxes


def test_what_an_invitation_says() -> None:
    invite(gathered(anonymity=Anonymity.OPEN, press="held"), GUEST)
    [letter] = mails()
    text = " ".join(letter.text.replace("\u00a0", " ").split())
    assert letter.subject.replace("\u00a0", " ") == "Invitation à une partie de Diplomacy : La table ronde"
    for wanted in (
        "Le maître de jeu, Maëlle, vous invite à une partie de Diplomacy par courriel : La table ronde.",
        "Variante : Diplomacy, 7 puissances, 34 centres.",
        "Messages : par le MJ",
        "répondez à ce courriel par un seul mot : oui",
        "préférences : Autriche, Angleterre",
        "répondez : non. Plus personne ne pourra vous inviter",
        "https://jeu.example.org/vie-privee/",
    ):
        assert wanted in text, wanted
    assert address_of(MASTER) not in letter.text
    assert max(map(len, letter.text.splitlines())) <= 72
    assert not [line for line in letter.text.splitlines() if line.startswith("|")]


def test_one_open_seat_is_no_choice_of_powers() -> None:
    game = table()
    power_assignments.end_assignment(game, "FRANCE")
    alone = plain(invitation_texts.invitation_text(game, person(MASTER))[1])
    assert "ajoutez cette ligne : nom : Le Diable boiteux C’est votre nom sur ce site." in alone
    assert "préférences" not in alone
    power_assignments.end_assignment(game, "ITALY")
    assert "préférences" in plain(invitation_texts.invitation_text(game, person(MASTER))[1])


def plain(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


@pytest.mark.parametrize(
    ("role", "who"), [(GameRole.GAME_MASTER, "Le maître de jeu"), (GameRole.PLAYER, "La personne qui")]
)
def test_no_name_where_names_are_secret(role: str, who: str) -> None:
    invite(gathered(role=role), GUEST)
    [letter] = mails()
    assert f"{who} " in letter.text
    assert MASTER not in letter.text + letter.subject + letter.sender_name


def test_in_the_language_that_was_chosen() -> None:
    invite(gathered(), GUEST, language="en")
    [letter] = mails()
    assert "invites you to a game of Diplomacy by email" in letter.text
    assert EmailInvitation.objects.get().language == "en"


def test_an_inviter_whose_name_is_an_address_is_not_named() -> None:
    """Strangers read it, under our name: nobody must lead them elsewhere by how he is called."""
    game = gathered(anonymity=Anonymity.OPEN, press="held")
    Person.objects.filter(name=MASTER).update(name="www.Gratis-Paris.example")
    client = Client()
    client.force_login(Person.objects.get(name="www.Gratis-Paris.example"))
    client.post(path(game), {"addresses": GUEST, "language": "fr", "submission": "form"})
    (mail,) = mails()
    assert "Gratis" not in f"{mail.subject} {mail.sender_name} {mail.text}"


@pytest.mark.parametrize(
    "name", ["Gagnez sur www.exemple.fr", "http://exemple.fr/?a", "Écrivez à x@y.fr", "exemple.com"]
)
def test_a_name_that_holds_an_address_is_not_passed_on(name: str) -> None:
    invite(gathered(name), GUEST)
    [letter] = mails()
    assert name not in letter.text + letter.subject + letter.sender_name
    assert letter.subject.endswith("Diplomacy")
    assert letter.sender_name == "Diplomacy"


# what is refused


TABLE = {
    "nothing": ([""], "au moins une adresse"),
    "blanks": (["  ", "\t,;"], "au moins une adresse"),
    "no address": (["Paule"], "Paule : ce n’est pas une adresse"),
    "half an address": (["paule@"], "ce n’est pas une adresse"),
    "two on a line": ([f"{GUEST} {OTHER}"], "ce n’est pas une adresse"),
    "accents": (["pâule@exemple.fr"], "ce n’est pas une adresse"),
    "headers": (["a@b.fr%0aBcc:x@y.fr"], "ce n’est pas une adresse"),
    "long": ([f"{'a' * 260}@exemple.fr"], "trop long pour une adresse de courriel"),
    "oneself": ([address_of(MASTER)], "votre propre adresse"),
    "a page of text": (["x" * 20_001], "Texte trop long. Saisissez une adresse par ligne, et rien"),
    "thirty-one": ([f"a{number}@exemple.fr" for number in range(31)], "au plus 30 invitations"),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", TABLE)
def test_refused_with_the_reason_and_nothing_lost(case: str) -> None:
    lines, words = TABLE[case]
    game = gathered()
    answer = invite(game, *lines)
    assert answer.status_code == 409
    text = read(answer)
    assert words in text
    assert lines[0].strip()[:200] in text
    assert not EmailInvitation.objects.exists()
    assert not mails()


def test_an_address_that_stands_twice_in_the_list_is_invited_once() -> None:
    assert "1 invitation" in read(invite(gathered(), GUEST, GUEST.upper()))
    assert [letter.address for letter in mails()] == [GUEST]


def test_a_list_between_commas_leaves_nobody_out() -> None:
    """As an address book gives it."""
    typed = f'"Durand, Paule" <{GUEST}>, {OTHER}; <tiers@exemple.fr>,'
    assert "Envoi de 3 invitations en cours." in read(invite(gathered(), typed))
    assert {letter.address for letter in mails()} == {GUEST, OTHER, "tiers@exemple.fr"}


def test_what_stands_behind_a_comma_is_not_lost() -> None:
    assert "Paule : ce n’est pas une adresse" in read(invite(gathered(), f"{GUEST}, Paule"))
    assert not mails()


def test_one_wrong_line_holds_all_back() -> None:
    answer = invite(gathered(), GUEST, "rien")
    assert "rien : ce n’est pas" in read(answer)
    assert GUEST in read(answer)
    assert not mails()


def test_nul_is_no_sign_of_an_address() -> None:
    assert invite(gathered(), "pau\x00le@exemple.fr").status_code == 200
    assert EmailInvitation.objects.get().mailbox.target == "paule@exemple.fr"


def test_an_address_of_ours_is_not_written_to() -> None:
    game = gathered()
    box = mailboxes.get_mailbox(MailboxPurpose.DESK, game, person(MASTER), "@")
    assert "une adresse de ce site" in read(invite(game, mailboxes.mailbox_address(box)))


def test_invited_already() -> None:
    game = gathered()
    invite(game, GUEST)
    assert "déjà invitée" in read(invite(game, GUEST, submission="another-form-again"))
    assert len(mails()) == 1


def test_the_same_form_twice_writes_once() -> None:
    game = gathered()
    for _time in range(2):
        answer = invite(game, GUEST, submission="the-same-form-sent-twice")
        assert answer.status_code == 200
    assert len(mails()) == 1


def test_who_declined_is_not_written_to_again_from_any_game() -> None:
    invite(gathered(), GUEST)
    answered(Game.objects.get(), "non")
    assert "ne veut pas être invité" in read(invite(gathered("Une autre"), GUEST))
    assert len(mails()) == 1


@pytest.mark.long
def test_fifty_a_day() -> None:
    for number in range(2):
        game = gathered(f"Partie {number}")
        invite(game, *[f"a{number}-{one}@exemple.fr" for one in range(25)])
    game = gathered("Une de trop")
    assert "50 invitations par jour" in read(invite(game, GUEST))
    EmailInvitation.objects.update(created_at=timezone.now() - timedelta(days=1, minutes=1))
    assert invite(game, GUEST).status_code == 200


def test_a_full_game_invites_nobody() -> None:
    game = gathered()
    for number in range(6):
        member(game, f"Joueur {number}", GameRole.PLAYER)
    assert "Cette partie est complète" in read(invite(game, GUEST))


def test_where_only_the_administrator_makes_accounts(settings: Any) -> None:
    settings.SIGNUP = "invitation"
    game = gathered()
    page = read(client_of(MASTER).get(path(game)))
    assert "Sur ce site, seuls les administrateurs créent des comptes" in page
    assert "<textarea" not in page
    assert invite(game, GUEST).status_code == 409
    Person.objects.filter(name=MASTER).update(is_administrator=True)
    assert invite(game, GUEST).status_code == 200
    assert len(mails()) == 1


@pytest.mark.parametrize("language", ["", "de", "fr\x00", "x" * 9999])
def test_a_language_that_the_site_does_not_speak(language: str) -> None:
    invite(gathered(), GUEST, language=language)
    assert EmailInvitation.objects.get().language == "fr"


# what came of it


def test_the_state_of_each() -> None:
    game = gathered()
    invite(game, GUEST, OTHER, "tiers@exemple.fr", "quart@exemple.fr", "quint@exemple.fr")
    answered(game, "oui\nnom : Paule")
    answered(game, "non", OTHER)
    OutboundEmail.objects.filter(address="tiers@exemple.fr").update(
        drop_reason="refused", server_reply="550 zz-refusal"
    )
    OutboundEmail.objects.filter(address="quart@exemple.fr").update(sent_at=timezone.now())
    text = read(client_of(MASTER).get(path(game)))
    for state in (
        "participe : Paule",
        "a refusé",
        "n’a pas pu être distribué",
        "pas encore de réponse",
        "attend d’être envoyé",
    ):
        assert text.count(state) == 1, state
    assert "zz-refusal" not in text


def test_no_name_for_who_may_not_know_the_players() -> None:
    game = gathered(role=GameRole.PLAYER)
    invite(game, GUEST)
    answered(game, "oui\nnom : Paule")
    text = read(client_of(MASTER).get(path(game)))
    assert "participe" in text
    assert "Paule" not in text


def test_withdrawn() -> None:
    game = gathered()
    invite(game, GUEST)
    offer = EmailInvitation.objects.get()
    for _time in range(2):
        client_of(MASTER).post(path(game, "retirer/"), {"offer": offer.pk})
    offer.refresh_from_db()
    assert offer.answer == email_invitations.WITHDRAWN
    assert mails()[0].drop_reason == email_invitations.WITHDRAWN
    assert Mailbox.objects.get(pk=offer.mailbox_id).revoked_at is not None
    assert invite(game, GUEST, submission="once-more-after-that").status_code == 200
    assert len(mails()) == 2


@pytest.mark.parametrize("number", ["", "0", "-1", "x", "9" * 40, "\u0661"])
def test_no_such_invitation(number: str) -> None:
    game = gathered()
    invite(game, GUEST)
    assert client_of(MASTER).post(path(game, "retirer/"), {"offer": number}).status_code == 302
    assert EmailInvitation.objects.get().answer == ""


def test_only_ones_own_is_withdrawn() -> None:
    game = gathered()
    invite(game, GUEST)
    member(game, "Marc", GameRole.GAME_MASTER)
    client_of("Marc").post(path(game, "retirer/"), {"offer": EmailInvitation.objects.get().pk})
    assert EmailInvitation.objects.get().answer == ""
    assert GUEST not in read(client_of("Marc").get(path(game)))


# who may


@pytest.mark.parametrize("who", ["", "Flora", ASSISTANT, OBSERVER, STRANGER])
def test_only_who_gathers_the_players_has_this_page(who: str) -> None:
    game = gathered()
    member(game, ASSISTANT, GameRole.ASSISTANT)
    member(game, OBSERVER, GameRole.OBSERVER)
    client = client_of(who) if who else Client()
    assert client.get(path(game)).status_code == 404
    assert client.post(path(game), {"addresses": GUEST}).status_code == 404
    assert client.post(path(game, "retirer/"), {"offer": "1"}).status_code == 404
    assert not EmailInvitation.objects.exists()


def test_nobody_is_invited_once_the_game_is_over() -> None:
    game = gathered()
    Game.objects.update(state=GameState.ABANDONED)
    assert client_of(MASTER).get(path(game)).status_code == 404


def test_where_no_mail_arrives_there_is_no_such_page(settings: Any) -> None:
    game = gathered()
    settings.HAS_PLAY_BY_MAIL = False
    assert client_of(MASTER).get(path(game)).status_code == 404
    assert "invitations/" not in read(client_of(MASTER).get(f"/parties/{game.key}/infos/"))


@pytest.mark.long
def test_the_addresses_typed_are_on_no_other_page() -> None:
    game = table()
    correspond(MASTER)
    with_seat = game.seats.get(power="ITALY")
    with_seat.tenures.all().delete()
    GameMembership.objects.filter(person=person("Irène")).delete()
    invite(game, GUEST)
    for who in ("Flora", ASSISTANT, OBSERVER, STRANGER, MASTER):
        for more in ("", "infos/", "infos/journal/", "messages/", "courriel/"):
            assert GUEST not in read(client_of(who).get(f"/parties/{game.key}/{more}"))
    assert GUEST in read(client_of(MASTER).get(path(game)))


# what does not arrive


def came_back(to: str, failed: str) -> InboundDelivery:
    """A report of a server, at the address that the envelope of the invitation named."""
    text = REPORT.format(to=to, number=failed, failed=failed, action="failed", status="5.1.1", token="x")
    data = text.replace("\n", "\r\n").encode()
    message = inbound_storage.store_email(data, [mailboxes.find_mailbox(to)], "", timezone.now())
    inbound_processing.process_due_mail(timezone.now())
    return message.arrivals.get()


def told_inviter() -> list[Notification]:
    return list(Notification.objects.filter(kind="invitation_undelivered", person=person(MASTER)))


def test_an_invitation_that_comes_back_is_told_to_who_invited(office: Office) -> None:
    game = gathered()
    subscribing.subscribe(game, correspond(MASTER))
    invite(game, GUEST, OTHER)
    email_sending.send_due_emails(timezone.now())
    (item,) = office.to(GUEST)
    assert came_back(item.envelope, OTHER).facts["counted"] is False
    assert not told_inviter()
    assert came_back(item.envelope, GUEST).facts["counted"] is True
    assert came_back(item.envelope, GUEST).outcome == MailOutcome.REPEATED
    (one,) = told_inviter()
    assert GUEST not in str(one.facts)
    text = read(client_of(MASTER).get(path(game)))
    assert text.count("n’a pas pu être distribué") == 1
    assert Notification.objects.filter(kind="invitation_undelivered").count() == 1
    sweep()
    told = " ".join(last(MASTER).text.split())
    assert f"L’invitation par courriel n’a pas pu être distribuée à : {GUEST}" in told


def test_an_invitation_that_a_server_refuses_is_told_too(office: Office) -> None:
    game = gathered()
    office.refuse("RCPT", to=GUEST)
    invite(game, GUEST)
    email_sending.send_due_emails(timezone.now())
    assert len(told_inviter()) == 1
