"""Letters in two browsers: one arrives while its reader looks, and nothing typed is lost on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards, tables
from tests.e2e.obstacles import AXE, obstacles
from tests.e2e.steps import follow
from tests.e2e.tables import Table

pytestmark = [pytest.mark.browser, pytest.mark.long]

# Letters reach the site, but its answers do not reach the browser until it is `found` again.
LOSE = """() => {
  const real = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await real(...asked);
    if (window.found || asked[1]?.method !== "POST") return answer;
    throw new TypeError("lost");
  };
}"""


OFFLINE = """() => {
  window.real = window.fetch;
  window.fetch = async () => { throw new TypeError("lost"); };
}"""

CHANGED = (
    """() => document.dispatchEvent(new CustomEvent("talleyrand:changed", { detail: { topic: "game:x" } }))"""
)


@pytest.fixture(scope="module")
def table(new_data_folder: Callable[[], Path]) -> Iterator[Table]:
    with tables.table(new_data_folder(), "Flora", "Gaspard", "Théa") as made:
        yield made


@pytest.fixture(scope="module")
def axe() -> str:
    return AXE.read_text("utf-8")


def write(page: Page, text: str) -> None:
    page.fill("#text", text)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#text")).to_have_value("")


def test_letters_arrive_and_none_is_lost(browser: Browser, table: Table) -> None:
    with (
        table.window(browser, "Flora", 390, 844) as flora,
        table.window(browser, "Gaspard", 1400, 900) as gaspard,
    ):
        # the first letter opens the room
        flora.goto(table.address("messages/"))
        follow(flora.get_by_role("link", name="Allemagne"))
        write(flora, "La Bourgogne reste vide ?")
        expect(flora.locator(".letter.own")).to_have_count(1)
        gaspard.goto(table.address("messages/", english=True))
        expect(gaspard.locator(".room-list")).to_contain_text("La Bourgogne reste vide ?")
        follow(gaspard.get_by_role("link", name="France"))

        # what comes is put into the page, and said to who does not see it
        write(gaspard, "It does.")
        expect(flora.locator(".letter")).to_have_count(2)
        expect(flora.locator("#letters-news")).to_contain_text("Allemagne")

        # a draft outlives its page
        flora.fill("#text", "Alors j’ouvre vers la Manche.")
        flora.reload()
        expect(flora.locator("#text")).to_have_value("Alors j’ouvre vers la Manche.")

        # the site has the letter, the browser does not know it: sent again, it is the same
        flora.evaluate(LOSE)
        flora.get_by_role("button", name="Envoyer").click()
        expect(flora.locator("[data-told]")).to_contain_text(
            "Pas encore envoyé\u00a0: le site ne répond pas. Nouvel essai en"
        )
        expect(flora.locator("#text")).to_have_value("Alors j’ouvre vers la Manche.")
        flora.evaluate("window.found = true")
        expect(flora.locator("#text")).to_have_value("")
        expect(gaspard.locator(".letter")).to_have_count(3)
        flora.reload()
        expect(flora.locator("#text")).to_have_value("")
        expect(flora.locator(".letter")).to_have_count(3)


def test_messages_beside_the_map_while_orders_are_given(browser: Browser, table: Table) -> None:
    """A column at a desk: neither orders nor what is typed is lost, and what comes is shown."""
    with (
        table.window(browser, "Gaspard", 1440, 900) as gaspard,
        table.window(browser, "Théa", 1400, 900) as thea,
    ):
        gaspard.goto(table.address())
        boards.ready(gaspard)
        assert gaspard.evaluate(
            "performance.getEntriesByType('resource').every((one) => !/messages/.test(one.name))"
        )
        tab, beside = gaspard.locator("#messages-tab"), gaspard.locator("#beside")
        tab.click()
        beside.get_by_role("link", name="Turquie").click()
        beside.locator("#text").fill("La mer Noire")
        assert gaspard.evaluate("document.documentElement.scrollWidth <= innerWidth")
        gaspard.locator("#order-MUN").select_option("A MUN - BUR")
        expect(gaspard.locator("#progress-words")).to_contain_text("1 sur 3")
        expect(beside.locator("#text")).to_have_value("La mer Noire")
        gaspard.reload()  # open as before, with what was typed, and the keyboard where it was
        expect(beside.locator("#text")).to_have_value("La mer Noire")
        expect(gaspard.locator("#order-MUN")).to_have_value("A MUN - BUR")
        assert gaspard.evaluate("!document.activeElement.closest('#beside')")
        beside.locator("#text").press("Control+Enter")
        expect(beside.locator(".letter.own")).to_have_count(1)

        thea.goto(table.address("messages/"))
        expect(thea.locator("[data-unread]")).to_have_text("à lire 1")
        follow(thea.locator(".room-list a"))
        write(thea, "Elle reste vide.")
        expect(beside.locator(".letter")).to_have_count(2)
        expect(tab.locator("[data-unread]")).to_be_hidden()  # it was seen as it came
        beside.locator("#text").press("Escape")
        expect(beside).to_be_hidden()
        expect(tab).to_be_focused()
        write(thea, "D’accord ?")
        expect(tab.locator("[data-unread]")).to_contain_text("1")  # nobody has looked
        expect(thea.locator(".letter")).to_have_count(3)


def test_a_drawer_on_a_phone(browser: Browser, table: Table, axe: str) -> None:
    with table.window(browser, "Flora", 390, 844) as flora:
        flora.goto(table.address())
        boards.ready(flora)
        flora.locator("#messages-tab").click()
        beside = flora.locator("#beside")
        expect(beside.locator("h2")).to_be_focused()
        assert not obstacles(flora, axe)
        beside.get_by_role("link", name="Russie").click()
        expect(beside.locator("#text")).to_be_visible()
        assert not obstacles(flora, axe)
        flora.evaluate(OFFLINE)
        beside.locator(".room-tabs").get_by_role("link", name="Italie").click()
        expect(beside.get_by_role("alert")).to_contain_text("le site ne répond pas")
        flora.evaluate("() => { window.fetch = window.real; }")
        with flora.expect_response(re.compile("/messages/")) as live:  # what comes stays in the room shown
            flora.evaluate(CHANGED)
        assert "RUSSIA" in live.value.url
        expect(beside.locator(".room-tabs [aria-current]")).to_contain_text("Russie")
        flora.evaluate("() => { window.fetch = async () => new Response('busy', { status: 503 }); }")
        beside.get_by_role("link", name="Réessayer").click()
        expect(beside.locator("[data-part]")).not_to_have_attribute("aria-busy", "true")
        expect(beside.get_by_role("alert")).to_contain_text("le site ne répond pas")
        flora.evaluate("() => { window.fetch = window.real; }")
        beside.get_by_role("link", name="Réessayer").click()
        expect(beside.locator(".room-tabs [aria-current]")).to_contain_text("Italie")
        flora.keyboard.press("Escape")
        expect(beside).to_be_hidden()
        expect(flora.locator("#messages-tab")).to_be_focused()


def test_without_scripts_a_letter_goes_all_the_same(browser: Browser, table: Table) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([{"name": "sessionid", "value": table.cookies["Flora"], "url": table.site}])
    page = context.new_page()
    page.goto(table.address("messages/"))
    follow(page.get_by_role("link", name="Italie"))
    page.fill("#text", "Sans script")
    follow(page.get_by_role("button", name="Envoyer"))
    expect(page.locator(".letter-list")).to_contain_text("Sans script")
    expect(page.get_by_role("status").first).to_contain_text("Message envoyé.")
    context.close()
