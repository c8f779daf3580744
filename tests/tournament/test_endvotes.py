"""Votes to end a game, rule by rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand import variants
from talleyrand.engine.position import Phase, Unit
from talleyrand.tournament import end_vote_rules
from talleyrand.tournament.model import (
    BoardResult,
    EndVote,
    EndVoteState,
    EventBoard,
    GameEnd,
    PowerHoldings,
    PowerSeat,
    SeatReplacement,
)

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
LIVING = PowerHoldings(centres=4, homes=3, units=4, free=4, abroad=0)
TABLE = dict.fromkeys(POWERS, LIVING)
BOARD = EventBoard(seats={power: PowerSeat(person=number) for number, power in enumerate(POWERS, 1)})


def _past(*votes: EndVote) -> EventBoard:
    return replace(BOARD, votes=dict(enumerate(votes, 1)))


def _ended(by: str, when: str, state: EndVoteState = EndVoteState.LOST) -> EndVote:
    return EndVote(by, when, state=state)


@pytest.mark.parametrize(
    ("hold", "code"),
    [
        (LIVING, None),
        (PowerHoldings(1, 1, 0, 1, 0), None),  # a home centre, no unit
        (PowerHoldings(1, 0, 1, 1, 0), None),  # a foreign centre and a unit
        (PowerHoldings(3, 3, 1, 0, 1), None),  # all his centres are occupied, but he is in another's
        (PowerHoldings(3, 3, 1, 0, 0), "act_vote_nothing_held"),
        (PowerHoldings(2, 0, 0, 2, 0), "act_vote_eliminated"),  # foreign centres alone, no unit
        (PowerHoldings(0, 0, 2, 0, 2), "act_vote_eliminated"),
        (PowerHoldings(), "act_vote_eliminated"),
        (PowerHoldings(2, 3, 1, 1, 0), "act_vote_facts"),
        (PowerHoldings(2, 1, 1, 3, 0), "act_vote_facts"),
        (PowerHoldings(2, 1, 1, 1, 2), "act_vote_facts"),
        (PowerHoldings(-1, -1, 1, -1, 0), "act_vote_facts"),
    ],
)
def test_who_may_ask(hold: PowerHoldings, code: str | None) -> None:
    """By what he holds."""
    assert end_vote_rules.proposal_refusal(BOARD, "ITALY", "F1904R", {**TABLE, "ITALY": hold}) == code


@pytest.mark.parametrize(
    ("when", "autumn", "code"),
    [
        ("S1904R", False, None),
        ("S1904R", True, None),
        ("F1904R", False, None),
        ("F1904R", True, "act_vote_autumn"),
        ("W1904A", True, "act_vote_autumn"),
        ("S1904M", False, "act_vote_when"),
        ("F1904M", False, "act_vote_when"),
        ("", False, "act_vote_when"),
        ("S1904R ", False, "act_vote_when"),
        ("S1906R", False, None),
        ("F1906R", False, "act_vote_last_year"),  # over anyway
        ("W1906A", False, "act_vote_last_year"),
        ("S1907R", False, "act_vote_last_year"),
    ],
)
def test_when_the_end_may_be_asked(when: str, autumn: bool, code: str | None) -> None:
    """After spring's retreats, autumn's, adjustments, until the last autumn."""
    found = end_vote_rules.proposal_refusal(BOARD, "ITALY", when, TABLE, autumn=autumn, last_year=1906)
    assert found == code


VETOED, WITHDRAWN, CARRIED = EndVoteState.VETOED, EndVoteState.WITHDRAWN, EndVoteState.CARRIED


@pytest.mark.parametrize(
    ("votes", "when", "code"),
    [
        # who asked after autumn or adjustments may not ask after the next spring, whatever came of it
        ([_ended("ITALY", "F1904R")], "S1905R", "act_vote_again"),
        ([_ended("ITALY", "W1904A")], "S1905R", "act_vote_again"),
        ([_ended("ITALY", "F1904R", VETOED)], "S1905R", "act_vote_again"),
        ([_ended("ITALY", "W1904A", WITHDRAWN)], "S1905R", "act_vote_again"),
        ([_ended("ITALY", "F1904R", VETOED)], "F1905R", None),
        ([_ended("ITALY", "F1903R", VETOED)], "S1905R", None),
        ([_ended("ITALY", "S1904R")], "F1904R", None),
        ([_ended("ITALY", "S1904R")], "S1905R", None),
        ([_ended("RUSSIA", "F1904R")], "S1905R", None),
        # ballots after autumn: nobody after the adjustments
        ([_ended("RUSSIA", "F1904R")], "W1904A", "act_vote_held"),
        ([_ended("ITALY", "F1904R")], "W1904A", "act_vote_held"),
        ([_ended("RUSSIA", "F1904R", VETOED)], "W1904A", None),  # no ballot was cast
        ([_ended("ITALY", "F1904R", WITHDRAWN)], "W1904A", None),
        ([_ended("RUSSIA", "S1904R")], "W1904A", None),
        ([_ended("RUSSIA", "F1904R", VETOED), _ended("TURKEY", "F1904R")], "W1904A", "act_vote_held"),
        # one at a time, none once the game has ended, none in the past
        ([_ended("RUSSIA", "F1904R", EndVoteState.ASKED)], "F1904R", "act_vote_open"),
        ([_ended("RUSSIA", "F1904R", EndVoteState.VOTING)], "F1904R", "act_vote_open"),
        ([_ended("RUSSIA", "S1904R", CARRIED)], "F1904R", "act_vote_ended"),
        ([_ended("RUSSIA", "F1904R", VETOED)], "S1904R", "act_vote_past"),
        ([_ended("RUSSIA", "F1904R", VETOED)], "F1904R", None),
        ([_ended("RUSSIA", "F1906R", WITHDRAWN)], "F1904R", None),  # asked for the wrong year
    ],
)
def test_what_past_votes_forbid(votes: list[EndVote], when: str, code: str | None) -> None:
    """Restrictions, one by one."""
    assert end_vote_rules.proposal_refusal(_past(*votes), "ITALY", when, TABLE) == code


def test_nobody_asks_for_a_power_without_player() -> None:
    """A script does not ask; a latecomer who took it over does."""
    script = replace(BOARD, seats={**BOARD.seats, "TURKEY": PowerSeat()})
    taken = replace(BOARD, seats={**BOARD.seats, "TURKEY": PowerSeat(reliefs=(SeatReplacement(9, 12),))})
    assert end_vote_rules.proposal_refusal(script, "TURKEY", "S1904R", TABLE) == "act_vote_nobody"
    assert end_vote_rules.proposal_refusal(script, "GERMANIA", "S1904R", TABLE) == "act_vote_nobody"
    assert end_vote_rules.proposal_refusal(taken, "TURKEY", "S1904R", TABLE) is None
    assert "TURKEY" not in end_vote_rules.eligible_powers(script, TABLE)
    assert "TURKEY" in end_vote_rules.eligible_powers(taken, TABLE)


@pytest.mark.parametrize("table", [{}, {"ITALY": LIVING}, {**TABLE, "GERMANIA": LIVING}])
def test_every_power_is_told_of(table: dict[str, PowerHoldings]) -> None:
    """Whoever is left out would lose his ballot unseen."""
    assert end_vote_rules.proposal_refusal(BOARD, "ITALY", "S1904R", table) == "act_vote_facts"


def test_a_game_with_a_result_has_ended() -> None:
    """Nothing is left to end."""
    board = replace(BOARD, result=BoardResult(centres=dict.fromkeys(POWERS, 4)))
    assert end_vote_rules.proposal_refusal(board, "ITALY", "S1904R", TABLE) == "act_vote_ended"


@pytest.mark.parametrize(
    ("power", "hold", "code"),
    [
        ("RUSSIA", LIVING, None),
        ("RUSSIA", PowerHoldings(1, 1, 0, 0, 0), None),
        ("RUSSIA", PowerHoldings(1, 0, 1, 0, 0), None),
        ("RUSSIA", PowerHoldings(1, 0, 0, 1, 0), "act_vote_eliminated"),
        ("RUSSIA", PowerHoldings(0, 0, 1, 0, 1), "act_vote_eliminated"),
        ("ITALY", LIVING, "act_vote_own"),
        ("GERMANIA", LIVING, "act_vote_nobody"),
    ],
)
def test_who_may_forbid(power: str, hold: PowerHoldings, code: str | None) -> None:
    """Any other with a home centre, or a centre and a unit."""
    vote = EndVote("ITALY", "S1904R")
    assert end_vote_rules.veto_refusal(BOARD, vote, power, {**TABLE, power: hold}) == code


@pytest.mark.parametrize("state", [one for one in EndVoteState if one is not EndVoteState.ASKED])
def test_no_veto_once_ballots_are_cast(state: EndVoteState) -> None:
    """Open objection comes first."""
    vote = EndVote("ITALY", "S1904R", state=state)
    assert end_vote_rules.veto_refusal(BOARD, vote, "RUSSIA", TABLE) == "act_vote_no_veto"


def test_unanimity_ends_the_game() -> None:
    """The proposer's ballot is in favour; the eliminated have none, and whom that leaves out is told."""
    table = {**TABLE, "TURKEY": PowerHoldings(), "AUSTRIA": PowerHoldings(1, 0, 0, 1, 0)}
    vote = end_vote_rules.open_ballots(BOARD, EndVote("ITALY", "S1904R"), table)
    assert vote.powers == ("ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA")
    assert end_vote_rules.powers_without_ballot(BOARD, table) == ("AUSTRIA",)
    for power in ("ENGLAND", "FRANCE", "GERMANY"):
        vote = end_vote_rules.cast_ballot(vote, power, yes=True)
        assert vote.state is EndVoteState.VOTING
    assert end_vote_rules.cast_ballot(vote, "RUSSIA", yes=True).state is EndVoteState.CARRIED
    assert end_vote_rules.cast_ballot(vote, "RUSSIA", yes=False).state is EndVoteState.LOST


