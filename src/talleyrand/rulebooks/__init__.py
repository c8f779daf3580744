"""The books people play by, as data, and one loader."""

from .rulebook_loader import (
    FALLBACK,
    LoadedRulebook,
    RulebookOption,
    SilentDefault,
    cite_rule,
    customise,
    load,
    names,
    options,
    own_abbreviation_lists,
    silent_default,
    translate_citation,
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
