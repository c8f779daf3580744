"""Figures for Prometheus: in its format, for those who may, without a name in them."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import Game
from talleyrand.web.monitoring import monitor, request_metrics
from talleyrand.web.monitoring.prometheus_text import Metric, MetricSample, metrics_text
from tests.web.cast import MASTER, PLAYERS, client_of
from tests.web.visibility.scene import MARKS, opened

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-twenty-four-or-more"
LINE = re.compile(r'talleyrand_[a-z_]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? [0-9.e+-]+')


def numbers(text: str) -> dict[str, float]:
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in rows(text)}


def rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.fixture
def read(chief: Client) -> Any:
    def reading() -> str:
        answer = chief.get("/metrics/")
        assert answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return answer.content.decode()

    return reading


def test_the_format() -> None:
    odd = Metric("m", "gauge", "Odd.", (MetricSample(0.5, {"a": 'b"\\\n', "c": "d"}), MetricSample(3.0)))
    assert metrics_text([odd]) == '# HELP m Odd.\n# TYPE m gauge\nm{a="b\\"\\\\\\n",c="d"} 0.5\nm 3\n'


@pytest.mark.long
@pytest.mark.usefixtures("by_post")
def test_the_figures_of_a_game(read: Any) -> None:
    scene = opened()
    monitor.SweepRecorder()(_swept(0.25))
    text = read()
    assert [line for line in rows(text) if not LINE.fullmatch(line)] == []
    found = numbers(text)
    expected = {
        'talleyrand_games{state="playing"}': 1,
        'talleyrand_games{state="ended"}': 0,
        "talleyrand_phases_published": 1,
        "talleyrand_sheets": scene.game.sheets.count(),
        "talleyrand_letters": 7,
        "talleyrand_sweep_seconds": 0.25,
        "talleyrand_clocks": 1,
        "talleyrand_streams": 0,
        'talleyrand_mails{state="to_leave"}': 1,
        'talleyrand_webhooks{state="active"}': 12,
        'talleyrand_check{check="clock"}': 1,
        'talleyrand_check{check="phases"}': 1,
    }
    assert {name: found[name] for name in expected} == expected
    for hidden in (*MARKS.values(), *PLAYERS.values(), "FRANCE", scene.game.key, scene.game.name):
        assert hidden not in text


def _swept(seconds: float) -> Any:
    from talleyrand.web.games.deadline_clock import DeadlineClock

    clock = DeadlineClock("one")
    clock.last_tick_seconds = seconds
    return clock


def test_a_sweep_is_timed(game: Game) -> None:
    from talleyrand.web.games.deadline_clock import DeadlineClock

    clock = DeadlineClock()
    clock.tick(timezone.now())
    assert clock.last_tick_seconds > 0


def test_every_metric_is_told_once_with_its_kind(read: Any) -> None:
    told = re.findall(r"^# TYPE (\w+) (gauge|counter|histogram)$", read(), re.MULTILINE)
    names = [name for name, _kind in told]
    assert len(names) == len(set(names))
    assert len(names) > 12


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({"authorization": f"Bearer {TOKEN}"}, 200),
        ({"authorization": f"Bearer {TOKEN[:-1]}"}, 404),
        ({"authorization": TOKEN}, 404),
        ({"authorization": "Bearer é"}, 404),
        ({}, 404),
    ],
)
def test_who_may_read(settings: LazySettings, header: dict[str, str], status: int) -> None:
    settings.METRICS = TOKEN
    assert Client().get("/metrics/", headers=header).status_code == status
    assert Client().head("/metrics/", headers=header).status_code == status


@pytest.mark.parametrize("header", [{}, {"authorization": "Bearer "}, {"authorization": "Bearer"}])
def test_without_a_token_only_administrators_read(header: dict[str, str], game: Game) -> None:
    assert Client().get("/metrics/", headers=header).status_code == 404
    assert client_of(MASTER).get("/metrics/", headers=header).status_code == 404


def test_requests_by_part_method_and_status(read: Any) -> None:
    client, before = Client(), numbers(read())
    for path in ("/parties/", "/parties/", "/parties/zz/", "/nothing/", "/compte/connexion/"):
        client.get(path)
    client.post("/parties/zz/")
    now = numbers(read())

    def more(part: str, method: str, status: int, what: str = "count") -> float:
        name = f'talleyrand_request_seconds_{what}{{part="{part}",method="{method}",status="{status}"}}'
        return now[name] - before.get(name, 0)

    assert more("games", "GET", 200) == 2
    assert more("games", "GET", 404) == 1
    assert more("other", "GET", 404) == 1
    assert more("other", "GET", 200) == 1
    assert more("games", "GET", 200, "sum") > 0


def test_a_method_of_ones_own_is_not_a_label(read: Any) -> None:
    Client().generic("ZZ-NAME", "/parties/")
    assert "ZZ-NAME" not in read()


def test_buckets_hold_what_is_below_them() -> None:
    requests = request_metrics.RequestMetrics()
    for seconds in (0.001, 0.005, 0.2, 60):
        requests.observe(("games", "GET", "200"), seconds)
    found = {one.labels["le"]: one.value for one in requests.metric().samples if one.suffix == "_bucket"}
    assert (found["0.005"], found["0.1"], found["0.25"], found["10.0"], found["+Inf"]) == (2, 2, 3, 3, 4)
    assert [one.value for one in requests.metric().samples[-2:]] == [pytest.approx(60.206), 4]


def test_threads_lose_no_request() -> None:
    requests = request_metrics.RequestMetrics()

    def count() -> None:
        for _ in range(500):
            requests.observe(("a", "GET", "200"), 0.1)

    work = [threading.Thread(target=count) for _ in range(8)]
    for one in work:
        one.start()
    for one in work:
        one.join()
    assert requests.metric().samples[-1].value == 4000
