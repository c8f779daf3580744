"""Takes the pictures of the board in docs/images/board: python -m benchmarks.board_pictures [PICTURE …].

Four phases on the practice board of a site of its own, in a real Chromium: phone, tablet, desk, all themes,
both languages, fitted and zoomed. `docs/*/explanation/board.md` says what each has changed.
"""

from __future__ import annotations

import argparse
import json
import os
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from .map_sizes import WINDOWS
from .page_speed import FLAGS, chromium_file, serving

FOLDER = Path(__file__).parent.parent / "docs" / "images" / "board"
QUALITY = 62
PLACES = {**WINDOWS, "tablet": {**WINDOWS["phone"], "viewport": {"width": 820, "height": 1180}}}
CROWD = {
    "AUSTRIA": ["A SER", "A BUD", "A TRI", "A RUM", "F GRE"],
    "ENGLAND": ["F NTH", "F NWY", "A BEL", "F ENG", "A EDI"],
    "FRANCE": ["A BUR", "A PAR", "A MAR", "F SPA/SC", "F MAO"],
    "GERMANY": ["A MUN", "A RUH", "A HOL", "A BER", "F DEN"],
    "ITALY": ["A VEN", "A TYR", "A ROM", "F ION", "F TUN"],
    "RUSSIA": ["A WAR", "A GAL", "A MOS", "F SEV", "F SWE"],
    "TURKEY": ["A BUL", "A CON", "A ARM", "F BLA"],
}
CENTRES = {
    "AUSTRIA": ["VIE", "BUD", "TRI", "SER", "GRE", "RUM"],
    "ENGLAND": ["LON", "EDI", "LVP", "NWY", "BEL"],
    "FRANCE": ["PAR", "MAR", "BRE", "SPA", "POR"],
    "GERMANY": ["MUN", "BER", "KIE", "HOL", "DEN"],
    "ITALY": ["VEN", "ROM", "NAP", "TUN"],
    "RUSSIA": ["WAR", "MOS", "SEV", "STP", "SWE"],
    "TURKEY": ["CON", "ANK", "SMY", "BUL"],
}
DISLODGED = {
    "GERMANY": [{"unit": "A MUN", "by": "BUR", "retreats": ["KIE", "SIL", "BOH"]}],
    "TURKEY": [{"unit": "A BUL", "by": "SER", "retreats": ["CON"]}],
}
AFTER = {
    **CROWD,
    "FRANCE": ["A MUN", *CROWD["FRANCE"][1:]],
    "AUSTRIA": ["A BUL", *CROWD["AUSTRIA"][1:]],
    "GERMANY": CROWD["GERMANY"][1:],
    "TURKEY": CROWD["TURKEY"][1:],
}
OPENING = (
    "A PAR - BUR",
    "A MAR - SPA",
    "F BRE - MAO",
    "A MUN - RUH",
    "F KIE - DEN",
    "A VEN H",
    "A VIE - GAL",
)
ATTACK = (
    *("A BUR - MUN", "A TYR S A BUR - MUN", "A SER - BUL", "A RUM S A SER - BUL", "A HOL - BEL"),
    *("A RUH S A HOL - BEL", "F ENG S A BEL", "A WAR - BER", "F BLA - SEV", "A ARM S F BLA - SEV", "F ION H"),
)
PHASES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "spring": ({}, OPENING),
    "autumn": ({"phase": "F1904M", "units": CROWD, "centers": CENTRES}, ATTACK),
    "retreats": (
        {"phase": "F1904R", "units": AFTER, "dislodged": DISLODGED, "centers": CENTRES},
        ("A MUN R SIL", "A BUL R CON"),
    ),
    "winter": ({"phase": "W1904A", "units": AFTER, "centers": CENTRES}, ("A KIE B", "A VIE B")),
}


