"""What players do on their telephones: they are there, enter results, confirm them, vote and name others."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client, RequestFactory

from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.result_acts import result_digest
from talleyrand.tournament.acts.round_acts import CheckIn
from talleyrand.tournament.model import BoardResult, EndVoteState, Event, EventTeam, RoundState
from talleyrand.web.games.models import GameState
from talleyrand.web.tournaments import event_journal
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.public_site import player_actions
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer
from tests.web import cast
from tests.web.tournaments import hall, scene

pytestmark = pytest.mark.django_db

BOARD = (1, 1)


def post(made: Tournament, who: int, page: str, /, *more: Any, **sent: Any) -> Any:
    return hall.phone(made, who).post(hall.path(made, page, *more), sent)


def result_of(made: Tournament) -> BoardResult | None:
    return hall.event(made).rounds[1].boards[1].result


def seen(made: Tournament) -> str:
    found = result_of(made)
    assert found is not None
    return result_digest(found)


# One's own page.


def test_one_tap_is_enough_to_be_there_and_two_are_one() -> None:
    made = scene.tournament(3)
    for _again in range(2):
        assert post(made, 2, "arrive", round="1").status_code == 302
    assert list(hall.event(made).rounds[1].present) == [2]
    assert made.entries.count() == 2  # who there is, and one arrival
    assert post(made, 2, "arrive", round="1", here="no").status_code == 302
    assert hall.event(made).rounds[1].present == {}


def test_nobody_is_refused_because_another_was_faster() -> None:
    made, tries = scene.tournament(3), []

    def build(now: Event) -> list[EventAct]:
        tries.append(now)
        if len(tries) == 1:
            event_journal.perform_acts(made, [CheckIn(1, 3, hall.HOUR)], event_journal.JournalActor())
        return [CheckIn(1, 2, hall.HOUR)]

    player_actions.perform_player_acts(
        RequestFactory().post("/", {"submission": "one"}), TournamentViewer(made, None, 2), build
    )
    assert (len(tries), set(hall.event(made).rounds[1].present)) == (2, {2, 3})


@pytest.mark.parametrize("round_", ["2", "9", "-1", "", "x", "1" * 40])
def test_one_is_there_only_for_a_round_that_is_open(round_: str) -> None:
    made = scene.tournament(3)
    answer = post(made, 2, "arrive", round=round_)
    assert answer.status_code == 409
    assert 'role="alert"' in hall.text(answer)


def test_nobody_does_anything_for_another() -> None:
    made = hall.playing()
    for name, more in (
        ("arrive", ()),
        ("choose_rounds", ()),
        ("facts", ()),
        ("ride", ()),
        ("team", ()),
        ("answer_team", ()),
    ):
        nobody = Client().post(hall.path(made, name, *more), {"round": "1"}, follow=True)
        assert "Rien n’a été fait" in hall.text(nobody), name
    assert made.entries.count() == 0
    for name in ("enter_result", "confirm_result", "withdraw_result", "ask_end", "cast_ballot"):
        stranger = post(made, 9, name, *BOARD, **hall.result(digest="x", power="FRANCE", when="S1904R"))
        assert stranger.status_code == 409, name
    assert result_of(made) is None
    assert hall.event(made).rounds[1].boards[1].votes == {}


def test_what_is_only_opened_leads_to_ones_own_page() -> None:
    made = hall.playing()
    for name, more in (("arrive", ()), ("enter_result", BOARD), ("cast_ballot", BOARD), ("leave", ())):
        answer = hall.phone(made, 1).get(hall.path(made, name, *more))
        assert answer["Location"] == hall.path(made, "mine"), name


def test_rounds_are_chosen_until_they_begin() -> None:
    made = scene.tournament(2)
    assert post(made, 1, "arrive", round="1").status_code == 302
    assert post(made, 1, "choose_rounds", rounds=["3"]).status_code == 302
    assert hall.event(made).people[1].rounds == (3,)
    assert hall.event(made).rounds[1].present == {}
    hall.with_round(made, 3, state=RoundState.DRAFT)
    assert post(made, 1, "choose_rounds", rounds=["4"]).status_code == 302
    assert hall.event(made).people[1].rounds == (3, 4)  # what has begun stays
    assert post(made, 2, "choose_rounds", rounds=[]).status_code == 302
    assert post(made, 2, "choose_rounds", rounds=["9"]).status_code == 409


def test_whoever_gives_up_every_round_withdraws_and_one_round_brings_him_back() -> None:
    made = scene.tournament(2)
    post(made, 1, "ride", kind="offer", seats="2", text="De Nantes")
    assert post(made, 1, "choose_rounds", rounds=[]).status_code == 302
    assert hall.event(made).people[1].gone
    seen = hall.phone(made, 2).get(hall.path(made, "welcome")).content.decode()
    assert "1 personne inscrite" in seen
    assert "De Nantes" not in seen
    assert "Vous vous êtes désisté" in hall.phone(made, 1).get(hall.path(made, "mine")).content.decode()
    assert post(made, 1, "choose_rounds", rounds=["2"]).status_code == 302
    assert (hall.event(made).people[1].gone, hall.event(made).people[1].rounds) == (False, (2,))


def test_ones_facts_change_and_the_desks_stay() -> None:
    made = hall.playing()
    assert post(made, 2, "facts", name="Bastien Quéré", town="Nantes", born="1990").status_code == 302
    known = hall.event(made).people[2]
    assert (known.town, known.private.born, known.private.due) == ("Nantes", "1990", "25")
    assert known.private.note == "ne pas placer près de la porte"
    refused = post(made, 2, "facts", name="", town="Béhuard")
    assert refused.status_code == 409
    assert "Béhuard" in hall.text(refused)
    assert "ne pas placer" not in hall.text(refused)


@pytest.mark.parametrize(
    ("sent", "rides"),
    [
        ({"kind": "offer", "seats": "3", "text": "de Nantes"}, [("de Nantes", 3)]),
        ({"kind": "wanted", "seats": "", "text": "d’Angers"}, [("d’Angers", -1)]),
        ({"kind": "none", "text": "de Nantes"}, []),
        ({"kind": "offer", "seats": "many", "text": "de Nantes"}, []),
    ],
)
def test_cars_are_shared_among_those_who_come(sent: dict[str, str], rides: list[tuple[str, int]]) -> None:
    made = hall.playing()
    post(made, 2, "ride", **sent)
    assert [(one.text, one.seats) for one in hall.event(made).rides.values()] == rides
    shown = "de Nantes" in hall.text(hall.phone(made, 3).get(hall.path(made, "welcome")))
    assert shown == bool(rides and rides[0][0] == "de Nantes")
    assert "de Nantes" not in hall.text(Client().get(hall.path(made, "welcome")))


def test_teams_are_chosen_until_their_round_is_drawn() -> None:
    made = hall.playing()
    assert post(made, 1, "team", team="new", name="Les Tours").status_code == 302
    assert post(made, 2, "team", team="1").status_code == 302
    assert hall.event(made).teams == {1: EventTeam("Les Tours", (1,), asking=(2,))}
    assert post(made, 1, "answer_team", person="2", yes="1").status_code == 302
    assert hall.event(made).teams == {1: EventTeam("Les Tours", (1, 2))}
    assert post(made, 1, "team", team="none").status_code == 302
    assert hall.event(made).teams == {1: EventTeam("Les Tours", (2,))}
    for sent in ({"team": "new", "name": " "}, {"team": "7"}, {"team": "x"}):
        assert post(made, 1, "team", **sent).status_code == 409
    hall.with_round(made, 2, state=RoundState.DRAFT)
    assert post(made, 1, "team", team="1").status_code == 409


def test_nobody_joins_a_team_before_somebody_of_it_agrees() -> None:
    made = hall.playing()
    for who, name in ((1, "Les Tours"), (2, "Les Ponts")):
        post(made, who, "team", team="new", name=name)
    asked = EventTeam("Les Tours", (1,), asking=(2,))
    assert [post(made, 2, "team", team="1").status_code for _twice in range(2)] == [302, 302]
    assert hall.event(made).teams[1] == asked
    page = {who: hall.text(hall.phone(made, who).get(hall.path(made, "mine"))) for who in (1, 2, 3)}
    assert [words in page[1] for words in ("demande à rejoindre", "Vous demandez")] == [True, False]
    assert [words in page[2] for words in ("demande à rejoindre", "Vous demandez")] == [False, True]
    assert "demande" not in page[3]
    for who, sent in (
        (2, {"person": "2", "yes": "0"}),
        (3, {"person": "2", "yes": "1"}),
        (1, {"person": "x"}),
    ):
        assert post(made, who, "answer_team", **sent).status_code == 409
    assert hall.event(made).teams[1] == asked
    assert post(made, 1, "answer_team", person="2", yes="0").status_code == 302
    assert hall.event(made).teams == {1: EventTeam("Les Tours", (1,)), 2: EventTeam("Les Ponts", (2,))}
    post(made, 2, "team", team="1")
    post(made, 2, "team", team="2")  # rather not, after all
    assert hall.event(made).teams == {1: EventTeam("Les Tours", (1,)), 2: EventTeam("Les Ponts", (2,))}
    post(made, 2, "team", team="1")
    assert [post(made, 1, "answer_team", person="2", yes="1").status_code for _twice in range(2)] == [
        302,
        302,
    ]
    assert hall.event(made).teams == {1: EventTeam("Les Tours", (1, 2))}


def test_wishes_are_asked_for_where_the_regulations_do() -> None:
    made = hall.playing()
    assert post(made, 1, "wish", wish=["TURKEY"]).status_code == 409
    hall.changed(made, regulations={"extends": "anjou_feu", "wishes": True})
    assert post(made, 1, "wish", wish=["TURKEY", "", "FRANCE"]).status_code == 302
    assert hall.event(made).people[1].private.prefers == ("TURKEY", "FRANCE")
    assert "wish-1" in hall.text(hall.phone(made, 1).get(hall.path(made, "mine")))
    assert post(made, 1, "wish", wish=["ATLANTIS"]).status_code == 409


# Results.


def test_one_enters_a_result_and_another_confirms_it() -> None:
    made = hall.playing()
    assert post(made, 1, "enter_result", *BOARD, **hall.result()).status_code == 302
    found = result_of(made)
    assert found is not None
    assert (found.by, found.confirmed, dict(found.centres)) == ("1", "", hall.CENTRES)
    for who, there in ((1, True), (2, True), (8, False), (0, False)):  # before it is confirmed: its table's
        page = hall.text(hall.phone(made, who).get(hall.path(made, "board", *BOARD)))
        assert ("Points de cette partie" in page, "Saisi par" in page) == (False, there), who
    assert post(made, 1, "confirm_result", *BOARD, digest=seen(made)).status_code == 409
    assert post(made, 8, "confirm_result", *BOARD, digest=seen(made)).status_code == 409
    assert post(made, 2, "confirm_result", *BOARD, digest="of another").status_code == 409
    for _again in range(2):
        assert post(made, 2, "confirm_result", *BOARD, digest=seen(made)).status_code == 302
    found = result_of(made)
    assert found is not None
    assert found.confirmed == "2"
    public = hall.text(Client().get(hall.path(made, "standings")))
    assert "Agathe Oriol" in public


def test_who_types_the_same_confirms_it_and_who_types_another_is_told() -> None:
    made = hall.playing()
    post(made, 1, "enter_result", *BOARD, **hall.result())
    other = hall.result(**{"result.centres.AUSTRIA": "7", "result.centres.TURKEY": "1"})
    refused = post(made, 2, "enter_result", *BOARD, **other)
    assert refused.status_code == 409
    assert 'value="7"' in hall.text(refused)
    assert post(made, 3, "enter_result", *BOARD, **hall.result()).status_code == 302
    found = result_of(made)
    assert found is not None
    assert found.confirmed == "3"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "wrong",
    [
        {"result.centres.AUSTRIA": ""},
        {"result.centres.AUSTRIA": "9"},
        {"result.centres.AUSTRIA": "-8"},
        {"result.centres.AUSTRIA": "eight"},
        {"result.centres.AUSTRIA": "٨"},
        {"result.neutral": "1"},
        {"result.year": "1850"},
        {"result.year": "MCMVI"},
        {"result.ended": "solo"},
        {"result.reached.FRANCE": "Atlantis"},
        {"result.ended": "conceded", "result.winner": "TURKEY"},
    ],
)
def test_a_result_that_cannot_be_comes_back_as_it_was_typed(wrong: dict[str, str]) -> None:
    made = hall.playing()
    answer = post(made, 1, "enter_result", *BOARD, **hall.result(**{"result.centres.GERMANY": "05", **wrong}))
    assert answer.status_code == 409
    assert 'role="alert"' in hall.text(answer)
    assert 'value="05"' in hall.text(answer)
    assert result_of(made) is None


def test_who_entered_it_takes_it_back_until_it_is_confirmed() -> None:
    made = hall.playing()
    post(made, 1, "enter_result", *BOARD, **hall.result())
    assert post(made, 2, "withdraw_result", *BOARD).status_code == 409
    assert post(made, 1, "withdraw_result", *BOARD).status_code == 302
    assert result_of(made) is None


def test_provinces_are_read_as_people_write_them() -> None:
    made = hall.playing()
    sent = hall.result(
        **{
            "result.reached.FRANCE": "Moscou",
            "result.reached.TURKEY": "PIC",
            "result.reached.ITALY": "saint pétersbourg",
        }
    )
    assert post(made, 1, "enter_result", *BOARD, **sent).status_code == 302
    found = result_of(made)
    assert found is not None
    assert found.reached == {"FRANCE": "MOS", "TURKEY": "PIC", "ITALY": "STP"}
    assert post(made, 4, "tell_farthest", *BOARD, power="GERMANY", place="Smyrne").status_code == 302
    assert post(made, 4, "tell_farthest", *BOARD, power="FRANCE", place="Smyrne").status_code == 409
    found = result_of(made)
    assert found is not None
    assert found.reached["GERMANY"] == "SMY"


def test_a_board_that_does_not_exist_or_is_a_draft_is_not_there() -> None:
    made = hall.playing()
    hall.with_round(made, 1, state=RoundState.DRAFT)
    assert hall.phone(made, 1).get(hall.path(made, "board", 1, 1)).status_code == 404
    for number, at in ((1, 1), (1, 9), (9, 1), (4, 1), (10**12, 1)):
        assert post(made, 1, "enter_result", number, at, **hall.result()).status_code == 404
        assert Client().get(hall.path(made, "board", number, at)).status_code == 404


def test_the_result_of_a_game_of_the_site_is_taken_from_it() -> None:
    made = hall.playing()
    game = cast.table()
    board = hall.event(made).rounds[1].boards[1]
    hall.with_round(made, 1, boards={1: replace(board, game=game.key)})
    assert post(made, 1, "take_result", *BOARD).status_code == 409
    told = {"kind": "agreed", "phase": "F1905R", "powers": ["AUSTRIA"], "centres": dict(hall.CENTRES)}
    game.state, game.result = GameState.ENDED, told
    game.save()
    fallen = {"eliminated": ["TURKEY"]}
    game.revisions.create(
        phase_number=1, revision=1, kind="adjudication", phase="F1903M", digest="", answer=fallen
    )
    page = hall.text(hall.phone(made, 1).get(hall.path(made, "board", *BOARD)))
    assert "Reprendre son résultat" in page
    assert post(made, 8, "take_result", *BOARD).status_code == 409
    assert post(made, 1, "take_result", *BOARD).status_code == 302
    found = result_of(made)
    assert found is not None
    assert (found.ended, found.year, found.by, found.confirmed) == ("vote", 1905, "desk", "desk")
    assert set(found.reached) == set(hall.POWERS)  # from where their units stood
    assert found.eliminated_in == {"TURKEY": 1903}


# The end of a game by vote.


def asked(made: Tournament, **other: str) -> Any:
    sent = {"power": "FRANCE", "when": "F1904R", "free": "1", "hold_TURKEY": "out", **other}
    return post(made, 3, "ask_end", *BOARD, **sent)


def vote_of(made: Tournament) -> Any:
    return hall.event(made).rounds[1].boards[1].votes[1]


def test_the_end_is_asked_for_voted_in_secret_and_counted() -> None:
    made = hall.playing()
    assert asked(made).status_code == 302
    assert post(made, 3, "answer_end", *BOARD, 1, what="open").status_code == 409  # he said who is alive
    page = hall.text(hall.phone(made, 1).get(hall.path(made, "board", *BOARD)))
    assert "Sans veto ni bulletin" in page
    assert post(made, 1, "answer_end", *BOARD, 1, what="open").status_code == 302
    for who in (1, 2, 4, 5):
        assert post(made, who, "answer_end", *BOARD, 1, what="yes").status_code == 302
    page = hall.text(hall.phone(made, 1).get(hall.path(made, "board", *BOARD)))
    assert "Il manque 1 bulletin" in page
    assert not re.search(r"\d pour, sur \d", page)
    assert post(made, 1, "answer_end", *BOARD, 1, what="no").status_code == 409  # one ballot each
    assert post(made, 7, "answer_end", *BOARD, 1, what="no").status_code == 409  # Turkey owns nothing
    assert post(made, 6, "answer_end", *BOARD, 1, what="no").status_code == 302
    assert vote_of(made).state is EndVoteState.LOST
    assert "5 pour, sur 6" in hall.text(hall.phone(made, 1).get(hall.path(made, "board", *BOARD)))
    for outside in (0, 8):
        public = hall.text(hall.phone(made, outside).get(hall.path(made, "board", *BOARD)))
        assert "pour, sur" not in public


def test_it_is_forbidden_openly_or_asked_no_longer() -> None:
    made = hall.playing()
    asked(made)
    assert post(made, 3, "answer_end", *BOARD, 1, what="veto").status_code == 409  # his own
    assert post(made, 4, "answer_end", *BOARD, 1, what="withdraw").status_code == 409
    assert post(made, 4, "answer_end", *BOARD, 1, what="veto").status_code == 302
    assert vote_of(made).vetoed == "GERMANY"
    assert "Allemagne" in hall.text(hall.phone(made, 1).get(hall.path(made, "board", *BOARD)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"power": "GERMANY"},
        {"power": ""},
        {"when": "yesterday"},
        {"when": "F1906R"},
        {"free": "", "abroad": ""},
        {"autumn": "1"},
    ],
)
def test_the_end_is_not_asked_for_against_the_rules(wrong: dict[str, str]) -> None:
    made = hall.playing()
    assert asked(made, **wrong).status_code == 409
    assert hall.event(made).rounds[1].boards[1].votes == {}


def test_an_answer_to_no_vote_is_not_there() -> None:
    made = hall.playing()
    assert post(made, 1, "answer_end", *BOARD, 7, what="yes").status_code == 404
    asked(made)
    assert post(made, 1, "answer_end", *BOARD, 1, what="perhaps").status_code == 404


# The voted prizes.


def test_ballots_are_cast_after_the_game_and_read_by_nobody_else() -> None:
    made = hall.playing()
    assert post(made, 1, "cast_ballot", *BOARD, **{"names.angers": "2"}).status_code == 409
    post(made, 1, "enter_result", *BOARD, **hall.result())
    assert "#prizes" in hall.text(hall.phone(made, 1).get(hall.path(made, "mine")))
    for _again in range(2):
        assert (
            post(made, 1, "cast_ballot", *BOARD, **{"names.angers": "2", "names.cholet": ""}).status_code
            == 302
        )
    assert [dict(one.names) for one in hall.event(made).ballots.values()] == [{"angers": 2}]
    mine, others = (hall.text(hall.phone(made, who).get(hall.path(made, "board", *BOARD))) for who in (1, 2))
    assert '<option value="2" selected' in mine
    assert not re.search(r'<option value="\d" selected', others)


@pytest.mark.parametrize("named", ["1", "8", "99", "x"])
def test_one_names_another_of_ones_board(named: str) -> None:
    made = hall.playing()
    post(made, 1, "enter_result", *BOARD, **hall.result())
    assert post(made, 1, "cast_ballot", *BOARD, **{"names.angers": named}).status_code == 409
    assert hall.event(made).ballots == {}
