"""Whether everything has a name in both languages, and each name means one thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from talleyrand.variants import LANGUAGES
from talleyrand.variants.variant_loader import french_sort_key

from .findings import VariantFinding
from .toml_shape import CheckedBoard, TomlShape

Toml = Mapping[str, Any]
FORMS = {
    "provinces": ("others",),
    "powers": ("adjective", "others", "short"),
    "units": ("others",),
    "coasts": ("forms",),
}
LISTS = ("abbreviations", "coast_forms", "misprints", "shared")


def name_findings(table: Toml, names: Mapping[str, Toml], board: CheckedBoard) -> Iterator[VariantFinding]:
    """Check titles, seasons, and the names of provinces, powers, units and coasts."""
    for language in LANGUAGES:
        title = table.get("title")
        if not isinstance(title, dict) or not _said(title.get(language)):
            yield VariantFinding("title_missing", ("variant.toml", language))
        yield from _seasons(table, language)
        if names.get(language):
            yield from _language(table, names[language], language, board)


def _said(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _entry_named(entry: object) -> bool:
    return isinstance(entry, dict) and _said(entry.get("name"))


def _seasons(table: Toml, language: str) -> Iterator[VariantFinding]:
    seasons = table.get("seasons")
    for letter, entry in (seasons if isinstance(seasons, dict) else {}).items():
        if not isinstance(entry, dict) or not _said(entry.get(language)):
            yield VariantFinding("name_missing", (f"seasons.{letter}", language))


def _language(table: Toml, names: Toml, language: str, board: CheckedBoard) -> Iterator[VariantFinding]:
    wanted = {
        "provinces": set(board.kinds),
        "powers": _keys(table.get("powers")),
        "units": _keys(table.get("units")),
        "coasts": {coast for coasts in board.coasts.values() for coast in coasts},
    }
    for part, codes in wanted.items():
        entries = names.get(part)
        found = entries if isinstance(entries, dict) else {}
        for code in sorted(codes):
            if not _entry_named(found.get(code)):
                yield VariantFinding("name_missing", (f"{part}.{code}", language))
    yield from _forms(names, TomlShape(f"names.{language}.toml"))
    yield from _twice(names, language, board)
    yield from _profile(table, names, language, board)


def _forms(names: Toml, shaped: TomlShape) -> Iterator[VariantFinding]:
    """What else a thing may be called is a list of texts; coasts are told even where there are none."""
    for part, keys in FORMS.items():
        for code, entry in shaped.tables(names, part).items():
            for key in keys:
                shaped.texts(entry, key, f"{part}.{code}", needed=key == "forms")
    for part in LISTS:
        for name, entry in shaped.tables(names, part, needed=False).items():
            for code in entry:
                shaped.texts(entry, code, f"{part}.{name}")
    yield from shaped.findings


def _keys(value: object) -> set[str]:
    return set(value) if isinstance(value, dict) else set()


def _twice(names: Toml, language: str, board: CheckedBoard) -> Iterator[VariantFinding]:
    """Two provinces of one name cannot be told apart in a sentence."""
    entries, seen = names.get("provinces"), dict[str, str]()
    for code, entry in (entries if isinstance(entries, dict) else {}).items():
        if code in board.kinds and _entry_named(entry):
            key = french_sort_key(entry["name"])
            if seen.setdefault(key, code) != code:
                yield VariantFinding("name_twice", (seen[key], code, language), {"name": entry["name"]})


def _profile(table: Toml, names: Toml, language: str, board: CheckedBoard) -> Iterator[VariantFinding]:
    """The list of abbreviations that `naming` promises holds every province."""
    naming, lists = table.get("naming"), names.get("abbreviations")
    profile = naming.get(language) if isinstance(naming, dict) else None
    if not isinstance(profile, str):
        yield VariantFinding("naming_missing", ("variant.toml", language))
        return
    forms = lists.get(profile) if isinstance(lists, dict) else None
    if not isinstance(forms, dict):
        yield VariantFinding("abbreviations_missing", (f"names.{language}.toml", profile))
        return
    for code in sorted(set(board.kinds) - {code for code, listed in forms.items() if listed}):
        yield VariantFinding("abbreviation_missing", (code, profile))
