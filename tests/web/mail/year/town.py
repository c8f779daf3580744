"""A site that serves for real, the mail server of everybody else, and eight people who write and read."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.ports import free_port
from tests.waiting import PATIENCE, wait_until
from tests.web.mail.office import HOST, Item, Office, open_office, submit
from tests.web.mail.year.people import Person, Received

ROOT = Path(__file__).parents[4]
DOMAIN = "jeu.example.org"
OURS = re.compile(
    rf"\b(?:ordres|lettre|arbitre|place|retour)-[a-z2-7]{{32}}@{re.escape(DOMAIN)}", re.IGNORECASE
)


@dataclass
class Town:
    """The people’s mail server, and the port at which the site takes mail."""

    office: Office
    port: int
    environment: dict[str, str]
    read: list[Item] = field(default_factory=list)

    def send(self, who: Person, to: str, text: str, answered: Item | None = None, **more: str) -> None:
        """Write a mail, fresh or as an answer, and hand it to the site as one’s provider does."""
        received = (
            Received(str(answered.mail["From"]), str(answered.mail["Subject"]), answered.text)
            if answered
            else None
        )
        raw = who.write(to, text, received, **more)
        addresses = [one.strip() for one in f"{to},{more.get('cc', '')}".split(",") if one.strip()]
        taken = submit(self.port, addresses, raw, sender=who.address, hello=who.marks[-1].replace(" ", "-"))
        assert taken.is_taken, taken

    def next(self, who: Person, what: Callable[[Item], bool] = lambda _item: True) -> Item:
        """The first mail to somebody that is such and was not read yet, once it is there."""
        found: list[Item] = []

        def is_there() -> bool:
            found[:] = [item for item in self.unread(who) if what(item)][:1]
            return bool(found)

        def why() -> str:
            unread = [str(one.mail["Subject"]) for one in self.unread(who)]
            return f"{who.name} waits for a mail; unread: {unread}"

        wait_until(is_there, why)
        self.read += found
        return found[0]

    def unread(self, who: Person) -> list[Item]:
        """What somebody has been sent and has not read."""
        return [item for item in self.office.to(who.address) if not any(item is one for one in self.read)]

    def act(self, name: str) -> Any:
        """Something that the game master does on the pages: `founding`."""
        done = subprocess.run(
            [sys.executable, "-m", "tests.web.mail.year.founding", name],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])


def addresses_of(text: str, word: str) -> list[str]:
    """Our addresses in a text that open such a door."""
    return [found for found in OURS.findall(text) if found.lower().startswith(f"{word}-")]


@contextmanager
def open_town(folder: Path) -> Iterator[Town]:
    """A site on a data folder of its own, for a while."""
    with open_office() as office:
        page, post = free_port(), free_port()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
        environment = {
            **kept,
            "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings",
            "TALLEYRAND_DATA": str(folder),
            "TALLEYRAND_HOSTS": "testserver,127.0.0.1",
            "TALLEYRAND_SMTP": f"smtp://{HOST}:{office.port}?tls=none",
            "TALLEYRAND_MAIL_FROM": f"Talleyrand <site@{DOMAIN}>",
            "TALLEYRAND_MAIL_DOMAIN": DOMAIN,
            "TALLEYRAND_MAIL_PACE": "6000",
        }
        command = [
            sys.executable,
            "-m",
            "talleyrand",
            "serve",
            "--port",
            str(page),
            "--smtp",
            f"{HOST}:{post}",
        ]
        log = folder.parent / "site.log"
        with log.open("wb") as written:
            site = subprocess.Popen(
                command, env=environment, cwd=ROOT, stdout=written, stderr=subprocess.STDOUT
            )
        try:
            _wait(post, site, log)
            yield Town(office, post, environment)
        finally:
            site.terminate()
            site.wait(PATIENCE)
        said = log.read_text("utf-8")
        assert "Traceback" not in said, said


def _wait(port: int, site: subprocess.Popen[bytes], log: Path) -> None:
    """Until the site takes mail."""

    def is_ready() -> bool:
        assert site.poll() is None, log.read_text("utf-8")
        with suppress(OSError), socket.create_connection((HOST, port), timeout=1) as probe:
            return probe.recv(3) == b"220"  # the port is taken before the site is ready
        return False

    wait_until(is_ready, lambda: log.read_text("utf-8"))
