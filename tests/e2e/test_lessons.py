"""A newcomer goes from the first page to the tenth board, and through the half-hour, by touch alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e import boards
from tests.e2e.conftest import listening
from tests.e2e.steps import came, follow

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 900}
# What is touched on each board; a word that is no province is a chip, in French and in English.
TOUCHES = (
    "BRE ENG",
    "PAR BUR",
    "BUR MUN RUH BUR MUN",
    "BUD VIE VIE",
    "ENG PIC",
    "ANK CON SMY ANK CON SMY",
    "MUN RUH BER MUN",
    "EDI NTH NTH NTH YOR NWY YOR NWY",
    "BUR PAR GAS BRE",
    "BRE Flotte/Fleet MAR Armée/Army",
)


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def touched(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A screen with no mouse and no keyboard."""
    context = browser.new_context(viewport=request.param, has_touch=True, is_mobile=request.param == PHONE)
    yield from listening(context)


def touch(page: Page, place: str) -> None:
    if "/" in place:
        french, english = place.split("/")
        chips = page.locator("#chips button")
        chips.filter(has_text=english if "/en/" in page.url else french).first.tap()
        return
    page.locator("#viewport").scroll_into_view_if_needed()
    page.touchscreen.tap(*boards.on_screen(page, "classic", place))


def give(page: Page, touches: str) -> None:
    boards.ready(page)
    for place in touches.split():
        touch(page, place)


def judge(page: Page) -> None:
    page.locator("#resolve").tap()
    came(page, "#results-title")


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_from_the_first_page_to_the_tenth_board(touched: Page, site: str, language: str) -> None:
    page = touched
    page.goto(site + ("/en/" if language == "en" else "/"))
    page.locator("#learn").tap()
    for number, touches in enumerate(TOUCHES, 1):
        expect(page.locator(".steps a[aria-current]")).to_have_text(str(number))
        give(page, touches)
        judge(page)
        expect(page.locator(".verdict.good")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
        page.locator("#onward").tap()
    expect(page.locator(".contents .solved")).to_have_count(10)
    page.locator("#onward").tap()
    expect(page.locator("h1")).to_contain_text("1901")


@pytest.mark.one_in(2)
def test_a_mistake_is_explained_and_tried_again(touched: Page, site: str) -> None:
    page = touched
    page.goto(site + "/apprendre/3/")
    give(page, "BUR MUN")
    judge(page)
    expect(page.locator(".verdict.not-yet")).to_contain_text("1 contre 1")
    expect(page.locator(".clue")).to_contain_text("l’autre la soutient")
    page.locator("#retry").tap()
    boards.ready(page)
    assert boards.given(page) == {"BUR": "A BUR - MUN"}
    give(page, "RUH BUR MUN")
    judge(page)
    expect(page.locator(".verdict.good")).to_be_visible()


@pytest.mark.one_in(2)
def test_orders_in_preparation_survive_a_reload_and_another_language(touched: Page, site: str) -> None:
    page = touched
    page.goto(site + "/apprendre/5/")
    give(page, "ENG PIC")
    expect(page).to_have_url(f"{site}/apprendre/5/?try=0&sheet=F+Man+-+Pic")
    page.reload()
    boards.ready(page)
    assert boards.given(page) == {"ENG": "F ENG - PIC"}
    page.locator("a[hreflang=en]").tap()
    page.wait_for_url("**/en/learn/5/**")
    boards.ready(page)
    assert boards.given(page) == {"ENG": "F ENG - PIC"}


def test_orders_can_be_written_or_chosen(page: Page, site: str) -> None:
    page.goto(site + "/apprendre/4/")
    boards.ready(page)
    page.click("#tab-sheet")
    page.fill("#sheet", "A Budapest soutient A Vienne")
    page.click("#resolve")
    expect(page.locator(".verdict.good")).to_be_visible()
    follow(page.locator("#onward"))
    boards.ready(page)
    page.click("#tab-list")
    page.select_option("#order-ENG", "F ENG - PIC")
    page.click("#resolve")
    expect(page.locator(".verdict.good")).to_be_visible()


def test_without_scripts(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + "/")
    follow(page.locator("#learn"))
    page.select_option("#order-BRE", "F BRE - MAO")
    follow(page.locator("#resolve"))
    expect(page.locator(".verdict.not-yet")).to_be_visible()
    follow(page.locator("#retry"))
    page.fill("#sheet", "F Bre - Man")
    follow(page.locator("#resolve"))
    expect(page.locator(".verdict.good")).to_be_visible()
    follow(page.locator("#onward"))
    expect(page.locator(".steps .solved")).to_have_count(1)
    context.close()


@pytest.mark.long
def test_the_first_half_hour(touched: Page, site: str) -> None:
    page = touched
    page.goto(site + "/apprendre/demi-heure/")
    for touches in ("PAR BUR MAR SPA BRE MAO", "MAO POR", "BRE Flotte/Fleet MAR Armée/Army", "BRE ENG", ""):
        give(page, touches)
        judge(page)
        expect(page.locator(".guide")).to_be_visible()
        if page.locator(".after").count():
            break
        page.locator("#onward").tap()
    expect(page.locator("section.words")).to_contain_text("La demi-heure est finie")
    page.locator("#onward").tap()
    expect(page.locator("button.big").first).to_be_visible()  # ways to begin on the practice board
