"""Looks sentences up by their code in the gettext catalogues of `locale/`.

The codes are the same in both languages (`refusal.unreachable`); a sentence's blanks are filled by
name. Catalogues are read once and never change: nothing here depends on who asked before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations
from importlib import resources
from types import MappingProxyType

from talleyrand.engine.errors import UnknownName

LANGUAGES = ("fr", "en")
DOMAIN = "talleyrand"


@cache
def _translations(language: str) -> GNUTranslations:
    if language not in LANGUAGES:
        raise UnknownName("unknown_language", language=language, known=", ".join(LANGUAGES))
    folder = resources.files(__package__) / "locale" / language / "LC_MESSAGES"
    with (folder / f"{DOMAIN}.mo").open("rb") as compiled:
        return GNUTranslations(compiled)


def pattern(language: str, code: str, count: int = 1) -> str:
    """The sentence of a code with its blanks, in the form for `count`; "" where there is none."""
    translations = _translations(language)
    found = translations.ngettext(code, code, count)
    found = translations.gettext(code) if found == code else found
    return "" if found == code else found


def known(language: str, code: str) -> bool:
    """Whether a code has a sentence."""
    return bool(pattern(language, code))


_NOTHING: Mapping[str, str] = MappingProxyType({})


def sentence(language: str, code: str, facts: Mapping[str, str] = _NOTHING, count: int = 1) -> str:
    """The sentence of a code, with a capital; see `phrase`."""
    text = phrase(language, code, facts, count)
    return text[:1].upper() + text[1:]


def phrase(language: str, code: str, facts: Mapping[str, str] = _NOTHING, count: int = 1) -> str:
    """The words of a code, their blanks filled; a blank without a fact is left out.

    Raises UnknownName (`unknown_language`), and KeyError for a code without words.
    """
    found = pattern(language, code, count)
    if not found:
        raise KeyError(code)
    return found.format_map(defaultdict(str, facts))
