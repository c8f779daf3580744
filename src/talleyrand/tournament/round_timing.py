"""The clock of a round, worked out from when it was started: no tick is kept, nothing runs.

Seasons follow each other by themselves: what resolution and adjustments take is taken from the next one
(Anjou Feu, article of clocks). A season of no seconds is merged with the one before. A board may be ahead of
the clock, or behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from talleyrand.tournament.model import FIRST_YEAR, ClockState, Event, EventBoard, EventRound, RoundState
from talleyrand.tournament.regulations import Regulations, RoundRule, read_regulations

SPRING, AUTUMN = "S", "F"


@dataclass(frozen=True)
class ClockReading:
    """What a clock shows. `season`: its number, 0 the first; `seasons`: "S1901", with those merged into it.

    `remaining` and `length` are seconds. `writing`: the last of them, for writing alone. `over`: after the
    last season; `spent`: seconds since then.
    """

    season: int
    seasons: tuple[str, ...]
    remaining: int
    length: int
    running: bool
    writing: bool
    over: bool
    spent: int = 0


def parse_time(at: str) -> datetime | None:
    """A time from its text, None where it is none: ISO 8601 with its zone."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return None
    return found.astimezone(UTC) if found.tzinfo is not None and 1900 < found.year < 3000 else None


def round_rule(regulations: Regulations, number: int) -> RoundRule:
    """What the regulations say of a round; the last one's rule for rounds beyond."""
    rounds = regulations.rounds or (RoundRule(),)
    return rounds[min(number, len(rounds)) - 1]


def season_name(season: int) -> str:
    """`0` → "S1901", `1` → "F1901"."""
    return f"{AUTUMN if season % 2 else SPRING}{FIRST_YEAR + season // 2}"


def last_year(event: Event, number: int, board: EventBoard | None = None) -> int:
    """The last year of a board, or of whichever board of the round plays longest."""
    rule, one = _rule(event, number), event.rounds[number]
    if board is not None:
        return _year(rule, one, board)
    return max((_year(rule, one, table) for table in one.boards.values()), default=rule.last_year)


def _rule(event: Event, number: int) -> RoundRule:
    return round_rule(read_regulations(event.regulations), number)


def _year(rule: RoundRule, one: EventRound, board: EventBoard) -> int:
    if board.last_year is not None:
        return board.last_year
    aside = one.final and not board.final and rule.last_year_aside is not None
    return rule.last_year_aside or rule.last_year if aside else rule.last_year


def season_length(rule: RoundRule, clock: ClockState, season: int) -> int:
    """Seconds of a season: those said by hand, or those of the regulations."""
    usual = rule.hours.autumn if season % 2 else rule.hours.spring
    return clock.lengths.get(season, usual)


def read_clock(event: Event, number: int, now: str, board: EventBoard | None = None) -> ClockReading:
    """What the clock of a round shows at a time, or for a board of its own; a closed round has none left."""
    one, rule = event.rounds[number], _rule(event, number)
    spent = seconds_spent(one.clock, now) + (board.offset if board else 0)
    seasons = 2 * (last_year(event, number, board) - FIRST_YEAR + 1)
    season, spent = season_at(rule, one.clock, spent, seasons)
    if one.clock.over or season >= seasons or one.state is RoundState.CLOSED:
        return ClockReading(season, (), 0, 0, running=False, writing=False, over=True, spent=max(0, spent))
    return _clock_reading(rule, one.clock, season, spent)


def seconds_left(event: Event, number: int, now: str, season: int, board: EventBoard) -> int:
    """Seconds until a season of a board is over; of one that is over already, until the clock's own is.

    Raises ValueError for a time that is none.
    """
    told, clock = read_clock(event, number, now, board), event.rounds[number].clock
    later = range(told.season + 1, season + 1)
    return told.remaining + sum(season_length(_rule(event, number), clock, one) for one in later)


def seconds_spent(clock: ClockState, now: str) -> int:
    """Seconds since the season kept by the clock began; before its start, none. Raises ValueError."""
    at, started = parse_time(now), parse_time(clock.started)
    if at is None:
        raise ValueError(now)
    ran = int((at - started).total_seconds()) if started is not None else 0
    return clock.elapsed + max(0, ran)


def season_at(rule: RoundRule, clock: ClockState, spent: int, seasons: int) -> tuple[int, int]:
    """The season that so many seconds lead to, and how many of it are spent."""
    season = clock.season
    while season > 0 and spent < 0:
        season -= 1
        spent += season_length(rule, clock, season)
    while season < seasons and spent >= (length := season_length(rule, clock, season)):
        spent -= length
        season += 1
    return season, spent


def _clock_reading(rule: RoundRule, clock: ClockState, season: int, spent: int) -> ClockReading:
    length = season_length(rule, clock, season)
    remaining = min(length - spent, length)
    writing = remaining <= rule.hours.writing
    names = _merged(clock, season)
    return ClockReading(season, names, remaining, length, bool(clock.started), writing, over=False)


def _merged(clock: ClockState, season: int) -> tuple[str, ...]:
    names, at = [season_name(season)], season + 1
    while clock.lengths.get(at) == 0:
        names.append(season_name(at))
        at += 1
    return tuple(names)


def planned_duration(event: Event, number: int) -> int:
    """Seconds that a whole round takes, from the first season to the last."""
    rule, clock = _rule(event, number), event.rounds[number].clock
    seasons = 2 * (last_year(event, number) - FIRST_YEAR + 1)
    return sum(season_length(rule, clock, season) for season in range(seasons))
