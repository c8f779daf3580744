"""The results of a phase on a phone: mine, then what failed, in one screen; the rest folded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e import tables
from tests.e2e.conftest import listening

pytestmark = [pytest.mark.browser, pytest.mark.long]

YEAR = [
    {
        "AUSTRIA": ["A VIE-GAL", "A BUD-SER", "F TRI-ALB"],
        "ENGLAND": ["F LON-NTH", "F EDI-NWG", "A LVP-YOR"],
        "FRANCE": ["A PAR-BUR", "A MAR-SPA", "F BRE-MAO"],
        "GERMANY": ["A MUN-RUH", "F KIE-DEN", "A BER-KIE"],
        "ITALY": ["A VEN-APU", "A ROM-VEN", "F NAP-ION"],
        "RUSSIA": ["A WAR-GAL", "A MOS-UKR", "F SEV-BLA", "F STP/SC-BOT"],
        "TURKEY": ["A CON-BUL", "A SMY-CON", "F ANK-BLA"],
    },
    {
        "AUSTRIA": ["A VIE-GAL", "A SER-GRE", "F ALB S A SER-GRE"],
        "ENGLAND": ["F NTH C A YOR-BEL", "A YOR-BEL", "F NWG-NWY"],
        "FRANCE": ["A BUR-BEL", "A SPA-POR", "F MAO-ENG"],
        "GERMANY": ["A RUH-BEL", "F DEN-SWE", "A KIE-HOL"],
        "ITALY": ["A APU-TUN", "F ION C A APU-TUN", "A VEN-TRI"],
        "RUSSIA": ["A WAR-GAL", "A UKR-RUM", "F SEV S A UKR-RUM", "F BOT-SWE"],
        "TURKEY": ["A BUL-RUM", "A CON-BUL", "F ANK-BLA"],
    },
]
SEED = """
import json, sys
import django; django.setup()
from django.test.utils import setup_test_environment
setup_test_environment()
from tests.web import cast
from tests.web.conftest import Player, begin
from tests.web.games.playing import played, running
from django.test import Client
year = json.loads(sys.argv[1])
practice = begin()
practice.played_power = "FRANCE"
practice.save()
player, online = Player(Client(), practice), running()
for number, orders in enumerate(year, 1):
    practice.refresh_from_db()
    practice.draft_orders = orders
    practice.save()
    player.resolve(number, f"a-submission-of-phase-{number}")
    played(online, orders)
cookie = cast.client_of("Flora").cookies["sessionid"].value
print(json.dumps({"practice": practice.key, "online": online.key, "cookie": cookie}))
"""
SCREEN = (390, 844)


@pytest.fixture(scope="module")
def year(new_data_folder: Callable[[], Path]) -> Iterator[tuple[str, dict[str, str]]]:
    with tables.seeded(new_data_folder(), SEED, json.dumps(YEAR)) as made:
        yield made


@pytest.mark.parametrize("language", ["fr", "en"])
def test_mine_and_what_failed_fit_in_one_screen(
    browser: Browser, year: tuple[str, dict[str, str]], language: str
) -> None:
    site, told = year
    english = language == "en"
    context = browser.new_context(viewport={"width": SCREEN[0], "height": SCREEN[1]}, has_touch=True)
    context.add_cookies([{"name": "sessionid", "value": told["cookie"], "url": site}])
    pages = listening(context)
    page = next(pages)
    addresses = [
        f"{'/en' if english else ''}/p/{told['practice']}/2/",
        f"/{'en/games' if english else 'parties'}/{told['online']}/2/",
    ]
    for address in addresses:
        page.goto(site + address)
        expect(page.locator("#history")).to_be_visible()  # the scripts have come
        top, failed = page.locator(".results").bounding_box(), page.locator(".failures").bounding_box()
        assert top is not None
        assert failed is not None
        assert failed["y"] + failed["height"] - top["y"] <= SCREEN[1], address
        mine, rest = page.locator(".results > .power").first, page.locator(".results > .power:not([open])")
        expect(mine.locator(".result")).to_have_count(3)
        expect(mine.locator(".result").first.locator(".mark")).to_have_class("mark failure")
        expect(page.locator(".failures .result")).to_have_count(8)
        expect(rest).to_have_count(6)
        plain = mine.locator(".result.plain").first
        height = plain.bounding_box()
        assert height is not None
        assert height["height"] < 32, "a success is one line"
        plain.tap()
        expect(plain.locator(".reason")).to_be_in_viewport()
        rest.first.locator("summary").tap()
        expect(page.locator(".result:visible")).to_have_count(3 + 8 + 2)
    next(pages, None)
