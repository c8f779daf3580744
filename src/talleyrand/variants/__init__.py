"""The games that can be played: boards, calendars and names as data, and one loader."""

from .variant_loader import (
    LANGUAGES,
    PlaceName,
    PowerName,
    Variant,
    VariantNames,
    all_names,
    full_table,
    load,
    load_board,
    merge_tables,
    playable_names,
    variant_after_takeover,
    variant_folder,
)

__all__ = [
    "LANGUAGES",
    "PlaceName",
    "PowerName",
    "Variant",
    "VariantNames",
    "all_names",
    "full_table",
    "load",
    "load_board",
    "merge_tables",
    "playable_names",
    "variant_after_takeover",
    "variant_folder",
]
