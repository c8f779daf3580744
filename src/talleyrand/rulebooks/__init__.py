"""The books people play by, as data, and one loader."""

from .rule_citations import translate_citation
from .rule_places import cite_rule
from .rulebook_loader import (
    FALLBACK,
    LoadedRulebook,
    RulebookOption,
    SilentDefault,
    customise,
    load,
    names,
    options,
    own_abbreviation_lists,
    silent_default,
)

__all__ = [
    "FALLBACK",
    "LoadedRulebook",
    "RulebookOption",
    "SilentDefault",
    "cite_rule",
    "customise",
    "load",
    "names",
    "options",
    "own_abbreviation_lists",
    "silent_default",
    "translate_citation",
]
