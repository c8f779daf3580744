"""People who make a game for themselves by the number they are, and play it, a browser each."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e import tables
from tests.e2e.conftest import listening
from tests.e2e.steps import follow
from tests.waiting import wait_until

SEED = """
import json, sys
import django; django.setup()
from tests.web import cast
names = json.loads(sys.argv[1])
print(json.dumps({name: cast.client_of(name).cookies["sessionid"].value for name in names}))
"""
TOLD = "async ([address, words]) => (await (await fetch(address)).text()).includes(words)"


@contextmanager
def gathered(browser: Browser, folder: Path, names: Sequence[str]) -> Iterator[tuple[str, dict[str, Page]]]:
    """A site, and the browsers of these people there: every other one of them has a phone."""
    with tables.seeded(folder, SEED, json.dumps(names)) as (site, cookies), ExitStack() as windows:
        yield (
            site,
            {
                name: windows.enter_context(_somebody(browser, site, cookies[name], 390 if at % 2 else 1280))
                for at, name in enumerate(names)
            },
        )


@contextmanager
def _somebody(browser: Browser, site: str, cookie: str, width: int) -> Iterator[Page]:
    """A signed-in browser; whatever its pages complain of fails the test."""
    context = browser.new_context(viewport={"width": width, "height": 844})
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    page = listening(context)
    yield next(page)
    next(page, None)


def made(people: Mapping[str, Page], site: str, game: str, *said: str) -> str:
    """The key of a game that the first makes for so many, whose terms say this, and that begins when the
    others have come by its link."""
    first, *others = people.values()
    first.goto(f"{site}/parties/nouvelle/")
    follow(first.locator("button[name=fill][value=friends]"))
    first.fill("#name", "Entre nous")
    follow(first.locator(f"button[name=count][value='{len(people)}']"))
    expect(first.locator("#name")).to_have_value("Entre nous")
    expect(first.locator("button[name=fill][value=friends]")).to_have_attribute("aria-pressed", "true")
    expect(first.locator("input[name=variant]")).to_have_count(0)
    first.locator(f"input[name=game][value='{game}']").check()
    with first.expect_navigation():
        first.locator("#name").press("Enter")
    for words in said:
        expect(first.locator("main")).to_contain_text(words)
    key = first.url.split("/parties/")[1].split("/")[0]
    follow(first.locator("#links form button").last)
    address = first.locator("#links input.address").first.input_value()
    for page in others:
        page.goto(address)
        follow(page.locator("main button.primary").first)
    return key


def powers_of(page: Page, address: str) -> list[str]:
    """The powers that somebody plays, as his board names them."""
    page.goto(address)
    expect(page.locator("#board")).to_be_visible()
    found: list[str] = page.locator("#plays option").evaluate_all("options => options.map(one => one.value)")
    if not found:
        found = [(page.locator("#orders").get_attribute("action") or "").split("/")[-2]]
    return found


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


def opened(page: Page, address: str, phase: str) -> None:
    """Wait until the phase of this name is open."""
    wait_until(lambda: page.evaluate(TOLD, [address, phase]), phase)
    page.goto(address)
    expect(page.locator(".game-head")).to_contain_text(phase)
