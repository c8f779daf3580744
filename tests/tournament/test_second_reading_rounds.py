"""Rounds by a second reading of the Anjou Feu: boards, who stands down, the best together, votes, clocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from talleyrand.tournament import (
    board_formation,
    byes,
    codec,
    end_vote_rules,
    regulations,
    round_timing,
    seat_draw,
)
from talleyrand.tournament.model import (
    ByeReason,
    EndVote,
    EndVoteState,
    Event,
    EventBoard,
    EventRound,
    PowerHoldings,
    PowerSeat,
    RoundState,
)
from talleyrand.tournament.regulations import OrganiserPart
from tests.tournament import chance_events
from tests.tournament.second_reading import Reading

RULES = regulations.read_regulations("anjou_feu")
Json = dict[str, Any]


# What is played follows from how many there are, the organiser one of them.


def formed(count: int) -> tuple[tuple[int, ...], str, int]:
    """Sizes of boards, what the organiser does, and how many others stand down."""
    if count in (2, 3):  # the organiser of three referees
        return (2,), "referees" if count == 3 else "plays", 0
    if count in (4, 5):
        return (count,), "plays", 0
    if count in (6, 11, 12, 18, 19):  # Survivor Turkey, the organiser of eleven at both boards
        part = {11: "two", 19: "rests"}.get(count, "plays")
        return (6,) * ((count + 1) // 6), part, 0
    if count in (13, 20):
        return (7,) * ((count + 1) // 7), "two", 0
    over = count % 7  # the organiser stands down first, then as many others as it takes
    return (7,) * (count // 7), "rests" if over else "plays", max(0, over - 1)


def test_boards_for_so_many() -> None:
    for count in range(2, 81):
        sizes, part, others = formed(count)
        ruled = board_formation.formation_choices(RULES, count)[0]
        assert ruled.ruled, count
        assert (ruled.sizes, ruled.organiser) == (sizes, part), count
        assert ruled.rest == others + (ruled.organiser in (OrganiserPart.RESTS, OrganiserPart.REFEREES)), (
            count
        )
        assert ruled.twice == (part == "two"), count


def test_the_organiser_is_offered_a_second_board_wherever_one_seat_is_missing() -> None:
    for count in range(13, 81, 7):
        assert any(
            one.organiser is OrganiserPart.TWO and one.rest == 0
            for one in board_formation.formation_choices(RULES, count)
        )


def test_beside_the_final_nobody_is_offered_what_annuls_it() -> None:
    """One game of Diplomatie intime, and the points of the whole round are lost."""
    for others in range(31):
        here = dict.fromkeys(range(1, 8 + others), chance_events.HERE)
        people = codec.read_value(Event, chance_events.event("people")).people
        known = {who: people[1 + who % len(people)] for who in here}
        event = Event("Final", people=known, rounds={4: EventRound(RoundState.OPEN, present=here)})
        found = board_formation.round_formations(event, 4, range(1, 8))
        assert not any("intimate" in one.boards for one in found)
        assert found[0].ruled or board_formation.organiser_present(event, 4) in range(1, 8)
        assert all(one.seats + one.rest == others + one.twice for one in found)
        if others in (1, 2, 3):
            assert (found[0].boards, found[0].rest) == ((), others)


def test_when_there_is_a_final() -> None:
    """Four games in the first two rounds at least, three of them in the second."""
    for first, second, cancelled in product(range(7), range(7), (False, True)):
        played = [{at: EventBoard() for at in range(1, count + 1)} for count in (first, second)]
        rounds = {
            1: EventRound(boards=played[0]),
            2: EventRound(boards=played[1], cancelled=cancelled),
            3: EventRound(),
        }
        due = not cancelled and first + second >= 4 and second >= 3
        assert board_formation.is_final_due(Event("Final", rounds=rounds)) is due, (first, second)


# Who stands down where nobody wants to.


@pytest.fixture(scope="module")
def told(full: bool, seed: int) -> list[tuple[Json, int, Event]]:
    return list(_arrived(2000, seed) if full else _arrived(60, 1901))


def _arrived(count: int, seed: int) -> Iterator[tuple[Json, int, Event]]:
    """Events in which a round is about to be drawn, without a final, as told and as read."""
    for at in range(count):
        event = chance_events.event(f"{seed} rounds {at}")
        number = Random(at).randint(1, len(event["rounds"]))
        now = event["rounds"][str(number)]
        rounds = {key: one for key, one in event["rounds"].items() if int(key) < number}
        opened = {"state": "open", "present": now["present"], "resting": now["resting"], "boards": {}}
        last = {"4": {"state": "planned", "boards": {}, "final": False}} if number < 4 else {}
        before = {key: one for key, one in event["adjustments"].items() if one["round"] < number}
        event |= {"rounds": {**rounds, str(number): {**opened, "final": False}, **last}, "ballots": {}}
        yield (
            event | {"adjustments": before},
            number,
            codec.read_value(Event, event | {"adjustments": before}),
        )


def test_who_stands_down(told: list[tuple[Json, int, Event]]) -> None:
    for event, number, read in told:
        groups = list(_groups(event, number))
        most = sum(map(len, groups))
        for count in {0, 1, most // 3, most - 1, most} - {-1}:
            drawn = set(byes.draw_byes(read, number, count, "lot").people)
            assert len(drawn) == count
            for group in groups:  # a group is asked once all before it stand down
                taken = group & drawn
                drawn -= taken
                assert not drawn or taken == group, (number, group)


def _groups(event: Json, number: int) -> Iterator[set[int]]:
    """Who stands down before whom: whoever agreed; the organiser; helpers who are there and volunteers; then
    by lot: in the first round among all, later among those who played most rounds, in the fourth none of
    the first five of the ranking."""
    now = event["rounds"][str(number)]
    why = {int(who): rest["why"] for who, rest in now["resting"].items()}
    here = {int(who) for who in now["present"] if why.get(int(who)) != ByeReason.OWN}
    office = {who: event["people"][str(who)]["office"] for who in here}
    agreed = {who for who in here if why.get(who) == ByeReason.DIRECTOR}
    host = {who for who in here - agreed if office[who] == "organiser"}
    helping = {who for who in here - agreed if office[who] in ("assistant", "volunteer")}
    yield from (agreed, host, helping)
    places = Reading(event, number - 1).places if number == 4 else {}
    first = {who for who, place in places.items() if place <= 5}
    others = here - agreed - host - helping
    for pool in (others - first, others & first):
        for count in (3, 2, 1, 0):
            yield {who for who in pool if _played(event, who, number) == count}


def _played(event: Json, who: int, before: int) -> int:
    rounds = [one for number, one in event["rounds"].items() if int(number) < before]
    return sum(any(who in _people(board) for board in one["boards"].values()) for one in rounds)


def _people(board: Json) -> set[int]:
    seats = board["seats"].values()
    later = {relief["person"] for seat in seats for relief in seat.get("reliefs", ())}
    return {seat["person"] for seat in seats if seat.get("person")} | later


# The best of the weekend meet once at least.


def test_the_best_share_a_board(told: list[tuple[Json, int, Event]]) -> None:
    seen = set()
    for event, number, read in told:
        found = {
            frozenset(pair)
            for group in seat_draw.best_to_seat_together(read, number)
            for pair in combinations(group, 2)
        }
        due = set(_best(event, number))
        assert found == due, number
        seen |= {number} if due else set()
    assert seen == {2, 3}


def _best(event: Json, number: int) -> Iterator[frozenset[int]]:
    """Pairs who should meet: the first of each board of six or seven, who have not met yet."""
    if number not in (2, 3):
        return
    now = event["rounds"][str(number)]
    here = {int(who) for who in now["present"]} - {
        int(who) for who, rest in now["resting"].items() if rest["why"] == ByeReason.OWN
    }
    tables = [board for at in range(1, number) for board in event["rounds"][str(at)]["boards"].values()]
    first = {who for board in tables for who in _firsts(board)} & here
    for pair in map(frozenset, combinations(sorted(first), 2)):
        if number == 2 or not any(pair <= _seated(board) for board in tables):
            yield pair


def _firsts(board: Json) -> set[int]:
    people = _seated(board)
    if len(people) < 6 or "result" not in board:
        return set()
    out = board["result"].get("out", ())
    held = {power: count for power, count in board["result"]["centres"].items() if power not in out}
    best = [power for power, count in held.items() if count == max(held.values())]
    return {board["seats"][power]["person"] for power in best if board["seats"][power].get("person")}


def _seated(board: Json) -> set[int]:
    return {seat["person"] for seat in board["seats"].values() if seat.get("person")}


# V, votes to end a game, state by state.

HOLDS = [
    PowerHoldings(centres, homes, units, free, abroad)
    for centres, homes, units, free, abroad in product(range(3), repeat=5)
    if homes <= centres and free <= centres and abroad <= units
]
OTHER = PowerHoldings(centres=3, homes=3, units=3, free=3)
TWO = EventBoard(seats={"ITALY": PowerSeat(1), "RUSSIA": PowerSeat(2)})


def test_who_asks_who_forbids_who_votes() -> None:
    """Nobody who is eliminated does any of it, though the text gives a ballot to whoever owns a centre:
    the director is told."""
    vote = EndVote("ITALY", "F1904R")
    for hold in HOLDS:
        table = {"ITALY": OTHER, "RUSSIA": hold}
        # a home centre, or else any centre and a unit
        forbids = hold.homes >= 1 or (hold.centres >= 1 and hold.units >= 1)
        assert (end_vote_rules.veto_refusal(TWO, vote, "RUSSIA", table) is None) is forbids, hold
        # a centre that stands empty, or a unit in somebody else's
        asks = forbids and (hold.free >= 1 or hold.abroad >= 1)
        assert (end_vote_rules.proposal_refusal(TWO, "RUSSIA", "F1904R", table) is None) is asks, hold
        assert ("RUSSIA" in end_vote_rules.eligible_powers(TWO, table)) is forbids, hold
        assert ("RUSSIA" in end_vote_rules.powers_without_ballot(TWO, table)) is (
            hold.centres >= 1 and not forbids
        ), hold


MOMENTS = [f"{season}{year}{kind}" for year in (1904, 1905) for season, kind in ("SR", "FR", "WA")]
STATES = [EndVoteState.VETOED, EndVoteState.LOST]


def test_what_a_request_forbids_later() -> None:
    """Who asked in autumn or winter does not ask in the next spring; after a vote that followed the autumn
    retreats, nobody asks after the adjustments of that year."""
    table = dict.fromkeys(TWO.seats, OTHER)
    for (before, now), state, by in product(combinations(MOMENTS, 2), STATES, TWO.seats):
        board = replace(TWO, votes={1: EndVote(by, before, state=state)})
        next_spring = f"S{int(before[1:5]) + 1}R"
        again = by == "ITALY" and before[0] in "FW" and now == next_spring
        held = state is EndVoteState.LOST and before[0] == "F" and now == f"W{before[1:5]}A"
        asked = end_vote_rules.proposal_refusal(board, "ITALY", now, table) is None
        assert asked is not (again or held), (before, now, state, by)


def test_all_in_favour_end_the_game() -> None:
    """Of every way in which three can vote after a fourth has asked: unanimity alone."""
    powers = ("AUSTRIA", "ENGLAND", "FRANCE", "ITALY")
    board = EventBoard(seats={power: PowerSeat(at) for at, power in enumerate(powers, 1)})
    table = dict.fromkeys(powers, OTHER)
    for said in product((True, False), repeat=3):
        vote = end_vote_rules.open_ballots(board, EndVote("AUSTRIA", "S1904R"), table)
        for power, yes in zip(powers[1:], said, strict=True):
            vote = end_vote_rules.cast_ballot(vote, power, yes=yes)
        assert vote.state is (EndVoteState.CARRIED if all(said) else EndVoteState.LOST)


# VI, clocks: 18 and 16 minutes in rounds 1 and 2, 17 and 15 in rounds 3 and 4, to the end of the last year.


@pytest.mark.parametrize(("number", "minutes"), [(1, 204), (2, 238), (3, 256), (4, 288)])
def test_a_round_fits_its_slot(number: int, minutes: int) -> None:
    event = Event("Clock", rounds={number: EventRound()})
    assert round_timing.planned_duration(event, number) == minutes * 60
    assert minutes <= {1: 210, 2: 240, 3: 270, 4: 300}[number]
    hours = round_timing.round_rule(RULES, number).hours
    assert hours.writing == 120
    assert (hours.spring, hours.autumn) == ((18 * 60, 16 * 60) if number < 3 else (17 * 60, 15 * 60))


def test_off_the_final_table_the_last_round_is_shorter() -> None:
    """Beside a final the other boards end in 1907; the final, or all without one, in 1909."""
    boards = {1: EventBoard(final=True), 2: EventBoard()}
    for final, years in ((True, (1909, 1907)), (False, (1909, 1909))):
        event = Event("Years", rounds={4: EventRound(final=final, boards=boards)})
        assert tuple(round_timing.last_year(event, 4, board) for board in boards.values()) == years
