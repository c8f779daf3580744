"""Sites that die with a mail in their hands: python -m tests.web.mail.dying FOLDER, printing what became of
each.

A mail is brought to a site by a real dialogue, and its answer leaves by another. The site ends at a named
point between the two as if somebody had pulled the plug. The client brings the mail again if nobody said 250,
as mail servers do; another process goes on with the folder, a little later and an hour later.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import smtplib
import socket
import sys
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import django
from aiosmtpd.smtp import SMTP
from django.utils import timezone

from tests.web.games.dying import DEAD, after, after_item, before, child

# Nothing that reads the settings is imported before they are made: a site is prepared in `main`.
HOST, DOMAIN = "127.0.0.1", "jeu.example.org"
PATIENCE = 60
NOW, SOON, LATER = timedelta(0), timedelta(minutes=6), timedelta(hours=2)

# From the end of DATA to 250, from there to the answer, from there to the server that takes our mail.
COMING = ("data heard", "message written", "kept", "before 250", "250 said")
SORTING = (
    "claimed",
    "read",
    "before it is done",
    "done",
    "handled",
    "answer queued",
    "clock told",
    "outcome kept",
)
LEAVING = ("before a departure is claimed", "departure claimed", "before it is handed over", "sealed")
LEFT = ("handed over", "marked as sent")
# On its way in, all mails go the same way.
POINTS = {"orders": (*COMING, *SORTING, *LEAVING, *LEFT), "letter": (*SORTING, *LEAVING, *LEFT)}
# There the server of others has taken the answer, and nobody here knows: it is handed over once more, as
# the same mail, by its Message-ID.
UNCERTAIN = "handed over"

TEXTS = {
    "orders": "A Par - Bou\nA Mar - Esp\nF Bre - MAO\n",
    "letter": "Et si nous parlions de la Bourgogne ?\n",
}


def arm(door: str, point: str) -> None:
    """Let this process die at a point."""
    from talleyrand.web.games import inbox, unread
    from talleyrand.web.mail import reading
    from talleyrand.web.mail.incoming import arriving, smtpd, sorting
    from talleyrand.web.mail.outgoing import departing, sending
    from talleyrand.web.press import writing

    deed = (inbox, "hand_in") if door == "orders" else (writing, "send")
    places: dict[str, Callable[[], None]] = {
        "data heard": lambda: before(arriving, "keep"),
        "message written": lambda: after(arriving, "_arrive"),
        "kept": lambda: after(arriving, "keep"),
        "before 250": lambda: before(smtpd.Conversation, "_answer"),
        "250 said": lambda: after_told(smtpd.Conversation, "_answer"),
        "claimed": lambda: after(sorting, "_claim"),
        "read": lambda: after(reading, "read"),
        "before it is done": lambda: before(*deed),
        "done": lambda: after(*deed),
        "handled": lambda: after_item(sorting.TAKERS, door),
        "answer queued": lambda: after(departing, "queue"),
        "clock told": lambda: after(unread, "settle"),
        "outcome kept": lambda: after(sorting, "finish"),
        "before a departure is claimed": lambda: before(sending, "_claim"),
        "departure claimed": lambda: after(sending, "_claim"),
        "before it is handed over": lambda: before(sending.Post, "__init__"),
        "sealed": lambda: after(sending.Post, "message"),
        UNCERTAIN: lambda: before(sending, "_mark"),
        "marked as sent": lambda: after(sending, "_mark"),
    }
    places[point]()


def after_told(owner: Any, name: str) -> None:
    work = getattr(owner, name)

    async def told(*args: Any) -> None:
        await work(*args)
        os._exit(DEAD)

    setattr(owner, name, told)


def warm() -> None:
    """Read once, before so many processes come of this one, what each of them needs."""
    from django.urls import reverse

    from talleyrand import rulebooks, variants
    from talleyrand.web.mail.correspondence import collecting  # noqa: F401 read for the children
    from talleyrand.web.mail.incoming import smtpd, sorting  # noqa: F401
    from talleyrand.web.mail.outgoing import sending  # noqa: F401

    variants.load("classic")
    rulebooks.load("anjou_feu")
    reverse("games:all")


def prepare(place: Path) -> None:
    """A phase is open, and two play by post; what they are told to begin with has left."""
    from django.core.management import call_command

    from talleyrand.web.games import opening
    from talleyrand.web.mail.correspondence import collecting, corresponding
    from talleyrand.web.mail.models import Departure
    from tests.web.cast import table

    from .correspondents import correspond

    call_command("migrate", verbosity=0)
    now = timezone.now()
    game = opening.begin(table(begun=False, rhythm={"hours": 72, "early": False}), now)
    for name in ("Flora", "Irène"):
        corresponding.begin(game, correspond(name))
    collecting.sweep(now)
    Departure.objects.update(sent=now)
    addresses(place)


def addresses(place: Path) -> None:
    """Where the mails of each kind go, for those outside."""
    from talleyrand.web.games.models import Game
    from talleyrand.web.mail import addressing
    from talleyrand.web.mail.models import Door
    from tests.web.cast import person

    game, flora = Game.objects.get(), person("Flora")
    found = {
        "orders": addressing.mailbox(Door.ORDERS, game, flora, "FRANCE"),
        "letter": addressing.mailbox(Door.LETTER, game, flora, "FRANCE", "ITALY"),
    }
    told = {door: addressing.address(one) for door, one in found.items()}
    (place / "addresses.json").write_text(json.dumps(told))


def at_work(listening: socket.socket, go_on: int, times: tuple[timedelta, ...]) -> None:
    """A site takes mail until it is told to go on; then it reads it and sends what is to leave."""
    from talleyrand.web.mail.correspondence import collecting
    from talleyrand.web.mail.incoming import smtpd, sorting
    from talleyrand.web.mail.outgoing import sending

    signal.alarm(PATIENCE)
    with smtpd.receiving(listening):
        os.read(go_on, 1)
    for later in times:
        for work in (sorting.sort_due, collecting.sweep, sending.send_due):
            work(timezone.now() + later)


def told() -> Any:
    """All that a mail leads to; a mail that was brought twice is there twice, and counts once."""
    from talleyrand.web.games.models import Game, Seat, Sheet, Unread
    from talleyrand.web.mail.models import Arrival, Departure
    from talleyrand.web.notices.models import Notice
    from talleyrand.web.press.models import Letter

    game = Game.objects.get()
    outcomes = [one for one in Arrival.objects.values_list("outcome", flat=True) if one != "repeated"]
    parts = ("kind", "person__name", "once", "subject", "power", "dropped")
    return {
        "outcomes": outcomes,
        "game": (game.number, game.receipts, game.state, game.trouble),
        "sheets": list(Sheet.objects.values_list("power", "receipt", "lines", "origin")),
        "seats": list(Seat.objects.values_list("power", "draft", "final")),
        "letters": [str(one) for one in Letter.objects.values_list("writer", "number", "state", "text")],
        "departures": [str(one) for one in Departure.objects.order_by("kind", "once").values_list(*parts)],
        "unsent": Departure.objects.filter(sent=None, dropped="").count(),
        "unread": Unread.objects.count(),
        "news": sorted(Notice.objects.values_list("person__name", "kind")),
    }


# the world around


@dataclass
class Office:
    """The server that takes our mail: a process that writes down all it took before it says so."""

    place: Path

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 its name
        head = envelope.content.decode("ascii").partition("\r\n\r\n")[0].split("\r\n")
        (number,) = (line for line in head if line.lower().startswith("message-id:"))
        with self.place.open("a") as out:
            out.write(json.dumps([envelope.rcpt_tos, number]) + "\n")
        return "250 OK"

    def items(self) -> list[Any]:
        return (
            [json.loads(line) for line in self.place.read_text().splitlines()] if self.place.exists() else []
        )

    def serve(self, listening: socket.socket) -> None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        server = loop.create_server(lambda: SMTP(self, hostname=HOST, loop=loop), sock=listening)
        loop.run_until_complete(server)
        loop.run_forever()


@contextmanager
def open_office(place: Path, listening: socket.socket) -> Any:
    office = Office(place)
    pid = os.fork()
    if not pid:
        office.serve(listening)
    try:
        yield office
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def bring(port: int, to: str, mail: bytes) -> bool:
    """Whether the site has said 250."""
    from .office import submit

    try:
        return submit(port, to, mail, sender="flora@exemple.fr").is_taken
    except (OSError, smtplib.SMTPException):
        return False


@dataclass
class Trial:
    """One mail, and a site that dies with it at a point; it lives with ""."""

    folder: Path
    office: Office
    door: str
    to: str
    mail: bytes

    def run(self, point: str) -> dict[str, Any]:
        heard = len(self.office.items())
        status, taken = self._serve(lambda: arm(self.door, point) if point else None, NOW, needed=True)
        later, _taken = self._serve(lambda: None, SOON, LATER, needed=not taken, tell=True)
        return {
            "status": status,
            "taken": taken,
            "later": later,
            "told": json.loads((self.folder / "told.json").read_text()),
            "items": self.office.items()[heard:],
        }

    def _serve(
        self, prepare: Callable[[], None], *times: timedelta, needed: bool, tell: bool = False
    ) -> tuple[int, bool]:
        """A process works on the folder, and is brought the mail if need be: its status, and whether it
        said 250.
        """
        listening = socket.create_server((HOST, 0))
        hear, speak = os.pipe()

        def work() -> None:
            os.close(speak)
            prepare()
            at_work(listening, hear, times)
            if tell:
                (self.folder / "told.json").write_text(json.dumps(told()))

        taken: list[bool] = []

        def meanwhile() -> None:
            os.close(hear)
            if needed:
                taken.append(bring(listening.getsockname()[1], self.to, self.mail))
            os.close(speak)

        status = child(self.folder, work, meanwhile)
        listening.close()
        return status, any(taken)


def main(place: Path) -> None:
    answers = socket.create_server((HOST, 0))
    os.environ |= {
        "TALLEYRAND_DATA": str(place),
        "TALLEYRAND_MAIL_DOMAIN": DOMAIN,
        "TALLEYRAND_MAIL_FROM": f"Talleyrand <site@{DOMAIN}>",
        "TALLEYRAND_SMTP": f"smtp://{HOST}:{answers.getsockname()[1]}?tls=none",
    }
    django.setup()
    warm()
    from .office import written

    first = place / "first"
    first.mkdir()
    if child(first, lambda: prepare(place)):
        sys.exit("the site could not be prepared")
    known = json.loads((place / "addresses.json").read_text())
    found: dict[str, Any] = {}
    with open_office(place / "office.jsonl", answers) as office:
        for door, to in known.items():
            mail = written([to], TEXTS[door], sender="flora@exemple.fr", subject="Printemps 1901")
            for number, point in enumerate(("", *POINTS[door])):
                copy = place / f"{door}-{number}"
                shutil.copytree(first, copy)
                found[f"{door} {point}"] = Trial(copy, office, door, to, mail).run(point)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
