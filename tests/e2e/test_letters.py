"""Letters in two browsers: one arrives while its reader looks, and nothing typed is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import tables
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


@pytest.fixture(scope="module")
def table(new_data_folder: Callable[[], Path]) -> Iterator[Table]:
    with tables.table(new_data_folder(), "Flora", "Gaspard") as made:
        yield made


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
