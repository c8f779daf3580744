"""A scoring system that somebody writes: a text in TOML, whose examples have to come out."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from talleyrand.scoring import BadEnding, BadSystem, Ending, Example, System, examples_of, read

from .own_books import read_toml
from .scores import decimal, ending


def read_own_system(text: str, name: str) -> System:
    """The system that a text says; `name` is what it is called.

    Raises BadQuestion (`not_toml`, `too_deep`) and BadSystem, also for an example that does not come out;
    for one whose end cannot be, BadQuestion or BadEnding.
    """
    told = read_toml(text, name)
    system = read(name, told)
    check(system, examples_of(told))
    return system


def check(system: System, examples: Iterable[Example]) -> None:
    """Raises BadSystem (`system_example`) for the first score of an example that does not come out."""
    for number, example in enumerate(examples, 1):
        for power, score in system.score(_end(example)).items():
            due = example.scores.get(power, Fraction(0))
            if score.points != due and decimal(score.points) != decimal(due):
                raise BadSystem(
                    "system_example",
                    number=str(number),
                    power=power,
                    due=decimal(due),
                    found=decimal(score.points),
                )


def _end(example: Example) -> Ending:
    beside = {key: value for key, value in example.told.items() if key != "centres"}
    end = ending(example.told.get("centres"), beside)
    for power in example.scores:
        if power not in end.centres:
            raise BadEnding("score_unknown_power", power=power)
    return end
