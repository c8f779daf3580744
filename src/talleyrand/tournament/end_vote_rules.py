"""The end of a game by vote: who may ask, who may forbid it, who has a ballot, and what they come to.

Source: Anjou Feu regulations, end of games. Where the text leaves a doubt the reading taken is said at the
function. What is asked of the table is `Hold`: from a position (`power_holdings`), or typed by the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

from talleyrand.engine import board as boards
from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.position import Phase, Position

from .model import FIRST_YEAR, EndVote, EndVoteState, EventBoard, GameEnd, PowerHoldings


class EndVoteMoment(StrEnum):
    """The three moments of a year at which the end of a game may be asked, in their order."""

    SPRING = "SR"  # after the retreats of spring
    AUTUMN = "FR"  # after the retreats of autumn
    WINTER = "WA"  # after the adjustments


OPEN_STATES = (EndVoteState.ASKED, EndVoteState.VOTING)
BALLOTED_STATES = (EndVoteState.VOTING, EndVoteState.CARRIED, EndVoteState.LOST)


HoldingsByPower = Mapping[str, PowerHoldings]


def power_holdings(board: boards.Board, position: Position) -> dict[str, PowerHoldings]:
    """What every power has in a position."""
    return {power: _hold(board, position, power) for power in board.powers}


def _hold(board: boards.Board, position: Position, power: str) -> PowerHoldings:
    owned = set(position.owned_by(power))
    mine = {unit.province for unit in position.units if unit.power == power}
    foreign = {unit.province for unit in position.units if unit.power != power}
    return PowerHoldings(
        centres=len(owned),
        homes=len(owned & set(position.homes_of(board, power))),
        units=len(mine),
        free=len(owned - foreign),
        abroad=len((mine & set(board.centres)) - owned),
    )


def end_vote_phases(year: int) -> tuple[str, ...]:
    """The phases of a year after which the end may be asked: "S1904R", "F1904R", "W1904A"."""
    return tuple(f"{moment[0]}{year}{moment[1]}" for moment in EndVoteMoment)


def latest_end_vote_phase(season: int) -> str:
    """The last of these phases while a season is being written; 0 is the first spring, before any of them."""
    year, autumn = FIRST_YEAR + season // 2, season % 2
    if autumn or not season:
        return end_vote_phases(year)[0]
    return end_vote_phases(year - 1)[-1]


def carried_vote_end(board: EventBoard) -> tuple[GameEnd, int] | None:
    """How a vote that was carried ended a game, and the last year that is played; None without one."""
    vote = next((one for one in board.votes.values() if one.state is EndVoteState.CARRIED), None)
    if vote is None:
        return None
    year = int(vote.when[1:-1])
    unplayed = vote.when.startswith("S") and not vote.autumn
    return GameEnd.VOTE, max(FIRST_YEAR, year - 1) if unplayed else year


def has_player(board: EventBoard, power: str) -> bool:
    """Whether somebody plays this power: neither a script nor nobody."""
    seat = board.seats.get(power)
    return seat is not None and (seat.person is not None or bool(seat.reliefs))


def proposal_refusal(
    board: EventBoard,
    power: str,
    when: str,
    table: HoldingsByPower,
    *,
    autumn: bool = False,
    last_year: int | None = None,
) -> str | None:
    """Why a power may not ask for the end after a phase, as a code (`act_vote_*`); None where it may.

    `autumn`: after spring, whether autumn is to be played in disorder before the count. `last_year`: the
    board's last, after whose autumn the game is over anyway. An eliminated power may not ask: it would
    have no ballot.
    """
    now = _moment(when)
    if now is None:
        return "act_vote_when"
    if not has_player(board, power):
        return "act_vote_nobody"
    return (
        _unfit(board, power, table)
        or _untimely(board, now, last_year)
        or ("act_vote_autumn" if autumn and now[1] is not EndVoteMoment.SPRING else None)
        or _barred(board, power, now)
    )


def _unfit(board: EventBoard, power: str, table: HoldingsByPower) -> str | None:
    """A centre without a foreign unit in it, or a unit in a centre that is another's."""
    if set(table) != set(board.seats) or not all(hold.is_consistent for hold in table.values()):
        return "act_vote_facts"
    if not table[power].is_alive:
        return "act_vote_eliminated"
    return None if table[power].free or table[power].abroad else "act_vote_nothing_held"


YearMoment = tuple[int, EndVoteMoment]


def _moment(when: str) -> YearMoment | None:
    try:
        phase = Phase.parse(when)
        return phase.year, EndVoteMoment(phase.season + phase.kind)
    except (InvalidPosition, ValueError):
        return None


