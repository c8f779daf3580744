"""The demonstration game, spring to winter 1901, by touching the map and by writing sheets."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import boards
from tests.e2e.demonstration import CENTRES, END, YEAR, Given

pytestmark = pytest.mark.browser
Sheets = dict[str, list[Given]]


def by_map(page: Page, sheets: Sheets) -> None:
    for given in (one for orders in sheets.values() for one in orders):
        for province in given.touches:
            boards.touch(page, "classic", province)
        if given.chip:
            boards.choose(page, given.chip)
    boards.saved(page)


def by_sheet(page: Page, sheets: Sheets) -> None:
    text = "\n".join(f"{power}\n" + "\n".join(one.line for one in orders) for power, orders in sheets.items())
    page.click("#tab-sheet")
    page.fill("#sheet", text)


@pytest.mark.long
@pytest.mark.parametrize("give", [by_map, by_sheet])
def test_first_year(page: Page, site: str, give: object) -> None:
    assert callable(give)
    boards.new_game(page, site)
    for sheets in YEAR:
        give(page, sheets)
        boards.resolve(page)
        expect(page.locator(".why.error")).to_have_count(0)
        boards.onward(page)
    boards.headed(page, "Printemps 1902")
    assert boards.units(page) == END
    assert boards.owners(page) == CENTRES
