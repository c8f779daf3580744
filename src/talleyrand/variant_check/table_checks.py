"""Whether a game can begin, and whether everything has a name in both languages that means one thing.

A game begins from kinds of unit, homes, first units, a calendar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from talleyrand.variants import LANGUAGES
from talleyrand.variants.game_splits import Split, split_faults
from talleyrand.variants.variant_loader import french_sort_key

from .findings import VariantFinding
from .variant_files import MOBILITIES, CheckedBoard, TomlShape

Toml = Mapping[str, Any]
PHASE = re.compile(r"^([A-Z])(\d{1,4})([A-Z])$")
COLOUR = re.compile(r"^#[0-9a-fA-F]{6}$")


def start_findings(table: Toml, board: CheckedBoard, shaped: TomlShape) -> Iterator[VariantFinding]:
    """Check what a game starts from; slips of shape go to `shaped`."""
    kinds = _kinds(table, shaped)
    yield from _mobilities(kinds)
    powers = shaped.tables(table, "powers")
    shaped.codes(powers, "powers")
    shaped.codes(kinds, "units")
    if "rules" in table:
        shaped.value(shaped.table(table, "rules"), "module", str, "rules")
    yield from _homes(powers, board, shaped)
    yield from _units(powers, kinds, board, shaped)
    yield from _colours(powers, shaped)
    yield from _regions(table, board, shaped)
    yield from _calendar(table, shaped)
    yield from _victory(table, board, shaped)
    yield from _splits(table, powers, shaped)


def _kinds(table: Toml, shaped: TomlShape) -> dict[str, str]:
    """The mobility of each kind of unit."""
    return {
        letter: shaped.value(entry, "mobility", str, f"units.{letter}") or ""
        for letter, entry in shaped.tables(table, "units").items()
    }


def _splits(table: Toml, powers: Iterable[str], shaped: TomlShape) -> Iterator[VariantFinding]:
    """Each split has a title, and deals every power once among two players or more."""
    rules = shaped.table(table, "rules", needed=False)
    scripted = shaped.texts(rules, "scripted", "rules", needed=False)
    people = [power for power in powers if power not in scripted]
    for name, entry in shaped.tables(table, "splits", needed=False).items():
        where = f"splits.{name}"
        for language in LANGUAGES:
            shaped.value(shaped.table(entry, "title", where), language, str, f"{where}.title")
        shaped.value(entry, "first_year", int, where, needed=False)
        shares = entry.get("shares")
        if not isinstance(shares, list) or not all(isinstance(share, list) for share in shares):
            yield VariantFinding("split_shares", (name[:40],))
            continue
        passive, absent, given = (
            tuple(shaped.texts(entry, part, where, needed=False)) for part in ("passive", "absent", "given")
        )
        split = Split(tuple(tuple(map(str, share)) for share in shares), passive, absent, given=given)
        for fault in split_faults(split, people):
            about = (name[:40], fault.power[:40]) if fault.power else (name[:40],)
            yield VariantFinding(f"split_{fault.code}", about)


def _mobilities(kinds: Mapping[str, str]) -> Iterator[VariantFinding]:
    for letter, mobility in kinds.items():
        if mobility and mobility not in MOBILITIES:
            yield VariantFinding(
                "mobility_unknown", (letter,), {"value": mobility[:40], "known": ", ".join(MOBILITIES)}
            )


def _homes(powers: Mapping[str, Toml], board: CheckedBoard, shaped: TomlShape) -> Iterator[VariantFinding]:
    owner: dict[str, str] = {}
    for power, entry in powers.items():
        for code in shaped.texts(entry, "homes", f"powers.{power}"):
            if code not in board.kinds:
                yield VariantFinding("home_unknown", (power, code))
            elif code not in board.centres:
                yield VariantFinding("home_no_centre", (power, code))
            elif owner.setdefault(code, power) != power:
                yield VariantFinding("home_twice", (owner[code], power, code))


def _regions(table: Toml, board: CheckedBoard, shaped: TomlShape) -> Iterator[VariantFinding]:
    regions = shaped.table(table, "regions", needed=False)
    shaped.codes(regions, "regions")
    for region in regions:
        for code in shaped.texts(regions, region, "regions"):
            if code not in board.kinds:
                yield VariantFinding("region_unknown", (region, code))


def _units(
    powers: Mapping[str, Toml], kinds: Mapping[str, str], board: CheckedBoard, shaped: TomlShape
) -> Iterator[VariantFinding]:
    stands: dict[str, str] = {}  # the first unit of each province
    for power, entry in powers.items():
        for line in shaped.texts(entry, "units", f"powers.{power}", needed=False):
            letter, _, place = line.partition(" ")
            code = place.partition("/")[0]
            if letter not in kinds or code not in board.kinds:
                yield VariantFinding("unit_unknown", (power, line[:40]))
            elif not can_stand(kinds[letter], place, board):
                yield VariantFinding("unit_astray", (power, line))
            elif code in stands:
                yield VariantFinding("unit_twice", (stands[code], line))
            else:
                stands[code] = line


def can_stand(mobility: str, place: str, board: CheckedBoard) -> bool:
    """Whether a unit of this mobility may stand at a place."""
    code = place.partition("/")[0]
    if mobility == "sea":
        return board.kinds[code] != "inland" and place in board.places(code)
    return place == code and (mobility == "any" or board.kinds[code] != "sea")


def _colours(powers: Mapping[str, Toml], shaped: TomlShape) -> Iterator[VariantFinding]:
    seen: dict[str, str] = {}
    for power, entry in powers.items():
        colour = shaped.value(entry, "colour", str, f"powers.{power}")
        if colour is None:
            continue
        if not COLOUR.match(colour):
            yield VariantFinding("colour_unknown", (power,), {"value": colour[:40]})
        elif seen.setdefault(colour.lower(), power) != power:
            yield VariantFinding("colour_twice", (seen[colour.lower()], power))


def _calendar(table: Toml, shaped: TomlShape) -> Iterator[VariantFinding]:
    calendar = shaped.table(table, "calendar")
    cycle = shaped.texts(calendar, "cycle", "calendar")
    opening = shaped.texts(calendar, "opening", "calendar", needed=False)
    for code in (*cycle, *opening):
        if len(code) != 2 or not code.isascii() or not code.isupper():
            yield VariantFinding("phase_shape", ("variant.toml", code[:20]))
    first = shaped.value(calendar, "first", str, "calendar")
    begins = PHASE.match(first or "")
    if first is not None and (not begins or begins[1] + begins[3] not in cycle):
        yield VariantFinding("first_phase", ("variant.toml", first[:20]), {"cycle": ", ".join(cycle)})
    if len(set(cycle)) < len(cycle):
        yield VariantFinding("phase_twice", ("variant.toml",), {"cycle": ", ".join(cycle)})
    yield from _captures(calendar, cycle, table, shaped)


def _captures(calendar: Toml, cycle: list[str], table: Toml, shaped: TomlShape) -> Iterator[VariantFinding]:
    """Centres change hands in a season of the year, and every season has a name."""
    seasons = {code[:1] for code in cycle}
    for season in shaped.texts(calendar, "capture_after", "calendar"):
        if season not in seasons:
            yield VariantFinding("season_unknown", ("calendar.capture_after", season[:20]))
    named = set(shaped.table(table, "seasons"))
    for season in sorted(seasons - named):
        yield VariantFinding("season_nameless", ("variant.toml", season))


def _victory(table: Toml, board: CheckedBoard, shaped: TomlShape) -> Iterator[VariantFinding]:
    """Enough centres to win, and not more than there are."""
    victory = shaped.table(table, "victory")
    if victory.get("majority") is True:
        return
    centres = shaped.value(victory, "centres", int, "victory")
    if centres is not None and not 0 < centres <= len(board.centres):
        yield VariantFinding(
            "victory_centres", ("variant.toml",), {"centres": str(centres), "all": str(len(board.centres))}
        )


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
        if not isinstance(title, dict) or not _is_text(title.get(language)):
            yield VariantFinding("title_missing", ("variant.toml", language))
        yield from _seasons(table, language)
        if names.get(language):
            yield from _language(table, names[language], language, board)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _entry_named(entry: object) -> bool:
    return isinstance(entry, dict) and _is_text(entry.get("name"))


def _seasons(table: Toml, language: str) -> Iterator[VariantFinding]:
    seasons = table.get("seasons")
    for letter, entry in (seasons if isinstance(seasons, dict) else {}).items():
        if not isinstance(entry, dict) or not _is_text(entry.get(language)):
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