def test_a_ballot_against_is_known_at_the_end_alone() -> None:
    """Else the moment would tell who cast it."""
    vote = end_vote_rules.open_ballots(BOARD, EndVote("ITALY", "S1904R"), TABLE)
    against = end_vote_rules.cast_ballot(vote, "ENGLAND", yes=False)
    assert against.state is EndVoteState.VOTING
    assert against.yes == ("ITALY",)


def test_whose_ballot_is_taken() -> None:
    """Once each, from those who have one, while the vote is on."""
    table = {**TABLE, "TURKEY": PowerHoldings()}
    vote = end_vote_rules.open_ballots(BOARD, EndVote("ITALY", "S1904R"), table)
    assert end_vote_rules.ballot_refusal(vote, "RUSSIA") is None
    assert end_vote_rules.ballot_refusal(vote, "ITALY") == "act_vote_cast"
    assert end_vote_rules.ballot_refusal(vote, "TURKEY") == "act_vote_no_ballot"
    assert (
        end_vote_rules.ballot_refusal(end_vote_rules.cast_ballot(vote, "RUSSIA", yes=True), "RUSSIA")
        == "act_vote_cast"
    )
    assert end_vote_rules.ballot_refusal(replace(vote, state=CARRIED), "RUSSIA") == "act_vote_closed"


