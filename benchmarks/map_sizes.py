"""How large and how free the maps are: python -m benchmarks.map_sizes [--write] [VARIANT …].

Every variant with a unit in each province, on the site's own pages in a real Chromium: a phone of 390 by 844
and a desk of 1440 by 900, every shape of the map, both languages, all themes; then every board to learn on.
In pixels of the page: the smallest unit, the smallest letters, and the provinces whose letters are missing,
lie under a unit or on others, or are cut. The world is bound in the view of each of its regions, where what
lies beyond may be cut; it as a whole, and shapes that do not fit the window, are measured without a bound.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from talleyrand import variants
from talleyrand.engine.board import Mobility
from talleyrand.variants import Variant

from .page_speed import FLAGS, chromium_file, serving

RESULT = Path(__file__).parent / "results" / "map_sizes.txt"
PHONE = (
    "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36"
)
WINDOWS: dict[str, dict[str, Any]] = {
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "user_agent": PHONE,
    },
    "desk": {"viewport": {"width": 1440, "height": 900}},
}
LANGUAGES, THEMES = ("fr", "en"), ("paper", "night", "contrast")
FITTED, WORLD = "fitted", "diplomatie_2000"
LEAST_UNIT, LEAST_LETTERS = 14.0, {"phone": 9.0, "desk": 10.0}
LESSONS = 10
PATIENCE = 120_000  # milliseconds: a position of the whole world is read for a while
# Not `wait_for_function`, which pages whose scripts may not be made of text refuse.
REST = """async () => {
  await document.fonts.ready;
  const moves = () => document.querySelector("#viewport .sheet")?.getAnimations().length !== 0
    || document.querySelector("#viewport.gliding, #viewport svg.board:not([data-names])");
  while (moves()) await new Promise(requestAnimationFrame);
}"""
MEASURE = (Path(__file__).parent / "map_sizes.js").read_text("utf-8")


@dataclass(frozen=True)
class Sizes:
    """What was measured of one map: sizes in pixels, provinces by what is wrong with their letters."""

    unit: tuple[float, float]
    letters: float
    bare: list[str]
    under: list[str]
    over: list[str]
    cut: list[str]

    def faults(self, window: str) -> list[str]:
        """What is not as it should be on a fitted map."""
        found = [f"{what} {' '.join(some)}" for what, some in self._wrong() if some]
        if min(self.unit) and self.unit[0] < LEAST_UNIT:
            found.append(f"units under {LEAST_UNIT:g} px")
        if self.letters < LEAST_LETTERS[window] - 0.05:
            found.append(f"letters under {LEAST_LETTERS[window]:g} px")
        return found

    def _wrong(self) -> Iterator[tuple[str, list[str]]]:
        yield "without letters:", self.bare
        yield "under a unit:", self.under
        yield "on one another:", self.over
        yield "cut:", self.cut


def measured(page: Page) -> Sizes:
    """The sizes of the map that a page shows, once it rests."""
    page.evaluate(REST)
    return Sizes(**page.evaluate(MEASURE))


def full_board(variant: Variant) -> str:
    """A position with a unit in every province, as the site imports it."""
    board = variant.board
    by_mobility = {kind.mobility: letter for letter, kind in reversed(list(board.kinds.items()))}
    army, fleet = by_mobility[Mobility.LAND], by_mobility[Mobility.SEA]
    units = [f"{fleet if board.is_sea(code) else army} {code}" for code in board.provinces]
    start = variant.definition.start
    held = {power: sorted(codes) for power, codes in (start.centres or {}).items()}
    moving = next(season for season in variant.definition.calendar.cycle if season.endswith("M"))
    phase = start.phase if start.phase.kind == "M" else f"{moving[0]}{start.phase.year + 1}M"
    position = {"phase": str(phase), "units": {board.powers[0]: units}, "centres": held}
    return json.dumps({"variant": variant.name, **position})


def board_address(browser: Browser, site: str, variant: Variant) -> str:
    """The practice board of that position."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{site}/p/position/?variant={variant.name}")
    page.fill("#text", full_board(variant))
    with page.expect_navigation():
        page.locator("form:has(#text) button.primary").click()
    address = page.url
    page.close()
    return address


