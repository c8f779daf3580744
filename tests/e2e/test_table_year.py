"""1901 round a table in real browsers: seven phones, the room's screen and the referee's laptop.

Two phones lose the network while they submit, one dies, one comes after the bell and is torn up, a seat plays
on paper, and a vote on the end is vetoed. Nothing is asked of any other host.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Request, expect

from tests.e2e import sites
from tests.e2e.conftest import PATIENCE

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
NAMES = ("Anna", "Bela", "Carlo", "Dora", "Emil", "Fanny", "Greta")
SPRING = {
    "AUSTRIA": "A Vie - Gal\nA Bud - Ser\nF Tri - Alb",
    "ENGLAND": "F Lon - NTH\nF Edi - NWG\nA Lvp - Yor",
    "FRANCE": "A Par - Bur\nA Mar - Spa\nF Bre - MAO",
    "GERMANY": "A Ber - Kie\nA Mun - Ruh\nF Kie - Den",
    "ITALY": "A Rom - Apu\nA Ven H\nF Nap - ION",
    "RUSSIA": "A War - Ukr\nF Sev - Rum\nF Stp/sc - Bot\nA Mos H",
    "TURKEY": "A Con - Bul\nA Smy - Arm\nF Ank - BLA",
}
AUTUMN = {
    "AUSTRIA": "A Ser - Rum\nA Gal S A Ser - Rum\nF Alb - Gre",
    "ENGLAND": "F NTH - Nwy\nF NWG - BAR\nA Yor H",
    "FRANCE": "A Bur - Bel\nA Spa - Por\nF MAO - Spa/sc",
    "GERMANY": "A Ruh - Hol\nA Kie H\nF Den H",
    "ITALY": "A Apu - Tun\nF ION C A Apu - Tun\nA Ven H",
    "RUSSIA": "F Rum H\nA Ukr H\nF Bot - Swe\nA Mos H",
    "TURKEY": "A Bul H\nA Arm H\nF BLA H",
}
PLAYED = """
import json, sys
import django; django.setup()
from talleyrand.web.games.models import PhaseRevision
rows = PhaseRevision.objects.filter(is_current=True, phase_number__gt=0).order_by("phase_number")
print(json.dumps([[one.phase, one.order_lines, one.powers_without_orders] for one in rows]))
"""


@dataclass
class Room:
    """The laptop, the wall and the phones, each in a browser of its own."""

    browser: Browser
    site: str
    windows: ExitStack
    foreign: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    phones: dict[str, Page] = field(default_factory=dict)
    key: str = ""

    def window(self, width: int, height: int) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, has_touch=width < 500, locale="en"
        )
        self.windows.callback(_closed, context)
        context.on("request", self._asked)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        return page

    def _asked(self, request: Request) -> None:
        host = urlsplit(request.url)
        if host.scheme in ("http", "https", "ws", "wss") and host.netloc != urlsplit(self.site).netloc:
            self.foreign.append(request.url)

    @property
    def address(self) -> str:
        return f"{self.site}/en/tables/{self.key}/"


def _closed(context: BrowserContext) -> None:
    context.close()


@pytest.fixture
def room(browser: Browser, new_data_folder: Callable[[], Path]) -> Iterator[tuple[Room, Path]]:
    folder = new_data_folder()
    with sites.served(folder) as served, ExitStack() as windows:
        found = Room(browser, served.address, windows)
        yield found, folder
        assert found.foreign == []
        assert found.faults == []


@pytest.mark.long
def test_1901_round_a_table(room: tuple[Room, Path]) -> None:
    table, folder = room
    desk, wall = _opened(table)
    _seated(table, desk)
    _spring(table, desk, wall)
    _autumn(table, desk, wall)
    _retreat_and_winter(table, desk, wall)
    _played_as_written(folder)


def _opened(table: Room) -> tuple[Page, Page]:
    """The laptop opens a table as seated, the wall shows it, and seven phones come in."""
    desk = table.window(1440, 900)
    desk.goto(f"{table.site}/en/tables/")
    desk.locator("details summary").first.click()
    desk.locator("[name=dealing]").select_option("seated")
    desk.get_by_role("button", name=re.compile("Open a table")).click()
    code = desk.locator(".waiting-code").inner_text().strip()
    table.key = urlsplit(desk.url).path.strip("/").split("/")[-1]
    desk.goto(f"{table.site}/en/tables/{table.key}/referee/")
    address = desk.locator(".referee-links .hint").first.inner_text()
    desk.go_back()
    wall = table.window(1280, 720)
    wall.goto(f"{urlsplit(table.site).scheme}://{address}")
    for number, (power, name) in enumerate(zip(POWERS, NAMES, strict=True), 1):
        phone = table.phones[power] = table.window(390, 844)
        phone.goto(f"{table.site}/en/tables/join/{code}/")
        phone.locator("#name").fill(name)
        phone.locator(f"[name=seat][value='{number}']").check()
        phone.get_by_role("button", name="Sit down").click()
        expect(phone.locator(".waiting")).to_be_visible()
    return desk, wall


def _seated(table: Room, desk: Page) -> None:
    expect(desk.locator(".waiting-seats .there")).to_have_count(7)
    desk.get_by_role("button", name="Start the game").click()
    for power, phone in table.phones.items():
        expect(phone.locator("#phone")).to_have_attribute("data-power", power)
    desk.goto(f"{table.address}referee/")
    desk.get_by_role("button", name="Start clock").click()


def _write(phone: Page, orders: str) -> None:
    keep = phone.locator("#curtain-keep")
    if not keep.is_checked():
        keep.check()
    phone.locator("#tab-sheet").click()
    phone.locator("#sheet").fill(orders)


def _submit(phone: Page, orders: str) -> None:
    _write(phone, orders)
    phone.locator("#resolve").click()
    expect(phone.locator("#verdict")).to_contain_text("✓ Received")


@contextmanager
def _no_network(phone: Page) -> Iterator[None]:
    phone.context.set_offline(True)
    yield
    phone.context.set_offline(False)


def _on_paper(table: Room, desk: Page, power: str, orders: str) -> None:
    """The referee types what stands on paper."""
    desk.goto(f"{table.address}referee/orders/{power}/")
    desk.locator("#sheet").fill(orders)
    desk.get_by_role("button", name="Show what is understood").click()
    desk.get_by_role("button", name="Submit").click()
    expect(desk.get_by_text("Received for")).to_be_visible()


def _ring(table: Room, desk: Page) -> None:
    desk.goto(f"{table.address}referee/")
    desk.get_by_role("button", name="Ring the bell…").click()
    desk.locator("form button.primary.big").click()


def _read_out(table: Room, desk: Page, wall: Page) -> None:
    """The room reads, then the clock of the next phase is started."""
    desk.goto(f"{table.address}referee/")
    expect(wall.locator(".room-opening, .room-orders, .room-powers").first).to_be_visible()
    desk.get_by_role("button", name="Read on the next").click()
    expect(wall.locator(".room-orders").first).to_be_visible()
    desk.get_by_role("button", name="End the reading").first.click()
    desk.get_by_role("button", name="Start clock").click()
    expect(desk.get_by_role("button", name="Stop clock")).to_be_visible()


def _spring(table: Room, desk: Page, wall: Page) -> None:
    """Two phones lose the network while they submit, one of them across a reload; Turkey writes on paper."""
    for power in ("AUSTRIA", "GERMANY", "ITALY", "RUSSIA"):
        _submit(table.phones[power], SPRING[power])
    for power in ("FRANCE", "ENGLAND"):
        phone = table.phones[power]
        with _no_network(phone):
            _write(phone, SPRING[power])
            phone.locator("#resolve").click()
            expect(phone.locator("#verdict")).to_contain_text("Not received yet")
            if power == "ENGLAND":
                with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
                    phone.reload()
        if power == "ENGLAND":
            phone.goto(table.address)
        expect(phone.locator("#verdict")).to_contain_text("✓ Received")
    _on_paper(table, desk, "TURKEY", SPRING["TURKEY"])
    expect(wall.locator(".room-power[data-state=nothing]")).to_have_count(0)
    assert "Bur" not in wall.locator("body").inner_text()
    assert wall.locator("#layer-orders *").count() == 0
    _ring(table, desk)
    expect(table.phones["FRANCE"].locator(".phone-task")).to_have_text("Look at the screen.")
    _read_out(table, desk, wall)


def _autumn(table: Room, desk: Page, wall: Page) -> None:
    """Germany's phone dies, Italy's comes after the bell; a vote on the end is vetoed."""
    for phone in table.phones.values():
        expect(phone.locator(".phone-task")).to_have_text("Write your orders.")
    _vetoed(table.phones["FRANCE"], table.phones["ENGLAND"])
    table.phones.pop("GERMANY").context.close()
    for power in ("AUSTRIA", "ENGLAND", "FRANCE", "RUSSIA"):
        _submit(table.phones[power], AUTUMN[power])
    for power in ("GERMANY", "TURKEY"):
        _on_paper(table, desk, power, AUTUMN[power])
    italy = table.phones["ITALY"]
    with _no_network(italy):
        _write(italy, AUTUMN["ITALY"])
        italy.locator("#resolve").click()
        expect(italy.locator("#verdict")).to_contain_text("Not received yet")
        _ring(table, desk)
        expect(wall.locator("body")).to_contain_text("Time is up")
        expect(wall.locator("body")).to_contain_text("Waiting for: Italy")
    expect(italy.locator("#phone-late")).to_contain_text("The referee decides.")
    desk.goto(f"{table.address}referee/")
    desk.get_by_role("button", name="Tear them up").click()
    expect(desk.get_by_text("Decided: torn up.")).to_be_visible()
    desk.get_by_role("button", name="Read on", exact=True).click()
    desk.locator("form button.primary.big").click()
    _read_out(table, desk, wall)
    _germany_comes_back(table, wall)


def _vetoed(proposer: Page, other: Page) -> None:
    proposer.locator("#endings > summary").click()
    if proposer.locator("#endings [name=counts][type=radio]").count():
        proposer.locator("#endings [name=counts]").first.check()
    proposer.get_by_role("button", name="Propose to end the game").click()
    expect(other.locator("#phone-proposal")).to_be_visible()
    other.reload()
    other.get_by_role("button", name="Veto").click()
    expect(other.locator("body")).to_contain_text("veto", ignore_case=True)


def _germany_comes_back(table: Room, wall: Page) -> None:
    """Another phone takes the seat by the PIN that the whole room sees."""
    phone = table.phones["GERMANY"] = table.window(390, 844)
    phone.goto(f"{table.address}seats/{POWERS.index('GERMANY') + 1}/move/")
    phone.get_by_role("button", name=re.compile("Show a PIN")).click()
    expect(wall.locator(".room-pins strong")).to_have_text(re.compile(r"^\d{6}$"))
    phone.locator("#pin").fill(wall.locator(".room-pins strong").inner_text())
    phone.get_by_role("button", name="Use this phone").click()
    expect(phone.locator("#phone")).to_have_attribute("data-power", "GERMANY")


def _retreat_and_winter(table: Room, desk: Page, wall: Page) -> None:
    """Russia alone is asked for a retreat; then those who build."""
    russia, france = table.phones["RUSSIA"], table.phones["FRANCE"]
    for page in (russia, france):
        page.goto(table.address)
    expect(russia.locator(".phone-task")).to_contain_text("say where you retreat")
    expect(france.locator(".phone-task")).to_have_text("Nothing for you: Russia retreats.")
    _submit(russia, "F Rum - Sev")
    _ring(table, desk)
    _read_out(table, desk, wall)
    france.goto(table.address)
    expect(france.locator(".phone-task")).to_have_text("You build 3 units.")
    _submit(france, "A Par\nF Bre\nA Mar")
    _ring(table, desk)
    desk.goto(f"{table.address}referee/")
    desk.get_by_role("button", name="Read on", exact=True).click()
    desk.locator("form button.primary.big").click()
    expect(wall.locator("body")).to_contain_text("1902")


def _played_as_written(folder: Path) -> None:
    spring, autumn, retreat, winter = json.loads(sites.run(PLAYED, folder).splitlines()[-1])
    for power in POWERS:
        assert spring[1][power] == SPRING[power].split("\n"), power
    assert spring[2] == []
    assert autumn[2] == ["ITALY"]
    assert autumn[1]["GERMANY"] == AUTUMN["GERMANY"].split("\n")
    assert [retreat[0], winter[0]] == ["F1901R", "W1901A"]
    assert winter[1]["FRANCE"] == ["A Par", "F Bre", "A Mar"]
