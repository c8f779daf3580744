"""What is so of all standings, whatever was played."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talleyrand.tournament import codec, standings
from talleyrand.tournament.model import (
    AdjustmentEffect,
    Bye,
    ByeReason,
    Event,
    EventBoard,
    EventRound,
    PowerSeat,
    ScoreAdjustment,
    SeatReplacement,
)

from .scored import closed, event, table

PEOPLE = 15


@st.composite
def boards(draw: st.DrawFn, people: list[int]) -> EventBoard:
    """A board of some of those people, with any division of the centres, and perhaps a newcomer."""
    shares = draw(st.lists(st.integers(0, 9), min_size=7, max_size=7).filter(lambda one: 0 < sum(one) < 35))
    centres = (*shares[:-1], 34 - sum(shares[:-1])) if sum(shares[:-1]) <= 34 else tuple(shares)
    seats = [PowerSeat(one, missed=draw(st.integers(0, 3))) for one in people[:7]]
    if len(people) > 7 and draw(st.booleans()):
        seats[0] = replace(seats[0], reliefs=(SeatReplacement(people[7], draw(st.integers(1, 9))),))
    return table(*seats, centres=centres, confirmed=draw(st.sampled_from(("desk", "desk", ""))))


@st.composite
def rounds(draw: st.DrawFn) -> EventRound:
    """Up to two boards, some of those left standing down."""
    people = draw(st.permutations(range(1, PEOPLE + 1)))
    first = draw(boards(people[:8]))
    more = [draw(boards(people[8:]))] if draw(st.booleans()) else []
    resting = {one: Bye(ByeReason.LOT) for one in people[8:] if not more}
    return closed(first, *more, resting=resting, cancelled=draw(st.booleans()) and draw(st.booleans()))


@st.composite
def events(draw: st.DrawFn) -> Event:
    """Up to four rounds, the last perhaps with a final, and some rulings."""
    played = draw(st.lists(rounds(), max_size=4))
    if len(played) == 4 and draw(st.booleans()):
        final = {at: replace(one, final=at == 1) for at, one in played[3].boards.items()}
        played[3] = replace(played[3], boards=final, final=True)
    told = draw(st.lists(rulings, max_size=3))
    return event(*played, adjustments=dict(enumerate(told, 1)))


rulings = st.builds(
    ScoreAdjustment,
    st.integers(1, PEOPLE),
    st.integers(0, 4),
    st.sampled_from(AdjustmentEffect),
    st.sampled_from(("0", "-3", "1/2", "2.5")),
    st.just("a reason"),
)


@pytest.mark.long
@given(events(), st.permutations(range(1, PEOPLE + 1)))
@settings(max_examples=40)
def test_who_has_which_number_changes_nothing(told: Event, numbers: list[int]) -> None:
    to = dict(enumerate(numbers, 1))
    other = standings.compute_standings(renumbered(told, to)).by_person
    mine = standings.compute_standings(told).by_person
    assert {to[one]: (line.place, line.total) for one, line in mine.items()} == {
        one: (line.place, line.total) for one, line in other.items()
    }


def renumbered(told: Event, to: dict[int, int]) -> Event:
    """The same event with other numbers for its people."""

    def seat(one: PowerSeat) -> PowerSeat:
        reliefs = tuple(replace(relief, person=to[relief.person]) for relief in one.reliefs)
        return replace(one, person=to[one.person] if one.person else None, reliefs=reliefs)

    def renamed(one: EventRound) -> EventRound:
        tables = {
            at: replace(board, seats={power: seat(held) for power, held in board.seats.items()})
            for at, board in one.boards.items()
        }
        return replace(one, boards=tables, resting={to[who]: rest for who, rest in one.resting.items()})

    ruled = {at: replace(one, person=to[one.person]) for at, one in told.adjustments.items()}
    every = {number: renamed(one) for number, one in told.rounds.items()}
    return replace(told, rounds=every, adjustments=ruled)


@pytest.mark.long
@given(events())
@settings(max_examples=40)
def test_places_follow_totals_and_lines_lead_to_them(told: Event) -> None:
    lines = standings.compute_standings(told).lines
    for line in lines:
        assert line.place == 1 + sum(other.total > line.total for other in lines)
        assert line.steps[-1].points == line.total
        whole = sum((entry.points for entry in line.entries if entry.counted), Fraction(0))
        assert line.steps[0].points == whole


@pytest.mark.long
@given(events())
@settings(max_examples=40)
def test_what_adds_nothing_changes_nothing(told: Event) -> None:
    """A file read again; an addition of 0 and a factor of 1."""
    before = standings.compute_standings(told)
    again = codec.read_value(Event, codec.write_value(told))
    last = max(told.adjustments, default=0)
    nothing = [ScoreAdjustment(line.person, 0, AdjustmentEffect.ADD, "0", "") for line in before.lines[:3]]
    nothing += [ScoreAdjustment(line.person, 0, AdjustmentEffect.TIMES, "1", "") for line in before.lines[:3]]
    ruled = replace(told, adjustments={**told.adjustments, **dict(enumerate(nothing, last + 1))})
    for other in (again, ruled):
        assert not standings.standings_difference(before, standings.compute_standings(other))


@pytest.mark.long
@given(events(), events())
@settings(max_examples=40)
def test_a_difference_taken_back_is_the_other_way(one: Event, other: Event) -> None:
    first, second = standings.compute_standings(one), standings.compute_standings(other)
    there, back = standings.standings_difference(first, second), standings.standings_difference(second, first)
    assert {(move.person, move.gained, move.climbed) for move in there} == {
        (move.person, -move.gained, -move.climbed) for move in back
    }


@given(events(), st.booleans())
@settings(max_examples=25)
def test_they_rest_on_their_basis_alone(held: Event, provisional: bool) -> None:
    whole, bare = (
        standings.compute_standings(one, None, provisional) for one in (held, standings.ranking_basis(held))
    )
    assert (bare.lines, bare.faults, bare.final) == (whole.lines, whole.faults, whole.final)
    assert standings.ranking_basis(standings.ranking_basis(held)) == standings.ranking_basis(held)