def look(browser: Browser, window: str, cookies: dict[str, str], address: str, region: str = "") -> Sizes:
    """The sizes of one map in a window of its own, whole or in the view of a region."""
    with browser.new_context(**WINDOWS[window]) as context:
        site = "/".join(address.split("/")[:3])
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies.items()])
        page = context.new_page()
        page.goto(address)
        if region:
            page.locator("#find-region").select_option(label=region)
        return measured(page)


def main() -> int:
    """Measure, print, and say whether every bound is held."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.map_sizes")
    parser.add_argument("--write", action="store_true", help="also write the table into results")
    parser.add_argument("--chromium", default=os.environ.get("TALLEYRAND_CHROMIUM", ""))
    parser.add_argument("variants", nargs="*", default=variants.playable_names())
    wanted = parser.parse_args()
    rows: list[str] = []
    missed = 0
    with serving() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_file(parser, wanted.chromium), args=FLAGS
        )
        for row, faults in rows_of(browser, site, wanted.variants):
            missed += bool(faults)
            rows.append(row)
            print(row, flush=True)
        browser.close()
    rows.append(
        f"\n{missed} of {len(rows)} maps do not hold the bounds" if missed else "\nevery bound is held"
    )
    print(rows[-1])
    if wanted.write:
        RESULT.write_text("\n".join([HEAD, *rows]) + "\n", "utf-8")
    return int(missed > 0)


HEAD = """\
Maps, in pixels of the page: the smallest unit, the smallest letters, then what is wrong
(python -m benchmarks.map_sizes)
"""


def rows_of(browser: Browser, site: str, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """A row for each map, and its faults."""
    for name in names:
        variant = variants.load(name)
        address = board_address(browser, site, variant)
        shapes = ("wide", *variant.shapes) if variant.shapes else ()
        looks = (
            *product(WINDOWS, (FITTED,), LANGUAGES, THEMES),
            *product(WINDOWS, shapes, LANGUAGES[:1], THEMES[:1]),
        )
        for window, shape, language, theme in looks:
            there = address.replace("/p/", "/en/p/") if language == "en" else address
            sizes = look(browser, window, {"shape": shape, "theme": theme}, there)
            bound = shape == FITTED and name != WORLD
            yield (
                row_of((name, window, shape, language, theme), sizes, bound=bound),
                sizes.faults(window) if bound else [],
            )
        for window, region, language in product(WINDOWS, variant.seen_regions, LANGUAGES):
            there = address.replace("/p/", "/en/p/") if language == "en" else address
            sizes = look(browser, window, {}, there, variant.names(language).regions[region])
            sizes = replace(sizes, cut=[code for code in sizes.cut if code in variant.seen_regions[region]])
            said = (variant.names(LANGUAGES[0]).regions[region], window, FITTED, language, THEMES[0])
            yield row_of(said, sizes, bound=True), sizes.faults(window)
    for number, window, language in product(range(1, LESSONS + 1), WINDOWS, LANGUAGES):
        there = f"{site}/{'en/learn' if language == 'en' else 'apprendre'}/{number}/"
        sizes = look(browser, window, {}, there)
        yield (
            row_of((f"lesson {number}", window, FITTED, language, "paper"), sizes, bound=True),
            sizes.faults(window),
        )


def row_of(said: tuple[str, ...], sizes: Sizes, *, bound: bool) -> str:
    """A line of the table."""
    wide, high = sizes.unit
    wrong = "; ".join(sizes.faults(said[1])) or "–"
    head = f"{said[0]:<16}{said[1]:<7}{said[2]:<8}{said[3]:<4}{said[4]:<10}"
    return f"{head}{wide:5.1f} x{high:5.1f}{sizes.letters:6.1f}   {'' if bound else '(no bound) '}{wrong}"


if __name__ == "__main__":
    sys.exit(main())
