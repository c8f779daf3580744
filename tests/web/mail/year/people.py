"""Eight people, the mail programs they write with, and all that would tell of them.

Every one writes from his own machine, in his own zone; whatever of it reached another one would be a leak.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from email.header import Header
from textwrap import indent

Compose = Callable[["Person", "Received", str, str], str]


@dataclass
class Received:
    """A mail that is answered: whom it came from, as its reader sees it, and its text."""

    sender: str = ""
    subject: str = ""
    text: str = ""


@dataclass(frozen=True)
class Person:
    """Somebody with a mailbox; `marks` are what his program and his machine leave in a mail."""

    name: str
    address: str
    language: str
    zone: str
    clock: str  # the hour on his Date headers, which no clock of the test shows
    marks: tuple[str, ...]
    headers: str
    compose: Compose
    signature: str = ""
    count: itertools.count[int] = field(default_factory=lambda: itertools.count(1), compare=False)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What nobody else may ever receive."""
        words = [word for word in self.name.replace("-", " ").split() if len(word) > 3]
        return (*words, self.address, self.address.partition("@")[0], self.zone, self.clock, *self.marks)

    def write(
        self, to: str, text: str, answered: Received | None = None, cc: str = "", subject: str = ""
    ) -> bytes:
        """A raw mail as his program makes it; an answer quotes what it answers, in the program’s way."""
        old = answered or Received()
        title = subject or (f"Re: {old.subject}" if answered else "")
        body = self.compose(self, old, text, self.signature) if answered else self._fresh(text)
        number = next(self.count)
        head = self.headers.format(number=number, clock=self.clock, zone=self.zone, address=self.address)
        lines = [
            head.strip(),
            f"From: {Header(self.name, 'utf-8').encode()} <{self.address}>",
            f"To: {to}",
            *([f"Cc: {cc}"] if cc else []),
            f"Subject: {Header(title, 'utf-8', maxlinelen=200).encode()}",
            f"Date: Tue, 03 Mar 2026 {self.clock} {self.zone}",
            "MIME-Version: 1.0",
            'Content-Type: text/plain; charset="utf-8"',
            "Content-Transfer-Encoding: 8bit",
        ]
        return ("\r\n".join(lines) + "\r\n\r\n" + body.replace("\n", "\r\n") + "\r\n").encode()

    def _fresh(self, text: str) -> str:
        return f"{text}\n\n{self.signature}" if self.signature else text


def _quoted(text: str) -> str:
    return indent(text, "> ", lambda _line: True)


def gmail(me: Person, old: Received, text: str, _signature: str) -> str:
    return f"{text}\n\nLe mar. 3 mars 2026 à {me.clock[:5]}, {old.sender} a\nécrit :\n\n{_quoted(old.text)}\n"


def outlook(me: Person, old: Received, text: str, signature: str) -> str:
    return (
        f"{text}\n\n{signature}\n\n-----Original Message-----\nFrom: {old.sender} \n"
        f"Sent: Tuesday, March 3, 2026 {me.clock[:5]}\nTo: {me.name} <{me.address}>\n"
        f"Subject: {old.subject}\n\n{old.text}\n"
    )


def apple(me: Person, old: Received, text: str, signature: str) -> str:
    head = f"Le 3 mars 2026 à {me.clock[:5]}, {old.sender} a écrit :"
    return f"{text}\n\n{signature}\n\n> {head}\n> \n{_quoted(old.text)}\n"


def thunderbird(me: Person, old: Received, text: str, signature: str) -> str:
    head = f"On 03/03/2026 {me.clock[:5]}, {old.sender} wrote:"
    return f"{head}\n{_quoted(old.text)}\n\n{text}\n\n{signature}\n"


def orange(me: Person, old: Received, text: str, signature: str) -> str:
    return (
        f"{text}\n\n{signature}\n\n\n> Message du 03/03/26 {me.clock[:5]}\n> De : {old.sender}\n"
        f"> A : {me.address}\n> Copie à : \n> Objet : {old.subject}\n> \n{_quoted(old.text)}\n"
    )


def k9(me: Person, old: Received, text: str, signature: str) -> str:
    head = f"On 3 March 2026 {me.clock} GMT{me.zone}, {old.sender} wrote:"
    return f"{text}\n{signature}\n\n{head}\n{_quoted(old.text)}"


def ios(me: Person, old: Received, text: str, signature: str) -> str:
    head = f"Le 3 mars 2026 à {me.clock[:5]}, {old.sender} a écrit :"
    return f"{text}\n\n{signature}\n\n> {head}\n> \n> \ufeff\n{_quoted(old.text)}"


def mutt(me: Person, old: Received, text: str, signature: str) -> str:
    head = f"Le mar. 03 mars 2026 à {me.clock} {me.zone}, {old.sender} a écrit :"
    return f"{head}\n{_quoted(old.text)}\n\n{text}\n\n{signature}\n"


