"""What is too small for a page of its own: a coast in the list, the time left, the way into a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards, tables
from tests.e2e.conftest import listening
from tests.e2e.pages import address

pytestmark = [pytest.mark.browser, pytest.mark.long]

SEED = """
import json
import django; django.setup()
from django.test.utils import setup_test_environment
setup_test_environment()
from datetime import timedelta
from django.utils import timezone
from tests.web import cast
from tests.web.conftest import begin
from tests.web.games.playing import running
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, GameRole, Invitation
practice = begin(units={"FRANCE": ["F MAO"], "RUSSIA": ["F STP/SC", "F BOT", "A MOS"]})
online = running()
soon = timezone.now() + timedelta(minutes=14, seconds=40)
Game.objects.filter(pk=online.pk).update(deadline=soon, next_check_at=soon)
gathering = cast.table(begun=False)
gathering.memberships.exclude(role=GameRole.GAME_MASTER).delete()
link = Invitation.objects.create(game=gathering, role=GameRole.PLAYER)
cast.person("Edmond")
Person.objects.filter(name="Edmond").update(language="en")
cookies = {name: cast.client_of(name).cookies["sessionid"].value for name in ("Flora", "Edmond", "Sylvain")}
told = {"practice": practice.key, "online": online.key, "token": link.token, "cookies": cookies}
print(json.dumps(told))
"""
# How far the words of a chosen order go beyond their box.
CUT = """(menu) => {
  const style = getComputedStyle(menu);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const room = menu.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(menu.selectedOptions[0].label).width - room;
}"""


@pytest.fixture(scope="module")
def seeded(new_data_folder: Callable[[], Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    with tables.seeded(new_data_folder(), SEED) as made:
        yield made


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page 390 pixels wide; whatever it complains of fails the test."""
    pages = listening(browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True))
    yield next(pages)
    next(pages, None)


@pytest.mark.parametrize(
    ("province", "order"),
    [("MAO", "F MAO - SPA/NC"), ("STP", "F STP/SC S A MOS - LVN"), ("BOT", "F BOT H")],
)
@pytest.mark.parametrize("path", ["", "en/"])
def test_the_list_shows_an_order_to_its_end(
    phone: Page, seeded: tuple[str, dict[str, Any]], province: str, order: str, path: str
) -> None:
    site, told = seeded
    phone.goto(f"{site}/{path}p/{told['practice']}/")
    boards.ready(phone)
    menu = phone.locator(f"#order-{province}")
    menu.select_option(order)
    assert menu.evaluate(CUT) <= 0


@pytest.mark.parametrize(
    ("path", "name", "first", "then", "last"),
    [
        ("parties", "Flora", "encore 14\u00a0minutes", "encore 13\u00a0minutes", "moins d’une minute"),
        ("en/games", "Edmond", "14\u00a0minutes left", "13\u00a0minutes left", "less than a minute left"),
    ],
)
def test_the_time_left_is_told_in_the_same_words_as_it_runs_out(
    phone: Page, seeded: tuple[str, dict[str, Any]], path: str, name: str, first: str, then: str, last: str
) -> None:
    site, told = seeded
    phone.context.add_cookies([{"name": "sessionid", "value": told["cookies"][name], "url": site}])
    phone.clock.install()
    phone.goto(f"{site}/{path}/{told['online']}/")
    left = phone.locator("#time-left")
    written = left.text_content() or ""
    assert [word for word in written.split() if not word.isdigit()] == [
        word for word in first.split() if not word.isdigit()
    ]
    number = next(int(word) for word in written.split() if word.isdigit())
    phone.clock.run_for(61_000)
    expect(left).to_have_text(then.replace("13", str(number - 1)))
    phone.clock.run_for((number - 1) * 60_000)
    expect(left).to_have_text(last)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_joining_needs_no_scrolling(phone: Page, seeded: tuple[str, dict[str, Any]], language: str) -> None:
    site, told = seeded
    phone.context.add_cookies([{"name": "sessionid", "value": told["cookies"]["Sylvain"], "url": site}])
    phone.goto(site + address("games:join", (told["token"],), language))
    expect(phone.locator(".join-bar button")).to_be_in_viewport(ratio=1)
    phone.locator(".join-bar a").first.tap()
    expect(phone.locator("#terms-title")).to_be_in_viewport()
