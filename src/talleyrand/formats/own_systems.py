"""A scoring system that somebody writes: a text in TOML, whose examples have to come out."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from talleyrand.scoring import (
    GameEnding,
    InvalidGameEnding,
    InvalidScoringSystem,
    ScoringExample,
    ScoringSystem,
    read_examples,
    read_system,
)

from .custom_toml import read_toml
from .score_json import decimal_points, read_ending


def read_custom_scoring(text: str, name: str) -> ScoringSystem:
    """The system that a text says; `name` is what it is called.

    Raises BadQuestion (`not_toml`, `too_deep`) and BadSystem, also for an example that does not come out;
    for one whose end cannot be, BadQuestion or BadEnding.
    """
    told = read_toml(text, name)
    system = read_system(name, told)
    check_scoring_examples(system, read_examples(told))
    return system


def check_scoring_examples(system: ScoringSystem, examples: Iterable[ScoringExample]) -> None:
    """Raises BadSystem (`system_example`) for the first score of an example that does not come out."""
    for number, example in enumerate(examples, 1):
        for power, score in system.score(_end(example)).items():
            due = example.scores.get(power, Fraction(0))
            if score.points != due and decimal_points(score.points) != decimal_points(due):
                raise InvalidScoringSystem(
                    "system_example",
                    number=str(number),
                    power=power,
                    due=decimal_points(due),
                    found=decimal_points(score.points),
                )


def _end(example: ScoringExample) -> GameEnding:
    beside = {key: value for key, value in example.ending_fields.items() if key != "centres"}
    end = read_ending(example.ending_fields.get("centres"), beside)
    for power in example.scores:
        if power not in end.centres:
            raise InvalidGameEnding("score_unknown_power", power=power)
    return end
