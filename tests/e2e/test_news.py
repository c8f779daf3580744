"""News in a browser: two tabs share one stream, and each hears what concerns it."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from tests.e2e.conftest import PATIENCE, SERVE

pytestmark = pytest.mark.browser
PEOPLE = """
import os, sys
os.environ["TALLEYRAND_DATA"], os.environ["DJANGO_SETTINGS_MODULE"] = sys.argv[1], "talleyrand.web.settings"
import django
django.setup()
from django.contrib.sessions.backends.db import SessionStore
from talleyrand.web.accounts.models import Person
from talleyrand.web.notifications import outbox
if sys.argv[2] == "person":
    person = Person.objects.create_user("Agathe", "un mot de passe assez long")
    session = SessionStore()
    session["_auth_user_id"] = str(person.pk)
    session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
    session["_auth_user_hash"] = person.get_session_auth_hash()
    session.save()
    print(session.session_key)
else:
    person = Person.objects.get(name="Agathe")
    facts = {"game": "La table ronde", "variant": "classic", "phase": "S1901M"}
    outbox.notify([person.pk], "published", facts, about="game:K", path="/parties/K/", once=sys.argv[2])
"""


@dataclass
class Site:
    """A site of its own, which a test may stop and start again under the same address."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-c", SERVE.replace("0,", f"{self.port},", 1), str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().strip().rstrip("/").rpartition(":")[2])

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self.process.communicate()

    def run(self, what: str) -> str:
        command = [sys.executable, "-c", PEOPLE, str(self.folder), what]
        return subprocess.run(
            command, stdout=subprocess.PIPE, text=True, env=environment(), check=True
        ).stdout.strip()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    found = Site(tmp_path)
    found.start()
    yield found
    found.stop()


@pytest.fixture
def context(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """A browser in which Agathe is signed in."""
    opened = browser.new_context(viewport={"width": 1000, "height": 700})
    opened.set_default_timeout(PATIENCE)
    opened.add_cookies([{"name": "sessionid", "value": site.run("person"), "url": site.address}])
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


def test_two_tabs_share_one_stream(context: BrowserContext, site: Site) -> None:
    ear = Ear(context)
    first = tab(context, site)
    second = tab(context, site)
    first.wait_for_timeout(1500)
    assert ear.streams == 1
    site.run("1")
    for page in (first, second):
        heard(page, 1)
        expect(page.locator("[data-news-number]")).to_have_text("1")
        expect(page.locator("[data-news-count]")).to_be_visible()
    assert ear.streams == 1
    first.close()  # the tab that heard for both
    site.run("2")
    heard(second, 2)
    expect(second.locator("[data-news-number]")).to_have_text("2")
    assert ear.streams == 1


def test_a_page_that_slept_hears_what_it_missed(context: BrowserContext, site: Site) -> None:
    page = tab(context, site)
    site.stop()
    expect(page.locator("#connection")).to_be_visible()
    with closing(sqlite3.connect(site.folder / "talleyrand.sqlite3", timeout=20)) as database, database:
        database.execute(
            "INSERT INTO notices_topicversion VALUES ('person:1', 7) ON CONFLICT DO UPDATE SET version = 7"
        )
    site.start()
    heard(page, 1)
    expect(page.locator("#connection")).to_be_hidden()


def test_reading_in_one_tab_empties_the_count_of_the_other(context: BrowserContext, site: Site) -> None:
    site.run("1")
    first, second = tab(context, site), tab(context, site)
    expect(second.locator("[data-news-number]")).to_have_text("1")
    first.get_by_role("button", name="Tout marquer comme lu").click()
    expect(first.locator(".news-new")).to_have_count(0)
    expect(second.locator("[data-news-count]")).to_be_hidden()


def test_without_streams_it_asks(context: BrowserContext, site: Site) -> None:
    context.route(re.compile(r"/events/\?"), lambda route: route.fulfill(status=503))
    page = tab(context, site)
    page.wait_for_function("() => true")
    site.run("1")
    heard(page, 1)
    expect(page.locator("[data-news-number]")).to_have_text("1")
    expect(page.locator("#connection")).to_be_hidden()


def test_without_script_the_page_reads(browser: Browser, site: Site) -> None:
    opened = browser.new_context(java_script_enabled=False)
    opened.add_cookies([{"name": "sessionid", "value": site.run("person"), "url": site.address}])
    site.run("1")
    page = opened.new_page()
    page.goto(f"{site.address}/en/notifications/")
    expect(page.get_by_role("link", name="Results are in: spring 1901, movement.")).to_be_visible()
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_role("heading", name="Already read")).to_be_visible()
    opened.close()
