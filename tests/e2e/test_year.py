"""A year with retreats and adjustments by tap, by keyboard alone, by list alone, on two sizes of screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e import boards
from tests.e2e.conftest import listening
from tests.e2e.steps import follow

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 320, "height": 640}
COMMON: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 900}
START = """phase : S1901M
Positions
France : A Bourgogne, A Tyrol
Allemagne : A Munich, F Kiel, A Berlin
Centres
France : Paris, Brest, Marseille
Allemagne : Munich, Kiel, Berlin
"""
WORDS = {
    "fr": {"hold": "Tenir", "A": "Armée", "F": "Flotte"},
    "en": {"hold": "Hold", "A": "Army", "F": "Fleet"},
}


# Keeps every width that the map has from now on, whatever moves it.
WATCH = """() => {
  const widths = (window.mapWidths = new Set());
  const look = () => {
    widths.add(Math.round(document.querySelector("#viewport svg").getBoundingClientRect().width));
    requestAnimationFrame(look);
  };
  look();
}"""


class Given(NamedTuple):
    """An order: its normal form, the places to touch, and the button that ends it."""

    order: str
    places: tuple[str, ...]
    asked: str = ""


SPRING = (
    Given("A BUR - MUN", ("BUR", "MUN")),
    Given("A TYR S A BUR - MUN", ("TYR", "BUR", "MUN")),
    Given("F KIE - DEN", ("KIE", "DEN")),
    Given("A BER H", ("BER",), "hold"),
)
SUMMER = (Given("A MUN R RUH", ("MUN", "RUH")),)
AUTUMN = (
    Given("A MUN H", ("MUN",), "hold"),
    Given("A TYR - VIE", ("TYR", "VIE")),
    Given("A RUH - BEL", ("RUH", "BEL")),
)
WINTER = (Given("A PAR B", ("PAR",)), Given("F BRE B", ("BRE",), "F"), Given("A MAR B", ("MAR",), "A"))
YEAR = (SPRING, SUMMER, AUTUMN, WINTER)
END = {"FRANCE": {"A MUN", "A VIE", "A PAR", "F BRE", "A MAR"}, "GERMANY": {"F DEN", "A BER", "A BEL"}}
CENTRES = {"FRANCE": {"PAR", "BRE", "MAR", "MUN", "VIE"}, "GERMANY": {"KIE", "BER", "DEN", "BEL"}}


@pytest.fixture(params=[PHONE, COMMON, DESK], ids=["phone", "common", "desk"])
def screen(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    small = request.param != DESK
    context = browser.new_context(viewport=request.param, has_touch=True, is_mobile=small)
    yield from listening(context)


class Tap:
    """With one finger, on the map and the buttons beside it."""

    def __init__(self, page: Page, words: dict[str, str]) -> None:
        self.page = page
        self.words = words

    def give(self, given: Given) -> None:
        for place in given.places:
            self.page.locator("#viewport").scroll_into_view_if_needed()
            self.page.touchscreen.tap(*boards.on_screen(self.page, "classic", place))
        if given.asked:
            self.page.locator("#chips button").filter(has_text=self.words[given.asked]).first.tap()

    def press(self, identity: str) -> None:
        self.page.locator(f"#{identity}").tap()


class Keys:
    """Without any pointer: Tab, arrows, letters, Enter."""

    def __init__(self, page: Page, words: dict[str, str]) -> None:
        self.page = page
        self.words = words

    def give(self, given: Given) -> None:
        self._reach("viewport")
        for _ in range(8):
            if self._at() == given.places[0]:
                break
            self.page.keyboard.press("n")
        self.page.keyboard.press({"hold": "h"}.get(given.asked, "Enter"))
        for place in given.places[1:]:
            self._walk(place)
            self.page.keyboard.press("Enter")
        if given.asked in ("A", "F"):
            chips = self.page.locator("#chips button").all_inner_texts()
            chosen = next(at for at, text in enumerate(chips, 1) if text.startswith(self.words[given.asked]))
            self.page.keyboard.press(str(chosen))

    def press(self, identity: str) -> None:
        self._reach(identity)
        self.page.keyboard.press("Enter")

    def _reach(self, identity: str) -> None:
        for _ in range(80):
            if self.page.evaluate("document.activeElement?.id") == identity:
                return
            self.page.keyboard.press("Tab")
        pytest.fail(f"the keyboard does not reach #{identity}")

    def _at(self) -> str:
        return str(self.page.get_attribute("#viewport", "data-cursor") or "")

    def _walk(self, goal: str) -> None:
        """Arrows towards a place, as one would who sees the map; the other way round where one comes back."""
        seen: set[str] = set()
        spots = boards.in_shown_shape(self.page, "classic").anchors
        for _ in range(16):
            here = self._at()
            if here == goal:
                return
            (x, y), (to_x, to_y) = spots[here]["unit"][:2], spots[goal]["unit"][:2]
            across = "ArrowRight" if to_x > x else "ArrowLeft"
            down = "ArrowDown" if to_y > y else "ArrowUp"
            first, second = (across, down) if abs(to_x - x) > abs(to_y - y) else (down, across)
            self.page.keyboard.press(second if here in seen else first)
            if self._at() == here:
                self.page.keyboard.press(first if here in seen else second)
            seen.add(here)
        pytest.fail(f"the arrows do not reach {goal}")


class Menus:
    """In the list of the orders, without the map."""

    def __init__(self, page: Page, words: dict[str, str]) -> None:
        self.page = page
        self.words = words

    def give(self, given: Given) -> None:
        self.page.select_option(f"#order-{given.places[0]}", given.order)

    def press(self, identity: str) -> None:
        self.page.click(f"#{identity}")


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_year_by_tap(screen: Page, site: str, language: str) -> None:
    a_year(screen, site, language, Tap(screen, WORDS[language]))


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_year_by_keyboard(screen: Page, site: str, language: str) -> None:
    a_year(screen, site, language, Keys(screen, WORDS[language]))


@pytest.mark.long
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_year_by_list(screen: Page, site: str, language: str) -> None:
    a_year(screen, site, language, Menus(screen, WORDS[language]))


def a_year(page: Page, site: str, language: str, hand: Tap | Keys | Menus) -> None:
    begin(page, site, language)
    for sheet in YEAR:
        page.evaluate(WATCH)
        for number, given in enumerate(sheet, 1):
            hand.give(given)
            expect(page.locator("#status")).to_contain_text(f" {number} ")
        assert set(boards.given(page).values()) == {given.order for given in sheet}
        boards.saved(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
        if page.viewport_size == COMMON and isinstance(hand, Tap):
            assert page.evaluate("mapWidths.size") == 1, "the map has never zoomed"
        hand.press("resolve")
        boards.judged(page)
        hand.press("onward")
        boards.ready(page)
    assert boards.units(page) == END
    assert boards.owners(page) == CENTRES


def begin(page: Page, site: str, language: str) -> None:
    page.goto(site + ("/en/p/new/" if language == "en" else "/p/new/"))
    page.fill("#text", START)
    follow(page.locator("form:has(#text) button"))
    boards.ready(page)
