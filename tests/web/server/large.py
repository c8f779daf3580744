"""The large setting on this machine: each process as the units in `deploy/` start it, to be killed at will.

`with begun(database, folder) as site:` gives a site that answers; `site["clock-1"].kill()`, `.begin()`.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from tests.ports import free_port
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parents[3]
PASSWORD = "un mot de passe assez long"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
KEY = "la clé d’un site qui ne sert qu’aux tentatives".encode().hex()


@dataclass
class Process:
    """`talleyrand` with these words, and whatever it starts; its output is kept in `log`."""

    words: tuple[str, ...]
    log: Path
    environment: Mapping[str, str]
    port: int = 0
    running: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        place = ("--port", str(self.port)) if self.port else ()
        with self.log.open("ab") as out:
            self.running = subprocess.Popen(
                [sys.executable, "-m", "talleyrand", *self.words, *place],
                env=dict(self.environment),
                cwd=ROOT,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Until it answers at its port, or says that it has begun."""
        wait_until(lambda: self._is_there() or not self.is_alive(), self.said())
        assert self.is_alive(), self.said()

    def _is_there(self) -> bool:
        if not self.port:
            return bool(self.said())
        try:
            return Browser(self.port).ask("GET", "/health.txt").status in (200, 503)
        except OSError:
            return False

    def is_alive(self) -> bool:
        return self.running is not None and self.running.poll() is None

    def said(self) -> str:
        return self.log.read_text("utf-8") if self.log.exists() else ""

    def kill(self) -> None:
        """As if somebody had pulled the plug, with all that it has started."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Have it finish what it has begun; its status."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        if self.running is None:
            return 0
        try:
            if how == signal.SIGKILL:
                os.killpg(self.running.pid, how)
            else:
                self.running.send_signal(how)
            return self.running.wait(PATIENCE)
        except ProcessLookupError:
            return self.running.wait(PATIENCE)


@dataclass
class Site:
    """The processes by name: pages-1, pages-2, events, clock-1…, worker-1…"""

    folder: Path
    environment: Mapping[str, str]
    processes: dict[str, Process] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Process:
        return self.processes[name]

    def add(self, name: str, *words: str, served: bool = False) -> Process:
        log = self.folder / f"{name}.log"
        self.processes[name] = Process(words, log, self.environment, free_port() if served else 0)
        self.processes[name].begin()
        return self.processes[name]

    def run(self, *words: str) -> str:
        """What a command of Python’s prints, beside the site and with its settings."""
        done = subprocess.run(
            [sys.executable, *words],
            env=dict(self.environment),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def told(self) -> str:
        """All that the processes have said."""
        return "".join(f"== {name}\n{one.said()}" for name, one in self.processes.items())

    def kill(self) -> None:
        for one in self.processes.values():
            one.kill()


@contextmanager
def begun(
    database: str, folder: Path, *, pages: int = 2, clocks: int = 2, workers: int = 1, **more: str
) -> Iterator[Site]:
    """A large site with its data in a new folder; `more` are further settings of it."""
    site = Site(folder, _environment(database, folder, more))
    try:
        for number in range(1, pages + 1):
            site.add(f"pages-{number}", "pages", "--threads", "4", served=True)
            site[f"pages-{number}"].wait()  # the first makes the tables
        site.add("events", "events", served=True)
        for number in range(1, clocks + 1):
            site.add(f"clock-{number}", "clock")
        for number in range(1, workers + 1):
            site.add(f"worker-{number}", "worker", "--jobs", "2")
        for one in site.processes.values():
            one.wait()
        yield site
    finally:
        site.kill()


def _environment(database: str, folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    ours = {
        "TALLEYRAND_DATA": str(folder),
        "TALLEYRAND_DATABASE": database,
        "TALLEYRAND_WORKERS": "1",
        "TALLEYRAND_SECRET_KEY": KEY,
        "TALLEYRAND_LANG": "fr",
        "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
    }
    return {**kept, **ours, **more}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Browser:
    """Somebody’s cookies, which any process of the site takes."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request by a connection of its own; raises OSError where nobody answers."""
        given = {"Cookie": self.kept(), **{name.replace("_", "-"): value for name, value in headers.items()}}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            line.request(method, path, body, given)
            answer = line.getresponse()
            found = Answer(answer.status, answer.headers, answer.read())
        for cookie in found.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.strip().partition(";")[0].partition("=")
            self.cookies[name] = value
        return found

    def kept(self) -> str:
        """The cookies, as a header has them."""
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def sign_in(self, name: str) -> None:
        """As the form does."""
        page = self.ask("GET", "/en/account/sign-in/")
        sent = {"csrfmiddlewaretoken": token(page), "login": name, "password": PASSWORD}
        answer = self.post("/en/account/sign-in/", sent)
        assert answer.status == 302, answer.text

    def post(self, path: str, fields: Mapping[str, str]) -> Answer:
        kind = "application/x-www-form-urlencoded"
        return self.ask("POST", path, urlencode(fields).encode(), Content_Type=kind)

    def send(self, path: str, facts: Mapping[str, object], csrf: str) -> Answer:
        """As the scripts of a page do."""
        body = json.dumps(facts).encode()
        return self.ask("POST", path, body, Content_Type="application/json", X_CSRFToken=csrf)


def token(page: Answer) -> str:
    """What a form of the page proves that it was made for this visitor by."""
    found = TOKEN.search(page.text)
    assert found, page.text[:500]
    return found[1]
