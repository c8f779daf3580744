"""A referee and a player with phones: a seat on paper, a bell, a late sheet, and a quarrel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import sites, tables
from tests.e2e.conftest import listening

SEED = """
import json
import django; django.setup()
from django.test.utils import setup_test_environment
setup_test_environment()
from tests.web.tables.phones import NAMES, open_table, phone_of
table, laptop = open_table(dealing="seated")
phones = {name: phone_of(table, name) for name in NAMES[:6]}
laptop.post(f"/tables/{table.game.key}/start/")
cookies = {name: one.cookies["sessionid"].value for name, one in {"laptop": laptop, **phones}.items()}
print(json.dumps({"key": table.game.key, "cookies": cookies}))
"""
LATE = """
import sys
import django; django.setup()
from datetime import timedelta
from django.utils import timezone
from talleyrand.web.tables.models import LateOrders, TablePlayer
key, power, line = sys.argv[1:]
player = TablePlayer.objects.get(
    table__game__key=key, person__tenures__seat__power=power, person__tenures__ended_at=None
)
bell = player.table.game.deadline
LateOrders.objects.create(
    player=player, phase_number=1, power=power, idempotency_key="late", lines=[line],
    written_at=bell - timedelta(seconds=20), received_at=bell + timedelta(seconds=40),
)
"""


@contextmanager
def window(browser: Browser, site: str, cookie: str, width: int, height: int) -> Iterator[Page]:
    """A phone or a laptop of the table."""
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 500)
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    page = listening(context)
    yield next(page)
    next(page, None)


@pytest.mark.long
def test_a_late_sheet_and_a_paper_seat(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    folder = new_data_folder()
    with tables.seeded(folder, SEED) as (site, told):
        key, cookies = told["key"], told["cookies"]
        referee, received = f"{site}/tables/{key}/referee/", f"{site}/tables/{key}/received/"
        with (
            window(browser, site, cookies["laptop"], 390, 844) as desk,
            window(browser, site, cookies["Anna"], 390, 844) as phone,
        ):
            desk.goto(referee)
            desk.get_by_role("link", name="Turquie").click()
            desk.get_by_role("link", name="Saisir les ordres du papier").click()
            desk.get_by_label("Tous les ordres").fill("F ANK - CON\nA CON - BUL\nA SMY - ANK")
            desk.get_by_role("button", name="Montrer ce qui est compris").click()
            expect(desk.get_by_text("Ordres donnés : 3 sur 3")).to_be_visible()
            desk.get_by_role("button", name="Envoyer").click()
            expect(desk.get_by_text("Reçu pour Turquie : v1")).to_be_visible()
            if desk.get_by_role("button", name="Lancer la pendule").count():
                desk.get_by_role("button", name="Lancer la pendule").click()
            desk.get_by_role("button", name="Sonner la cloche…").click()
            expect(desk.get_by_text("Autriche")).to_be_visible()
            desk.get_by_role("button", name="Sonner la cloche").click()
            sites.run(LATE, folder, key, "AUSTRIA", "A VIE - GAL")
            desk.goto(referee)
            expect(desk.get_by_text("40 secondes après la cloche")).to_be_visible()
            expect(desk.get_by_text("20 secondes avant")).to_be_visible()
            desk.get_by_role("button", name="Les compter").click()
            phone.goto(received)
            expect(phone.get_by_text("v1").first).to_be_visible()
            expect(phone.get_by_text("A VIE - GAL")).to_have_count(0)
            desk.get_by_role("button", name="Lire sans attendre").click()
            expect(desk.get_by_text("désordre civil")).to_be_visible()
            desk.get_by_role("button", name="Lire les ordres").click()
            expect(desk.get_by_text("Phase résolue")).to_be_visible()
            phone.goto(received)
            expect(phone.get_by_text("A VIE - GAL")).to_be_visible()
            expect(phone.get_by_text("A SMY - ANK")).to_be_visible()
            width = "document.documentElement.scrollWidth <= window.innerWidth"
            assert desk.evaluate(width)
            assert phone.evaluate(width)
