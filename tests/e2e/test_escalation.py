"""The first year of Escalation in a browser: a phone and four bots, from the draft to home centres."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import PATIENCE
from tests.e2e.steps import hand_in
from tests.e2e.tables import Table, seeded

pytestmark = pytest.mark.browser
SEED = """
import json
import django; django.setup()
from django.utils import timezone
from talleyrand.web.games.models import Game
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.forms import GameForm
from tests.web import cast
form = GameForm({"name": "Escalade", "part": "master", "variant": "escalation_5", "bots": "random"})
assert form.is_valid(), form.errors
game = game_creation.create_game(form.game_plan({"hours": 48, "early": True}), cast.person(cast.MASTER), "")
Game.objects.update(seed="a year with bots")
flora = cast.person("Flora")
membership_actions.join_game(game, flora)
game = game_start.start_game(Game.objects.get(), timezone.now(), chosen={"PINK": flora.pk})
print(json.dumps({"key": game.key, "cookies": {"Flora": cast.client_of("Flora").cookies["sessionid"].value}}))
"""


def opened(table: Table, page: Page, code: str, after: int = 0) -> int:
    """Wait until a phase of this name is open after another, in which Flora has something to decide."""
    end = monotonic() + 4 * PATIENCE / 1000
    while True:
        page.goto(table.address())
        number = int(page.locator("#game-frame").get_attribute("data-number") or 0)
        kind = page.locator("#board").get_attribute("data-kind") or "?"
        if kind in code and number > after and not page.locator(".barred").count():
            return number
        assert monotonic() < end, f"{kind} {number} is open, not {code} after {after}"
        page.wait_for_timeout(200)


def look(page: Page, what: str) -> None:
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0, what
    if shots := os.environ.get("TALLEYRAND_SHOTS"):
        page.screenshot(path=Path(shots) / f"escalation-{what}.png", full_page=True)


@pytest.mark.long
def test_a_first_year_on_a_phone(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    with seeded(new_data_folder(), SEED) as (site, told):
        table = Table(site, told["key"], told["cookies"])
        with table.window(browser, "Flora", 390, 844) as page:
            number = opened(table, page, "D")
            form = page.locator(".leaflet")
            form.get_by_role("button", name="Sur la carte").first.tap()
            page.locator("#p-SPA").tap()
            expect(form.locator("select").first).to_have_value("SPA")
            for place, menu in enumerate(form.locator("select").all()[1:], 1):
                menu.select_option(index=place * 4)
            look(page, "draft")
            hand_in(page.locator("#resolve"))
            number = opened(table, page, "DA", number)
            while page.locator("#board").get_attribute("data-kind") == "D":
                menu = form.locator("select").first
                if menu.count():
                    menu.select_option(index=1)
                else:
                    form.locator("label").nth(1).tap()
                hand_in(page.locator("#resolve"))
                number = opened(table, page, "DA", number)
            look(page, "units")
            while page.locator("#board").get_attribute("data-kind") != "N":
                hand_in(page.locator("#final"))
                number = opened(table, page, "AMRN", number)
            for place in range(3):
                if form.locator("select").count():
                    form.locator("select").nth(place).select_option(index=place + 1)
                else:
                    form.locator("fieldset").nth(place).locator("label").nth(place + 1).tap()
                expect(page.locator("#standing")).to_contain_text("brouillon")
            expect(page.locator(".leaflet :is(input:checked, option:checked):not([value=''])")).to_have_count(
                3
            )
            look(page, "homes")
            hand_in(page.locator("#final"))
            opened(table, page, "AM", number)  # without builds of one's own, the next year has begun
            page.goto(table.address(f"{number}/"))
            expect(page.locator(".minutes tr").filter(has_text="Rose")).to_contain_text("par le joueur")
