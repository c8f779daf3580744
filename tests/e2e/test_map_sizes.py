"""The fitted map is readable: a unit in every province, its letters beside it, on a phone and on a desk."""

from __future__ import annotations

import pytest
from benchmarks import map_sizes
from playwright.sync_api import Browser

from talleyrand import variants


@pytest.mark.one_in(4)
@pytest.mark.parametrize("window", map_sizes.WINDOWS)
@pytest.mark.parametrize("name", ["baltic_ice", "classic", "sandad", "trio"])
def test_every_unit_and_every_name_is_seen(browser: Browser, site: str, name: str, window: str) -> None:
    address = map_sizes.board_address(browser, site, variants.load(name))
    for there in (address, address.replace("/p/", "/en/p/")):
        assert map_sizes.look(browser, window, {}, there).faults(window) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("window", map_sizes.WINDOWS)
@pytest.mark.parametrize("number", [1, 5, 8])
def test_the_boards_to_learn_on_are_lettered_for_themselves(
    browser: Browser, site: str, number: int, window: str
) -> None:
    assert map_sizes.look(browser, window, {}, f"{site}/apprendre/{number}/").faults(window) == []


def test_the_map_follows_the_window_and_what_is_chosen_stays(browser: Browser, site: str) -> None:
    """Turned, the phone shows the wide map; the chosen unit stays so; the true geography is a touch away."""
    address = map_sizes.board_address(browser, site, variants.load("classic"))
    with browser.new_context(**map_sizes.WINDOWS["phone"]) as context:
        page = context.new_page()
        page.goto(address)
        page.locator("[role=tablist]").wait_for()
        page.keyboard.press("Tab")
        page.locator("#viewport").focus()
        page.keyboard.press("n")
        chosen = page.locator("#layer-touch .cursor, #layer-touch .chosen")
        chosen.first.wait_for(state="attached")
        page.set_viewport_size({"width": 844, "height": 390})
        page.locator('#viewport svg[viewBox="0 0 1000 696"]').wait_for()
        assert chosen.count()
        page.set_viewport_size({"width": 390, "height": 844})
        page.locator('#viewport svg[viewBox="0 0 440 564"]').wait_for()
        page.locator("#look summary").click()
        page.locator("#look input[value=true]").check()
        page.locator('#viewport svg[viewBox="0 0 1200 1000"]').wait_for()
        page.reload()
        page.locator('#viewport svg[viewBox="0 0 1200 1000"]').wait_for()
