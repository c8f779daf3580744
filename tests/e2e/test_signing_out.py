"""Who signs out on a shared machine, at a site without HTTPS, leaves nothing behind the browser's Back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.e2e import sites
from tests.e2e.conftest import FLAGS, PATIENCE

pytestmark = pytest.mark.browser

NAME = "club.test"
SEED = """
import django; django.setup()
from tests.web import cast
from tests.web.games import playing
game = playing.running()
playing.played(game)
print(game.key, cast.client_of("Flora").cookies["sessionid"].value)
"""


@pytest.fixture
def far_browser(playwright: Playwright, chromium: str) -> Iterator[Browser]:
    """One for which the site is on another machine, where plain HTTP is not secure."""
    rule = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    opened = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, rule])
    yield opened
    opened.close()


def test_the_way_back_shows_a_published_phase_to_nobody(
    far_browser: Browser, new_data_folder: Callable[[], Path]
) -> None:
    folder = new_data_folder()
    key, session = sites.run(SEED, folder).splitlines()[-1].split()
    with sites.served(folder, TALLEYRAND_HOSTS=f"{NAME},127.0.0.1") as served:
        site = served.address.replace("127.0.0.1", NAME)
        context = far_browser.new_context()
        context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{site}/parties/{key}/1/")
        expect(page.locator("body")).to_contain_text("Flora")
        page.goto(f"{site}/compte/deconnexion/")
        page.get_by_role("button", name="Se déconnecter").click()
        page.wait_for_url(f"{site}/")
        page.go_back()  # the page to sign out, which nobody needs now
        page.go_back()
        page.wait_for_url(f"{site}/parties/{key}/1/")
        expect(page.locator("body")).not_to_contain_text("Flora")
