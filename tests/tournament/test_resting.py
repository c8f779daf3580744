"""Who stands down, in which order, and by which lot."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from talleyrand.tournament import byes, standings
from talleyrand.tournament.acts.people_acts import SetPersonFlags
from talleyrand.tournament.acts.round_acts import DecideFinalTable, GiveBye, UndoCheckIn
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import ByeReason, Event, Office

from .room import done, gathered


def why(event: Event, number: int, count: int, seed: str = "lot") -> dict[int, ByeReason]:
    drawn = byes.draw_byes(event, number, count, seed)
    return {who: rest.why for who, rest in drawn.people.items()}


def test_the_organiser_first_then_who_helps_him_then_by_lot() -> None:
    event = gathered(17)
    assert why(event, 1, 1) == {1: ByeReason.ORGANISATION}
    assert why(event, 1, 2) == {1: ByeReason.ORGANISATION, 2: ByeReason.ORGANISATION}
    third = why(event, 1, 3)
    assert Counter(third.values()) == {ByeReason.ORGANISATION: 2, ByeReason.LOT: 1}


def test_a_volunteer_stands_down_before_anybody_is_drawn() -> None:
    event = done(gathered(17), SetPersonFlags(9, office=Office.VOLUNTEER))
    assert set(why(event, 1, 3)) == {1, 2, 9}
    among = {who for seed in "abcdefghijkl" for who in why(event, 1, 2, seed)}
    assert among == {1, 2, 9}, "by lot among those who help"


def test_whoever_agreed_with_the_director_stands_down_first() -> None:
    event = done(gathered(17), GiveBye(1, 9, ByeReason.DIRECTOR))
    assert why(event, 1, 2) == {1: ByeReason.ORGANISATION, 9: ByeReason.DIRECTOR}


def test_a_lot_can_be_drawn_again_and_falls_on_everybody() -> None:
    event = gathered(17)
    drawn = byes.draw_byes(event, 1, 3, "seed")
    assert drawn == byes.draw_byes(event, 1, 3, "seed")
    (lot,) = drawn.lots
    assert lot == byes.draw_people("stand_down", list(range(3, 18)), 1, "seed")
    fallen = {byes.draw_byes(event, 1, 3, str(seed)).lots[0].drawn for seed in range(200)}
    assert len(fallen) == 15


def test_later_it_falls_on_those_who_have_played_most() -> None:
    event = gathered(17, 2)
    rested = set(event.rounds[1].resting)
    here = [who for who in event.people if who > 2]
    for seed in "abcdefgh":
        fallen = {who for who, reason in why(event, 2, 5, seed).items() if reason is ByeReason.LOT}
        assert not fallen & rested
        assert fallen <= set(here)


def test_where_too_few_have_played_most_those_who_played_less_follow() -> None:
    event = gathered(17, 2)
    (fresh,) = (who for who in event.people if who > 2 and not byes.rounds_played(event, who, 2))
    assert set(why(event, 2, 16)) == set(event.people) - {fresh}
    assert fresh in why(event, 2, 17)


@pytest.mark.long
def test_in_the_last_round_the_first_five_play() -> None:
    event = done(gathered(17, 4), DecideFinalTable(4, held=False))
    best = {line.person for line in standings.compute_standings(event, through=3).lines if line.place <= 5}
    for seed in "abcdefgh":
        assert not {who for who, reason in why(event, 4, 5, seed).items() if reason is ByeReason.LOT} & best


def test_the_first_five_too_where_nobody_else_is_left() -> None:
    event = done(gathered(17, 4), DecideFinalTable(4, held=False))
    assert len(why(event, 4, 17)) == 17


def test_finalists_and_those_on_two_boards_are_kept() -> None:
    keep = set(range(1, 8))
    drawn = byes.draw_byes(gathered(17), 1, 10, "seed", keep=keep)
    assert not keep & set(drawn.people)
    with pytest.raises(ActRefused, match="act_too_few"):
        byes.draw_byes(gathered(17), 1, 11, "seed", keep=keep)


def test_who_does_not_wish_to_play_is_not_drawn() -> None:
    event = done(gathered(17), GiveBye(1, 9, ByeReason.OWN))
    assert 9 not in why(event, 1, 16)
    with pytest.raises(ActRefused, match="act_too_few"):
        byes.draw_byes(event, 1, 17, "seed")


def test_the_first_seven_of_those_present_play_the_final() -> None:
    event = gathered(21, 4)
    ranked = [line.person for line in standings.compute_standings(event, through=3).lines]
    away = ranked[2]
    people = byes.choose_finalists(done(event, UndoCheckIn(4, away)), 4, "seed").people
    assert len(set(people)) == 7
    assert away not in people
    assert set(people[:5]) <= set(ranked[:9])


def test_a_tie_for_the_last_seat_is_drawn_by_lot_and_kept() -> None:
    event = gathered(21)  # nobody has played: all are level
    final = replace(event, rounds={4: event.rounds[1]})
    drawn = {byes.choose_finalists(final, 4, str(seed)).people for seed in range(10)}
    assert len(drawn) == 10
    qualified = byes.choose_finalists(final, 4, "seed")
    (lot,) = qualified.lots
    assert (len(lot.among), len(lot.drawn)) == (21, 7)
    assert sorted(map(int, lot.drawn)) == list(qualified.people)


def test_a_final_needs_seven_people() -> None:
    event = done(gathered(7, 4), UndoCheckIn(4, 3))
    with pytest.raises(ActRefused, match="act_too_few"):
        byes.choose_finalists(event, 4, "seed")
    with pytest.raises(ActRefused, match="act_too_few"):
        byes.choose_finalists(replace(event, regulations={}), 4, "seed")
