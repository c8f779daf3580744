"""What ends a game, and how it is shared: pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from talleyrand import scoring
from talleyrand.engine.board import Board
from talleyrand.engine.position import Phase
from talleyrand.web.games.terms import Terms

from .standing import Standing

Result = dict[str, Any]


def after_phase(
    terms: Terms, board: Board, answer: Mapping[str, Any], after: Mapping[str, Any] | None
) -> Result | None:
    """The result where a phase just judged ends the game: one wins, several do and share, everybody is gone,
    or the last year is over.
    """
    winners = list(answer.get("winner") or ())
    if winners or after is None:
        kind = "draw" if winners[1:] else "solo" if winners else "over"
        return result(kind, terms, board, answer, winners)
    if terms.last_year and _past(terms, Phase.parse(str(after["phase"]))):
        return most("last_year", terms, board, after)
    return None


def _past(terms: Terms, following: Phase) -> bool:
    """Whether the phase that would follow lies beyond the last one agreed on."""
    if following.year > terms.last_year:
        return True
    return terms.last_after == "R" and following.year == terms.last_year and following.kind == "A"


def outlived(terms: Terms, opening: Phase, now: datetime) -> Terms:
    """What stays agreed of a game that goes on with phase `opening` after it was over: neither an hour that
    has come nor a year that is past ends it once more.
    """
    if terms.ends_at is not None and terms.ends_at <= now:
        terms = replace(terms, ends_at=None)
    return replace(terms, last_year=0) if terms.last_year and _past(terms, opening) else terms


def at_date(terms: Terms, board: Board, situation: Mapping[str, Any], now: datetime) -> Result | None:
    """The result where the agreed date and hour have come: the most units win (/rules/ III)."""
    if terms.ends_at is None or now < terms.ends_at:
        return None
    strength = Standing.of(situation, board).strength
    return result("date", terms, board, situation, _leaders(strength))


def most(kind: str, terms: Terms, board: Board, at: Mapping[str, Any]) -> Result:
    """A result in which those with the most centres come first."""
    standing = Standing.of(at, board)
    return result(kind, terms, board, at, _leaders({power: standing.count(power) for power in board.powers}))


def shared(terms: Terms, board: Board, situation: Mapping[str, Any]) -> Result:
    """A draw: all who have units on the board share equally (/rules/ II)."""
    strength = Standing.of(situation, board).strength
    return result("draw", terms, board, situation, [power for power in board.powers if strength[power]])


def result(kind: str, terms: Terms, board: Board, at: Mapping[str, Any], winners: Iterable[str]) -> Result:
    """How a game ended, as JSON: kind, powers that win or share, centres and units, points as fractions."""
    standing, powers = Standing.of(at, board), list(winners)
    centres = {power: standing.count(power) for power in board.powers}
    return {
        "kind": kind,
        "powers": powers,
        "phase": str(at["phase"]),
        "centres": centres,
        "units": dict(standing.strength),
        "points": _points(terms.scoring, centres, powers),
    }


def _points(system: str, centres: Mapping[str, int], winners: Collection[str]) -> dict[str, str]:
    if not winners:
        return {}
    won = next(iter(winners)) if len(winners) == 1 else ""
    end = scoring.Ending(centres, winners, solo=sum(centres.values()) + 1, won=won)
    return {power: str(score.points) for power, score in scoring.load(system).score(end).items()}


def _leaders(counts: Mapping[str, int]) -> list[str]:
    top = max(counts.values(), default=0)
    return [power for power, count in counts.items() if count == top and top]
