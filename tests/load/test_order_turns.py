"""Who may wait, and when the others are to come back, where three times too many come."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count, pairwise
from random import Random

import pytest

from talleyrand.web.limits import first_tries, order_turns
from talleyrand.web.limits.first_tries import FirstTry
from talleyrand.web.limits.order_turns import (
    FIRST_RATE,
    LAST_TURN,
    LONGEST_PAUSE,
    SHORTEST_PAUSE,
    SPREAD,
    OrderTurns,
)

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
THREADS, MINUTE = 10, 60.0


@pytest.fixture(autouse=True)
def _same_chance_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_turns, "_chance", Random(1901))


def at(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=seconds)


@dataclass
class Sent:
    """Somebody's orders: when they were first here, how often they were told to come back."""

    first: float
    hasty: bool = False  # comes back at once, whatever it is told
    known: FirstTry | None = None
    told: int = 0
    waited: float = 0.0
    done: float | None = None


@dataclass
class Site:
    """A process on a clock of its own, which serves `pace(now)` orders a second."""

    pace: Callable[[float], float]
    line: OrderTurns = field(default_factory=lambda: OrderTurns(THREADS))
    events: list[tuple[float, int, Callable[[float], None]]] = field(default_factory=list)
    waiting: deque[tuple[float, Sent]] = field(default_factory=deque)
    running: int = 0
    told: Counter[int] = field(default_factory=Counter)  # in each second
    number: count[int] = field(default_factory=count)

    def when(self, moment: float, what: Callable[[float], None]) -> None:
        heappush(self.events, (moment, next(self.number), what))

    def run(self) -> None:
        while self.events:
            moment, _, what = heappop(self.events)
            what(moment)

    def comes(self, sent: Sent, now: float) -> None:
        if not self.line.has_place(sent.known, at(now)):
            self.tell(sent, now)
            return
        self.line.joined(at(now))
        self.waiting.append((now, sent))
        self.when(now + first_tries.LONGEST_WAIT, lambda then: self.gives_up(sent, now, then))
        self.begin(now)

    def gives_up(self, sent: Sent, since: float, now: float) -> None:
        if (since, sent) in self.waiting:
            self.waiting.remove((since, sent))
            self.line.left(at(now))
            self.tell(sent, now)

    def begin(self, now: float) -> None:
        while self.waiting and self.running < THREADS:
            since, sent = self.waiting.popleft()
            self.running += 1
            self.line.begun(at(now))
            self.line.left(at(now))
            sent.waited = now - since
            self.when(now + THREADS / self.pace(now), lambda then, sent=sent: self.ends(sent, then))  # type: ignore[misc]

    def ends(self, sent: Sent, now: float) -> None:
        self.running -= 1
        self.line.ended(at(now), orders=True)
        sent.done = now
        self.begin(now)

    def tell(self, sent: Sent, now: float) -> None:
        sent.known = sent.known or FirstTry(at(now), self.line.turn(at(now)))
        pause = self.line.pause(sent.known, at(now))
        assert SHORTEST_PAUSE <= pause <= LONGEST_PAUSE + SPREAD
        sent.told += 1
        self.told[int(now)] += 1
        if sent.told < 1000:
            self.when(now + (0.1 if sent.hasty else pause), lambda then: self.comes(sent, then))


def offered(site: Site, rate: float, seconds: float = MINUTE, since: float = 0.0) -> list[Sent]:
    everybody = [Sent(since + number / rate) for number in range(int(rate * seconds))]
    for sent in everybody:
        site.when(sent.first, lambda now, sent=sent: site.comes(sent, now))  # type: ignore[misc]
    return everybody


def took(everybody: list[Sent]) -> list[float]:
    assert all(sent.done is not None for sent in everybody)
    return [(sent.done or 0.0) - sent.first for sent in everybody]


