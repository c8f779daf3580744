"""Senders that die: python -m tests.web.mail.dying_senders FOLDER PORT, printing what became of each.

Each is a process of its own on a copy of one site with mails that are due, and hands them over to the post
office at PORT. It ends at a named point as if somebody had pulled the plug; another comes after it. Last,
several work on one site together. What leaves one site is known by its domain.
"""

from __future__ import annotations

import json
import os
import shutil
import smtplib
import sys
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import django

from tests.web.games.dying import DEAD, after, child

TOGETHER, MANY = 3, 24
# Where a sender dies, and whether the mail that it had in hand is handed over once more.
POINTS = {
    "news half gathered": False,
    "news gathered": False,
    "claimed": False,
    "connected": False,
    "looked at": False,
    "half handed over": False,
    "handed over": True,
    "before commit": True,
    "marked": False,
}


def domain(site: str) -> str:
    return f"{site.replace(' ', '-') or 'undisturbed'}.example.org"


def arm(point: str) -> None:
    """Let this process die at a point."""
    from talleyrand.web.mail.outgoing import departing, digests, sending

    places: dict[str, Callable[[], None]] = {
        "news half gathered": lambda: after(departing, "queue"),
        "news gathered": lambda: after(digests, "gather"),
        "claimed": lambda: after(sending, "_claim"),
        "connected": lambda: after(sending.Carrier, "_open"),
        "looked at": lambda: after(sending.Carrier, "_looked_at"),
        "half handed over": _half,
        "handed over": lambda: after(sending.Line, "send_messages"),
        "before commit": lambda: setattr(sending, "_insist", _uncommitted),
        "marked": lambda: after(sending, "_mark"),
    }
    places[point]()


def _half() -> None:
    def data(line: smtplib.SMTP, message: bytes) -> None:
        line.docmd("DATA")
        line.send(message[: len(message) // 2])
        os._exit(DEAD)

    setattr(smtplib.SMTP, "data", data)  # noqa: B010 mypy knows it as a method


def _uncommitted(work: Callable[[], int]) -> None:
    from django.db import transaction

    with transaction.atomic():
        work()
        os._exit(DEAD)


def settle(site: str, port: int) -> None:
    """This process sends for a site."""
    from django.conf import settings

    from tests.web.mail.correspondents import POST
    from tests.web.mail.office import Office

    for name, value in {**Office(port=port).settings, **POST, "POST_DOMAIN": domain(site)}.items():
        setattr(settings, name, value)


def prepare() -> None:
    """A report for one, and news for another."""
    from django.core.management import call_command

    from talleyrand.web.games import audience
    from tests.web.cast import table
    from tests.web.mail.correspondents import correspond
    from tests.web.mail.leaving import waiting

    call_command("migrate", verbosity=0)
    game = table()
    edmond = correspond("Edmond")
    audience.tell(game, [edmond.pk], "published", "published:1", phase="S1901M")
    audience.tell(game, [edmond.pk], "letter", "letter:1", power="FRANCE")
    waiting("Flora", game=game, power="FRANCE")


def send(*minutes: int) -> None:
    from django.utils import timezone

    from talleyrand.web.mail.outgoing import sending

    for later in minutes:
        sending.send_due(timezone.now() + timedelta(minutes=later))


def told() -> Any:
    from talleyrand.web.mail.models import Departure
    from talleyrand.web.notices.models import Delivery

    rows = Departure.objects.order_by("kind").values_list("kind", "person__name", "worker", "dropped")
    unsent = Departure.objects.filter(sent=None).count() + Delivery.objects.filter(sent=None).count()
    return {"rows": list(rows), "unsent": unsent}


def follow(folder: Path, point: str, port: int) -> dict[str, Any]:
    """One sender dies, the one after it goes on; what they come to."""
    settle(point, port)

    def die() -> None:
        if point:
            arm(point)
        send(0)

    def go_on() -> None:
        send(6, 12)
        (folder / "told.json").write_text(json.dumps(told()))

    status = child(folder, die)
    later = child(folder, go_on)
    return {"status": status, "later": later, **json.loads((folder / "told.json").read_text())}


def crowd(folder: Path, port: int) -> list[int]:
    """Several senders work on one site at once; their statuses."""
    settle("together", port)

    def fill() -> None:
        from tests.web.mail.leaving import waiting

        for number in range(MANY):
            waiting(("Flora", "Edmond", "Théa")[number % 3], subject=f"Numéro {number}")

    if child(folder, fill):
        sys.exit("the site could not be filled")
    children = [_begun(folder) for _ in range(TOGETHER)]
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]


def _begun(folder: Path) -> int:
    pid = os.fork()
    if not pid:
        os._exit(child(folder, lambda: send(0)))
    return pid


def main(place: Path, port: int) -> None:
    os.environ["TALLEYRAND_DATA"] = str(place)
    django.setup()
    import_module("talleyrand.web.urls")  # once, rather than in each process
    import_module("talleyrand.web.mail.outgoing.sending")
    first = place / "first"
    first.mkdir()
    settle("", port)
    if child(first, prepare):
        sys.exit("the site could not be prepared")
    found: dict[str, Any] = {}
    for number, point in enumerate(("", *POINTS)):
        copy = place / str(number)
        shutil.copytree(first, copy)
        found[point] = follow(copy, point, port)
    found["together"] = crowd(first, port)
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
