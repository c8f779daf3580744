"""News in a browser: two tabs share one stream, and each hears what concerns it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from tests.e2e.conftest import PATIENCE
from tests.e2e.newsroom import Reader, Site, open_newsroom
from tests.e2e.steps import follow

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def site(new_data_folder: Callable[[], Path]) -> Iterator[Site]:
    with open_newsroom(new_data_folder()) as found:
        yield found


@pytest.fixture
def reader(site: Site, request: pytest.FixtureRequest) -> Reader:
    """Somebody new, whom nobody has told anything yet."""
    return site.reader(request.node.name)


@pytest.fixture
def context(browser: Browser, site: Site, reader: Reader) -> Iterator[BrowserContext]:
    """A browser in which the reader is signed in."""
    opened = browser.new_context(viewport={"width": 1000, "height": 700})
    opened.set_default_timeout(PATIENCE)
    opened.add_cookies([{"name": "sessionid", "value": reader.session, "url": site.address}])
    yield opened
    opened.close()


class Ear:
    """The streams that the browser has open."""

    def __init__(self, context: BrowserContext) -> None:
        self._open: set[Request] = set()
        context.on("request", self._asked)
        context.on("requestfinished", self._ended)
        context.on("requestfailed", self._ended)

    @property
    def streams(self) -> int:
        """How many are open now; those of a page that was closed are not."""
        return sum(not one.frame.page.is_closed() for one in self._open)

    def _ended(self, request: Request) -> None:
        self._open.discard(request)

    def _asked(self, request: Request) -> None:
        if re.search(r"/events/\?", request.url):
            self._open.add(request)


LISTEN = """() => {
    window.heard = [];
    document.addEventListener("talleyrand:changed", (event) => window.heard.push(event.detail.topic));
}"""


def tab(context: BrowserContext, site: Site) -> Page:
    page = context.new_page()
    page.goto(f"{site.address}/notifications/")
    page.evaluate(LISTEN)
    return page


def heard(page: Page, times: int) -> None:
    page.wait_for_function("(times) => window.heard.length >= times", arg=times)


def test_two_tabs_share_one_stream(context: BrowserContext, site: Site, reader: Reader) -> None:
    ear = Ear(context)
    first = tab(context, site)
    second = tab(context, site)
    site.tell(reader, "1")
    for page in (first, second):
        heard(page, 1)
        expect(page.locator("[data-news-number]")).to_have_text("1")
        expect(page.locator("[data-news-count]")).to_be_visible()
    assert ear.streams == 1
    first.close()  # the tab that heard for both
    site.tell(reader, "2")
    heard(second, 2)
    expect(second.locator("[data-news-number]")).to_have_text("2")
    assert ear.streams == 1


def test_a_page_that_slept_hears_what_it_missed(context: BrowserContext, site: Site, reader: Reader) -> None:
    page = tab(context, site)
    site.stop()
    expect(page.locator("#connection")).to_be_visible()
    with closing(sqlite3.connect(site.folder / "talleyrand.sqlite3", timeout=20)) as database, database:
        database.execute(
            "INSERT INTO notices_topicversion VALUES (?, 7) ON CONFLICT DO UPDATE SET version = 7",
            [f"person:{reader.number}"],
        )
    site.start()
    heard(page, 1)
    expect(page.locator("#connection")).to_be_hidden()


def test_reading_in_one_tab_empties_the_count_of_the_other(
    context: BrowserContext, site: Site, reader: Reader
) -> None:
    site.tell(reader, "1")
    first, second = tab(context, site), tab(context, site)
    expect(second.locator("[data-news-number]")).to_have_text("1")
    follow(first.get_by_role("button", name="Tout marquer comme lu"))
    expect(first.locator(".news-new")).to_have_count(0)
    expect(second.locator("[data-news-count]")).to_be_hidden()


def test_without_streams_it_asks(context: BrowserContext, site: Site, reader: Reader) -> None:
    context.route(re.compile(r"/events/\?"), lambda route: route.fulfill(status=503))
    page = tab(context, site)
    page.wait_for_function("() => true")
    site.tell(reader, "1")
    heard(page, 1)
    expect(page.locator("[data-news-number]")).to_have_text("1")
    expect(page.locator("#connection")).to_be_hidden()


def test_without_script_the_page_reads(browser: Browser, site: Site, reader: Reader) -> None:
    opened = browser.new_context(java_script_enabled=False)
    opened.add_cookies([{"name": "sessionid", "value": reader.session, "url": site.address}])
    site.tell(reader, "1")
    page = opened.new_page()
    page.goto(f"{site.address}/en/notifications/?lang=en")
    expect(page.get_by_role("link", name="Results are in: spring 1901, movement.")).to_be_visible()
    follow(page.get_by_role("button", name="Mark all as read"))
    expect(page.get_by_role("heading", name="Already read")).to_be_visible()
    opened.close()
