"""A class in real browsers: a teacher and three pupils at two boards, to the receipt."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards, sites
from tests.e2e.conftest import listening

pytestmark = [pytest.mark.browser, pytest.mark.long]

NAMES = (
    "Anna",
    "Bela",
    "Carlo",
    "Dora",
    "Emil",
    "Fanny",
    "Greta",
    "Hugo",
    "Ines",
    "Jan",
    "Kim",
    "Lea",
    "Max",
    "Nina",
)


@pytest.fixture(scope="module")
def site(new_data_folder: Callable[[], Path]) -> Iterator[str]:
    with sites.served(new_data_folder()) as served:
        yield served.address


@contextmanager
def window(browser: Browser, site: str, width: int, height: int) -> Iterator[Page]:
    """A device that nobody is signed in on; it asks no other host for anything."""
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 500)
    strange: list[str] = []
    context.on(
        "request", lambda asked: None if asked.url.startswith((site, "data:")) else strange.append(asked.url)
    )
    page = listening(context)
    yield next(page)
    next(page, None)
    assert strange == []


def shot(page: Page, name: str) -> None:
    """A picture to look at, where a folder for them is named."""
    if folder := os.environ.get("TALLEYRAND_SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def test_a_teacher_and_three_pupils_at_two_boards(browser: Browser, site: str) -> None:
    with ExitStack() as opened:
        teacher = opened.enter_context(window(browser, site, 1440, 900))
        pupils = {
            name: opened.enter_context(window(browser, site, 390, 844)) for name in ("Anna", "Bela", "Hugo")
        }
        teacher.goto(f"{site}/tables/class/")
        shot(teacher, "class_new")
        teacher.fill("#id_names", "\n".join(NAMES))
        teacher.uncheck("#id_draw")
        teacher.click("form button.primary")
        expect(teacher.locator(".class-board")).to_have_count(2)
        code = teacher.locator(".class-code").first.inner_text()
        for name, phone in pupils.items():
            phone.goto(f"{site}/tables/class/join/{code}/")
            shot(phone, f"class_door_{name}")
            phone.get_by_role("button", name=name).click()
            expect(phone.locator(".class-look")).to_have_text("Vous y êtes. Attendez votre professeur.")
        expect(teacher.locator(".class-there.yes")).to_have_count(3)
        shot(teacher, "class_gathers")
        teacher.get_by_role("button", name="Distribuer les puissances").click()
        expect(teacher.locator(".class-map")).to_have_count(2)
        # by itself: the waiting page follows the game
        for phone in pupils.values():
            expect(phone.locator(".class-look")).to_have_count(0)
        anna, hugo = pupils["Anna"], pupils["Hugo"]
        keys = {name: phone.url.rstrip("/").rpartition("/")[2] for name, phone in pupils.items()}
        assert keys["Anna"] == keys["Bela"] != keys["Hugo"]
        anna.goto(f"{site}/parties/{keys['Anna']}/")
        boards.ready(anna)
        anna.click("#resolve")
        expect(teacher.locator(".class-sent", has_text="✓").first).to_be_visible()
        shot(teacher, "class_plays")
        hugo.goto(f"{site}/parties/{keys['Hugo']}/")
        boards.ready(hugo)
        teacher.get_by_role("button", name="Stop : regardez-moi").click()
        for phone in pupils.values():
            expect(phone.get_by_role("heading", name="Regardez votre professeur")).to_be_visible()
        shot(anna, "class_look")
        teacher.get_by_role("button", name="Rendre les téléphones").click()
        for phone in (anna, hugo):
            boards.ready(phone)
        teacher.get_by_role("button", name="Résoudre").click()
        expect(teacher.get_by_role("link", name="Expliquer le dernier résultat")).to_have_count(2)
        shot(teacher, "class_resolved")
        teacher.set_viewport_size({"width": 390, "height": 844})
        shot(teacher, "class_phone")
        teacher.get_by_role("link", name="Tout effacer…").click()
        shot(teacher, "class_erase")
        for phone in pupils.values():
            phone.goto("about:blank")
        teacher.get_by_role("button", name="Tout effacer").click()
        expect(teacher.get_by_role("heading", name="Tout est effacé")).to_be_visible()
        shot(teacher, "class_receipt")
        for path in (f"/tables/{keys['Anna']}/", f"/parties/{keys['Hugo']}/infos/"):
            assert anna.request.get(site + path).status == 404


def test_the_pages_of_a_class_in_english(browser: Browser, site: str) -> None:
    with window(browser, site, 390, 844) as teacher:
        teacher.goto(f"{site}/en/tables/class/lesson-plan/")
        expect(teacher.locator(".lesson-plan > li")).to_have_count(8)
        shot(teacher, "plan_en")
        teacher.goto(f"{site}/en/tables/class/")
        shot(teacher, "class_new_en")
        teacher.fill("#id_names", "Anna\nx@y.z\nBela")
        teacher.click("form button.primary")
        expect(teacher.locator(".errorlist")).to_contain_text("Line 2")
        teacher.fill("#id_names", "\n".join(NAMES[:5]))
        teacher.click("form button.primary")
        expect(teacher.locator(".class-board")).to_have_count(1)
        teacher.get_by_role("button", name="Deal the powers").click()
        expect(teacher.locator(".class-map")).to_have_count(1)
        shot(teacher, "class_en")
        teacher.get_by_role("link", name="Cards to print").click()
        expect(teacher.locator(".class-cards li")).to_have_count(5)
        shot(teacher, "cards_en")
