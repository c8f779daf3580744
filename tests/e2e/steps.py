"""Steps that lead further: each ends when its effect is there, however slow the machine.

A click of Playwright ends before the page that it leads to has come, and before the site has stored
what it sends.
"""

from __future__ import annotations

from playwright.sync_api import Locator, Page, Response, expect


def follow(target: Locator) -> None:
    """Click on a link or button that leads to a page, and wait until this page and all it loads are there."""
    with target.page.expect_navigation():
        target.click()


def came(page: Page, mark: str) -> None:
    """Wait until the page with this element is there, with all it loads, where a script leads to it."""
    expect(page.locator(mark)).to_be_visible()
    page.wait_for_load_state()


def hand_in(button: Locator) -> None:
    """Press a button below one's orders on line, and wait until the site has received them."""
    with button.page.expect_response(_is_handing_in) as sent:
        button.click()
    assert sent.value.ok, sent.value.text()


def _is_handing_in(answer: Response) -> bool:
    """Whether it is the answer to a sheet: not to a draft, and none that is to be sent again."""
    path = answer.url.partition("?")[0]
    handed_in = answer.request.method == "POST" and "/orders/" in path and not path.endswith("/draft/")
    return handed_in and answer.status != 503
