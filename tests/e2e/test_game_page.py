"""A game on line in two browsers: one orders by finger and hands in, the other sees nothing of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, expect

from tests.e2e import boards, tables
from tests.e2e.tables import Table

pytestmark = [pytest.mark.browser, pytest.mark.long]

# The first answer to a sheet never arrives.
LOSE = r"""() => {
  const real = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await real(...asked);
    if (window.lost || !/\/orders\/GERMANY\/(\?|$)/.test(String(asked[0]))) return answer;
    window.lost = true;
    throw new TypeError("lost");
  };
}"""


@pytest.fixture(scope="module")
def table(new_data_folder: Callable[[], Path]) -> Iterator[Table]:
    with tables.table(new_data_folder(), "Flora", "Gaspard", "Edmond", "Maëlle") as made:
        yield made


def kept(page: Page, number: int) -> None:
    """So many orders have arrived in the draft."""
    expect(page.locator("#progress-words")).to_contain_text(f"{number} sur 3")
    expect(page.locator("#saved")).to_contain_text(":")


def test_orders_by_finger_are_handed_in_and_nobody_else_sees_them(browser: Browser, table: Table) -> None:
    with (
        table.window(browser, "Flora", 390, 844) as flora,
        table.window(browser, "Gaspard", 1400, 900) as gaspard,
    ):
        gaspard.goto(table.address())
        boards.ready(gaspard)
        flora.goto(table.address())
        boards.ready(flora)
        state = flora.locator(".my-powers .words")
        expect(state).to_have_text("pas d’ordres")
        boards.touch(flora, "classic", "PAR")
        boards.touch(flora, "classic", "BUR")
        kept(flora, 1)
        expect(state).to_have_text("brouillon, non envoyé")
        flora.locator("#order-BRE").select_option("F BRE - MAO")
        kept(flora, 2)
        flora.click("#resolve")
        expect(flora.locator("#status")).to_contain_text("Ordres nº\u00a01 reçus")
        expect(flora.locator("#status")).to_contain_text("Armée Marseille")
        expect(state).to_have_text("envoyés")
        expect(flora.locator("#resolve")).to_be_disabled()
        flora.click("#final")
        expect(state).to_have_text("prêt")
        assert flora.locator("#final").get_attribute("aria-pressed") == "true"
        flora.locator("#order-MAR").select_option("A MAR - SPA")
        kept(flora, 3)
        expect(flora.locator("#standing")).to_contain_text("Votre brouillon diffère")
        flora.reload()
        boards.ready(flora)
        expect(flora.locator("#standing")).to_contain_text("Votre brouillon diffère")
        flora.locator("#standing button").click()
        expect(flora.locator("#order-MAR")).to_have_value("")
        unseen(gaspard, table)


def unseen(page: Page, table: Table) -> None:
    """Nothing of France's orders in what another player gets."""
    page.reload()
    boards.ready(page)
    assert page.locator("#layer-orders [data-province]").count() == 0
    for path in ("", "1/scene.json", "1/map.svg", "now.json"):
        text = page.request.get(table.address(path)).text()
        assert "BRE - MAO" not in text
        assert "Par - Bou" not in text
    expect(page.locator("#game-news")).to_be_hidden()


def test_a_sheet_is_sent_again_until_it_is_acknowledged(browser: Browser, table: Table) -> None:
    """The answer is lost on its way: the same sheet goes again, and is one sheet."""
    with table.window(browser, "Gaspard", 1400, 900) as page:
        page.goto(table.address())
        boards.ready(page)
        page.click("#tab-sheet")
        page.fill("#sheet", "A Mun - Ruh\nF Kie - Dan\nA Ber - Kie")
        page.evaluate(LOSE)
        page.click("#resolve")
        expect(page.locator("#status")).to_contain_text("Ordres nº")
        assert page.evaluate("window.lost")
        page.reload()
        expect(page.locator(".receipts li")).to_have_count(1)


