"""One tablet handed round in a real browser: nobody sees anybody else's orders on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import sites
from tests.e2e.test_class import shot, window

pytestmark = [pytest.mark.browser, pytest.mark.long]

NAMES = ("Anna", "Bela", "Carlo")


@pytest.fixture(scope="module")
def site(new_data_folder: Callable[[], Path]) -> Iterator[str]:
    with sites.served(new_data_folder()) as served:
        yield served.address


def lift(page: Page) -> None:
    """Hold the button until the curtain is gone."""
    button = page.locator(".hand-hold")
    button.hover()
    page.mouse.down()
    expect(page.locator("#phone")).to_be_visible()
    page.mouse.up()


def behind_the_curtain(page: Page) -> None:
    expect(page.locator("[data-hand]")).to_be_visible()
    expect(page.locator("#phone, .order-row, .readings")).to_have_count(0)


def test_three_people_and_one_tablet(browser: Browser, site: str) -> None:
    with window(browser, site, 800, 1100) as tablet:
        tablet.goto(f"{site}/tables/one-device/")
        shot(tablet, "device_new")
        tablet.fill("#id_names", "\n".join(NAMES))
        tablet.click("form button.primary")
        for name in NAMES:
            expect(tablet.get_by_role("heading")).to_contain_text(name)
            behind_the_curtain(tablet)
            shot(tablet, f"device_hand_{name}")
            tablet.locator(".hand-hold").click()  # a touch is too short
            behind_the_curtain(tablet)
            lift(tablet)
            shot(tablet, f"device_orders_{name}")
            if name == "Anna":
                tablet.reload()
                behind_the_curtain(tablet)
                lift(tablet)
                tablet.goto(f"{site}/tables/{tablet.url.rstrip('/').rpartition('/')[2]}/hand/")
                tablet.go_back()
                behind_the_curtain(tablet)
                lift(tablet)
            tablet.locator(".device-bar button").click()
        expect(tablet.get_by_role("heading", name="Tous les ordres sont là")).to_be_visible()
        tablet.go_back()
        expect(tablet.locator("#phone")).to_have_count(0)
        tablet.goto(f"{site}/tables/{tablet.url.split('/tables/')[1].split('/')[0]}/hand/")
        shot(tablet, "device_all_in")
        tablet.get_by_role("button", name="Résoudre et montrer").click()
        expect(tablet.locator(".device-bar a")).to_be_visible()
        shot(tablet, "device_result")
        tablet.locator(".device-bar a").click()
        expect(tablet.get_by_role("heading")).to_contain_text("Anna")


def test_by_keyboard_and_in_english(browser: Browser, site: str) -> None:
    with window(browser, site, 390, 844) as phone:
        phone.goto(f"{site}/en/tables/one-device/")
        phone.fill("#id_names", "\n".join(NAMES))
        phone.click("form button.primary")
        phone.locator(".hand-hold").focus()
        shot(phone, "device_hand_en")
        phone.keyboard.press("Enter")
        expect(phone.locator("#phone")).to_be_visible()
        shot(phone, "device_orders_en")
