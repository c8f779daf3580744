"""The books people play by, as data, and one loader."""

from .loader import FALLBACK, LoadedRulebook, Option, customise, load, names, options

__all__ = ["FALLBACK", "LoadedRulebook", "Option", "customise", "load", "names", "options"]
