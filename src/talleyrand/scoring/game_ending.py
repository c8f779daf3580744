"""The end of a game as a scoring system sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from talleyrand.engine.errors import TalleyrandError

SOLO = 18
MOST = 999  # centres of one power
FIRST_YEAR = 1901


class InvalidGameEnding(TalleyrandError):
    """An end of a game that cannot be, or that does not say what a system asks: `score_*`."""


@dataclass(frozen=True)
class GameEnding:
    """Who held what when a game ended.

    `centres` names every power, those without a centre too. `draw`: who shares the victory, where that was
    voted; empty otherwise. `ahead`: who wins by the terms of the game though nobody has won alone or voted,
    as those who lead after its last year may. `eliminated_in`: the year in which each eliminated power
    fell. `last_year`: the last one played. `units` and `homes` (numbers of units, of one's own home centres)
    say who is eliminated while he still holds a centre. `centres_to_win`: centres that win alone;
    `declared_winner`: who did with fewer.
    """

    centres: Mapping[str, int]
    draw: Collection[str] = ()
    eliminated_in: Mapping[str, int] = field(default_factory=dict)
    last_year: int | None = None
    units: Mapping[str, int] | None = None
    homes: Mapping[str, int] | None = None
    centres_to_win: int = SOLO
    declared_winner: str = ""
    first_year: int = FIRST_YEAR
    ahead: Collection[str] = ()

    def __post_init__(self) -> None:
        if not self.centres:
            raise InvalidGameEnding("score_no_powers")
        for power, held in self.centres.items():
            if not 0 <= held <= MOST:
                raise InvalidGameEnding("score_count", power=power, count=str(held))
        self._check_names()
        winners = [power for power, held in self.centres.items() if held >= self.centres_to_win]
        if len(winners) > 1:
            raise InvalidGameEnding("score_two_solos", first=winners[0], second=winners[1])

    def _check_names(self) -> None:
        named = (*self.draw, *self.ahead, *self.eliminated_in, *(self.units or ()), *(self.homes or ()))
        for power in (*named, *filter(None, [self.declared_winner])):
            if power not in self.centres:
                raise InvalidGameEnding("score_unknown_power", power=power)

    @cached_property
    def winner(self) -> str | None:
        """Who has won alone."""
        return self.declared_winner or next(
            (power for power, held in self.centres.items() if held >= self.centres_to_win), None
        )

    @cached_property
    def alive(self) -> tuple[str, ...]:
        """Who is not eliminated."""
        return tuple(power for power in self.centres if not self._is_out(power))

    def _is_out(self, power: str) -> bool:
        """No centre; or no unit and none but foreign centres. Source: Anjou Feu, VI, elimination."""
        if not self.centres[power]:
            return True
        if self.units is None or self.homes is None:
            return False
        return not self.units.get(power, 0) and not self.homes.get(power, 0)

    @cached_property
    def dead(self) -> tuple[str, ...]:
        """Who is eliminated."""
        return tuple(power for power in self.centres if power not in self.alive)

    @cached_property
    def most_centres(self) -> int:
        """The most centres that anybody alive holds; none where nobody is."""
        return max((self.centres[power] for power in self.alive), default=0)

    @cached_property
    def leaders(self) -> tuple[str, ...]:
        """Who holds the most."""
        return tuple(power for power in self.alive if self.centres[power] == self.most_centres)

    @cached_property
    def draw_members(self) -> tuple[str, ...]:
        """Who shares a draw: those voted, or all who are alive."""
        return tuple(self.draw) or self.alive

    def years_played(self, power: str) -> int:
        """Years that a power was in the game, from 1 on; raises InvalidGameEnding where nobody says."""
        if power in self.alive:
            if self.last_year is None:
                raise InvalidGameEnding("score_no_last_year")
            return self._count(self.last_year)
        if power not in self.eliminated_in:
            raise InvalidGameEnding("score_no_year", power=power)
        return self._count(self.eliminated_in[power])

    def _count(self, year: int) -> int:
        if not self.first_year <= year <= self.first_year + 1000:
            raise InvalidGameEnding("score_year", year=str(year))
        return year - self.first_year + 1
