"""A game with five bots in two browsers: they propose, are accepted by one press and answer letters; the end
page tells it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import sites
from tests.e2e.obstacles import AXE, obstacles
from tests.e2e.steps import follow
from tests.e2e.tables import Table, seeded

pytestmark = pytest.mark.browser
COLD = 60_000  # milliseconds: bots begin to think in a process that has to load its code
SEED = """
import json
import django; django.setup()
from talleyrand.web.games.models import Game
from tests.web import cast
from tests.web.games import computing
game = computing.begun(led=False, bots="values:easy")
Game.objects.update(seed="letters 20")
cookies = {one: cast.client_of(one).cookies["sessionid"].value for one in ("Flora", "Edmond")}
print(json.dumps({"key": game.key, "cookies": cookies}))
"""
END = """
import django; django.setup()
from talleyrand.web.games.models import Game
Game.objects.update(state="ended", result={"kind": "draw", "powers": ["FRANCE", "ENGLAND"]})
"""


@pytest.fixture(scope="module")
def played(new_data_folder: Callable[[], Path]) -> Iterator[tuple[Table, Path]]:
    folder = new_data_folder()
    with seeded(folder, SEED) as (site, told):
        yield Table(site, told["key"], told["cookies"]), folder


def wait_for(page: Page, words: str) -> None:
    """Look at a page again until the bots have written."""
    for _ in range(COLD // 500):
        if words in page.locator("main").inner_text():
            return
        page.wait_for_timeout(500)
        page.reload()
    expect(page.locator("main")).to_contain_text(words)


def test_bots_propose_answer_and_are_told_of_at_the_end(browser: Browser, played: tuple[Table, Path]) -> None:
    table, folder = played
    axe = AXE.read_text("utf-8")
    with (
        table.window(browser, "Flora", 390, 844) as flora,
        table.window(browser, "Edmond", 1440, 900) as edmond,
    ):
        flora.goto(table.address("messages/"))
        wait_for(flora, "(bot)")
        follow(flora.locator(".room-list a", has_text="(bot)").first)
        expect(flora.locator(".letter").first).to_contain_text("Un « oui » ou un « non » suffit")
        assert not obstacles(flora, axe)
        follow(flora.locator(".offer button.primary"))
        wait_for(flora, "Vous avez ma parole")
        expect(flora.locator(".offer")).to_have_count(0)
        edmond.goto(table.address("messages/new/", english=True) + "&to=GERMANY")
        edmond.fill("#text", "Dear Germany, shall we have peace until 1903?")
        edmond.keyboard.press("Control+Enter")
        expect(edmond.locator("#text")).to_have_value("")
        wait_for(edmond, "Germany (bot)")
        expect(edmond.locator(".letter").last).to_contain_text(re.compile("Agreed|No:"))
        sites.run(END, folder)
        edmond.goto(table.address("end/", english=True))
        told = edmond.locator(".bot-talk")
        expect(told).to_contain_text("What the bots agreed to and did")
        expect(told).to_contain_text("(bot) and France")
        expect(told.locator(".characters li")).not_to_have_count(0)
        assert not obstacles(edmond, axe)