def test_orders_told_to_come_back_do_so_by_themselves(browser: Browser, table: Table) -> None:
    """Draft and sheet: with the same body, and the word that their first try was given; the page says so."""
    with table.window(browser, "Gaspard", 390, 844) as page:
        page.goto(table.address())
        boards.ready(page)
        tries: list[tuple[str, str | None]] = []
        said: list[str] = []

        def busy(route: Route) -> None:
            word = route.request.headers.get("x-first-try")
            tries.append((route.request.post_data or "", word))
            if word:
                said.append(page.inner_text("#saved" if "/draft/" in route.request.url else "#status"))
            if word == "second":
                route.continue_()
                return
            told = {"Retry-After": "1", "X-First-Try": "second" if word else "first"}
            route.fulfill(status=503, headers=told, json={"message": "busy"})

        page.route(re.compile("/orders/"), busy)
        page.click("#tab-sheet")
        page.fill("#sheet", "A Mun - Ruh\nF Kie - Hol\nA Ber - Kie")
        expect(page.locator("#saved")).to_contain_text("enregistré à")
        assert [word for _, word in tries] == [None, "first", "second"]
        assert len({body for body, _ in tries}) == 1
        tries.clear()
        page.click("#resolve")
        expect(page.locator("#resolve")).to_have_text("Envoyés")
        assert [word for _, word in tries] == [None, "first", "second"]
        assert len({body for body, _ in tries}) == 1
        assert ["énormément d’ordres" in words for words in said] == [True] * 4
        assert ["dans 1\u202fs" in words for words in said] == [True] * 4


def test_a_change_on_its_way_may_be_handed_in_at_once(browser: Browser, table: Table) -> None:
    """The button never says "handed in" of what has not arrived; the bar tells that final was taken back."""
    with table.window(browser, "Gaspard", 390, 844) as page:
        page.goto(table.address())
        boards.ready(page)
        expect(page.locator("#resolve")).to_be_disabled()
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        page.route(re.compile("/draft/"), hold)
        page.click("#tab-sheet")
        with page.expect_request(re.compile("/draft/")):
            page.fill("#sheet", "A Mun - Bou\nF Kie - Hol\nA Ber - Kie")
        expect(page.locator("#resolve")).to_be_enabled()
        expect(page.locator("#saved")).to_contain_text("Enregistrement")
        expect(page.locator("#resolve")).to_have_text("Envoyer")
        page.click("#resolve")
        held[0].continue_()
        expect(page.locator("#resolve")).to_have_text("Envoyés")
        page.click("#final")
        expect(page.locator("#final")).to_have_attribute("aria-pressed", "true")
        page.click("#final")
        expect(page.locator("#final")).to_have_attribute("aria-pressed", "false")
        expect(page.locator("#saved")).to_have_text("✓ envoyés")


def test_what_is_being_typed_stays_while_the_phase_is_published(browser: Browser, table: Table) -> None:
    with (
        table.window(browser, "Flora", 390, 844) as flora,
        table.window(browser, "Maëlle", 1400, 900) as master,
    ):
        flora.goto(table.address())
        boards.ready(flora)
        flora.click("#tab-sheet")
        flora.fill("#sheet", "A Par - Pic")
        expect(flora.locator("#saved")).to_contain_text(":")
        master.goto(table.address())
        flora.evaluate(
            "document.getElementById('game-frame').dataset.edition = 'another'; document.dispatchEvent("
            "new CustomEvent('talleyrand:changed', {detail: {topic: 'game', version: 2}}))"
        )
        expect(flora.locator("#game-news")).to_be_visible()
        assert flora.input_value("#sheet") == "A Par - Pic"


