"""Names and figures as files have them, in a language."""

from __future__ import annotations

from fractions import Fraction

from talleyrand import variants
from talleyrand.formats import score_json
from talleyrand.messages.tournament_sentences import TOURNAMENT_SENTENCES
from talleyrand.tournament.board_rules import board_variant
from talleyrand.tournament.model import Event

DECIMAL = {"fr": ",", "en": "."}


def export_word(language: str, code: str) -> str:
    """A heading or a word of a file."""
    return TOURNAMENT_SENTENCES.say(language, f"export.{code}")


def person_name(event: Event, number: int | None) -> str:
    """Somebody by his name; "" for nobody."""
    known = event.people.get(number) if number is not None else None
    return known.name if known else ""


def power_title(code: str, variant: str, language: str) -> str:
    """A power by its name."""
    named = board_variant(variant).names(language).powers.get(code)
    return named.name if named else code


def province_title(code: str, variant: str, language: str) -> str:
    """A province by its name; what nobody knows as it was typed."""
    named = board_variant(variant).names(language).provinces.get(code)
    return named.name if named else code


def variant_title(name: str, language: str) -> str:
    """What is played."""
    if name in variants.all_names():
        return variants.load_board(name).title[language]
    return (
        export_word(language, f"variant_{name}")
        if TOURNAMENT_SENTENCES.has_sentence(f"export.variant_{name}")
        else name
    )


def localised_decimal(language: str, value: Fraction) -> str:
    """Points with three decimals, as spreadsheets of the language read them."""
    return score_json.decimal_points(value).replace(".", DECIMAL[language])


def yes_word(language: str, held: bool) -> str:
    """Yes, or nothing."""
    return export_word(language, "yes") if held else ""
