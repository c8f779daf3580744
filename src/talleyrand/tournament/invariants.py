"""What is always so in an event: looked at after every act and every undo."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from talleyrand.formats.visible_text import ZERO_WIDTH_JOINERS
from talleyrand.tournament import board_rules, regulations, round_timing
from talleyrand.tournament.event_errors import ActRefused, InconsistentEvent
from talleyrand.tournament.model import BoardResult, Event, EventBoard, EventRound, RoundState

from .whole_numbers import parse_natural

DESK_HAND = "desk"
FRACTION = re.compile(r"-?\d{1,6}(\.\d{1,6})?(/[1-9]\d{0,5})?", re.ASCII)  # a value of an adjustment
SEASONS = range(61)  # missed, or played by somebody who took over
GAME_YEARS = range(1901, 1951)
ROUNDS = range(1, 100)
MAX_SEASON_SECONDS = 7 * 24 * 3600  # seconds: no season is longer
MIN_POWERS = 2  # powers of a board
MAX_BOARDS_OF_PERSON = 2  # of one person in a round
STATES_BEFORE_DRAW = (RoundState.PLANNED, RoundState.OPEN)
BEGUN_STATES = (RoundState.PLAYING, RoundState.CLOSED)


def check_invariants(event: Event) -> None:
    """Raise InconsistentEvent for the first contradiction; InvalidEvent, UnknownName or InvalidScoringSystem
    for its regulations.
    """
    _check_people(event)
    _check_teams(event)
    _check_notes(event)
    rules = regulations.read_regulations(event.regulations)
    regulations.scoring_system(rules)
    rule = rules.final
    for number, one in event.rounds.items():
        if number not in ROUNDS:
            raise InconsistentEvent("sound_round", most=str(ROUNDS[-1]))
        _check_state(number, one)
        _check_round(number, one)
        for table, board in one.boards.items():
            _check_board(number, table, board, final=rule is not None and rule.round == number)


def check_players_kept(before: Event, after: Event) -> None:
    """Raise ActRefused (`act_result_entered`) where a board with a result would be other people's, or gone.

    Entries of one person that are merged, or parted again, are the same people.
    """
    if before.people.keys() != after.people.keys():
        return
    for number, one in before.rounds.items():
        later = after.rounds[number].boards if number in after.rounds else {}
        for table, board in one.boards.items():
            kept = table in later and _players(later[table]) == _players(board)
            if board.result is not None and not kept:
                raise ActRefused("act_result_entered", round=str(number), board=str(table))


def _players(board: EventBoard) -> dict[str, int | None]:
    return {power: seat.person for power, seat in board.seats.items()}


def _check_people(event: Event) -> None:
    for who, known in event.people.items():
        if who < 1 or not known.name.strip().strip(ZERO_WIDTH_JOINERS):
            raise InconsistentEvent("sound_name", person=str(who))
        if not set(known.rounds) <= set(event.rounds):
            raise InconsistentEvent("sound_signed_up", person=str(who))
    for who, code in _people_named(event):
        if who not in event.people:
            raise InconsistentEvent(code, person=str(who))


def _people_named(event: Event) -> Iterator[tuple[int, str]]:
    for one in event.rounds.values():
        yield from ((who, "sound_present") for who in (*one.present, *one.resting))
        for board in one.boards.values():
            yield from ((who, "sound_seated") for who in seat_occupants(board))
            yield from ((who, "sound_result_by") for who in _tellers(board.result))
    for team in event.teams.values():
        yield from ((who, "sound_team") for who in (*team.members, *team.asking))
    yield from ((who, "sound_apart") for pair in event.apart for who in pair)
    yield from ((one.person, "sound_adjusted") for one in event.adjustments.values())
    for ballot in event.ballots.values():
        known = {ballot.voter} - {0}  # 0: forgotten
        yield from ((who, "sound_ballot") for who in (*known, *ballot.names.values()))
    yield from ((one.person, "sound_ride") for one in event.rides.values())


def _tellers(result: BoardResult | None) -> list[int]:
    told = (result.by, result.confirmed) if result is not None else ()
    return [parse_natural(who) or 0 for who in told if who not in ("", DESK_HAND)]


def seat_occupants(board: EventBoard) -> list[int]:
    """Everybody who plays or played at a board, each time he sits there."""
    return [who for seat in board.seats.values() for who in board_rules.seat_players(seat)]


def _check_teams(event: Event) -> None:
    members = [who for team in event.teams.values() for who in team.members]
    twice = _repeated(members)
    if twice is not None:
        raise InconsistentEvent("sound_two_teams", person=str(twice))
    for team in event.teams.values():
        chosen = dict(team.powers)
        if not chosen.keys() <= set(team.members) or len({*chosen.values()}) < len(team.powers):
            raise InconsistentEvent("sound_team_powers", team=team.name[:40])
        if set(team.asking) & set(team.members):
            raise InconsistentEvent("sound_team_asking", team=team.name[:40])
    asking = _repeated(who for team in event.teams.values() for who in team.asking)
    if asking is not None:
        raise InconsistentEvent("sound_asks_twice", person=str(asking))
    for first, second in event.apart:
        if first >= second:
            raise InconsistentEvent("sound_apart_self", person=str(first))


def _repeated(people: Iterable[int]) -> int | None:
    return next((who for who, times in Counter(people).items() if times > 1), None)


def _check_notes(event: Event) -> None:
    """What is said of a round is said of one that there is; a board may have fallen since."""
    rounds = [one.round for one in event.adjustments.values()]
    rounds += [one.round for one in event.rulings.values()]
    for number in rounds:
        if number and number not in event.rounds:
            raise InconsistentEvent("sound_note_round", round=str(number))
    for ballot in event.ballots.values():
        if ballot.round not in event.rounds or ballot.board not in event.rounds[ballot.round].boards:
            raise InconsistentEvent("sound_note_board", round=str(ballot.round), board=str(ballot.board))
    for adjustment in event.adjustments.values():
        if not FRACTION.fullmatch(adjustment.value):
            raise InconsistentEvent("sound_value", value=adjustment.value[:40])
    for ruling in event.rulings.values():
        _check_time(ruling.at)
    for ballot in event.ballots.values():
        if ballot.voter in ballot.names.values():
            raise InconsistentEvent("sound_ballot_self", person=str(ballot.voter))


def _check_time(at: str) -> None:
    if round_timing.parse_time(at) is None:
        raise InconsistentEvent("sound_time", time=at[:40])


def _check_state(number: int, one: EventRound) -> None:
    """What a round can hold as it stands: boards once drawn, results once they began."""
    for at in (*one.present.values(), *filter(None, [one.starts, one.clock.started])):
        _check_time(at)
    clock = one.clock
    lengths = clock.lengths.values()
    if (
        min(clock.season, clock.elapsed, *clock.lengths, *lengths, 0) < 0
        or max(lengths, default=0) > MAX_SEASON_SECONDS
    ):
        raise InconsistentEvent("sound_clock", round=str(number))
    if one.state in STATES_BEFORE_DRAW and one.boards:
        raise InconsistentEvent("sound_boards_early", round=str(number))
    results = [board.result for board in one.boards.values() if board.result is not None]
    if results and one.state not in BEGUN_STATES:
        raise InconsistentEvent("sound_result_early", round=str(number))
    if one.state is RoundState.CLOSED and not one.cancelled:
        for table, board in one.boards.items():
            if board.counts and (board.result is None or not board.result.confirmed):
                raise InconsistentEvent("sound_result_missing", round=str(number), board=str(table))


def _check_round(number: int, one: EventRound) -> None:
    for who in one.resting:
        if who not in one.present:
            raise InconsistentEvent("sound_resting_absent", person=str(who), round=str(number))
    sat = Counter(who for board in one.boards.values() for who in set(seat_occupants(board)))
    for who, times in sat.items():
        if times > MAX_BOARDS_OF_PERSON:
            raise InconsistentEvent("sound_boards", person=str(who), round=str(number))
    for table, board in one.boards.items():
        _check_seats(number, table, board, one)


def _check_seats(number: int, table: int, board: EventBoard, one: EventRound) -> None:
    where = {"board": str(table), "round": str(number)}
    allowed = 2 if board.variant == board_rules.PAIRS else 1
    for who, times in Counter(seat_occupants(board)).items():
        if times > allowed:
            raise InconsistentEvent("sound_twice", person=str(who), **where)
        if who not in one.present:
            raise InconsistentEvent("sound_seated_absent", person=str(who), **where)
        if who in one.resting:
            raise InconsistentEvent("sound_seated_resting", person=str(who), **where)


def _check_board(number: int, table: int, board: EventBoard, *, final: bool) -> None:
    where = {"board": str(table), "round": str(number)}
    _check_powers(board, where)
    if board.final and not (final and table == 1):
        raise InconsistentEvent("sound_final", **where)
    if board.last_year is not None and board.last_year not in GAME_YEARS:
        raise InconsistentEvent("sound_last_year", **where)
    for year, centres in board.years.items():
        if year not in GAME_YEARS or set(centres) != set(board.seats) or min(centres.values()) < 0:
            raise InconsistentEvent("sound_years", year=str(year), **where)
    for vote in board.votes.values():
        if not {vote.by, *vote.powers, *vote.table} <= set(board.seats):
            raise InconsistentEvent("sound_vote", **where)
    if board.result is not None:
        _check_result(board, board.result, where)


def _check_powers(board: EventBoard, where: dict[str, str]) -> None:
    if len(board.seats) < MIN_POWERS:
        raise InconsistentEvent("sound_few_powers", **where)
    for power, seat in board.seats.items():
        if power not in board_rules.variant_powers(board.variant):
            raise InconsistentEvent("sound_power", power=power[:40], **where)
        if not {seat.missed, *(relief.seasons for relief in seat.reliefs)} <= set(SEASONS):
            raise InconsistentEvent("sound_seasons", **where)


def _check_result(board: EventBoard, result: BoardResult, where: dict[str, str]) -> None:
    if set(result.centres) != set(board.seats):
        raise InconsistentEvent("sound_centres", **where)
    if min(result.neutral, *result.centres.values()) < 0:
        raise InconsistentEvent("sound_centres", **where)
    there = board_rules.centre_count(board.variant)
    if there is not None and sum(result.centres.values()) + result.neutral != there:
        raise InconsistentEvent("sound_centres_total", total=str(there), **where)
    if result.confirmed and result.confirmed == result.by != DESK_HAND:
        raise InconsistentEvent("sound_confirmed_own", **where)
