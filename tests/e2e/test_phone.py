"""A phone at a table, in a browser: what is typed arrives, late or not, and nobody else sees it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Route, ViewportSize, expect

from tests.e2e import obstacles, sites, tables
from tests.e2e.conftest import PATIENCE

SEED = """
import json
import django; django.setup()
from django.test.utils import setup_test_environment
setup_test_environment()
from tests.web.tables import phones
table, laptop, held = phones.started()
cookies = {power: phone.cookies["sessionid"].value for power, phone in held.items()}
print(json.dumps({"key": table.game.key, "cookies": cookies}))
"""
RESOLVE = """
import django; django.setup()
from talleyrand.web.games.models import Game
from tests.web.games import playing
playing.resolved(Game.objects.get())
"""
RECEIVED = """
import json
import django; django.setup()
from talleyrand.web.games.models import OrderSet
from talleyrand.web.tables.models import LateOrders
counted = [[one.power, one.receipt_number, one.lines] for one in OrderSet.objects.order_by("pk")]
print(json.dumps({"counted": counted, "late": [[one.power, one.lines] for one in LateOrders.objects.all()]}))
"""
PIN = """
import sys
import django; django.setup()
from talleyrand.web.tables.models import TablePlayer
print(TablePlayer.objects.get(number=int(sys.argv[1])).pin)
"""
TOUCH = """(one) => {
  const box = one.getBoundingClientRect();
  const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  one.dispatchEvent(new MouseEvent("click", { bubbles: true, ...at }));
}"""
PHONE: ViewportSize = {"width": 360, "height": 640}


@dataclass(frozen=True)
class Room:
    """A table whose game has begun, and the folder of its site."""

    site: str
    key: str
    cookies: dict[str, str]
    folder: Path

    @property
    def address(self) -> str:
        return f"{self.site}/en/tables/{self.key}/"

    def kept(self, power: str) -> dict[str, list[list[object]]]:
        """What the table has of a power."""
        told = json.loads(sites.run(RECEIVED, self.folder).splitlines()[-1])
        return {kind: [row[1:] for row in rows if row[0] == power] for kind, rows in told.items()}

    @contextmanager
    def phone(self, browser: Browser, power: str) -> Iterator[Page]:
        """The phone of a power, on its page."""
        context = browser.new_context(viewport=PHONE, has_touch=True)
        if power:
            context.add_cookies([{"name": "sessionid", "value": self.cookies[power], "url": self.site}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        faults: list[str] = []  # not of the network, which these tests cut
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(self.address if power else f"{self.site}/en/tables/join/")
        yield page
        context.close()
        assert faults == []


@pytest.fixture(scope="module")
def room(new_data_folder: Callable[[], Path]) -> Iterator[Room]:
    folder = new_data_folder()
    with tables.seeded(folder, SEED) as (site, told):
        yield Room(site, told["key"], told["cookies"], folder)


def write(page: Page, *lines: str) -> None:
    """Lift the curtain for good and type."""
    page.locator("#curtain-keep").check()
    page.locator("#tab-sheet").click()
    page.locator("#sheet").fill("\n".join(lines))


def tap(page: Page, province: str) -> None:
    """A touch in the middle of a unit."""
    page.locator(f"#layer-units [data-province={province}]").first.evaluate(TOUCH)


def submit(page: Page) -> None:
    page.locator("#resolve").click()


def reload_without_network(page: Page) -> None:
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        page.reload()


def test_what_is_submitted_without_network_arrives_though_the_page_is_loaded_anew(
    browser: Browser, room: Room
) -> None:
    with room.phone(browser, "FRANCE") as page:
        page.context.set_offline(True)
        write(page, "A Par - Bur", "F Bre - MAO")
        submit(page)
        expect(page.locator("#verdict")).to_contain_text("Not received yet")
        reload_without_network(page)
        page.context.set_offline(False)
        page.goto(room.address)
        expect(page.locator("#verdict")).to_contain_text("Received")
        expect(page.locator("#verdict")).to_contain_text("v1")
        assert page.evaluate("Object.keys(localStorage).length") == 0
    assert room.kept("FRANCE")["counted"] == [[1, ["A Par - Bur", "F Bre - MAO"]]]


@pytest.mark.long
def test_a_network_that_falls_during_submission_makes_no_second_sheet(browser: Browser, room: Room) -> None:
    """The table has the orders, its answer is lost: the phone asks again, with the same key."""
    cut: list[int] = []

    def lose(route: Route) -> None:
        if not cut:
            cut.append(route.fetch().status)
            route.abort("internetdisconnected")
        else:
            route.continue_()

    with room.phone(browser, "ENGLAND") as page:
        write(page, "F Lon - NTH")
        expect(page.locator("#saved")).to_contain_text("saved")
        page.route("**/orders/ENGLAND/?*", lose)
        submit(page)
        expect(page.locator("#verdict")).to_contain_text("Received")
    assert cut == [200]
    assert room.kept("ENGLAND")["counted"] == [[1, ["F Lon - NTH"]]]


def test_orders_are_seen_only_while_a_finger_or_the_space_bar_holds_the_curtain(
    browser: Browser, room: Room
) -> None:
    with room.phone(browser, "GERMANY") as page:
        arrows, sheet, hold = (page.locator(one) for one in ("#layer-orders", "#orders", "#curtain-hold"))
        expect(sheet).to_be_hidden()
        expect(arrows).to_have_css("visibility", "hidden")
        tap(page, "MUN")  # a map that is shown to a neighbour takes no orders
        hold.dispatch_event("touchstart")
        expect(sheet).to_be_visible()
        expect(arrows).to_have_css("visibility", "visible")
        expect(page.locator("#chips button")).to_have_count(0)
        hold.dispatch_event("touchend")
        expect(sheet).to_be_hidden()
        page.keyboard.down(" ")
        expect(sheet).to_be_visible()
        page.keyboard.up(" ")
        expect(sheet).to_be_hidden()
        page.locator("#curtain-keep").check()
        tap(page, "MUN")
        expect(page.locator("#chips button").first).to_be_visible()
        page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(sheet).to_be_hidden()
        expect(page.locator("#curtain-keep")).not_to_be_checked()


@pytest.mark.long
def test_a_seat_that_moves_leaves_what_was_typed_on_the_former_phone(browser: Browser, room: Room) -> None:
    with room.phone(browser, "TURKEY") as page, room.phone(browser, "") as other:
        number = page.locator("#phone").get_attribute("data-seat") or ""
        page.context.set_offline(True)
        write(page, "A Con - Bul")
        expect(page.locator("#saved")).to_contain_text("no answer")
        move = f"{room.site}/en/tables/{room.key}/seats/{number}/move/"
        other.goto(move)
        other.get_by_role("button", name="Show a PIN").click()
        other.locator("#pin").fill(sites.run(PIN, room.folder, number).splitlines()[-1])
        other.get_by_role("button", name="Use this phone").click()
        expect(other.locator(".phone-task")).to_have_text("Write your orders.")
        page.context.set_offline(False)
        expect(page.get_by_role("heading", level=1)).to_have_text("This seat is on another phone now")
        expect(page.locator("#kept")).to_contain_text("A Con - Bul")
    assert room.kept("TURKEY") == {"counted": [], "late": []}


@pytest.mark.long
def test_nothing_stands_in_the_way_of_a_reader(browser: Browser, room: Room) -> None:
    axe = obstacles.AXE.read_text()
    with room.phone(browser, "RUSSIA") as page:
        for address in (room.address, room.address.replace("/en/", "/")):
            page.goto(address)
            page.locator("#curtain-keep").check()
            assert [*obstacles.shortcomings(page), *obstacles.obstacles(page, axe)] == []


def test_orders_that_come_after_the_bell_are_for_the_referee(browser: Browser, room: Room) -> None:
    with room.phone(browser, "ITALY") as page:
        page.context.set_offline(True)
        write(page, "A Ven - Tri")
        submit(page)
        expect(page.locator("#verdict")).to_contain_text("Not received yet")
        sites.run(RESOLVE, room.folder)
        page.context.set_offline(False)
        late = page.locator("#phone-late")
        expect(late).to_contain_text("Italy, Spring 1901, movement")
        expect(late).to_contain_text("The referee decides.")
        expect(page.locator(".clock-season")).to_contain_text("Autumn 1901")
    assert room.kept("ITALY") == {"counted": [], "late": [[["A Ven - Tri"]]]}
