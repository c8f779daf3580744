"""Names and figures as files have them, in a language."""

from __future__ import annotations

from fractions import Fraction

from talleyrand import variants
from talleyrand.formats import scores
from talleyrand.messages.tournament import SENTENCES
from talleyrand.tournament.boards import variant_of
from talleyrand.tournament.model import Event

DECIMAL = {"fr": ",", "en": "."}


def say(language: str, code: str) -> str:
    """A heading or a word of a file."""
    return SENTENCES.say(language, f"export.{code}")


def name_of(event: Event, number: int | None) -> str:
    """Somebody by his name; "" for nobody."""
    known = event.people.get(number) if number is not None else None
    return known.name if known else ""


def power(code: str, variant: str, language: str) -> str:
    """A power by its name."""
    named = variant_of(variant).names(language).powers.get(code)
    return named.name if named else code


def place(code: str, variant: str, language: str) -> str:
    """A province by its name; what nobody knows as it was typed."""
    named = variant_of(variant).names(language).provinces.get(code)
    return named.name if named else code


def variant(name: str, language: str) -> str:
    """What is played."""
    if name in variants.every_name():
        return variants.load_board(name).title[language]
    return say(language, f"variant_{name}") if SENTENCES.knows(f"export.variant_{name}") else name


def decimal(language: str, value: Fraction) -> str:
    """Points with three decimals, as spreadsheets of the language read them."""
    return scores.decimal(value).replace(".", DECIMAL[language])


def yes(language: str, held: bool) -> str:
    """Yes, or nothing."""
    return say(language, "yes") if held else ""
