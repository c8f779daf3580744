"""What ends a game, and how it is shared: pure. The points come with its end: `game_scores`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from talleyrand.engine.game import GameDefinition
from talleyrand.engine.position import Phase
from talleyrand.web.games.game_settings import GameSettings

from .power_standings import PowerStandings

GameResult = dict[str, Any]


def result_after_phase(
    terms: GameSettings,
    definition: GameDefinition,
    answer: Mapping[str, Any],
    after: Mapping[str, Any] | None,
) -> GameResult | None:
    """The result where a phase just judged ends the game: one wins, several win together, everybody is
    gone, or the last year is over.
    """
    winners = list(answer.get("winner") or ())
    if winners or after is None:
        kind = "joint" if winners[1:] else "solo" if winners else "over"
        return make_result(kind, definition, answer, winners)
    if terms.last_year and _past(terms, Phase.parse(str(after["phase"]))):
        return result_by_centres("last_year", definition, after, terms.unplayed)
    return None


def _past(terms: GameSettings, following: Phase) -> bool:
    """Whether the phase that would follow lies beyond the last one agreed on."""
    if following.year > terms.last_year:
        return True
    return terms.last_after == "R" and following.year == terms.last_year and following.kind == "A"


def settings_still_open(terms: GameSettings, opening: Phase, now: datetime) -> GameSettings:
    """What stays agreed of a game that goes on with phase `opening` after it was over: neither an hour that
    has come nor a year that is past ends it once more.
    """
    if terms.ends_at is not None and terms.ends_at <= now:
        terms = replace(terms, ends_at=None)
    return replace(terms, last_year=0) if terms.last_year and _past(terms, opening) else terms


def result_at_agreed_date(
    terms: GameSettings, definition: GameDefinition, situation: Mapping[str, Any], now: datetime
) -> GameResult | None:
    """The result where the agreed date and hour have come: the most units win (/rules/ III), those of a side
    together."""
    if terms.ends_at is None or now < terms.ends_at:
        return None
    standing = PowerStandings.from_situation(situation, definition)
    return make_result(
        "date", definition, situation, _leaders(standing, standing.unit_counts, terms.unplayed)
    )


def result_by_centres(
    kind: str, definition: GameDefinition, at: Mapping[str, Any], unplayed: Collection[str] = ()
) -> GameResult:
    """A result in which those with the most centres come first, of the powers that somebody could play.

    Where sides play, the one with the most units does: those win a war (rules of 1976, X.2), centres never.
    """
    standing = PowerStandings.from_situation(at, definition)
    centres = {power: len(owned) for power, owned in standing.centres.items()}
    counts = standing.unit_counts if standing.sides else centres
    return make_result(kind, definition, at, _leaders(standing, counts, unplayed))


def shared_draw(
    definition: GameDefinition, situation: Mapping[str, Any], unplayed: Collection[str] = ()
) -> GameResult:
    """A draw: all who have units on the board share equally (/rules/ II), but for `unplayed` powers and those
    of no side."""
    standing = PowerStandings.from_situation(situation, definition)
    sharing = [
        power
        for power, units in standing.unit_counts.items()
        if units
        and power not in unplayed
        and (not standing.sides or any(power in side for side in standing.sides))
    ]
    return make_result("draw", definition, situation, sharing)


def make_result(
    kind: str, definition: GameDefinition, at: Mapping[str, Any], winners: Iterable[str]
) -> GameResult:
    """How a game ended, as JSON: kind, powers that win or share, phase, centres and units, and the
    sides where there are any."""
    standing = PowerStandings.from_situation(at, definition)
    return {
        "kind": kind,
        "powers": list(winners),
        "phase": str(at["phase"]),
        "centres": {power: standing.centre_count(power) for power in standing.centres},
        "units": dict(standing.unit_counts),
        **({"sides": [list(side) for side in standing.sides]} if standing.sides else {}),
    }


def _leaders(standing: PowerStandings, counts: Mapping[str, int], unplayed: Collection[str]) -> list[str]:
    played = {power: count for power, count in counts.items() if power not in unplayed}
    totals = {
        side: sum(played.get(power, 0) for power in side)
        for side in standing.sides or [(power,) for power in played]
    }
    top = max(totals.values(), default=0)
    first = {power for side, total in totals.items() if total == top and top for power in side}
    return [power for power in played if power in first]
