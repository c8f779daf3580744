"""Four people make a game for themselves, "We are four", and play its first year in one browser each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e import friends
from tests.e2e.test_seven_people import AUTUMN, SPRING, WINTER

pytestmark = [pytest.mark.browser, pytest.mark.long]
NAMES = ("Flora", "Edmond", "Roman", "Agathe")
PAIRS = [["AUSTRIA", "FRANCE"], ["ENGLAND"], ["GERMANY", "TURKEY"], ["ITALY", "RUSSIA"]]
YEAR = ((SPRING, "Automne 1901"), (AUTUMN, "Hiver 1901"), (WINTER, "Printemps 1902"))


def test_we_are_four(browser: Browser, new_data_folder: Callable[[], Path]) -> None:
    with friends.gathered(browser, new_data_folder(), NAMES) as (site, people):
        key = friends.made(people, site, "classic/pairs", "Angleterre, Autriche + France")
        address = f"{site}/parties/{key}/"
        held = {name: friends.powers_of(page, address) for name, page in people.items()}
        assert sorted(held.values()) == PAIRS
        for number, (sheets, following) in enumerate(YEAR, 1):
            for name, page in people.items():
                for power in held[name]:
                    friends.hand_in(page.context, site, key, number, power, sheets[power])
            for page in people.values():
                friends.opened(page, address, following)
