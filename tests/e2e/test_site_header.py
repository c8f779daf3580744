"""On a telephone the header of a page takes one line, and cuts nothing off."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e import tables
from tests.e2e.conftest import PATIENCE
from tests.e2e.pages import address

pytestmark = pytest.mark.browser

SEED = """
import json
import django; django.setup()
from django.test.utils import setup_test_environment
setup_test_environment()
from tests.web import cast
from tests.web.games.phases import second_phase
game = second_phase()
clients = map(cast.client_of, ("Flora", cast.MASTER))
print(json.dumps([game.key, *(one.cookies["sessionid"].value for one in clients)]))
"""
PAGES = ("home:page", "games:all", "tournaments:all", "library:lessons", "library:rules", "account_login")
OF_A_GAME = ("games:game", "games:table", "press:rooms", "games:desk")
# how many links stand below the first one, reach out of the window, lie on the one before, or are cut; and
# how far the header reaches out of the window
CUT = """
(() => {
  const boxes = [...document.querySelectorAll(".site-header a")].filter((link) => link.offsetParent)
    .map((link) => link.getBoundingClientRect());
  const middle = (box) => (box.top + box.bottom) / 2;
  return [
    boxes.filter((box) => Math.abs(middle(box) - middle(boxes[0])) > 8).length,
    boxes.filter((box) => box.left < 0 || box.right > innerWidth).length,
    boxes.filter((box, at) => at && box.left < boxes[at - 1].right).length,
    [...document.querySelectorAll(".site-header a:not(.me)")]
      .filter((link) => link.scrollWidth > link.clientWidth + 1).length,
    Math.max(0, document.querySelector(".site-header").scrollWidth - innerWidth),
  ];
})()
"""


def test_the_header_is_one_line_on_every_page(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    cut = {}
    with tables.seeded(new_data_folder(), SEED) as (site, (key, *sessions)):
        for language, cookie in (
            (language, cookie) for language in ("fr", "en") for cookie in ("", *sessions)
        ):
            context = browser.new_context(viewport={"width": 390, "height": 844})
            context.set_default_timeout(PATIENCE)
            if cookie:
                context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
            page = context.new_page()
            for name in (*PAGES, *(OF_A_GAME if cookie else ())):
                page.goto(site + address(name, (key,) if name in OF_A_GAME else (), language))
                for width in (390, 320):
                    page.set_viewport_size({"width": width, "height": 844})
                    found = page.evaluate(CUT)
                    if any(found):
                        cut[name, language, sessions.index(cookie) if cookie else None, width] = found
            context.close()
    assert cut == {}
