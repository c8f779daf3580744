"""Centres year by year: written down while a game goes on, put right later."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from talleyrand.tournament import board_rules
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import BoardResult, Event, EventBoard

from .act import EventAct, event_act, with_board
from .result_acts import (
    DESK_HAND,
    GAME_YEARS,
    check_at_board,
    check_centres,
    check_yearly_centres,
    played_board,
    playing_board,
)


@event_act("years_counted")
class CountCentresByYear(EventAct):
    """Centres at the end of years, each power named; a year without any is struck out. `neutral`: centres of
    nobody, by year. In place of what was told of these years; of players, until the result is confirmed."""

    round: int
    board: int
    years: Mapping[int, Mapping[str, int]]
    by: str = DESK_HAND
    neutral: Mapping[int, int] = field(default_factory=dict)

    def apply(self, event: Event) -> Event:
        held = self._held(event)
        for year, centres in self.years.items():
            _check_year(held, year, centres, self.neutral.get(year, 0))
        kept = {year: one for year, one in held.years.items() if year not in self.years}
        every = dict(sorted({**kept, **{year: one for year, one in self.years.items() if one}}.items()))
        check_yearly_centres(replace(held, years=every), held.result)
        newest = bool(every) and max(every) in self.years
        return with_board(event, self.round, self.board, years=every, now={} if newest else held.now)

    def _held(self, event: Event) -> EventBoard:
        if self.by == DESK_HAND:
            return played_board(event, self.round, self.board)
        held = playing_board(event, self.round, self.board)
        check_at_board(held, self.by, self.round, self.board)
        if held.result is not None and held.result.confirmed:
            raise ActRefused("act_result_entered", round=str(self.round), board=str(self.board))
        return held


def _check_year(held: EventBoard, year: int, centres: Mapping[str, int], neutral: int) -> None:
    if year not in GAME_YEARS:
        raise ActRefused("act_year", year=str(year))
    if not centres:
        return
    check_centres(held, BoardResult(centres, neutral=neutral))
    unknown = next((power for power in centres if power not in held.seats), None)
    if unknown is not None:
        raise ActRefused("act_no_power", power=unknown[:40], powers=", ".join(held.seats))
    last = held.result.year if held.result else None
    other = held.result is not None and dict(centres) != dict(held.result.centres)
    if last is not None and (year > last or (year == last and other)):
        raise ActRefused("act_year_result", year=str(year), last=str(last))


def first_missing_year(held: EventBoard) -> int:
    """The first year that nobody has written down yet."""
    known = board_rules.yearly_centres(held)
    return next(year for year in GAME_YEARS if year not in known)
