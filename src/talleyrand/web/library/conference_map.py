"""The conference map: the empty board with its abbreviations, to print and to take notes on."""

from __future__ import annotations

from typing import Any

from talleyrand import drawing, variants
from talleyrand.variants import Variant, VariantNames
from talleyrand.web.boards import display_names

from .rules_context import folded_text


def conference_map_svg(language: str) -> str:
    """The board without units."""
    return drawing.standalone_svg(drawing.draw_empty_board(variants.load("classic"), language))


def province_tables(language: str) -> dict[str, list[dict[str, Any]]]:
    """Every space with its abbreviation, lands and seas apart, in the order of the names."""
    variant = variants.load("classic")
    rows = sorted((_row(variant, code, language) for code in variant.board.provinces), key=_by_name)
    return {
        "lands": [row for row in rows if not row["sea"]],
        "seas": [row for row in rows if row["sea"]],
    }


def _row(variant: Variant, code: str, language: str) -> dict[str, Any]:
    names = variant.names(language)
    province = variant.board.provinces[code]
    home = next((power for power, codes in variant.board.homes.items() if code in codes), "")
    return {
        "name": names.provinces[code].name,
        "short": _short(variant, names, code),
        "sea": not variant.board.standable_locations("A", code),
        "centre": province.centre,
        "home": display_names.power_name(variant, home) if home else "",
        "colour": variant.colours.get(home, ""),
    }


def _short(variant: Variant, names: VariantNames, code: str) -> str:
    forms = names.abbreviations.get(variant.naming.get(names.language, ""), {})
    return forms.get(code, (code,))[0]


def _by_name(row: dict[str, Any]) -> str:
    return folded_text(row["name"])
