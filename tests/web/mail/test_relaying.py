"""Letters as they leave by mail: to whoever may read them, and with nothing of whoever wrote them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameRole
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.conversations import message_relay
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.models import InboundEmail, Mailbox, MailboxPurpose, MailSubscription, OutboundEmail
from talleyrand.web.mail.outbound import message_builder
from talleyrand.web.mail.subscriptions import subscribing, subscription_sweep
from talleyrand.web.mail.text_layout import WIDTH
from talleyrand.web.press import message_actions, message_visibility, press_rules
from talleyrand.web.press.message_actions import HoldReason, MessageDraft
from talleyrand.web.press.models import Message
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, person, table
from tests.web.mail.correspondents import DOMAIN, SURNAMES, address_of, correspond

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
POWERS = {name: power for power, name in PLAYERS.items()}
EVERYBODY = (*POWERS, MASTER, ASSISTANT, OBSERVER)
WHEN = datetime(2026, 3, 5, 19, 15, tzinfo=UTC)


@pytest.fixture
def game(db: None) -> Game:
    return by_mail(table(declarations=True))


def by_mail(game: Game) -> Game:
    for name in EVERYBODY:
        subscribing.subscribe(game, correspond(name))
    MailSubscription.objects.filter(game=game).update(started_at=WHEN)
    return game


def letter(game: Game, power: str, *to: str, text: str = "Paix ?", **more: Any) -> Message:
    """A letter from a power; to "*" all, to "@" the game master."""
    writer = person(MASTER if power == "@" else PLAYERS[power])
    powers = list(game.seats.values_list("power", flat=True))
    written = MessageDraft(text, power, f"{text}{to}", **more)
    return message_actions.send_message(
        game, writer, press_rules.recipients_for(power, to, powers), written, WHEN
    )


def open_now(name: str, game: Game) -> MailSubscription:
    return MailSubscription.objects.get(game=game, person=person(name), ended_at=None)


def sent(one: Message, game: Game) -> list[str]:
    """Who has it by mail, when it was offered to everybody twice."""
    for name in EVERYBODY * 2:
        for queue in (message_relay.queue_message, message_relay.queue_held, message_relay.queue_returned):
            queue(one, open_now(name, game))
    return sorted(OutboundEmail.objects.values_list("person__name", flat=True))


def mail_to(name: str) -> OutboundEmail:
    return OutboundEmail.objects.select_related("reply_mailbox").get(person=person(name))


def flat(departure: OutboundEmail) -> str:
    return " ".join(departure.text.replace("\xa0", " ").replace("\u202f", " ").split())


# who has what


MATRIX = [
    (("FRANCE", "ENGLAND"), {}, ["Edmond"]),
    (("FRANCE", "ENGLAND", "ITALY"), {}, ["Edmond", "Irène"]),
    (("FRANCE", "@"), {}, [MASTER]),
    (("@", "FRANCE"), {}, ["Flora"]),
    (("FRANCE", "*"), {}, [*(set(POWERS) - {"Flora"}), MASTER, ASSISTANT, OBSERVER]),
    (("@", "*"), {}, [*POWERS, ASSISTANT, OBSERVER]),
    (("FRANCE", "*"), {"unsigned": True}, [*(set(POWERS) - {"Flora"}), MASTER, ASSISTANT, OBSERVER]),
    (("FRANCE", "ENGLAND"), {"hold_reasons": (HoldReason("name", "Flora"),)}, [MASTER]),  # it waits
    (("FRANCE", "*"), {"hold_reasons": (HoldReason("name", "Flora"),)}, [MASTER]),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("room", "more", "readers"), MATRIX)
def test_who_has_what(game: Game, room: tuple[str, ...], more: dict[str, Any], readers: list[str]) -> None:
    assert sent(letter(game, *room, **more), game) == sorted(readers)


def test_a_returned_one_goes_to_its_writer_alone(game: Game) -> None:
    one = letter(game, "FRANCE", "ENGLAND", hold_reasons=(HoldReason("name", "Flora"),))
    message_actions.return_message(one, "Trop de noms.\nRécris-la.")
    one.refresh_from_db()
    assert sent(one, game) == ["Flora"]
    mail = mail_to("Flora")
    assert "Motif du maître de jeu : Trop de noms. Récris-la. Votre message : Paix ?" in flat(mail)
    assert mail.reply_mailbox == mailboxes.get_mailbox(
        MailboxPurpose.MESSAGE, game, person("Flora"), "FRANCE", "ENGLAND"
    )
    assert "vous est renvoyé" in mail.subject


def test_a_returned_declaration_is_not_answered_with_a_signature(game: Game) -> None:
    one = letter(game, "FRANCE", "*", unsigned=True, hold_reasons=(HoldReason("name", "Flora"),))
    message_actions.return_message(one, "Non")
    one.refresh_from_db()
    assert sent(one, game) == ["Flora"]
    assert mail_to("Flora").reply_mailbox is None
    assert "sur le site" in flat(mail_to("Flora"))


def test_nobody_who_does_not_correspond_any_more(game: Game) -> None:
    one = letter(game, "FRANCE", "ENGLAND")
    edmond = open_now("Edmond", game)
    subscribing.unsubscribe(game, person("Edmond"))
    edmond.refresh_from_db()
    assert not message_relay.queue_message(one, edmond)
    of_another_game = MailSubscription.objects.create(game=table(), person=person("Edmond"))
    assert not message_relay.queue_message(one, of_another_game)
    assert not OutboundEmail.objects.exists()


def test_who_plays_now_reads_it(game: Game) -> None:
    one = letter(game, "FRANCE", "ENGLAND")
    power_assignments.assign_power(game, "ENGLAND", correspond(STRANGER))
    GameMembership.objects.create(game=game, person=person(STRANGER), role=GameRole.PLAYER)
    subscribing.subscribe(game, person(STRANGER))
    assert not message_relay.queue_message(one, open_now("Edmond", game))
    assert message_relay.queue_message(one, open_now(STRANGER, game))


def test_a_stand_in_has_it_meanwhile(game: Game) -> None:
    one = letter(game, "FRANCE", "ENGLAND")
    public = letter(game, "FRANCE", "*")
    power_assignments.assign_power(game, "ENGLAND", correspond(STRANGER), stand_in=True)
    GameMembership.objects.create(game=game, person=person(STRANGER), role=GameRole.PLAYER)
    subscribing.subscribe(game, person(STRANGER))
    for each in (one, public):
        assert not message_relay.queue_message(each, open_now("Edmond", game))
        assert message_relay.queue_message(each, open_now(STRANGER, game))
    power_assignments.end_assignment(game, "ENGLAND", stand_in=True)
    assert message_relay.queue_message(one, open_now("Edmond", game))


# where an answer goes


ANSWERS = [
    (("FRANCE", "ENGLAND"), "Edmond", "ENGLAND", "FRANCE"),
    (("FRANCE", "ENGLAND", "ITALY"), "Irène", "ITALY", "ENGLAND+FRANCE"),
    (("FRANCE", "*"), "Irène", "ITALY", "*"),
    (("FRANCE", "@"), MASTER, "@", "FRANCE"),
    (("FRANCE", "*"), MASTER, "@", "*"),
    (("@", "FRANCE"), "Flora", "FRANCE", "@"),
    (("@", "*"), "Flora", "FRANCE", "*"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("room", "reader", "power", "to"), ANSWERS)
def test_answering_answers(game: Game, room: tuple[str, ...], reader: str, power: str, to: str) -> None:
    one = letter(game, *room)
    assert message_relay.queue_message(one, open_now(reader, game))
    box = mail_to(reader).reply_mailbox
    assert box is not None
    assert (box.purpose, box.game, box.person, box.power, box.target) == (
        MailboxPurpose.MESSAGE, game, person(reader), power, to,
    )  # fmt: skip
    _answer(box, "Entendu")
    found = Message.objects.get(text="Entendu")
    assert (found.conversation, found.signature) == (one.conversation, power)


def _answer(box: Mailbox, text: str) -> None:
    to = mailboxes.mailbox_address(box)
    raw = f"From: x@example.net\r\nTo: {to}\r\nSubject: Re: x\r\nMessage-ID: <1@x>\r\n\r\n{text}\r\n"
    inbound_storage.store_email(raw.encode(), [box], "x@example.net", timezone.now())
    assert inbound_processing.process_due_mail(timezone.now()) == 1


def test_where_others_read_too_its_writer_alone_has_an_address(game: Game) -> None:
    message_relay.queue_message(letter(game, "FRANCE", "ENGLAND", "ITALY"), open_now("Irène", game))
    mail = mail_to("Irène")
    alone = mailboxes.get_mailbox(MailboxPurpose.MESSAGE, game, person("Irène"), "ITALY", "FRANCE")
    assert "Votre réponse ira à l’Angleterre et à la France." in flat(mail)
    assert mail.sender_name == "La France à l’Angleterre et à l’Italie – La table ronde"
    assert f"Pour écrire à la France seulement : {mailboxes.mailbox_address(alone)}" in flat(mail)


def test_a_declaration_has_no_such_address(game: Game) -> None:
    message_relay.queue_message(letter(game, "FRANCE", "*", unsigned=True), open_now("Irène", game))
    mail = mail_to("Irène")
    assert mail.sender_name == "Sans signature à tous – La table ronde"
    assert "Votre réponse dira" in flat(mail)
    assert "seulement" not in flat(mail)
    assert "France" not in f"{mail.subject}{mail.sender_name}{mail.text}"


def test_who_may_not_answer_is_told_why(game: Game) -> None:
    agreed = {**game.settings_json, "press_between": False}
    one = letter(game, "FRANCE", "ENGLAND")
    Game.objects.filter(pk=game.pk).update(phase="S1901R", settings_json=agreed)
    message_relay.queue_message(one, open_now("Edmond", game))
    assert "Pas de messages entre puissances pendant les retraites et" in flat(mail_to("Edmond"))
    assert "Votre réponse ira" not in flat(mail_to("Edmond"))
    message_relay.queue_message(letter(game, "@", "*"), open_now(OBSERVER, game))
    watching = mail_to(OBSERVER)
    assert (watching.reply_mailbox, watching.power) == (None, "")
    assert watching.text.endswith("\n\n  Paix ?\n")


# what is in it


def test_the_mail(game: Game) -> None:
    long = "Je te propose ceci : " + "la paix sur la Manche et la guerre ailleurs, " * 5
    text = f"{long}\n\n    A Par - Bur\n-- \nVotre réponse ira à tous.\n\n{'x' * 90}"
    message_relay.queue_message(letter(game, "FRANCE", "ENGLAND", text=text), open_now("Edmond", game))
    mail = mail_to("Edmond")
    assert mail.sender_name == "La France – La table ronde"
    assert mail.subject == "[La table ronde · Printemps 1901, mouvements] Message de la France à l’Angleterre"
    assert (mail.power, mail.kind) == ("ENGLAND", "letter")
    lines = mail.text.split("\n")
    assert lines[0] == "Message de la France à l’Angleterre"
    assert "Printemps 1901, mouvements · jeudi 5 mars 2026, 20 h 15 (Paris)" in flat(mail)
    assert "      A Par - Bur" in lines
    assert lines.count("-- ") == 1  # the letter feigns no end of itself
    assert [line for line in lines if line.startswith("Votre réponse")] == ["Votre réponse ira à la France."]
    assert max(len(line) for line in lines if "x" * 90 not in line) <= WIDTH
    assert " ".join(long.split()) in flat(mail)


def test_in_the_language_and_the_zone_of_its_reader(game: Game) -> None:
    edmond = person("Edmond")
    edmond.language, edmond.time_zone = "en", "America/Toronto"
    edmond.save()
    message_relay.queue_message(letter(game, "FRANCE", "ENGLAND"), open_now("Edmond", game))
    mail = mail_to("Edmond")
    assert mail.subject.endswith("Message from France to England")
    assert "Spring 1901, movement" in mail.text
    assert "Thursday 5 March 2026, 14:15 (Toronto)" in mail.text
    assert "Your reply goes to France." in mail.text


def test_a_thread_is_one_readers_and_one_rooms(game: Game) -> None:
    for room in (("FRANCE", "ENGLAND", "ITALY"), ("FRANCE", "ENGLAND")):
        for text in ("Un", "Deux"):
            one = letter(game, *room, text=text)
            for name in ("Edmond", "Irène"):
                message_relay.queue_message(one, open_now(name, game))
    threads = list(OutboundEmail.objects.values_list("person__name", "thread"))
    assert len(threads) == 6
    assert len({thread for _name, thread in threads}) == 3


def test_what_the_master_has_to_pass_on(game: Game) -> None:
    letter(game, "ITALY", "*", text="Déjà là")
    one = letter(
        game,
        "FRANCE",
        "ENGLAND",
        hold_reasons=(HoldReason("name", "Flora"), HoldReason("telephone", "06 12 34 56 78")),
    )
    assert message_relay.queue_held(one, open_now(MASTER, game))
    mail = mail_to(MASTER)
    assert message_visibility.message_number(one) == 2
    assert mail.subject.replace("\xa0", " ").endswith("Message en attente nº 2 : de la France à l’Angleterre")
    assert "À vérifier avant de transmettre : - Il nomme son auteur : « Flora »." in flat(mail)
    assert "répondez « transmettez 2 »" in flat(mail)
    assert "« renvoyez 2 : votre motif »" in flat(mail)
    assert (mail.power, mail.reply_mailbox) == (
        "@",
        mailboxes.get_mailbox(MailboxPurpose.DESK, game, person(MASTER), "@"),
    )


def test_the_master_knows_whose_a_declaration_is(game: Game) -> None:
    game = by_mail(table(press="held", declarations=True))
    one = letter(game, "FRANCE", "*", unsigned=True)
    assert message_relay.queue_held(one, open_now(MASTER, game))
    assert "de la France (sans signature) à tous" in mail_to(MASTER).subject
    message_actions.release_message(one, timezone.now())
    one.refresh_from_db()
    message_relay.queue_message(one, open_now("Edmond", game))
    assert (
        "France" not in f"{mail_to('Edmond').subject}{mail_to('Edmond').text}{mail_to('Edmond').sender_name}"
    )


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_master_answers_with_the_words_he_is_told(game: Game, language: str) -> None:
    """The words of the mail, taken from it, pass a letter on."""
    master = person(MASTER)
    master.language = language
    master.save()
    one = letter(game, "FRANCE", "ENGLAND", hold_reasons=(HoldReason("name", "Flora"),))
    message_relay.queue_held(one, open_now(MASTER, game))
    mail = mail_to(MASTER)
    quoted = mail.text.rpartition("-- ")[2].replace("\xa0", " ")
    word = quoted[quoted.index("« " if language == "fr" else "“") :].strip("«“ ").split(" »")[0].split("”")[0]
    assert mail.reply_mailbox is not None
    _answer(mail.reply_mailbox, word)
    one.refresh_from_db()
    assert one.state == "delivered"


# nothing of whoever wrote it


CANARIES = (
    "Kerbrat", "flora.kerbrat", "exemple-flora", "tournesol", "192.0.2.77", "canari.example", "canari-17",
    "+0530", "05:30", "CanariMail", "9.8.7", "canari.jpg", "06 12 34 56 78", "Objet canari",
)  # fmt: skip
RAW = """\
Received: from portable.canari.example ([192.0.2.77]) by relais.canari.example with ESMTPSA id canari-17;
 Thu, 5 Mar 2026 18:03:09 +0530
