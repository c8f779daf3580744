"""A turn with votes in a browser: a ballot by touch on a phone, the search, the Secretary-General."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e import boards
from tests.e2e.steps import follow
from tests.e2e.tables import Table, seeded

SEED = """
import json
from datetime import timedelta
import django; django.setup()
from django.utils import timezone
from talleyrand.web.games.models import Game
from tests.web import cast
from tests.web.games.states import begun, played, player
game = begun()
played(game, {"UMAR": ["2 : M MOR - CAI"]})
soon = timezone.now() + timedelta(days=2)
Game.objects.filter(pk=game.pk).update(deadline=soon, next_check_at=soon)
names = {"India": "INDE", "Maghreb": "UMAR", "Market": "MCCA"}
names = {name: player(state) for name, state in names.items()} | {"Master": cast.MASTER}
cookies = {one: cast.client_of(name).cookies["sessionid"].value for one, name in names.items()}
print(json.dumps({"key": game.key, "cookies": cookies}))
"""


pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(scope="module")
def world(new_data_folder: Callable[[], Path]) -> Iterator[Table]:
    with seeded(new_data_folder(), SEED) as (site, told):
        table = Table(site, told["key"], told["cookies"])
        with urlopen(table.address(), timeout=120):  # the first page of a large board is the slowest
            yield table


def test_a_ballot_by_touch_on_a_phone(world: Table, browser: Browser) -> None:
    with world.window(browser, "India", 390, 844) as page:
        page.goto(world.address())
        expect(page.locator(".debate")).to_contain_text("Union du Maghreb arabe")
        ballot = page.locator(".leaflet").filter(has_text="Vote sur les missions")
        ballot.locator("label").filter(has_text="Union du Maghreb arabe").tap()
        page.get_by_role("tab", name="Texte").tap()
        expect(page.locator("#sheet")).to_have_value("UNION INDIENNE\n2 UMAR\n")
        page.locator("#resolve").tap()
        expect(page.locator("#standing")).to_contain_text("rdres nº")
        page.reload()
        expect(ballot.locator("input:checked")).to_have_value("UMAR")
        page.get_by_role("tab", name="Liste").tap()
        button = page.locator("#resolve")
        expect(button).to_have_text("Envoyés")  # until something is changed
        expect(button).to_be_disabled()
        ballot.locator("label").filter(has_text="abstention").tap()
        expect(button).to_have_text("Envoyer")
        expect(button).to_be_enabled()
        expect(page.locator("#standing")).to_contain_text("diffère des ordres")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0


def test_a_province_is_found_by_its_name(world: Table, browser: Browser) -> None:
    with world.window(browser, "India", 1400, 900) as page:
        page.goto(world.address())
        page.get_by_label("Trouver une province").fill("zzz")
        page.get_by_label("Trouver une province").press("Enter")
        expect(page.locator("#status")).to_contain_text("Aucune province ne correspond à « zzz »")
        before = page.locator("#p-BOG").bounding_box()
        page.get_by_label("Trouver une province").fill("bogota")
        page.get_by_label("Trouver une province").press("Enter")
        assert before is not None
        width = "document.querySelector('#p-BOG').getBoundingClientRect().width"
        page.wait_for_function(f"(before) => {width} > 2 * before", arg=before["width"])


def test_a_key_hands_in_and_keeps_its_place(world: Table, browser: Browser) -> None:
    with world.window(browser, "Market", 1400, 900) as page:
        page.goto(world.address())
        page.locator("#resolve").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#resolve")).to_have_text("Envoyés")
        expect(page.locator("#resolve")).to_be_focused()
        expect(page.locator("#status")).to_contain_text("reçus le")


def test_the_secretary_general_dismantles_a_unit_on_the_map(world: Table, browser: Browser) -> None:
    with world.window(browser, "Master", 1400, 900) as page:
        page.goto(world.address())
        boards.ready(page)
        boards.touch(page, "diplomatie_2000", "MOR")
        expect(page.locator("#order-MOR")).not_to_have_value("")
        boards.touch(page, "diplomatie_2000", "MOR")
        expect(page.locator("#order-MOR")).to_have_value("")


def test_the_game_master_presides_and_leads(world: Table, browser: Browser) -> None:
    with world.window(browser, "Master", 1400, 900) as page:
        page.goto(world.address(english=True))
        expect(page.locator("#orders-title")).to_be_visible()
        expect(page.locator("#sheets-title")).to_be_visible()  # and still reads what the states have sent


def test_a_proposal_is_argued_for_and_answered(world: Table, browser: Browser) -> None:
    with world.window(browser, "Maghreb", 390, 844) as page:
        page.goto(world.address())
        page.get_by_role("link", name="La défendre").tap()
        expect(page.locator("#write .about")).to_contain_text("Union du Maghreb arabe, missions des M")
        page.get_by_label("Votre message").fill("Le Caire nous attend.\nElle y sera en sûreté.")
        page.locator("#write button.primary").tap()
        expect(page.locator(".letter-list")).to_contain_text("Le Caire nous attend.")
        page.goto(world.address())
        expect(page.locator(".debate .argument")).to_contain_text("Elle y sera en sûreté.")
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0
    with world.window(browser, "India", 1400, 900) as page:
        page.goto(world.address(english=True))
        follow(page.get_by_role("link", name="Reply to everyone"))
        page.get_by_label("Your message").fill("Leave her where she is.")
        page.locator("#write button.primary").click()
        expect(page.locator(".letter-list")).to_contain_text("Leave her where she is.")
        page.goto(world.address(english=True))
        page.get_by_text("Replies (1)").click()
        expect(page.locator(".debate .thread")).to_contain_text("Leave her where she is.")


def test_open_points_are_offered_with_their_board_alone(world: Table, browser: Browser) -> None:
    with world.window(browser, "India", 390, 844) as page:
        page.goto(f"{world.site}/parties/nouvelle/")
        group = page.locator(".option:has(> input[value=diplomatie_2000]) .own-questions")
        page.locator("summary").filter(has_text="Variante et règlement").tap()
        expect(group).to_be_hidden()
        page.get_by_label("Diplomatie 2000", exact=True).check()
        expect(group).to_be_visible()
        group.locator("summary").tap()
        page.get_by_label("Partie longue", exact=False).check()
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0


def test_subversion_by_touch_on_the_map(world: Table, browser: Browser) -> None:
    with world.window(browser, "Market", 390, 844) as page:
        page.goto(world.address(english=True))
        aim = page.get_by_role("button", name="On the map : Subversion (SA)")
        chosen = page.locator(".leaflet").filter(has_text="Subversion (SA)").locator("select")
        aim.tap()
        expect(aim).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#status")).to_contain_text("Subversion (SA): select a province on the map.")
        page.locator("#p-OIN").dispatch_event("click")  # a sea: it says why
        expect(page.locator("#status")).to_contain_text("North Indian Ocean is at sea")
        page.locator("#p-XIN").dispatch_event("click")
        expect(chosen).to_have_value("AS XIN")
        expect(page.locator("#status")).to_contain_text("Xining")
        expect(aim).to_have_attribute("aria-pressed", "false")
        page.locator("#undo").tap()
        expect(chosen).to_have_value("")
    with world.window(browser, "Market", 1400, 900) as page:
        page.goto(world.address())
        aim = page.get_by_role("button", name="Sur la carte : Action subversive (AS)")
        aim.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        chosen = page.locator(".leaflet").filter(has_text="Action subversive (AS)").locator("select")
        expect(chosen).not_to_have_value("")
        page.keyboard.press("u")
        expect(chosen).to_have_value("")
        aim.click()
        page.keyboard.press("Escape")
        expect(aim).to_have_attribute("aria-pressed", "false")
