"""Browsers, clocks and a game master at once on one game: threads on the database that a site has.

Whatever happens in whichever order, a sheet that was acknowledged is in the phase that is published, or was
followed by another of its power, and a phase is published once.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any

import pytest
from django.db import OperationalError, connection

from talleyrand.web.games import deadline_clock, game_lifecycle, order_submission, phase_adjudication
from talleyrand.web.games.deadline_clock import DeadlineClock
from talleyrand.web.games.game_lifecycle import LifecycleRefusal
from talleyrand.web.games.models import Game, GameSeat, GameState, OrderSet, PhaseRevision
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.notifications.models import Notification
from tests.waiting import PATIENCE
from tests.web.cast import BEGUN, PLAYERS, table

from .acting import DAY, SECOND, all_hand_in, draft, due, fresh, hand_in, these

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 8
Work = Callable[[Random], object]
LINES = ["A PAR-BUR", "A PAR-PIC", "A PAR-GAS", "A PAR H"]


@dataclass
class Crowd:
    """Threads that begin together, each with its own chance; what failed in one fails the test."""

    seed: int
    failures: list[BaseException] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)

    def send(self, work: Work) -> None:
        chance = Random(f"{self.seed} {len(self.threads)}")
        thread = threading.Thread(target=self._do, args=(work, chance), daemon=True)
        self.threads.append(thread)
        thread.start()

    def _do(self, work: Work, chance: Random) -> None:
        self.gate.wait(PATIENCE)
        try:
            work(chance)
        except BaseException as failure:  # noqa: BLE001 (told by the test itself)
            self.failures.append(failure)
        finally:
            connection.close()

    def go(self) -> None:
        self.gate.set()
        for thread in self.threads:
            thread.join(PATIENCE)
        assert not any(thread.is_alive() for thread in self.threads), "stuck"
        if self.failures:
            raise self.failures[0]


@dataclass
class Browser:
    """Hands in sheet after sheet for one power, and remembers what was acknowledged."""

    game: Game
    power: str
    acknowledged: list[OrderSet] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def write(self, chance: Random) -> None:
        for _ in range(6):
            row = fresh(self.game)
            lines = [chance.choice(LINES)] * chance.randrange(2)
            try:
                self._one(chance, row, lines)
            except OrdersRefusal as refused:
                self.refused[refused.code] += 1

    def _one(self, chance: Random, row: Game, lines: list[str]) -> None:
        number, at = row.phase_number, row.phase_opened_at or BEGUN
        if chance.random() < 0.25:
            order_submission.change_draft(row, self.power, number, these(self.power, lines), at)
        if chance.random() < 0.2:
            order_submission.set_ready(row, self.power, number, chance.random() < 0.5, at)
        key, final = f"{chance.random()}", chance.random() < 0.4
        for _ in range(chance.choice((1, 1, 2))):  # some press twice
            sheet = order_submission.submit_orders(
                row, self.power, lines, number=number, key=key, origin="map", at=at, final=final
            )
        self.acknowledged.append(sheet)


def check(game: Game, browsers: list[Browser]) -> None:
    """Nothing acknowledged is lost, nothing is doubled."""
    current = {one.phase_number: one for one in PhaseRevision.objects.filter(game=game, is_current=True)}
    assert sorted(current) == list(range(fresh(game).phase_number))
    assert PhaseRevision.objects.filter(game=game).count() == len(current)
    assert OrderSet.objects.filter(game=game).count() == fresh(game).receipt_count
    for power in PLAYERS:
        receipts = list(
            OrderSet.objects.filter(game=game, power=power).values_list("receipt_number", flat=True)
        )
        assert receipts == list(range(1, len(receipts) + 1))
    for browser in browsers:
        last = {sheet.phase_number: sheet for sheet in browser.acknowledged}
        for number, sheet in last.items():
            assert OrderSet.objects.filter(pk=sheet.pk, digest=sheet.digest).exists()
            if number in current:
                after = followers(sheet)
                counted = after[-1] if after else sheet
                assert current[number].order_lines[browser.power] == counted.lines
    for number, revision in current.items():
        for power, lines in revision.order_lines.items():
            last_one = OrderSet.objects.filter(game=game, phase_number=number, power=power).latest(
                "receipt_number"
            )
            assert last_one.lines == lines
    told = Counter(Notification.objects.filter(kind="published").values_list("person", "idempotency_key"))
    assert set(told.values()) <= {1}


def followers(sheet: OrderSet) -> list[OrderSet]:
    same = OrderSet.objects.filter(game=sheet.game, phase_number=sheet.phase_number, power=sheet.power)
    return list(same.filter(receipt_number__gt=sheet.receipt_number, withdrawn_at=None))


def clock_at_work(game: Game, later: timedelta) -> Work:
    own = DeadlineClock()

    def work(chance: Random) -> None:
        for _ in range(8):
            row = fresh(game)
            own.check_due((row.deadline or BEGUN) + (later if chance.random() < 0.3 else -SECOND))

    return work


def master_at_work(game: Game) -> Work:
    """Judges, hands in for somebody, moves the date, rests."""

    def work(chance: Random) -> None:
        for _ in range(4):
            row = fresh(game)
            act = chance.choice(ACTS)
            try:
                act(row, chance)
            except (LifecycleRefusal, OrdersRefusal, phase_adjudication.PhaseOvertaken):
                continue
        if fresh(game).state == GameState.PAUSED:
            game_lifecycle.resume_game(game, BEGUN)

    return work


def _enter(row: Game, chance: Random) -> None:
    order_submission.submit_orders(
        row,
        "ITALY",
        [],
        number=row.phase_number,
        key=f"{chance.random()}",
        origin="master",
        at=BEGUN + 40 * DAY,
    )


def _rest(row: Game, _chance: Random) -> None:
    game_lifecycle.pause_game(row, BEGUN)
    game_lifecycle.resume_game(row, BEGUN)


ACTS: list[Callable[[Game, Random], Any]] = [
    lambda row, _chance: phase_adjudication.adjudicate_phase(row, row.phase_number, BEGUN),
    _enter,
    lambda row, _chance: game_lifecycle.extend_deadline(row, (row.deadline or BEGUN) + DAY),
    _rest,
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_two_browsers_two_clocks_and_a_game_master_at_once(seed: int) -> None:
    game = table(rhythm={"hours": 72, "early": True}, absent="disorder")
    all_hand_in(game, lines=[], final=True)
    phase_adjudication.adjudicate_phase(game, 1, BEGUN)
    crowd = Crowd(seed)
    browsers = [Browser(game, "FRANCE"), Browser(game, "FRANCE"), Browser(game, "TURKEY")]
    for browser in browsers:
        crowd.send(browser.write)
    for later in (2 * SECOND, 3 * SECOND):
        crowd.send(clock_at_work(game, later))
    crowd.send(master_at_work(game))
    crowd.go()
    check(game, browsers)
    assert sum(len(browser.acknowledged) for browser in browsers)


@pytest.mark.long
def test_many_clocks_at_one_deadline_publish_once() -> None:
    games = [table(rhythm={"hours": 72, "early": False}) for _ in range(6)]
    for game in games:
        all_hand_in(game, lines=[])
    crowd, now = Crowd(0), due(games[0]) + 2 * SECOND
    published: list[int] = []
    for _ in range(4):
        crowd.send(lambda _chance: published.append(DeadlineClock().check_due(now)))
    crowd.go()
    assert sum(published) == 6
    assert [fresh(game).phase_number for game in games] == [2] * 6
    for game in games:
        check(game, [])


@pytest.mark.long
def test_a_rush_before_the_deadline_loses_nothing() -> None:
    """Seven players change their minds until the last second, while the clock already waits."""
    game = table(rhythm={"hours": 72, "early": False})
    crowd, end = Crowd(1), due(game)
    browsers = [Browser(game, power) for power in PLAYERS]
    for browser in browsers:
        crowd.send(browser.write)
    crowd.send(lambda _chance: [DeadlineClock().check_due(end + SECOND) for _ in range(20)])
    crowd.go()
    assert fresh(game).phase_number == 1
    assert DeadlineClock().check_due(end + 2 * SECOND) == 1
    check(game, browsers)


def test_the_same_form_sent_by_two_threads_is_one_sheet() -> None:
    game = table()
    crowd, found = Crowd(2), []
    for _ in range(6):
        crowd.send(lambda _chance: found.append(hand_in(game, "FRANCE", key="the-same-form").receipt_number))
    crowd.go()
    assert found == [1] * 6
    assert OrderSet.objects.count() == 1


def test_two_windows_that_draft_at_once_keep_both_changes() -> None:
    """Each adds its own order: none is overwritten by what the other had read before."""
    game = table()
    crowd = Crowd(3)

    def adding(line: str) -> Work:
        def change(_question: Any, found: Any) -> Any:
            return {"FRANCE": sorted({*found.get("FRANCE", []), line})}

        return lambda _chance: order_submission.change_draft(game, "FRANCE", 1, change, BEGUN)

    lines = ["A PAR-BUR", "A MAR-SPA", "F BRE-MAO"]
    for line in lines:
        crowd.send(adding(line))
    crowd.go()
    assert GameSeat.objects.get(game=game, power="FRANCE").draft_orders == sorted(lines)


def test_withdrawing_final_while_the_clock_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Either the phase is published as final, or it is not: never after the flag was taken back."""
    game = table(rhythm={"hours": 72, "early": True})
    all_hand_in(game, final=True)
    judged, inside, go_on = phase_adjudication.PhaseSnapshot.adjudicate, threading.Event(), threading.Event()

    def slow(taken: phase_adjudication.PhaseSnapshot) -> Any:
        inside.set()
        go_on.wait(PATIENCE)
        return judged(taken)

    monkeypatch.setattr(phase_adjudication.PhaseSnapshot, "adjudicate", slow)
    crowd = Crowd(4)
    crowd.send(lambda _chance: deadline_clock.check_due_games(BEGUN + DAY))

    def withdraw(_chance: Random) -> None:
        inside.wait(PATIENCE)
        order_submission.set_ready(game, "FRANCE", 1, final=False, at=BEGUN + DAY)
        go_on.set()

    crowd.send(withdraw)
    crowd.go()
    assert fresh(game).phase_number == 1
    assert not GameSeat.objects.get(game=game, power="FRANCE").is_ready


