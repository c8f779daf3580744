"""Scoring systems and their points in the reader's words: in games, at the desk, in public and on paper."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from talleyrand import scoring, variants
from talleyrand.formats.score_json import decimal_points
from talleyrand.messages.score_sentences import format_number, score_line_sentences
from talleyrand.scoring import GameEnding, ScoreLine, ScoringSystem
from talleyrand.variants import Variant

from . import display_names

CLASSIC = "classic"
FALLEN = {"AUSTRIA": 1904, "TURKEY": 1906}
CENTRES = {"ENGLAND": 10, "FRANCE": 8, "GERMANY": 8, "ITALY": 5, "RUSSIA": 3, "AUSTRIA": 0, "TURKEY": 0}
WON = {"ENGLAND": 18, "FRANCE": 8, "GERMANY": 8, "ITALY": 0, "RUSSIA": 0, "AUSTRIA": 0, "TURKEY": 0}
EXAMPLES = (
    GameEnding(CENTRES, eliminated_in=FALLEN, last_year=1908),
    GameEnding(WON, eliminated_in={**FALLEN, "ITALY": 1907, "RUSSIA": 1907}, last_year=1908),
)


class PointsLine(NamedTuple):
    """A line, and its figure: of a game what it brings, of what comes after it the points there are then."""

    sentence: str
    points: str


@dataclass(frozen=True)
class ExampleRow:
    """A power of an example: its centres, when it fell ("" for who has not), its points and their lines."""

    power: str
    centres: int
    fell: str
    points: str
    working: tuple[PointsLine, ...]


ScoringExamples = tuple[tuple[ExampleRow, ...], ...]


def points_text(value: Fraction) -> str:
    """Points with three decimals, all of them shown, in the manner of the language: 58,143."""
    told = decimal_points(value).replace("-", "−")
    return told.replace(".", ",") if display_names.reader_language() == "fr" else told


def points_lines(lines: Iterable[ScoreLine], variant: Variant) -> tuple[PointsLine, ...]:
    """How a scoring system came to the points of a power in a game on such a board."""
    language = display_names.reader_language()
    return tuple(
        PointsLine(
            score_line_sentences(
                line.kind,
                {
                    name: display_names.power_name(variant, fact) if isinstance(fact, str) else fact
                    for name, fact in line.facts.items()
                },
            )[language],
            points_text(line.points),
        )
        for line in lines
    )


def systems() -> list[ScoringSystem]:
    """All scoring systems, those for any board first, then by title."""
    loaded = map(scoring.load, scoring.names())
    language = display_names.reader_language()
    return sorted(loaded, key=lambda system: (not system.any_board, system.title[language]))


def system_title(name: str) -> str:
    """What a system is called."""
    return scoring.load(name).title[display_names.reader_language()]


def system_rows() -> list[tuple[str, str, str, ScoringExamples]]:
    """Every system for a list to choose from: its name, title, sentence and examples."""
    language = display_names.reader_language()
    return [
        (one.name, one.title[language], one.sentence[language], _examples(one.name, language))
        for one in systems()
    ]


def is_on_classic_board(variant: Variant) -> bool:
    """Whether a variant is played on the classic board, whole or in part, as most systems suppose."""
    return set(variant.board.powers) <= set(CENTRES)


@cache
def _examples(name: str, language: str) -> ScoringExamples:
    """The same two games scored by a system, one ended at a date and one won alone."""
    return tuple(tuple(_example_rows(name, end, language)) for end in EXAMPLES)


def _example_rows(name: str, end: GameEnding, language: str) -> Iterable[ExampleRow]:
    classic = variants.load(CLASSIC)
    for power, score in scoring.load(name).score(end).items():
        yield ExampleRow(
            display_names.power_name(classic, power),
            end.centres[power],
            str(end.eliminated_in.get(power, "")),
            format_number(language, score.points),
            points_lines(score.working, classic),
        )
