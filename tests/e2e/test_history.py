"""The phases one after the other on the map, what changed since the last look, and the look of the board."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards
from tests.e2e.test_board import SHEET, play

pytestmark = pytest.mark.browser
LAID = "#viewport .laid [data-unit]"


def shown(page: Page) -> set[str]:
    """The units of the phase that is laid over the page's own."""
    return set(page.evaluate(f"[...document.querySelectorAll('{LAID}')].map((unit) => unit.dataset.unit)"))


def two_phases(page: Page, site: str) -> None:
    boards.new_game(page, site)
    play(page, SHEET)
    boards.onward(page)
    expect(page.locator(".laid")).to_have_count(0)


@pytest.mark.long
def test_the_slider_shows_the_phases_in_pictures_and_words(page: Page, site: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    two_phases(page, site)
    own = boards.units(page)
    page.click("#history-before")
    expect(page.locator("#history-title")).to_have_text("Printemps 1901, mouvements")
    expect(page.locator("#history-news li").first).to_be_visible()
    expect(page.locator("#history-news")).to_contain_text("A Munich - Bourgogne : rebond")
    assert "A PAR" in shown(page)
    assert boards.units(page) == own
    boards.touch(page, "classic", "PAR")
    expect(page.locator("#status")).to_contain_text("Vous regardez une autre phase")
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("#history-title")).to_have_text("Automne 1901, mouvements")
    expect(page.locator(".laid")).to_have_count(0)
    page.focus("#history-range")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#history-range")).to_have_attribute("aria-valuetext", "Printemps 1901, mouvements")
    page.click("#history-here")
    expect(page.locator("#history-told")).to_be_hidden()
    boards.touch(page, "classic", "MUN")
    expect(page.locator("#layer-touch .chosen")).to_have_count(1)


def test_units_glide_and_a_touch_ends_it(page: Page, site: str) -> None:
    two_phases(page, site)
    page.click("#history-before")
    expect(page.locator(".laid")).not_to_have_count(0)
    slowly = page.context.new_cdp_session(page)  # a movement of less than a second may pass unseen
    slowly.send("Animation.enable")
    slowly.send("Animation.setPlaybackRate", {"playbackRate": 0.01})
    page.click("#history-after")
    page.wait_for_function(
        "() => document.getAnimations().filter((one) => one.effect.target.closest('.laid')).length > 3"
    )
    page.click("#viewport", position={"x": 5, "y": 5})
    expect(page.locator(".laid")).to_have_count(0)


@pytest.mark.long
def test_who_comes_back_is_told_what_changed(page: Page, browser: Browser, site: str) -> None:
    boards.new_game(page, site)
    context = browser.new_context(reduced_motion="reduce")
    guest = context.new_page()
    guest.goto(page.input_value("#share"))
    expect(guest.locator("#print")).to_be_visible()
    expect(guest.locator("#since")).to_be_hidden()
    play(page, SHEET)
    boards.onward(page)
    guest.goto(page.input_value("#share"))
    since = guest.locator("#since")
    expect(since).to_be_visible()
    expect(since.locator("dt")).to_have_text(["Printemps 1901, mouvements"])
    expect(since).to_contain_text("France – A Paris - Bourgogne : rebond")
    guest.click("#since-close")
    expect(since).to_be_hidden()
    guest.reload()
    expect(guest.locator("#print")).to_be_visible()
    expect(since).to_be_hidden()
    expect(page.locator("#since")).to_be_hidden()
    context.close()


@pytest.mark.long
def test_the_look_is_kept_and_nothing_flashes(page: Page, site: str) -> None:
    boards.new_game(page, site)
    page.click("#look summary")
    page.check("[name=theme][value=night]")
    page.check("[name=palette][value=strong]")
    page.check("[name=patterns]")
    night = page.evaluate("getComputedStyle(document.querySelector('#p-NTH')).fill")
    page.keyboard.press("Escape")
    expect(page.locator("#look summary")).to_be_focused()
    answer = page.goto(page.url)
    assert answer is not None
    assert '<html lang="fr" data-theme="night" data-palette="strong" data-patterns="on">' in answer.text()
    assert page.evaluate("getComputedStyle(document.querySelector('#p-NTH')).fill") == night
    page.goto(site + "/en/learn/1/")
    assert page.get_attribute("html", "data-theme") == "night"


def test_the_table_says_what_the_map_shows(page: Page, site: str) -> None:
    boards.new_game(page, site)
    page.click(".holdings summary")
    row = page.locator(".standing tbody tr").filter(has_text="Paris")
    expect(row).to_contain_text("armée, France")
    boards.touch(page, "classic", "PAR")
    boards.touch(page, "classic", "BUR")
    expect(row.locator("[data-order-of]")).to_have_text("A Paris - Bourgogne")
    row.locator("a").click()
    expect(page.locator("#order-PAR")).to_be_focused()
    page.click("#undo")
    expect(row.locator("[data-order-of]")).to_have_text("")


def test_the_sheet_of_keys(page: Page, site: str) -> None:
    boards.new_game(page, site)
    page.focus("#viewport")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    expect(page.locator("#viewport")).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.press("h")
    expect(page.locator("#status")).to_contain_text("Ordre 1/22 enregistré")
    expect(page.locator("#progress-words")).to_have_text("1 sur 22")
    page.keyboard.press("Control+z")
    expect(page.locator("#status")).to_have_text("Annulé.")
    expect(page.locator("#progress-words")).to_have_text("0 sur 22")
    assert boards.given(page) == {}


def test_the_history_plays_itself_to_the_last_phase(page: Page, site: str) -> None:
    """By a key, and any arrow stops it."""
    page.emulate_media(reduced_motion="reduce")
    two_phases(page, site)
    page.click("#history-before")
    expect(page.locator("#history-title")).to_have_text("Printemps 1901, mouvements")
    page.select_option("#history-speed", "0.5")
    page.focus("#history-play")
    page.keyboard.press("Enter")
    expect(page.locator("#history-play")).to_have_text("Pause")
    page.keyboard.press("Shift+ArrowLeft")
    expect(page.locator("#history-play")).to_have_text("Lire")
    page.select_option("#history-speed", "4")
    page.click("#history-play")
    expect(page.locator("#history-title")).to_have_text("Automne 1901, mouvements")
    expect(page.locator("#history-play")).to_have_text("Lire")
