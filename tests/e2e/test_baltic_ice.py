"""The first year of Baltic Ice on the practice board: the frozen gulfs of spring, open water in autumn."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import boards

pytestmark = [pytest.mark.browser, pytest.mark.long]
SPRING = """Russie
F Saint-Pétersbourg - golfe de Finlande
A Novgorod - Pskov
Suède
F Stockholm - mer Baltique
Danemark
A Jutland - Holstein
Prusse
A Berlin - Mecklembourg
A Königsberg - Courlande"""
AUTUMN = """Russie
F Saint-Pétersbourg - golfe de Finlande
Suède
A Reval - Riga
Danemark
A Holstein - Hanovre
Prusse
A Mecklembourg tient
A Courlande tient"""
WINTER = """Suède
+ A Åbo
Danemark
+ A Jutland
Prusse
+ A Berlin
+ A Königsberg"""
GAINED = {"SWEDEN": "RIG", "DENMARK": "HAN", "PRUSSIA": "COU"}


def menu(page: Page, province: str) -> list[str]:
    """The orders that the list offers a unit."""
    found: list[str] = page.locator(f"select[data-province='{province}'] option").evaluate_all(
        "options => options.map(one => one.value)"
    )
    return found


def written(page: Page, text: str) -> None:
    """The phase judged by this sheet."""
    page.click("#tab-sheet")
    page.fill("#sheet", text)
    boards.resolve(page)


def test_a_first_year_with_ice_in_spring(page: Page, site: str) -> None:
    boards.new_game(page, site, "baltic_ice")
    boards.headed(page, "Printemps 1703")
    assert "F PET - FIN" not in menu(page, "PET")
    boards.touch(page, "baltic_ice", "ABO")
    boards.touch(page, "baltic_ice", "REV")
    boards.saved(page)
    assert boards.given(page)["ABO"] == "A ABO - REV"
    page.click("#tab-sheet")
    written(page, f"{page.input_value('#sheet')}\n{SPRING}")
    expect(page.locator("main")).to_contain_text("gelés au printemps")
    boards.onward(page)
    boards.headed(page, "Automne 1703")
    assert {"A REV", "F BAL"} <= boards.units(page)["SWEDEN"]
    assert "F PET" in boards.units(page)["RUSSIA"]
    assert "F PET - FIN" in menu(page, "PET")
    written(page, AUTUMN)
    expect(page.locator(".why.error")).to_have_count(0)
    boards.onward(page)
    boards.headed(page, "Hiver 1703")
    assert all(centre in boards.owners(page)[power] for power, centre in GAINED.items())
    written(page, WINTER)
    boards.onward(page)
    boards.headed(page, "Printemps 1704")
    assert {"A ABO", "A RIG"} <= boards.units(page)["SWEDEN"]
    assert not any(order.startswith("F FIN -") for order in menu(page, "FIN"))