@pytest.mark.long
@pytest.mark.parametrize("rate", [20.0, 80.0, 300.0])
def test_three_times_too_many_for_a_minute_are_all_served(rate: float) -> None:
    site = Site(lambda _now: rate)
    everybody = offered(site, 3 * rate)
    site.run()
    waits = took(everybody)
    assert max(sent.first + wait for sent, wait in zip(everybody, waits, strict=True)) < 1.25 * 3 * MINUTE
    assert max(waits) < first_tries.COUNTS_FOR.total_seconds()
    assert all(sent.waited <= first_tries.LONGEST_WAIT for sent in everybody)
    # most are told once, or twice where it takes longer than a minute
    assert sum(sent.told for sent in everybody) < 2 * len(everybody)
    assert max(site.told.values()) < 2 * 3 * rate


@pytest.mark.long
def test_who_came_earlier_is_served_earlier() -> None:
    site = Site(lambda _now: 80.0)
    everybody = offered(site, 240.0)
    site.run()
    told = [sent for sent in everybody if sent.told]
    late = [sum(took(told[start : start + 1000])) / 1000 for start in range(0, len(told) - 1000, 1000)]
    assert all(earlier < later for earlier, later in pairwise(late))
    assert all(wait < 1.3 * 2 * sent.first + 15 for sent, wait in zip(told, took(told), strict=True))


@pytest.mark.long
def test_once_it_is_over_new_orders_are_served_at_once_though_others_still_come_back() -> None:
    site = Site(lambda _now: 80.0)
    offered(site, 240.0)
    later = offered(site, 1.0, since=MINUTE + 10)
    site.run()
    assert sum(sent.told > 0 for sent in later) <= 0.05 * len(later)
    assert max(wait for sent, wait in zip(later, took(later), strict=True) if not sent.told) < 1.0


@pytest.mark.long
def test_a_site_that_becomes_slower_serves_all_the_same() -> None:
    """What it promised is too much then: who finds no place is told again, no more often than it can be."""
    site = Site(lambda now: 80.0 if now < MINUTE else 50.0)
    everybody = offered(site, 240.0)
    site.run()
    assert max(took(everybody)) < first_tries.COUNTS_FOR.total_seconds()
    assert sum(sent.told for sent in everybody) < 3 * len(everybody)
    assert max(site.told.values()) < 2 * 240


def test_as_many_as_can_be_served_are_not_told_to_come_back() -> None:
    site = Site(lambda _now: 80.0)
    everybody = offered(site, 72.0)
    for second in (10, 30, 50):  # and sixty of one game's end together
        everybody += [Sent(float(second)) for _ in range(60)]
        for sent in everybody[-60:]:
            site.when(sent.first, lambda now, sent=sent: site.comes(sent, now))  # type: ignore[misc]
    site.run()
    assert not any(sent.told for sent in everybody)


def test_who_comes_back_at_once_a_thousand_times_is_no_sooner_and_delays_nobody() -> None:
    times = {}
    for hasty in (False, True):
        site = Site(lambda _now: 80.0)
        everybody = offered(site, 240.0, 20.0)
        for sent in everybody[2000:2005]:
            sent.hasty = hasty
        site.run()
        times[hasty] = took(everybody)
        others = times[hasty][:2000] + times[hasty][2005:]
        times[hasty] = [sum(others) / len(others), *times[hasty][2000:2005]]
    assert times[True][0] < 1.05 * times[False][0]
    turns = [(240 - 80) * 2000 / 240 / 80] * 5
    assert all(wait > 0.5 * turn for wait, turn in zip(times[True][1:], turns, strict=True))


def test_a_turn_is_promised_in_time_however_many_ask_for_one() -> None:
    line = OrderTurns(THREADS)
    turns = [line.turn(BEGIN) for _ in range(100_000)]
    assert turns == sorted(turns)
    assert turns[-1] == BEGIN + LAST_TURN
    known = FirstTry(BEGIN, turns[-1])
    assert LONGEST_PAUSE <= line.pause(known, BEGIN) <= LONGEST_PAUSE + SPREAD
    assert line.pause(known, turns[-1] - timedelta(seconds=30)) in range(30, 34)


def test_the_rate_is_that_of_a_busy_site_alone() -> None:
    site = Site(lambda _now: 40.0)
    offered(site, 5.0, 600.0)
    site.run()
    assert site.line.rate == FIRST_RATE
    offered(site, 120.0, since=700.0)
    site.run()
    assert 30 < site.line.rate < 50
