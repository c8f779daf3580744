"""Intimate Diplomacy in two browsers: the lists, the bids and the first year, by forms and by touch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards
from tests.e2e.tables import Table, seeded
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.long]
SEED = """
import json
import django; django.setup()
from tests.web import cast
from tests.web.games.playing import running
game = running(variant="intimate")
cookies = {side: cast.client_of(name).cookies["sessionid"].value for side, name in cast.DUELLISTS.items()}
print(json.dumps({"key": game.key, "cookies": cookies}))
"""
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def duel(new_data_folder: Callable[[], Path]) -> Iterator[Table]:
    with seeded(new_data_folder(), SEED) as (site, told):
        yield Table(site, told["key"], told["cookies"])


def ready(page: Page) -> None:
    """What is filled in is handed in, and nobody need wait for it."""
    page.locator("#final").click()


def at(page: Page, address: str, *texts: str) -> None:
    """The board, where it says this of its phase."""

    def shown() -> bool:
        page.goto(address)
        boards.ready(page)
        return all(text in page.locator("main").inner_text() for text in texts)

    wait_until(shown, lambda: page.locator("main").inner_text())


def test_a_first_year_in_two_browsers(duel: Table, browser: Browser) -> None:
    french, english = duel.address(), duel.address(english=True)
    with duel.window(browser, "FIRST", 390, 844) as one, duel.window(browser, "SECOND", 1440, 900) as two:
        at(one, french, "choix des puissances d’origine")
        at(two, english, "choice of home powers")
        one.locator(".leaflet select").first.select_option(label="France")
        two.locator(".leaflet select").first.select_option(label="Russia")
        assert one.evaluate(WIDE) <= 0
        ready(one)
        expect(one.locator("#final")).to_have_attribute("aria-pressed", "true")
        ready(two)
        at(one, french, "mises", "Puissances d’origine")
        at(two, english, "bids", "Home powers")
        one.locator(".leaflet select").nth(3).select_option(label="8")
        two.locator(".leaflet select").nth(1).select_option(label="5")
        assert one.evaluate(WIDE) <= 0
        ready(one)
        expect(one.locator("#final")).to_have_attribute("aria-pressed", "true")
        ready(two)
        at(one, french, "mouvements", "Mise du premier camp")
        expect(one.locator("#order-VEN")).to_have_count(1)
        expect(one.locator("#order-LON")).to_have_count(0)
        at(two, english, "movement")
        boards.touch(two, "classic", "LON")
        boards.touch(two, "classic", "NTH")
        expect(two.locator("#order-LON")).to_have_value("F LON - NTH")
        ready(two)
        expect(two.locator("#final")).to_have_attribute("aria-pressed", "true")
        ready(one)
        at(one, french, "Automne 1901")
        ready(one)
        expect(one.locator("#final")).to_have_attribute("aria-pressed", "true")
        at(two, english, "Autumn 1901")
        ready(two)
        at(two, english, "Spring 1902", "bids", "Credits of the year")
