"""The first year of the First World War in a browser: two people, neutral Italy, the toss, Italy's orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.tables import Table, seeded

SEED = """
import json
from datetime import timedelta
import django; django.setup()
from django.utils import timezone
from talleyrand.web.games.models import Game
from tests.web import cast
from tests.web.games import wars
game = wars.begun()
soon = timezone.now() + timedelta(days=2)
Game.objects.filter(pk=game.pk).update(deadline=soon, next_check_at=soon)
sides = {"Entente": wars.player(game, "FRANCE"), "Central": wars.player(game, "AUSTRIA")}
names = {**sides, "Master": cast.MASTER}
cookies = {one: cast.client_of(name).cookies["sessionid"].value for one, name in names.items()}
print(json.dumps({"key": game.key, "cookies": cookies}))
"""


@pytest.fixture(scope="module")
def war(new_data_folder: Callable[[], Path]) -> Iterator[Table]:
    with seeded(new_data_folder(), SEED) as (site, told):
        yield Table(site, told["key"], told["cookies"])


def written(page: Page, war: Table, text: str) -> None:
    """All that somebody orders, by the text of the sheet."""
    page.goto(war.address())
    page.get_by_role("tab", name="Texte").click()
    page.locator("#sheet").fill(text)
    page.locator("#resolve").click()
    expect(page.locator("#standing")).to_contain_text("rdres nº")
