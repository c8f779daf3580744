"""Centres year by year: written down while a game goes on, put right later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from talleyrand.tournament import boards
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, Event, Result

from .act import Act, with_board
from .results import DESK, YEARS, at_board, check_centres, check_told, played_board, playing_board


@dataclass(frozen=True)
class CountYears(Act):
    """Centres at the end of years, each power named; a year without any is struck out. `neutral`: centres of
    nobody, by year."""

    kind: ClassVar[str] = "years_counted"
    round: int
    board: int
    years: Mapping[int, Mapping[str, int]]
    by: str = DESK
    neutral: Mapping[int, int] = field(default_factory=dict)

    def on(self, event: Event) -> Event:
        """In place of what was told of these years; of players, until the result is confirmed."""
        held = self._held(event)
        for year, centres in self.years.items():
            _check_year(held, year, centres, self.neutral.get(year, 0))
        kept = {year: one for year, one in held.years.items() if year not in self.years}
        every = dict(sorted({**kept, **{year: one for year, one in self.years.items() if one}}.items()))
        check_told(replace(held, years=every), held.result)
        newest = bool(every) and max(every) in self.years
        return with_board(event, self.round, self.board, years=every, now={} if newest else held.now)

    def _held(self, event: Event) -> Board:
        if self.by == DESK:
            return played_board(event, self.round, self.board)
        held = playing_board(event, self.round, self.board)
        at_board(held, self.by, self.round, self.board)
        if held.result is not None and held.result.confirmed:
            raise Refused("act_result_entered", round=str(self.round), board=str(self.board))
        return held


def _check_year(held: Board, year: int, centres: Mapping[str, int], neutral: int) -> None:
    if year not in YEARS:
        raise Refused("act_year", year=str(year))
    if not centres:
        return
    check_centres(held, Result(centres, neutral=neutral))
    unknown = next((power for power in centres if power not in held.seats), None)
    if unknown is not None:
        raise Refused("act_no_power", power=unknown[:40], powers=", ".join(held.seats))
    last = held.result.year if held.result else None
    other = held.result is not None and dict(centres) != dict(held.result.centres)
    if last is not None and (year > last or (year == last and other)):
        raise Refused("act_year_result", year=str(year), last=str(last))


def missing(held: Board) -> int:
    """The first year that nobody has written down yet."""
    known = boards.years_of(held)
    return next(year for year in YEARS if year not in known)


ACTS: tuple[type[Act], ...] = (CountYears,)
