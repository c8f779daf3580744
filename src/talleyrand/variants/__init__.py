"""The games that can be played: boards, calendars and names as data, and one loader."""

from .loader import Names, PlaceName, PowerName, Variant, load, names

__all__ = ["Names", "PlaceName", "PowerName", "Variant", "load", "names"]
