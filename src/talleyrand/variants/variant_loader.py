"""Reads a variant's folder: `variant.toml`, `names.<language>.toml`, `map.svg`, `anchors.toml`.

A map may have further shapes, `map-<shape>.svg` with `anchors-<shape>.toml`: the same board, bent.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from talleyrand.data_tables import Toml, read_table
from talleyrand.engine.board import Board, Mobility, Province, Terrain, UnitKind, province_of
from talleyrand.engine.calendar import Calendar
from talleyrand.engine.deprecated_names import renamed_attribute
from talleyrand.engine.errors import UnknownName
from talleyrand.engine.game import STANDARD_PHASE_RULES, GameDefinition, VictoryCondition
from talleyrand.engine.position import Phase, Position, Unit, UnitName

from .game_splits import Split, read_splits
from .languages import LANGUAGES

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

OF_ONE_BOARD = ("splits", "people")  # what a variant does not take over from the one it extends


@dataclass(frozen=True)
class PlaceName:
    """What a province, coast or kind of unit is called; `other_forms` are forms a sheet may use."""

    name: str
    other_forms: tuple[str, ...] = ()
    article: str = ""
    plural: str = ""


@dataclass(frozen=True)
class PowerName:
    name: str
    article: str = ""
    adjectives: tuple[str, ...] = ()
    other_forms: tuple[str, ...] = ()
    short: tuple[str, ...] = ()


@dataclass(frozen=True)
class VariantNames:
    """A variant's names in one language.

    `abbreviations` maps a naming profile to the forms of each province, `misprints` likewise to
    forms that are not accepted but tell what was meant; `coast_forms` replaces the general
    `coasts` for single provinces; `regions` are called so on pages alone.
    """

    language: str
    provinces: Mapping[str, PlaceName]
    powers: Mapping[str, PowerName]
    units: Mapping[str, PlaceName]
    coasts: Mapping[str, PlaceName]
    coast_forms: Mapping[str, Mapping[str, tuple[str, ...]]]
    abbreviations: Mapping[str, Mapping[str, tuple[str, ...]]]
    misprints: Mapping[str, Mapping[str, tuple[str, ...]]]
    shared: Mapping[str, Mapping[str, tuple[str, ...]]]
    regions: Mapping[str, str] = field(default_factory=dict)

    def location(self, place: str) -> str:
        """The full name of a location: `STP/NC` → "Saint-Pétersbourg (côte nord)"."""
        code, _, coast = place.partition("/")
        name = self.provinces[code].name
        return f"{name} ({self.coasts[coast].name})" if coast else name


@dataclass(frozen=True, eq=False)
class Variant:
    """A loaded variant. `sentences_folder`: whose sentences it has, where they are not its own."""

    name: str
    title: Mapping[str, str]
    definition: GameDefinition
    seasons: Mapping[str, Mapping[str, str]]
    colours: Mapping[str, str]
    folder: Traversable
    map_folder: Traversable
    naming: Mapping[str, str] = field(default_factory=dict)
    names_by_language: Mapping[str, VariantNames] = field(default_factory=dict)
    region_provinces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shape: str = ""
    splits: Mapping[str, Split] = field(default_factory=dict)
    people: tuple[int, ...] = ()
    sentences_folder: Traversable | None = None

    setting = renamed_attribute("setting", "definition")

    @property
    def board(self) -> Board:
        return self.definition.board

    @cached_property
    def map_svg(self) -> str:
        """The drawing: one path a province, `p-CODE`."""
        return (self.map_folder / f"map{self._shape_mark}.svg").read_text("utf-8")

    @cached_property
    def anchors(self) -> Mapping[str, Mapping[str, tuple[float, ...]]]:
        """Per location: `unit`, `label` (x, y, font size), `centre`, `retreat` in board units."""
        return read_table(self.map_folder / f"anchors{self._shape_mark}.toml")

    @cached_property
    def each_alone(self) -> Split:
        """The split of a full table: to each player one power."""
        return Split(tuple((power,) for power in self.definition.players), title=self.title)

    def splits_for(self, players: int) -> tuple[Split, ...]:
        """The splits for so many people, the full table first."""
        named = tuple(split for split in self.splits.values() if split.players == players)
        return (self.each_alone, *named) if players in self.people else named

    def begun(self, split: Split, first_year: int = 0, centres_to_win: int = 0) -> Variant:
        """The variant as a game by a split begins: `first_year` for that of the split, 0 for what stays.
        Raises InvalidPosition (`unknown_power`)."""
        year = first_year or split.first_year
        return replace(self, definition=self.definition.begun(year, split.passive, centres_to_win))

    @property
    def _shape_mark(self) -> str:
        return f"-{self.shape}" if self.shape else ""

    @cached_property
    def shapes(self) -> tuple[str, ...]:
        """The further shapes of the map."""
        names = (path.name for path in self.map_folder.iterdir())
        return tuple(
            sorted(name[4:-4] for name in names if name.startswith("map-") and name.endswith(".svg"))
        )

    def in_shape(self, shape: str) -> Variant:
        """The variant with its map in another shape; as it is where it has no such shape."""
        return _in_shape(self, shape)

    @cached_property
    def regions(self) -> Mapping[str, frozenset[str]]:
        """Parts of a large board, by code: their provinces, and every sea that these touch."""
        return {
            code: frozenset(land) | self._seas(frozenset(land))
            for code, land in self.region_provinces.items()
        }

    @property
    def seen_regions(self) -> Mapping[str, Sequence[str]]:
        """The regions that a map goes to, with their land: one that consists of others is too wide."""
        lands = {code: frozenset(land) for code, land in self.region_provinces.items()}
        return {
            code: self.region_provinces[code]
            for code, land in lands.items()
            if not any(part < land for part in lands.values())
        }

    def _seas(self, land: frozenset[str]) -> set[str]:
        pairs = [(province_of(one), province_of(other)) for one, other in self.board.sea]
        both = (*pairs, *((other, one) for one, other in pairs))
        return {sea for sea, coast in both if coast in land and self.board.is_sea(sea)}

    def names(self, language: str) -> VariantNames:
        return self.names_by_language[language]

    @cached_property
    def sentences(self) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """What the variant's own rules say, by language, family (`why`, `refusal`, …) and code."""
        folder = self.sentences_folder or self.folder
        files = {language: folder / f"sentences.{language}.toml" for language in LANGUAGES}
        return {language: read_table(file) if file.is_file() else {} for language, file in files.items()}

    def sentence(self, language: str, family: str, code: str) -> str:
        """A sentence of the variant's own rules with its blanks; "" where they have none."""
        return self.sentences[language].get(family, {}).get(code, "")

    def season(self, phase: Phase, language: str) -> str:
        """What the season of a phase is called: retreats may have their own ("été"); else its letter."""
        named = self.seasons.get(phase.season, {})
        usual = named.get(language, phase.season)
        return named.get(f"retreats_{language}", usual) if phase.kind == "R" else usual


