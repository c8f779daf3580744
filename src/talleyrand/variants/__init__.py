"""The games that can be played: boards, calendars and names as data, and one loader."""

from .loader import LANGUAGES, Names, PlaceName, PowerName, Variant, every_name, load, load_board, names

__all__ = [
    "LANGUAGES",
    "Names",
    "PlaceName",
    "PowerName",
    "Variant",
    "every_name",
    "load",
    "load_board",
    "names",
]
