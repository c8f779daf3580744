"""What is said of tournaments: why something is refused, and where each figure comes from.

The sentences are a catalogue of their own, the gettext domain `tournament`: `refusal.CODE`, `working.KIND`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Protocol

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.variants import LANGUAGES

from .catalogue import Catalogue
from .refusal_sentences import quote_text
from .score_sentences import format_number
from .sentence_names import SentenceNames

TOURNAMENT_SENTENCES = Catalogue("talleyrand.messages", "tournament")
PLURAL_FACTS = (
    "seasons",
    "rounds",
    "games",
    "members",
    "count",
    "of",
)  # what a sentence is singular or plural by
LIST_FACTS = ("known", "powers", "people", "rules")  # facts that are shown whole
_POWERS = ("power", "powers")
_PEOPLE = ("person", "other", "voter", "people")
_PROVINCES = ("province",)


class WorkingLine(Protocol):
    """A line of working: its kind, and what it hangs on."""

    @property
    def kind(self) -> str:
        """Names the sentence."""

    @property
    def facts(self) -> Mapping[str, str | Fraction]:
        """Fill its blanks."""


def tournament_refusal(error: TalleyrandError, people: Mapping[str, str] | None = None) -> dict[str, str]:
    """Why something of a tournament is refused, in each language; `people`: names by number."""
    facts: dict[str, str | Fraction] = {
        name: value if name in LIST_FACTS else quote_text(str(value)) for name, value in error.facts.items()
    }
    code = f"refusal.{error.code}"
    if not TOURNAMENT_SENTENCES.has_sentence(code):
        code, facts = "refusal.not_now", {"code": error.code}
    return {language: _filled_sentence(language, code, facts, people or {}) for language in LANGUAGES}


def working_sentences(line: WorkingLine, people: Mapping[str, str] | None = None) -> dict[str, str]:
    """Where a figure comes from, in each language; `people`: names by number."""
    code = f"working.{line.kind}"
    return {language: _filled_sentence(language, code, line.facts, people or {}) for language in LANGUAGES}


def _filled_sentence(
    language: str, code: str, facts: Mapping[str, str | Fraction], people: Mapping[str, str]
) -> str:
    told = {name: _fact(language, name, value, people) for name, value in facts.items()}
    text = TOURNAMENT_SENTENCES.fill(language, code, told, _count(facts))
    return text[:1].upper() + text[1:]


def _count(facts: Mapping[str, str | Fraction]) -> int:
    value = next((facts[name] for name in PLURAL_FACTS if name in facts), "")
    return int(value) if isinstance(value, Fraction) or value.isdecimal() else 1


def _fact(language: str, name: str, value: str | Fraction, people: Mapping[str, str]) -> str:
    if isinstance(value, Fraction):
        return format_number(language, value)
    if name == "where":
        return value or TOURNAMENT_SENTENCES.fill(language, "place.root")
    return _listed(value, people if name in _PEOPLE else _names(language, name, value))


def _names(language: str, name: str, value: str) -> Mapping[str, str]:
    """What the codes of a fact are called."""
    if name in _POWERS:
        return _powers(language)
    if name in _PROVINCES:
        return _provinces(language)
    if name == "rules":
        known = {rule: TOURNAMENT_SENTENCES.pattern(language, f"rule.{rule}") for rule in value.split(", ")}
        return {rule: words for rule, words in known.items() if words}
    return {}


def _listed(value: str, names: Mapping[str, str]) -> str:
    return ", ".join(names.get(one, one) for one in value.split(", "))


def _powers(language: str) -> Mapping[str, str]:
    """Powers of the classic board by their code; other names are left as they are."""
    voice = SentenceNames(variants.load("classic"), language)
    return {power: voice.names.powers[power].name for power in voice.names.powers}


def _provinces(language: str) -> Mapping[str, str]:
    """Provinces of the classic board by their code."""
    names = variants.load("classic").names(language).provinces
    return {code: known.name for code, known in names.items()}