def _order(stamp: YearMoment) -> tuple[int, int]:
    return stamp[0], list(EndVoteMoment).index(stamp[1])


def _untimely(board: EventBoard, now: YearMoment, last_year: int | None) -> str | None:
    if board.result is not None or any(vote.state is EndVoteState.CARRIED for vote in board.votes.values()):
        return "act_vote_ended"
    if any(vote.state in OPEN_STATES for vote in board.votes.values()):
        return "act_vote_open"
    if last_year is not None and _order(now) >= (last_year, 1):
        return "act_vote_last_year"
    held = [vote for vote in board.votes.values() if vote.state is not EndVoteState.WITHDRAWN]
    asked = [then for vote in held if (then := _moment(vote.when))]
    return "act_vote_past" if any(_order(then) > _order(now) for then in asked) else None


def _barred(board: EventBoard, power: str, now: YearMoment) -> str | None:
    """Whoever asked in autumn or winter may not in spring, whatever came of it; where ballots were cast after
    autumn, nobody may in winter."""
    past = [(vote, then) for vote in board.votes.values() if (then := _moment(vote.when))]
    year, moment = now
    if moment is EndVoteMoment.SPRING:
        lately = ((year - 1, EndVoteMoment.AUTUMN), (year - 1, EndVoteMoment.WINTER))
        return "act_vote_again" if any(vote.by == power and then in lately for vote, then in past) else None
    if moment is EndVoteMoment.WINTER:
        held = any(
            vote.state in BALLOTED_STATES and then == (year, EndVoteMoment.AUTUMN) for vote, then in past
        )
        return "act_vote_held" if held else None
    return None


def veto_refusal(board: EventBoard, vote: EndVote, power: str, table: HoldingsByPower) -> str | None:
    """Why a power may not forbid a vote, as a code; None where it may: openly, before ballots are cast."""
    if vote.state is not EndVoteState.ASKED:
        return "act_vote_no_veto"
    if not has_player(board, power) or power not in table:
        return "act_vote_nobody"
    if power == vote.by:
        return "act_vote_own"
    return None if table[power].is_alive else "act_vote_eliminated"


def eligible_powers(board: EventBoard, table: HoldingsByPower) -> tuple[str, ...]:
    """The powers with a ballot: all that have a player and are not eliminated.

    The text gives one to whoever has a centre; it also calls eliminated who has no unit and only foreign
    centres. Such a power has no ballot, and the director is told (`powers_without_ballot`).
    """
    return tuple(
        power for power in board.seats if has_player(board, power) and _holdings(table, power).is_alive
    )


def powers_without_ballot(board: EventBoard, table: HoldingsByPower) -> tuple[str, ...]:
    """The powers that hold a centre and have no ballot, being eliminated all the same."""
    held = [power for power in board.seats if has_player(board, power) and _holdings(table, power).centres]
    return tuple(power for power in held if not _holdings(table, power).is_alive)


def _holdings(table: HoldingsByPower, power: str) -> PowerHoldings:
    """What a power has; nothing where nothing was said of it."""
    return table.get(power, PowerHoldings())


def open_ballots(board: EventBoard, vote: EndVote, table: HoldingsByPower) -> EndVote:
    """The vote once nobody forbids it: the proposer's ballot is in favour."""
    powers = eligible_powers(board, table)
    return count_ballots(
        replace(vote, state=EndVoteState.VOTING, powers=powers, voted=(vote.by,), yes=(vote.by,))
    )


def ballot_refusal(vote: EndVote, power: str) -> str | None:
    """Why a power may not cast a ballot now, as a code; None where it may."""
    if vote.state is not EndVoteState.VOTING:
        return "act_vote_closed"
    if power not in vote.powers:
        return "act_vote_no_ballot"
    return "act_vote_cast" if power in vote.voted else None


def cast_ballot(vote: EndVote, power: str, yes: bool) -> EndVote:
    """The vote with one more ballot, counted once all are in."""
    chosen = (*vote.yes, power) if yes else vote.yes
    return count_ballots(replace(vote, voted=(*vote.voted, power), yes=chosen))


def count_ballots(vote: EndVote) -> EndVote:
    """Carried where all are in favour, lost where not; nothing is known before the last ballot is in.

    An early end at the first ballot against would tell who cast it.
    """
    if vote.state is not EndVoteState.VOTING or set(vote.powers) - set(vote.voted):
        return vote
    carried = set(vote.powers) <= set(vote.yes)
    return replace(vote, state=EndVoteState.CARRIED if carried else EndVoteState.LOST)
