"""The first page as somebody new meets it, phone first: six taps to a resolved phase, a board that plays."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from talleyrand import variants
from tests.e2e import boards
from tests.e2e.conftest import PATIENCE, listening
from tests.e2e.steps import came, follow

PHONE: ViewportSize = {"width": 390, "height": 844}
MOST_TAPS, MOST_SECONDS = 6, 60
COUNT = """addEventListener("click", () => {
  sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, true)"""
# Two orders of each power that nobody can forbid: where its unit stands, and where it goes.
OPENINGS = {
    "AUSTRIA": (("VIE", "GAL"), ("BUD", "SER")),
    "ENGLAND": (("LON", "NTH"), ("EDI", "NWG")),
    "FRANCE": (("PAR", "BUR"), ("MAR", "SPA")),
    "GERMANY": (("BER", "KIE"), ("MUN", "RUH")),
    "ITALY": (("ROM", "APU"), ("VEN", "PIE")),
    "RUSSIA": (("MOS", "UKR"), ("WAR", "GAL")),
    "TURKEY": (("CON", "BUL"), ("SMY", "CON")),
}


@pytest.fixture(params=["fr-FR", "en-GB"])
def phone(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale=request.param, viewport=PHONE, has_touch=True, is_mobile=True)
    context.add_init_script(COUNT)
    yield from listening(context)


def test_from_the_door_to_the_first_resolved_phase_in_six_taps(phone: Page, site: str) -> None:
    begun = time.monotonic()
    phone.goto(site)
    phone.locator("#play-now").tap()
    boards.ready(phone)
    mine = phone.locator("details.power").get_attribute("data-power")
    for order in OPENINGS[mine or ""]:
        for place in order:
            phone.locator("#viewport").scroll_into_view_if_needed()
            phone.touchscreen.tap(*boards.on_screen(phone, "classic", place))
    expect(phone.locator("#status")).to_contain_text(" 2 ")
    phone.locator("#resolve").tap()
    boards.judged(phone)
    taken = time.monotonic() - begun
    assert int(phone.evaluate("sessionStorage.taps")) <= MOST_TAPS
    assert taken < MOST_SECONDS, taken
    told = set(variants.load("classic").definition.players)
    assert set(boards.units(phone)) == told


@pytest.fixture
def desk(browser: Browser) -> Iterator[Page]:
    yield from listening(browser.new_context(locale="fr-FR", viewport={"width": 1440, "height": 900}))


def test_the_board_plays_and_rests(desk: Page, site: str) -> None:
    desk.goto(site)
    moved = desk.locator(".living-map svg")
    expect(moved).to_be_visible()
    expect(desk.locator(".living-phase")).to_have_text("Printemps 1901, mouvements")
    expect(desk.locator(".living-phase")).to_have_text("Automne 1901, mouvements")
    pause = desk.get_by_role("button", name="Pause")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    assert desk.evaluate("document.querySelector('.living-map').getAnimations({subtree: true}).length") == 0
    pause.click()
    expect(desk.locator(".living-phase")).to_have_text("Hiver 1901, ajustements")


def requests_of(page: Page) -> list[str]:
    """What the page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    return asked


def test_what_nobody_sees_is_not_fetched(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 120})
    for page in listening(context):
        asked = requests_of(page)
        page.goto(site, wait_until="networkidle")
        assert not any("scene.json" in one for one in asked)
        page.locator("#living").scroll_into_view_if_needed()
        expect(page.locator(".living-map svg")).to_be_visible()
        assert any("scene.json" in one for one in asked)


def test_who_wants_no_motion_has_the_picture(browser: Browser, site: str) -> None:
    for page in listening(browser.new_context(reduced_motion="reduce")):
        asked = requests_of(page)
        page.goto(site, wait_until="networkidle")
        expect(page.locator(".living-map img")).to_be_visible()
        expect(page.get_by_role("button", name="Pause")).to_be_hidden()
        assert not any("scene.json" in one for one in asked)


def test_without_scripts_every_door_opens(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(site)
    follow(page.locator("#play-now"))
    follow(page.locator("#resolve"))
    came(page, "#results-title, #thinking")
    page.goto(site)
    follow(page.locator("#learn"))
    assert page.url.endswith("/en/learn/1/")
    page.goto(site)
    page.fill("#friends-name", "The quays")
    follow(page.locator("#play-friends"))
    assert "The+quays" in page.url or "The%2Bquays" in page.url or "The%20quays" in page.url
    context.close()
