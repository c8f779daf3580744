"""The games that give points: their scores by the event's system, and which rounds give none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from talleyrand.engine.errors import TalleyrandError
from talleyrand.scoring import GameEnding, Score, ScoringSystem
from talleyrand.tournament import board_rules, regulations, round_timing
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import BoardResult, Event, EventBoard, EventRound, GameEnd, RoundState
from talleyrand.tournament.regulations import Regulations, TwoPowersScore

BEGUN_STATES = (RoundState.PLAYING, RoundState.CLOSED)


@dataclass(frozen=True)
class ScoredGame:
    """A board that counts, with the score of each power. `provisional`: nobody has confirmed it yet.

    `won`: the power that has won alone, by its centres or where that may be conceded.
    """

    round: int
    board: int
    table: EventBoard
    result: BoardResult
    scores: Mapping[str, Score]
    provisional: bool = False
    won: str = ""

    @property
    def players(self) -> int:
        """How many people it was played by, a latecomer included."""
        return board_rules.player_count(self.table)

    def raw(self, power: str) -> Fraction:
        """The points of a power; none for the lesser power of somebody who plays two."""
        return self.scores[power].points if power in self.scores else Fraction(0)


@dataclass(frozen=True)
class UnscoredBoard:
    """A board that could not be scored: the reason is a code of `scoring`, or `event_result_powers`."""

    round: int
    board: int
    error: TalleyrandError


@dataclass(frozen=True)
class PlayedGames:
    """What an event has played.

    `barren`: rounds without points; `final`: one is held; `waiting`: boards that are not scored yet.
    """

    event: Event
    rules: Regulations
    through: int
    games: tuple[ScoredGame, ...] = ()
    faults: tuple[UnscoredBoard, ...] = ()
    barren: frozenset[int] = frozenset()
    final: bool = False
    waiting: frozenset[tuple[int, int]] = frozenset()


def score_games(event: Event, through: int | None = None, *, provisional: bool = False) -> PlayedGames:
    """The games of an event up to a round; raises InvalidEvent for regulations that cannot be read."""
    rules = regulations.read_regulations(event.regulations)
    last = max(event.rounds, default=0) if through is None else through
    system = regulations.scoring_system(rules)
    barren = frozenset(number for number, one in event.rounds.items() if gives_no_points(one))
    found: list[ScoredGame] = []
    faults: list[UnscoredBoard] = []
    waiting: set[tuple[int, int]] = set()
    for number, at, table in _tables(event, last, barren):
        result = counting_result(table, provisional=provisional)
        if result is None:
            waiting.add((number, at))
            continue
        try:
            found.append(_game(event, (number, at), table, result, system))
        except TalleyrandError as error:
            faults.append(UnscoredBoard(number, at, error))
            waiting.add((number, at))
    held = is_final_held(event, rules)
    return PlayedGames(event, rules, last, tuple(found), tuple(faults), barren, held, frozenset(waiting))


def gives_no_points(one: EventRound) -> bool:
    """Whether a round gives no points: it did not happen, or was played with an intimate game."""
    intimate = one.state in BEGUN_STATES and any(is_intimate(table) for table in one.boards.values())
    return intimate or did_not_happen(one)


def did_not_happen(one: EventRound) -> bool:
    """Whether a round did not happen: cancelled, or over without a game."""
    over = one.state is RoundState.CLOSED
    return one.cancelled or (over and not any(table.counts for table in one.boards.values()))


def is_intimate(table: EventBoard) -> bool:
    """Whether a game of two, which changes what other rounds count."""
    return table.counts and table.variant == board_rules.INTIMATE


def is_final_held(event: Event, rules: Regulations) -> bool:
    """Whether there is a final: decided, or, while nothing is decided, a board that is said to be it."""
    one = event.rounds.get(rules.final.round) if rules.final else None
    if one is None or one.cancelled:
        return False
    return one.final if one.final is not None else any(table.final for table in one.boards.values())


def _tables(event: Event, last: int, barren: frozenset[int]) -> Iterator[tuple[int, int, EventBoard]]:
    for number, one in sorted(event.rounds.items()):
        if number <= last and number not in barren and one.state in BEGUN_STATES:
            yield from ((number, at, table) for at, table in sorted(one.boards.items()) if table.counts)


def counting_result(table: EventBoard, *, provisional: bool) -> BoardResult | None:
    """The result that counts: confirmed; provisionally also typed by one, or as if it ended now."""
    if table.result is not None and (table.result.confirmed or provisional):
        return table.result
    now = table.now or (table.years[max(table.years)] if table.years else {})
    return BoardResult(now) if provisional and now else None


def _game(
    event: Event, where: tuple[int, int], table: EventBoard, result: BoardResult, system: ScoringSystem
) -> ScoredGame:
    end = game_ending(event, where[0], table, result)
    won = end.winner or ""
    return ScoredGame(*where, table, result, system.score(end), provisional=not result.confirmed, won=won)


def game_ending(event: Event, number: int, table: EventBoard, result: BoardResult) -> GameEnding:
    """A result as a scoring system sees it; raises InvalidGameEnding, and InvalidEvent where a power has no
    centres.
    """
    missing = [power for power in table.seats if power not in result.centres]
    if missing:
        raise InvalidEvent("event_result_powers", powers=", ".join(missing))
    pairs = regulations.read_regulations(event.regulations).pairs
    counted = result.centres if pairs is TwoPowersScore.BOTH else ranked_centres(table, result)
    fallen = board_rules.result_elimination_years(table, result)
    living = {power: int(power not in result.out) for power in counted} if result.out else None
    return GameEnding(
        centres=counted,
        draw=tuple(power for power in result.draw if power in counted),
        eliminated_in={power: year for power, year in fallen.items() if power in counted},
        last_year=result.year or round_timing.last_year(event, number, table),
        units=living,
        homes=living,
        centres_to_win=board_rules.solo_centres(table.variant) or 18,
        declared_winner=_won(event, result),
    )


def ranked_centres(table: EventBoard, result: BoardResult) -> dict[str, int]:
    """The centres of the powers that are in the ranking of a game: of two powers of somebody, the better one.

    Source: Anjou Feu regulations, games of four. A power that is out has nothing to be better by.
    """
    best: dict[int | str, str] = {}
    held = {power: 0 if power in result.out else count for power, count in result.centres.items()}
    for power, count in held.items():
        seat = table.seats.get(power)
        whose = power if seat is None or seat.person is None else seat.person
        if whose not in best or count > held[best[whose]]:
            best[whose] = power
    return {power: result.centres[power] for power in result.centres if power in best.values()}


def _won(event: Event, result: BoardResult) -> str:
    """Who has won alone with fewer centres than that takes, where regulations let a game be conceded."""
    conceded = result.ended is GameEnd.CONCEDED
    return (
        result.winner if not conceded or regulations.read_regulations(event.regulations).concessions else ""
    )
