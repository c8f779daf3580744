"""Standings and prizes are reckoned once, and again as soon as anything they rest on has changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand.tournament import standings
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.people_acts import AddPerson, ChangePerson, SetPersonFlags
from talleyrand.tournament.acts.result_acts import CorrectResult
from talleyrand.tournament.acts.round_acts import CheckIn, RevealRound
from talleyrand.tournament.acts.ruling_acts import AddAdjustment
from talleyrand.tournament.model import AdjustmentEffect, BoardResult, EventPerson, Office, ScoreAdjustment
from talleyrand.web.tournaments import cached_awards, cached_standings, event_journal
from talleyrand.web.tournaments.models import Tournament
from tests.web.tournaments import hall, scene

pytestmark = pytest.mark.django_db

SET_BY_DESK = CorrectResult(1, 1, BoardResult(hall.CENTRES, year=1906, eliminated_in={"TURKEY": 1905}))


def after(made: Tournament, act: EventAct) -> cached_standings.CachedStandings:
    event_journal.perform_acts(hall.fresh(made), [act], event_journal.JournalActor(scene.director()))
    return cached_standings.standings_of(hall.fresh(made), 4)


def test_who_comes_moves_nobody_and_a_result_does() -> None:
    made = hall.playing()
    first = after(made, SET_BY_DESK)
    assert after(made, CheckIn(1, 9, hall.HOUR)) is first
    assert after(made, SetPersonFlags(2, due="40")) is first
    ruled = after(made, AddAdjustment(ScoreAdjustment(1, 1, AdjustmentEffect.ADD, "-5", "A reason")))
    assert ruled.mark != first.mark
    assert after(made, SetPersonFlags(8, office=Office.ORGANISER)) is ruled  # who has sat nowhere
    assert after(made, AddPerson(EventPerson("Nora Nouvelle"))) is ruled
    assert after(made, SetPersonFlags(7, office=Office.ORGANISER)).mark not in (first.mark, ruled.mark)


def test_the_rows_are_made_again_for_a_name_that_stands_in_them() -> None:
    made = hall.playing()
    after(made, SET_BY_DESK)
    person = hall.event(made).people[1]
    assert person.name in hall.text(hall.phone(made).get(hall.path(made, "standings")))
    after(made, ChangePerson(1, replace(person, name="Agathe Orianne")))
    page = hall.text(hall.phone(made).get(hall.path(made, "standings")))
    assert "Agathe Orianne" in page
    assert person.name not in page


def test_what_is_kept_is_what_would_be_reckoned() -> None:
    made = hall.playing()
    held = after(made, SET_BY_DESK).standings
    assert held is not None
    assert held.lines == standings.compute_standings(hall.event(made), 4).lines
    assert len(held.lines) == 7


def test_a_round_that_is_hidden_again_is_not_shown_from_what_was_kept() -> None:
    made = hall.playing()
    after(made, SET_BY_DESK)
    page = hall.text(hall.phone(made).get(hall.path(made, "standings")))
    assert "Agathe Oriol" in page
    after(made, RevealRound(1, shown=False))
    assert "Agathe Oriol" not in hall.text(hall.phone(made).get(hall.path(made, "standings")))


def test_prizes_are_those_of_the_event_as_it_is() -> None:
    made = hall.playing()
    after(made, SET_BY_DESK)
    first = cached_awards.awards_of(hall.fresh(made))
    assert cached_awards.awards_of(hall.fresh(made)) is first
    after(made, AddAdjustment(ScoreAdjustment(1, 1, AdjustmentEffect.SET, "0", "A reason")))
    assert cached_awards.awards_of(hall.fresh(made))[0].holders != first[0].holders
