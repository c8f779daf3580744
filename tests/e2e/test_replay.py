"""After a resolution the map plays what happened, the reader's own units first, until a press."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards
from tests.e2e.steps import came
from tests.e2e.test_touches import touches

pytestmark = pytest.mark.browser
# Who moves on the page's own map, and when their turn comes.
MOVING = """() => document.getAnimations()
  .filter((one) => one.effect.target.closest?.("#layer-units"))
  .map(({ effect }) => [effect.target.firstElementChild.dataset.power, effect.getTiming().delay])"""


def slowly(page: Page) -> None:
    """What takes less than a second may pass unseen."""
    clock = page.context.new_cdp_session(page)
    clock.send("Animation.enable")
    clock.send("Animation.setPlaybackRate", {"playbackRate": 0.01})


def judge(page: Page) -> None:
    page.click("#resolve")
    came(page, "#results-title")


def test_ones_own_units_go_before_the_others(page: Page, site: str) -> None:
    page.goto(site + "/apprendre/2/")
    boards.ready(page)
    touches(page, "PAR BUR")
    slowly(page)
    judge(page)
    page.wait_for_function(f"() => ({MOVING})().length > 1")
    turns = dict(page.evaluate(MOVING))
    assert turns.pop("FRANCE") == 0
    assert min(turns.values()) > 0
    expect(page.locator("#viewport")).to_have_attribute(
        "data-told", "Ce que sont devenus les ordres. Appuyez n’importe où pour passer."
    )
    stands = boards.units(page)
    page.keyboard.press("Shift")
    expect(page.locator("#viewport[data-told]")).to_have_count(0)
    expect(page.locator("#layer-units .gliding")).to_have_count(0)
    assert page.evaluate(MOVING) == []
    assert boards.units(page) == stands
    page.reload()
    expect(page.locator("#results-title")).to_be_visible()
    assert page.evaluate(MOVING) == []


def test_a_resolved_phase_is_played_once(page: Page, site: str) -> None:
    boards.new_game(page, site)
    touches(page, "PAR BUR MUN BUR")
    boards.saved(page)
    slowly(page)
    judge(page)
    page.wait_for_function(f"() => ({MOVING})().length === 2")
    results = page.url
    page.mouse.click(5, 5)
    expect(page.locator("#viewport[data-told]")).to_have_count(0)
    boards.onward(page)
    expect(page.locator(".laid")).to_have_count(0)
    page.goto(results)
    expect(page.locator("#print")).to_be_visible()
    assert page.evaluate(MOVING) == []


@pytest.mark.parametrize("scripts", [True, False])
def test_without_scripts_or_movement_the_result_stands(browser: Browser, site: str, scripts: bool) -> None:
    context = browser.new_context(java_script_enabled=scripts, reduced_motion="reduce")
    page = context.new_page()
    page.goto(site + "/apprendre/2/")
    page.select_option("#order-PAR", "A PAR - BUR")
    judge(page)
    expect(page.locator("#layer-orders [data-result~=bounces]")).not_to_have_count(0)
    expect(page.locator("#viewport[data-told]")).to_have_count(0)
    context.close()
