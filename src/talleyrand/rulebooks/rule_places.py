"""Where each book says the rules on which books do not differ (`places.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

DATC = "datc"


def cite_rule(book: str, rule: str) -> str:
    """The paragraph of a rule in a book, as it is quoted; "" for a rule of a variant's own.

    A book that does not print the rule, or of which no text is at hand, is quoted by the DATC.
    """
    places = _read()
    where, texts = places["rules"].get(rule), places["texts"]
    if where is None:
        return ""
    if book in where:
        return f"{texts[book]}, {where[book]}"
    return f"{places['reported'].get(book, texts[DATC])}, {where[DATC]}"


def citable_rules() -> tuple[str, ...]:
    """Every rule that has a place."""
    return tuple(_read()["rules"])


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / "places.toml").read_text("utf-8"))
