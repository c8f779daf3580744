"""What touches on the map mean."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards
from tests.e2e.steps import follow

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
    page.goto(site + "/p/new/")
    page.fill("#text", text)
    follow(page.locator("form:has(#text) button"))
    boards.ready(page)


def touches(page: Page, provinces: str, variant: str = "classic") -> None:
    for province in provinces.split():
        boards.touch(page, variant, province)


def hold_time(page: Page) -> None:
    """Let no time pass on the page until it is told to: what flashes does so for less than a second."""
    page.clock.install(time=0)
    page.clock.pause_at(1)


def width(page: Page) -> float:
    """How wide the map is on the screen, also beyond its frame."""
    return float(page.evaluate("document.querySelector('#viewport svg').getBoundingClientRect().width"))


@pytest.mark.long
def test_two_touches_move_three_help(page: Page, site: str) -> None:
    boards.new_game(page, site)
    given: dict[str, str] = {}
    for provinces, order in (
        ("PAR BUR", "A PAR - BUR"),
        ("MUN KIE KIE", "A MUN S F KIE"),
        ("BER MUN SIL", "A BER S A MUN - SIL"),
        ("STP BOT", "F STP/SC - BOT"),
        ("LON NTH", "F LON - NTH"),
        ("MAR SPA", "A MAR - SPA"),
    ):
        touches(page, provinces)
        province = provinces.split()[0]
        expect(page.locator(f"#order-{province}")).to_have_value(order)
        given[province] = order
        boards.saved(page)
        assert boards.given(page) == given


def test_targets_light_up_and_escape_lets_go(page: Page, site: str) -> None:
    boards.new_game(page, site)
    touches(page, "PAR")
    boards.told(page, "Armée Paris")
    expect(page.locator("#layer-touch .chosen")).to_have_count(1)
    expect(page.locator("#layer-touch .target")).to_have_count(4)
    page.keyboard.press("Escape")
    expect(page.locator("#layer-touch .chosen")).to_have_count(0)
    touches(page, "BUR")
    assert boards.given(page) == {}
    boards.told(page, "Bourgogne")


@pytest.mark.long
def test_out_of_reach_is_said_and_another_unit_is_chosen(page: Page, site: str) -> None:
    boards.new_game(page, site)
    touches(page, "PAR MOS")
    boards.told(page, "Armée Moscou")
    touches(page, "SPA")
    boards.told(page, "hors de portée")


def test_two_touches_hold_and_a_second_one_lets_go(page: Page, site: str) -> None:
    boards.new_game(page, site)
    touches(page, "PAR PAR")
    expect(page.locator("#layer-touch .chosen")).to_have_count(0)
    assert boards.given(page) == {}
    touches(page, "PAR")
    boards.choose(page, "Tenir")
    expect(page.locator("#order-PAR")).to_have_value("A PAR H")
    expect(page.locator("#status")).to_have_text("Ordre 1/22 enregistré : A Paris tient.")


@pytest.mark.long
def test_what_is_asked_for_first_leaves_nothing_else(page: Page, site: str) -> None:
    boards.new_game(page, site)
    hold_time(page)
    touches(page, "MUN")
    boards.choose(page, "Soutenir")
    expect(page.locator("#layer-touch .target")).to_have_count(0)
    touches(page, "KIE DEN")
    expect(page.locator("#order-MUN")).to_have_value("")
    boards.told(page, "ne peut ni soutenir ni convoyer aucune unité vers")
    expect(page.locator("#layer-touch .illegal")).to_have_count(1)
    touches(page, "KIE")
    expect(page.locator("#order-MUN")).to_have_value("A MUN S F KIE")


def test_a_touch_that_means_nothing_flashes_and_says_why(page: Page, site: str) -> None:
    boards.new_game(page, site)
    hold_time(page)
    for unit, place, why in (
        ("PAR", "ENG", "ne peut la traverser que par convoi"),
        ("BRE", "BUR", "n’a pas de côte"),
        ("PAR", "SPA", "hors de portée"),
    ):
        touches(page, f"{unit} {place}")
        expect(page.locator("#layer-touch .illegal")).to_have_count(1)
        boards.told(page, why)
        page.clock.run_for(1000)
        expect(page.locator("#layer-touch .illegal")).to_have_count(0)
        expect(page.locator("#layer-touch .chosen")).to_have_count(1)
        assert boards.given(page) == {}
        page.keyboard.press("Escape")
        expect(page.locator("#layer-touch .chosen")).to_have_count(0)


@pytest.mark.long
def test_nobody_goes_where_nobody_may(page: Page, site: str) -> None:
    boards.new_game(page, site)
    hold_time(page)
    switzerland = page.evaluate(boards.POINT, [375, 437])
    page.mouse.click(*switzerland)
    boards.told(page, "Infranchissable")
    expect(page.locator("#layer-touch .illegal")).to_have_count(1)


@pytest.mark.long
def test_supporting_a_unit_of_ones_own_offers_its_move(page: Page, site: str) -> None:
    boards.new_game(page, site)
    touches(page, "BER MUN SIL")
    boards.choose(page, "A Munich - Silésie")
    expect(page.locator("#order-MUN")).to_have_value("A MUN - SIL")
    expect(page.locator("#order-BER")).to_have_value("A BER S A MUN - SIL")


@pytest.mark.long
def test_a_convoy_needed_by_the_army_comes_before_a_support(page: Page, site: str) -> None:
    begin(page, site, CONVOY)
    touches(page, "NTH EDI NWY")
    expect(page.locator("#order-NTH")).to_have_value("F NTH C A EDI - NWY")
    expect(page.locator("#chips")).to_contain_text("soutient")
    page.click("#chips button:has-text('A Édimbourg - Norvège'):not(:has-text('soutient'))")
    expect(page.locator("#order-EDI")).to_have_value("A EDI - NWY")


@pytest.mark.long
def test_the_other_reading_is_one_touch_away(page: Page, site: str) -> None:
    begin(page, site, CONVOY)
    touches(page, "NTH EDI NWY")
    page.click("#chips button:has-text('soutient')")
    expect(page.locator("#order-NTH")).to_have_value("F NTH S A EDI - NWY")


@pytest.mark.long
def test_the_coast_is_where_one_touches(page: Page, site: str) -> None:
    begin(page, site, "phase : S1902M\nPositions\nFrance : F AtM\nCentres\n")
    touches(page, "MAO SPA/NC")
    expect(page.locator("#order-MAO")).to_have_value("F MAO - SPA/NC")
    boards.choose(page, "côte sud")
    expect(page.locator("#order-MAO")).to_have_value("F MAO - SPA/SC")
    touches(page, "MAO SPA/NC")
    expect(page.locator("#order-MAO")).to_have_value("F MAO - SPA/NC")


@pytest.mark.long
def test_retreats_and_removals(page: Page, site: str) -> None:
    begin(page, site, RETREAT)
    touches(page, "BUR MUN")
    touches(page, "TYR BUR MUN")
    boards.saved(page)
    assert boards.given(page) == {"BUR": "A BUR - MUN", "TYR": "A TYR S A BUR - MUN"}
    boards.resolve(page)
    boards.onward(page)
    boards.headed(page, "Été 1901")
    touches(page, "MUN RUH")
    expect(page.locator("#order-MUN")).to_have_value("A MUN R RUH")
    touches(page, "MUN")
    boards.choose(page, "Dissoudre")
    expect(page.locator("#order-MUN")).to_have_value("A MUN D")
    boards.saved(page)
    boards.resolve(page)
    boards.onward(page)
    assert boards.units(page)["GERMANY"] == {"F KIE", "A BER"}


@pytest.mark.long
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


@pytest.mark.long
def test_playing_one_power(page: Page, site: str) -> None:
    boards.new_game(page, site)
    page.select_option("#plays", "FRANCE")
    expect(page.locator("#order-LON")).to_have_count(0)
    boards.ready(page)
    touches(page, "LON NTH")
    boards.told(page, "rien à ordonner pour vous ici")
    touches(page, "PAR BUR")
    expect(page.locator("#order-PAR")).to_have_value("A PAR - BUR")
    expect(page.locator("#progress-words")).to_have_text("1 sur 3")


def test_zoom_and_drag_give_no_order(page: Page, site: str) -> None:
    boards.new_game(page, site)
    box = width(page)
    page.click("#zoom-in")
    assert width(page) == pytest.approx(box * 1.5)
    place = boards.on_screen(page, "classic", "MUN")
    page.mouse.move(500, 400)
    page.mouse.down()
    page.mouse.move(560, 460, steps=5)
    page.mouse.up()
    page.evaluate("new Promise(requestAnimationFrame)")  # what was dragged is drawn with the next picture
    assert boards.on_screen(page, "classic", "MUN") == pytest.approx((place[0] + 60, place[1] + 60))
    assert page.locator("#layer-touch .chosen").count() == 0
    touches(page, "MUN BUR")
    expect(page.locator("#order-MUN")).to_have_value("A MUN - BUR")
    page.click("#zoom-all")
    assert width(page) == pytest.approx(box)


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


@pytest.mark.long
def test_two_fingers_zoom_where_they_are(browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    boards.new_game(page, site)
    before, x_y = width(page), boards.on_screen(page, "classic", "MUN")
    fingers = context.new_cdp_session(page)
    for kind, apart in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60), ("touchEnd", 0)):
        points = [{"x": x_y[0] - apart, "y": x_y[1], "id": 0}, {"x": x_y[0] + apart, "y": x_y[1], "id": 1}]
        fingers.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if kind != "touchEnd" else []}
        )
    expect(page.locator("#viewport.zoomed")).to_be_visible()
    assert 2 < width(page) / before < 4
    assert boards.on_screen(page, "classic", "MUN") == pytest.approx(x_y, abs=25)
    assert boards.given(page) == {}
    assert page.locator("#layer-touch .chosen").count() == 0
    context.close()


@pytest.mark.long
def test_choosing_on_a_small_map_brings_its_places_near(browser: Browser, site: str) -> None:
    context = browser.new_context(
        viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    boards.new_game(page, site)
    before = width(page)
    page.touchscreen.tap(*boards.on_screen(page, "classic", "PAR"))
    expect(page.locator("#layer-touch .chosen")).to_have_count(1)
    assert width(page) > 1.3 * before
    page.touchscreen.tap(*boards.on_screen(page, "classic", "BUR"))
    expect(page.locator("#order-PAR")).to_have_value("A PAR - BUR")
    assert width(page) == pytest.approx(before)
    context.close()
