"""Reads rulebooks: presets in TOML that may extend another, each choice with its source.

`options.toml` lists every option with its values; a point a book leaves open takes the option's
`default` there, or the choice of `FALLBACK` where there is none (the first value where that book is
silent too), and is marked as silent. What is supplied never contradicts what the book settles: the next
value that can stand beside it takes its place. `citations.toml` says how each language quotes the places of
rules, `places.toml` where each book says those on which books do not differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from talleyrand.data_tables import Toml, read_table
from talleyrand.engine.deprecated_names import renamed_attribute
from talleyrand.engine.errors import UnknownName
from talleyrand.engine.rulebook import Rulebook, contradictions_in, option_values

FALLBACK = "anjou_feu"
UNSPECIFIED = "unspecified"


@dataclass(frozen=True)
class RulebookOption:
    """One point on which books differ. `is_for_adjudication` tells an adjudicator's option from a reader's.

    `title` and, by value, `value_titles` are what it is called in each language; `row` is "" for what
    the DATC alone leaves open.
    """

    name: str
    values: tuple[str, ...]
    default: str | None
    row: str
    datc: str
    title: Mapping[str, str]
    value_titles: Mapping[str, Mapping[str, str]]

    @property
    def is_for_adjudication(self) -> bool:
        return self.name in option_values()


@dataclass(frozen=True)
class SilentDefault:
    """The value of a point left open: the option's `default`, FALLBACK's choice or the `first` value."""

    value: str
    origin: str


@dataclass(frozen=True)
class LoadedRulebook:
    """A book ready to use.

    `adjudication_rules` is what the engine needs, `reading_options` the options of the reader of sheets;
    `sources` says where the book settles each option, `silent_options` names those it does not settle;
    `naming` the lists of abbreviations that are the book's own.
    """

    name: str
    title: Mapping[str, str]
    adjudication_rules: Rulebook
    reading_options: Mapping[str, str]
    sources: Mapping[str, str]
    silent_options: frozenset[str]
    naming: tuple[str, ...] = ()

    judge = renamed_attribute("judge", "adjudication_rules")

    def __hash__(self) -> int:
        return hash(self.name)

    def value(self, option: str) -> str:
        """The book's choice, settled or supplied."""
        return str(getattr(self.adjudication_rules, option, "") or self.reading_options[option])


@cache
def options() -> Mapping[str, RulebookOption]:
    """Every option, in the order of the comparison table."""
    judged = option_values()
    return {
        name: RulebookOption(
            name,
            judged.get(name) or tuple(entry["values"]),
            entry.get("default"),
            entry.get("row", ""),
            entry.get("datc", ""),
            {"fr": entry["fr"], "en": entry["en"]},
            entry["names"],
        )
        for name, entry in _read_toml("options").items()
    }


@cache
def names() -> tuple[str, ...]:
    """The books at hand."""
    files = (entry.name for entry in Path(__file__).parent.iterdir())
    found = {name.removesuffix(".toml") for name in files if name.endswith(".toml")}
    return tuple(sorted(found - {"citations", "options", "places"}))


@cache
def load(name: str) -> LoadedRulebook:
    """A book by its name; raises UnknownName (`unknown_rulebook`)."""
    if name not in names():
        raise UnknownName("unknown_rulebook", rulebook=name, known=", ".join(names()))
    table = _read_toml(name)
    return _build(name, table["title"], _settled(name), _naming(table))


@cache
def own_abbreviation_lists() -> frozenset[str]:
    """The lists of abbreviations that belong to some book."""
    return frozenset(naming for name in names() for naming in _naming(_read_toml(name)))


def customise(
    extends: str, choices: Mapping[str, Any], name: str = "", title: Mapping[str, str] | None = None
) -> LoadedRulebook:
    """A book with some choices of its own (values, or tables with `value` and `source`).

    Without a name and a title it keeps those of the book it extends.
    Raises UnknownName and ImpossibleCombination.
    """
    base = load(extends)
    settled = _overlay(_settled(base.name), _choices(choices))
    return _build(name or base.name, title or base.title, settled, base.naming)


@cache
def silent_default(option: str) -> SilentDefault:
    """What stands for an option where a book is silent, unless it contradicts what the book settles."""
    known, fallback = options()[option], _settled(FALLBACK)
    if known.default is not None:
        return SilentDefault(known.default, "default")
    if option in fallback:
        return SilentDefault(str(fallback[option]["value"]), FALLBACK)
    return SilentDefault(known.values[0], "first")


