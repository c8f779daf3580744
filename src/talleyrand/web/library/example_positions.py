"""Positions on which books are known to part, for whoever has none at hand."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from talleyrand import notation, variants
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, position_texts

FILE = Path(__file__).with_name("comparison_cases.toml")


@dataclass(frozen=True)
class ExamplePosition:
    """`orders` in normal form, power by power."""

    key: str
    title: Mapping[str, str]
    orders: Mapping[str, tuple[str, ...]]

    @property
    def name(self) -> str:
        return self.title[display_names.reader_language()]

    def text(self) -> str:
        """The case as its reader would type it."""
        variant = variants.load("classic")
        units = {power: [" ".join(one.split()[:2]) for one in lines] for power, lines in self.orders.items()}
        orders = {power: [_order_text(variant, one) for one in lines] for power, lines in self.orders.items()}
        return position_texts.question_text(
            {"variant": variant.name, "phase": "S1901M", "units": units}, orders
        )


def _order_text(variant: Variant, order: str) -> str:
    return notation.write_order(
        notation.parse_normal(order), variant, display_names.reader_language(), "full"
    )


@cache
def example_positions() -> Mapping[str, ExamplePosition]:
    """Every case by its key."""
    read = tomllib.loads(FILE.read_text("utf-8"))["case"]
    return {entry["key"]: _case(entry) for entry in read}


def _case(entry: Mapping[str, str | Mapping[str, list[str]]]) -> ExamplePosition:
    orders = entry["orders"]
    assert isinstance(orders, Mapping)
    title = {language: str(entry[language]) for language in variants.LANGUAGES}
    return ExamplePosition(
        str(entry["key"]),
        title,
        {power: tuple(lines) for power, lines in orders.items()},
    )