@cache
def _in_shape(variant: Variant, shape: str) -> Variant:
    return replace(variant, shape=shape) if shape in variant.shapes and shape != variant.shape else variant


@cache
def all_names() -> tuple[str, ...]:
    """The variants at hand, `classic` first; boards whose rules are still to come among them."""
    root = Path(__file__).parent
    found = {entry.name for entry in root.iterdir() if (entry / "variant.toml").is_file()}
    return ("classic", *sorted(found - {"classic"}))


@cache
def playable_names() -> tuple[str, ...]:
    """The variants that can be played, `classic` first: all but those that say `playable = false`."""
    return tuple(name for name in all_names() if _is_playable(name))


@cache
def _is_playable(name: str) -> bool:
    return bool(_table(name).get("playable", True))


def load(name: str) -> Variant:
    """Read a variant that can be played; raises UnknownName (`unknown_variant`, `unplayable_variant`)."""
    if name in all_names() and _is_playable(name):
        return load_board(name)
    if name in all_names():
        raise UnknownName("unplayable_variant", variant=name, known=", ".join(playable_names()))
    raise UnknownName("unknown_variant", variant=name, known=", ".join(playable_names()))


@cache
def load_board(name: str) -> Variant:
    """Read any variant, to show or check its board; raises UnknownName (`unknown_variant`)."""
    if name not in all_names():
        raise UnknownName("unknown_variant", variant=name, known=", ".join(all_names()))
    folder, table = variant_folder(name), _table(name)
    if "extends" in table:
        return _extend(load(table["extends"]), table, folder)
    return _build(
        name, table, folder, {tongue: _names(full_names(name, tongue), tongue) for tongue in LANGUAGES}
    )