def test_a_busy_database_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game, tries = table(), Counter[str]()
    get = OrderSet.objects.create

    def busy(**values: Any) -> OrderSet:
        tries["create"] += 1
        if tries["create"] < 3:
            raise OperationalError("database is locked")
        return get(**values)

    monkeypatch.setattr(OrderSet.objects, "create", busy)
    assert hand_in(game, "FRANCE").receipt_number == 1
    assert OrderSet.objects.count() == 1


@pytest.mark.long
def test_a_database_that_stays_busy_acknowledges_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = table()

    def busy(_sheet: OrderSet) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(order_submission, "insert", busy)
    with pytest.raises(OperationalError):
        hand_in(game, "FRANCE")
    monkeypatch.undo()
    assert OrderSet.objects.count() == 0
    assert fresh(game).receipt_count == 0


def test_an_early_draft_of_each_power_survives_the_deadline() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    crowd = Crowd(5)

    def drafting(power: str, _chance: Random) -> None:
        draft(game, power, "A PAR H", at=due(game))

    for power in PLAYERS:
        crowd.send(partial(drafting, power))
    crowd.go()
    assert DeadlineClock().check_due(due(game) + 2 * SECOND) == 1
    published = PhaseRevision.objects.get(game=game, phase_number=1)
    assert set(published.order_lines) == set(PLAYERS)
    assert OrderSet.objects.filter(origin="draft").count() == 7
    check(game, [])


def test_a_receipt_for_each() -> None:
    """Receipts of a power are numbered without a gap, whoever writes at once."""
    game, crowd = table(), Crowd(6)
    found: defaultdict[str, list[int]] = defaultdict(list)

    def writing(power: str, _chance: Random) -> None:
        found[power] += [hand_in(game, power).receipt_number for _ in range(5)]

    for power in PLAYERS:
        crowd.send(partial(writing, power))
    crowd.go()
    assert dict(found) == {power: [1, 2, 3, 4, 5] for power in PLAYERS}
