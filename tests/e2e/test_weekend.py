"""Nineteen people, four rounds, a final: a weekend through the pages, and its archive restored elsewhere.

From the second round on most of those who are there are checked in without a tap, unless `--full`.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.sites import served
from tests.e2e.steps import follow
from tests.e2e.weekend_room import LAPTOP, PASSWORD, PHONE, POWERS, Room, Window, document, figures
from tests.web.tournaments.scene import NAMES

pytestmark = pytest.mark.browser
ORGANISER, LATE, NEWCOMER = NAMES[0], NAMES[18], NAMES[13]
COUNTS = ((9, 8, 6, 4, 4, 3, 0), (12, 7, 5, 5, 3, 2, 0), (7, 6, 6, 5, 4, 4, 2), (10, 10, 5, 4, 3, 1, 1))
TAPPED = 3  # rows of a later round, unless all are
# What taps on rows send, one after the other; the page need not show it in between.
ARRIVE = """async (people) => {
  const form = document.getElementById("people").closest("form");
  const buttons = people.map((number) => document.getElementById(`person-${number}`));
  const arriving = buttons.filter((button) => button.value.startsWith("arrived"));
  for (const body of arriving.map((button) => new FormData(form, button)))
    await fetch(form.action || location.href, { method: "POST", body });
}"""
TEAMS = {"Les Tours": NAMES[1:4], "Les Ponts": NAMES[4:7], "Les Ardoises": NAMES[7:10]}


def enter(room: Room, link: str) -> Window:
    """The first person of a site makes an account by its link."""
    window = room.window(LAPTOP)
    window.page.goto(link)
    window.page.fill("[name=username]", "Maëlle")
    for name in ("password1", "password2"):
        window.page.fill(f"[name={name}]", PASSWORD)
    follow(window.page.locator("form:has([name=password1]) button.primary"))
    return window


@pytest.mark.long
def test_a_weekend(browser: Browser, new_data_folder: Callable[[], Path], tmp_path: Path, full: bool) -> None:
    with served(new_data_folder()) as here:
        room = Room(browser, here.address)
        desk = enter(room, here.first_link())
        make(room, desk)
        first_round(room, desk)
        tapped = None if full else TAPPED
        second_round(desk, tapped)
        third_round(desk, tapped)
        last_round(room, desk, tapped)
        told = ending(desk)
        check_public_arithmetic(room.window(PHONE), told[0])
        archive = tmp_path / "archive.zip"
        archive.write_bytes(desk.page.request.get(f"{room.site}{room.root}papiers/archive.zip").body())
        assert room.close() == []
    with served(tmp_path / "elsewhere") as elsewhere:
        room = Room(browser, elsewhere.address)
        assert restored(room, elsewhere.first_link(), archive) == told
        assert room.close() == []


# before


def make(room: Room, desk: Window) -> None:
    """A tournament is made, opened to the public, and its people pasted."""
    desk.page.goto(f"{room.site}/tournois/nouveau/")
    desk.page.fill("#name", "Anjou Feu d’essai")
    desk.page.check("[name=regulations][value=anjou_feu]")
    follow(desk.page.locator("main form button[type=submit]"))
    room.root = desk.root = "/tournois/" + desk.page.url.split("/tournois/")[1].split("/")[0] + "/"
    desk.open("bureau/reglages/")
    desk.press("listed?yes")
    page = desk.open("papiers/personnes/")
    rows = [f"{name};{'organisateur' if name == ORGANISER else ''}" for name in NAMES[:19]]
    page.fill("#list", "\n".join(["nom;fonction", *rows]))
    page.check("[name=rounds]")
    follow(page.locator("button[name=do][value=look]"))
    follow(page.locator("button[name=do][value=take]"))
    assert len(document(desk)["people"]) == 19


def numbers(desk: Window) -> dict[str, int]:
    return {one["name"]: int(number) for number, one in document(desk)["people"].items()}


# rounds


def open_round(desk: Window, number: int, here: list[str], tapped: int | None = None) -> None:
    """Check-in: the desk taps the rows of those who are there, or the first of them."""
    page = desk.open(f"bureau/ronde/{number}/")
    if page.locator("button[value^=round_opened]").count():
        desk.press("round_opened")
    known = numbers(desk)
    for name in here[:tapped]:
        one = page.locator(f"#person-{known[name]}")
        if "left" not in (one.get_attribute("value") or ""):
            desk.send(one)
            expect(one).to_have_attribute("value", f"left?person={known[name]}")
    if tapped is not None:
        page.evaluate(ARRIVE, [known[name] for name in here[tapped:]])
        page.reload()
        for name in here:
            expect(page.locator(f"#person-{known[name]}")).to_have_attribute(
                "value", f"left?person={known[name]}"
            )


def draw(desk: Window, number: int) -> dict[str, dict[str, int]]:
    """Numbers as the regulations have them, seats drawn and shown; who sits where."""
    desk.open(f"bureau/ronde/{number}/effectif/")
    desk.press("draw")
    desk.open(f"bureau/ronde/{number}/tirage/")
    if number == 1:
        swap(desk)
    desk.press("published")
    return seats(desk, number)


def swap(desk: Window) -> None:
    """Two neighbours change places; what stands beside the seats follows, so that the draw can be shown."""
    for box in desk.page.locator(".desk-seat input").all()[:2]:
        box.check()
    desk.press("swap")
    expect(desk.page.locator(".desk-seat input:checked")).to_have_count(0)


def seats(desk: Window, number: int) -> dict[str, dict[str, int]]:
    boards = document(desk)["rounds"][str(number)]["boards"]
    return {
        at: {power: seat["person"] for power, seat in board["seats"].items() if "person" in seat}
        for at, board in boards.items()
    }


def counts(number: int, board: int) -> dict[str, str]:
    """Centres of every power: other ones on every board, the powers in turn."""
    turned = [*POWERS[number + board :], *POWERS[: number + board]]
    return dict(zip(turned, map(str, COUNTS[(number + 2 * board) % len(COUNTS)]), strict=False))


def enter_result(desk: Window, number: int, board: int) -> None:
    desk.open(f"bureau/ronde/{number}/tables/{board}/")
    filled = {f"result.centres.{power}": centres for power, centres in counts(number, board).items()}
    desk.press("result_corrected", **filled)
    if desk.page.locator("#effect").count():
        desk.press("result_corrected")


def play(desk: Window, number: int, boards: int, last: int = 0) -> None:
    """Results of the boards that nobody has entered yet, and the end of the round."""
    for board in range(1, boards + 1):
        if board != last:
            enter_result(desk, number, board)
    desk.open(f"bureau/ronde/{number}/tables/")
    desk.press("round_closed")


def first_round(room: Room, desk: Window) -> None:
    """Eighteen are there: three boards of six with the script’s Turkey, one of which a latecomer takes."""
    known = numbers(desk)
    open_round(desk, 1, [*NAMES[2:18], ORGANISER])
    phone = at_the_door(room, desk, NAMES[1])
    drawn = draw(desk, 1)
    assert sorted(map(len, drawn.values())) == [6, 6, 6]
    assert all("TURKEY" not in board for board in drawn.values())
    desk.open("bureau/ronde/1/tables/")
    desk.press("clock_started")
    desk.page.select_option("#late-person", str(known[LATE]))
    desk.page.select_option("#late-seat", index=0)
    desk.press("late", missed="2")
    late = document(desk)["rounds"]["1"]["boards"]["1"]["seats"]["TURKEY"]
    assert (late["person"], late["missed"]) == (known[LATE], 2)
    mine = next(int(at) for at, board in drawn.items() if known[NAMES[1]] in board.values())
    by_phone(room, desk, phone, mine, drawn[str(mine)])
    play(desk, 1, 3, last=mine)


def at_the_door(room: Room, desk: Window, name: str) -> Window:
    """The screen shows the way; a phone takes a name, which checks it in."""
    desk.open("ecrans/door/")
    address, code = desk.text(".door-address"), desk.text(".door-code")
    phone = room.window(PHONE)
    phone.page.goto(f"http://{address}")
    phone.page.fill("#code", code)
    follow(phone.page.locator("main form button.primary"))
    follow(phone.page.get_by_role("button", name=name))
    phone.page.wait_for_url("**/moi/")
    assert str(numbers(desk)[name]) in document(desk)["rounds"]["1"]["present"]
    return phone


def by_phone(room: Room, desk: Window, phone: Window, board: int, drawn: dict[str, int]) -> None:
    """A player enters the result on a phone; another one, in English, confirms what he sees."""
    page = phone.open(f"rondes/1/{board}/")
    for power, centres in counts(1, board).items():
        page.fill(f"#centres-{power}", centres)
    without_network(page)
    follow(page.locator("form.hall-result button.primary"))
    result = document(desk)["rounds"]["1"]["boards"][str(board)]["result"]
    assert "confirmed" not in result
    known = numbers(desk)
    other = next(who for who in drawn.values() if who not in (known[NAMES[1]], known[ORGANISER]))
    witness = by_link(room, desk, other)
    page = witness.page
    page.goto(f"{room.site}/en/tournaments/{room.root.split('/')[2]}/rounds/1/{board}/?lang=en")
    follow(page.get_by_role("button", name="confirm"))
    assert document(desk)["rounds"]["1"]["boards"][str(board)]["result"]["confirmed"] == str(other)
    vote_for_prizes(phone, 1, board)


def without_network(page: Page) -> None:
    """The phone is told that nobody answers, and keeps what was typed."""
    page.context.set_offline(True)
    page.locator("form.hall-result button.primary").click()
    expect(page.get_by_role("alert").filter(has_text="ne répond pas")).to_be_visible()
    page.context.set_offline(False)


def by_link(room: Room, desk: Window, person: int) -> Window:
    """The link that the desk has for somebody, opened on his phone."""
    desk.open(f"bureau/personnes/{person}/")
    link = desk.page.locator("[href*='/entrer/'], input[value*='/entrer/']").first
    address = link.get_attribute("href") or link.get_attribute("value") or ""
    phone = room.window(PHONE)
    phone.page.goto(address if address.startswith("http") else room.site + address)
    if phone.page.locator("main form button").count() and "/moi/" not in phone.page.url:
        follow(phone.page.locator("main form button").first)
    phone.page.wait_for_url("**/moi/")
    return phone


def vote_for_prizes(phone: Window, number: int, board: int) -> None:
    """The first other player for every prize that is voted."""
    page = phone.open(f"rondes/{number}/{board}/")
    for choice in page.locator("#prizes select").all():
        choice.select_option(index=1)
    follow(page.locator("#prizes button.primary"))


def second_round(desk: Window, tapped: int | None) -> None:
    """Nineteen: the organiser stands down; teams; a vote to end a game; a correction, seen and undone."""
    known = numbers(desk)
    for name, members in TEAMS.items():
        desk.open("bureau/equipes/")
        form = desk.page.locator("button[value=team_formed]").locator("xpath=ancestor::form[1]")
        form.locator("[name='team.name']").fill(name)
        for member in members:
            form.locator(f"[name='team.members'][value='{known[member]}']").check()
        desk.press("team_formed")
    open_round(desk, 2, list(NAMES[:19]), tapped)
    desk.open("bureau/ronde/2/effectif/")
    if desk.page.locator("button[value=loners]").count():
        desk.press("loners")
    drawn = draw(desk, 2)
    assert document(desk)["rounds"]["2"]["resting"][str(known[ORGANISER])]["why"] == "organisation"
    assert sorted(map(len, drawn.values())) == [6, 6, 6]
    vote(desk, 2, 1)
    play(desk, 2, 3)
    before = figures(desk)
    correct(desk, 2, 2)
    assert figures(desk) != before
    follow(desk.page.locator(".messages").get_by_text("Annuler"))
    desk.press("undo")
    assert figures(desk) == before


def vote(desk: Window, number: int, board: int) -> None:
    """Somebody asks for the end, nobody forbids it, one ballot is against."""
    desk.open(f"bureau/ronde/{number}/tables/{board}/")
    page = desk.page
    page.locator("#votes details summary").first.click()
    for name in ("centres", "homes", "units", "free"):
        for one in page.locator(f"#votes [name$='.{name}']").all():
            one.fill("3")
    desk.press("vote_asked")
    desk.press("vote_opened")
    while page.locator("#votes button[value*='yes=1']").count() > 1:
        desk.press("vote_cast")
    desk.send(page.locator("#votes button[value*='yes=0']").first)
    state = document(desk)["rounds"][str(number)]["boards"][str(board)]["votes"]["1"]["state"]
    assert state == "lost"


def correct(desk: Window, number: int, board: int) -> None:
    """Another result, whose effect is shown before it is saved."""
    desk.open(f"bureau/ronde/{number}/tables/{board}/")
    desk.page.get_by_text("Corriger le résultat", exact=True).click()
    turned = counts(number, board)
    first, second = sorted(turned, key=lambda power: -int(turned[power]))[:2]
    other = {f"result.centres.{first}": str(int(turned[first]) + 1)}
    other[f"result.centres.{second}"] = str(int(turned[second]) - 1)
    desk.press("result_corrected", **other)
    expect(desk.page.locator("#effect")).to_be_visible()
    desk.send(desk.page.locator("#effect button.primary"))


def third_round(desk: Window, tapped: int | None) -> None:
    """Thirteen: the organiser on two boards; somebody has to go, a fourteenth takes his seat over."""
    known = numbers(desk)
    open_round(desk, 3, list(NAMES[:13]), tapped)
    drawn = draw(desk, 3)
    assert [known[ORGANISER] in board.values() for board in drawn.values()] == [True, True]
    leaving = next(power for power, who in drawn["1"].items() if who != known[ORGANISER])
    desk.open("bureau/ronde/3/")
    desk.send(desk.page.locator(f"#person-{known[NEWCOMER]}"))
    page = desk.open("bureau/ronde/3/tables/1/")
    form = page.locator(f"form:has(#who-{leaving})")
    form.locator("xpath=ancestor::details[1]").locator("summary").click()
    form.locator("[name=person]").select_option(str(known[NEWCOMER]))
    form.locator("[name=seasons]").fill("5")
    desk.send(form.locator("button[value=relieve]"))
    reliefs = document(desk)["rounds"]["3"]["boards"]["1"]["seats"][leaving]["reliefs"]
    assert reliefs == [{"person": known[NEWCOMER], "seasons": 5}]
    play(desk, 3, 2)


def last_round(room: Room, desk: Window, tapped: int | None) -> None:
    """A final of seven; of the nine others the organiser, and one by lot, stand down."""
    open_round(desk, 4, list(NAMES[:16]), tapped)
    desk.open("bureau/ronde/4/effectif/")
    if desk.page.locator("button[value^='final_decided?held=1']").count():
        desk.press("final_decided?held=1")
    drawn = draw(desk, 4)
    one = document(desk)["rounds"]["4"]
    assert [board.get("final", False) for board in one["boards"].values()] == [True, False]
    assert "lot" in {rest["why"] for rest in one["resting"].values()} or len(one["resting"]) == 2
    desk.open("bureau/ronde/4/tables/")
    desk.press("round_revealed?shown=0")
    play(desk, 4, 2)
    visitor = room.window(PHONE)
    hidden = visitor.open("classement/").content()
    desk.open("bureau/scores/")
    desk.press("round_revealed?shown=1")
    assert visitor.open("classement/").content() != hidden
    assert len(drawn) == 2


# the end


def ending(desk: Window) -> tuple[str, str]:
    """The event is closed; its figures and its prizes."""
    desk.open("bureau/scores/")
    desk.press("finished?over=1")
    desk.open("prix/")
    return figures(desk), desk.text("main .tournament")


def check_public_arithmetic(visitor: Window, told: str) -> None:
    """Each sentence of the desk's file stands, in its order, on the page for all; each there has its figure,
    and the last one is the total."""
    desk: dict[str, tuple[str, str]] = {}
    for entry in csv.DictReader(told.lstrip("\ufeff").splitlines(), delimiter=";"):
        _points, before = desk.get(entry["Joueur"], ("", ""))
        desk[entry["Joueur"]] = (entry["Points"], f"{before} {entry['Détail des points']}".strip())
    shown = visitor.open("classement/").locator("#rows > li").all()
    assert {row.get_attribute("data-name") for row in shown} == desk.keys()
    for row in shown:
        total, left = desk[row.get_attribute("data-name") or ""]
        lines = [one.text_content() or "" for one in row.locator(".hall-row li").all()]
        points = [one.text_content() or "" for one in row.locator(".hall-row li .figure").all()]
        assert all(points)
        for line, figure in zip(lines, points, strict=True):
            left = left.removeprefix(line.removesuffix(figure).strip()).strip()
        assert left == ""
        assert row.locator("summary .figure").text_content() == points[-1] == total


def restored(room: Room, link: str, archive: Path) -> tuple[str, str]:
    """The same on an empty site, from the file alone."""
    desk = enter(room, link)
    page = desk.page
    page.goto(f"{room.site}/tournois/restaurer/")
    page.set_input_files("#file", archive)
    follow(page.locator("main form button.primary"))
    follow(page.locator("main form button.primary"))
    room.root = desk.root = "/tournois/" + page.url.split("/tournois/")[1].split("/")[0] + "/"
    desk.open("prix/")
    return figures(desk), desk.text("main .tournament")
