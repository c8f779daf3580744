"""Who keeps the record, powers that people would like, and drafts that have changed since they were shown."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest

from talleyrand.tournament import seat_draw
from talleyrand.tournament.model import Event
from tests.web.tournaments import hall, scene
from tests.web.tournaments.desk.button import person_form, seat
from tests.web.tournaments.desk.director import Desk, refusal

pytestmark = pytest.mark.django_db
At = Callable[[str], Desk]
CHANGED = "Les places ont changé entre-temps."


def shown(desk: Desk) -> str:
    """The draft, as a page that is open shows it."""
    return html.unescape(desk.get("desk_draw", 1).content.decode())


def locks(page: str, board: int, power: str = "") -> str:
    """What the button says that locks a seat, or a board."""
    found = re.search(rf'value="(seat_locked\?board={board}&power={power}&[^"]*)"', page)
    assert found is not None
    return found.group(1)


def pick(page: str, board: int, power: str) -> str:
    """What the box of a seat says."""
    found = re.search(rf'value="({board} {power} \d+)"', page)
    assert found is not None
    return found.group(1)


def swapped(desk: Desk) -> None:
    """The other assistant swaps two people of the draft."""
    desk.press("desk_draw", 1, press="swap", pick=["1 FRANCE", "2 ITALY"])


def test_an_old_page_locks_nobody_whom_it_did_not_show(at: At) -> None:
    desk = at("drafted")
    page = shown(desk)
    swapped(desk)
    before = desk.event
    for press in (locks(page, 1, "FRANCE"), locks(page, 2)):
        answer = desk.post("desk_draw", 1, round=1, press=press)
        assert (answer.status_code, CHANGED in refusal(answer)) == (409, True)
    assert desk.event == before
    desk.press("desk_draw", 1, round=1, press=locks(page, 1, "ITALY"))
    assert desk.event.rounds[1].boards[1].seats["ITALY"].locked


def test_an_old_page_swaps_and_gives_no_seat_of_somebody_else(at: At) -> None:
    desk = at("drafted")
    page = shown(desk)
    swapped(desk)
    before = desk.event
    two = [pick(page, 1, "FRANCE"), pick(page, 1, "ITALY")]
    for fields in ({"press": "swap", "pick": two}, {"press": "place", "pick": two[:1], "person": ""}):
        answer = desk.post("desk_draw", 1, **fields)
        assert (answer.status_code, CHANGED in refusal(answer)) == (409, True)
    assert desk.event == before


@pytest.mark.parametrize("press", ["published?round=1", "draft_discarded?round=1", "redo"])
def test_an_old_page_does_nothing_with_a_draft_that_it_did_not_show(at: At, press: str) -> None:
    desk = at("drafted")
    found = re.search(r'name="seen" value="(rounds[^"]*)"', shown(desk))
    assert found is not None
    swapped(desk)
    before = desk.event
    answer = desk.post("desk_draw", 1, press=press, seen=found.group(1), lot="3")
    assert answer.status_code == 409
    assert "entre-temps" in refusal(answer)
    assert desk.event == before
    now = re.search(r'name="seen" value="(rounds[^"]*)"', shown(desk))
    assert now is not None
    desk.press("desk_draw", 1, press=press, seen=now.group(1), lot="3")
    assert desk.event != before


@pytest.mark.parametrize("press", ["seat_locked?board=99&power=&locked=1&who=1", "seat_locked?board=x"])
def test_a_lock_of_nothing_is_refused(at: At, press: str) -> None:
    answer = at("drafted").post("desk_draw", 1, round=1, press=press)
    assert answer.status_code == 409
    assert refusal(answer)


@pytest.mark.long
def test_who_can_keep_the_record_is_told_on_list_draft_and_card(at: At) -> None:
    desk = at("drafted")
    assert "secrétaire" not in shown(desk)
    who = seat(desk.event, "FRANCE")
    assert who is not None
    desk.press("desk_people", press=f"flagged?person={who}&recorder=1")
    assert "secrétaire" in desk.get("desk_people", show="recorders").content.decode()
    assert "Tables sans secrétaire\u00a0: 2" in shown(desk)
    card = desk.get("paper_cards", 1).content
    assert card.startswith(b"%PDF") or b"compte rendu" in card
    hall.changed(desk.made, regulations={"extends": "anjou_feu", "recorders": False})
    assert "secrétaire" not in shown(desk)


def wishing(desk: Desk) -> Event:
    """Regulations that ask for wishes; whoever plays France of board 1 wished for it second."""
    hall.changed(desk.made, regulations={"extends": "anjou_feu", "wishes": True})
    who = seat(desk.event, "FRANCE")
    fields = person_form(desk.event) | {
        "number": str(who),
        "person.name": desk.event.people[who or 0].name,
        "person.private.prefers": ["TURKEY", "FRANCE", ""],
    }
    desk.press("desk_person", who or 0, **fields)
    return desk.event


def test_the_desk_writes_wishes_and_the_draft_tells_who_got_which(at: At) -> None:
    desk = at("drafted")
    event = wishing(desk)
    who = seat(event, "FRANCE") or 0
    assert event.people[who].private.prefers == ("TURKEY", "FRANCE")
    assert seat_draw.granted_preferences(event, 1) == {who: 2}
    assert "choix n°\u00a02" in shown(desk)
    assert "Choix 3" in desk.get("desk_person", who).content.decode()
    hall.changed(desk.made, regulations="anjou_feu")
    assert "Préférences de puissances" not in shown(desk)
    assert "Choix 3" not in desk.get("desk_person", who).content.decode()


def test_wishes_that_are_not_shown_stay_when_a_person_is_saved(at: At) -> None:
    desk = at("drafted")
    wishing(desk)
    hall.changed(desk.made, regulations="anjou_feu")
    who = seat(desk.event, "FRANCE") or 0
    page = desk.get("desk_person", who).content.decode()
    kept = re.findall(r'name="person.private.prefers" value="(\w+)"', page)
    assert kept == ["TURKEY", "FRANCE"]


def test_a_team_of_seven_chooses_its_powers() -> None:
    desk = Desk(scene.tournament(27))
    members = [str(who) for who in range(2, 9)]
    desk.press("desk_teams", press="team_formed", **{"team.name": "Les sept", "team.members": members})
    page = desk.get("desk_teams").content.decode()
    assert page.count('name="powers.') == 7
    wrong = {"press": "powers_chosen", "number": "1", "powers.2": "FRANCE", "powers.3": "FRANCE"}
    answer = desk.post("desk_teams", **wrong)
    assert answer.status_code == 409
    assert (
        refusal(answer) == "Deux membres d’une équipe ne peuvent pas jouer la même puissance\u00a0: France."
    )
    assert 'class="desk-team" open' in answer.content.decode()
    desk.press("desk_teams", **{**wrong, "powers.3": "ITALY"})
    assert dict(desk.event.teams[1].powers) == {2: "FRANCE", 3: "ITALY"}
