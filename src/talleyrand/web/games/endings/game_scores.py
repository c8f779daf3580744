"""The points of a game by the scoring system agreed on, and how they come about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from talleyrand import scoring, variants
from talleyrand.engine.position import Phase
from talleyrand.formats.score_json import score_working
from talleyrand.scoring import GameEnding, Score
from talleyrand.variants import Variant
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.models import Game

from .game_results import GameResult

WON_ALONE_KINDS = ("solo", "joint", "draw")  # one winner, or side: by the rules, or as the others agree
SHARED_KINDS = ("draw", "joint")  # with several


def scored_result(game: Game, result: GameResult) -> GameResult:
    """How a game ended, with the years in which powers were eliminated and the points, as fractions."""
    told = {**result, "eliminated_in": GameHistory(game).elimination_years()}
    scores = game_scores(game.settings, variants.load(game.variant), told)
    return {**told, "points": {power: str(score.points) for power, score in scores.items()}}


def game_scores(terms: GameSettings, variant: Variant, result: Mapping[str, Any]) -> dict[str, Score]:
    """The score of each power with its lines; none where nobody wins or no position is told.

    Where sides play, a side is scored as one power, and each of its powers has that score.
    """
    if not all(result.get(fact) for fact in ("powers", "centres", "phase")):
        return {}
    system, sides = scoring.load(terms.scoring), result.get("sides") or ()
    if not sides:
        return system.score(_game_ending(variant, result, terms))
    scores = system.score(_game_ending(variant, _of_sides(result, sides), terms))
    return {power: scores[side[0]] for side in sides for power in side}


def _of_sides(result: Mapping[str, Any], sides: Sequence[Sequence[str]]) -> dict[str, Any]:
    """A result in which the first power of each side has all that is its side's."""
    fell = result.get("eliminated_in") or {}
    return {
        **result,
        "powers": [side[0] for side in sides if set(side) & set(result["powers"])],
        "centres": {side[0]: sum(result["centres"][power] for power in side) for side in sides},
        "units": {side[0]: sum(result["units"][power] for power in side) for side in sides},
        "eliminated_in": {
            side[0]: max(fell[power] for power in side) for side in sides if set(side) <= fell.keys()
        },
    }


def kept_scores(game: Game) -> dict[str, Score]:
    """The scores of a game that has ended; none where the system comes to other points than those kept."""
    told = game.result or {}
    scores = game_scores(game.settings, variants.load(game.variant), told)
    kept = told.get("points") or {}
    return scores if kept == {power: str(score.points) for power, score in scores.items()} else {}


def result_with_working(game: Game) -> GameResult | None:
    """How a game ended, with the lines of its points as JSON."""
    return game.result and {**game.result, "working": score_working(kept_scores(game))}


def _game_ending(variant: Variant, result: Mapping[str, Any], terms: GameSettings) -> GameEnding:
    """A result as a scoring system sees it: only who has won alone is scored so, not who merely leads; and
    no power that nobody plays by the terms."""
    centres = {power: held for power, held in result["centres"].items() if power not in terms.unplayed}
    units, winners = result["units"], [power for power in result["powers"] if power in centres]
    first = first_year_played(variant, terms)
    last = last_year_played(variant, result, terms)
    fell = {power: year for power, year in (result.get("eliminated_in") or {}).items() if power in centres}
    out = {power: fell.get(power, last) for power in centres if not centres[power]}
    out |= {power: year for power, year in fell.items() if not units.get(power)}
    living = {power: int(power not in out) for power in centres}
    kind = result["kind"]
    return GameEnding(
        centres,
        draw=tuple(winners) if kind in SHARED_KINDS else (),
        ahead=tuple(winners),
        eliminated_in=out,
        last_year=last,
        units=living,
        homes=living,
        centres_to_win=sum(centres.values()) + 1,
        declared_winner=winners[0] if len(winners) == 1 and kind in WON_ALONE_KINDS else "",
        first_year=first,
    )


def first_year_played(variant: Variant, terms: GameSettings) -> int:
    """The year of a game's first moves: of one that begins with a later position, its variant's."""
    calendar = variant.definition.calendar
    usual = terms.first_year or calendar.first.year
    if not terms.start:
        return usual
    at = Phase.parse(str(terms.start["phase"]))
    return min(usual, at.year + calendar.opening_lead * calendar.is_opening(at))


def last_year_played(variant: Variant, result: Mapping[str, Any], terms: GameSettings) -> int:
    """The last year of a game that has ended: its phase may be the one with which the next would begin."""
    at = Phase.parse(str(result["phase"]))
    begins = f"{at.season}{at.kind}" == variant.definition.calendar.cycle[0]
    return max(first_year_played(variant, terms), at.year - begins)
