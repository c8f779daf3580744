"""The books people play by, as data, and one loader."""

from .citations import cited
from .loader import (
    FALLBACK,
    LoadedRulebook,
    Option,
    Supplied,
    customise,
    load,
    names,
    namings,
    options,
    supplied,
)
from .places import place

__all__ = [
    "FALLBACK",
    "LoadedRulebook",
    "Option",
    "Supplied",
    "cited",
    "customise",
    "load",
    "names",
    "namings",
    "options",
    "place",
    "supplied",
]
