"""What is always so in an event: looked at after every act and every undo."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from talleyrand.formats.signs import JOINTS
from talleyrand.tournament import boards, regulations, timing
from talleyrand.tournament.errors import Unsound
from talleyrand.tournament.model import Board, Event, Result, Round, RoundState

from .numbers import natural

DESK = "desk"
FRACTION = re.compile(r"-?\d{1,6}(\.\d{1,6})?(/[1-9]\d{0,5})?", re.ASCII)  # a value of an adjustment
SEASONS = range(61)  # missed, or played by somebody who took over
YEARS = range(1901, 1951)
ROUNDS = range(1, 100)
A_WEEK = 7 * 24 * 3600  # seconds: no season is longer
FEWEST = 2  # powers of a board
MOST_BOARDS = 2  # of one person in a round
GATHERING = (RoundState.PLANNED, RoundState.OPEN)
BEGUN = (RoundState.PLAYING, RoundState.CLOSED)


def check(event: Event) -> None:
    """Raise Unsound for the first contradiction; BadEvent, UnknownName or BadSystem for its regulations."""
    _check_people(event)
    _check_teams(event)
    _check_notes(event)
    rules = regulations.read(event.regulations)
    regulations.system_of(rules)
    rule = rules.final
    for number, one in event.rounds.items():
        if number not in ROUNDS:
            raise Unsound("sound_round", most=str(ROUNDS[-1]))
        _check_state(number, one)
        _check_round(number, one)
        for table, board in one.boards.items():
            _check_board(number, table, board, final=rule is not None and rule.round == number)


def _check_people(event: Event) -> None:
    for who, known in event.people.items():
        if who < 1 or not known.name.strip().strip(JOINTS):
            raise Unsound("sound_name", person=str(who))
        if not set(known.rounds) <= set(event.rounds):
            raise Unsound("sound_signed_up", person=str(who))
    for who, code in _named(event):
        if who not in event.people:
            raise Unsound(code, person=str(who))


def _named(event: Event) -> Iterator[tuple[int, str]]:
    for one in event.rounds.values():
        yield from ((who, "sound_present") for who in (*one.present, *one.resting))
        for board in one.boards.values():
            yield from ((who, "sound_seated") for who in people_of(board))
            yield from ((who, "sound_result_by") for who in _tellers(board.result))
    for team in event.teams.values():
        yield from ((who, "sound_team") for who in (*team.members, *team.asking))
    yield from ((who, "sound_apart") for pair in event.apart for who in pair)
    yield from ((one.person, "sound_adjusted") for one in event.adjustments.values())
    for ballot in event.ballots.values():
        known = {ballot.voter} - {0}  # 0: forgotten
        yield from ((who, "sound_ballot") for who in (*known, *ballot.names.values()))
    yield from ((one.person, "sound_ride") for one in event.rides.values())


def _tellers(result: Result | None) -> list[int]:
    told = (result.by, result.confirmed) if result is not None else ()
    return [natural(who) or 0 for who in told if who not in ("", DESK)]


def people_of(board: Board) -> list[int]:
    """Everybody who plays or played at a board, each time he sits there."""
    return [who for seat in board.seats.values() for who in boards.sat(seat)]


def _check_teams(event: Event) -> None:
    members = [who for team in event.teams.values() for who in team.members]
    twice = _repeated(members)
    if twice is not None:
        raise Unsound("sound_two_teams", person=str(twice))
    for team in event.teams.values():
        chosen = dict(team.powers)
        if not chosen.keys() <= set(team.members) or len({*chosen.values()}) < len(team.powers):
            raise Unsound("sound_team_powers", team=team.name[:40])
        if set(team.asking) & set(team.members):
            raise Unsound("sound_team_asking", team=team.name[:40])
    asking = _repeated(who for team in event.teams.values() for who in team.asking)
    if asking is not None:
        raise Unsound("sound_asks_twice", person=str(asking))
    for first, second in event.apart:
        if first >= second:
            raise Unsound("sound_apart_self", person=str(first))


def _repeated(people: Iterable[int]) -> int | None:
    return next((who for who, times in Counter(people).items() if times > 1), None)


def _check_notes(event: Event) -> None:
    """What is said of a round is said of one that there is; a board may have fallen since."""
    rounds = [one.round for one in event.adjustments.values()]
    rounds += [one.round for one in event.rulings.values()]
    for number in rounds:
        if number and number not in event.rounds:
            raise Unsound("sound_note_round", round=str(number))
    for ballot in event.ballots.values():
        if ballot.round not in event.rounds or ballot.board not in event.rounds[ballot.round].boards:
            raise Unsound("sound_note_board", round=str(ballot.round), board=str(ballot.board))
    for adjustment in event.adjustments.values():
        if not FRACTION.fullmatch(adjustment.value):
            raise Unsound("sound_value", value=adjustment.value[:40])
    for ruling in event.rulings.values():
        _check_time(ruling.at)
    for ballot in event.ballots.values():
        if ballot.voter in ballot.names.values():
            raise Unsound("sound_ballot_self", person=str(ballot.voter))


def _check_time(at: str) -> None:
    if timing.moment(at) is None:
        raise Unsound("sound_time", time=at[:40])


def _check_state(number: int, one: Round) -> None:
    """What a round can hold as it stands: boards once drawn, results once they began."""
    for at in (*one.present.values(), *filter(None, [one.starts, one.clock.started])):
        _check_time(at)
    clock = one.clock
    lengths = clock.lengths.values()
    if min(clock.season, clock.elapsed, *clock.lengths, *lengths, 0) < 0 or max(lengths, default=0) > A_WEEK:
        raise Unsound("sound_clock", round=str(number))
    if one.state in GATHERING and one.boards:
        raise Unsound("sound_boards_early", round=str(number))
    results = [board.result for board in one.boards.values() if board.result is not None]
    if results and one.state not in BEGUN:
        raise Unsound("sound_result_early", round=str(number))
    if one.state is RoundState.CLOSED and not one.cancelled:
        for table, board in one.boards.items():
            if board.counts and (board.result is None or not board.result.confirmed):
                raise Unsound("sound_result_missing", round=str(number), board=str(table))


def _check_round(number: int, one: Round) -> None:
    for who in one.resting:
        if who not in one.present:
            raise Unsound("sound_resting_absent", person=str(who), round=str(number))
    sat = Counter(who for board in one.boards.values() for who in set(people_of(board)))
    for who, times in sat.items():
        if times > MOST_BOARDS:
            raise Unsound("sound_boards", person=str(who), round=str(number))
    for table, board in one.boards.items():
        _check_seats(number, table, board, one)


def _check_seats(number: int, table: int, board: Board, one: Round) -> None:
    where = {"board": str(table), "round": str(number)}
    allowed = 2 if board.variant == boards.PAIRS else 1
    for who, times in Counter(people_of(board)).items():
        if times > allowed:
            raise Unsound("sound_twice", person=str(who), **where)
        if who not in one.present:
            raise Unsound("sound_seated_absent", person=str(who), **where)
        if who in one.resting:
            raise Unsound("sound_seated_resting", person=str(who), **where)


def _check_board(number: int, table: int, board: Board, *, final: bool) -> None:
    where = {"board": str(table), "round": str(number)}
    _check_powers(board, where)
    if board.final and not (final and table == 1):
        raise Unsound("sound_final", **where)
    if board.last_year is not None and board.last_year not in YEARS:
        raise Unsound("sound_last_year", **where)
    for year, centres in board.years.items():
        if year not in YEARS or set(centres) != set(board.seats) or min(centres.values()) < 0:
            raise Unsound("sound_years", year=str(year), **where)
    for vote in board.votes.values():
        if not {vote.by, *vote.powers, *vote.table} <= set(board.seats):
            raise Unsound("sound_vote", **where)
    if board.result is not None:
        _check_result(board, board.result, where)


def _check_powers(board: Board, where: dict[str, str]) -> None:
    if len(board.seats) < FEWEST:
        raise Unsound("sound_few_powers", **where)
    for power, seat in board.seats.items():
        if power not in boards.powers_of(board.variant):
            raise Unsound("sound_power", power=power[:40], **where)
        if not {seat.missed, *(relief.seasons for relief in seat.reliefs)} <= set(SEASONS):
            raise Unsound("sound_seasons", **where)


def _check_result(board: Board, result: Result, where: dict[str, str]) -> None:
    if set(result.centres) != set(board.seats):
        raise Unsound("sound_centres", **where)
    if min(result.neutral, *result.centres.values()) < 0:
        raise Unsound("sound_centres", **where)
    there = boards.centres_of(board.variant)
    if there is not None and sum(result.centres.values()) + result.neutral != there:
        raise Unsound("sound_centres_total", total=str(there), **where)
    if result.confirmed and result.confirmed == result.by != DESK:
        raise Unsound("sound_confirmed_own", **where)
