"""What touches on the map mean."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards

pytestmark = pytest.mark.browser

RETREAT = """phase : S1901M
Positions
France : A Bourgogne, A Tyrol
Allemagne : A Munich, F Kiel, A Berlin
Centres
Allemagne : Munich, Kiel, Berlin
"""

CONVOY = "phase : F1901M\nPositions\nAngleterre : A Édimbourg, F mer du Nord, F mer de Norvège\nCentres\n"


def begin(page: Page, site: str, text: str) -> None:
    page.goto(site + "/")
    page.fill("#text", text)
    page.click("form:has(#text) button")
    boards.ready(page)


def touches(page: Page, provinces: str, variant: str = "classic") -> None:
    for province in provinces.split():
        boards.touch(page, variant, province)


def status(page: Page) -> str:
    return page.inner_text("#status")


@pytest.mark.parametrize(
    ("provinces", "province", "order"),
    [
        ("PAR BUR", "PAR", "A PAR - BUR"),
        ("PAR PAR", "PAR", "A PAR H"),
        ("MUN KIE KIE", "MUN", "A MUN S F KIE"),
        ("BER MUN SIL", "BER", "A BER S A MUN - SIL"),
        ("STP BOT", "STP", "F STP/SC - BOT"),
        ("LON NTH", "LON", "F LON - NTH"),
        ("MAR SPA", "MAR", "A MAR - SPA"),
    ],
)
def test_two_touches_move_three_help(
    page: Page, site: str, provinces: str, province: str, order: str
) -> None:
    boards.new_game(page, site)
    touches(page, provinces)
    expect(page.locator(f"#order-{province}")).to_have_value(order)
    boards.saved(page)
    assert boards.given(page) == {province: order}


def test_targets_light_up_and_escape_lets_go(page: Page, site: str) -> None:
    boards.new_game(page, site)
    touches(page, "PAR")
    assert "Armée Paris" in status(page)
    expect(page.locator("#layer-touch .chosen")).to_have_count(1)
    expect(page.locator("#layer-touch .target")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(page.locator("#layer-touch .chosen")).to_have_count(0)
    touches(page, "BUR")
    assert boards.given(page) == {}
    assert "Bourgogne" in status(page)


def test_out_of_reach_is_said_and_another_unit_is_chosen(page: Page, site: str) -> None:
    boards.new_game(page, site)
    touches(page, "PAR MOS")
    assert "Armée Moscou" in status(page)
    touches(page, "SPA")
    assert "hors de portée" in status(page)


def test_a_convoy_needed_by_the_army_comes_before_a_support(page: Page, site: str) -> None:
    begin(page, site, CONVOY)
    touches(page, "NTH EDI NWY")
    expect(page.locator("#order-NTH")).to_have_value("F NTH C A EDI - NWY")
    chips = page.locator("#chips button")
    expect(chips.first).to_contain_text("soutient")
    page.click("#chips button:has-text('A Édimbourg - Norvège'):not(:has-text('soutient'))")
    expect(page.locator("#order-EDI")).to_have_value("A EDI - NWY")


def test_the_other_reading_is_one_touch_away(page: Page, site: str) -> None:
    begin(page, site, CONVOY)
    touches(page, "NTH EDI NWY")
    page.click("#chips button:has-text('soutient')")
    expect(page.locator("#order-NTH")).to_have_value("F NTH S A EDI - NWY")


def test_coasts_are_asked_for_where_there_are_two(page: Page, site: str) -> None:
    begin(page, site, "phase : S1902M\nPositions\nFrance : F AtM\nCentres\n")
    touches(page, "MAO SPA")
    assert boards.given(page) == {}
    page.click("#chips button:has-text('côte nord')")
    expect(page.locator("#order-MAO")).to_have_value("F MAO - SPA/NC")


def test_retreats_and_removals(page: Page, site: str) -> None:
    begin(page, site, RETREAT)
    touches(page, "BUR MUN")
    touches(page, "TYR BUR MUN")
    boards.saved(page)
    assert boards.given(page) == {"BUR": "A BUR - MUN", "TYR": "A TYR S A BUR - MUN"}
    boards.resolve(page)
    boards.onward(page)
    assert page.inner_text("h1") == "Été 1901"
    touches(page, "MUN RUH")
    expect(page.locator("#order-MUN")).to_have_value("A MUN R RUH")
    touches(page, "MUN MUN")
    expect(page.locator("#order-MUN")).to_have_value("A MUN D")
    boards.saved(page)
    boards.resolve(page)
    boards.onward(page)
    assert boards.units(page)["GERMANY"] == {"F KIE", "A BER"}


def test_the_draft_of_trio(page: Page, site: str) -> None:
    boards.new_game(page, site, "trio")
    touches(page, "NEE", "trio")
    page.click("#chips button:has-text('Patrouille')")
    expect(page.locator("#order-NEE")).to_have_value("P NEE B")
    touches(page, "NEE", "trio")
    expect(page.locator("#order-NEE")).to_have_value("")
    touches(page, "FRO", "trio")
    page.click("#chips button:has-text('Flotte')")
    boards.saved(page)
    boards.resolve(page)
    boards.onward(page)
    assert boards.units(page) == {"BOREA": {"F FRO"}}
    touches(page, "FRO MOR", "trio")
    expect(page.locator("#order-FRO")).to_have_value("F FRO - MOR")


def test_undo(page: Page, site: str) -> None:
    boards.new_game(page, site)
    touches(page, "PAR BUR")
    expect(page.locator("#undo")).to_be_visible()
    touches(page, "MAR SPA")
    page.click("#undo")
    expect(page.locator("#order-MAR")).to_have_value("")
    expect(page.locator("#order-PAR")).to_have_value("A PAR - BUR")
    page.click("#undo")
    expect(page.locator("#order-PAR")).to_have_value("")
    expect(page.locator("#undo")).to_be_hidden()


def test_playing_one_power(page: Page, site: str) -> None:
    boards.new_game(page, site)
    page.select_option("#plays", "FRANCE")
    expect(page.locator("#order-LON")).to_have_count(0)
    boards.ready(page)
    touches(page, "LON NTH")
    assert "rien à vous" in status(page)
    touches(page, "PAR BUR")
    expect(page.locator("#order-PAR")).to_have_value("A PAR - BUR")
    expect(page.locator("#progress-words")).to_have_text("1 sur 3")


def test_zoom_and_drag_give_no_order(page: Page, site: str) -> None:
    boards.new_game(page, site)
    box = page.evaluate("document.querySelector('#viewport svg').getAttribute('viewBox')")
    page.click("#zoom-in")
    zoomed = page.evaluate("document.querySelector('#viewport svg').getAttribute('viewBox')")
    assert zoomed != box
    page.mouse.move(500, 400)
    page.mouse.down()
    page.mouse.move(560, 460, steps=5)
    page.mouse.up()
    assert page.evaluate("document.querySelector('#viewport svg').getAttribute('viewBox')") != zoomed
    assert page.locator("#layer-touch .chosen").count() == 0
    touches(page, "MUN BUR")
    expect(page.locator("#order-MUN")).to_have_value("A MUN - BUR")
    page.click("#zoom-all")
    assert page.evaluate("document.querySelector('#viewport svg').getAttribute('viewBox')") == box


def test_fingers_on_a_phone(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    boards.new_game(page, site)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for province in ("PAR", "BUR"):
        page.touchscreen.tap(*boards.on_screen(page, "classic", province))
    expect(page.locator("#order-PAR")).to_have_value("A PAR - BUR")
    boards.saved(page)
    boards.resolve(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()
