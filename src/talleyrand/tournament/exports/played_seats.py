"""Every seat of every game, with what it gave: what tables and files of other programs are made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from talleyrand.tournament import round_timing
from talleyrand.tournament.board_rules import result_elimination_years, yearly_centres
from talleyrand.tournament.model import BoardResult, Event, EventBoard, PowerSeat, RoundState
from talleyrand.tournament.standings import ScoredGame, StandingEntry, Standings

SHOWN_STATES = (RoundState.PLAYING, RoundState.CLOSED)


@dataclass(frozen=True)
class PlayedSeat:
    """A power of a board. `rank`: its place on the board by points, with `equals` others; 0 without points.

    `entries`: what it gave to whom: the first player, or a newcomer; nobody's where a script played.
    """

    round: int
    number: int
    board: EventBoard
    power: str
    seat: PowerSeat
    result: BoardResult | None
    raw: Fraction | None = None
    rank: int = 0
    equals: int = 0
    entries: tuple[tuple[int, StandingEntry], ...] = ()

    @property
    def owner(self) -> int | None:
        """Whose points they are, or would be."""
        kept = [who for who, entry in self.entries if entry.coefficient or len(self.entries) == 1]
        return kept[0] if kept else self.seat.person

    @property
    def centres(self) -> int | None:
        """What it ended with."""
        return self.result.centres.get(self.power) if self.result else None


def played_seats(event: Event, held: Standings) -> Iterator[PlayedSeat]:
    """Every seat of the rounds that are shown, as far as the standings go, by round and board."""
    games = {(game.round, game.board): game for game in held.games}
    entries = _entries(held)
    for number, one in sorted(event.rounds.items()):
        if one.state in SHOWN_STATES and number <= held.through:
            for at, board in sorted(one.boards.items()):
                for sat in _of_board((number, at), board, games.get((number, at))):
                    yield replace(sat, entries=tuple(entries.get((number, at, sat.power), ())))


def _entries(held: Standings) -> Mapping[tuple[int, int, str], list[tuple[int, StandingEntry]]]:
    found: dict[tuple[int, int, str], list[tuple[int, StandingEntry]]] = {}
    for line in held.lines:
        for entry in line.entries:
            found.setdefault((entry.round, entry.board, entry.power), []).append((line.person, entry))
    return found


def _of_board(where: tuple[int, int], board: EventBoard, game: ScoredGame | None) -> Iterator[PlayedSeat]:
    result = board.result if board.result and board.result.confirmed else None
    for power, seat in board.seats.items():
        sat = PlayedSeat(*where, board, power, seat, result)
        yield _scored(sat, game) if game else sat


def _scored(sat: PlayedSeat, game: ScoredGame) -> PlayedSeat:
    points = [game.raw(power) for power in sat.board.seats]
    mine = game.raw(sat.power)
    return replace(
        sat, raw=mine, rank=1 + sum(other > mine for other in points), equals=points.count(mine) - 1
    )


def last_year_played(event: Event, sat: PlayedSeat) -> int:
    """The last year that was played."""
    if sat.result is not None and sat.result.year is not None:
        return sat.result.year
    return round_timing.last_year(event, sat.round, sat.board)


def elimination_year(event: Event, sat: PlayedSeat) -> int | None:
    """When a power was eliminated, as it was told or as centres year by year tell it; None while it lives,
    and where nobody knows."""
    if sat.result is None or not (sat.centres == 0 or sat.power in sat.result.out):
        return None
    return result_elimination_years(sat.board, sat.result, last_year_played(event, sat)).get(sat.power)


def seat_centres_by_year(event: Event, sat: PlayedSeat) -> dict[int, int]:
    """The centres of a power at the end of each year that is known; none before its board has a result."""
    if sat.result is None:
        return {}
    years = yearly_centres(sat.board, last_year_played(event, sat))
    return {year: centres[sat.power] for year, centres in years.items() if sat.power in centres}


def last_public_round(event: Event) -> int:
    """The last round whose points all may see: those from a hidden one on are nobody's but the desk's."""
    hidden = [number for number, one in event.rounds.items() if not one.revealed]
    return min(hidden) - 1 if hidden else max(event.rounds, default=0)
