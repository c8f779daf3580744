"""The books people play by, as data, and one loader."""

from .loader import LoadedRulebook, Option, load, names, options

__all__ = ["LoadedRulebook", "Option", "load", "names", "options"]
