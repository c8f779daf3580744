"""The games that can be played: boards, calendars and names as data, and one loader."""

from typing import TYPE_CHECKING

from talleyrand import names_on_demand

from .languages import LANGUAGES

if TYPE_CHECKING:
    from .game_splits import Split
    from .variant_loader import (
        PlaceName,
        PowerName,
        Variant,
        VariantNames,
        all_names,
        base_names,
        find_split,
        full_names,
        full_table,
        load,
        load_board,
        merge_names,
        merge_tables,
        playable_names,
        variant_after_takeover,
        variant_folder,
    )
else:
    __getattr__ = names_on_demand(__name__, "variant_loader")

__all__ = [
    "LANGUAGES",
    "PlaceName",
    "PowerName",
    "Split",
    "Variant",
    "VariantNames",
    "all_names",
    "base_names",
    "find_split",
    "full_names",
    "full_table",
    "load",
    "load_board",
    "merge_names",
    "merge_tables",
    "playable_names",
    "variant_after_takeover",
    "variant_folder",
]
