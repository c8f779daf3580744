"""The six boards of Diplomatie 2000, by touch and by text, and its demonstration, by phone and desk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards
from tests.e2e.conftest import listening
from tests.e2e.steps import follow
from tests.e2e.test_lessons import DESK, PHONE, judge

pytestmark = pytest.mark.browser
NAME = "diplomatie_2000"
START = {"fr": f"/apprendre/{NAME}/", "en": f"/en/learn/{NAME}/"}
# What is touched on the map of each board, and what is chosen on its slips.
TOUCHES = (
    ("SLC MTR HOU SLC MTR", ()),
    ("CAI TRI", ("2 ETUN",)),
    ("", ("1 NONE",)),
    ("", ("AID 1 MEXI",)),
    ("PAN BOG ANT PAN BOG", ("AS VEN",)),  # the north coast is the nearer one
    ("ONE BAR OUR ONE BAR", ()),
)
TEXTS = (
    "A SLC – MTR\nV HOU S A SLC – MTR",
    "F CAI – TRI\n2) ETUN",
    "1) Aucune",
    "Aide : 1 : MEXI",
    "F PAN – BOG(cn)\nV ANT S F PAN – BOG\nAS : VEN",
    "V ONE – BAR\nV OUR S V ONE – BAR",
)


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def touched(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A screen with no mouse and no keyboard."""
    context = browser.new_context(viewport=request.param, has_touch=True, is_mobile=request.param == PHONE)
    yield from listening(context)


def give(page: Page, touches: str) -> None:
    boards.ready(page)
    for place in touches.split():
        page.locator("#viewport").scroll_into_view_if_needed()
        page.touchscreen.tap(*boards.on_screen(page, NAME, place))


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_six_boards_by_touch(touched: Page, site: str, language: str) -> None:
    page = touched
    page.goto(site + START[language])
    page.locator("#onward").tap()
    for number, (touches, chosen) in enumerate(TOUCHES, 1):
        expect(page.locator(".steps a[aria-current]")).to_have_text(str(number))
        give(page, touches)
        for order in chosen:
            page.locator(f'.slip label:has(input[value="{order}"])').tap()
        judge(page)
        expect(page.locator(".verdict.good")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
        page.locator("#onward").tap()
    expect(page.locator(".contents .solved")).to_have_count(6)
    page.locator("#onward").tap()
    expect(page.locator("h1")).to_have_text(
        "Partie de démonstration" if language == "fr" else "Demonstration game"
    )


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def typed(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    yield from listening(browser.new_context(viewport=request.param))


@pytest.mark.long
def test_the_six_boards_by_text(typed: Page, site: str) -> None:
    page = typed
    for number, text in enumerate(TEXTS, 1):
        page.goto(f"{site}{START['fr']}{number}/")
        boards.ready(page)
        page.click("#tab-sheet")
        page.fill("#sheet", text)
        page.click("#resolve")
        expect(page.locator(".verdict.good")).to_be_visible()


def test_a_ballot_without_scripts(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}{START['en']}3/")
    page.check('input[type=radio][value="1 INDE"]')
    follow(page.locator("#resolve"))
    expect(page.locator(".verdict.not-yet")).to_contain_text("had ranked China first")
    follow(page.locator("#retry"))
    expect(page.locator('input[type=radio][value="1 INDE"]')).to_be_checked()
    page.check('input[type=radio][value="1 NONE"]')
    page.click("#resolve")
    expect(page.locator(".verdict.good")).to_be_visible()
    context.close()


@pytest.mark.long
def test_the_demonstration_goes_on_phase_by_phase(typed: Page, site: str) -> None:
    page = typed
    page.goto(f"{site}/variantes/{NAME}/demonstration/1/")
    for number in range(2, 13):
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
        follow(page.locator("a[rel=next]"))
        expect(page).to_have_url(f"{site}/variantes/{NAME}/demonstration/{number}/")
    expect(page.locator("a[rel=next]")).to_have_count(0)
    expect(page.locator("h2#stage")).to_have_text("Hiver 2002, ajustements")
