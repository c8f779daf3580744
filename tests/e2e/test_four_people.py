"""Four people make a game for themselves, "We are four", and play its first year in one browser each."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e import tables
from tests.e2e.conftest import listening
from tests.e2e.steps import follow
from tests.e2e.test_seven_people import AUTUMN, SPRING, WINTER

pytestmark = pytest.mark.browser
NAMES = ("Flora", "Edmond", "Roman", "Agathe")
OPENED = """async ([address, form]) => {
    for (let looks = 0; looks < 500; looks++) {
        if ((await (await fetch(address)).text()).includes(form)) return true;
    }
    return false;
}"""
SEED = """
import json, sys
import django; django.setup()
from tests.web import cast
names = json.loads(sys.argv[1])
print(json.dumps({name: cast.client_of(name).cookies["sessionid"].value for name in names}))
"""


@contextmanager
def somebody(browser: Browser, site: str, cookie: str, width: int) -> Iterator[Page]:
    """A signed-in browser; whatever its pages complain of fails the test."""
    context = browser.new_context(viewport={"width": width, "height": 844})
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    page = listening(context)
    yield next(page)
    next(page, None)


def hand_in(context: BrowserContext, site: str, key: str, number: int, power: str, sheet: str) -> None:
    """Hand a sheet in, ready, by the form that the page has where there are no scripts."""
    token = next(one["value"] for one in context.cookies(site) if one["name"] == "csrftoken")
    answer = context.request.post(
        f"{site}/parties/{key}/{number}/orders/{power}/",
        form={"sheet": sheet, "action": "final", "submission": secrets.token_urlsafe(16)},
        headers={"X-CSRFToken": token},
        max_redirects=0,
    )
    assert answer.status == 302, answer.text()


def powers_of(page: Page, address: str) -> list[str]:
    """The powers among which somebody's board lets him choose; none for who has one alone."""
    page.goto(address)
    expect(page.locator("main")).to_contain_text("Printemps 1901")
    found: list[str] = page.locator("#plays option").evaluate_all("options => options.map(one => one.value)")
    return found


def test_we_are_four(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    with tables.seeded(new_data_folder(), SEED, json.dumps(NAMES)) as (site, cookies), ExitStack() as windows:
        people = {
            name: windows.enter_context(somebody(browser, site, cookies[name], 390 if at % 2 else 1280))
            for at, name in enumerate(NAMES)
        }
        flora = people["Flora"]
        flora.goto(f"{site}/parties/nouvelle/")
        follow(flora.locator("button[name=fill][value=friends]"))
        flora.fill("#name", "Nous quatre")
        follow(flora.locator("button[name=count][value='4']"))
        expect(flora.locator("#name")).to_have_value("Nous quatre")
        expect(flora.locator("button[name=fill][value=friends]")).to_have_attribute("aria-pressed", "true")
        expect(flora.locator("input[name=variant]")).to_have_count(0)
        flora.locator("input[name=game][value='classic/pairs']").check()
        follow(flora.locator(".first-questions button.primary"))
        expect(flora.locator("main")).to_contain_text("Angleterre, Autriche + France")
        key = flora.url.split("/parties/")[1].split("/")[0]
        follow(flora.locator("#links form button").last)
        address = flora.locator("#links input.address").first.input_value()
        for name in NAMES[1:]:
            people[name].goto(address)
            follow(people[name].locator("main button.primary").first)
        held = {name: powers_of(page, f"{site}/parties/{key}/") for name, page in people.items()}
        pairs = [["AUSTRIA", "FRANCE"], ["GERMANY", "TURKEY"], ["ITALY", "RUSSIA"]]
        assert sorted(filter(None, held.values())) == pairs
        for number, sheets in enumerate((SPRING, AUTUMN, WINTER), 1):
            for name, page in people.items():
                for power in held[name] or ["ENGLAND"]:
                    hand_in(page.context, site, key, number, power, sheets[power])
            following = [f"/parties/{key}/", f"/{number + 1}/orders/"]
            assert flora.evaluate(OPENED, following)
        for page in people.values():
            page.goto(f"{site}/parties/{key}/")
            expect(page.locator("main")).to_contain_text("Printemps 1902")