@cache
def _read_toml(name: str) -> Toml:
    return read_table(Path(__file__).parent / f"{name}.toml")


@cache
def _settled(name: str) -> Toml:
    """What a book settles itself or by the one it extends."""
    table = _read_toml(name)
    inherited = _settled(table["extends"]) if "extends" in table else {}
    return _overlay(inherited, _choices(table["options"]))


def _naming(table: Toml) -> tuple[str, ...]:
    inherited = _naming(_read_toml(table["extends"])) if "extends" in table else ()
    return tuple(table.get("naming", inherited))


def _overlay(settled: Toml, choices: Toml) -> Toml:
    """Choices over others; `unspecified` leaves the point open again."""
    merged = {**settled, **choices}
    return {name: entry for name, entry in merged.items() if entry["value"] != UNSPECIFIED}


def _choices(table: Mapping[str, Any]) -> Toml:
    for name in table:
        if name not in options():
            from difflib import get_close_matches

            near = get_close_matches(str(name), options(), 1)
            raise UnknownName("unknown_option", option=str(name), nearest=next(iter(near), ""))
    return {name: _entry(entry) for name, entry in table.items()}


def _entry(entry: object) -> Toml:
    if isinstance(entry, dict):
        return {"value": "", **entry}
    return {"value": entry}


def _build(name: str, title: Mapping[str, str], settled: Toml, naming: tuple[str, ...]) -> LoadedRulebook:
    values = _completed({option: _checked(option, entry["value"]) for option, entry in settled.items()})
    return LoadedRulebook(
        name=name,
        title=title,
        adjudication_rules=Rulebook().with_options(
            {one: value for one, value in values.items() if options()[one].is_for_adjudication}
        ),
        reading_options={
            one: value for one, value in values.items() if not options()[one].is_for_adjudication
        },
        sources={option: str(entry["source"]) for option, entry in settled.items() if entry.get("source")},
        silent_options=frozenset(values) - frozenset(settled),
        naming=naming,
    )


def _completed(settled: Mapping[str, str]) -> dict[str, str]:
    """All values, in the order of the options: the book's, and beside them those supplied."""
    values = dict(settled)
    for option in options():
        if option not in values:
            values[option] = next(_standing(option, values), silent_default(option).value)
    return {option: values[option] for option in options()}


def _standing(option: str, others: Mapping[str, str]) -> Iterator[str]:
    """The values a silent book may be given, the best first, that contradict no other."""
    for value in (silent_default(option).value, *options()[option].values):
        found = contradictions_in({**others, option: value})
        if not any(option in (one.first, one.second) for one in found):
            yield value


def _checked(option: str, value: object) -> str:
    values = options()[option].values
    if value not in values:
        raise UnknownName("unknown_value", option=option, value=str(value), values=", ".join(values))
    return str(value)


def translate_citation(place: str, language: str) -> str:
    """A place as books give it, in French, quoted in another language; "" stays ""."""
    return (
        _translated(place, language)
        if len(place) <= _LONGEST_KEPT
        else _translated.__wrapped__(place, language)
    )


_LONGEST_KEPT = 200


@lru_cache(maxsize=1 << 10)
def _translated(place: str, language: str) -> str:
    words = citation_words(language)
    return re.sub(_pattern(language), lambda found: words[found[0]], place) if words else place


@cache
def citation_words(language: str) -> dict[str, str]:
    """The words of places in French, each with those of another language."""
    return dict(_read_toml("citations").get(language, {}))


@cache
def _pattern(language: str) -> str:
    """Whole words only, the longest first."""
    longest = sorted(citation_words(language), key=len, reverse=True)
    return rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)"


DATC = "datc"


@lru_cache(maxsize=1 << 12)
def cite_rule(book: str, rule: str) -> str:
    """The paragraph of a rule in a book, as it is quoted; "" for a rule of a variant's own.

    A book that does not print the rule, or of which no text is at hand, is quoted by the DATC.
    """
    places = _read_toml("places")
    where, texts = places["rules"].get(rule), places["texts"]
    if where is None:
        return ""
    if book in where:
        return f"{texts[book]}, {where[book]}"
    return f"{places['reported'].get(book, texts[DATC])}, {where[DATC]}"


def citable_rules() -> tuple[str, ...]:
    """Every rule that has a place."""
    return tuple(_read_toml("places")["rules"])
