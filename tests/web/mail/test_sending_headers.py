"""What leaves: exactly these headers, made from nothing; words of any language arrive as they were."""

from __future__ import annotations

import re
from datetime import UTC
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.utils import parseaddr
from socket import getfqdn, gethostname
from typing import Any

import pytest
from django.test import override_settings
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st

from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.outbound import email_sending, message_builder
from talleyrand.web.mail.parsing.quote_detection import REPLY_ABOVE
from tests.web.cast import person, table

from .correspondents import DOMAIN, SURNAMES, address_of, correspond
from .leaving import waiting
from .office import Item, Office

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

ALWAYS = ["Date", "From", "To", "Subject", "Message-ID"]
BODY = ["X-Talleyrand-Departure", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"]
THREAD = ["In-Reply-To", "References"]
FRENCH = "Théa, à l’œuvre : « forêt » 100 € – été"


def sent(office: Office, *args: Any, **more: Any) -> Item:
    waiting(*args, **more)
    assert email_sending.send_due_emails(timezone.now()) == 1
    return office.items[-1]


def names(item: Item) -> list[str]:
    return [name for name, _value in item.head]


def raw(item: Item, name: str) -> str:
    return dict(item.head)[name]


def signed(item: Item) -> tuple[str, str]:
    """The name and the address that it comes from, as RFC 2047 reads them."""
    name, address = parseaddr(raw(item, "From"))
    return str(make_header(decode_header(name))), address


def orders_box() -> Mailbox:
    return mailboxes.get_mailbox(MailboxPurpose.ORDERS, table(), correspond("Flora"), "FRANCE")


@pytest.mark.parametrize(
    ("kind", "thread", "expected"),
    [
        ("answer", "", [*ALWAYS, "Auto-Submitted", *BODY]),
        ("report", "game:abc", [*ALWAYS, *THREAD, "Auto-Submitted", *BODY]),
        ("letter", "room-1", [*ALWAYS, *THREAD, *BODY]),
        ("news", "", [*ALWAYS, "Auto-Submitted", "List-Unsubscribe", *BODY]),
        ("invitation", "", [*ALWAYS, "Auto-Submitted", *BODY]),
    ],
)
def test_these_headers_and_no_other(office: Office, kind: str, thread: str, expected: list[str]) -> None:
    assert names(sent(office, kind=kind, thread=thread)) == expected


def test_what_they_say(office: Office) -> None:
    box = orders_box()
    item = sent(office, game=box.game, power="FRANCE", mailbox=box, sender="La table", thread="game:abc")
    row = OutboundEmail.objects.get()
    made = row.created_at.astimezone(UTC).strftime("%a, %d %b %Y %H:%M:%S +0000")
    assert item.head == [
        ("Date", made),
        ("From", f'"La table (Talleyrand)" <{mailboxes.mailbox_address(box)}>'),
        ("To", address_of("Flora")),
        ("Subject", "=?utf-8?q?Le_r=C3=A9sultat?="),
        ("Message-ID", f"<{row.message_token}@{DOMAIN}>"),
        ("In-Reply-To", f"<game.abc@{DOMAIN}>"),
        ("References", f"<game.abc@{DOMAIN}>"),
        ("Auto-Submitted", "auto-generated"),
        ("X-Talleyrand-Departure", row.message_token),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Transfer-Encoding", "quoted-printable"),
    ]


def test_it_names_neither_the_reader_nor_the_machine(office: Office) -> None:
    item = sent(office, "Flora")
    everything = item.data.decode() + item.envelope + item.greeting
    assert office.greetings == [DOMAIN]
    assert raw(item, "To") == address_of("Flora")
    assert "Flora" not in everything
    assert SURNAMES["Flora"] not in everything
    assert not {gethostname(), getfqdn()} & set(re.split(r"[\s<>@\[\]()=]+", everything))


def test_it_comes_back_to_an_address_of_its_reader_alone(office: Office) -> None:
    first, second = sent(office, "Flora"), sent(office, "Edmond")
    assert sent(office, "Flora").envelope == first.envelope != second.envelope
    box = mailboxes.find_mailbox(first.envelope)
    assert (box.purpose, box.person) == (MailboxPurpose.BOUNCE, person("Flora"))


def test_from_the_site_where_nobody_is_to_be_answered(office: Office) -> None:
    assert raw(sent(office), "From") == f'"Talleyrand" <site@{DOMAIN}>'
    with override_settings(DEFAULT_FROM_EMAIL="site@exemple.org"):
        assert raw(sent(office), "From") == "site@exemple.org"


def test_to_whom_the_site_does_not_know_the_site_writes(office: Office) -> None:
    """Whoever makes a game or a tournament chooses its name: it may be that of a bank."""
    for sender in ("Banque de France", ""):
        OutboundEmail.objects.create(
            address="nemo@exemple.fr",
            kind="invitation",
            idempotency_key=sender,
            subject="x",
            text="x\n",
            sender_name=sender,
        )
    email_sending.send_due_emails(timezone.now())
    assert {raw(item, "From") for item in office.items} == {f'"Talleyrand" <site@{DOMAIN}>'}


def test_a_renewed_address_is_answered_at_the_new_one(office: Office) -> None:
    box = orders_box()
    waiting("Flora", mailbox=box)
    new = mailboxes.renew_mailbox(box)
    email_sending.send_due_emails(timezone.now())
    assert mailboxes.mailbox_address(new) in raw(office.items[0], "From")


def test_a_revoked_address_is_not_answered_at(office: Office) -> None:
    box = orders_box()
    waiting("Flora", mailbox=box)
    Mailbox.objects.update(revoked_at=timezone.now())
    email_sending.send_due_emails(timezone.now())
    assert raw(office.items[0], "From") == f'"Talleyrand" <site@{DOMAIN}>'


@pytest.mark.parametrize(
    ("language", "path"), [("fr", "/notifications/reglages/"), ("en", "/en/notifications/settings/")]
)
def test_news_say_where_to_be_rid_of_them(office: Office, language: str, path: str) -> None:
    flora = correspond("Flora")
    flora.language = language
    flora.save()
    assert raw(sent(office, flora, kind="news"), "List-Unsubscribe") == f"<https://{DOMAIN}{path}>"
    with override_settings(SITE_URL=""):
        assert "List-Unsubscribe" not in names(sent(office, flora, kind="news"))


def test_french_everywhere(office: Office) -> None:
    box = orders_box()
    item = sent(office, mailbox=box, sender=FRENCH, subject=FRENCH, text=f"{FRENCH}\n", thread="été")
    assert item.data.isascii()
    assert signed(item) == (f"{FRENCH} (Talleyrand)", mailboxes.mailbox_address(box))
    assert item.mail["Subject"] == FRENCH
    assert item.text == f"{REPLY_ABOVE}\n\n{FRENCH}\n"
    assert re.fullmatch(rf"<[0-9a-f]{{32}}@{DOMAIN}>", raw(item, "References"))


LONG = "Théâtre d’ombres, où l’on cède – " * 7
NASTY = [
    LONG[:160],
    "a" * 160,
    'Un "nom", avec <des> signes; (et) \\ plus, @ tout',
    "=?utf-8?q?faux?= mot",
    "Bcc: x\r\nBcc: victime@exemple.fr",
    "une\x00 ligne\x85 et\u2028 une autre",
    "日本語の名前",
    " ",
    "🇫🇷 la France",
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("words", NASTY)
def test_words_that_would_break_a_header(office: Office, words: str) -> None:
    item = sent(office, sender=words, subject=words or "-", mailbox=orders_box())
    head = item.data.partition(b"\r\n\r\n")[0]
    plain = " ".join(words.replace("\x00", " ").replace("\x85", " ").replace("\u2028", " ").split())
    assert names(item) == [*ALWAYS, "Auto-Submitted", *BODY]
    assert all(len(line) <= 200 for line in head.split(b"\r\n"))
    assert item.mail["Subject"] == plain
    assert signed(item)[0] == (f"{plain} (Talleyrand)" if plain else "Talleyrand")


def test_an_address_of_accented_domain(office: Office) -> None:
    correspond("Flora", "flora@exemplé.fr")
    waiting(person("Flora"))
    assert email_sending.send_due_emails(timezone.now()) == 1
    assert office.items[0].to == ("flora@xn--exempl-gva.fr",)
    assert raw(office.items[0], "To") == "flora@xn--exempl-gva.fr"


def test_long_domains_are_not_encoded(office: Office) -> None:
    far = f"{'a' * 60}.{'b' * 50}.org"
    with override_settings(GAME_MAIL_DOMAIN=far):
        item = sent(office, thread="game:abc")
    assert raw(item, "Message-ID").endswith(f"@{far}>")
    assert raw(item, "References") == f"<game.abc@{far}>"


# the text


TEXTS = [
    "From Paris to Burgundy\nFrom A to B\n.\n..deux\n",
    "x" * 500 + "\n",
    "trailing  \n\ttab\t\n\n\n-- \nsignature\n",
    "=3D =\n=20\n",
    "| A PAR-BUR\n> cité\n",
    "é" * 300,
]


@pytest.mark.parametrize("text", TEXTS)
def test_lines_survive(office: Office, text: str) -> None:
    item = sent(office, text=text)
    assert item.text.rstrip("\n") == text.rstrip("\n")
    body = item.data.partition(b"\r\n\r\n")[2]
    assert body.isascii()
    assert not re.search(rb"^From |^\.\r\n|[ \t]\r\n", body, re.MULTILINE)
    assert max(map(len, body.split(b"\r\n"))) <= 80


HEAD = (
    b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
)


@given(
    st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t"), max_size=300)
)
@example("From \nFrom =\n" + "From " * 40)
def test_any_text(text: str) -> None:
    data = message_builder.encode_body(text)
    assert data.isascii()
    assert b"\n" not in data.replace(b"\r\n", b"")
    read = message_from_bytes(HEAD + data, policy=policy.default).get_content()
    assert read.replace("\r\n", "\n") == text.rstrip("\n") + "\n"


@given(st.text(max_size=160))
def test_any_words_in_a_header(text: str) -> None:
    line = message_builder._words(text, "Subject")
    assert line.isascii()
    assert not re.search(r"\n(?! )|\r(?!\n)|\x00", line)
    found = message_from_bytes(f"Subject: {line}\r\n\r\n".encode(), policy=policy.default)
    assert found.keys() == ["Subject"]
