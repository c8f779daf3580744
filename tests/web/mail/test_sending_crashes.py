"""A sender that dies anywhere, and several at once: every mail arrives, none as two different ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from talleyrand.web.mail.models import Departure
from talleyrand.web.mail.outgoing import sending
from tests.web.games.dying import DEAD

from .correspondents import DOMAIN
from .dying_senders import MANY, POINTS, TOGETHER, domain
from .leaving import waiting
from .office import Item, Office, open_office

ROOT = Path(__file__).parents[3]
NAMES = ("Flora", "Edmond", "Théa")
PATIENCE = 60


@pytest.fixture(scope="module")
def dead(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What became of each site whose sender died at a point, and what the post office has of it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    place = tmp_path_factory.mktemp("sites")
    with open_office() as office:
        done = subprocess.run(
            [sys.executable, "-m", "tests.web.mail.dying_senders", str(place), str(office.port)],
            env={**kept, "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings"},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return {**json.loads(done.stdout), "items": list(office.items)}


def arrived(dead: Any, point: str) -> list[Item]:
    end = f"@{domain(point)}>"
    return [item for item in dead["items"] if item.mail["Message-ID"].endswith(end)]


def test_undisturbed(dead: Any) -> None:
    assert (dead[""]["status"], dead[""]["later"], dead[""]["unsent"]) == (0, 0, 0)
    assert dead[""]["rows"] == [["news", "Edmond", "", ""], ["report", "Flora", "", ""]]
    assert sorted(item.to[0].split(".")[0] for item in arrived(dead, "")) == ["edmond", "flora"]


@pytest.mark.parametrize("point", POINTS)
def test_killed_there_and_begun_again(point: str, dead: Any) -> None:
    assert dead[point]["status"] == DEAD, "it did not die there"
    assert (dead[point]["later"], dead[point]["unsent"]) == (0, 0)
    assert dead[point]["rows"] == dead[""]["rows"]
    items = arrived(dead, point)
    assert len({item.mail["Message-ID"] for item in items}) == 2
    assert len({item.data for item in items}) == 2  # a second one is the same mail to the last byte
    assert len(items) == 2 + POINTS[point]


def test_several_processes(dead: Any) -> None:
    assert dead["together"] == [0] * TOGETHER
    counted = Counter(item.mail["Message-ID"] for item in arrived(dead, "together"))
    assert len(counted) == MANY + 2
    assert set(counted.values()) == {1}


def crowd(workers: int, seed: int) -> int:
    """Senders that begin together, each with its own chance of being a little late; how many mails left."""
    ready, sent = threading.Barrier(workers), []

    def work(number: int) -> None:
        chance = Random(f"{seed} {number}")
        ready.wait(PATIENCE)
        threading.Event().wait(chance.random() / 50)
        try:
            sent.append(sending.send_due(timezone.now()))
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(sent) == workers
    return sum(sent)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("by_post")
@pytest.mark.parametrize("seed", [1901, 1914])
def test_several_workers(office: Office, seed: int) -> None:
    chance = Random(seed)
    office.refuse("RCPT", "451 4.7.1 Later", times=3)
    rows = [waiting(chance.choice(NAMES)) for _ in range(30)]
    assert crowd(4, seed) == 27
    assert set(Counter(item.data for item in office.items).values()) == {1}
    assert Departure.objects.filter(sent=None, tries=1, worker="").count() == len(rows) - 27


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("by_post")
def test_they_share_one_pace(office: Office) -> None:
    for number in range(20):
        waiting(NAMES[number % 3])
    with override_settings(POST_PACE=7):
        assert crowd(4, 1901) == 7
    assert len(office.items) == 7
    assert all(item.mail["Message-ID"].endswith(f"@{DOMAIN}>") for item in office.items)
