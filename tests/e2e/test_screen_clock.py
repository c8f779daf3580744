"""The clock of the room in a browser: by the server's hour, whatever the laptop believes, and on its own."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

RUNNING = {
    "running": True,
    "begun": True,
    "over": False,
    "writing": 120,
    "seasons": [
        {"title": "Printemps 1901", "left": 300, "length": 1080},
        {"title": "Automne 1901", "left": 1260, "length": 960},
    ],
}
PAUSED = {**RUNNING, "running": False, "seasons": RUNNING["seasons"][:1]}  # type: ignore[index]
SEEN = """async ([face, passed]) => {
  const { seen, digits } = await import("/static/js/screen_clock.js");
  const found = seen(face, passed);
  return [found.state, found.season, digits(found.left), found.next];
}"""
BEGIN = """async (told) => {
  const { Clock } = await import("/static/js/screen_clock.js");
  window.hour = Date.now() + 5 * 3600_000;
  Date.now = () => window.hour;  // it stands still, however slow this machine is
  window.clock = new Clock("/clock.json", told);
  return window.clock.faces()[0].left;
}"""
LEFT = "window.clock.faces()[0].left"
LEAP = f"(seconds) => {{ window.hour += seconds * 1000; return {LEFT}; }}"
FACES: list[tuple[Any, float, list[str]]] = [
    (RUNNING, 0, ["running", "Printemps 1901", "5:00", "Automne 1901"]),
    (RUNNING, 180, ["writing", "Printemps 1901", "2:00", "Automne 1901"]),
    (RUNNING, 179.5, ["running", "Printemps 1901", "2:01", "Automne 1901"]),
    (RUNNING, 300, ["running", "Automne 1901", "16:00", ""]),
    (RUNNING, 1259.9, ["writing", "Automne 1901", "0:01", ""]),
    (RUNNING, 4000, ["over", "", "0:00", ""]),
    (PAUSED, 4000, ["paused", "Printemps 1901", "5:00", ""]),
    ({**PAUSED, "begun": False}, 10, ["waiting", "Printemps 1901", "5:00", ""]),
    ({**RUNNING, "over": True, "seasons": []}, 0, ["over", "", "0:00", ""]),
]


def test_what_a_face_shows(site: str, page: Page) -> None:
    page.goto(f"{site}/variantes/")
    for face, passed, shown in FACES:
        assert page.evaluate(SEEN, [face, passed]) == shown


def test_a_laptop_with_a_wrong_hour_that_leaps(site: str, page: Page) -> None:
    """It slept, or its hour was set: the server is asked at once, and what it says is shown."""
    told = {"now": 0, "clocks": [RUNNING]}
    page.route("**/clock.json", lambda route: route.fulfill(body=json.dumps(told)))
    page.goto(f"{site}/variantes/")
    assert page.evaluate(BEGIN, told) == 300
    assert page.evaluate(LEAP, 100) == 200
    page.wait_for_function(f"() => {LEFT} === 300")


def test_it_runs_on_without_the_server(site: str, page: Page) -> None:
    page.route("**/clock.json", lambda route: route.fulfill(status=400))
    page.goto(f"{site}/variantes/")
    page.evaluate(BEGIN, {"now": 0, "clocks": [RUNNING]})
    with page.expect_response("**/clock.json"):
        assert page.evaluate(LEAP, 100) == 200
    assert page.evaluate(LEFT) == 200
