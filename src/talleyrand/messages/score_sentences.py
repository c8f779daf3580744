"""The working of a score, a sentence for each step."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from talleyrand.variants import LANGUAGES

from .catalogue import sentence

_COUNTED = ("years", "payers", "behind", "shared", "centres")  # what a sentence is singular or plural by
_DECIMAL = {"fr": ",", "en": "."}


def score_line_sentences(kind: str, facts: Mapping[str, str | Fraction]) -> dict[str, str]:
    """What a step of the working says, in each language; `kind` and `facts` as a line of a score has them."""
    return {language: _score_sentence(language, kind, facts) for language in LANGUAGES}


def _score_sentence(language: str, kind: str, facts: Mapping[str, str | Fraction]) -> str:
    counted = next((facts[name] for name in _COUNTED if name in facts), 1)
    told = {name: format_number(language, value) for name, value in facts.items()}
    count = int(counted) if isinstance(counted, Fraction) else 1
    return sentence(language, f"score.{kind}", told, count)


def format_number(language: str, value: str | Fraction) -> str:
    """A number to three decimals, without needless ones, in the manner of the language; a text as it is."""
    if isinstance(value, str):
        return value
    if value.denominator == 1:
        return str(value)
    thousandths = int(abs(value) * 1000 + Fraction(1, 2))
    text = f"{thousandths // 1000}.{thousandths % 1000:03}".rstrip("0").rstrip(".")
    sign = "-" if value < 0 and thousandths else ""
    return sign + text.replace(".", _DECIMAL[language])
