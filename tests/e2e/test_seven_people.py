"""Seven people and a game master play 1901 and 1902 on line, four in French, three in English.

Unless `--full` 1902 is left out, and from the second phase on most of them send the form of the page without
looking at it.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.e2e.conftest import PATIENCE, is_fault
from tests.e2e.sites import served
from tests.e2e.steps import follow, hand_in
from tests.web.cast import PLAYERS

pytestmark = pytest.mark.browser
PASSWORD = "quelques mots faciles"
# Renaud takes over from Roman in the first winter.
LATER = {**PLAYERS, "RUSSIA": "Renaud"}
ENGLISH = ("Edmond", "Gaspard", "Irène")
PHONES = ("Flora", "Gaspard")
LOOKING = ("FRANCE", "ENGLAND")  # whose people always use their pages: a phone in French, a desk in English
SPRING = {
    "AUSTRIA": "A Bud-Ser\nF Tri-Alb\nA Vie H",
    "ENGLAND": "F London - North Sea\nF Edi-NWG\nA Lvp-Yor",
    "FRANCE": "A Mar-Esp\nF Bre-MAO\nA Par-Gas",
    "GERMANY": "F Kiel - Denmark\nA Ber-Kie\nA Mun-Ruh",
    "ITALY": "A Ven H\nA Rom-Apu\nF Nap-ION",
    "RUSSIA": "F Seb-Rou\nA Mos-Seb\nA Var-Ukr\nF StP(cs)-Bot",
    "TURKEY": "A Con-Bul\nA Smy-Con\nF Ank-Noi",
}
AUTUMN = {
    "AUSTRIA": "A Ser-Gre\nF Alb S A Ser-Gre\nA Vie-Bud",
    "ENGLAND": "F NWG-Nwy\nF NTH C A Yor-Bel\nA Yor-Bel",
    "FRANCE": "F MAO-Por\nA Esp H\nA Gas-Mar",
    "GERMANY": "F Den-Swe\nA Kie-Hol\nA Ruh-Mun",
    "ITALY": "A Apu-Tun\nF ION C A Apu-Tun\nA Ven H",
    "RUSSIA": "F Bot-Sue\nF Rou H\nA Seb H\nA Ukr-Var",
    "TURKEY": "A Bul H\nA Con H\nF Noi H",
}
WINTER = {
    "AUSTRIA": "A Vie",
    "ENGLAND": "F Lon\nA Edi",
    "FRANCE": "A Par",
    "GERMANY": "F Kie\nA Ber",
    "ITALY": "A Rom",
    "RUSSIA": "A Mos",
    "TURKEY": "A Smy",
}
HOLDS = {
    "AUSTRIA": "A Gre H",
    "ENGLAND": "A Bel H",
    "FRANCE": "A Par-Bou",
    "GERMANY": "A Hol H",
    "ITALY": "A Tun H",
    "RUSSIA": "A Mos-StP",
    "TURKEY": "A Bul H",
}


@dataclass
class Somebody:
    """A person with a window, in the language that he reads."""

    name: str
    page: Page
    site: str
    english: bool
    complaints: list[str] = field(default_factory=list)

    @property
    def root(self) -> str:
        return f"{self.site}/en/games/" if self.english else f"{self.site}/parties/"

    def listen(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if is_fault(message) and "status of 404" not in message.text:
            self.complaints.append(message.text)

    def open(self, key: str, path: str = "") -> Page:
        self.page.goto(f"{self.root}{key}/{path}")
        return self.page

    def says(self, french: str, english: str) -> str:
        return english if self.english else french

    def sign_up(self) -> None:
        self.page.fill("[name=username]", self.name)
        for field_name in ("password1", "password2"):
            self.page.fill(f"[name={field_name}]", PASSWORD)
        self.page.locator("form:has([name=password1]) button.primary").click()
        self.page.wait_for_url(lambda url: "inscription" not in url and "sign-up" not in url)

    def join(self, link: str) -> None:
        """Follow an invitation: make an account, then say yes to what is agreed."""
        self.page.goto(link.replace("/parties/", "/en/games/") if self.english else link)
        follow(self.page.locator("main a[href*='inscription'], main a[href*='sign-up']").first)
        self.sign_up()
        follow(self.page.locator("main button.primary").first)

    def hand_in(self, key: str, sheet: str, *, final: bool = False) -> None:
        """Type a sheet and hand it in; the page has to say that it was received."""
        page = self.type_and_send(key, sheet, final=final)
        expect(page.locator("#standing")).to_contain_text(self.says("Ordres nº", "Orders v"))

    def type_and_send(self, key: str, sheet: str, *, final: bool) -> Page:
        page = self.open(key)
        page.locator("#tab-sheet").click()
        page.fill("#sheet", sheet)
        name = self.says("Prêt", "Ready") if final else self.says("Envoyer", "Submit")
        hand_in(page.get_by_role("button", name=name, exact=True))
        return page

    def send(self, key: str, number: int, power: str, sheet: str) -> None:
        """Hand a sheet in by the form that the page has where there are no scripts."""
        context = self.page.context
        tokens = (cookie["value"] for cookie in context.cookies(self.site) if cookie["name"] == "csrftoken")
        answer = context.request.post(
            f"{self.root}{key}/{number}/orders/{power}/",
            form={"sheet": sheet, "action": "hand_in", "submission": secrets.token_urlsafe(16)},
            headers={"X-CSRFToken": next(tokens)},
            max_redirects=0,
        )
        assert answer.status == 302, answer.text()


class Table:
    """A site of its own, the people and their game."""

    def __init__(self, browser: Browser, site: str, link: str, *, full: bool) -> None:
        self.browser, self.site, self.full = browser, site, full
        self.players = dict(PLAYERS)
        self.people: dict[str, Somebody] = {}
        self.contexts: list[BrowserContext] = []
        self.key = ""
        self.master = self.enter("Maëlle")
        self.master.page.goto(link)
        self.master.sign_up()

    def enter(self, name: str) -> Somebody:
        size = {"width": 390, "height": 844} if name in PHONES else {"width": 1280, "height": 900}
        context = self.browser.new_context(viewport=size, timezone_id="Europe/Paris")  # type: ignore[arg-type]
        somebody = Somebody(name, context.new_page(), self.site, name in ENGLISH)
        somebody.listen()
        self.contexts.append(context)
        self.people[name] = somebody
        return somebody

    def of(self, power: str) -> Somebody:
        return self.people[self.players[power]]

    def desk(self, path: str = "") -> Page:
        return self.master.open(self.key, f"desk/{path}")

    def hand_in(self, number: int, sheets: Mapping[str, str]) -> None:
        """Hand in for a phase, everybody on their page or most of them without it."""
        for power, sheet in sheets.items():
            if self.full or power in LOOKING:
                self.of(power).hand_in(self.key, sheet)
            else:
                self.of(power).send(self.key, number, power, sheet)

    def judge(self) -> None:
        """The game master judges the open phase now."""
        page = self.desk("adjudicate/")
        follow(page.get_by_role("button", name="Résoudre maintenant"))

    def phase(self, words: str | re.Pattern[str]) -> None:
        """The open phase, as a visitor without account finds it."""
        expect(self.master.open(self.key).locator(".game-head")).to_contain_text(words)

    def close(self) -> list[str]:
        for context in self.contexts:
            context.close()
        return [f"{one.name}: {text}" for one in self.people.values() for text in one.complaints]


@pytest.fixture
def round_table(browser: Browser, new_data_folder: Callable[[], Path], full: bool) -> Iterator[Table]:
    """A new site, whose first administrator is the game master; complaints of any page fail the test."""
    with served(new_data_folder()) as site:
        table = Table(browser, site.address, site.first_link(), full=full)
        yield table
        complaints = table.close()
    assert complaints == []


@pytest.mark.long
def test_a_game_of_two_years(round_table: Table) -> None:
    table = round_table
    gather(table)
    write_letters(table)
    spring_with_a_late_player(table)
    autumn_taken_back_and_overridden(table)
    winter_with_a_replacement(table)
    if table.full:
        second_year(table)
    draw(table)


def gather(table: Table) -> None:
    """The game master makes a game, invites, gives the powers and begins."""
    page = table.master.page
    page.goto(f"{table.site}/parties/nouvelle/")
    page.fill("[name=name]", "La table ronde")
    page.get_by_label("Je suis maître de jeu").check()
    follow(page.get_by_role("button", name="Créer la partie").first)
    table.key = page.url.split("/")[4]
    follow(page.get_by_role("button", name="Créer le lien"))
    link = page.locator("input[value*='/invitation/']").first.input_value()
    for name in PLAYERS.values():
        table.enter(name).join(link)
    page.reload()
    page.get_by_text("Attribuer les puissances soi-même").click()
    for power, name in PLAYERS.items():
        page.select_option(f"[name=give-{power}]", label=name)
    follow(page.locator("form:has([name=give-FRANCE]) button").last)
    table.phase("Printemps 1901")


def write_letters(table: Table) -> None:
    """France writes to Germany in French, and is answered from an English page."""
    flora, gaspard = table.of("FRANCE"), table.of("GERMANY")
    send(flora, table.key, "Allemagne", "La Bourgogne reste vide ?")
    page = gaspard.open(table.key, "messages/")
    follow(page.get_by_role("link", name=re.compile("France")).first)
    expect(page.locator("main")).to_contain_text("La Bourgogne reste vide ?")
    page.fill("#text", "It does. Sweden is mine.")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator(".letter-list")).to_contain_text("Sweden is mine.")
    page = flora.open(table.key, "messages/")
    follow(page.get_by_role("link", name=re.compile("Allemagne")).first)
    expect(page.locator("main")).to_contain_text("Sweden is mine.")
    assert "Gaspard" not in page.content()
    irene = table.of("ITALY").open(table.key, "messages/")
    assert "Bourgogne" not in irene.content()


def send(writer: Somebody, key: str, to: str, text: str) -> None:
    page = writer.open(key, "messages/")
    follow(page.get_by_role("link", name=re.compile(to)).first)
    page.fill("#text", text)
    page.get_by_role("button", name=writer.says("Envoyer", "Send"), exact=True).click()
    expect(page.locator(".letter-list")).to_contain_text(text)


def spring_with_a_late_player(table: Table) -> None:
    """Turkey is late and reminded; once all are final the clock publishes."""
    for power, sheet in SPRING.items():
        if power != "TURKEY":
            table.of(power).hand_in(table.key, sheet, final=True)
    page = table.desk()
    expect(page.locator("main")).to_contain_text("Turquie")
    follow(page.get_by_role("button", name="Rappeler les joueurs sans ordres"))
    follow(page.get_by_role("button", name="Prolonger", exact=True))
    thea = table.of("TURKEY")
    thea.page.goto(f"{table.site}/notifications/")
    expect(thea.page.locator("main")).to_contain_text("La table ronde")
    page = table.of("AUSTRIA").open(table.key)
    last = thea.type_and_send(table.key, SPRING["TURKEY"], final=True)
    # the phase may be published before the page has said that it was received
    expect(last.locator("main")).to_contain_text(re.compile("Ordres nº|[Rr]ésultats"))
    expect(page.locator("#game-news")).to_be_visible(timeout=2 * PATIENCE)
    table.phase("Automne 1901")


def autumn_taken_back_and_overridden(table: Table) -> None:
    """The autumn is judged, taken back, judged again; then a result is overridden with its reason."""
    table.hand_in(2, AUTUMN)
    table.judge()
    table.phase("Hiver 1901")
    follow(table.desk("back/").get_by_role("button", name="Revenir en arrière"))
    table.phase("Automne 1901")
    expect(table.of("ITALY").open(table.key).locator(".banners")).to_contain_text("rolled back")
    table.of("TURKEY").hand_in(table.key, "A Bul H\nA Con H\nF Noi-Con")
    table.judge()
    table.phase("Hiver 1901")
    override(table)
    banner = table.of("FRANCE").open(table.key).locator(".banners")
    expect(banner).to_contain_text("La flotte avait un ordre barré")


def override(table: Table) -> None:
    """The game master rules that France’s fleet did not reach Portugal."""
    page = table.desk("correct/")
    row = page.locator("p.order-row", has_text="Portugal")
    row.locator("select").select_option("bounces")
    text = page.locator("#text")
    before = text.input_value()
    after = before.replace("F Portugal", "F Atlantique moyen").replace(", Portugal", "")
    assert after != before
    text.fill(after)
    page.fill("[name=reason]", "La flotte avait un ordre barré.")
    follow(page.get_by_role("button", name="Voir les changements"))
    follow(page.get_by_role("button", name="Enregistrer et publier"))


def winter_with_a_replacement(table: Table) -> None:
    """Renaud takes Russia over: he finds its letters and orders, and Roman no longer does."""
    send(table.of("FRANCE"), table.key, "Russie", "Gardez Moscou.")
    roman = table.people["Roman"]
    renaud = table.enter("Renaud")
    renaud.page.goto(f"{table.site}/compte/inscription/")
    renaud.sign_up()
    page = table.desk("seat/RUSSIA/")
    page.fill("#name", "Renaud")
    follow(page.get_by_role("button", name="Confier la puissance"))
    page = renaud.open(table.key, "messages/")
    follow(page.get_by_role("link", name=re.compile("France")).first)
    expect(page.locator("main")).to_contain_text("Gardez Moscou.")
    assert "Moscou" not in roman.open(table.key, "messages/").locator("main").inner_text()
    table.players = LATER
    judge_without_italy(table, 3, WINTER)
    table.phase("Printemps 1902")


def judge_without_italy(table: Table, number: int, sheets: Mapping[str, str]) -> None:
    """The game master is warned that Italy's sheet is missing, and publishes all the same."""
    table.hand_in(number, {power: sheets[power] for power in sheets if power != "ITALY"})
    page = table.desk("adjudicate/")
    expect(page.locator(".desk-warning")).to_contain_text("Italie")
    follow(page.get_by_role("button", name="Résoudre maintenant"))


def second_year(table: Table) -> None:
    table.hand_in(4, HOLDS)
    table.judge()
    table.phase("Automne 1902")
    judge_without_italy(table, 5, dict.fromkeys(HOLDS, ""))
    table.phase(re.compile("190"))


def draw(table: Table) -> None:
    """England proposes a draw; everybody agrees, in both languages, and all learn who played."""
    page = table.of("ENGLAND").open(table.key, "end/")
    follow(page.get_by_role("button", name="Propose to end the game"))
    for power, name in LATER.items():
        if power == "ENGLAND":
            continue
        somebody = table.people[name]
        page = somebody.open(table.key, "end/" if somebody.english else "fin/")
        follow(page.get_by_role("button", name=somebody.says("Voter oui", "Vote Yes"), exact=True))
    page = table.of("TURKEY").open(table.key, "fin/")
    expect(page.locator("main")).to_contain_text("Partage : Autriche")
    page = table.of("GERMANY").open(table.key, "end/")
    expect(page.locator("main")).to_contain_text("14.286")
    expect(table.of("ITALY").open(table.key, "info/").locator("main")).to_contain_text("Flora")
