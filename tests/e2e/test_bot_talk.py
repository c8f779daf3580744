"""Three years against six bots that talk: two agreements are kept, a treacherous bot breaks the third."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import boards
from tests.e2e.steps import follow

pytestmark = [pytest.mark.browser, pytest.mark.long]
COLD = 180_000  # milliseconds: the first thought compiles its code, on a machine that runs other tests
# The seed and the characters make the bots play the same three years each time.
CHARACTERS = {"ENGLAND": "loyal", "ITALY": "wary", "GERMANY": "treacherous"}
RECORD = {
    "talleyrand": 1,
    "variant": "classic",
    "rulebook": "datc",
    "seed": "talk 3",
    "phases": [],
    "bots": dict.fromkeys(("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY"), "values:normal"),
    "talk": {"characters": CHARACTERS},
}
WEST = {"Spring 1901": ("MAR - SPA", "PAR - GAS", "BRE - MAO"), "Autumn 1901": ("SPA - POR", "GAS - SPA")}


def begin(page: Page, site: str) -> None:
    page.goto(f"{site}/en/p/new/")
    page.fill("#text", json.dumps(RECORD))
    follow(page.locator("button", has_text="Load"))
    boards.ready(page)


def say(page: Page, to: str, text: str) -> None:
    """Speak to a bot, which agrees."""
    page.select_option("#talk-form [name=to]", to)
    page.fill("#talk-text", text)
    follow(page.locator("#say"))
    expect(page.locator("ol .theirs").last).to_contain_text("Agreed")


def resolve(page: Page, board: str) -> None:
    """Play the phase, and those in which bots alone decide; the board shows where the game is then."""
    page.click("#resolve")
    expect(page.locator("#results-title")).to_be_visible(timeout=COLD)
    page.goto(board)
    boards.ready(page)


def test_three_years_with_two_agreements_kept_and_one_broken(page: Page, site: str) -> None:
    begin(page, site)
    board = page.url
    page.select_option("#talk-form [name=to]", "ENGLAND")
    page.select_option("#talk-form [name=kind]", "demilitarised")
    page.select_option("#talk-form [name=province]", "ENG")
    page.select_option("#talk-form [name=years]", "3")
    follow(page.locator("#propose"))
    expect(page.locator("ol .theirs").last).to_contain_text("we leave the English Channel empty")
    say(page, "ITALY", "Peace until 1903?")
    expect(page.locator("ol .theirs").last).to_contain_text("until the end of 1901")  # wary
    say(page, "GERMANY", "Peace until 1903?")
    page.fill("#talk-text", "What a lovely day")
    follow(page.locator("#say"))
    expect(page.locator("ol .theirs").last).to_contain_text("I am a bot")
    for season in ("Spring 1901", "Autumn 1901"):
        boards.headed(page, season)
        for goes in WEST[season]:
            for place in goes.split(" - "):
                boards.touch(page, "classic", place)
        boards.saved(page)
        resolve(page, board)
    while "1904" not in page.locator("h1").inner_text():
        resolve(page, board)
    told = page.locator("#talk .agreements")
    expect(told.locator(".kept")).to_have_count(2)
    expect(told.locator(".broken")).to_have_count(1)
    expect(told.locator(".broken")).to_contain_text("Germany, A ")
    expect(page.locator("#talk .characters")).to_have_count(0)  # told when the game is over
