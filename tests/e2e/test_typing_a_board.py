"""A director types the result of a board with the keyboard alone; each key is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e import tables
from tests.e2e.conftest import PATIENCE, listening

pytestmark = [pytest.mark.browser, pytest.mark.long]

SEED = """
import json
import django; django.setup()
from tests.web import cast
from tests.web.tournaments.desk import stages
made = stages.kept("playing")
print(json.dumps({"key": made.key, "session": cast.client_of(cast.MASTER).cookies["sessionid"].value}))
"""
CENTRES = ("5", "4", "7", "6", "4", "5", "3")
SUMS = ("5", "9", "16", "22", "26", "31", "34")
FOCUSED = "document.activeElement?.id || document.activeElement?.value || document.activeElement?.tagName"


@dataclass
class Keyboard:
    """The keys pressed on a page."""

    page: Page
    pressed: int = 0

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.pressed += 1

    def focused(self) -> str:
        return str(self.page.evaluate(FOCUSED))


@dataclass
class Room:
    """A tournament with boards in play, and the director's session."""

    site: str
    key: str
    session: str

    def boards(self, page: Page) -> Keyboard:
        page.set_default_timeout(PATIENCE)
        page.goto(f"{self.site}/en/tournaments/{self.key}/desk/round/1/boards/?lang=en")
        return Keyboard(page)

    def sign_in(self, context: BrowserContext) -> BrowserContext:
        context.add_cookies([{"name": "sessionid", "value": self.session, "url": self.site}])
        return context


@pytest.fixture(scope="module")
def room(new_data_folder: Callable[[], Path]) -> Iterator[Room]:
    with tables.seeded(new_data_folder(), SEED) as (site, told):
        yield Room(site, told["key"], told["session"])


def opened(keys: Keyboard, name: str) -> list[str]:
    """Follow a link to a board with the keyboard: its fields, the first of which has the focus."""
    page = keys.page
    page.get_by_role("link", name=name).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#centres-*")
    fields = page.locator("[data-centres]")
    expect(fields.first).to_be_focused()
    keys.pressed = 0
    return [str(fields.nth(at).get_attribute("id")) for at in range(fields.count())]


def test_seven_numbers_with_enter_and_the_next_board(browser: Browser, room: Room) -> None:
    context = room.sign_in(browser.new_context(viewport={"width": 1366, "height": 768}))
    heard = listening(context)
    keys = room.boards(next(heard))
    page = keys.page
    fields = opened(keys, "Seats and result 1")
    assert len(fields) == 7
    for field, count, total in zip(fields, CENTRES, SUMS, strict=True):
        assert keys.focused() == field
        keys.press(count)
        expect(page.locator(".desk-sum [data-told]")).to_have_text(total)
        keys.press("Enter")
    expect(page.locator(".desk-sum")).to_contain_class("right")
    assert keys.focused() == "result_corrected"
    keys.press("Enter")
    expect(page.locator("#result")).to_contain_text("Entered by")
    assert keys.pressed == 15  # seven figures, seven times on, and done
    opened(keys, "Next board without a result: 2")
    keys.press("9")
    keys.press("Enter")
    keys.press("Shift+Tab")
    keys.press("1")  # what stands is replaced
    expect(page.locator("[data-centres]").first).to_have_value("1")
    next(heard, None)
    context.close()


def test_without_scripts_by_tab_and_the_rest_behind_one_key(browser: Browser, room: Room) -> None:
    context = room.sign_in(browser.new_context(java_script_enabled=False))
    keys = room.boards(context.new_page())
    page = keys.page
    opened(keys, "Seats and result 2")
    for count in CENTRES[:6]:
        keys.press(count)
        keys.press("Tab")
    keys.press("2")
    keys.press("Enter")
    expect(page.get_by_role("alert").or_(page.locator(".refusal")).first).to_contain_text("34")
    fields = page.locator("[data-centres]")
    assert [fields.nth(at).input_value() for at in range(7)] == [*CENTRES[:6], "2"]
    keys = room.boards(page)
    opened(keys, "Seats and result 2")
    more = page.locator("details.desk-more")
    assert more.get_attribute("open") is None
    for count in CENTRES:
        keys.press(count)
        keys.press("Tab")
    keys.press("Enter")
    expect(page.locator("#last-played")).to_be_visible()
    keys.press("Enter")
    keys.press("Tab")
    keys.press("Enter")
    expect(page.locator("#result")).to_contain_text("Entered by")
    assert keys.pressed == 18  # of which two open the rest and close it again
    context.close()
