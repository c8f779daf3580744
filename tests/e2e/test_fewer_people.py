"""Three, five and six people play the first year of a game that fits their number, a browser each.

Two of them look at what happens and give orders on the map; the others send the form of their page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import boards, friends

pytestmark = [pytest.mark.browser, pytest.mark.long]
NAMES = ("Flora", "Edmond", "Roman", "Agathe", "Irène", "Théa")
SPRING = {
    "AUSTRIA": "A VIE - TYR\nF TRI - ADR\nA BUD - SER",
    "ENGLAND": "F LON - NTH\nF EDI - NWG\nA LVP - YOR",
    "FRANCE": "A PAR - BUR\nA MAR - PIE\nF BRE - MAO",
    "GERMANY": "F KIE - DEN\nA BER - KIE\nA MUN H",
    "ITALY": "A ROM - APU\nF NAP - ION\nA VEN H",
    "RUSSIA": "A WAR - SIL\nF SEV - RUM\nF STP/SC - BOT\nA MOS H",
    "TURKEY": "A CON - BUL\nA SMY - CON\nF ANK H",
}
AUTUMN = {
    "AUSTRIA": "A TYR - VEN\nF ADR S A TYR - VEN\nA SER H",
    "ENGLAND": "F NWG - NWY\nF NTH H\nA YOR H",
    "FRANCE": "A BUR - MUN\nA PIE S A VEN\nF MAO - POR",
    "GERMANY": "F DEN H\nA KIE - HOL\nA MUN H",
    "ITALY": "A APU - TUN\nF ION C A APU - TUN\nA VEN H",
    "RUSSIA": "A SIL S A BUR - MUN\nF RUM H\nF BOT - SWE\nA MOS H",
    "TURKEY": "A BUL - GRE\nA CON H\nF ANK H",
}
RETREAT = {"GERMANY": "A MUN R RUH"}
WINTER = {
    "AUSTRIA": "A VIE",
    "ENGLAND": "F LON",
    "FRANCE": "A PAR\nA MAR",
    "GERMANY": "A KIE",
    "ITALY": "A ROM",
    "RUSSIA": "A WAR\nF SEV",
    "TURKEY": "A SMY",
}


@dataclass(frozen=True)
class SmallGame:
    """A game as the form names it, for how many, what its terms say, its year, the powers that nobody plays;
    eliminated ones stand, others are in civil disorder."""

    game: str
    people: int
    said: str
    year: int = 1901
    unplayed: tuple[str, ...] = ()
    units_stand: bool = False


GAMES = (
    SmallGame("classic/three_two_two", 3, "Angleterre + Allemagne + Autriche, Russie + Italie"),
    SmallGame(
        "classic/elimination_five", 5, "Éliminées d’avance", 1801, ("GERMANY", "ITALY"), units_stand=True
    ),
    SmallGame("classic/disorder_five", 5, "En désordre civil toute la partie", unplayed=("GERMANY", "ITALY")),
    SmallGame("classic/elimination_six", 6, "Éliminée", 1870, ("ITALY",), units_stand=True),
)


@dataclass
class Table:
    """A game that has begun: who has which powers, each with a page."""

    site: str
    key: str
    people: Mapping[str, Page]
    held: Mapping[str, list[str]]

    @property
    def address(self) -> str:
        return f"{self.site}/parties/{self.key}/"

    def opened(self, phase: str) -> None:
        """The two who look find this phase open."""
        for name in NAMES[:2]:
            friends.opened(self.people[name], self.address, phase)

    def play(self, sheets: Mapping[str, str], touching: Iterable[str] = ()) -> None:
        """Everybody's orders for the open phase; `touching` names those who give theirs on the map."""
        frame = self.people[NAMES[0]].locator("#game-frame")
        number = int(frame.get_attribute("data-number") or 0)
        for name, page in self.people.items():
            for power in self.held[name]:
                if power not in sheets:
                    continue
                if name in touching:
                    self._touch(page, power, sheets[power])
                else:
                    friends.hand_in(page.context, self.site, self.key, number, power, sheets[power])

    def _touch(self, page: Page, power: str, sheet: str) -> None:
        page.goto(f"{self.address}?power={power}")
        boards.ready(page)
        for line in sheet.splitlines():
            unit, _goes, goal = line.partition(" - ")
            if goal:
                boards.touch(page, "classic", unit.split()[1].partition("/")[0])
                boards.touch(page, "classic", goal)
                place = unit.split()[1].partition("/")[0]
                expect(page.locator(f"#order-{place}")).to_have_value(line)
        boards.saved(page)
        page.locator("#final").click()
        expect(page.locator("#final")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("small", GAMES, ids=lambda one: one.game)
def test_a_first_year(browser: Browser, new_data_folder: Callable[[], Path], small: SmallGame) -> None:
    with friends.gathered(browser, new_data_folder(), NAMES[: small.people]) as (site, people):
        table = begun(site, people, small)
        table.play(SPRING, NAMES[:2])
        table.opened(f"Automne {small.year}, mouvements")
        table.play(AUTUMN)
        if "GERMANY" not in small.unplayed:
            table.opened(f"Automne {small.year}, retraites")
            table.play(RETREAT)
        table.opened(f"Hiver {small.year}")
        table.play(WINTER)
        table.opened(f"Printemps {small.year + 1}")
        for name in NAMES[:2]:
            stands(people[name], small)


def begun(site: str, people: Mapping[str, Page], small: SmallGame) -> Table:
    """The table whose powers all are played but those that the form said."""
    key = friends.made(people, site, small.game, small.said)
    address = f"{site}/parties/{key}/"
    for page in people.values():
        friends.opened(page, address, f"Printemps {small.year}")
    held = {name: friends.powers_of(page, address) for name, page in people.items()}
    played = [power for powers in held.values() for power in powers]
    assert sorted([*played, *small.unplayed]) == sorted(SPRING)
    return Table(site, key, people, held)


def stands(page: Page, small: SmallGame) -> None:
    """What the year came to: a power that nobody plays is where it was, less what was dislodged."""
    boards.ready(page)
    units, owners = boards.units(page), boards.owners(page)
    assert "MUN" in owners["FRANCE"]
    assert units["FRANCE"] == {"A MUN", "A PIE", "F POR", "A PAR", "A MAR"}
    if "GERMANY" in small.unplayed:
        assert (units["GERMANY"], owners["GERMANY"]) == ({"A BER", "F KIE"}, {"BER", "KIE"})
    else:
        assert (len(units["GERMANY"]), owners["GERMANY"]) == (4, {"BER", "KIE", "DEN", "HOL"})
    venice = (
        {"A VEN", "A ROM", "F NAP"} if "ITALY" in small.unplayed else {"A VEN", "A ROM", "A TUN", "F ION"}
    )
    assert units["ITALY"] == venice
    marked = page.locator(".game .counts tr", has_text="éliminée")
    expect(marked).to_have_count(len(small.unplayed) if small.units_stand else 0)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    for power in small.unplayed:
        expect(page.locator(f".orders [data-power={power}]")).to_have_count(0)
