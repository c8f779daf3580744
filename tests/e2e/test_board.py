"""The board by keyboard, without scripts, through time, in two windows, shared, saved and read back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards
from tests.e2e.steps import follow

pytestmark = pytest.mark.browser
SHEET = "FRANCE\nA Par-Bou\nF Bre-Man\nALLEMAGNE\nA Mun-Bou\nRUSSIE\nF StP (cs)-Bot\n"


def write(page: Page, text: str) -> None:
    page.click("#tab-sheet")
    page.fill("#sheet", text)


def play(page: Page, text: str = SHEET) -> None:
    write(page, text)
    boards.resolve(page)


def tab_to(page: Page, identity: str, most: int = 80) -> None:
    for _ in range(most):
        if page.evaluate("document.activeElement?.id") == identity:
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the keyboard does not reach #{identity}")


@pytest.mark.long
def test_by_keyboard_alone(page: Page, site: str) -> None:
    page.goto(site + "/p/new/")
    page.locator("body").press("Tab")
    page.keyboard.press("Enter")
    for _ in range(20):
        if page.evaluate("document.activeElement?.className") == "primary big":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    boards.ready(page)
    tab_to(page, "order-PAR")
    for _ in range(40):
        if page.input_value("#order-PAR") == "A PAR - BUR":
            break
        page.keyboard.press("ArrowDown")
    boards.saved(page)
    boards.told(page, "A Paris - Bourgogne")
    tab_to(page, "resolve")
    page.keyboard.press("Enter")
    boards.judged(page)
    tab_to(page, "onward")
    page.keyboard.press("Enter")
    boards.ready(page)
    assert "A BUR" in boards.units(page)["FRANCE"]


def test_without_scripts(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + "/p/new/")
    follow(page.locator("button.big"))
    page.select_option("#order-PAR", "A PAR - BUR")
    page.fill("#sheet", "F Bre-AtM")
    follow(page.locator("#orders button[value=save]"))
    expect(page.locator("#order-PAR")).to_have_value("A PAR - BUR")
    page.select_option("#order-MAR", "A MAR - SPA")
    follow(page.locator("#resolve"))
    expect(page.locator(".result:has-text('A Marseille - Espagne')")).to_contain_text("se déplace")
    expect(page.locator(".result:has-text('A Paris - Bourgogne')")).to_contain_text("se déplace")
    context.close()


@pytest.mark.long
def test_through_the_phases_and_back(page: Page, site: str) -> None:
    boards.new_game(page, site)
    play(page)
    boards.onward(page)
    play(page, "FRANCE\nA Par-Pic\n")
    boards.headed(page, "Automne 1901")
    follow(page.locator("a[rel=prev]"))
    boards.headed(page, "Printemps 1901")
    expect(page.locator(".result:has-text('A Munich')").first).to_contain_text("rebond")
    expect(page.locator("#print")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/2/")
    page.click(".phase-list summary")
    follow(page.locator(".phase-list li:last-child a"))
    expect(page.locator("#orders-title")).to_be_visible()


@pytest.mark.long
def test_taking_a_phase_back(page: Page, site: str) -> None:
    boards.new_game(page, site)
    play(page)
    follow(page.locator("button:has-text('Revenir sur cette phase')"))
    boards.ready(page)
    boards.headed(page, "Printemps 1901")
    assert boards.given(page)["PAR"] == "A PAR - BUR"
    play(page, "FRANCE\nA Par-Pic\n")
    boards.onward(page)
    assert "A PIC" in boards.units(page)["FRANCE"]


def test_a_result_lights_its_unit(page: Page, site: str) -> None:
    boards.new_game(page, site)
    play(page)
    page.hover(".result[data-province=MUN]")
    expect(page.locator("#layer-touch .chosen")).to_have_count(1)
    boards.touch(page, "classic", "STP")
    assert page.evaluate("document.activeElement.dataset.province") == "STP"


def test_a_reload_loses_nothing(page: Page, site: str) -> None:
    boards.new_game(page, site)
    boards.touch(page, "classic", "PAR")
    boards.touch(page, "classic", "BUR")
    boards.saved(page)
    page.reload()
    boards.ready(page)
    assert boards.given(page) == {"PAR": "A PAR - BUR"}
    expect(page.locator("#layer-orders [data-province=PAR]").first).to_be_attached()


@pytest.mark.long
def test_two_windows(page: Page, site: str) -> None:
    boards.new_game(page, site)
    other = page.context.new_page()
    other.goto(page.url)
    boards.ready(other)
    play(page)
    other.click("#resolve")
    expect(other.locator(".messages")).to_contain_text("autre fenêtre")
    boards.headed(other, "Automne 1901")


def test_two_touches_of_resolve_are_one(page: Page, site: str) -> None:
    boards.new_game(page, site)
    write(page, SHEET)
    page.dblclick("#resolve")
    boards.judged(page)
    follow(page.locator("a[rel=next]"))
    expect(page.locator(".phase-list summary")).to_contain_text("2 / 2")


def test_the_sheet_follows_the_map_and_tells_faults(page: Page, site: str) -> None:
    boards.new_game(page, site)
    boards.touch(page, "classic", "PAR")
    boards.touch(page, "classic", "BUR")
    boards.saved(page)
    page.click("#tab-sheet")
    expect(page.locator("#sheet")).to_have_value("FRANCE\nA Par - Bou\n")
    page.fill("#sheet", "FRANCE\nA Par - Lon\nF Kie - Dan")
    expect(page.locator("#readings li.wrong")).to_have_count(2)
    page.click("#tab-list")
    expect(page.locator("#order-PAR")).to_have_value("")


@pytest.mark.long
def test_a_shared_link_is_looked_at_and_copied(page: Page, browser: Browser, site: str) -> None:
    boards.new_game(page, site)
    play(page)
    link = page.input_value("#share")
    page.click("#copy-link")
    boards.told(page, "Lien copié")
    assert page.evaluate("navigator.clipboard.readText()") == link
    context = browser.new_context()
    guest = context.new_page()
    guest.goto(link)
    expect(guest.locator(".setting")).to_contain_text("lecture seule")
    assert "A BUR" not in boards.units(guest).get("FRANCE", set())
    follow(guest.locator("a[rel=prev]"))
    expect(guest.locator("#results-title")).to_be_visible()
    expect(guest.locator("button:has-text('Revenir sur cette phase')")).to_have_count(0)
    follow(guest.locator("button:has-text('Continuer dans une nouvelle partie')"))
    boards.ready(guest)
    assert boards.given(guest)["BRE"] == "F BRE - ENG"
    play(guest, "FRANCE\nA Par-Pic\n")
    page.reload()
    expect(page.locator(".phase-list summary")).to_contain_text("1 / 2")
    context.close()


@pytest.mark.long
@pytest.mark.parametrize("form", ["Texte", "JSON"])
def test_saved_and_read_back(page: Page, site: str, form: str, tmp_path: Path) -> None:
    boards.new_game(page, site)
    play(page)
    boards.onward(page)
    before = boards.units(page)
    file = tmp_path / "game"
    file.write_text(boards.download(page, form), "utf-8")
    page.goto(site + "/p/new/")
    page.set_input_files("#file", file)
    page.click("form:has(#file) button")
    boards.ready(page)
    boards.headed(page, "Automne 1901")
    assert boards.units(page) == before


@pytest.mark.long
def test_pictures_are_saved(page: Page, site: str) -> None:
    """The drawing at once, the picture once it is made: the page that says so is not saved instead."""
    boards.new_game(page, site)
    assert boards.download(page, "SVG").startswith("<svg")
    with page.expect_download() as waiting:
        page.click(".exports a:has-text('PNG')")
    assert waiting.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_position_is_set_up_by_touch(page: Page, site: str) -> None:
    page.goto(site + "/p/position/")
    page.click("#clear-board")
    expect(page.locator("#layer-units [data-unit]")).to_have_count(0)
    page.select_option("#tool-power", "ITALY")
    page.check("[name=tool][data-kind=F]")
    boards.touch(page, "classic", "SPA")
    expect(page.locator("#layer-units [data-unit='F SPA/NC']")).to_have_count(1)
    boards.touch(page, "classic", "SPA")
    expect(page.locator("#layer-units [data-unit='F SPA/SC']")).to_have_count(1)
    page.check("[name=tool][value=centre]")
    boards.touch(page, "classic", "SPA")
    expect(page.locator("#layer-owners [data-province=SPA]")).to_have_count(1)
    boards.touch(page, "classic", "BUR")
    expect(page.locator("#status")).to_contain_text("n’est pas un centre")
    page.select_option("#tool-season", "FM")
    expect(page.locator("#text")).to_have_value(re.compile("F1901M"))
    page.click("#undo-edit")
    expect(page.locator("#text")).to_have_value(re.compile("S1901M"))
    follow(page.locator("button:has-text('Jouer d’ici')"))
    boards.ready(page)
    assert boards.units(page) == {"ITALY": {"F SPA/SC"}}
    assert boards.owners(page) == {"ITALY": {"SPA"}}


def test_games_of_this_browser_are_found_again(page: Page, site: str) -> None:
    boards.new_game(page, site)
    address = page.url
    page.goto(site + "/en/")
    follow(page.locator("#recent-list a"))
    boards.ready(page)
    assert page.url == address.replace(site, site + "/en")
    boards.headed(page, "Spring 1901")


def test_both_languages(page: Page, site: str) -> None:
    boards.new_game(page, site)
    play(page)
    follow(page.locator("a[hreflang=en]"))
    expect(page.locator("#results-title")).to_have_text("Results")
    expect(page.locator(".result[data-province=MUN]")).to_contain_text("Bounced: ")
    follow(page.locator("a[hreflang=fr]"))
    expect(page.locator("#results-title")).to_have_text("Résultats")
