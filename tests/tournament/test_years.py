"""Centres year by year: what may be written down, who fell when, who sees it, what files get of it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import board_rules, event_changes, public_view, standings
from talleyrand.tournament.acts.result_acts import (
    ConfirmResult,
    CorrectResult,
    CountCentres,
    CountCentresByYear,
    EnterResult,
    WithdrawResult,
    first_missing_year,
    result_digest,
)
from talleyrand.tournament.codec import write_value
from talleyrand.tournament.exports import dipvis, wdd
from talleyrand.tournament.model import BoardResult, Event, EventBoard

from .moments import player
from .room import CENTRES, closed, done, playing

EQUAL = dict(zip(CENTRES, (5, 5, 5, 5, 5, 5, 4), strict=True))
WEAK = {**CENTRES, "AUSTRIA": 11, "TURKEY": 1}
FELL = {1901: EQUAL, 1902: WEAK, 1903: CENTRES}
SAID = BoardResult(CENTRES, year=1906)


def counted() -> Event:
    """Board 1, told from 1901 to 1903: Turkey fell in 1903."""
    return done(playing(), CountCentresByYear(1, 1, FELL))


def board(event: Event) -> EventBoard:
    return event.rounds[1].boards[1]


def test_the_first_year_without_a_centre_is_the_year_of_the_fall() -> None:
    assert board_rules.elimination_years(FELL) == {"TURKEY": 1903}
    assert (
        board_rules.elimination_years({1901: EQUAL, 1903: CENTRES, 1904: CENTRES}) == {}
    )  # 1902 or 1903: nobody knows
    assert board_rules.elimination_years({1901: CENTRES}) == {"TURKEY": 1901}


def test_the_result_has_the_last_word() -> None:
    event = done(counted(), CountCentresByYear(1, 1, {1905: CENTRES, 1907: CENTRES}))
    told = done(event, CorrectResult(1, 1, SAID))
    assert list(board_rules.yearly_centres(board(told))) == [1901, 1902, 1903, 1905, 1906]
    shorter = done(told, CorrectResult(1, 1, replace(SAID, year=1903)))
    assert list(board_rules.yearly_centres(board(shorter))) == [1901, 1902, 1903]
    assert list(board(done(shorter, WithdrawResult(1, 1))).years) == [1901, 1902, 1903, 1905, 1907]


def test_the_next_year_to_write_down() -> None:
    assert first_missing_year(board(playing())) == 1901
    assert first_missing_year(board(counted())) == 1904


REFUSED = [
    ("act_year", {1900: CENTRES}),
    ("act_year", {1951: CENTRES}),
    ("act_centres_missing", {1904: {"FRANCE": 34}}),
    ("act_centres_total", {1904: {**CENTRES, "FRANCE": 7}}),
    ("act_centres_count", {1904: {**CENTRES, "FRANCE": -1}}),
    ("act_no_power", {1904: {**CENTRES, "BURGUNDY": 0}}),
    ("act_year_risen", {1904: WEAK}),
    ("act_year_risen", {1902: CENTRES, 1903: WEAK}),
]


@pytest.mark.parametrize(("code", "years"), REFUSED)
def test_what_cannot_be_is_refused(code: str, years: dict[int, dict[str, int]]) -> None:
    with pytest.raises(TalleyrandError) as refused:
        done(counted(), CountCentresByYear(1, 1, years))
    assert refused.value.code == code


def test_neutral_centres_are_said() -> None:
    few = {**CENTRES, "AUSTRIA": 10}
    told = done(playing(), CountCentresByYear(1, 1, {1901: few}, neutral={1901: 2}))
    assert board(told).years == {1901: few}


def test_a_result_and_years_agree() -> None:
    event = counted()
    for result, code in (
        (replace(SAID, eliminated_in={"TURKEY": 1902}), "act_year_contradicted"),
        (replace(SAID, eliminated_in={"TURKEY": 1904}), "act_year_contradicted"),
        (BoardResult(WEAK, year=1906), "act_year_risen"),
    ):
        with pytest.raises(TalleyrandError) as refused:
            done(event, CorrectResult(1, 1, result))
        assert refused.value.code == code
    told = done(event, CorrectResult(1, 1, replace(SAID, eliminated_in={"TURKEY": 1903})))
    for years, code in (
        ({1903: WEAK}, "act_year_contradicted"),
        ({1907: CENTRES}, "act_year_result"),
        ({1906: WEAK}, "act_year_result"),
    ):
        with pytest.raises(TalleyrandError) as refused:
            done(told, CountCentresByYear(1, 1, years))
        assert refused.value.code == code


def test_who_may_write_them_down() -> None:
    one, two = str(player()), str(player(power="ITALY"))
    event = done(
        playing(), CountCentresByYear(1, 1, {1901: EQUAL}, one), CountCentresByYear(1, 1, {1901: WEAK}, two)
    )
    entered = done(event, EnterResult(1, 1, SAID, one), CountCentresByYear(1, 1, {1902: WEAK}, two))
    confirmed = done(entered, ConfirmResult(1, 1, two, result_digest(SAID)))
    elsewhere = next(
        str(seat.person)
        for at, held in event.rounds[1].boards.items()
        for seat in held.seats.values()
        if at != 1 and seat.person and str(seat.person) not in (one, two)
    )
    for moment, by, code in (
        (confirmed, one, "act_result_entered"),
        (event, elsewhere, "act_not_at_board"),
        (event, "<b>", "act_not_at_board"),
        (closed(), one, "act_round_closed"),
    ):
        with pytest.raises(TalleyrandError) as refused:
            done(moment, CountCentresByYear(1, 1, {1902: WEAK}, by))
        assert refused.value.code == code
    assert board(done(closed(), CountCentresByYear(1, 1, {1901: EQUAL}))).years


def test_the_newest_year_is_what_would_be_if_it_ended_now() -> None:
    event = done(playing(), CountCentres(1, 1, EQUAL), CountCentresByYear(1, 1, {1901: WEAK}))
    found = standings.compute_standings(event, provisional=True)
    assert [game.result.centres for game in found.games if game.board == 1] == [WEAK]
    later = done(event, CountCentres(1, 1, EQUAL))
    assert standings.compute_standings(later, provisional=True).games[0].result.centres == EQUAL
    assert not standings.compute_standings(later).games
    again = done(done(event, CountCentresByYear(1, 1, {1902: CENTRES})), CountCentres(1, 1, WEAK))
    assert (
        board(done(again, CountCentresByYear(1, 1, {1901: EQUAL}))).now == WEAK
    )  # an older year says nothing of now


def test_any_of_it_is_taken_back() -> None:
    before, after = write_value(playing()), write_value(counted())
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    assert event_changes.undo_changes(after, event_changes.diff_documents(before, after)) == before


def test_who_sees_them() -> None:
    event, mine = counted(), player()
    assert not board(public_view.visible_event(event)).years
    assert board(public_view.visible_event(event, mine)).years == FELL
    assert board(public_view.visible_event(replace(event, live=True))).years == FELL
    told = done(event, CorrectResult(1, 1, SAID))
    assert board(public_view.visible_event(told)).years == FELL
    hidden = replace(told, rounds={**told.rounds, 1: replace(told.rounds[1], revealed=False)})
    assert not board(public_view.visible_event(hidden)).years
    assert board(public_view.visible_event(hidden, mine)).years == FELL


def test_files_of_other_programs_get_every_year() -> None:
    event = done(counted(), CorrectResult(1, 1, SAID))
    held = standings.compute_standings(event)
    rows = list(csv.DictReader(io.StringIO(wdd.wdd_boards(event, held)), delimiter=";"))
    found = {row["COUNTRY"]: row for row in rows if row["BOARD"] == "1"}
    told = {column: found["FR"][column] for column in found["FR"] if column.startswith("CT_")}
    assert {column: count for column, count in told.items() if count} == {
        "CT_01": "5",
        "CT_02": "6",
        "CT_03": "6",
        "CT_06": "6",
    }
    assert found["TU"]["YEAR_ELIMINATION"] == "3"
    assert found["FR"]["YEAR_ELIMINATION"] == ""
    first = dipvis.dipvis_json(event, held)["rounds"][0]["games"][0]
    assert {one["power"]: one["scs_by_year"] for one in first["players"]}["France"] == {
        "1901": 5,
        "1902": 6,
        "1903": 6,
        "1906": 6,
    }
