"""On a telephone the header of a tournament’s page takes a line, however long the tournament’s name."""

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
from dataclasses import replace
import django; django.setup()
from django.test.utils import setup_test_environment
setup_test_environment()
from tests.web import cast
from tests.web.tournaments import scene, weekend
from talleyrand.web.tournaments import tournament_creation
from talleyrand.web.tournaments.models import Tournament
name = "Championnat d’Europe de Diplomacy par équipes, Angers et Nantes, édition anniversaire 2026"
made = tournament_creation.create_tournament(replace(weekend.event(), name=name), scene.director())
Tournament.objects.filter(pk=made.pk).update(is_listed=True)
people = (cast.MASTER, "Augustin-Barthélemy de La Rochefoucauld")
print(json.dumps([made.key, *(cast.client_of(one).cookies["sessionid"].value for one in people)]))
"""
LINES = """
[".site-header", ".tournament-head h1", ".tournament-head .setting"].map((name) => {
  const node = document.querySelector(name), line = parseFloat(getComputedStyle(node).lineHeight);
  return Math.round(node.getBoundingClientRect().height / (name === ".site-header" ? 52 : line));
}).concat([document.documentElement.scrollWidth - innerWidth, [...document.querySelectorAll(".site-header a")]
  .filter((link) => link.offsetParent).map((link) => link.getBoundingClientRect())
  .filter((box, at, all) => at && box.left < all[at - 1].right).length])
"""


def test_the_header_is_one_line(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    with tables.seeded(new_data_folder(), SEED) as (site, (key, *sessions)):
        for language in ("fr", "en"):
            for cookie in ("", *sessions):
                context = browser.new_context(viewport={"width": 390, "height": 844})
                context.set_default_timeout(PATIENCE)
                if cookie:
                    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
                page = context.new_page()
                page.goto(f"{site}{address('tournaments:rounds', (key,), language)}?lang={language}")
                assert page.evaluate(LINES) == [1, 1, 1, 0, 0], (language, cookie)
                context.close()
