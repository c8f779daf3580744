"""The rules in a browser: on a phone, without scripts, by the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser
PAGES = (
    "/reglements/regles/",
    "/reglements/regles/anjou_feu/",
    "/en/rulebooks/rules/anjou_feu/orders/",
    "/reglements/regles/anjou_feu/convoys/",
    "/en/rulebooks/rules/classic_1976/demonstration/5/",
    "/reglements/regles/carte/",
    "/reglements/regles/datc/chercher/?q=convoi",
)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("page", PAGES)
def test_a_phone_shows_the_whole_width(browser: Browser, site: str, page: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=True)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("console", lambda message: faults.append(message.text))
    opened.goto(site + page)
    for closed in opened.locator("details.result-of > summary").all()[:2]:
        closed.click()
    assert opened.evaluate("document.documentElement.scrollWidth") == 390
    assert not faults
    context.close()


def test_a_board_is_solved_and_played_without_scripts_by_the_keyboard(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/en/rulebooks/rules/anjou_feu/paradoxes/")
    board = page.locator("#paradox-AF-A")
    expect(board.get_by_text("support given").first).to_be_hidden()
    board.locator("details.result-of > summary").focus()
    page.keyboard.press("Enter")
    expect(board.get_by_text("support given").first).to_be_visible()
    board.get_by_role("button", name="Play this example").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.locator("#viewport svg")).to_have_count(1)
    assert page.url.startswith(f"{site}/en/p/")
    assert "F Den - Nth" in page.content()
    context.close()
