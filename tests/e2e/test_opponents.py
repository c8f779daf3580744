"""Against the computer in a browser: the progress line, a reload and a crash in the middle, the keyboard."""

from __future__ import annotations

import re
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards
from tests.e2e.conftest import PATIENCE
from tests.e2e.sites import SERVE, Served, served
from tests.e2e.steps import follow

pytestmark = pytest.mark.browser
AT_WORK = re.compile("sur 6|se prépare")  # the second once it has taken some seconds
COLD = 180_000  # milliseconds: the first search compiles its code, on a machine that runs other tests
# The computer's players think no further while the file is there: in the process of low priority and, before
# that one has begun, in the site's own. Beside other tests a low priority would leave them next to nothing.
HELD = """
import django, pathlib, sys, time
django.setup()
from talleyrand.web.limits import low_priority
from talleyrand.web.practice import practice_bot_tasks
low_priority.lower_priority = lambda: None
orders = practice_bot_tasks.bot_orders
def held(*rest):
    while pathlib.Path({file!r}).exists():
        time.sleep(0.02)
    return orders(*rest)
practice_bot_tasks.bot_orders = held
"""
BESIDE = """
from talleyrand.web.server.low_priority_worker import run_low_priority_worker
run_low_priority_worker(int(sys.argv[1]))
"""
SITE = """
from talleyrand.web.limits.low_priority import LowPriorityProcess
LowPriorityProcess.__init__.__defaults__ = ((sys.executable, "-c", sys.argv[2]),)
"""


def serving(folder: Path) -> AbstractContextManager[Served]:
    """A site whose players of the computer wait while there is a file `held` in its folder."""
    held = HELD.format(file=str(folder / "held"))
    return served(folder, held + BESIDE, program=held + SITE + SERVE)


@pytest.fixture(scope="module")
def site(new_data_folder: Callable[[], Path]) -> Iterator[str]:
    with serving(new_data_folder()) as begun:
        yield begun.address


def against(page: Page, site: str, player: str) -> None:
    page.goto(f"{site}/p/new/")
    page.select_option(".start [name=mine]", "FRANCE")
    page.select_option(".start [name=player]", player)
    follow(page.locator("button.big"))
    boards.ready(page)


@pytest.mark.long
def test_a_phase_against_the_computer(page: Page, site: str) -> None:
    against(page, site, "random")
    assert set(boards.given(page)) == set()
    boards.touch(page, "classic", "PAR")
    boards.touch(page, "classic", "BUR")
    boards.saved(page)
    page.click("#resolve")
    expect(page.locator("#results-title")).to_be_visible(timeout=COLD)
    expect(page.locator(".results summary").filter(has_text="aléatoire")).to_have_count(6)
    expect(page.locator(".result").filter(has_text="Bourgogne").first).to_be_visible()


@pytest.mark.parametrize("width", [390, 1440])
def test_by_the_keyboard_alone(browser: Browser, site: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.set_default_timeout(PATIENCE)
    boards.new_game(page, site)
    page.locator(".players summary").focus()
    page.keyboard.press("Enter")
    page.locator("[name=mine]").focus()
    for letter in "in":  # “Italie”, “ne bouge pas”: of a second one after a pause the menu thinks anew
        page.keyboard.press(letter)
        page.keyboard.press("Tab")
    page.keyboard.press("Tab")  # past the menu of characters
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_contain_text("Joueurs enregistrés")
    expect(page.locator(".orders .power > summary")).to_have_text("Italie")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


@pytest.mark.long
def test_without_scripts_the_page_goes_on_by_itself(
    browser: Browser, new_data_folder: Callable[[], Path]
) -> None:
    folder = new_data_folder()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    held = folder / "held"
    held.touch()
    with serving(folder) as site:
        page.goto(f"{site.address}/en/p/new/")
        page.select_option(".start [name=mine]", "FRANCE")
        page.select_option(".start [name=player]", "random")
        follow(page.locator("button.big"))
        page.select_option("[name=order-PAR]", "A PAR - BUR")
        page.click("#resolve")
        expect(page.locator("#thinking")).to_contain_text("thinking")
        held.unlink()
        expect(page.locator("#results-title")).to_be_visible()
        expect(page.locator(".result").filter(has_text="Burgundy").first).to_be_visible()
    context.close()


@pytest.mark.long
def test_a_reload_and_a_crash_in_the_middle_lose_nothing(
    browser: Browser, new_data_folder: Callable[[], Path]
) -> None:
    folder = new_data_folder()
    page = browser.new_page(viewport={"width": 1400, "height": 900})  # it may complain of the crash
    page.set_default_timeout(PATIENCE)
    held = folder / "held"
    held.touch()
    with serving(folder) as site:
        against(page, site.address, "random")
        boards.touch(page, "classic", "PAR")
        boards.touch(page, "classic", "BUR")
        boards.saved(page)
        page.click("#resolve")
        expect(page.locator("#thought-words")).to_contain_text(AT_WORK)
        page.reload()
        expect(page.locator("#thought-words")).to_contain_text(AT_WORK)
        path = page.url.removeprefix(site.address)
        page.goto("about:blank")
        site.process.send_signal(signal.SIGKILL)
        site.process.wait()
    assert turns(folder) == 0
    held.unlink()
    with serving(folder) as site:
        page.goto(site.address + path)
        expect(page.locator("#results-title")).to_be_visible()
        expect(page.locator(".result").filter(has_text="Bourgogne").first).to_be_visible()
        assert turns(folder) == 1
    page.close()


def turns(folder: Path) -> int:
    """How many phases the site has played."""
    with closing(sqlite3.connect(folder / "talleyrand.sqlite3")) as base:
        return int(base.execute("SELECT COUNT(*) FROM practice_practiceturn").fetchone()[0])


@pytest.mark.long
def test_one_who_thinks_ahead(page: Page, site: str) -> None:
    against(page, site, "search:easy")
    page.click("#resolve")
    expect(page.locator("#results-title")).to_be_visible(timeout=COLD)
    expect(page.locator(".results summary").filter(has_text="anticipe, niveau facile")).to_have_count(6)
