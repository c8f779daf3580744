"""The games that can be played: boards, calendars and names as data, and one loader."""

from .loader import (
    LANGUAGES,
    Names,
    PlaceName,
    PowerName,
    Variant,
    every_name,
    folder_of,
    load,
    load_board,
    merged,
    names,
    taken_over,
    whole_table,
)

__all__ = [
    "LANGUAGES",
    "Names",
    "PlaceName",
    "PowerName",
    "Variant",
    "every_name",
    "folder_of",
    "load",
    "load_board",
    "merged",
    "names",
    "taken_over",
    "whole_table",
]
