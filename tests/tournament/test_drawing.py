"""The draw of a round: hard rules hold, soft ones are reached, and what is drawn stays in the act."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from typing import Any

import pytest

from talleyrand.tournament import acts, board_formation, board_rules, byes, seat_draw
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.people_acts import AddPerson, SetPersonFlags, SetPowerPreferences
from talleyrand.tournament.acts.round_acts import (
    CheckIn,
    CheckInPeople,
    DecideFinalTable,
    GiveBye,
    OpenRound,
    UndoCheckIn,
)
from talleyrand.tournament.acts.seating_acts import LockSeat, PublishDraft, RemoveBoard, SwapSeats
from talleyrand.tournament.acts.team_acts import ChooseTeamPowers, FormTeam, KeepApart
from talleyrand.tournament.board_formation import FormationChoice
from talleyrand.tournament.byes import RoundByes
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Bye, ByeReason, Event, EventPerson, EventRound, EventTeam
from talleyrand.tournament.regulations import OrganiserPart
from talleyrand.tournament.seat_draw import SeatDrawRequest

from .room import LATER, by_rule, done, drafted, gathered, playing, sits


def drawn(event: Event, number: int = 1, seed: str = "seed", at: int = 0, **facts: Any) -> Event:
    choice = board_formation.round_formations(event, number)[at]
    return done(event, by_rule(event, number, choice, seed, **facts))


def tables(one: EventRound) -> list[set[int]]:
    return [set(board_rules.first_players(board)) for board in one.boards.values()]


def powers(one: EventRound) -> dict[int, str]:
    seats = [(seat.person, power) for board in one.boards.values() for power, seat in board.seats.items()]
    return {who: power for who, power in seats if who is not None}


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 17, 19, 20, 27])
def test_everybody_has_a_seat_or_stands_down_for_every_choice(count: int) -> None:
    event = gathered(count)
    for at in range(len(board_formation.round_formations(event, 1))):
        one = done(drawn(event, at=at), PublishDraft(1)).rounds[1]
        placed = Counter(who for table in tables(one) for who in table) + Counter(list(one.resting))
        twice = board_formation.round_formations(event, 1)[at].twice
        assert placed == Counter([*event.people, *[1] * twice])


def test_the_same_seed_draws_the_same_and_the_act_says_it_all() -> None:
    event = gathered(21)
    choice = board_formation.round_formations(event, 1)[0]
    act = by_rule(event, 1, choice, "one")
    assert act == by_rule(event, 1, choice, "one")
    assert act != by_rule(event, 1, choice, "two")
    assert acts.read_act(acts.write_act(act)) == act


def test_nobody_plays_a_power_again_over_four_rounds() -> None:
    event = playing(21, 4)
    played = [(who, power) for one in event.rounds.values() for who, power in powers(one).items()]
    assert len(set(played)) == len(played) == 84


def test_repeats_are_told_as_they_are() -> None:
    event = drafted(21, 2)
    told = event.rounds[2].drawn
    assert told is not None
    before = {pair for table in tables(event.rounds[1]) for pair in combinations(sorted(table), 2)}
    now = {pair for table in tables(event.rounds[2]) for pair in combinations(sorted(table), 2)}
    assert {(one.person, one.other) for one in told.repeats if one.other} == before & now
    assert told.meetings == len(before & now) == told.bound == 15
    assert told.powers == told.power_bound == 0


def test_a_game_of_five_or_fewer_is_no_power_already_played() -> None:
    event = done(drawn(gathered(5), at=1), PublishDraft(1))
    assert not seat_draw.past_games(event, 2).games[0].counts_powers
    assert seat_draw.past_games(playing(6), 2).games[0].counts_powers


def test_pairs_apart_never_share_a_board() -> None:
    apart = [KeepApart(3, who) for who in (4, 5, 6, 7)]
    event = done(gathered(14), *apart)
    for seed in "abcde":
        for table in tables(drawn(event, seed=seed).rounds[1]):
            assert not (3 in table and table & {4, 5, 6, 7})


def test_rules_that_collide_are_named_and_may_be_dropped() -> None:
    event = done(gathered(14), *(KeepApart(*pair) for pair in combinations((3, 4, 5), 2)))
    with pytest.raises(ActRefused) as refused:
        drawn(event)
    assert (refused.value.code, refused.value.facts) == ("act_no_draw", {"rules": "apart"})
    assert drawn(event, dropped=("apart",)).rounds[1].boards


def test_team_mates_sit_apart_with_other_powers_than_the_day_before() -> None:
    teams = [FormTeam(EventTeam("A", (3, 4, 5))), FormTeam(EventTeam("B", (6, 7, 8)))]
    event = drawn(done(gathered(21, 2), *teams), 2)
    yesterday, today = powers(event.rounds[1]), powers(event.rounds[2])
    for team in event.teams.values():
        assert all(len(table & set(team.members)) <= 1 for table in tables(event.rounds[2]))
        assert len({today[who] for who in team.members}) == 3
        assert all(today[who] != yesterday[who] for who in team.members)


def test_teams_mean_nothing_in_other_rounds() -> None:
    event = done(gathered(14), FormTeam(EventTeam("A", (3, 4, 5))))
    together = [drawn(event, seed=seed).rounds[1] for seed in "abcdefgh"]
    assert any(len(table & {3, 4, 5}) > 1 for one in together for table in tables(one))


def test_the_best_of_the_first_boards_share_one_where_no_final_is_played() -> None:
    event = gathered(14, 2)
    best = set(seat_draw.board_firsts(event, 1))
    assert len(best) == 2
    assert any(best <= table for table in tables(drawn(event, 2).rounds[2]))


def test_the_best_are_not_put_together_where_a_final_comes() -> None:
    event = gathered(21, 2)
    assert seat_draw.best_to_seat_together(event, 2) == (frozenset(seat_draw.board_firsts(event, 1)),)
    assert seat_draw.best_to_seat_together(event, 2, planned=3) == ()
    decided = done(event, DecideFinalTable(4, held=False))
    assert seat_draw.best_to_seat_together(decided, 2, planned=3) != ()


def test_in_the_third_round_the_best_who_have_not_met_are_put_together() -> None:
    event = gathered(14, 3)
    best = {*seat_draw.board_firsts(event, 1), *seat_draw.board_firsts(event, 2)}
    met = [pair for at in (1, 2) for table in tables(event.rounds[at]) for pair in combinations(table, 2)]
    for pair in seat_draw.best_to_seat_together(event, 3):
        assert len(pair) == 2
        assert pair <= best
        assert pair not in map(frozenset, met)


@pytest.mark.long
def test_the_final_is_the_first_board_and_the_others_are_drawn_beside_it() -> None:
    event = done(gathered(21, 4), DecideFinalTable(4, held=True))
    choice = board_formation.round_formations(event, 4, range(1, 8))[0]
    act = by_rule(event, 4, choice, "seed", final=byes.choose_finalists(event, 4, "seed"))
    one = done(event, act, PublishDraft(4)).rounds[4]
    assert [board.final for board in one.boards.values()] == [True, False, False]
    assert len(tables(one)[0]) == 7
    again = done(event, act)
    again = done(again, seat_draw.redraw(again, 4, "other"))
    assert tables(again.rounds[4])[0] == tables(one)[0]


def test_the_organiser_plays_two_powers_on_two_boards() -> None:
    one = drafted(13).rounds[1]
    mine = [power for board in one.boards.values() for power, seat in board.seats.items() if seat.person == 1]
    assert len(mine) == len(set(mine)) == 2


def test_somebody_else_may_play_twice_if_he_is_named() -> None:
    event = done(gathered(14), UndoCheckIn(1, 1))
    choice = FormationChoice(("classic",) * 2, (7, 7), 0, 1, OrganiserPart.TWO)
    with pytest.raises(ActRefused, match="act_who_twice"):
        by_rule(event, 1, choice, "seed", twice=())
    one = done(event, by_rule(event, 1, choice, "seed", twice=(5,))).rounds[1]
    assert all(5 in table for table in tables(one))
    with pytest.raises(ActRefused, match="act_not_present"):
        by_rule(event, 1, choice, "seed", twice=(1,))


def test_locked_seats_stay_and_the_rest_is_drawn_again() -> None:
    event = done(drafted(21), LockSeat(1, 1), LockSeat(1, 2, "ITALY"))
    again = done(event, seat_draw.redraw(event, 1, "other"))
    assert again.rounds[1].boards[1] == event.rounds[1].boards[1]
    assert sits(again, 1, 2, "ITALY") == sits(event, 1, 2, "ITALY")
    assert again.rounds[1].boards[2].seats["ITALY"].locked
    assert again.rounds[1].boards[3] != event.rounds[1].boards[3]


@pytest.mark.parametrize("at", range(3))
def test_a_game_of_few_keeps_its_powers_while_a_seat_is_locked(at: int) -> None:
    event = drawn(gathered(5), at=at)
    power = next(power for power, seat in event.rounds[1].boards[1].seats.items() if seat.person)
    event = done(event, LockSeat(1, 1, power))
    again = done(event, seat_draw.redraw(event, 1, "other"))
    assert sits(again, 1, 1, power) == sits(event, 1, 1, power)
    assert set(again.rounds[1].boards[1].seats) == set(event.rounds[1].boards[1].seats)


def test_a_draw_against_a_lock_is_refused() -> None:
    event = done(drafted(14), LockSeat(1, 1, "FRANCE"))
    other = by_rule(gathered(14), 1, board_formation.round_formations(event, 1)[0], "another seed")
    assert other.boards[1].seats["FRANCE"].person != sits(event, 1, 1, "FRANCE")
    with pytest.raises(ActRefused, match="act_seat_locked"):
        acts.perform_act(event, other)


def test_one_whose_seat_is_locked_does_not_stand_down() -> None:
    event = done(drafted(15), LockSeat(1, 1, "FRANCE"))
    wanted = SeatDrawRequest(
        board_formation.round_formations(event, 1)[0],
        "seed",
        RoundByes({sits(event, 1, 1, "FRANCE"): Bye(ByeReason.LOT)}),
    )
    with pytest.raises(ActRefused, match="act_seat_locked"):
        seat_draw.draw_seats(event, 1, wanted)


def test_powers_that_team_mates_have_chosen_are_theirs() -> None:
    event = gathered(14)
    chosen = {3: "FRANCE", 4: "ITALY", 5: "TURKEY"}
    act = seat_draw.draw_seats(
        event, 1, SeatDrawRequest(board_formation.round_formations(event, 1)[0], "seed", powers=chosen)
    )
    assert chosen.items() <= powers(done(event, act).rounds[1]).items()
    taken = SeatDrawRequest(
        board_formation.round_formations(event, 1)[0], "seed", powers=dict.fromkeys((3, 4, 5), "FRANCE")
    )
    with pytest.raises(ActRefused, match="act_no_draw"):
        seat_draw.draw_seats(event, 1, taken)
    with pytest.raises(ActRefused, match="act_no_power"):
        seat_draw.draw_seats(event, 1, replace(taken, powers={3: "NARNIA"}))


def test_a_round_of_too_many_is_refused() -> None:
    event = gathered(427)
    with pytest.raises(ActRefused, match="act_too_many_people"):
        drawn(event)


def test_a_walk_in_before_it_is_published_is_drawn_with_the_others() -> None:
    event = done(drafted(14), AddPerson(EventPerson("Walk In")), CheckIn(1, 15, LATER))
    with pytest.raises(ActRefused, match="act_unplaced"):
        acts.perform_act(event, PublishDraft(1))
    assert event.rounds[1].boards == drafted(14).rounds[1].boards
    placed = drawn(event)
    assert board_formation.people_counted(placed, 1) == tuple(range(1, 16))
    assert set(placed.rounds[1].resting) == {1}


def test_a_seat_too_many_or_too_few_is_refused() -> None:
    event = gathered(14)
    for choice in (FormationChoice(("classic",), (7,)), FormationChoice(("classic",) * 3, (7,) * 3)):
        with pytest.raises(ActRefused, match="act_seats_count"):
            seat_draw.draw_seats(event, 1, SeatDrawRequest(choice, "seed"))


def test_a_board_that_fell_is_drawn_again_beside_the_others() -> None:
    event = playing(21)
    gone = [seat.person for seat in event.rounds[1].boards[3].seats.values()][:1]
    leave = [UndoCheckIn(1, who) for who in gone if who]
    event = done(event, RemoveBoard(1, 3), *leave)
    kept = (1, 2)
    choice = board_formation.round_formations(event, 1, seat_draw.people_seated(event, 1, kept))[0]
    assert choice.boards == (board_formation.SURVIVOR,)
    after = done(event, by_rule(event, 1, choice, "seed", kept=kept))
    assert [after.rounds[1].boards[at] for at in kept] == [event.rounds[1].boards[at] for at in kept]
    assert len(tables(after.rounds[1])[2]) == 6


def test_a_second_draw_keeps_the_lots_of_the_first() -> None:
    event = playing(17)
    first = event.rounds[1].drawn
    assert first is not None
    assert first.lots
    event = done(event, RemoveBoard(1, 2))
    choice = board_formation.round_formations(event, 1, seat_draw.people_seated(event, 1, (1,)))[0]
    second = by_rule(event, 1, choice, "again", kept=(1,)).drawn
    assert second.lots[: len(first.lots)] == first.lots


def test_one_who_does_not_wish_to_play_is_left_out_and_stays_so() -> None:
    event = done(gathered(15), GiveBye(1, 9, ByeReason.OWN))
    one = drawn(event).rounds[1]
    assert one.resting[9].why is ByeReason.OWN
    assert 9 not in powers(one)


def test_seats_changed_by_hand_are_judged() -> None:
    event = drafted(14, 2)
    found = seat_draw.rate_seats(event, 2)
    told = event.rounds[2].drawn
    assert told is not None
    assert (found.repeats, found.bound) == (told.meetings, told.bound)
    first, second = tables(event.rounds[2])
    pair = min(first), min(second)
    apart = done(event, KeepApart(min(first), max(first)))
    assert [rule.__class__.__name__ for rule in seat_draw.rate_seats(apart, 2).broken_rules] == ["ApartRule"]
    swapped = done(event, swap(event, 2, *pair))
    assert seat_draw.rate_seats(swapped, 2).seats[1] != found.seats[1]


def swap(event: Event, number: int, one: int, other: int) -> EventAct:
    where = {
        seat.person: (at, power)
        for at, board in event.rounds[number].boards.items()
        for power, seat in board.seats.items()
    }
    return SwapSeats(number, *where[one], *where[other])


def test_twins_on_two_boards_are_judged_as_allowed() -> None:
    assert seat_draw.rate_seats(drafted(13), 1).broken_rules == ()


def test_a_place_in_the_room_stays_with_its_board() -> None:
    event = drafted(14)
    room = replace(event.rounds[1].boards[1], place="By the window")
    placed = replace(event.rounds[1], boards={**event.rounds[1].boards, 1: room})
    event = replace(event, rounds={**event.rounds, 1: placed})
    assert done(event, seat_draw.redraw(event, 1, "other")).rounds[1].boards[1].place == "By the window"


def test_many_who_all_play_never_meet_again() -> None:
    """Drawn by rounds alone, the last of four with 49 people has three meetings again."""
    event = gathered(49)
    for number in range(1, 5):
        event = event if number == 1 else done(event, OpenRound(number), everybody(event, number))
        choice = board_formation.round_formations(event, number)[0]
        event = done(event, by_rule(event, number, choice, f"s{number}"), PublishDraft(number))
        drawn = event.rounds[number].drawn
        assert drawn is not None
        assert (drawn.meetings, drawn.powers) == (0, 0), number


def everybody(event: Event, number: int) -> CheckInPeople:
    return CheckInPeople(number, tuple(event.people), LATER)


def seven_teams() -> Event:
    """Before the round of teams: forty-nine people in seven teams of seven."""
    event = gathered(49, 2)
    teams = [EventTeam(f"Team {at}", tuple(range(1 + 7 * at, 8 + 7 * at))) for at in range(7)]
    return done(event, *map(FormTeam, teams))


def chosen(event: Event) -> dict[int, str]:
    """Powers that the members of the first team may choose: none of the day before."""
    yesterday, members = powers(event.rounds[1]), event.teams[1].members
    ways = (
        dict(zip(members, way, strict=True))
        for way in permutations(board_rules.variant_powers(board_rules.CLASSIC))
    )
    return next(way for way in ways if all(yesterday[who] != power for who, power in way.items()))


def test_members_of_whole_teams_play_what_they_chose() -> None:
    event = seven_teams()
    wanted = chosen(event)
    today = powers(drawn(done(event, ChooseTeamPowers(1, wanted)), 2).rounds[2])
    assert {who: today[who] for who in wanted} == wanted


def test_a_team_does_not_choose_the_power_of_the_day_before() -> None:
    event = seven_teams()
    who = event.teams[1].members[2]
    yesterday = powers(event.rounds[1])[who]
    with pytest.raises(ActRefused) as refused:
        drawn(done(event, ChooseTeamPowers(1, {who: yesterday})), 2)
    assert refused.value.code == "act_power_of_yesterday"
    assert refused.value.facts == {"person": str(who), "power": yesterday}


def test_wishes_count_where_the_regulations_ask_for_them() -> None:
    event = done(gathered(14), *(SetPowerPreferences(who, ("TURKEY",)) for who in (3, 4)))
    assert seat_draw.power_preferences(event) == {}
    assert seat_draw.granted_preferences(drawn(event), 1) == {}
    asked = replace(event, regulations={"extends": "anjou_feu", "wishes": True})
    assert set(seat_draw.granted_preferences(drawn(asked), 1).values()) == {1}


def test_recorders_are_spread_unless_the_regulations_say_otherwise() -> None:
    event = done(gathered(21), *(SetPersonFlags(who, recorder=True) for who in (3, 4, 5)))
    for seed in "abc":
        one = drawn(event, seed=seed)
        assert seat_draw.boards_without_recorder(one, 1) == ()
        assert [len(table & {3, 4, 5}) for table in tables(one.rounds[1])] == [1, 1, 1]
    without = replace(event, regulations={"extends": "anjou_feu", "recorders": False})
    assert seat_draw.recorders(without) == frozenset()
    assert seat_draw.boards_without_recorder(drawn(without), 1) == ()
