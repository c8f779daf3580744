"""No page puts an obstacle in the way of a screen reader, a keyboard or weak eyes: axe-core finds nothing.

Every page in both languages, on a phone and at a desk, in the three themes with `--full`; else each in one of
these, all of which come up: of the practice board and library one page in four of every kind, of the pages
of games and tournaments one in five and of refused forms one in three, others each commit. A new address is
entered in `pages`, `online` or `rooms`, as a page or as none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from talleyrand.web.boards.board_theme import THEMES
from tests.e2e import boards, online, pages, rooms
from tests.e2e.conftest import PATIENCE
from tests.e2e.obstacles import AXE, obstacles, shortcomings
from tests.e2e.online import Online
from tests.e2e.pages import Game
from tests.e2e.steps import follow

pytestmark = pytest.mark.browser
SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1440, "height": 900}}
SEND = """(form, typed) => {
  for (const [name, value] of Object.entries(typed)) {
    const field = form.elements[name] ?? form.appendChild(document.createElement("input"));
    field.name = name;
    field.value = value;
  }
  HTMLFormElement.prototype.submit.call(form);  // neither the browser nor a script looks at it before
}"""


class Eyes(NamedTuple):
    """Who looks at a page."""

    language: str
    size: str
    theme: str


class Windows(NamedTuple):
    """A window of each size, which all who look through that size share one after the other."""

    pages: dict[str, Page]

    def of(self, eyes: Eyes, site: str) -> Page:
        """The window in which a reader looks at a site, in his theme and his language."""
        page = self.pages[eyes.size]
        chosen = {"theme": eyes.theme, "language": eyes.language}
        page.context.add_cookies([{"name": name, "value": chosen[name], "url": site} for name in chosen])
        return page


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
def scene(new_data_folder: Callable[[], Path]) -> Iterator[Online]:
    with online.online(new_data_folder()) as made:
        yield made


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Iterator[Windows]:
    opened = Windows({size: _window(browser, size) for size in SIZES})
    yield opened
    for page in opened.pages.values():
        page.context.close()


def _window(browser: Browser, name: str) -> Page:
    size: Any = SIZES[name]
    context = browser.new_context(viewport=size, reduced_motion="reduce", has_touch=name == "phone")
    context.set_default_timeout(PATIENCE)
    return context.new_page()


@pytest.mark.long
def test_every_address_is_a_page_or_none(games: dict[str, Game], scene: Online) -> None:
    visited = set(pages.pages(games)) | set(rooms.pages(scene))
    passed_by = set(pages.others(games)) | set(rooms.others(scene))
    assert visited | passed_by == pages.names()
    assert not visited & passed_by


@pytest.mark.long
def test_what_is_no_page_is_none(games: dict[str, Game], scene: Online, page: Page, site: str) -> None:
    for name, arguments in pages.others(games).items():
        nobodys = name == "practice:imported"  # it sends on to the board once the file is read
        _is_none(page, name, site + pages.address(name, arguments, "fr"), 404 if nobodys else 200)
    for name, visit in rooms.others(scene).items():
        scene.sign_in(page.context, visit.who)
        _is_none(page, name, scene.address(name, visit, "fr"), visit.status)


def _is_none(page: Page, name: str, address: str, status: int = 200) -> None:
    if address.endswith(".pdf"):
        return  # a minute of work, and tested elsewhere
    answer = page.request.get(address, max_redirects=0)
    if answer.status == 200:
        assert "html" not in answer.headers.get("content-type", ""), name
    assert answer.status in (202, 302, 405, status), name  # 202: a picture that is being made


@pytest.mark.long
def test_no_page_has_an_obstacle(
    games: dict[str, Game],
    windows: Windows,
    axe: str,
    site: str,
    full: bool,
    draw: str,
    record_property: Any,
) -> None:
    found: list[str] = []
    visits = list(_visits(games, full, draw))
    for name, arguments, eyes in visits:
        page = windows.of(eyes, site)
        _status(page, site + pages.address(name, arguments, eyes.language))
        found += [f"{' '.join(eyes)}: {one}" for one in obstacles(page, axe)]
    record_property("accessibility", f"axe-core: {len(visits)} visits, {len(found)} obstacles")
    assert not found, "\n".join(found)


def _visits(games: dict[str, Game], full: bool, draw: str) -> Iterator[tuple[str, pages.Arguments, Eyes]]:
    """Some of every kind of page, each by the next reader; or every page by all of them."""
    kinds = pages.pages(games, full)
    if not full:
        kinds = {
            name: Random(f"{draw} {name}").sample(several, ceil(len(several) / 4))
            for name, several in kinds.items()
        }
    listed = [(name, one) for name, several in kinds.items() for one in several]
    for turn, (name, arguments) in enumerate(listed):
        for eyes in _readers(turn, full):
            yield name, arguments, eyes


def _readers(turn: int, full: bool) -> list[Eyes]:
    # five has no divisor in common with twelve: neighbours differ in all three ways
    return EVERYBODY if full else [EVERYBODY[turn * 5 % len(EVERYBODY)]]


@pytest.mark.long
def test_no_page_on_line_has_an_obstacle(
    scene: Online, windows: Windows, axe: str, full: bool, draw: str, record_property: Any
) -> None:
    """Each as those see it for whom it is."""
    found, visits = [], 0
    every = [(name, one) for name, several in rooms.pages(scene, full).items() for one in several]
    listed = every if full else Random(f"{draw} pages").sample(every, len(every) // 5)
    for turn, (name, visit) in enumerate(listed):
        for eyes in _readers(turn, full):
            page = _opened(scene, windows, name, visit, eyes)
            found += [f"{visit.who} {' '.join(eyes)}: {one}" for one in _all_of(page, axe)]
            visits += 1
    record_property(
        "accessibility on line", f"axe-core on line: {visits} visits of {len(every)}, {len(found)} obstacles"
    )
    assert not found, "\n".join(found)


def _opened(scene: Online, windows: Windows, name: str, visit: online.Visit, eyes: Eyes) -> Page:
    page, address = windows.of(eyes, scene.site), scene.address(name, visit, eyes.language)
    scene.sign_in(page.context, visit.who)
    assert _status(page, address) == visit.status, f"{name}, {visit}"
    assert page.url == address or visit.moves, f"{name}, {visit}"
    return page


def _all_of(page: Page, axe: str) -> list[str]:
    return obstacles(page, axe) + shortcomings(page)


@pytest.mark.long
def test_refused_forms_have_no_obstacle(
    scene: Online, windows: Windows, axe: str, full: bool, draw: str
) -> None:
    """A form comes back with the reason, and that too is read by everybody."""
    found: list[str] = []
    every = list(online.refusals(scene))
    for turn, refusal in enumerate(every if full else Random(f"{draw} forms").sample(every, len(every) // 3)):
        page = _opened(scene, windows, refusal.name, refusal.visit, EVERYBODY[turn % 6])
        with page.expect_navigation():
            page.locator(refusal.form).first.evaluate(SEND, dict(refusal.typed))
        if not page.locator(refusal.told).first.is_visible():
            found.append(str(refusal))
        found += _all_of(page, axe)
    assert found == []


def test_the_eyes_are_open(page: Page, axe: str) -> None:
    """What the other tests look for is found where it stands."""
    page.set_content(
        "<html lang='fr'><title>Talleyrand</title><h1>Un</h1><h1>Deux</h1><img src=''>"
        "<p style='width: 500px'>The orders have been received</p>"
    )
    told = "\n".join(_all_of(page, axe))
    looked_for = ("image-alt", "2 main headings", "508 wide", "English: The orders")
    assert [one for one in looked_for if one not in told] == [], told


@pytest.mark.one_in(3)
@pytest.mark.parametrize("eyes", EVERYBODY[::5], ids=" ".join)
def test_the_pages_of_errors(windows: Windows, axe: str, site: str, eyes: Eyes) -> None:
    page, home = windows.of(eyes, site), site + pages.address("home:page", (), eyes.language)
    assert _status(page, f"{home}nothing/") == 404
    found = obstacles(page, axe)
    page.goto(home)
    page.evaluate(
        "document.querySelectorAll('[name=csrfmiddlewaretoken]').forEach((field) => field.value = 'x')"
    )
    follow(page.locator("button.big"))
    assert page.locator("h1").is_visible()
    found += obstacles(page, axe)
    page.goto(site + pages.address("practice:new", (), eyes.language))
    page.evaluate("document.getElementById('text').value = 'x'.repeat(4500000)")
    follow(page.locator("form:has(#text) button"))
    assert page.locator("#main > .narrow > h1:first-child").is_visible()
    found += obstacles(page, axe)
    assert found == []


def _status(page: Page, address: str) -> int:
    """What a page is answered with, once it no longer asks again by itself because it is being made."""
    answer = page.goto(address)
    while answer is not None and answer.status == 202:
        with page.expect_navigation() as again:
            pass
        answer = again.value
    assert answer is not None
    return answer.status


@pytest.mark.long
def test_while_orders_are_given(games: dict[str, Game], windows: Windows, axe: str, site: str) -> None:
    """The ring of choices, the sheet and the readings of a line are parts of the page too."""
    for eyes in (Eyes("fr", "phone", "night"), Eyes("en", "desk", "contrast")):
        page = windows.of(eyes, site)
        page.goto(site + pages.address("practice:board", (games["fresh"].key,), eyes.language))
        boards.ready(page)
        boards.touch(page, "classic", "PAR")
        found = obstacles(page, axe)
        page.click("#tab-sheet")
        page.fill("#sheet", "FRANCE\nA Par - Lon\nF Bre - Eng")
        page.wait_for_selector("#readings li.wrong")
        found += obstacles(page, axe)
        assert found == []
