"""The games that can be played: boards, calendars and names as data, and one loader."""

from .loader import LANGUAGES, Names, PlaceName, PowerName, Variant, load, names

__all__ = ["LANGUAGES", "Names", "PlaceName", "PowerName", "Variant", "load", "names"]
