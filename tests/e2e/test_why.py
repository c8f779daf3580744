"""Why an order came to what it came to: unfolded on the map, by mouse, by keyboard, without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards
from tests.e2e.steps import follow
from tests.e2e.test_board import play

pytestmark = pytest.mark.browser
CUT = "FRANCE\nA Par-Bou\nA Mar S A Par-Bou\nALLEMAGNE\nA Mun-Bou\nITALIE\nA Ven-Pié\n"
ORDERS = "#viewport #layer-orders"


def arrows(page: Page) -> int:
    """How many orders the map shows."""
    return int(page.locator(f"{ORDERS} > *").count())


def lit(page: Page) -> int:
    return int(page.locator("#viewport #layer-why path.chosen").count())


def map_width(page: Page) -> float:
    """How wide the map is on the screen, also beyond its frame."""
    return float(page.evaluate("document.querySelector('#viewport svg').getBoundingClientRect().width"))


def played(page: Page, site: str) -> None:
    boards.new_game(page, site)
    play(page, CUT)


@pytest.mark.long
def test_step_by_step_on_the_map(page: Page, site: str) -> None:
    played(page, site)
    before, whole = arrows(page), page.inner_html(ORDERS)
    link = page.locator("[data-province=PAR] a.ask")
    link.click()
    panel = page.locator("#why")
    expect(panel).to_be_focused()
    expect(panel.locator("h2")).to_have_text("Pourquoi ? A Paris - Bourgogne")
    steps = panel.locator("ol button")
    expect(steps.first).to_have_attribute("aria-current", "step")
    expect(steps.first).to_contain_text("avec une force de 2")
    assert arrows(page) < before
    assert lit(page) == 2
    first = page.inner_html(ORDERS)
    page.keyboard.press("ArrowRight")
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    assert page.inner_html(ORDERS) != first
    page.keyboard.press("ArrowUp")
    expect(steps.first).to_have_attribute("aria-current", "step")
    page.keyboard.press("End")
    expect(steps.last).to_have_attribute("aria-current", "step")
    expect(steps.last).to_contain_text("l’ordre aurait échoué")
    page.keyboard.press("ArrowRight")
    expect(steps.last).to_have_attribute("aria-current", "step")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(link).to_be_focused()
    assert page.inner_html(ORDERS) == whole
    assert lit(page) == 0
    assert page.url.endswith("/1/")


@pytest.mark.long
def test_another_order_takes_its_place(page: Page, site: str) -> None:
    played(page, site)
    page.locator("[data-province=PAR] a.ask").click()
    expect(page.locator("#why h2")).to_contain_text("Paris")
    page.locator("[data-province=MUN] a.ask").click()
    expect(page.locator("#why h2")).to_contain_text("Munich")
    expect(page.locator("#why")).to_have_count(1)
    page.get_by_role("button", name="Fermer").click()
    expect(page.locator("#why")).to_have_count(0)


@pytest.mark.long
def test_by_keyboard_from_the_line(page: Page, site: str) -> None:
    played(page, site)
    page.focus("[data-province=MUN] a.ask")
    page.keyboard.press("Enter")
    expect(page.locator("#why")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-province=MUN] a.ask")).to_be_focused()


@pytest.mark.long
def test_where_the_steps_do_not_come_the_page_opens(page: Page, site: str) -> None:
    played(page, site)
    page.route("**/steps.json", lambda route: route.fulfill(body="sorry"))
    page.locator("[data-province=PAR] a.ask").click()
    expect(page.locator("#step-1")).to_be_visible()


def test_on_a_phone_the_map_and_the_step_share_the_screen(browser: Browser, site: str) -> None:
    context = browser.new_context(locale="fr-FR", viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    played(page, site)
    whole = map_width(page)
    page.locator("[data-province=PAR] a.ask").tap()
    step = page.locator("#why ol button:visible")
    expect(step).to_have_count(1)
    expect(step).to_be_in_viewport(ratio=1)
    expect(page.locator("#viewport")).to_be_in_viewport(ratio=0.9)
    assert map_width(page) > whole
    page.get_by_role("button", name="Étape suivante").tap()
    expect(page.locator("#why .count")).to_contain_text("2 /")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("button", name="Fermer").tap()
    expect(page.locator("#why")).to_have_count(0)
    assert map_width(page) == pytest.approx(whole)
    context.close()


@pytest.mark.long
def test_without_scripts(browser: Browser, site: str) -> None:
    context = browser.new_context(locale="en-GB", java_script_enabled=False)
    page = context.new_page()
    page.goto(site + "/en/p/new/")
    follow(page.locator("button.big"))
    page.select_option("#order-PAR", "A PAR - BUR")
    page.select_option("#order-MUN", "A MUN - BUR")
    follow(page.locator("#resolve"))
    follow(page.locator("[data-province=PAR] a.ask"))
    expect(page.locator("h1")).to_have_text("Why?")
    steps = page.locator(".chain > li")
    assert steps.count() >= 3
    for number in range(steps.count()):
        expect(steps.nth(number).locator("svg")).to_be_visible()
    expect(steps.last).to_contain_text("The order would have succeeded")
    follow(page.get_by_role("link", name="Back to the board"))
    expect(page.locator("#results-title")).to_be_visible()
    context.close()