def full_names(name: str, language: str) -> Toml:
    """The names of a variant at hand in a language, on top of those of the one it extends, without the powers
    that it removes."""
    file, table = variant_folder(name) / f"names.{language}.toml", _table(name)
    own = read_table(file) if file.is_file() else {}
    names = merge_names(full_names(table["extends"], language), own) if "extends" in table else own
    gone = table.get("remove", {}).get("powers", ())
    return {**names, "powers": {code: entry for code, entry in names["powers"].items() if code not in gone}}


def merge_names(base: Toml, own: Toml) -> Toml:
    """A variant's names on top of those of the one it extends, section by section."""
    return base | {
        section: {**base.get(section, {}), **given} if isinstance(given, dict) else given
        for section, given in own.items()
    }


def find_split(variant: Variant, name: str) -> Split:
    """A split of a variant by its name, "" for the full table; raises UnknownName (`unknown_split`)."""
    if not name:
        return variant.each_alone
    if name not in variant.splits:
        raise UnknownName("unknown_split", split=name[:40], known=", ".join(variant.splits) or "–")
    return variant.splits[name]


def variant_folder(name: str) -> Traversable:
    """The folder of a variant at hand."""
    return Path(__file__).parent / name


def _table(name: str) -> Toml:
    return read_table(variant_folder(name) / "variant.toml")


def _build(name: str, table: Toml, folder: Traversable, text_names: Mapping[str, VariantNames]) -> Variant:
    board = _board(table, text_names)
    calendar = _calendar(table["calendar"])
    setting = GameDefinition(
        board=board,
        calendar=calendar,
        victory=VictoryCondition(table["victory"].get("centres", 0)),
        start=_start(table, calendar),
        phase_rules={**STANDARD_PHASE_RULES, **getattr(_own_rules(name, table), "PHASES", {})},
        scripted_powers=tuple(table.get("rules", {}).get("scripted", ())),
        politics=getattr(_own_rules(name, table), "POLITICS", None),
    )
    return Variant(
        name=name,
        title=table["title"],
        definition=setting,
        seasons=table["seasons"],
        colours={
            code: seat["colour"] for code, seat in (table["powers"] | table.get("landless", {})).items()
        },
        folder=folder,
        map_folder=folder,
        naming=table["naming"],
        names_by_language=text_names,
        region_provinces={code: tuple(land) for code, land in table.get("regions", {}).items()},
        splits=read_splits(table),
        people=tuple(table.get("people", (len(setting.players),))),
    )


def _extend(base: Variant, table: Toml, folder: Traversable) -> Variant:
    names = dict(base.names_by_language)
    for tongue in LANGUAGES:
        if (folder / f"names.{tongue}.toml").is_file():
            names[tongue] = _names(full_names(table["name"], tongue), tongue)
    variant = _build(table["name"], merge_tables(full_table(base.name), table), folder, names)
    own_map = (folder / "map.svg").is_file()
    own_words = (folder / "sentences.en.toml").is_file()
    changed = {
        "map_folder": folder if own_map else base.map_folder,
        "sentences_folder": folder if own_words else base.sentences_folder or base.folder,
    }
    return Variant(**{**vars(variant), **changed})


def variant_after_takeover(name: str) -> str:
    """The variant that is played on once somebody has the power of a script; "" where nobody may."""
    return str(_table(name).get("rules", {}).get("taken_over", ""))


def full_table(name: str) -> Toml:
    """The `variant.toml` of a variant at hand, on top of the one it extends."""
    table = _table(name)
    return merge_tables(full_table(table["extends"]), table) if "extends" in table else table


def base_names(name: str) -> tuple[str, ...]:
    """A variant at hand, then those that it extends, the nearest first."""
    extended = _table(name).get("extends")
    return (name, *(base_names(extended) if extended else ()))


def merge_tables(base: Toml, own: Toml) -> Toml:
    """A variant's table on top of the one it extends, without what it removes; its powers join the others."""
    kept = {key: value for key, value in base.items() if key not in OF_ONE_BOARD}
    table = deepcopy(kept) | {key: value for key, value in own.items() if key not in ("extends", "remove")}
    table["powers"] = {**base["powers"], **own.get("powers", {})}
    _remove(table, own.get("remove", {}))
    return table


def _remove(table: Toml, removal: Toml) -> None:
    gone = set(removal.get("provinces", ()))
    for code in gone:
        del table["provinces"][code]
    for power in removal.get("powers", ()):
        del table["powers"][power]
    for borders in ("land", "sea"):
        pairs = table["adjacency"][borders]
        table["adjacency"][borders] = [pair for pair in pairs if not gone & set(map(province_of, pair))]