def test_a_refused_line_is_told_while_one_types_and_when_it_is_sent(browser: Browser, table: Table) -> None:
    """First of all, by its unit and in the bar; a touch leads to it; nothing says that all is well."""
    with table.window(browser, "Edmond", 390, 844) as page:
        page.goto(table.address())
        boards.ready(page)
        page.click("#tab-sheet")
        page.fill("#sheet", "F Lon - NTH\nF Edi - NWG\nA Lvp - Yor\nA Lvp - Berlin")
        line = page.locator("#readings .wrong a.line")
        expect(line).to_have_text("A Lvp - Berlin")
        expect(page.locator("#refused")).to_have_text("✕ 1 ligne refusée")
        page.click("#resolve")
        expect(page.locator("#status")).to_contain_text("Lignes comprises\u00a0: 3 sur 4")
        expect(page.locator("#status")).to_have_class(re.compile("wrong"))
        expect(page.locator("#saved")).to_contain_text("1 ligne refusée")
        page.reload()
        boards.ready(page)
        expect(page.locator("#standing")).to_contain_text("1 ligne refusée")
        expect(page.locator("#resolve")).to_have_text("Envoyés")
        page.click("#tab-list")
        expect(page.locator(".order-row[data-province=LVP] .refused-line")).to_contain_text("A Lvp - Berlin")
        line.click()
        start = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
        assert page.locator("#sheet").evaluate(start) == "A Lvp - Berlin"
        page.fill("#sheet", "F Lon - NTH\nF Edi - NWG\nA Lvp - Yor")
        expect(page.locator("#refused")).to_be_hidden()
        expect(page.locator(".order-row[data-province=LVP] .refused-line")).to_be_hidden()


def test_leaving_with_unsent_orders_is_asked_about(browser: Browser, table: Table) -> None:
    """By a link of the site, where the draft differs from what counts; not once it is sent."""
    asked: list[str] = []
    with table.window(browser, "Flora", 390, 844) as page:

        def leave(dialog: Dialog) -> None:
            asked.append(dialog.type)
            dialog.accept()

        page.on("dialog", leave)
        page.goto(table.address())
        boards.ready(page)
        page.locator("#order-PAR").select_option("A PAR - BUR")
        page.click("#resolve")
        expect(page.locator("#resolve")).to_be_disabled()
        page.locator(".game-tabs a").nth(2).tap()
        page.wait_for_url("**/infos/")
        assert not asked
        page.goto(table.address())
        boards.ready(page)
        page.locator("#order-PAR").select_option("A PAR - PIC")
        expect(page.locator("#standing [data-unsent]")).to_be_visible()
        page.locator(".game-tabs a").nth(2).tap()
        page.wait_for_url("**/infos/")
        assert asked == ["beforeunload"]
        page.locator(".game-tabs a").nth(1).tap()
        page.wait_for_url("**/messages/")
        page.get_by_role("link", name="Allemagne").first.tap()
        page.fill("#text", "Je soutiens")
        page.locator(".game-tabs a").first.tap()
        expect(page.locator("#board")).to_be_visible()
        assert asked == ["beforeunload"] * 2


HANDS_OVER = """
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files }) => {
    if (!window.touched) {
      window.touched = true;
      throw new DOMException("too late", "NotAllowedError");
    }
    window.shared = files.map((file) => `${file.name} ${file.type} ${file.size > 50000}`);
  };
"""


def test_a_picture_goes_to_another_application(browser: Browser, table: Table) -> None:
    """Where the browser can hand it over; if it came too late for the first touch, the next one does."""
    with table.window(browser, "Gaspard", 390, 844) as page:
        page.add_init_script(HANDS_OVER)
        page.goto(table.address())
        boards.ready(page)
        picture = page.locator(".share-phase a").first
        picture.click()
        expect(page.locator(".share-phase [role=status]")).to_contain_text("Touchez encore")
        picture.click()
        page.wait_for_function("window.shared")
        (shared,) = page.evaluate("window.shared")
        assert re.fullmatch(r"\S+S1901M\S*\.png image/png true", shared), shared


def test_a_picture_is_downloaded_elsewhere(browser: Browser, table: Table) -> None:
    with table.window(browser, "Gaspard", 1400, 900) as page:
        page.add_init_script("navigator.canShare = () => false")
        page.goto(table.address())
        boards.ready(page)
        with page.expect_download() as got:
            page.locator(".share-phase a").first.click()
        assert got.value.suggested_filename.endswith(".png")
