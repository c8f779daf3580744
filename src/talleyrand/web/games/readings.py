"""How a game reads the points that the text of its variant leaves open, in the words of the rules page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.library import variant_book, variant_rules_pages
from talleyrand.web.library.rules_texts import Said

from .models import Game

_WRITTEN = re.compile(r"`([^`]+)`")
_QUOTED = {"fr": "«\u00a0{}\u00a0»", "en": "“{}”"}


@dataclass(frozen=True)
class Choice:
    """A point that a game may settle: each value with its sentence, the usual one first."""

    option: str
    title: str
    text: str
    values: Mapping[str, str]

    @property
    def usual(self) -> str:
        return next(iter(self.values))


def choices(variant: Variant) -> list[Choice]:
    """What a game of a variant may settle before it begins, in the reader's language."""
    language = wording.language()
    offered = variant_rules_pages.options(variant)
    return [
        Choice(
            point.option,
            rule.title[language],
            _plain(point.text),
            {value: _plain(point.values[value]) for value in offered[point.option]},
        )
        for rule, point in variant_book.settled(variant.name)
    ]


def unusual(variant: Variant, readings: Mapping[str, str]) -> dict[str, str]:
    """Only what is not as usual."""
    offered = variant_rules_pages.options(variant)
    return {option: value for option, value in readings.items() if value != offered[option][0]}


def sentences(game: Game, variant: Variant) -> Iterator[str]:
    """How a game reads what it does not read as usual."""
    chosen = game.terms.readings
    for choice in choices(variant) if chosen else ():
        if choice.option in chosen:
            yield choice.values[chosen[choice.option]]


def victory(game: Game, variant: Variant) -> str:
    """How one wins, where the variant says it and as the game has chosen; "" where it does not."""
    language = wording.language()
    codes = [f"victory_{option}_{value}" for option, value in game.terms.readings.items()]
    told = (variant.sentence(language, "terms", code) for code in (*codes, "victory"))
    return next(filter(None, told), "")


def _plain(text: Said) -> str:
    """A text of the rules without its marks: lines as they are written stand between quotes."""
    language = wording.language()
    return _WRITTEN.sub(lambda line: _QUOTED[language].format(line[1]), text[language])