def test_the_only_one_left_needs_nobody() -> None:
    """His own ballot is unanimity."""
    table = {**dict.fromkeys(POWERS, PowerHoldings()), "ITALY": LIVING}
    assert end_vote_rules.open_ballots(BOARD, EndVote("ITALY", "S1904R"), table).state is CARRIED


def test_what_a_position_says() -> None:
    """Of a game on the site nobody types anything."""
    setting = variants.load("classic").definition
    centres = {"ITALY": ("VEN", "ROM", "NAP", "TUN"), "AUSTRIA": ("TRI",), "TURKEY": ("BUL",)}
    units = (Unit("A", "VEN", "AUSTRIA"), Unit("A", "TRI", "ITALY"), Unit("F", "TYS", "ITALY"))
    position = replace(setting.start, phase=Phase("F", 1904, "M"), units=units, centres=centres)
    found = end_vote_rules.power_holdings(setting.board, position)
    assert found["ITALY"] == PowerHoldings(centres=4, homes=3, units=2, free=3, abroad=1)
    assert found["AUSTRIA"] == PowerHoldings(centres=1, homes=1, units=1, free=0, abroad=1)
    assert found["TURKEY"] == PowerHoldings(centres=1, homes=0, units=0, free=1, abroad=0)
    assert not found["TURKEY"].is_alive
    assert end_vote_rules.end_vote_phases(1904) == ("S1904R", "F1904R", "W1904A")


def test_of_whom_nothing_is_said_has_nothing() -> None:
    told = {"FRANCE": PowerHoldings(centres=1, homes=1)}
    assert end_vote_rules.powers_without_ballot(BOARD, told) == ()
    assert end_vote_rules.eligible_powers(BOARD, told) == ("FRANCE",)


@pytest.mark.parametrize(
    ("season", "when"), [(0, "S1901R"), (1, "S1901R"), (2, "W1901A"), (7, "S1904R"), (8, "W1904A")]
)
def test_the_last_phase_while_a_season_is_written(season: int, when: str) -> None:
    assert end_vote_rules.latest_end_vote_phase(season) == when


@pytest.mark.parametrize(
    ("when", "autumn", "year"),
    [("S1904R", False, 1903), ("S1904R", True, 1904), ("F1904R", False, 1904), ("S1901R", False, 1901)],
)
def test_a_carried_vote_says_how_a_game_ended_and_when(when: str, autumn: bool, year: int) -> None:
    carried = EndVote("FRANCE", when, autumn=autumn, state=EndVoteState.CARRIED)
    assert end_vote_rules.carried_vote_end(EventBoard(votes={1: carried})) == (GameEnd.VOTE, year)
    assert (
        end_vote_rules.carried_vote_end(EventBoard(votes={1: replace(carried, state=EndVoteState.LOST)}))
        is None
    )
