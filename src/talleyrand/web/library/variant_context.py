"""What is told of a variant: who plays, from where, with what, and the name of every space."""

from __future__ import annotations

import tomllib
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.engine.board import Terrain
from talleyrand.variants import Variant
from talleyrand.variants.variant_loader import french_sort_key
from talleyrand.web.boards import display_names, phase_maps
from talleyrand.web.boards.phase_maps import PhaseMap


def variant_facts(variant: Variant) -> dict[str, Any]:
    """The variant in figures."""
    board = variant.board
    # powers that no script plays although no seat has them are led by the sides of the variant's own rules
    led = variant.definition.scripted_powers if variant.definition.politics else ()
    return {
        "name": variant.name,
        "title": variant.title[display_names.reader_language()],
        "playable": variant.name in variants.playable_names(),
        "powers": len(led or board.powers),
        "scripted": [
            _name_with_code(variant, code) for code in variant.definition.scripted_powers if not led
        ],
        "spaces": len(board.provinces),
        "centres": len(board.centres),
        "needed": variant.definition.victory.centres_needed(board),
        "victory": variant.sentence(display_names.reader_language(), "terms", "victory"),
        "begins": display_names.season_name(variant, str(variant.definition.start.phase)),
        "kinds": [name.name for name in variant.names(display_names.reader_language()).units.values()],
    }


def _name_with_code(variant: Variant, code: str) -> str:
    """A power as a sentence names it: la Turquie."""
    known = variant.names(display_names.reader_language()).powers[code]
    return f"{known.article}{known.name}"


def variant_powers(variant: Variant) -> list[dict[str, Any]]:
    """Each power with its home centres and its first units, under their names."""
    names, start = variant.names(display_names.reader_language()), variant.definition.start
    return [
        {
            "name": display_names.power_name(variant, code),
            "colour": variant.colours[code],
            "homes": [names.location(home) for home in variant.board.homes[code]],
            "units": [phase_maps.unit_text(variant, str(unit)) for unit in start.units if unit.power == code],
        }
        for code in variant.board.powers
    ]


def variant_provinces(variant: Variant) -> list[dict[str, Any]]:
    """Every space in the order of the names."""
    rows = [_space(variant, code) for code in variant.board.provinces]
    return sorted(rows, key=lambda row: french_sort_key(row["name"]))


def _space(variant: Variant, code: str) -> dict[str, Any]:
    names, board = variant.names(display_names.reader_language()), variant.board
    short = names.abbreviations.get(variant.naming.get(display_names.reader_language(), ""), {})
    home = next((power for power, homes in board.homes.items() if code in homes), "")
    return {
        "name": names.provinces[code].name,
        "short": short.get(code, (code,))[0],
        "kind": _kind(variant, code),
        "coasts": [names.coasts[coast].name for coast in board.provinces[code].coasts],
        "centre": board.provinces[code].centre,
        "home": display_names.power_name(variant, home) if home else "",
    }


def _kind(variant: Variant, code: str) -> str:
    return {
        Terrain.SEA: _("sea"),
        Terrain.COASTAL: _("coast"),
        Terrain.INLAND: _("inland"),
    }[variant.board.provinces[code].terrain]


def variant_glossary(variant: Variant) -> list[dict[str, str]]:
    """The words of the variant's own rules (`glossary.toml`) in alphabetical order; none without it."""
    file, language = variant.folder / "glossary.toml", display_names.reader_language()
    words = tomllib.loads(file.read_text("utf-8"))["word"] if file.is_file() else []
    told = [{"name": word["name"][language], "meaning": word[language]} for word in words]
    return sorted(told, key=lambda word: french_sort_key(word["name"]))


def variant_map(variant: Variant, nonce: str) -> SafeString | None:
    """The board as a game begins; None where it has not been drawn yet."""
    if not (variant.map_folder / "map.svg").is_file():
        return None
    return PhaseMap(variant, variant.definition.start, {}).in_readers_shape().inline_svg(nonce)
