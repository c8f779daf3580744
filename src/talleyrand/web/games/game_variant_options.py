"""How a game reads the points that the text of its variant leaves open, in the words of the rules page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.library import variant_rules, variant_rules_context
from talleyrand.web.library.rules_texts import LocalizedText

from .models import Game

_WRITTEN = re.compile(r"`([^`]+)`")
_QUOTED = {"fr": "«\u00a0{}\u00a0»", "en": "“{}”"}


@dataclass(frozen=True)
class VariantOption:
    """A point that a game may settle: each value with its sentence, the usual one first."""

    option: str
    title: str
    text: str
    values: Mapping[str, str]

    @property
    def default(self) -> str:
        return next(iter(self.values))


def variant_options(variant: Variant) -> list[VariantOption]:
    """What a game of a variant may settle before it begins, in the reader's language."""
    language = display_names.reader_language()
    offered = variant_rules_context.options_with_values(variant)
    return [
        VariantOption(
            point.option,
            rule.title[language],
            _plain(point.text),
            {value: _plain(point.values[value]) for value in offered[point.option]},
        )
        for rule, point in variant_rules.settable_points(variant.name)
    ]


def changed_variant_options(variant: Variant, readings: Mapping[str, str]) -> dict[str, str]:
    """Only what is not as usual."""
    offered = variant_rules_context.options_with_values(variant)
    return {option: value for option, value in readings.items() if value != offered[option][0]}


def variant_option_sentences(game: Game, variant: Variant) -> Iterator[str]:
    """How a game reads what it does not read as usual."""
    chosen = game.settings.readings
    for choice in variant_options(variant) if chosen else ():
        if choice.option in chosen:
            yield choice.values[chosen[choice.option]]


def victory_sentence(game: Game, variant: Variant) -> str:
    """How one wins, where the variant says it and as the game has chosen; "" where it does not."""
    language = display_names.reader_language()
    codes = [f"victory_{option}_{value}" for option, value in game.settings.readings.items()]
    told = (variant.sentence(language, "terms", code) for code in (*codes, "victory"))
    return next(filter(None, told), "")


def _plain(text: LocalizedText) -> str:
    """A text of the rules without its marks: lines as they are written stand between quotes."""
    language = display_names.reader_language()
    return _WRITTEN.sub(lambda line: _QUOTED[language].format(line[1]), text[language])
