"""A board of a tournament from the draw to its result: one press at the desk, then its players’ phones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.e2e import sites
from tests.e2e.conftest import listening
from tests.e2e.steps import follow
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.long]
# Seven people, whose phones the tournament knows; the board is over after 1901.
SEED = """
import json
import django; django.setup()
from dataclasses import replace
from tests.web import cast
from tests.web.tournaments import hall
made = hall.playing()
board = hall.event(made).rounds[1].boards[1]
made = hall.with_round(made, 1, boards={1: replace(board, last_year=1901)})
phones = [hall.phone(made, who).cookies["sessionid"].value for who in range(1, 8)]
desk = cast.client_of(cast.MASTER).cookies["sessionid"].value
print(json.dumps({"key": made.key, "phones": phones, "desk": desk}))
"""
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}
PHASES = 2  # nobody takes a centre, so there is no winter
# The table shows another phase.
GONE_ON = "async (before) => !(await (await fetch(location.href)).text()).includes(before)"


@contextmanager
def window(browser: Browser, site: str, cookie: str, size: dict[str, int]) -> Iterator[Page]:
    """Somebody's browser; what its pages complain of fails the test, and so does a request to elsewhere."""
    context = browser.new_context(viewport=size, has_touch=size == PHONE)  # type: ignore[arg-type]
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    elsewhere: list[str] = []

    def heard(request: Request) -> None:
        if not request.url.startswith((site, "data:", "blob:")):
            elsewhere.append(request.url)

    context.on("request", heard)
    page = listening(context)
    yield next(page)
    assert not elsewhere
    next(page, None)


@pytest.fixture
def tournament(new_data_folder: Callable[[], Path]) -> Iterator[dict[str, Any]]:
    folder = new_data_folder()
    told = json.loads(sites.run(SEED, folder))
    with sites.served(folder) as site:
        yield {**told, "site": site.address}


def play_year(browser: Browser, tournament: dict[str, Any], key: str) -> None:
    """The year, in which every phone holds."""
    for _ in range(PHASES):
        for cookie in tournament["phones"]:
            with window(browser, tournament["site"], cookie, PHONE) as phone:
                phone.goto(key)
                shown = f'data-title="{phone.locator("#phone").get_attribute("data-title")}"'
                phone.check("#curtain-keep")
                phone.locator("button[value=final]").first.click()
                expect(phone.locator("#verdict.received")).to_be_visible()
                if cookie == tournament["phones"][-1]:
                    wait_until(partial(phone.evaluate, GONE_ON, shown))


def test_from_the_draw_to_the_result_by_phones(browser: Browser, tournament: dict[str, Any]) -> None:
    site, root = tournament["site"], f"{tournament['site']}/tournois/{tournament['key']}"
    with window(browser, site, tournament["desk"], LAPTOP) as desk:
        desk.goto(f"{root}/bureau/ronde/1/tables/")
        follow(desk.locator("button[value=tables_opened]"))
        expect(desk.locator("#tables")).to_contain_text("Diriger la table 1")
        desk.locator("button[value=clock_started]").click()
        expect(desk.locator("button[value=clock_paused]")).to_be_visible()
        keys = []
        for cookie in tournament["phones"]:
            with window(browser, site, cookie, PHONE) as phone:
                phone.goto(f"{root}/moi/")
                follow(phone.get_by_role("button", name="Ma place à la table"))
                keys.append(phone.url)
        assert len(set(keys)) == 1
        play_year(browser, tournament, keys[0])
        champion = tournament["phones"][0]
        with window(browser, site, champion, PHONE) as phone:
            phone.goto(f"{root}/rondes/1/1/")
            follow(phone.get_by_role("button", name="Reprendre son résultat"))
            expect(phone.locator("main")).to_contain_text("Résultat")
        desk.goto(f"{root}/bureau/ronde/1/tables/")
        expect(desk.locator("#boards")).to_contain_text("confirmé")
