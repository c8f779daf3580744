"""Nothing lies on what one aims at, on a phone and at a desk; what was chosen stays chosen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e import boards
from tests.e2e.conftest import listening
from tests.e2e.test_lessons import judge
from tests.e2e.test_touches import begin

pytestmark = pytest.mark.browser
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 900}
RETREATS = """phase : S1905R
Positions
France : A Bourgogne, A Ruhr, F Manche, A Belgique
Allemagne : A Munich, F Hollande, A Kiel, A Bohême
Autriche : A Tyrol, A Trieste, F Albanie
Italie : A Venise, F mer Adriatique, F mer Ionienne
Turquie : A Serbie, F Grèce, A Roumanie
Russie : A Galicie, A Varsovie, F mer Noire
Délogées
Allemagne : A Bourgogne par Paris
Autriche : A Serbie par Bulgarie
Italie : A Tyrol par Vienne
Centres
"""
# Of each place that an order of the menus names: the middles of its label and unit, where they are seen,
# and what lies on them.
COVERED = """(province) => {
  const frame = document.querySelector("#viewport").getBoundingClientRect();
  const svg = document.querySelector("#viewport svg");
  const places = JSON.parse(document.querySelector("#places").textContent);
  const menu = document.querySelector(`#order-${province}`);
  const words = [...menu.options].filter((one) => one.value).flatMap((one) => one.value.split(" ").slice(3));
  const aims = new Set(words.filter((word) => word in places));
  const found = [];
  for (const place of aims) {
    const unit = new DOMPoint(places[place][1], places[place][2]).matrixTransform(svg.getScreenCTM());
    const labels = [...svg.querySelectorAll(`#layer-labels [data-province="${place.split("/")[0]}"]`)];
    const boxes = labels.map((label) => label.getBoundingClientRect()).filter((box) => box.width);
    const points = [unit, ...boxes.map((box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 }))];
    for (const { x, y } of points) {
      if (x < frame.left || y < frame.top || x > frame.right || y > frame.bottom) continue;
      const top = document.elementFromPoint(x, y);
      if (!top?.closest("#viewport svg")) found.push(`${place}: ${top?.outerHTML.slice(0, 80)}`);
    }
  }
  return aims.size ? found : [`${province}: nothing to aim at`];
}"""
NAMED = """(province) => {
  const labels = [...document.querySelectorAll(`#layer-labels [data-province="${province}"]`)];
  const box = labels.map((label) => label.getBoundingClientRect()).find((one) => one.width);
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
UNREACHED = """async () => {
  const { Places } = await import(document.querySelector("link[rel=modulepreload][href*='/places.']").href);
  const places = new Places(JSON.parse(document.querySelector("#places").textContent));
  const ways = [{ x: -1, y: 0 }, { x: 1, y: 0 }, { x: 0, y: -1 }, { x: 0, y: 1 }];
  const all = Object.keys(places.known);
  const reached = (from) => {
    const seen = new Set([from]);
    for (const at of seen) for (const way of ways) seen.add(places.next(all, at, way) || at);
    return seen.size;
  };
  return all.filter((place) => reached(place) < all.length);
}"""


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def screen(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    small = request.param == PHONE
    context = browser.new_context(
        viewport=request.param, has_touch=True, is_mobile=small, reduced_motion="reduce"
    )
    yield from listening(context)


def tap(page: Page, point: list[float] | tuple[float, float]) -> None:
    page.locator("#viewport").scroll_into_view_if_needed()
    page.touchscreen.tap(*point)


def units_to_order(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('select[data-province]')].map((menu) => menu.dataset.province)"
    )
    return found


def nothing_covered(page: Page, spot: str = "unit") -> None:
    """For each unit, once it is chosen, nothing lies on a place that its orders name."""
    for province in units_to_order(page):
        page.locator("#viewport").scroll_into_view_if_needed()
        tap(page, boards.on_screen(page, "classic", province, spot))
        expect(page.locator("#layer-touch .chosen")).to_have_count(1)
        assert page.evaluate(COVERED, province) == []
        page.keyboard.press("Escape")
        expect(page.locator("#layer-touch .chosen")).to_have_count(0)


@pytest.mark.long
def test_nothing_lies_on_a_target_of_the_opening(screen: Page, site: str) -> None:
    boards.new_game(screen, site)
    assert len(units_to_order(screen)) == 22
    nothing_covered(screen)


@pytest.mark.long
def test_nothing_lies_on_a_target_of_crowded_retreats(screen: Page, site: str) -> None:
    begin(screen, site, RETREATS)
    assert set(units_to_order(screen)) == {"BUR", "SER", "TYR"}
    nothing_covered(screen, "retreat")


@pytest.mark.parametrize("path", ["/apprendre/1/", "/en/learn/1/"])
def test_the_first_lesson_by_tapping_names(browser: Browser, site: str, path: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(site + path)
    boards.ready(page)
    for province in ("BRE", "ENG"):
        page.locator("#viewport").scroll_into_view_if_needed()
        tap(page, page.evaluate(NAMED, province))
    expect(page.locator("#order-BRE")).to_have_value("F BRE - ENG")
    judge(page)
    expect(page.locator(".verdict.good")).to_be_visible()
    context.close()


def test_what_was_chosen_stays_through_tabs_themes_and_the_text(screen: Page, site: str) -> None:
    page = screen
    boards.new_game(page, site)
    tap(page, boards.on_screen(page, "classic", "PAR"))
    for act in (
        lambda: page.locator("#tab-sheet").tap(),
        lambda: page.locator("#sheet").tap(),
        lambda: page.locator("#tab-list").tap(),
        lambda: page.select_option("#order-LON", "F LON - NTH"),
        lambda: page.locator("#look summary").tap(),
        lambda: page.locator("[name=theme][value=night]").check(),
        lambda: page.keyboard.press("Escape"),
    ):
        act()
        expect(page.locator("#layer-touch .chosen")).to_have_count(1)
    page.evaluate("scrollTo(0, 0)")
    tap(page, boards.on_screen(page, "classic", "BUR"))
    expect(page.locator("#order-PAR")).to_have_value("A PAR - BUR")
    expect(page.locator("#order-LON")).to_have_value("F LON - NTH")


def test_keys_go_on_after_a_button_beside_the_map(page: Page, site: str) -> None:
    boards.new_game(page, site)
    boards.touch(page, "classic", "MUN")
    boards.choose(page, "Soutenir")
    expect(page.locator("#chips [aria-pressed=true]")).to_have_count(1)
    expect(page.locator("#viewport")).to_be_focused()
    boards.choose(page, "Tenir")
    expect(page.locator("#order-MUN")).to_have_value("A MUN H")
    page.keyboard.press("n")
    page.keyboard.press("h")
    expect(page.locator("#status")).to_contain_text("2/22")


@pytest.mark.parametrize("variant", ["classic", "trio"])
def test_arrows_lead_from_every_place_to_every_other(page: Page, site: str, variant: str) -> None:
    boards.new_game(page, site, variant)
    assert page.evaluate(UNREACHED) == []
