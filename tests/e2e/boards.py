"""What a player does on the board, and what stands there."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from talleyrand import variants
from talleyrand.variants import Variant
from tests.e2e.steps import came, follow

POINT = """async ([x, y]) => {
  const svg = document.querySelector("#viewport svg");
  while (document.querySelector("#viewport.gliding")) await new Promise(requestAnimationFrame);
  const point = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [point.x, point.y];
}"""
# The shape of the map, once the page has the one that fits its window.
SHAPE = """async () => {
  const svg = document.querySelector("#viewport svg");
  const tall = svg.dataset.shapes?.includes("tall") && matchMedia("(max-aspect-ratio: 10/11)").matches;
  const { baseVal } = svg.viewBox;
  while (tall && baseVal.width > baseVal.height) await new Promise(requestAnimationFrame);
  return tall ? "tall" : "";
}"""
UNITS = """() => [...document.querySelectorAll("#layer-units [data-unit]")].map(
  (unit) => [unit.dataset.power, unit.dataset.unit])"""
OWNERS = """() => [...document.querySelectorAll("#layer-owners [data-province]")].map(
  (owner) => [owner.dataset.power, owner.dataset.province])"""


def new_game(page: Page, site: str, variant: str = "classic") -> None:
    """One touch on the page of the practice board for the classic game, its card for another."""
    page.goto(site + "/p/new/")
    one = "button.big" if variant == "classic" else f"form:has(input[value={variant}]):has(select[id]) button"
    follow(page.locator(one).first)
    ready(page)


def ready(page: Page) -> None:
    """When the scripts listen: they show the tabs last."""
    expect(page.get_by_role("tablist")).to_be_visible()


def touch(page: Page, variant: str, province: str) -> None:
    """Press the map where the unit of a province stands or would stand."""
    page.mouse.click(*on_screen(page, variant, province))


def on_screen(page: Page, variant: str, province: str, spot: str = "unit") -> tuple[float, float]:
    anchor = in_shown_shape(page, variant).anchors[province][spot]
    x, y = page.evaluate(POINT, [anchor[0], anchor[1]])
    return x, y


def in_shown_shape(page: Page, name: str) -> Variant:
    """A variant with its map in the shape that fits a page's window, once it is shown."""
    return variants.load_board(name).in_shape(page.evaluate(SHAPE))


def choose(page: Page, words: str) -> None:
    """Press a button of those beside the map, which a touch offers."""
    page.locator("#chips button").filter(has_text=words).first.click()


def told(page: Page, words: str) -> None:
    """The line below the map says so."""
    expect(page.locator("#status")).to_contain_text(words)


def headed(page: Page, title: str) -> None:
    expect(page.locator("h1")).to_have_text(title)


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_contain_text(":")


def resolve(page: Page) -> None:
    page.click("#resolve")
    judged(page)


def judged(page: Page) -> None:
    """When the results have come and their scripts listen: they show the button to print last."""
    came(page, "#results-title")
    expect(page.locator("#print")).to_be_visible()


def onward(page: Page) -> None:
    follow(page.locator("#onward"))
    ready(page)


def units(page: Page) -> dict[str, set[str]]:
    """The units on the map, by power."""
    return _by_power(page.evaluate(UNITS))


def owners(page: Page) -> dict[str, set[str]]:
    """The centres coloured on the map, by power."""
    return _by_power(page.evaluate(OWNERS))


def _by_power(pairs: list[list[str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for power, held in pairs:
        found.setdefault(power, set()).add(held)
    return found


def download(page: Page, text: str) -> str:
    """A file of the section “save as”."""
    with page.expect_download() as waiting:
        page.click(f".exports a:has-text('{text}')")
    return waiting.value.path().read_text("utf-8")


def given(page: Page) -> dict[str, str]:
    """The orders of the list, by province."""
    values: dict[str, str] = json.loads(
        page.evaluate(
            """() => JSON.stringify(Object.fromEntries(
              [...document.querySelectorAll("select[data-province]")]
                .filter((menu) => menu.value).map((menu) => [menu.dataset.province, menu.value])))"""
        )
    )
    return values
