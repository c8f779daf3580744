"""What a sentence says: its words against a table of sentences, each with the claims that it makes.

The table (`sentences.toml`) is written by hand beside the catalogues of messages: a sentence whose words say
something else than they should makes a claim that is false, or is not in the table at all.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from talleyrand.variants import Variant, VariantNames

TABLE = tomllib.loads((Path(__file__).parent / "sentences.toml").read_text("utf-8"))
_AND, _OR = {"fr": " et ", "en": " and "}, {"fr": " ou ", "en": " or "}
_LISTS = {"units": "unit", "places": "bare", "choices": "bare"}
_HOLE = re.compile(r"<(\w+):(\w+)>")
_VOWELS = "aeiouyéèêh"

Value = Any
"""A unit in normal form, a location's code, a power's, a number, or a tuple of such."""


class Claim(NamedTuple):
    """One thing that a sentence says: the name of a fact, and what it is about."""

    fact: str
    about: tuple[Value, ...]


class Said(NamedTuple):
    """The claims of a text, what stands in its holes, and the English form that it has in the table."""

    claims: list[Claim]
    holes: Mapping[str, Value]
    form: str


class _Form(NamedTuple):
    pattern: re.Pattern[str]
    holes: Mapping[str, str]
    claims: tuple[str, ...]
    english: str


@dataclass(frozen=True)
class Tongue:
    """One language on one variant."""

    variant: Variant
    language: str

    def read(self, kind: str, text: str, known: Mapping[str, Value]) -> Said | None:
        """What a text of one kind (a table of `sentences.toml`) says; None where no sentence fits.

        `known` are the values that claims may name without a word of the sentence.
        """
        for form in self._forms[kind]:
            found = form.pattern.fullmatch(text)
            if found:
                holes = {name: self._value(form.holes[name], found[name]) for name in form.holes}
                claims = [_claim(line, {**known, **holes}) for line in form.claims]
                return Said(claims, holes, form.english)
        return None

    @cached_property
    def _forms(self) -> dict[str, list[_Form]]:
        return {kind: [self._form(entry) for entry in entries] for kind, entries in TABLE.items()}

    def _form(self, entry: Mapping[str, Any]) -> _Form:
        """The words of an entry as a pattern: `<name:kind>` is a hole, `[s]` may be left out."""
        pattern, holes, end, text = "", dict[str, str](), 0, entry[self.language]
        for hole in _HOLE.finditer(text):
            name, kind = hole.groups()
            pattern += _literal(text[end : hole.start()])
            pattern += f"(?P={name})" if name in holes else f"(?P<{name}>{self._words[kind]})"
            holes[name], end = kind, hole.end()
        return _Form(re.compile(pattern + _literal(text[end:])), holes, tuple(entry["claims"]), entry["en"])

    # vocabulary

    @cached_property
    def _names(self) -> dict[str, dict[str, str]]:
        """For each kind of hole that one name fills: the names, with their codes."""
        names, codes = self.variant.names(self.language), self.variant.board.locations
        articles = {code: names.provinces[code.partition("/")[0]].article for code in codes}
        powers = {code: one.article + one.name for code, one in names.powers.items()}
        return {
            "bare": {names.location(code): code for code in codes},
            "place": _begun({articles[code] + names.location(code): code for code in codes}),
            "unit": dict(self._units(names, codes)),
            "power": _begun({name: code for code, name in powers.items()}),
            "of_power": {self._of(name): code for code, name in powers.items()},
        }

    def _units(self, names: VariantNames, codes: Iterable[str]) -> Iterator[tuple[str, str]]:
        for code in codes:
            for letter in self.variant.board.kinds:
                yield f"{letter} {names.location(code)}", f"{letter} {code}"

    def _of(self, name: str) -> str:
        if self.language == "en":
            return f"of {name}"
        if name.startswith(("le ", "les ")):
            return ("du " if name.startswith("le ") else "des ") + name.partition(" ")[2]
        return f"d’{name}" if name[0].lower() in _VOWELS else f"de {name}"

    @cached_property
    def _words(self) -> dict[str, str]:
        """The pattern of each kind of hole."""
        one = {kind: _one_of(names) for kind, names in self._names.items()}
        both, either = _AND[self.language], _OR[self.language]
        units = _several(one["unit"], both)
        return one | {
            "units": units,
            "sets": f"{units}(?:{either}(?:sans |without )?{units})*",
            "places": _several(one["bare"], both),
            "choices": _several(one["bare"], either),
            "number": r"\d+",
            "words": ".+?",
        }

    def _value(self, kind: str, text: str) -> Value:
        if kind == "sets":
            sets = re.split(f"{_OR[self.language]}(?:sans |without )?", text)
            return tuple(self._value("units", one) for one in sets)
        if kind in _LISTS:
            names = self._names[_LISTS[kind]]
            links = f", |{_AND[self.language]}|{_OR[self.language]}"
            return tuple(names[name] for name in re.split(links, text))
        if kind == "number":
            return int(text)
        return self._names[kind][text] if kind in self._names else text


def _begun(names: Mapping[str, str]) -> dict[str, str]:
    """The same, and as they begin a sentence."""
    return {form: code for name, code in names.items() for form in (name, name[:1].upper() + name[1:])}


def _one_of(names: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})"


def _several(one: str, link: str) -> str:
    return f"{one}(?:(?:, {one})*{link}{one})?"


def _literal(text: str) -> str:
    return re.sub(r"\\\[(.*?)\\\]", r"(?:\1)?", re.escape(text))


def _claim(line: str, values: Mapping[str, Value]) -> Claim:
    fact, *names = line.split()
    return Claim(fact, tuple(int(name) if name.isdigit() else values[name] for name in names))


@lru_cache(maxsize=16)
def tongue(variant: Variant, language: str) -> Tongue:
    """The language of a variant, its patterns made once."""
    return Tongue(variant, language)
