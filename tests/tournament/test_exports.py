"""Files for spreadsheets, wikis and other programs: what stands in them, whatever people are called."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from functools import cache

import pytest

from talleyrand.formats.score_json import decimal_points
from talleyrand.tournament import acts, standings
from talleyrand.tournament.exports import dipvis, event_tables, played_seats, wdd
from talleyrand.tournament.model import (
    BoardResult,
    Event,
    EventPerson,
    EventRound,
    EventTeam,
    Office,
    PowerSeat,
    PrivateFacts,
    SeatReplacement,
)
from talleyrand.tournament.people_list import list_rows, parsed_list
from talleyrand.tournament.standings import Standings

from . import invented


@cache
def weekend() -> Event:
    """A whole event, with a newcomer who takes over, an absent, and names that try to do harm."""
    event = invented.season()[1]
    table = event.rounds[1].boards[1]
    power = next(iter(table.seats))
    seats = {
        **table.seats,
        power: replace(table.seats[power], reliefs=(SeatReplacement(_resting(event), 3),)),
    }
    boards = {**event.rounds[1].boards, 1: replace(table, seats=seats, final=True)}
    rounds = {**event.rounds, 1: replace(event.rounds[1], boards=boards)}
    people = {
        **event.people,
        2: replace(event.people[2], name='=1+1|{{evil}} "x"; <b>', club="@cmd"),
        99: EventPerson(
            "Absente Jamais", country="Belgique", private=PrivateFacts(mail="absente@example.org")
        ),
    }
    return replace(event, people=people, rounds=rounds)


def _resting(event: Event) -> int:
    return next(iter(event.rounds[1].resting))


@cache
def held() -> Standings:
    return standings.compute_standings(weekend())


def rows(content: str, delimiter: str = ";") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content), delimiter=delimiter))


def table(made: event_tables.ExportTable, language: str = "fr") -> list[dict[str, str]]:
    return rows(event_tables.csv_bytes(made, language).decode("utf-8-sig"), event_tables.SEPARATOR[language])


ALL = {
    "people": lambda language: event_tables.people_table(weekend(), language, private=True),
    "draws": lambda language: event_tables.draws_table(weekend(), language),
    "results": lambda language: event_tables.results_table(weekend(), held(), language),
    "standings": lambda language: event_tables.standings_table(weekend(), held(), language),
    "figures": lambda language: event_tables.figures_table(weekend(), held(), language),
}


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("name", ALL)
def test_every_table_is_square_and_no_cell_a_formula(name: str, language: str) -> None:
    made = ALL[name](language)
    assert {len(row) for row in made.rows} == {len(made.headings)}
    assert len(set(made.headings)) == len(made.headings)
    text = event_tables.csv_bytes(made, language).decode("utf-8-sig")
    cells = [
        cell
        for row in csv.reader(io.StringIO(text), delimiter=event_tables.SEPARATOR[language])
        for cell in row
    ]
    assert not [
        cell
        for cell in cells
        if cell.startswith(event_tables.FORMULA) and not event_tables.NUMBER.fullmatch(cell)
    ]
    assert "'=1+1" in text


@pytest.mark.parametrize("language", ["fr", "en"])
def test_people_who_leave_come_back_the_same(language: str) -> None:
    event = Event("Angers", rounds={1: EventRound(), 2: EventRound()})
    known = [
        EventPerson(
            "Élodie Bœuf", "Les Chouettes; Angers", "Angers", "France", Office.VOLUNTEER, rounds=(1, 2)
        ),
        EventPerson(
            "Zoé “Z” Fontanel",
            beginner=True,
            youth=True,
            minutes=90,
            accepted=True,
            private=PrivateFacts("1987-03-02", "z@example.org", "+33 6 12", "=note", "12.50", "5"),
        ),
    ]
    full = replace(event, people=dict(enumerate(known, 1)), teams={1: EventTeam("Tours", (2,))})
    text = event_tables.csv_bytes(event_tables.people_table(full, language, private=True), language).decode(
        "utf-8"
    )
    for act in parsed_list.import_acts(
        event, parsed_list.read_people_list(list_rows.decode_file(text.encode()), event), {}
    ):
        event = acts.perform_act(event, act)
    assert event.people == full.people
    assert event.teams == full.teams


def test_what_is_private_is_only_where_it_was_asked_for() -> None:
    text = event_tables.csv_bytes(event_tables.people_table(weekend(), "fr"), "fr").decode()
    assert "example.org" not in text
    assert (
        "example.org"
        in event_tables.csv_bytes(event_tables.people_table(weekend(), "fr", private=True), "fr").decode()
    )


def test_every_seat_and_everybody_who_stands_down() -> None:
    found = table(event_tables.draws_table(weekend(), "fr"))
    event = weekend()
    seats = sum(len(board.seats) for one in event.rounds.values() for board in one.boards.values())
    assert len(found) == seats + sum(len(one.resting) for one in event.rounds.values())
    relief = event.people[_resting(event)].name
    assert [row["Remplaçants (saisons)"] for row in found if row["Remplaçants (saisons)"]] == [
        f"{relief} (3)"
    ]


def test_points_of_the_files_are_those_of_the_standings() -> None:
    found = {
        row["Name"] if "Name" in row else row["Player"]: row for row in table(ALL["standings"]("en"), "en")
    }
    for line in held().lines:
        row = found[event_tables.csv_safe(weekend().people[line.person].name)]
        assert (row["Rank"], row["Exact total"]) == (str(line.place), str(line.total))
        assert row["Total"] == decimal_points(line.total)


def test_the_figures_lead_to_the_total() -> None:
    found = table(ALL["figures"]("en"), "en")
    assert len(found) == sum(1 + len(line.entries) for line in held().lines)
    games_of = [row for row in found if row["Round"] and row["Board"]]
    assert all(row["Points breakdown"].count(".") > 1 for row in games_of)


def test_a_result_that_nobody_confirmed_is_in_no_file() -> None:
    event = weekend()
    board = event.rounds[2].boards[1]
    open_board = replace(board, result=replace(board.result or BoardResult({}), confirmed=""))
    rounds = {**event.rounds, 2: replace(event.rounds[2], boards={**event.rounds[2].boards, 1: open_board})}
    told = replace(event, rounds=rounds)
    found = table(event_tables.results_table(told, standings.compute_standings(told), "fr"))
    told_of = [row for row in found if (row["Ronde"], row["Table"]) == ("2", "1")]
    assert {row["Centres"] + row["Score brut"] for row in told_of} == {""}


def test_files_end_where_the_standings_do() -> None:
    first = standings.compute_standings(weekend(), 1)
    assert {sat.round for sat in played_seats.played_seats(weekend(), first)} == {1}
    assert '"number": 2' not in json.dumps(dipvis.dipvis_json(weekend(), first))


HIDDEN: tuple[tuple[dict[int, bool], int], ...] = (
    ({}, 4),
    ({4: False}, 3),
    ({3: False}, 2),
    ({1: False}, 0),
    ({2: False, 4: False}, 1),
)


@pytest.mark.parametrize(("revealed", "last"), HIDDEN)
def test_the_last_round_that_all_may_see(revealed: dict[int, bool], last: int) -> None:
    rounds = {at: EventRound(revealed=revealed.get(at, True)) for at in range(1, 5)}
    assert played_seats.last_public_round(Event("x", rounds=rounds)) == last


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_wiki_shows_names_as_they_are(language: str) -> None:
    text = event_tables.wiki_text(weekend(), held(), language)
    assert "{{evil" not in text
    assert "<b>" not in text
    assert "&#61;1+1&#124;&#123;&#123;evil&#125;&#125;" in text
    assert (
        text.count("{|") == text.count("|}") == 1 + sum(len(one.boards) for one in weekend().rounds.values())
    )
    for line in text.splitlines():
        assert line.startswith(("{|", "|", "!", "=")) or line == "Saumur, 2021-07-11", line


def test_games_have_what_other_programs_look_for() -> None:
    told = json.loads(json.dumps(dipvis.dipvis_json(weekend(), held())))
    assert [told["year"], len(told["rounds"]), len(told["results"])] == [2021, 4, len(held().lines)]
    game = told["rounds"][0]["games"][0]
    assert game["is_top_board"] is True
    assert sum(one["final_scs"] for one in game["players"]) == 34
    assert {one["power"] for one in game["players"]} >= {"Austria", "Turkey"}
    for line, result in zip(held().lines, told["results"], strict=True):
        assert result["score"] == decimal_points(line.total)
        assert [one["dropped"] for one in result["score_breakdown"]] == [
            not entry.counted or not entry.weight for entry in line.entries
        ]


def test_the_database_has_everybody_and_every_seat() -> None:
    found = rows(wdd.wdd_classification(weekend(), held()))
    assert len(found) == len(weekend().people)
    assert [row["RANK"] for row in found if row["NAME"] == "Jamais"] == ["999"]
    assert [row["NATIONALITY"] for row in found if row["NAME"] == "Jamais"] == ["BEL"]
    assert {"R8", "RK_0AU", "BOARD_0TU", "RK_AWA_12", "NAME_TOPBOARD", "TEAM_RANK"} <= set(found[0])
    top = [row for row in found if row["NAME_TOPBOARD"]]
    assert 6 <= len(top) <= 7
    seats = rows(wdd.wdd_boards(weekend(), held()))
    points = [sat for sat in played_seats.played_seats(weekend(), held()) if sat.owner is not None]
    assert len(seats) == len(points)
    assert {row["COUNTRY"] for row in seats} == set(wdd.POWERS.values()) - {"TU"}


def test_a_draw_is_told_by_how_many_share_it() -> None:
    seats = rows(wdd.wdd_boards(weekend(), held()))
    by_board: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in seats:
        by_board.setdefault((row["ROUND"], row["BOARD"]), []).append(row)
    for sat in by_board.values():
        told = [row["DRAW"] for row in sat]
        solo = [row for row in sat if int(row["NB_CENTRE"]) >= 18]
        assert (told.count("1") == 1) is bool(solo)
        assert all(row["DRAW"] == "0" for row in sat if row["NB_CENTRE"] == "0")
        assert all(row["YEAR_ELIMINATION"] for row in sat if row["NB_CENTRE"] == "0")


NATIONS = {"France": "FRA", "fra": "FRA", "États-Unis": "USA", "Royaume Uni": "GBR", "Syldavie": "", "": ""}


@pytest.mark.parametrize("country", NATIONS)
def test_nations(country: str) -> None:
    assert wdd._nation(country) == NATIONS[country]


def test_an_event_where_nothing_was_played_has_files_too() -> None:
    event = Event("Rien", people={1: EventPerson("Zoé")}, rounds={1: EventRound()})
    none = standings.compute_standings(event)
    assert event_tables.results_table(event, none, "fr").rows == ()
    assert event_tables.wiki_text(event, none, "fr").startswith("== Rien ==")
    assert dipvis.dipvis_json(event, none)["results"] == []
    assert len(rows(wdd.wdd_classification(event, none))) == 1
    assert wdd.wdd_boards(event, none).count("\r\n") == 1


def test_a_board_of_a_game_that_the_judge_does_not_know() -> None:
    event = weekend()
    board = replace(
        event.rounds[1].boards[1], variant="escalation", seats={"FRANCE": PowerSeat(3)}, result=None
    )
    rounds = {**event.rounds, 1: replace(event.rounds[1], boards={9: board})}
    told = replace(event, rounds=rounds)
    assert any("Escalation" in row for row in event_tables.draws_table(told, "fr").rows)
    assert "Escalation" in event_tables.wiki_text(told, standings.compute_standings(told), "fr")
