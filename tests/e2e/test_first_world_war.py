"""Two people make a First World War and play its first year, a browser each: neutral Italy, then the toss."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e import friends

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


def test_we_are_two(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    with friends.gathered(browser, new_data_folder(), NAMES) as (site, people):
        key = friends.made(people, site, "first_world_war/two_sides", "Neutre au début")
        address = f"{site}/parties/{key}/"
        held = {name: friends.powers_of(page, address) for name, page in people.items()}
        assert sorted(held.values()) == [["AUSTRIA", "GERMANY", "TURKEY"], ["ENGLAND", "FRANCE", "RUSSIA"]]
        flora = people["Flora"]
        for number, (sheets, following) in enumerate(YEAR, 1):
            for name, page in people.items():
                for power in held[name]:
                    if power in sheets:
                        friends.hand_in(page.context, site, key, number, power, sheets[power])
            friends.opened(flora, address, following)
        flora.goto(f"{address}1/")
        expect(flora.locator("main")).to_contain_text("l’Italie est neutre la première année")
        flora.goto(f"{address}2/")
        expect(flora.locator("main")).to_contain_text("Tirage au sort\u00a0: l’Italie rejoint")
        after = {name: friends.powers_of(page, address) for name, page in people.items()}
        expect(flora.locator("main")).to_contain_text("Printemps 1915")
        leader = next(name for name in NAMES if "ITALY" in after[name])
        assert [power for power in after[leader] if power != "ITALY"] == held[leader]
        friends.hand_in(people[leader].context, site, key, 4, "ITALY", "A Venise - Piémont")
