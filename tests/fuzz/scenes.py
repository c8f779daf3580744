"""Where the spoilt lines are read: the scenes of the lines written by hand, under any book and any list."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from talleyrand import notation, rulebooks, variants
from talleyrand.notation import ReadingContext
from tests.notation.tables import rows
from tests.notation.test_written_lines_read import question
from tests.notation.written_lines import written_lines

Value = dict[str, Any]
CORPUS = Path(__file__).parent / "corpus"


@cache
def seeds() -> tuple[str, ...]:
    """What is spoilt: the lines written by hand, those of the tables, and the corpus."""
    written = [line.text for language in ("fr", "en") for line in written_lines(language)]
    return tuple(dict.fromkeys([*written, *(row.text for row in rows()), *corpus()]))


@cache
def corpus() -> tuple[str, ...]:
    """Inputs kept because they were answered like no other: one JSON string a line."""
    return tuple(
        json.loads(line)
        for path in sorted(CORPUS.glob("*.jsonl"))
        for line in path.read_text("ascii").splitlines()
    )


@cache
def _positions() -> tuple[Value, ...]:
    """A question without orders for each scene, and for the start of each variant."""
    by_scene = {line.scene: line for language in ("fr", "en") for line in written_lines(language)}
    found = [{**question(line), "power": line.context.power} for line in by_scene.values()]
    return tuple({name: value for name, value in one.items() if name != "orders"} for one in found)


def drawn(draw: random.Random, sheets: list[list[str]]) -> Value:
    """A question that has these sheets read somewhere, under some book and some list of abbreviations."""
    scene = dict(draw.choice(_positions()))
    power = scene.pop("power")
    if draw.random() < 0.4:
        scene["rulebook"] = draw.choice(rulebooks.names())
    if draw.random() < 0.3:
        scene["naming"] = draw.choice(notation.naming_profiles(variants.load("classic")))
    if draw.random() < 0.3:
        scene["rulebook"] = {"extends": "anjou_feu", "options": _strict(draw)}
    return {**scene, "sheets": {power: sheets}}


def _strict(draw: random.Random) -> Value:
    """Some choices of the reader that no other test puts together."""
    known = rulebooks.options()
    names = [
        name for name, option in known.items() if not option.is_for_adjudication and len(option.values) > 1
    ]
    return {name: draw.choice(known[name].values) for name in draw.sample(names, 5)}


def context(asked: Value) -> ReadingContext:
    """The context in which a question's power is read."""
    from talleyrand.formats.question_input import read_question

    read = read_question(asked)
    (power,) = read.sheets
    return ReadingContext(read.variant, read.position, power, read.rulebook, read.naming)
