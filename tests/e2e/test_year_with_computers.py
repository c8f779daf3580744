"""A year of the 21 states in a browser: three people, eighteen bots, the game master as Secretary-General.

Unless `--full`, its first proposals and movement alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import PATIENCE
from tests.e2e.steps import follow, hand_in
from tests.e2e.tables import Table, seeded

pytestmark = pytest.mark.browser
# The seed of the game makes the bots play the same year each time.
SEED = """
import json
import django; django.setup()
from talleyrand.web.games.models import Game
from talleyrand.web.games.lobby import game_creation, membership_actions
from talleyrand.web.games.lobby.forms import GameForm
from tests.web import cast
new = {"name": "Le monde", "part": "master", "variant": "diplomatie_2000", "bots": "values:normal"}
form = GameForm(new)
assert form.is_valid(), form.errors
plan = form.game_plan({"hours": 48, "early": True})
game = game_creation.create_game(plan, cast.person(cast.MASTER), "")
Game.objects.update(seed="a year with bots")
names = ("Flora", "Edmond", "Gaspard")
for name in names:
    membership_actions.join_game(game, cast.person(name))
everybody = (cast.MASTER, *names)
cookies = {one: cast.client_of(one).cookies["sessionid"].value for one in everybody}
print(json.dumps({"key": game.key, "cookies": cookies, "master": cast.MASTER}))
"""
MASTER = "Maëlle"
STATES = {"UMAR": "Flora", "RUSS": "Edmond", "INDE": "Gaspard"}
SIZES = {"Flora": (390, 844), "Edmond": (1440, 900), "Gaspard": (390, 844), MASTER: (1440, 900)}
ENGLISH = ("Edmond", "Gaspard")
MOST_PHASES = 7  # proposals, movement, retreats, twice, and adjustments


@dataclass
class World:
    """The game, and a window of each person."""

    table: Table
    pages: dict[str, Page] = field(default_factory=dict)
    shots: Path | None = None

    def open(self, name: str, path: str = "") -> Page:
        page = self.pages[name]
        page.goto(self.table.address(path, english=name in ENGLISH))
        return page

    @property
    def number(self) -> int:
        """The phase that is open now."""
        told = self.pages[MASTER].request.get(self.table.address("now.json")).json()
        return int(told["number"])

    def published(self, number: int) -> None:
        """Wait until a phase is published, since everybody is ready; the first thought is the longest."""
        end = monotonic() + 4 * PATIENCE / 1000
        while self.number <= number:
            assert monotonic() < end, f"phase {number} is still open"
            self.pages[MASTER].wait_for_timeout(200)

    def ready(self, name: str) -> None:
        """Hand in what is on the page, as final; nothing where there is nothing to decide."""
        page = self.pages[name]
        final = page.locator("#final")
        if not page.locator("#orders :is(.order-row, .leaflet)").count() or not final.count():
            return
        hand_in(final)

    def look(self, name: str, what: str) -> None:
        """A picture for whoever wants to see it, and nothing that is wider than the screen."""
        page = self.pages[name]
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0, (name, what)
        if self.shots:
            page.screenshot(
                path=self.shots / f"{what}-{name}.png", full_page=bool(os.environ.get("TALLEYRAND_WHOLE"))
            )


@pytest.fixture
def world(browser: Browser, new_data_folder: Callable[[], Path]) -> Iterator[World]:
    with seeded(new_data_folder(), SEED) as (site, told), ExitStack() as windows:
        shots = os.environ.get("TALLEYRAND_SHOTS")
        found = World(Table(site, told["key"], told["cookies"]), shots=Path(shots) if shots else None)
        for name, (width, height) in SIZES.items():
            found.pages[name] = windows.enter_context(found.table.window(browser, name, width, height))
        yield found


@pytest.mark.long
def test_a_year_with_eighteen_bots(world: World, full: bool) -> None:
    begin(world)
    proposed = 0
    for _ in range(MOST_PHASES if full else 2):
        kind = play(world, proposed)
        proposed += kind == "P"
        if kind == "A":
            break
    look_at_the_end(world, "2002" if full else "2001")


def begin(world: World) -> None:
    page = world.open(MASTER, "infos/")
    expect(page.locator("#begin")).to_contain_text("Des bots joueront 18 places")
    page.get_by_text("Attribuer les puissances soi-même").click()
    for state, name in STATES.items():
        page.select_option(f"[name=give-{state}]", label=name)
    world.look(MASTER, "begin")
    follow(page.locator("form:has([name=give-UMAR]) button").last)
    expect(page.locator(".game-head")).to_contain_text("2001")
    page = world.open("Flora", "infos/")
    expect(page.locator("#seats .mark.computer")).to_have_count(18)
    world.look("Flora", "table")
    page = world.open("Edmond", "info/")
    expect(page.locator("#seats .mark.computer").first).to_have_text("bot")
    world.look("Edmond", "table")


def play(world: World, proposed: int) -> str:
    """Everybody does something in the open phase, and is ready; the kind of the phase."""
    number = world.number
    kind = ""
    for name in SIZES:
        page = world.open(name)
        if page.locator("#game-frame").get_attribute("data-number") != str(number):
            break  # nobody had anything to decide
        kind = page.locator("#board").get_attribute("data-kind") or kind
        world.look(name, f"{number}")
        if kind == "P":
            propose(world, name, autumn=proposed > 0)
        elif kind == "M":
            vote(world, name)
        elif kind == "A":
            adjust(page)
        world.look(name, f"{number}-done")
        world.ready(name)
    world.published(number)
    told(world, number, kind, autumn=proposed > (kind == "M"))
    return kind


def answer(page: Page, form: str | re.Pattern[str], given: str = "") -> None:
    """Answer a form of the list by touch, or in its menu where there are many answers: the first one, or a
    certain one."""
    leaflet = page.locator(".leaflet").filter(has=page.locator("summary", has_text=form)).first
    if leaflet.get_attribute("open") is None:
        leaflet.locator("summary").click()
    menu = leaflet.locator("select").first
    if menu.count():
        menu.select_option(given) if given else menu.select_option(index=1)
    else:
        chosen = leaflet.locator(f"label:has(input[value='{given}'])") if given else leaflet.locator("label")
        chosen.first.click() if given else chosen.nth(1).click()


def propose(world: World, name: str, *, autumn: bool) -> None:
    """In French on a phone the mission of a blue helmet, and in autumn confidence in India, of which the
    Secretary-General says how much."""
    page = world.pages[name]
    if name == "Flora":
        answer(page, "Proposition de missions")
        if autumn:
            answer(page, "Proposition politique", "1A INDE 20")
    elif name == "Gaspard" and autumn:
        answer(page, "Economic proposal")
    elif name == MASTER and autumn:
        expect(page.locator(".debate")).to_contain_text("Union indienne")
        answer(page, re.compile("Montant.*Union indienne"), "7")


def vote(world: World, name: str) -> None:
    page = world.pages[name]
    if name == "Flora":
        answer(page, "Vote sur les missions")
    elif name == "Edmond":
        page.locator("#orders select[id^=order-]").first.select_option(index=1)


def adjust(page: Page) -> None:
    """The first build or removal that is due, if any."""
    menus = page.locator("#orders select")
    if menus.count():
        menus.first.select_option(index=1)


def told(world: World, number: int, kind: str, *, autumn: bool) -> None:
    """What a published phase tells everybody."""
    if kind == "P" and autumn:
        page = world.open("Gaspard")
        expect(page.locator(".debate")).to_contain_text("+7")
    elif kind == "M" and autumn:
        page = world.open("Flora", f"{number}/")
        expect(page.locator("main")).to_contain_text("Adopté")
        world.look("Flora", "votes")
        page = world.open("Edmond", f"{number}/")
        expect(page.locator("main")).to_contain_text("Adopted")
        world.look("Edmond", "votes")


def look_at_the_end(world: World, year: str) -> None:
    for name in SIZES:
        page = world.open(name)
        expect(page.locator(".game-head")).to_contain_text(year)
        expect(page.locator("table.counts .mark.computer")).to_have_count(18)
        world.look(name, "end")
