"""A scoring system that somebody writes: a text in TOML, whose examples have to come out."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from talleyrand.scoring import BadSystem, Example, System, examples_of, read

from .own_books import read_toml
from .scores import decimal, ending


def read_own_system(text: str, name: str) -> System:
    """The system that a text says; `name` is what it is called.

    Raises BadQuestion (`not_toml`, `too_deep`) and BadSystem, also for an example that does not come out.
    """
    told = read_toml(text, name)
    system = read(name, told)
    check(system, examples_of(told))
    return system


def check(system: System, examples: Iterable[Example]) -> None:
    """Raises BadSystem (`system_example`) for the first score of an example that does not come out."""
    for number, example in enumerate(examples, 1):
        beside = {key: value for key, value in example.told.items() if key != "centres"}
        for power, score in system.score(ending(example.told.get("centres"), beside)).items():
            due = example.scores.get(power, Fraction(0))
            if score.points != due and decimal(score.points) != decimal(due):
                raise BadSystem(
                    "system_example",
                    number=str(number),
                    power=power,
                    due=decimal(due),
                    found=decimal(score.points),
                )
