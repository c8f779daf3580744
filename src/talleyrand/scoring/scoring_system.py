"""A scoring system: what a win alone gives, and the parts that make up the points of any other end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from .game_ending import GameEnding
from .score_parts import ScoreLine, ScoreLines, YearPart


class ScoringPart(Protocol):
    """Something that gives points: `parts` and `tables` hold them."""

    def lines(self, end: GameEnding) -> ScoreLines:
        """A line of working for each power concerned; raises InvalidGameEnding for a fact that is missing."""
        ...


@dataclass(frozen=True)
class Score:
    """The points of one power, and how they came about; the lines add up to the points."""

    points: Fraction
    working: tuple[ScoreLine, ...]


@dataclass(frozen=True)
class ScoringSystem:
    """A system ready to score with.

    `solo`: what one who wins alone gets; None where a win alone is scored as any other end. `parts` make up
    the points of an end without such a winner, `others` those of the others beside one. `scale`: what the
    points of all who are alive are brought to together, in proportion. `any_board`: whether it is meant for
    any number of powers and centres; else for the classic board and what is made of it. `title`, `sentence`
    (what it does) and `source` are by language.
    """

    name: str
    title: Mapping[str, str] = field(default_factory=dict)
    source: Mapping[str, str] = field(default_factory=dict)
    solo: Fraction | None = None
    parts: tuple[ScoringPart, ...] = ()
    others: tuple[ScoringPart, ...] = ()
    scale: Fraction | None = None
    sentence: Mapping[str, str] = field(default_factory=dict)
    any_board: bool = False

    @property
    def asks_elimination_years(self) -> bool:
        """Whether the year in which a power fell counts."""
        every = (*self.parts, *self.others)
        return any(isinstance(part, YearPart) or getattr(part, "dead", "") == "by_year" for part in every)

    def score(self, end: GameEnding) -> dict[str, Score]:
        """The score of every power, in the order of `end`; raises InvalidGameEnding for a fact that is
        missing.
        """
        if end.winner is not None and self.solo is not None:
            return self._won(end, end.winner, self.solo)
        lines = _gathered(end, self.parts)
        if self.scale is not None:
            _scale(end, lines, self.scale)
        return _scores(lines)

    def _won(self, end: GameEnding, winner: str, points: Fraction) -> dict[str, Score]:
        lines = _gathered(end, self.others)
        lines[winner] = [ScoreLine("solo", points, {"centres": Fraction(end.centres[winner])})]
        for working in lines.values():
            if not working:
                working.append(ScoreLine("lost", Fraction(0), {"winner": winner}))
        return _scores(lines)


def _gathered(end: GameEnding, parts: Iterable[ScoringPart]) -> dict[str, list[ScoreLine]]:
    lines: dict[str, list[ScoreLine]] = {power: [] for power in end.centres}
    for part in parts:
        for power, line in part.lines(end).items():
            lines[power].append(line)
    if end.winner is None:
        for power in end.dead:
            lines[power].insert(0, ScoreLine("eliminated", Fraction(0)))
    return lines


def _scale(end: GameEnding, lines: Mapping[str, list[ScoreLine]], to: Fraction) -> None:
    """Bring those alive to a sum together; what is added or taken away is a line of its own."""
    whole = sum((_sum(lines[power]) for power in end.alive), Fraction(0))
    for power in end.alive if whole else ():
        mine = _sum(lines[power])
        facts = {"share": mine, "of": whole, "pot": to}
        lines[power].append(ScoreLine("scale", to * mine / whole - mine, facts))


def _sum(lines: Iterable[ScoreLine]) -> Fraction:
    return sum((line.points for line in lines), Fraction(0))


def _scores(lines: Mapping[str, list[ScoreLine]]) -> dict[str, Score]:
    return {power: Score(_sum(working), tuple(working)) for power, working in lines.items()}
