"""No page puts an obstacle in the way of a screen reader, a keyboard or weak eyes: axe-core finds nothing.

Every page in both languages, on a phone and at a desk, in the three themes with `--full`; else each in one of
these, all of which come up. A new address has to be entered in `pages`, as a page or as none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from talleyrand.web.boards.look import THEMES
from tests.e2e import boards, pages
from tests.e2e.conftest import PATIENCE
from tests.e2e.pages import Game

pytestmark = pytest.mark.browser
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1440, "height": 900}}
LOOK = """async () => {
  for (const folded of document.querySelectorAll("details:not(.phase-list):not(.look)")) folded.open = true;
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map((one) => [one.id, one.help, one.nodes.map((node) => node.target.join(" "))]);
}"""


class Eyes(NamedTuple):
    """Who looks at a page."""

    language: str
    size: str
    theme: str


EVERYBODY = [Eyes(*eyes) for eyes in product(("fr", "en"), SIZES, THEMES)]


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.is_file():
        pytest.fail("axe-core is missing: ./test installs it, or npm ci")
    return AXE.read_text("utf-8")


@pytest.fixture(scope="module")
def games(browser: Browser, site: str) -> Iterator[dict[str, Game]]:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield pages.made(page, site)
    context.close()


@pytest.fixture(scope="module")
def windows(browser: Browser, site: str) -> Iterator[dict[Eyes, Page]]:
    """A window for each reader."""
    contexts = {eyes: _context(browser, site, eyes) for eyes in EVERYBODY}
    yield {eyes: context.new_page() for eyes, context in contexts.items()}
    for context in contexts.values():
        context.close()


def _context(browser: Browser, site: str, eyes: Eyes) -> BrowserContext:
    size: Any = SIZES[eyes.size]
    context = browser.new_context(viewport=size, reduced_motion="reduce", has_touch=eyes.size == "phone")
    context.add_cookies([{"name": "theme", "value": eyes.theme, "url": site}])
    context.set_default_timeout(PATIENCE)
    return context


def obstacles(page: Page, axe: str) -> list[str]:
    """What axe-core finds on the page as it stands, with everything that is folded opened."""
    page.wait_for_load_state("networkidle")
    page.evaluate(axe)
    found = page.evaluate(LOOK)
    return [f"{page.url}: {rule}: {told}: {' | '.join(places[:4])}" for rule, told, places in found]


def test_every_address_is_a_page_or_none(games: dict[str, Game]) -> None:
    visited, passed_by = set(pages.pages(games)), set(pages.others(games))
    assert visited | passed_by == pages.names()
    assert not visited & passed_by


def test_what_is_no_page_is_none(games: dict[str, Game], page: Page, site: str) -> None:
    for name, arguments in pages.others(games).items():
        if name.endswith("pdf"):
            continue  # a minute of work, and tested elsewhere
        answer = page.request.get(site + pages.address(name, arguments, "fr"), max_redirects=0)
        kind = answer.headers.get("content-type", "")
        assert answer.status in (302, 405) or "html" not in kind, name


def test_no_page_has_an_obstacle(
    games: dict[str, Game],
    windows: dict[Eyes, Page],
    axe: str,
    site: str,
    full: bool,
    record_property: Any,
) -> None:
    found: list[str] = []
    visits = list(_visits(games, full))
    for name, arguments, eyes in visits:
        page = windows[eyes]
        page.goto(site + pages.address(name, arguments, eyes.language))
        found += [f"{' '.join(eyes)}: {one}" for one in obstacles(page, axe)]
    record_property("accessibility", f"axe-core: {len(visits)} visits, {len(found)} obstacles")
    assert not found, "\n".join(found)


def _visits(games: dict[str, Game], full: bool) -> Iterator[tuple[str, pages.Arguments, Eyes]]:
    """Every page once, each by the next reader; or by all of them."""
    listed = [(name, one) for name, several in pages.pages(games, full).items() for one in several]
    for turn, (name, arguments) in enumerate(listed):
        # five has no divisor in common with twelve: neighbours differ in all three ways
        for eyes in EVERYBODY if full else [EVERYBODY[turn * 5 % len(EVERYBODY)]]:
            yield name, arguments, eyes


@pytest.mark.parametrize("eyes", EVERYBODY[::5], ids=" ".join)
def test_the_pages_of_errors(windows: dict[Eyes, Page], axe: str, site: str, eyes: Eyes) -> None:
    page, home = windows[eyes], site + pages.address("practice:home", (), eyes.language)
    assert _status(page, f"{home}nothing/") == 404
    found = obstacles(page, axe)
    page.goto(home)
    page.evaluate(
        "document.querySelectorAll('[name=csrfmiddlewaretoken]').forEach((field) => field.value = 'x')"
    )
    page.click("button.big")
    assert page.locator("h1").is_visible()
    found += obstacles(page, axe)
    page.goto(home)
    page.evaluate("document.getElementById('text').value = 'x'.repeat(4500000)")
    page.click("form:has(#text) button")
    page.wait_for_selector("#main > .narrow > h1:first-child")
    found += obstacles(page, axe)
    assert found == []


def _status(page: Page, address: str) -> int:
    answer = page.goto(address)
    assert answer is not None
    return answer.status


def test_while_orders_are_given(
    games: dict[str, Game], windows: dict[Eyes, Page], axe: str, site: str
) -> None:
    """The ring of choices, the sheet and the readings of a line are parts of the page too."""
    for eyes in (Eyes("fr", "phone", "night"), Eyes("en", "desk", "contrast")):
        page = windows[eyes]
        page.goto(site + pages.address("practice:board", (games["fresh"].key,), eyes.language))
        boards.ready(page)
        boards.touch(page, "classic", "PAR")
        found = obstacles(page, axe)
        page.click("#tab-sheet")
        page.fill("#sheet", "FRANCE\nA Par - Lon\nF Bre - Eng")
        page.wait_for_selector("#readings li.wrong")
        found += obstacles(page, axe)
        assert found == []
