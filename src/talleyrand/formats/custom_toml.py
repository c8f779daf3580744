"""A rulebook or a scoring system that somebody writes: in TOML; a system's examples have to come out."""

from __future__ import annotations

import re
import tomllib
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

from .json_checks import InvalidQuestion, Json
from .score_json import decimal_points, read_ending

_LINE = re.compile(r"at line (\d+)")
_STRETCH = re.compile(r"[={},\[\]\n]")
_MOST_DOTS = 100  # in one name: the reader takes the square of it


def read_custom_rulebook(text: str, name: str) -> dict[str, Json]:
    """What the text says, as the `rulebook` of a question; `name` stands where it says none.

    Raises InvalidQuestion (`not_toml`, `too_deep`, `rulebook_empty`).
    """
    table = read_toml(text, name)
    if not table:
        raise InvalidQuestion("rulebook_empty", rulebook=name)
    return {"name": name, **table}


def read_toml(text: str, name: str) -> dict[str, Json]:
    """A table of TOML that anybody may have written; raises InvalidQuestion (`not_toml`, `too_deep`)."""
    text = text.removeprefix("\ufeff")
    if any(part.count(".") > _MOST_DOTS for part in _STRETCH.split(text)):
        raise InvalidQuestion("too_deep")
    try:
        return tomllib.loads(text)
    except ValueError as fault:  # also a number of more digits than Python reads
        found = _LINE.search(str(fault))
        line = found[1] if found else str(max(1, len(text.splitlines())))
        raise InvalidQuestion("not_toml", rulebook=name, line=line) from None
    except RecursionError:
        raise InvalidQuestion("too_deep") from None


def read_custom_scoring(text: str, name: str) -> ScoringSystem:
    """The system that a text says; `name` is what it is called.

    Raises InvalidQuestion (`not_toml`, `too_deep`) and InvalidScoringSystem, also for an example that does
    not come out; for one whose end cannot be, InvalidQuestion or InvalidGameEnding.
    """
    told = read_toml(text, name)
    system = read_system(name, told)
    check_scoring_examples(system, read_examples(told))
    return system


def check_scoring_examples(system: ScoringSystem, examples: Iterable[ScoringExample]) -> None:
    """Raises InvalidScoringSystem (`system_example`) for the first score of an example that does not come
    out.
    """
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
