"""Ratings of people from games of any number of players: Glicko-2, with each game as a set of duels.

The method of Mark E. Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf, 2022), steps
2 to 8, with two additions that its text leaves to whoever uses it:

- A game of n people is n(n-1)/2 duels, won by whoever has more points, drawn where both have as many. They
  are no independent games: who comes first beats all the others at once. An order of n people says as much as
  n-1 duels, so each weighs 2/n; a game of two is a game of Glicko-2.
- Every game is a rating period of its own. What a deviation gains without games, it gains by the time since
  the last one, in periods of 30 days.

Values are rounded after each game, so that computing on from kept ones gives what computing all again does.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, pi, sqrt
from typing import TypeVar

Player = TypeVar("Player", bound=Hashable)
SCALE, CENTRE = 173.7178, 1500.0
GREATEST_DEVIATION = 350.0
CHANGE_OF_VOLATILITY = 0.5  # Glickman's tau
CLOSE_ENOUGH = 1e-6
DAYS_A_PERIOD = 30.0
RATING_DIGITS, VOLATILITY_DIGITS = 4, 8


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is taken to be, how sure that is, and how much it varies."""

    rating: float = CENTRE
    deviation: float = GREATEST_DEVIATION
    volatility: float = 0.06

    def after_days(self, days: float) -> Rating:
        """The same after some days without a game, less sure."""
        spread = sqrt((self.deviation / SCALE) ** 2 + max(days, 0.0) / DAYS_A_PERIOD * self.volatility**2)
        grown = round(min(spread * SCALE, GREATEST_DEVIATION), RATING_DIGITS)
        return Rating(self.rating, grown, self.volatility)


@dataclass(frozen=True, slots=True)
class Duel:
    """Against whom, what it came to (1, 0.5 or 0), and how much it weighs."""

    opponent: Rating
    score: float
    weight: float = 1.0


def rate_game(ratings: Mapping[Player, Rating], points: Mapping[Player, Fraction]) -> dict[Player, Rating]:
    """The ratings of those who played a game after it, of what they were before it and of their points."""
    weight = 2 / len(points) if points else 0.0
    return {
        one: rate_duels(
            ratings[one],
            [
                Duel(ratings[other], _score(points[one], theirs), weight)
                for other, theirs in points.items()
                if other != one
            ],
        )
        for one in points
    }


def _score(own: Fraction, theirs: Fraction) -> float:
    return 0.5 if own == theirs else float(own > theirs)


def rate_duels(before: Rating, duels: Iterable[Duel]) -> Rating:
    """A rating after a period with these duels; unchanged where there are none."""
    own, spread = (before.rating - CENTRE) / SCALE, before.deviation / SCALE
    information, surprise = 0.0, 0.0
    for duel in duels:
        theirs = (duel.opponent.rating - CENTRE) / SCALE
        weakened = 1 / sqrt(1 + 3 * (duel.opponent.deviation / SCALE) ** 2 / pi**2)
        expected = 1 / (1 + exp(-weakened * (own - theirs)))
        information += duel.weight * weakened**2 * expected * (1 - expected)
        surprise += duel.weight * weakened * (duel.score - expected)
    if not information:
        return before
    variance = 1 / information
    volatility = _volatility(before.volatility, spread, variance, variance * surprise)
    narrowed = 1 / sqrt(1 / (spread**2 + volatility**2) + information)
    return Rating(
        round(CENTRE + SCALE * (own + narrowed**2 * surprise), RATING_DIGITS),
        round(min(SCALE * narrowed, GREATEST_DEVIATION), RATING_DIGITS),
        round(volatility, VOLATILITY_DIGITS),
    )


def _volatility(before: float, spread: float, variance: float, gain: float) -> float:
    """Step 5: the root of Glickman's f, by the Illinois algorithm."""
    start = log(before**2)

    def f(x: float) -> float:
        grown = spread**2 + variance + exp(x)
        return exp(x) * (gain**2 - grown) / (2 * grown**2) - (x - start) / CHANGE_OF_VOLATILITY**2

    low = start
    if gain**2 > spread**2 + variance:
        high = log(gain**2 - spread**2 - variance)
    else:
        steps = 1
        while f(start - steps * CHANGE_OF_VOLATILITY) < 0:
            steps += 1
        high = start - steps * CHANGE_OF_VOLATILITY
    at_low, at_high = f(low), f(high)
    while abs(high - low) > CLOSE_ENOUGH:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = f(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return exp(low / 2)
