"""What else could have been ordered, in a browser: from the results to the coach, and on to a copy."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import boards
from tests.e2e.steps import follow
from tests.e2e.test_board import play

pytestmark = [pytest.mark.browser, pytest.mark.long]
COLD = 180_000  # milliseconds: the first review compiles its code, on a machine that runs other tests


def test_from_the_results_to_better_orders_on_a_copy(page: Page, site: str) -> None:
    boards.new_game(page, site)
    play(page, "FRANCE\nA Par H\nA Mar H\nF Bre H\n")
    follow(page.get_by_role("link", name="Que faire d’autre"))
    follow(page.get_by_role("link", name="France"))
    expect(page.get_by_role("heading", name="Ordres joués")).to_be_visible(timeout=COLD)
    first = page.locator(".chain li").first
    expect(first).to_contain_text("Risque")
    follow(first.get_by_role("button", name="Essayer ces ordres"))
    boards.ready(page)
    orders = boards.given(page)
    assert set(orders) == {"PAR", "MAR", "BRE"}
    assert any(not order.endswith(" H") for order in orders.values())
