"""Buttons pressed at the wrong moment: what would follow is said first, and what was played stays."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.urls import reverse

from talleyrand.tournament.model import Event, RoundState
from talleyrand.web.tournaments import tournament_creation
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.tournaments import scene
from tests.web.tournaments.desk import stages
from tests.web.tournaments.desk.director import Desk, hidden, refusal

pytestmark = pytest.mark.django_db
At = Callable[[str], Desk]


def shown(desk: Desk, page: str, *args: int) -> str:
    text: str = desk.get(page, *args).content.decode()
    return text


def seats(event: Event) -> list[tuple[str, int | None]]:
    return [(power, seat.person) for b in event.rounds[1].boards.values() for power, seat in b.seats.items()]


@pytest.mark.parametrize("variant", ["classic", "survivor_turkey"])
def test_an_empty_board_of_a_draft_is_shown_and_removed_there(at: At, variant: str) -> None:
    desk = at("drafted")
    before, judged = seats(desk.event), shown(desk, "desk_draw", 1)
    page = desk.press("desk_draw", 1, press="board_added", round="1", variant=variant).content.decode()
    wanted = "au moins|répétée"
    told = [line for line in re.findall(r"<p>.*?</p>", judged) if re.search(wanted, line)]
    assert told
    assert all(line in page for line in told), "the empty board is not judged"
    assert 'value="board_dropped?board=3"' in page
    assert 'value="board_dropped?board=1"' not in page, "people sit there"
    page = desk.press("desk_draw", 1, press="board_dropped?board=3", round="1").content.decode()
    assert "board_dropped" not in page
    assert seats(desk.event) == before


def test_a_draft_of_empty_boards_alone_is_shown() -> None:
    event = stages.drafted()
    one = event.rounds[1]
    bare = {
        table: replace(
            board, seats={power: replace(seat, person=None) for power, seat in board.seats.items()}
        )
        for table, board in one.boards.items()
    }
    event = replace(event, rounds={**event.rounds, 1: replace(one, boards=bare)})
    desk = Desk(tournament_creation.create_tournament(event, scene.director()))
    assert desk.get("desk_draw", 1).status_code == 200


def test_a_draw_that_breaks_a_rule_is_not_called_the_best(at: At) -> None:
    desk = at("drafted")
    proven = "Prouvé\u00a0: aucun tirage"
    assert proven in shown(desk, "desk_draw", 1)
    first = [seat.person for seat in desk.event.rounds[1].boards[1].seats.values()]
    one, other = first[0], first[1]
    desk.press("desk_teams", press="apart", first=str(one), second=str(other), submission="a")
    page = shown(desk, "desk_draw", 1)
    assert "alors que cette paire doit être séparée" in page
    assert proven not in page


def test_a_draw_is_not_taken_back_under_results(at: At) -> None:
    desk = at("drafted")
    desk.press("desk_draw", 1, press="redo", lot="7", submission="a")
    redone = desk.made.entries.latest("number").number
    picks = re.findall(r'name="pick" value="([^"]+)"', shown(desk, "desk_draw", 1))
    desk.press("desk_draw", 1, press="swap", pick=[picks[0], picks[-1]], round="1")
    swapped = desk.made.entries.latest("number").number
    desk.press("desk_draw", 1, press="published?round=1")
    first = desk.event.rounds[1].boards[1].seats
    told = {f"result.centres.{power}": str(count) for power, count in zip(first, stages.CENTRES, strict=True)}
    desk.press(
        "desk_board", 1, 1, press="result_corrected",
        **told, **{"result.neutral": "0", "result.ended": "time", "result.year": "1906"},
    )  # fmt: skip
    entered = desk.made.entries.latest("number").number
    before = desk.event
    for entry in (redone, swapped):
        page = shown(desk, "desk_entry", entry)
        assert f"undo?entry={entry}" not in page
        refused = desk.post("desk_entry", entry, press=f"undo?entry={entry}")
        assert refused.status_code == 409
        assert refusal(refused)
    assert desk.event == before
    desk.press("desk_entry", entered, press=f"undo?entry={entered}")
    desk.press("desk_entry", swapped, press=f"undo?entry={swapped}")
    assert seats(desk.event) != seats(before)


def test_a_played_round_is_cancelled_once_its_effect_is_seen(at: At) -> None:
    desk = at("closed")
    assert hidden(desk.get("desk_round", 1), "look", "round_cancelled?cancelled=1") == "1"
    page = desk.post("desk_round", 1, press="round_cancelled?cancelled=1", round="1", look="1")
    assert page.status_code == 200
    assert 'id="effect"' in page.content.decode()
    assert not desk.event.rounds[1].cancelled
    desk.press("desk_round", 1, press="round_cancelled?cancelled=1", round="1", look="1", sure="1")
    assert desk.event.rounds[1].cancelled


def test_a_tournament_is_closed_early_once_that_is_seen(at: At) -> None:
    desk = at("closed")
    assert hidden(desk.get("desk_scores"), "look", "finished?over=1") == "1"
    page = desk.post("desk_scores", press="finished?over=1", look="1").content.decode()
    assert "Les rondes 2, 3, 4 ne sont pas finies." in page
    assert "Tout le monde voit qui gagne les prix." in page
    assert not desk.event.over
    desk.press("desk_scores", press="finished?over=1", look="1", sure="1")
    assert desk.event.over


@pytest.mark.parametrize("name", ["Les Angevins", "les angevins", "  LES ANGEVINS "])
def test_no_two_teams_are_called_the_same(at: At, name: str) -> None:
    desk = at("planned")
    fields = {"team.name": name, "team.members": ["9", "10"]}
    refused = desk.post("desk_teams", press="team_formed", **fields)
    assert refused.status_code == 409
    assert refusal(refused) == "Il y a déjà une équipe nommée Les Angevins."
    assert list(desk.event.teams) == [1]
    desk.press("desk_teams", press="team_formed", **{**fields, "team.name": "Les Saumurois"})
    again = desk.post("desk_teams", press="team_changed?number=2", **fields)
    assert again.status_code == 409
    desk.press(
        "desk_teams", press="team_changed?number=1", **{"team.name": name.strip(), "team.members": ["3", "4"]}
    )


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("announcement.ends", "2026-07-02", "Le dernier jour vient avant le premier."),
        (
            "announcement.zone",
            "London",
            "«\u00a0London\u00a0» n’est pas un fuseau horaire. Écrivez Europe/Paris, par exemple.",
        ),
        (
            "announcement.zone",
            "",
            "«\u00a0\u00a0» n’est pas un fuseau horaire. Écrivez Europe/Paris, par exemple.",
        ),
        (
            "announcement.zone",
            "../../etc/passwd",
            "«\u00a0../../etc/passwd\u00a0» n’est pas un fuseau horaire.",
        ),
        ("announcement.zone", "Europe", "«\u00a0Europe\u00a0» n’est pas un fuseau horaire."),
    ],
)
def test_an_announcement_that_cannot_be_is_refused(at: At, field: str, typed: str, said: str) -> None:
    desk = at("planned")
    fields = {
        "announcement.opens": "2026-07-03",
        "announcement.ends": "2026-07-05",
        "announcement.zone": "Europe/London",
    }
    before = desk.event
    refused = desk.post("desk_settings", press="announced", **{**fields, field: typed})
    assert refused.status_code == 409
    assert refusal(refused).startswith(said)
    assert desk.event == before
    desk.press("desk_settings", press="announced", **fields)
    assert desk.event.announcement.zone == "Europe/London"


def test_a_tournament_begins_in_the_zone_of_its_director(db: None) -> None:
    director = scene.director()
    director.time_zone = "Europe/London"
    director.save()
    browser = cast.client_of(cast.MASTER)
    browser.post(reverse("tournaments:new"), {"name": "Leith", "regulations": "anjou_feu", "submission": "a"})
    assert event_of(Tournament.objects.get(name="Leith")).announcement.zone == "Europe/London"


def test_who_owes_the_fee_is_seen_at_the_door(at: At) -> None:
    page = shown(at("opened"), "desk_round", 1)
    assert page.count('<span class="tag owed">doit 45</span>') == stages.COUNT


def test_a_seat_that_no_script_plays_is_nobodys(at: At) -> None:
    desk = at("playing")
    first = desk.event.rounds[1].boards[1]
    power = next(iter(first.seats))
    desk.press("desk_board", 1, 1, press="no_show", power=power, round="1", board="1")
    assert desk.event.rounds[1].boards[1].seats[power].person is None
    page = shown(desk, "desk_boards", 1)
    assert "Autriche, table 1\u00a0: personne" in html.unescape(page)
    assert "Autriche, table 1\u00a0: suit son script" not in html.unescape(page)


def test_a_new_personal_link_is_said(at: At) -> None:
    page = at("planned").press("desk_person", 3, press="release").content.decode()
    assert "Nouveau lien personnel." in page


def test_a_list_with_another_header_is_read_again(at: At) -> None:
    desk = at("planned")
    first = {"list": "Nom\tMontant\nZoé Quentin\t20", "do": "look", "rounds": "all", "submission": "a"}
    page = desk.post("paper_people", **first)
    kept = {"first": hidden(page, "first"), "column0": "name", "column1": "due"}
    again = desk.post("paper_people", **{**first, **kept, "list": "Nom\tTéléphone\nZoé Quentin\t0241000000"})
    assert re.search(r'<option value="phone" selected>', again.content.decode())
    same = desk.post("paper_people", **{**first, **kept, "column1": "note"})
    assert re.search(r'<option value="note" selected>', same.content.decode()), "a choice is kept otherwise"
    done = desk.press("paper_people", **{**first, **kept, "column1": "note", "do": "take"}).content.decode()
    assert "Liste importée." in done
    assert "Annuler" in done
    assert "Zoé Quentin" in [one.name for one in desk.event.people.values()]


def test_the_page_of_notifications_listens_to_its_tournament_alone(at: At) -> None:
    page = shown(at("playing"), "desk_news")
    for words in re.findall(r'data-topics="([^"]*)"', page):
        assert re.fullmatch(r"[\w-]+:[\w-]+:[\w-]+", words), words


def test_a_removed_round_leads_to_the_desk(at: At) -> None:
    desk = at("planned")
    page = desk.press("desk_round", 4, press="round_removed", round="4")
    assert page.status_code == 200
    assert 4 not in desk.event.rounds


def test_a_round_reopened_after_the_tournament_can_be_closed_again(at: At) -> None:
    desk = at("closed")
    desk.press("desk_scores", press="finished?over=1")
    desk.press("desk_boards", 1, press="round_reopened?round=1")
    page = shown(desk, "desk_boards", 1)
    assert 'value="round_closed?round=1"' in page
    desk.press("desk", press="round_closed?round=1")
    assert desk.event.rounds[1].state is RoundState.CLOSED
    assert desk.event.over


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("12/03/2009", "2009-03-12"), ("2009", "2009"), ("2009-03-12", "2009-03-12"), ("", "")],
)
@pytest.mark.parametrize(
    ("sum_typed", "sum_kept"), [("£20", "20"), ("12,50 €", "12.50"), ("", "0"), ("0", "0")]
)
def test_a_date_and_a_sum_are_read_as_in_a_list(
    at: At, typed: str, kept: str, sum_typed: str, sum_kept: str
) -> None:
    desk = at("planned")
    fields = {"person.name": "Elodie", "person.private.born": typed, "person.private.paid": sum_typed}
    desk.press("desk_person", 3, press="person_changed?number=3", **fields)
    private = desk.event.people[3].private
    assert (private.born, private.paid) == (kept, sum_kept)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("born", "31/02/2009"),
        ("born", "12 March 2009"),
        ("born", "9" * 500),
        ("paid", "twenty"),
        ("paid", "-5"),
        ("paid", "£"),
    ],
)
def test_what_is_no_date_and_no_sum_is_refused_as_it_was_typed(at: At, name: str, typed: str) -> None:
    desk = at("planned")
    before = desk.event
    fields = {"person.name": "Elodie", f"person.private.{name}": typed}
    refused = desk.post("desk_person", 3, press="person_changed?number=3", **fields)
    assert refused.status_code == 409
    assert typed[:20] in html.unescape(refused.content.decode())
    assert desk.event == before
