"""Nobody gets a turn more than there are, however many ask at the same moment, in however many processes."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, connections, transaction

from talleyrand.web.common import rate_limits
from tests.waiting import PATIENCE

RATE = (100, 10**9)  # seconds: a window that does not end between two turns
CLOCK = "talleyrand.web.common.rate_limits.time.time"
IN_MEMORY = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "a test of rates"}
}
ASK = """
import sys, django
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
django.setup()
from talleyrand.web.common import rate_limits
print("ready", flush=True)
sys.stdin.readline()
print(sum(not rate_limits.hit("race", "all", (100, 10**9), lasting=True).wait for _ in range(50)))
"""


@pytest.fixture(params=["in memory", "in the table"])
def _place(request: pytest.FixtureRequest, settings: Any, transactional_db: None) -> None:
    first = IN_MEMORY["default"] if request.param == "in memory" else settings.CACHES["lasting"]
    settings.CACHES = {**settings.CACHES, "default": first}
    caches["default"].clear()


@pytest.mark.long
@pytest.mark.usefixtures("_place")
def test_threads_share_what_there_is() -> None:
    gate = Barrier(6)

    def ask(_number: int) -> int:
        gate.wait()
        try:
            return sum(not rate_limits.hit("race", "all", RATE).wait for _ in range(30))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as crowd:
        assert sum(crowd.map(ask, range(6))) == 100


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_processes_share_what_there_is() -> None:
    command = [sys.executable, "-c", ASK, str(connection.settings_dict["NAME"])]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    others: list[Any] = [subprocess.Popen(command, **pipes) for _ in range(3)]
    for one in others:
        assert one.stdout.readline() == "ready\n"
    for one in others:
        one.stdin.write("go\n")
        one.stdin.flush()
    assert sum(int(one.communicate(timeout=PATIENCE)[0]) for one in others) == 100


@pytest.mark.usefixtures("_place")
def test_each_has_turns_of_their_own_and_hears_how_long_to_wait() -> None:
    assert [rate_limits.hit("kind", "Flora", (2, 60)).wait > 0 for _ in range(3)] == [False, False, True]
    assert not rate_limits.hit("kind", "Edmond", (2, 60)).wait
    assert not rate_limits.hit("another", "Flora", (2, 60)).wait
    # in the first second of a while: when this one and a second of the next are over
    assert 0 < rate_limits.hit("kind", "Flora", (2, 60)).wait <= 61


@pytest.mark.usefixtures("_place")
def test_a_turn_is_given_back() -> None:
    for _ in range(5):
        taken = rate_limits.hit("kind", 1, (1, 600))
        assert not taken.wait
        taken.rollback()
    taken = rate_limits.hit("kind", 1, (1, 600))
    refused = rate_limits.hit("kind", 1, (1, 600))
    assert refused.wait
    refused.rollback()  # there is nothing of it
    assert rate_limits.recent_hits("kind", 1, (1, 600)) == 1
    caches["default"].clear()
    taken.rollback()  # nothing is left to give back to


@pytest.mark.usefixtures("_place")
def test_a_count_lasts_as_long_as_its_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting up does not change when a count ends."""
    now = time.time() // 1000 * 1000
    monkeypatch.setattr(CLOCK, lambda: now)
    for _ in range(2):
        rate_limits.hit("kind", 1, (1, 1000))
    assert caches["default"].get(f"rate:kind:1:{int(now // 1000)}") == 1
    assert rate_limits.hit("kind", 1, (1, 1000)).wait == 1001
    now += 1001
    assert not rate_limits.hit("kind", 1, (1, 1000)).wait


@pytest.mark.one_in(2)
@pytest.mark.usefixtures("_place")
@pytest.mark.parametrize("most", [1, 3, 10, 100])
def test_nobody_has_twice_the_turns_where_one_while_ends(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    now = time.time() // 300 * 300 + 299
    monkeypatch.setattr(CLOCK, lambda: now)
    rate = (most, 300)
    assert sum(not rate_limits.hit("kind", 1, rate).wait for _ in range(2 * most)) == most
    now += 2
    assert sum(not rate_limits.hit("kind", 1, rate).wait for _ in range(2 * most)) <= 1
    now += 600
    assert sum(not rate_limits.hit("kind", 1, rate).wait for _ in range(2 * most)) == most


@pytest.mark.one_in(2)
@pytest.mark.usefixtures("_place")
@pytest.mark.parametrize("rate", [(1, 60), (3, 60), (10, 300), (100, 60), (7, 10)])
def test_who_waits_as_long_as_is_said_has_a_turn_and_not_sooner(
    monkeypatch: pytest.MonkeyPatch, rate: rate_limits.Rate
) -> None:
    """However often they ask meanwhile."""
    now = time.time() // rate[1] * rate[1] + 3
    monkeypatch.setattr(CLOCK, lambda: now)
    for _ in range(4 * rate[0]):
        if wait := rate_limits.hit("kind", 1, rate).wait:
            now += wait - 1
            assert wait == 1 or rate_limits.hit("kind", 1, rate).wait == 1
            now += 1
            assert not rate_limits.hit("kind", 1, rate).wait


@pytest.mark.usefixtures("_place")
def test_what_is_spent_beyond_what_there_is_has_been_spent() -> None:
    rate = (1000, 10**9)
    rate_limits.hit("spent", 1, rate, amount=999)
    assert rate_limits.hit("spent", 1, rate, amount=500).wait
    assert rate_limits.recent_hits("spent", 1, rate) == 1000


@pytest.mark.django_db(transaction=True)
def test_what_lasts_goes_back_with_its_transaction() -> None:
    class Undone(Exception):
        pass

    with suppress(Undone), transaction.atomic():
        rate_limits.hit("kind", 1, (1, 10**9), lasting=True)
        raise Undone
    assert not rate_limits.hit("kind", 1, (1, 10**9), lasting=True).wait
    assert rate_limits.hit("kind", 1, (1, 10**9), lasting=True).wait