Date: Thu, 5 Mar 2026 18:03:07 +0530
From: =?utf-8?q?Flora_Kerbrat?= <flora.kerbrat@exemple-flora.fr>
Reply-To: tournesol@exemple-flora.fr
To: {to}
Cc: {cc}
Subject: Objet canari de Flora
Message-ID: <canari-17@exemple-flora.fr>
In-Reply-To: <canari-16@exemple-flora.fr>
User-Agent: CanariMail 9.8.7
X-Originating-IP: [192.0.2.77]
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: text/plain; charset=utf-8

La Manche reste vide, foi de {signed}.

Amicalement,
Flora Kerbrat
06 12 34 56 78

-- 
Flora Kerbrat, tournesol@exemple-flora.fr

Le jeu. 5 mars 2026 à 18:00 +0530, Flora Kerbrat <flora.kerbrat@exemple-flora.fr> a écrit :
> canari-17 {orders}
--x
Content-Type: image/jpeg; name="canari.jpg"
Content-Disposition: attachment; filename="canari.jpg"
Content-Transfer-Encoding: base64

/9j/4AAQ
--x--
"""  # noqa: W291 as mail programs write it


@pytest.mark.long
@pytest.mark.parametrize("signed", ["France", "Flora"])
def test_no_trace_of_whoever_wrote_it_reaches_others(game: Game, signed: str) -> None:
    """From the bytes that came in to the bytes that leave; his own answers may tell him of himself."""
    flora = person("Flora")
    orders = mailboxes.mailbox_address(mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, flora, "FRANCE"))
    boxes = [
        mailboxes.get_mailbox(MailboxPurpose.MESSAGE, game, flora, "FRANCE", one)
        for one in ("ENGLAND", "ITALY")
    ]
    to, cc = map(mailboxes.mailbox_address, boxes)
    raw = RAW.format(to=to, cc=cc, signed=signed, orders=orders).replace("\n", "\r\n").encode()
    inbound_storage.store_email(raw, boxes, address_of("Flora"), timezone.now())
    inbound_processing.process_due_mail(timezone.now())
    message_actions.release_messages(
        Message.objects.filter(state="held"), timezone.now()
    ) if signed == "Flora" else None
    MailSubscription.objects.update(started_at=WHEN, next_check_at=WHEN)
    subscription_sweep.queue_due_mail(timezone.now())
    others = OutboundEmail.objects.exclude(person=flora).filter(kind="letter")
    assert sorted(others.values_list("person__name", flat=True)) == ["Edmond", "Irène"]
    for departure in OutboundEmail.objects.exclude(person=flora):
        assert departure.person is not None
        bytes_out = message_builder.build_email(departure, address_of(departure.person.name)).data.decode()
        row = "\n".join(str(value) for value in vars(departure).values())
        for canary in (*CANARIES, orders, to, cc, "flora@"):
            assert canary not in row
            assert canary not in bytes_out
        if departure.kind == "letter":
            assert ("Flora" in departure.text) == (signed == "Flora")  # the master let it pass
            assert not any(name in row for name in SURNAMES.values())
            assert all(DOMAIN not in word or mailboxes.is_our_address(word) for word in row.split())


@pytest.mark.long
def test_a_letter_written_on_the_site_leaves_as_well(game: Game) -> None:
    InboundEmail.objects.all().delete()
    one = letter(game, "FRANCE", "ENGLAND", text="Du site")
    Message.objects.filter(pk=one.pk).update(delivered_at=timezone.now())
    MailSubscription.objects.update(started_at=WHEN, next_check_at=WHEN)
    for _ in range(2):
        subscription_sweep.queue_due_mail(timezone.now())
    found = OutboundEmail.objects.filter(kind="letter")
    assert [one.person and one.person.name for one in found] == ["Edmond"]
