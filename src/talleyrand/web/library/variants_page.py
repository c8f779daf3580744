"""What is told of a variant: who plays, from where, with what, and the name of every space."""

from __future__ import annotations

import tomllib
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.engine.board import Ground
from talleyrand.variants import Variant
from talleyrand.variants.loader import alphabetical
from talleyrand.web.boards import picture, wording
from talleyrand.web.boards.picture import Sketch


def facts(variant: Variant) -> dict[str, Any]:
    """The variant in figures."""
    board = variant.board
    return {
        "name": variant.name,
        "title": variant.title[wording.language()],
        "playable": variant.name in variants.names(),
        "powers": len(board.powers),
        "scripted": [_named(variant, code) for code in variant.setting.scripted],
        "spaces": len(board.provinces),
        "centres": len(board.centres),
        "needed": variant.setting.victory.needed(board),
        "victory": variant.sentence(wording.language(), "terms", "victory"),
        "begins": wording.season(variant, str(variant.setting.start.phase)),
        "kinds": [name.name for name in variant.names(wording.language()).units.values()],
    }


def _named(variant: Variant, code: str) -> str:
    """A power as a sentence names it: la Turquie."""
    known = variant.names(wording.language()).powers[code]
    return f"{known.article}{known.name}"


def powers(variant: Variant) -> list[dict[str, Any]]:
    """Each power with its home centres and its first units, under their names."""
    names, start = variant.names(wording.language()), variant.setting.start
    return [
        {
            "name": wording.power(variant, code),
            "colour": variant.colours[code],
            "homes": [names.location(home) for home in variant.board.homes[code]],
            "units": [picture.unit_words(variant, str(unit)) for unit in start.units if unit.power == code],
        }
        for code in variant.board.powers
    ]


def spaces(variant: Variant) -> list[dict[str, Any]]:
    """Every space in the order of the names."""
    rows = [_space(variant, code) for code in variant.board.provinces]
    return sorted(rows, key=lambda row: alphabetical(row["name"]))


def _space(variant: Variant, code: str) -> dict[str, Any]:
    names, board = variant.names(wording.language()), variant.board
    short = names.abbreviations.get(variant.naming.get(wording.language(), ""), {})
    home = next((power for power, homes in board.homes.items() if code in homes), "")
    return {
        "name": names.provinces[code].name,
        "short": short.get(code, (code,))[0],
        "kind": _kind(variant, code),
        "coasts": [names.coasts[coast].name for coast in board.provinces[code].coasts],
        "centre": board.provinces[code].centre,
        "home": wording.power(variant, home) if home else "",
    }


def _kind(variant: Variant, code: str) -> str:
    return {
        Ground.SEA: _("sea"),
        Ground.COASTAL: _("coast"),
        Ground.INLAND: _("inland"),
    }[variant.board.provinces[code].ground]


def glossary(variant: Variant) -> list[dict[str, str]]:
    """The words of the variant's own rules (`glossary.toml`) in alphabetical order; none without it."""
    file, language = variant.folder / "glossary.toml", wording.language()
    words = tomllib.loads(file.read_text("utf-8"))["word"] if file.is_file() else []
    told = [{"name": word["name"][language], "meaning": word[language]} for word in words]
    return sorted(told, key=lambda word: alphabetical(word["name"]))


def drawing(variant: Variant, nonce: str) -> SafeString | None:
    """The board as a game begins; None where it has not been drawn yet."""
    if not (variant.map_folder / "map.svg").is_file():
        return None
    return Sketch(variant, variant.setting.start, {}).inline(nonce)
