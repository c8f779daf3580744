"""From a turn of the practice board to the judgement of every book, as a visitor sees it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.boards import new_game, resolve
from tests.e2e.steps import follow

pytestmark = pytest.mark.browser
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.long
def test_a_turn_is_judged_by_every_book(page: Page, site: str) -> None:
    new_game(page, site)
    page.click("#tab-sheet")
    page.fill("#sheet", "FRANCE\nA Par - Bou\nA Par - Pic")
    expect(page.locator("#saved")).to_contain_text("nregistr")
    resolve(page)
    follow(page.get_by_role("button", name="Résoudre ce tour selon tous les règlements"))
    expect(page.locator("#found")).to_contain_text("résultats différents")
    expect(page.locator(".judgement svg.board").first).to_be_visible()
    row = page.locator(".differences tbody tr").first
    expect(row).to_contain_text("Armée Paris")
    assert page.evaluate(WIDE) == 0


@pytest.mark.parametrize("width", [390, 1440])
def test_without_scripts_an_example_and_its_books(browser: Browser, site: str, width: int) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": width, "height": 850})
    page = context.new_page()
    page.goto(site + "/en/rulebooks/compare/")
    page.select_option("#case", "datc-6-f-18")
    follow(page.get_by_role("button", name="Resolve this example"))
    expect(page.locator("#found")).to_contain_text("different results")
    box = page.locator(".judgement svg.board").first.bounding_box()
    assert box is not None
    assert 150 < box["width"] <= width
    follow(page.locator(".reason").get_by_role("link", name="point by point").first)
    expect(page.get_by_role("heading", level=1)).to_contain_text("point by point")
    expect(page.locator(".points").first.locator("tbody tr").first).to_be_visible()
    context.close()
