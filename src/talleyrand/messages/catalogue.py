"""Looks sentences up by their code in the gettext catalogues of a package's folder `locale`.

The codes are the same in both languages (`refusal.unreachable`); a sentence's blanks are filled by
name. Catalogues are read once and never change: nothing here depends on who asked before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from gettext import GNUTranslations
from importlib import import_module
from pathlib import Path
from string import Formatter
from types import MappingProxyType

from talleyrand.engine.errors import UnknownName
from talleyrand.variants import LANGUAGES

DOMAIN = "talleyrand"
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Catalogue:
    """The sentences of a package by their code, in the gettext domain of its name."""

    package: str
    domain: str

    def pattern(self, language: str, code: str, count: int = 1) -> str:
        """The sentence of a code with its blanks, in the form for `count`; "" where there is none."""
        return _pattern(self.package, self.domain, language, code, count)

    def has_sentence(self, code: str) -> bool:
        """Whether a code has a sentence."""
        return bool(self.pattern(LANGUAGES[0], code))

    def fill(self, language: str, code: str, facts: Mapping[str, str] = _NOTHING, count: int = 1) -> str:
        """The sentence of a code, its blanks filled; a blank without a fact is left out.

        Raises UnknownName (`unknown_language`), and KeyError for a code without words.
        """
        words, blanks = _template(self.package, self.domain, language, code, count)
        try:
            return words % tuple([facts[name] for name in blanks])
        except KeyError:
            return words % tuple([facts.get(name, "") for name in blanks])

    def say(self, language: str, code: str, **facts: str) -> str:
        """The same with the facts by name."""
        return self.fill(language, code, facts)

    def in_languages(self, languages: Iterable[str], code: str, facts: Mapping[str, str]) -> dict[str, str]:
        """The sentence in each of some languages."""
        return {language: self.fill(language, code, facts) for language in languages}


@lru_cache(maxsize=1 << 13)
def _pattern(package: str, domain: str, language: str, code: str, count: int) -> str:
    translations = _translations(package, domain, language)
    found = translations.ngettext(code, code, count)
    found = translations.gettext(code) if found == code else found
    return "" if found == code else found


@lru_cache(maxsize=1 << 12)
def _template(package: str, domain: str, language: str, code: str, count: int) -> tuple[str, tuple[str, ...]]:
    """A sentence as the operator % takes it, and the names of its blanks; raises KeyError for none."""
    pattern = _pattern(package, domain, language, code, count)
    if not pattern:
        raise KeyError(code)
    cut = [*Formatter().parse(pattern)]
    plain = all(not form and not kind for _, _, form, kind in cut)
    assert plain, pattern
    words = "".join(words.replace("%", "%%") + "%s" * (name is not None) for words, name, _, _ in cut)
    return words, tuple(name for _, name, _, _ in cut if name is not None)


@cache
def _translations(package: str, domain: str, language: str) -> GNUTranslations:
    if language not in LANGUAGES:
        raise UnknownName("unknown_language", language=language, known=", ".join(LANGUAGES))
    folder = Path(str(import_module(package).__file__)).parent / "locale" / language / "LC_MESSAGES"
    with (folder / f"{domain}.mo").open("rb") as compiled:
        return GNUTranslations(compiled)


_OURS = Catalogue("talleyrand.messages", DOMAIN)
pattern = _OURS.pattern
phrase = _OURS.fill


def has_sentence(language: str, code: str) -> bool:
    """Whether a code has a sentence."""
    return bool(pattern(language, code))


def sentence(language: str, code: str, facts: Mapping[str, str] = _NOTHING, count: int = 1) -> str:
    """The sentence of a code, with a capital; see `Catalogue.fill`."""
    text = phrase(language, code, facts, count)
    return text[:1].upper() + text[1:]
