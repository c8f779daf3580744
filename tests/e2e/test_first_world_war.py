"""Two people make a First World War and play its first year, a browser each: neutral Italy, then the toss."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import tables
from tests.e2e.steps import follow
from tests.e2e.test_four_people import SEED, hand_in, somebody
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.long]
NAMES = ("Flora", "Edmond")
SPRING = {
    "AUSTRIA": "F Trieste - Venise\nA Vienne - Tyrol\nA Budapest - Serbie",
    "ENGLAND": "F Édimbourg - mer de Norvège\nF Londres - mer du Nord\nA Liverpool - Yorkshire",
    "FRANCE": "A Marseille - Piémont\nA Paris - Bourgogne\nF Brest - Atlantique moyen",
    "GERMANY": "A Munich - Ruhr\nA Berlin tient\nF Kiel - Danemark",
    "RUSSIA": "A Moscou tient\nA Varsovie - Ukraine\nF Sébastopol - mer Noire\nF Saint-Pétersbourg tient",
    "TURKEY": "A Constantinople - Bulgarie\nA Smyrne - Constantinople\nF Ankara tient",
}
AUTUMN = {
    power: "\n".join(f"{unit} tient" for unit in units.split(","))
    for power, units in {
        "AUSTRIA": "F Trieste,A Tyrol,A Serbie",
        "ENGLAND": "F mer de Norvège,F mer du Nord,A Yorkshire",
        "FRANCE": "A Marseille,A Bourgogne,F Atlantique moyen",
        "GERMANY": "A Ruhr,A Berlin,F Danemark",
        "RUSSIA": "A Moscou,A Ukraine,F mer Noire,F Saint-Pétersbourg",
        "TURKEY": "A Bulgarie,A Constantinople,F Ankara",
    }.items()
}
WINTER = {"AUSTRIA": "A Vienne", "GERMANY": "A Munich", "TURKEY": "A Smyrne"}
YEAR = ((SPRING, "Automne 1914"), (AUTUMN, "Hiver 1914"), (WINTER, "Printemps 1915"))


def powers_of(page: Page, address: str) -> list[str]:
    """The powers among which somebody's board lets him choose."""
    page.goto(address)
    found: list[str] = page.locator("#plays option").evaluate_all("options => options.map(one => one.value)")
    return found


def test_we_are_two(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    with tables.seeded(new_data_folder(), SEED, json.dumps(NAMES)) as (site, cookies), ExitStack() as windows:
        people = {
            name: windows.enter_context(somebody(browser, site, cookies[name], 390 if at else 1280))
            for at, name in enumerate(NAMES)
        }
        key = made(people, site)
        address = f"{site}/parties/{key}/"
        held = {name: powers_of(page, address) for name, page in people.items()}
        assert sorted(held.values()) == [["AUSTRIA", "GERMANY", "TURKEY"], ["ENGLAND", "FRANCE", "RUSSIA"]]
        flora = people["Flora"]
        for number, (sheets, following) in enumerate(YEAR, 1):
            for name, page in people.items():
                for power in held[name]:
                    if power in sheets:
                        hand_in(page.context, site, key, number, power, sheets[power])
            wait_until(lambda: following in flora.context.request.get(address).text())  # noqa: B023 (it is waited for)
        flora.goto(f"{address}1/")
        expect(flora.locator("main")).to_contain_text("l’Italie est neutre la première année")
        flora.goto(f"{address}2/")
        expect(flora.locator("main")).to_contain_text("Tirage au sort\u00a0: l’Italie rejoint")
        after = {name: powers_of(page, address) for name, page in people.items()}
        expect(flora.locator("main")).to_contain_text("Printemps 1915")
        leader = next(name for name in NAMES if "ITALY" in after[name])
        assert [power for power in after[leader] if power != "ITALY"] == held[leader]
        hand_in(people[leader].context, site, key, 4, "ITALY", "A Venise - Piémont")


def made(people: Mapping[str, Page], site: str) -> str:
    """The key of a game that one makes for two, and that begins when the other comes by its link."""
    flora = people["Flora"]
    flora.goto(f"{site}/parties/nouvelle/")
    follow(flora.locator("button[name=fill][value=friends]"))
    flora.fill("#name", "Nous deux")
    follow(flora.locator("button[name=count][value='2']"))
    flora.locator("input[name=game][value='first_world_war/two_sides']").check()
    follow(flora.locator(".first-questions button.primary"))
    expect(flora.locator("main")).to_contain_text("Neutre au début")
    key = flora.url.split("/parties/")[1].split("/")[0]
    follow(flora.locator("#links form button").last)
    address = flora.locator("#links input.address").first.input_value()
    people["Edmond"].goto(address)
    follow(people["Edmond"].locator("main button.primary").first)
    return key
