"""A site that may be stopped and started again, and what happens on it behind the pages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e import sites
from tests.ports import free_port

# It answers a line of JSON with one: who came, or nothing once somebody is told something.
BEHIND = """
import json, sys
import django; django.setup()
from django.contrib.sessions.backends.db import SessionStore
from talleyrand.web.accounts.models import Person
from talleyrand.web.notifications import outbox

def come(name):
    person = Person.objects.create_user(name)
    session = SessionStore()
    session["_auth_user_id"] = str(person.pk)
    session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
    session["_auth_user_hash"] = person.get_session_auth_hash()
    session.save()
    return [person.pk, session.session_key]

def tell(person, once):
    facts = {"game": "La table ronde", "variant": "classic", "phase": "S1901M"}
    outbox.notify([person], "published", facts, about="game:K", path="/parties/K/", once=once)

for line in sys.stdin:
    what, *given = json.loads(line)
    print(json.dumps({"come": come, "tell": tell}[what](*given)), flush=True)
"""


class Reader(NamedTuple):
    """Somebody whom the site knows, with the session of a browser."""

    number: int
    session: str


class Site:
    """A site that keeps its address, and a process beside it for what happens behind the pages."""

    def __init__(self, folder: Path, behind: subprocess.Popen[str]) -> None:
        self.folder = folder
        self.address = ""
        self._port = free_port()
        self._behind = behind
        self._running = ExitStack()

    def start(self) -> None:
        program = sites.SERVE_AT.format(port=self._port)
        self.address = self._running.enter_context(sites.served(self.folder, program=program)).address

    def stop(self) -> None:
        self._running.close()

    def reader(self, name: str) -> Reader:
        """A new person of this name."""
        return Reader(*self._ask("come", name))

    def tell(self, reader: Reader, once: str) -> None:
        """Tell somebody that a phase is published; what is said `once` is not said again."""
        self._ask("tell", reader.number, once)

    def _ask(self, *asked: object) -> Any:
        assert self._behind.stdin is not None
        assert self._behind.stdout is not None
        self._behind.stdin.write(json.dumps(asked) + "\n")
        self._behind.stdin.flush()
        return json.loads(self._behind.stdout.readline())


@contextmanager
def open_newsroom(folder: Path) -> Iterator[Site]:
    """A site in a data folder with its tables, while it is needed."""
    command = [sys.executable, "-c", BEHIND]
    pipe, environment = subprocess.PIPE, sites.environment(folder)
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as behind:
        site = Site(folder, behind)
        site.start()
        try:
            yield site
        finally:
            site.stop()