def _board(table: Toml, text_names: Mapping[str, VariantNames]) -> Board:
    powers = table["powers"]
    return Board(
        provinces={code: _province(code, entry, text_names) for code, entry in table["provinces"].items()},
        kinds={letter: _kind(letter, entry) for letter, entry in table["units"].items()},
        homes={code: tuple(entry["homes"]) for code, entry in powers.items()},
        land=_borders(table["adjacency"]["land"]),
        sea=_borders(table["adjacency"]["sea"]),
        countries={code: tuple(entry["country"]) for code, entry in powers.items() if "country" in entry},
        landless=tuple(table.get("landless", ())),
        canals=frozenset(code for code, entry in table["provinces"].items() if entry.get("canal")),
    )


def _borders(pairs: Iterable[list[str]]) -> frozenset[tuple[str, str]]:
    return frozenset((a, b) for a, b in pairs)


def _province(code: str, entry: Toml, text_names: Mapping[str, VariantNames]) -> Province:
    return Province(
        code,
        Terrain(entry["kind"]),
        entry["number"],
        entry.get("centre", False),
        tuple(entry.get("coasts", ())),
        text_names["en"].provinces[code].name,
        french_sort_key(text_names["fr"].provinces[code].name),
    )


def french_sort_key(name: str) -> str:
    """The key of a name in the French alphabet: letters without accents or case, word by word."""
    plain = unicodedata.normalize("NFKD", name.casefold().replace("œ", "oe").replace("æ", "ae"))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join("".join(letter if letter.isalnum() else " " for letter in letters).split())


def _kind(letter: str, entry: Toml) -> UnitKind:
    return UnitKind(
        letter,
        Mobility(entry["mobility"]),
        convoys=entry.get("convoys", False),
        convoyable=entry.get("convoyable", False),
        captures=entry.get("captures", True),
        drawn_as_seat=entry.get("under", ""),
    )


def _calendar(table: Toml) -> Calendar:
    return Calendar(
        Phase.parse(table["first"]),
        tuple(table["cycle"]),
        tuple(table.get("opening", ())),
        tuple(table.get("capture_after", ())),
        tuple(table.get("optional", ())),
        tuple(table.get("repeated", ())),
        table.get("opening_lead", 0),
        table.get("silent", False),
    )


def _start(table: Toml, calendar: Calendar) -> Position:
    units = tuple(
        Unit(*UnitName.parse(line), power)
        for power, entry in (table["powers"] | table.get("landless", {})).items()
        for line in entry.get("units", ())
    )
    centres = {power: tuple(entry.get("centres", entry["homes"])) for power, entry in table["powers"].items()}
    return Position(calendar.start, units, centres=centres)


def _own_rules(name: str, table: Toml) -> ModuleType | None:
    """The module with a variant's own `PHASES`, and its `POLITICS` if it has any; `of` another variant."""
    if "rules" not in table:
        return None
    rules = table["rules"]
    return import_module(f"{__package__}.{rules.get('of', name)}.{rules['module']}")


def _names(table: Toml, language: str) -> VariantNames:
    return VariantNames(
        language=language,
        provinces=_places(table["provinces"]),
        powers={
            code: _power_name(entry) for code, entry in (table["powers"] | table.get("landless", {})).items()
        },
        units=_places(table["units"]),
        coasts={
            code: PlaceName(entry["name"], tuple(entry["forms"])) for code, entry in table["coasts"].items()
        },
        coast_forms={code: _forms(entry) for code, entry in table.get("coast_forms", {}).items()},
        abbreviations={profile: _forms(entry) for profile, entry in table["abbreviations"].items()},
        misprints={profile: _forms(entry) for profile, entry in table.get("misprints", {}).items()},
        shared={profile: _forms(entry) for profile, entry in table.get("shared", {}).items()},
        regions=table.get("regions", {}),
    )


def _places(table: Toml) -> dict[str, PlaceName]:
    return {
        code: PlaceName(
            entry["name"], tuple(entry.get("others", ())), entry.get("article", ""), entry.get("plural", "")
        )
        for code, entry in table.items()
    }


def _power_name(entry: Toml) -> PowerName:
    return PowerName(
        entry["name"],
        entry.get("article", ""),
        tuple(entry.get("adjective", ())),
        tuple(entry.get("others", ())),
        tuple(entry.get("short", ())),
    )


def _forms(table: Toml) -> dict[str, tuple[str, ...]]:
    return {code: tuple(forms) for code, forms in table.items()}
