"""The large setting for real, in which anything may befall any process at any time, while seven people play.

It takes minutes, and is not part of the sample.
"""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests import postgresql
from tests.ports import free_port
from tests.waiting import PATIENCE, wait_until
from tests.web.cast import PLAYERS
from tests.web.mail.office import Office, open_office
from tests.web.server import large
from tests.web.server.large import Answer, Browser, Site

from . import accounts
from .chaos import Chaos, raging
from .sink import MAIL, Item

PHASES, SHEETS = 6, 5  # sheets of each player in each phase
PACE = 3.0  # seconds between two of them
DOMAIN = "jeu.example.org"
# A process may end: what is committed has to last. Another machine's power cut is not tried here.
LASTING = "-c fsync=off -c max_connections=120"
Record = Callable[[str, object], None]


@dataclass
class Player:
    """Somebody in a browser who asks until he is answered, of one process of pages or another."""

    site: Site
    key: str
    power: str
    chance: Random
    browser: Browser = field(default_factory=lambda: Browser(0))
    token: str = ""
    asked: int = 0

    def sign_in(self) -> None:
        self.browser.port = self.site["pages-1"].port
        self.browser.sign_in(PLAYERS[self.power])
        self.token = large.token(self.browser.ask("GET", f"/en/games/{self.key}/"))

    def play(self, number: int) -> list[Any]:
        """Some sheets of his own for a phase, the last one final: what was acknowledged."""
        return [self._hand_in(number, nth) for nth in range(1, SHEETS + 1)]

    def _hand_in(self, number: int, nth: int) -> Any:
        time.sleep(self.chance.uniform(0, 2 * PACE))
        lines = [f"{self.power} {number} {self.chance.getrandbits(32):08x}"]
        action = "final" if nth == SHEETS else "hand_in"
        submission = f"sheet {nth} of {self.power} for {number}"
        sent = {"action": action, "lines": {self.power: lines}, "submission": submission}
        answer = self._until(lambda: self._send(f"/en/games/{self.key}/{number}/orders/{self.power}/", sent))
        return [number, self.power, nth, lines, json.loads(answer.body)["message"]]

    def _send(self, path: str, sent: dict[str, Any]) -> Answer:
        self.browser.port = self.site[f"pages-{self.chance.randint(1, 2)}"].port
        return self.browser.send(path, sent, self.token)

    def _until(self, ask: Callable[[], Answer]) -> Answer:
        end, answer = time.monotonic() + PATIENCE, None
        while time.monotonic() < end:
            self.asked += 1
            try:
                answer = ask()
            except (OSError, http.client.HTTPException):
                answer = None
            if answer is not None and answer.status == 200:
                return answer
            assert answer is None or answer.status >= 500 or answer.status in (409, 429), answer.text
            time.sleep(self.chance.uniform(0.1, 0.5))
        raise AssertionError(f"{self.power}: {answer and answer.text}\n{self.site.told()[-5000:]}")


@contextmanager
def begun(folder: Path, office: Office) -> Iterator[tuple[Site, str]]:
    """A large site whose mail goes to an office, and the address of its database."""
    mail = {
        "TALLEYRAND_SMTP": f"smtp://127.0.0.1:{office.port}?tls=none",
        "TALLEYRAND_MAIL_FROM": f"Talleyrand <site@{DOMAIN}>",
        "TALLEYRAND_MAIL_DOMAIN": DOMAIN,
    }
    with (
        postgresql.cluster(LASTING) as database,
        large.begun(database, folder, pages=2, clocks=3, workers=2, **mail) as site,
    ):
        site.add("post", "smtp", "--port", str(free_port())).wait()
        yield site, database


def told(site: Site) -> Any:
    return json.loads(site.run("-m", "tests.faults.large_game", "told"))


def until(site: Site, what: Callable[[Any], bool]) -> Any:
    """What the site holds, once it is so."""
    found: list[Any] = [None]

    def is_so() -> bool:
        try:
            found[0] = told(site)
        except AssertionError:  # the database is away
            found[0] = None
        return found[0] is not None and what(found[0])

    wait_until(is_so, lambda: f"{found[0]}\n{site.told()[-5000:]}", PATIENCE)
    return found[0]


def test_a_game_is_played_whatever_befalls(
    tmp_path: Path, full: bool, seed: int, record_property: Record
) -> None:
    if not full:
        pytest.skip("the large setting under fire takes minutes: --full")
    with open_office() as office, begun(tmp_path, office) as (site, database):
        key = site.run("-m", "tests.faults.large_game", "begin").strip()
        players = [Player(site, key, power, Random(f"{seed} {power}")) for power in PLAYERS]
        for one in players:
            one.sign_in()
        facts: list[Any] = []
        chaos = Chaos(site, database, Random(seed))
        with raging(chaos), ThreadPoolExecutor(len(players)) as people:
            for number in range(1, PHASES + 1):
                for told_one in people.map(partial(Player.play, number=number), players):
                    facts += told_one
                until(site, partial(is_beyond, number))
        found = until(site, lambda found: found["waiting"] == [0, 0])
        asked = sum(one.asked for one in players)
        items = [taken(one) for one in office.items]
        check(found, facts, items, sum(chaos.done.values()))
    acts = ", ".join(f"{name} {times}" for name, times in sorted(chaos.done.items()))
    again = len(items) - len({one.number for one in items})
    played = f"{PHASES} phases, {len(facts)} sheets acknowledged to {asked} requests, {len(items)} mails"
    record_property("chaos", f"{played}, of which {again} twice under one number; {acts}, seed {seed}")


def taken(one: Any) -> Item:
    return Item(MAIL, str(one.to), str(one.mail["Message-ID"]), one.data.decode())


def is_beyond(number: int, found: Any) -> bool:
    return bool(found["game"][0] > number)


def check(found: Any, facts: list[Any], items: list[Item], acts: int) -> None:
    """Each acknowledged sheet is there as it was told; each phase is judged once, by the last ones."""
    kept = {(one[0], one[1], one[2] - SHEETS * (one[0] - 1)): (one[3], one[5]) for one in found["sheets"]}
    assert len(kept) == len(found["sheets"]) == len(facts) == PHASES * SHEETS * len(PLAYERS)
    for number, power, nth, lines, message in facts:
        digest, there = kept[number, power, nth]
        assert there == lines
        assert digest[:8] in message
    assert [one[5] for one in found["revisions"] if one[0]] == [
        {power: kept[number, power, SHEETS][1] for power in sorted(PLAYERS)}
        for number in range(1, PHASES + 1)
    ]
    assert accounts.broken(found, found, (), items, {"mail": acts}) == []