PEOPLE = (
    Person(
        "Agathe Vandermeersch",
        "agathe.vdm@gmail.example",
        "fr",
        "+0130",
        "03:14:15",
        ("CAJqVdm", "mail-wr1-f44.google.example", "209.85.221.44"),
        "Received: from mail-wr1-f44.google.example (mail-wr1-f44.google.example [209.85.221.44])\r\n"
        " by mx.agathe.example; Tue, 03 Mar 2026 {clock} {zone}\r\n"
        "DKIM-Signature: v=1; a=rsa-sha256; d=gmail.example; s=20230601; b=AgVdm\r\n"
        "Message-ID: <CAJqVdm{number}=wr1@mail.gmail.example>",
        gmail,
    ),
    Person(
        "Edmond Pettigrew",
        "edmond@pettigrew-solicitors.example",
        "en",
        "-0930",
        "04:25:36",
        (
            "Microsoft Outlook 16.0",
            "LO2P123MB",
            "AQHaPettigrewIndex",
            "EXCH-LON-07",
            "81.2.69.142",
            "+44 20 7946 0991",
        ),
        "Received: from EXCH-LON-07.pettigrew-solicitors.example ([81.2.69.142]) with mapi;\r\n"
        " Tue, 03 Mar 2026 {clock} {zone}\r\n"
        "Thread-Index: AQHaPettigrewIndex{number}\r\nX-Mailer: Microsoft Outlook 16.0\r\n"
        "X-Originating-IP: [81.2.69.142]\r\nContent-Language: en-GB\r\n"
        "Message-ID: <LO2P123MB{number}@EXCH-LON-07.pettigrew-solicitors.example>",
        outlook,
        "Edmond Pettigrew\nSenior Partner\n+44 20 7946 0991",
    ),
    Person(
        "Flora Delacroix-Nguyen",
        "flora.delacroix@icloud.example",
        "fr",
        "-0430",
        "05:36:47",
        ("Apple Mail (2.3774.600.62)", "FDN-MacBook", "0F10A4B2-F10A", "24.48.0.1"),
        "Received: from smtpclient.apple (FDN-MacBook.videotron.example [24.48.0.1])\r\n"
        " by outbound.icloud.example; Tue, 03 Mar 2026 {clock} {zone}\r\n"
        "X-Mailer: Apple Mail (2.3774.600.62)\r\n"
        "Message-Id: <0F10A4B2-F10A-{number}@icloud.example>",
        apple,
        "Flora",
    ),
    Person(
        "Gaspard Oberhauser",
        "gaspard.oberh@oberhauser.example",
        "en",
        "+1030",
        "06:47:58",
        ("Mozilla Thunderbird", "pc-gaspard.local", "203.0.113.77", "oberhauser.example/blog"),
        "Received: from pc-gaspard.local (203.0.113.77) by mx.oberhauser.example;\r\n"
        " 3 Mar 2026 {clock} {zone}\r\n"
        "User-Agent: Mozilla Thunderbird\r\nContent-Language: de-AT\r\n"
        "Message-ID: <oberh-{number}-77@oberhauser.example>",
        thunderbird,
        "-- \nG. Oberhauser · https://oberhauser.example/blog",
    ),
    Person(
        "Irène Castellani",
        "irene.castellani@orange.example",
        "fr",
        "+0230",
        "07:58:09",
        ("wwinf1c20", "109.210.55.3", "X-WUM-FROM", "wsfrf1236"),
        "Received: from wsfrf1236 (wsfrf1236 [10.223.17.64]) by wwinf1c20 with LMTP;\r\n"
        " Tue, 03 Mar 2026 {clock} {zone}\r\n"
        "X-WUM-FROM: |~|\r\nX-ORIGINATING-IP: [109.210.55.3]\r\nX-Wum-Nature: EMAIL-NATURE\r\n"
        "Message-ID: <castel.{number}.JavaMail.www@wwinf1c20>",
        orange,
        "Envoyé depuis l’application Mail Orange",
    ),
    Person(
        "Roman Wojciechowski",
        "roman@wojciechowski.example",
        "en",
        "+0545",
        "08:09:21",
        ("K-9 Mail for Android", "WOJT", "wojt-phone", "27.34.12.9"),
        "Received: from [127.0.0.1] (wojt-phone [27.34.12.9]) by mx.wojciechowski.example;\r\n"
        " Tue, 03 Mar 2026 {clock} {zone}\r\n"
        "User-Agent: K-9 Mail for Android\r\n"
        "Autocrypt: addr=roman@wojciechowski.example; keydata=wojt-phone\r\n"
        "Message-ID: <WOJT{number}-27A1@wojciechowski.example>",
        k9,
        "-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
    ),
    Person(
        "Théa Papadimitriou",
        "thea.papa@free.example",
        "fr",
        "+1245",
        "09:21:32",
        ("iPhone Mail (21E236)", "7HEA-", "zimbra-papa", "82.64.15.200"),
        "Received: from zimbra-papa.free.example (82.64.15.200) by smtp5-g21.free.example;\r\n"
        " Tue, 03 Mar 2026 {clock} {zone}\r\n"
        "X-Mailer: iPhone Mail (21E236)\r\nMessage-Id: <7HEA-{number}@free.example>",
        ios,
        "Envoyé de mon iPhone",
    ),
)
MASTER = Person(
    "Maëlle Kervadec",
    "maelle@kervadec.example",
    "fr",
    "-0330",
    "10:32:43",
    ("Mutt/2.2.12", "manoir.kervadec.example", "90.3.77.12"),
    "Received: from manoir.kervadec.example (90.3.77.12); Tue, 03 Mar 2026 {clock} {zone}\r\n"
    "User-Agent: Mutt/2.2.12 (2023-09-09)\r\nMessage-ID: <kerv{number}.GA77@manoir.kervadec.example>",
    mutt,
    "-- \nMaëlle K.",
)
NEWCOMER = Person(  # in the place of `PEOPLE[6]`, whose language it is too
    "Ursula Blomqvist",
    "ursula.blomqvist@telia.example",
    "fr",
    "+0345",
    "11:43:54",
    ("Evolution 3.52.1", "UrsBlom", "bredband.telia.example", "78.64.9.31"),
    "Received: from bredband.telia.example (78.64.9.31) by mx.telia.example;\r\n"
    " Tue, 03 Mar 2026 {clock} {zone}\r\n"
    "User-Agent: Evolution 3.52.1\r\nMessage-ID: <UrsBlom{number}@telia.example>",
    thunderbird,
    "Ursula",
)
LOST = "perdue@nulle-part.example"  # no mail reaches it
