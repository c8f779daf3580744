"""The screen for the room in a browser, beside a phone: who has submitted, and the reading, page by page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import sites, tables
from tests.e2e.conftest import listening
from tests.e2e.obstacles import AXE, obstacles, shortcomings

pytestmark = pytest.mark.browser
SEED = """
import json
import django; django.setup()
from django.test.utils import setup_test_environment
setup_test_environment()
from tests.web.tables import phones
table, laptop, held = phones.started()
seats = {power: phone.cookies["sessionid"].value for power, phone in held.items()}
numbers = {
    power: table.players.get(person__tenures__seat__power=power).number for power in seats
}
print(json.dumps({"key": table.game.key, "laptop": laptop.cookies["sessionid"].value, "phones": seats,
    "numbers": numbers, "code": table.screen_code}))
"""
PLAY = """
import json, sys
import django; django.setup()
from talleyrand.web.games.models import Game
from tests.web.games import playing
playing.played(Game.objects.get(key=sys.argv[1]), json.loads(sys.argv[2]))
"""
SHEETS = {"AUSTRIA": ["A Vie - Tri"], "ITALY": ["A Ven - Tri"], "FRANCE": ["A Par - Bou"]}
SIZES = ((1280, 720), (1920, 1080), (820, 1180))
HIGH = """() => {
  const digits = document.querySelector(".room-digits");
  const brush = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(digits);
  brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const fits = digits.scrollWidth <= digits.clientWidth;
  return [brush.measureText("0").actualBoundingBoxAscent / innerHeight, fits];
}"""


@contextmanager
def window(browser: Browser, site: str, cookie: str, width: int, height: int) -> Iterator[Page]:
    """Somebody's browser; whatever its pages complain of fails the test."""
    context = browser.new_context(viewport={"width": width, "height": height})
    if cookie:
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    page = listening(context)
    yield next(page)
    next(page, None)


def test_a_phone_submits_and_the_room_reads(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    folder = new_data_folder()
    with tables.seeded(folder, SEED) as (site, told), ExitStack() as windows:
        key = told["key"]
        wall = windows.enter_context(window(browser, site, told["laptop"], 1280, 720))
        phone = windows.enter_context(window(browser, site, told["phones"]["FRANCE"], 390, 844))
        wall.goto(f"{site}/tables/{key}/screen/")
        _readable_at_ten_metres(wall)
        _in_nobodys_way(wall)
        _submits(wall, phone, f"{site}/parties/{key}/")
        other = windows.enter_context(window(browser, site, "", 390, 844))
        _asks_for_a_pin(wall, other, f"{site}/tables/{key}/seats/{told['numbers']['FRANCE']}/move/")
        sites.run(PLAY, folder, key, json.dumps(SHEETS))
        context = browser.new_context(viewport={"width": 820, "height": 1180})
        windows.callback(context.close)  # whose page complains of the network that it loses
        second = context.new_page()
        second.goto(f"{site}/tables/screen/{told['code']}/")
        _reads(wall, second)


def _readable_at_ten_metres(wall: Page) -> None:
    """The digits are a sixth of the height, and stay on the wall."""
    for width, height in SIZES:
        wall.set_viewport_size({"width": width, "height": height})
        high, fits = wall.evaluate(HIGH)
        assert high >= 1 / 6, (width, height)
        assert fits, (width, height)
    wall.set_viewport_size({"width": 1280, "height": 720})


def _in_nobodys_way(wall: Page) -> None:
    assert obstacles(wall, AXE.read_text("utf-8")) + shortcomings(wall) == []


def _submits(wall: Page, phone: Page, address: str) -> None:
    france = wall.locator('.room-power[data-power="FRANCE"]')
    expect(france).to_have_attribute("data-state", "nothing")
    phone.goto(address)
    phone.locator('[data-province="PAR"]').first.wait_for(state="attached")
    token = next(one["value"] for one in phone.context.cookies() if one["name"] == "csrftoken")
    answer = phone.context.request.post(
        f"{address}1/orders/FRANCE/",
        form={"sheet": "A Par - Bou", "action": "hand_in", "submission": "s" * 22},
        headers={"X-CSRFToken": token},
        max_redirects=0,
    )
    assert answer.status == 302, answer.text()
    expect(france).to_have_attribute("data-state", "saved")
    expect(france).to_contain_text("✓")
    assert wall.locator("#layer-orders *").count() == 0
    assert "- Bou" not in wall.content()


def _asks_for_a_pin(wall: Page, other: Page, address: str) -> None:
    other.goto(address)
    other.locator("form button:not(.primary)").click()
    expect(wall.locator(".room-pins")).to_contain_text("France")
    expect(wall.locator(".room-pins strong")).to_have_text(re.compile(r"^\d{6}$"))


def _reads(wall: Page, second: Page) -> None:
    expect(wall.locator(".room-opening")).to_be_visible()
    assert wall.locator("#layer-orders *").count() == 0
    wall.keyboard.press("ArrowRight")
    for page in (wall, second):
        expect(page.locator(".room-turns [aria-current]")).to_have_text("Autriche")
        expect(page.locator(".room-orders")).to_contain_text("A Vienne - Trieste")
    assert wall.locator('#layer-orders [data-power="ITALY"]').count() == 0
    _in_nobodys_way(wall)
    expect(second.locator("[data-turn]")).to_have_count(0)
    wall.locator("a.ask").first.click()
    expect(wall.locator("#why")).to_contain_text("Trieste")
    wall.keyboard.press("Escape")
    expect(wall.locator("#why")).to_have_count(0)
    wall.reload()
    expect(wall.locator(".room-turns [aria-current]")).to_have_text("Autriche")
    wall.locator("#viewport").click()
    expect(second.locator(".room-turns [aria-current]")).not_to_have_text("Autriche")
    wall.keyboard.press("ArrowLeft")
    expect(second.locator(".room-turns [aria-current]")).to_have_text("Autriche")
    _network_is_lost(wall, second)


def _network_is_lost(wall: Page, second: Page) -> None:
    """A page that is turned meanwhile is there when the network is."""
    second.context.set_offline(True)
    wall.keyboard.press("PageDown")
    expect(wall.locator(".room-turns [aria-current]")).not_to_have_text("Autriche")
    name = wall.locator(".room-turns [aria-current]").inner_text()
    second.context.set_offline(False)
    expect(second.locator(".room-turns [aria-current]")).to_have_text(name)
    wall.locator('[formaction*="/all/"]').click()
    expect(second.locator(".room-orders")).to_have_count(7)
    wall.keyboard.press("ArrowRight")
    wall.keyboard.press("ArrowRight")
    for page in (wall, second):
        expect(page.locator(".room-powers")).to_be_visible()
