"""A site of its own, as `talleyrand serve` starts it, and the system's Chromium to look at it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.e2e import sites

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A language that the site does not have: pages stay in that of their address.
    "--accept-lang=de",
]
PATIENCE = 40_000  # milliseconds: other tests run on the same machine
expect.set_options(timeout=PATIENCE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever opens a browser is marked so: its loop would run in the thread of other tests for good."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def new_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes data folders whose database has its tables and nothing else: making them takes some seconds."""
    first = tmp_path_factory.mktemp("tables")
    sites.run(sites.MIGRATE, first)
    return lambda: shutil.copytree(first, tmp_path_factory.mktemp("data"), dirs_exist_ok=True)


@pytest.fixture(scope="session")
def site(new_data_folder: Callable[[], Path]) -> Iterator[str]:
    """The address of a site with data of its own, without people or games at first."""
    with sites.served(new_data_folder()) as served:
        yield served.address


@pytest.fixture(scope="session")
def chromium() -> str:
    given = os.environ.get("TALLEYRAND_CHROMIUM", "")
    found = given or next((path for name in NAMES if (path := shutil.which(name))), "")
    if not found or not (shutil.which(found) or Path(found).exists()):
        pytest.fail("Chromium is missing: set TALLEYRAND_CHROMIUM or install it")
    return found


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What starts browsers: one for each process that tests."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright, chromium: str) -> Iterator[Browser]:
    opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    yield opened
    opened.close()


def is_fault(message: ConsoleMessage) -> bool:
    """An error of ours; that the server refused something is shown to the reader too.

    A stream that ended with its session is refused when it asks once more: so it should. So are orders that
    are told to come back, which the page does.
    """
    refused = "status of 400" in message.text
    ended = "status of 404" in message.text and "/events/" in message.location.get("url", "")
    busy = "status of 503" in message.text and "/orders/" in message.location.get("url", "")
    return message.type == "error" and not refused and not ended and not busy


def listening(context: BrowserContext) -> Iterator[Page]:
    """A page of a window, which is closed afterwards; whatever the page complains of fails the test."""
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text) if is_fault(message) else None)
    yield opened
    context.close()
    assert complaints == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A desk's window; whatever the page complains of fails the test."""
    context = browser.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield from listening(context)