class Picture(NamedTuple):
    """What is seen: its window, theme, language and phase, and a part of the map that is zoomed on."""

    window: str
    theme: str
    language: str
    phase: str
    part: tuple[float, float, float, float] | None = None
    resolved: bool = False

    @property
    def name(self) -> str:
        more = "-zoomed" if self.part else "-results" if self.resolved else ""
        return f"{self.window}-{self.theme}-{self.language}-{self.phase}{more}"


PICTURES = (
    Picture("phone", "paper", "fr", "autumn"),
    Picture("phone", "paper", "en", "autumn", (0.35, 0.6, 0.5, 0.4)),
    Picture("phone", "night", "en", "retreats"),
    Picture("phone", "contrast", "fr", "winter"),
    Picture("tablet", "paper", "fr", "spring"),
    Picture("tablet", "night", "en", "autumn"),
    Picture("tablet", "contrast", "fr", "retreats"),
    Picture("tablet", "paper", "en", "winter"),
    Picture("desk", "night", "fr", "autumn"),
    Picture("desk", "contrast", "en", "retreats", (0.4, 0.45, 0.4, 0.45)),
    Picture("desk", "paper", "fr", "autumn", resolved=True),
    Picture("desk", "night", "en", "winter"),
)
ZOOM = """(part) => {
  const { x, y, width, height } = document.querySelector("#viewport svg.board").viewBox.baseVal;
  const [left, top, wide, high] = part;
  const detail = { x: x + left * width, y: y + top * height, width: wide * width, height: high * height };
  document.querySelector("#viewport").dispatchEvent(new CustomEvent("look", { detail }));
}"""


def take(browser: Browser, site: str, picture: Picture) -> bytes:
    """A picture as PNG."""
    with browser.new_context(**PLACES[picture.window], reduced_motion="reduce") as context:
        context.add_cookies(
            [
                {"name": "theme", "value": picture.theme, "url": site},
                {"name": "language", "value": picture.language, "url": site},
            ]
        )
        page = context.new_page()
        position, orders = PHASES[picture.phase]
        page.goto(f"{site}{'/en' * (picture.language == 'en')}/p/position/")
        if position:
            page.fill("#text", json.dumps(position))
            page.locator("form:has(#text) button.primary").click()
        else:
            page.goto(f"{site}{'/en' * (picture.language == 'en')}/p/new/")
            page.locator("button.big").click()
        page.get_by_role("tablist").wait_for()
        _give(page, orders)
        if picture.resolved:
            page.click("#resolve")
            page.wait_for_selector("#results-title")
        if picture.part:
            page.evaluate(ZOOM, list(picture.part))
        page.locator("#viewport").scroll_into_view_if_needed()
        page.evaluate("document.fonts.ready")
        page.wait_for_function("!document.querySelector('#viewport.gliding')")
        return page.screenshot()


def _give(page: Page, orders: tuple[str, ...]) -> None:
    """Each order from its list; the last is saved when this ends."""
    for order in orders:
        with page.expect_response(lambda answer: "draft" in answer.url):
            page.locator(f"#order-{order.split()[1].partition('/')[0]}").evaluate(
                """(menu, order) => {
                  menu.value = order;
                  menu.dispatchEvent(new Event("change", { bubbles: true }));
                }""",
                order,
            )


def main() -> None:
    """Take the pictures that are named, else all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.board_pictures")
    parser.add_argument("--chromium", default=os.environ.get("TALLEYRAND_CHROMIUM", ""))
    parser.add_argument("pictures", nargs="*", default=[one.name for one in PICTURES])
    wanted = parser.parse_args()
    with serving() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_file(parser, wanted.chromium), args=FLAGS
        )
        for picture in PICTURES:
            if picture.name in wanted.pictures:
                seen = Image.open(BytesIO(take(browser, site, picture))).convert("RGB")
                seen.save(FOLDER / f"{picture.name}.webp", quality=QUALITY, method=6)
                print(picture.name, flush=True)
        browser.close()


if __name__ == "__main__":
    main()
