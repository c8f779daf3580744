"""A room with a director at a laptop and players with phones, and what they do through the pages."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.e2e.conftest import PATIENCE, is_fault
from tests.e2e.steps import follow

EXPECTED = re.compile(r"status of 40|ERR_INTERNET_DISCONNECTED")  # what is tried on purpose
PASSWORD = "quelques mots faciles"
LAPTOP, PHONE = {"width": 1366, "height": 768}, {"width": 390, "height": 844}
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


@dataclass
class Window:
    """A browser of somebody in the room; what its pages complain of is kept."""

    page: Page
    site: str
    root: str  # of the tournament
    complaints: list[str] = field(default_factory=list)

    def listen(self) -> Window:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)
        return self

    def _hear(self, message: ConsoleMessage) -> None:
        if is_fault(message) and not EXPECTED.search(message.text):
            self.complaints.append(message.text)

    def open(self, path: str = "") -> Page:
        self.page.goto(self.site + self.root + path)
        return self.page

    def press(self, what: str, **filled: str) -> None:
        """Fill fields of the form whose button is named so (the beginning of it is enough), and press it."""
        button = self.page.locator(f'main button[name=press][value^="{what}"]').first
        form = button.locator("xpath=ancestor::form[1]")
        for name, value in filled.items():
            self._fill(form, name, value)
        self.send(button)

    def _fill(self, form: Locator, name: str, value: str) -> None:
        one = form.locator(f'[name="{name}"]').first
        if one.evaluate("one => one.tagName") == "SELECT":
            one.select_option(value)
        else:
            one.fill(value)

    def send(self, button: Locator) -> None:
        """Press, and wait until the answer is there: a page, or parts of it that a script fetches."""
        if button.locator("xpath=ancestor::form[1][@data-quick]").count():
            button.click()
            expect(self.page.locator("button[aria-busy]")).to_have_count(0)
        else:
            follow(button)

    def text(self, selector: str = "main") -> str:
        return self.page.locator(selector).first.inner_text()


class Room:
    """The windows of a room, and the numbers of its people by their names."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.browser, self.site, self.root = browser, site, ""
        self.windows: list[Window] = []
        self.contexts: list[BrowserContext] = []

    def window(self, size: dict[str, int]) -> Window:
        context = self.browser.new_context(viewport=size, timezone_id="Europe/Paris")  # type: ignore[arg-type]
        self.contexts.append(context)
        made = Window(context.new_page(), self.site, self.root).listen()
        self.windows.append(made)
        return made

    def close(self) -> list[str]:
        for context in self.contexts:
            context.close()
        return [one for window in self.windows for one in window.complaints]


def document(window: Window) -> dict[str, Any]:
    """The event as its file has it: to know who sits where, never to change anything."""
    found: dict[str, Any] = json.loads(_fetched(window, "papiers/fichiers/event/"))
    return found


def figures(window: Window) -> str:
    """Every figure of the standings with its explanation, as the file has it."""
    return _fetched(window, "papiers/fichiers/figures/")


def _fetched(window: Window, path: str) -> str:
    return window.page.request.get(window.site + window.root + path).text()
