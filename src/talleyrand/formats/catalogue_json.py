"""Variants and rulebooks as JSON, for whoever has no page to look at."""

from __future__ import annotations

from collections.abc import Iterable

from talleyrand.engine.rulebook import option_values
from talleyrand.rulebooks import LoadedRulebook, RulebookOption
from talleyrand.variants import Variant

from .rulebook_comparison import option_origin


def variant_json(variant: Variant) -> dict[str, object]:
    """A variant as JSON: powers, those of a script, splits, provinces, units, phases, centres, homes."""
    board, calendar = variant.board, variant.definition.calendar
    return {
        "name": variant.name,
        "title": dict(variant.title),
        "powers": list(board.powers),
        "scripted": list(variant.definition.scripted_powers),
        "people": list(variant.people),
        "splits": {
            name: {
                "title": dict(split.title),
                "shares": [list(share) for share in split.shares],
                "passive": list(split.passive),
                "absent": list(split.absent),
                "given": list(split.given),
                "first_year": split.first_year or calendar.first.year,
                "source": split.source,
            }
            for name, split in variant.splits.items()
        },
        "homes": {power: list(homes) for power, homes in board.homes.items()},
        "centres": list(board.centres),
        "victory": variant.definition.victory.centres_needed(board),
        "start": str(variant.definition.start.phase),
        "phases": [*calendar.opening, *calendar.cycle],
        "units": {
            letter: {
                "mobility": str(kind.mobility),
                "convoys": kind.convoys,
                "convoyable": kind.convoyable,
                "captures": kind.captures,
            }
            for letter, kind in board.kinds.items()
        },
        "provinces": {
            code: {
                "ground": str(province.terrain),
                "centre": province.centre,
                "coasts": list(province.coasts),
                "names": {
                    tongue: names.provinces[code].name for tongue, names in variant.names_by_language.items()
                },
            }
            for code, province in board.provinces.items()
        },
    }


def rulebook_json(book: LoadedRulebook, rows: Iterable[RulebookOption]) -> dict[str, object]:
    """A book as JSON: each option with its value, its possible values and its source."""
    return {
        "name": book.name,
        "title": dict(book.title),
        "options": {
            row.name: {
                "row": row.row,
                "title": dict(row.title),
                "value": book.value(row.name),
                "values": list(row.values),
                "value_titles": {value: dict(title) for value, title in row.value_titles.items()},
                "source": book.sources.get(row.name) or None,
                "settled": row.name not in book.silent_options,
                "supplied": option_origin(book, row.name),
                "judge": row.name in option_values(),
            }
            for row in rows
        },
    }
