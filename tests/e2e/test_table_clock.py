"""The clock of a table in a browser: by the server's hour, on its own, through sleep and leaps."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

STAGES = {
    name: {"title": name, "talk": "", "may_talk": name == "talking"}
    for name in ("talking", "writing", "time_up", "stopped")
}
RUNNING: dict[str, Any] = {
    "now": 0,
    "phase": 3,
    "season": "Printemps 1902",
    "stage": "talking",
    "running": True,
    "left": 400.0,
    "total": 900.0,
    "writing": 300.0,
    "mark": "3.",
    "wishes": [],
    "awaited": [],
    "waiting": "",
    "stages": STAGES,
}
STOPPED = {**RUNNING, "stage": "stopped", "running": False}
RUNG = {**STOPPED, "stage": "time_up", "left": 0.0}
SHORT = {**RUNNING, "total": 60.0, "left": 60.0, "writing": 0, "stage": "retreats"}
SHOWN = """async ([told, passed]) => {
  const { shown, digits } = await import("/static/js/table_clock.js");
  const found = shown(told, passed);
  return [found.stage, found.left === null ? "" : digits(found.left), found.signal];
}"""
SIGNAL = """async ([told, before, after]) => {
  const { passedSignal } = await import("/static/js/table_clock.js");
  return passedSignal(told, before, after);
}"""
FACE = """async (told) => {
  const { TableClock } = await import("/static/js/table_clock.js");
  window.hour = Date.now() + 5 * 3600_000;
  Date.now = () => window.hour;  // it stands still, however slow this machine is
  window.buzzed = [];
  navigator.vibrate = (pattern) => window.buzzed.push(pattern.length);
  const face = document.createElement("div");
  face.dataset.tableClock = JSON.stringify(told);
  face.dataset.clockUrl = "/clock.json";
  face.innerHTML = '<b data-clock-digits></b><i data-clock-title></i><progress data-clock-bar></progress>';
  document.body.append(face);
  window.face = face;
  window.tableClock = new TableClock(face);
  return face.textContent;
}"""
LEAP = """(seconds) => {
  window.hour += seconds * 1000;
  window.tableClock.draw();
  return [window.face.textContent, window.face.dataset.signal];
}"""


def test_what_is_shown(site: str, page: Page) -> None:
    page.goto(f"{site}/variantes/")
    for told, passed, expected in (
        (RUNNING, 0, ["talking", "6:40", ""]),
        (RUNNING, 99.5, ["talking", "5:01", ""]),
        (RUNNING, 100, ["writing", "5:00", ""]),
        (RUNNING, 280, ["writing", "2:00", "two"]),
        (RUNNING, 370.5, ["writing", "0:30", "thirty"]),
        (RUNNING, 400, ["time_up", "0:00", "bell"]),
        (RUNNING, 9000, ["time_up", "0:00", "bell"]),
        (STOPPED, 9000, ["stopped", "6:40", ""]),
        (RUNG, 0, ["time_up", "0:00", "bell"]),
        (SHORT, 1, ["retreats", "0:59", ""]),
        (SHORT, 31, ["retreats", "0:29", "thirty"]),
        ({**STOPPED, "left": None}, 5, ["stopped", "", ""]),
    ):
        assert page.evaluate(SHOWN, [told, passed]) == expected


def test_each_signal_is_given_once_and_none_that_is_old(site: str, page: Page) -> None:
    page.goto(f"{site}/variantes/")
    for told, before, after, signal in (
        (RUNNING, 300.2, 299.9, "writing"),
        (RUNNING, 120.2, 120, "two"),
        (RUNNING, 120, 119.8, ""),
        (RUNNING, 30.1, 29.9, "thirty"),
        (RUNNING, 0.2, 0, "bell"),
        (RUNNING, 200, 60, ""),  # the device slept
        (RUNNING, 200, 28, "thirty"),
        (RUNNING, None, 29, ""),
        (STOPPED, 120.2, 120, ""),
        (RUNG, 90, 0, "bell"),
    ):
        assert page.evaluate(SIGNAL, [told, before, after]) == signal


def test_a_device_with_a_wrong_hour_that_leaps_asks_and_shows_the_server_s(site: str, page: Page) -> None:
    page.route("**/clock.json", lambda route: route.fulfill(body=json.dumps(RUNNING)))
    page.goto(f"{site}/variantes/")
    assert page.evaluate(FACE, RUNNING) == "6:40talking"
    assert page.evaluate(LEAP, 3600) == ["0:00time_up", "bell"]
    page.wait_for_function("() => window.face.textContent === '6:40talking'")


def test_it_runs_on_and_signals_without_the_server(site: str, page: Page) -> None:
    page.route("**/clock.json", lambda route: route.fulfill(body="{half"))
    page.goto(f"{site}/variantes/")
    page.evaluate(FACE, RUNNING)
    assert page.evaluate(LEAP, 278) == ["2:02writing", ""]
    assert page.evaluate(LEAP, 3) == ["1:59writing", "two"]
    assert page.evaluate("window.buzzed") == [1]
    assert page.evaluate(LEAP, 119) == ["0:00time_up", "bell"]
    assert page.evaluate("window.buzzed") == [1, 3]
    assert page.evaluate(LEAP, 1) == ["0:00time_up", "bell"]
    assert page.evaluate("window.buzzed") == [1, 3]


def test_what_changed_while_it_was_asking_is_asked_again(site: str, page: Page) -> None:
    page.route("**/clock.json", lambda route: route.fulfill(body=json.dumps(STOPPED)))
    page.goto(f"{site}/variantes/")
    page.evaluate(FACE, RUNNING)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(
        "() => { const one = window.tableClock; return Promise.all([one.ask(), one.ask(), one.ask()]); }"
    )
    assert len(asked) == 2
    assert page.evaluate("window.face.textContent") == "6:40stopped"
