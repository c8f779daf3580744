"""What a sheet calls provinces, coasts, powers and kinds of unit, on any board.

A place is read in the game's naming profile if one is given; otherwise by full names, codes and the
book's own lists, and what these do not have by every list at once: the order decides between the provinces
a form may mean. Forms in capitals count as such only where the same letters name two provinces (Mar and
MAR).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from talleyrand import rulebooks
from talleyrand.engine.errors import UnknownName
from talleyrand.variants import LANGUAGES, Variant, VariantNames

from . import spelling
from .lexer import LineToken, folded_words
from .vocabulary import (
    CASE_LEADS,
    CONDITION_WORDS,
    GENERIC_PLACE_WORDS,
    GULF_WORDS,
    without_article,
    without_particles,
)

CODES_PROFILE = "judge"
COMMON_PROFILE = "common"
MIN_PREFIX = 3
MAX_CACHED_GUESSES = 4000


class FormMeaning(NamedTuple):
    """The provinces a form may mean: all of them, and those left where it is not in capitals."""

    capitals: tuple[str, ...]
    mixed: tuple[str, ...]


PlaceForms = dict[str, list[tuple[str, str]]]


def naming_profiles(variant: Variant) -> tuple[str, ...]:
    """The naming profiles a variant knows; `judge`, its codes, is always one."""
    known = (profile for tongue in LANGUAGES for profile in variant.names(tongue).abbreviations)
    return tuple(dict.fromkeys((*known, CODES_PROFILE)))


class NameIndex:
    """All names of one variant, under one naming profile or, with `naming` None, under all.

    `book`: the lists of the rulebook in use; those of other books say what stands in none of its own.
    """

    def __init__(self, variant: Variant, naming: str | None, book: tuple[str, ...] = ()) -> None:
        if naming is not None and naming not in naming_profiles(variant):
            raise UnknownName("unknown_naming", naming=naming, known=", ".join(naming_profiles(variant)))
        self.board = variant.board
        tongues = [variant.names(tongue) for tongue in LANGUAGES]
        self._asked = variant, tongues, naming, book
        self.naming = naming
        self.powers = _powers(tongues, variant)
        self.longest_power = max(key.count(" ") + 1 for key in self.powers)
        self.kinds = _kinds(tongues, variant)
        self.coasts, self.own_coasts = _coasts(tongues, variant)
        self.misprints = _misprints(tongues, variant)
        self._guesses: dict[tuple[str, ...], tuple[str, ...]] = {}

    @cached_property
    def places(self) -> dict[str, FormMeaning]:
        """The provinces that each folded form means."""
        return _meanings(*self._asked)

    @cached_property
    def longest(self) -> int:
        """The most words that a form of a province has."""
        return max(key.count(" ") + 1 for key in self.places)

    @cached_property
    def _spelt(self) -> list[tuple[tuple[str, ...], str]]:
        variant, tongues, *_ = self._asked
        return list(_spelt(tongues, variant))

    @cached_property
    def _names(self) -> spelling.MisspeltNames:
        return spelling.MisspeltNames(self._spelt)

    def listed_provinces(self, key: str, written: str) -> tuple[str, ...]:
        """The provinces a listed form means; empty when no list has it."""
        found = self.places.get(key)
        if found is None:
            return ()
        return found.capitals if written.isupper() else found.mixed

    def find_condition(self, tokens: Sequence[LineToken]) -> int | None:
        """Where the first word stands that an order depends on. The code of a place is none (`CAS`, the
        Caspian Sea), unless it is led as the word is: "en cas de", "in case of"."""
        for at, token in enumerate(tokens):
            led = at > 0 and tokens[at - 1].key in CASE_LEADS
            if token.key in CONDITION_WORDS and (led or token.key.upper() not in self.board.provinces):
                return at
        return None

    def guessed_provinces(self, form: tuple[str, ...]) -> tuple[str, ...]:
        """The provinces an unlisted form may mean: their full name begins so, or is misspelt so."""
        known = self._guesses.get(form)
        if known is None:
            known = (
                self.misprints.get(" ".join(form), ())
                or self._begin(without_particles(form))
                or self._core(form)
            )
            known = known or self._near(form) or self._gulf(form)
            if len(self._guesses) < MAX_CACHED_GUESSES:
                self._guesses[form] = known
        return known

    def _begin(self, form: tuple[str, ...]) -> tuple[str, ...]:
        telling = [word for word in form if not any(name.startswith(word) for name in GENERIC_PLACE_WORDS)]
        if not telling or sum(map(len, form)) < MIN_PREFIX:
            return ()
        return tuple(dict.fromkeys(code for name, code in self._spelt if _abbreviates(form, name)))

    def _core(self, form: tuple[str, ...]) -> tuple[str, ...]:
        """The seas whose name in the other language stands behind a word for sea: `mer Adriatic`."""
        core = tuple(word for word in without_particles(form) if word not in GENERIC_PLACE_WORDS)
        found = self.places.get(" ".join(core)) if len(core) < len(without_particles(form)) else None
        return tuple(code for code in found.capitals if self.board.is_sea(code)) if found else ()

    def _gulf(self, form: tuple[str, ...]) -> tuple[str, ...]:
        """Every gulf or bay, where nothing says which."""
        named = (code for name, code in self._spelt if name[0] in form or name[-1] in form)
        return tuple(dict.fromkeys(named)) if len(form) == 1 and form[0] in GULF_WORDS else ()

    def _near(self, form: tuple[str, ...]) -> tuple[str, ...]:
        form = without_particles(form)
        telling = any(word not in GENERIC_PLACE_WORDS for word in form)
        return self._names.near(form) if telling else ()

    def forms_of_province(self, code: str) -> tuple[str, ...]:
        """Every form that means a province, folded."""
        return self._forms.get(code, ())

    @cached_property
    def _forms(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for form, meaning in self.places.items():
            for code in meaning.capitals:
                found.setdefault(code, []).append(form)
        return {code: tuple(forms) for code, forms in found.items()}

    def coast(self, code: str, form: str) -> str | None:
        """The coast a form names: one of the province's own, else any (two letters or more)."""
        return self.own_coasts.get(code, _NONE).get(form) or self.coasts.get(form)

    def location(self, code: str, form: str) -> str:
        """A province with the coast written beside it, if any."""
        coast = self.coast(code, form) if form else None
        return f"{code}/{coast}" if coast else code


@lru_cache(maxsize=128)
def load_name_index(variant: Variant, naming: str | None, book: tuple[str, ...] = ()) -> NameIndex:
    """The names of a variant, built once; raises UnknownName (`unknown_naming`)."""
    return NameIndex(variant, naming, book)


def _abbreviates(form: tuple[str, ...], name: tuple[str, ...]) -> bool:
    if len(form) > len(name):
        return False
    return all(whole.startswith(part) for part, whole in zip(form, name, strict=False))


def _spelt(tongues: list[VariantNames], variant: Variant) -> Iterator[tuple[tuple[str, ...], str]]:
    for names in tongues:
        for code, place in names.provinces.items():
            if code in variant.board.provinces:
                for name in (place.name, *place.other_forms):
                    whole = without_particles(folded_words(name))
                    yield whole, code
                    core = tuple(word for word in whole if word not in GENERIC_PLACE_WORDS)
                    if core:
                        yield core, code


@lru_cache(maxsize=1 << 13)
def _place_key(form: str) -> str:
    return " ".join(without_article(form))


def _add(forms: PlaceForms, form: str, code: str) -> None:
    key = _place_key(form)
    if key:
        forms.setdefault(key, []).append((form, code))


def _listed(tongues: list[VariantNames], variant: Variant, profile: str) -> PlaceForms:
    forms: PlaceForms = {}
    for names in tongues:
        for code, written in names.abbreviations.get(profile, {}).items():
            for form in written if code in variant.board.provinces else ():
                _add(forms, form, code)
        for form, codes in names.shared.get(profile, {}).items():
            for code in codes:
                if code in variant.board.provinces:
                    _add(forms, form, code)
    if profile == CODES_PROFILE:
        for code in variant.board.provinces:
            _add(forms, code, code)
            _add(forms, code.capitalize(), code)
    return forms


def _full_names(tongues: list[VariantNames], variant: Variant) -> PlaceForms:
    forms: PlaceForms = {}
    for names in tongues:
        for code, place in names.provinces.items():
            for form in (place.name, *place.other_forms) if code in variant.board.provinces else ():
                _add(forms, form, code)
    return forms


def _meanings(
    variant: Variant, tongues: list[VariantNames], naming: str | None, book: tuple[str, ...]
) -> dict[str, FormMeaning]:
    every = _together(variant, naming_profiles(variant))
    if naming is None:
        return every | _together(variant, _own(variant, book))
    own = _listed(tongues, variant, naming)
    capitals = all(form.isupper() for entries in own.values() for form, _ in entries)
    return every | {key: _chosen(_meaning(own[key]), every[key], capitals=capitals) for key in own}


def _own(variant: Variant, book: tuple[str, ...]) -> tuple[str, ...]:
    """The lists that count first under a book: no other book's."""
    others = rulebooks.own_abbreviation_lists() - set(book)
    return (*(profile for profile in naming_profiles(variant) if profile not in others), COMMON_PROFILE)


@lru_cache(maxsize=128)
def _together(variant: Variant, lists: tuple[str, ...]) -> dict[str, FormMeaning]:
    """What the forms of some lists mean, and full names."""
    tongues = [variant.names(tongue) for tongue in LANGUAGES]
    found = _full_names(tongues, variant)
    for profile in lists:
        for key, entries in _listed(tongues, variant, profile).items():
            found.setdefault(key, []).extend(entries)
    return {key: _meaning(entries) for key, entries in found.items()}


def _meaning(entries: list[tuple[str, str]]) -> FormMeaning:
    codes = tuple(dict.fromkeys(code for _, code in entries))
    mixed = tuple(dict.fromkeys(code for form, code in entries if not form.isupper()))
    return FormMeaning(codes, mixed or codes)


def _chosen(own: FormMeaning, common: FormMeaning, *, capitals: bool) -> FormMeaning:
    """A profile's own reading of a form it lists.

    A profile all in capitals says nothing of forms in small letters; one that mixes them leaves a
    form in capitals open where it means two provinces.
    """
    if capitals:
        return FormMeaning(own.capitals, tuple(dict.fromkeys((*own.mixed, *common.mixed))))
    if len(own.capitals) == 1:
        return FormMeaning(own.capitals, own.capitals)
    return FormMeaning(tuple(dict.fromkeys((*own.capitals, *common.capitals))), own.mixed)


def _powers(tongues: list[VariantNames], variant: Variant) -> dict[str, str]:
    powers: dict[str, str] = {}
    for code in variant.board.seats:
        powers[code.casefold()] = code
        for names in tongues:
            if code in names.powers:
                power = names.powers[code]
                for form in (power.name, *power.adjectives, *power.other_forms, *power.short):
                    powers.setdefault(" ".join(without_article(form)), code)
                    for plural in (f"{form}s", f"{form}es"):
                        powers.setdefault(" ".join(without_article(plural)), code)
    return powers


def _kinds(tongues: list[VariantNames], variant: Variant) -> dict[str, str]:
    kinds = {letter.casefold(): letter for letter in variant.board.kinds}
    for names in tongues:
        for letter, kind in names.units.items():
            for form in (kind.name, kind.plural, *kind.other_forms):
                if letter in variant.board.kinds and form:
                    kinds.setdefault(" ".join(without_article(form)), letter)
    return kinds


CoastForms = dict[str, str]
_NONE: CoastForms = {}


def _coasts(tongues: list[VariantNames], variant: Variant) -> tuple[CoastForms, dict[str, CoastForms]]:
    general = {coast.casefold(): coast for names in tongues for coast in names.coasts}
    for names in tongues:
        for coast, entry in names.coasts.items():
            _take_coast(general, coast, (entry.name, *entry.other_forms))
    own: dict[str, CoastForms] = {}
    for code, province in variant.board.provinces.items():
        if province.coasts:
            own[code] = {form: coast for form, coast in general.items() if coast in province.coasts}
            for names in tongues:
                for coast, forms in names.coast_forms.get(code, {}).items():
                    _take_coast(own[code], coast, forms)
            _take_cousins(own[code], general)
    loose = {form: coast for form, coast in general.items() if len(form) > 1}
    return loose, own


def _take_cousins(own: CoastForms, general: CoastForms) -> None:
    """Where one word for a coast the province lacks means another coast, the other words do too."""
    stands_for = {general[form]: coast for form, coast in own.items() if general.get(form, coast) != coast}
    for form, coast in general.items():
        if coast in stands_for:
            own.setdefault(form, stands_for[coast])


def _take_coast(forms: CoastForms, coast: str, written: tuple[str, ...]) -> None:
    """The forms of a coast; those of two letters also with stops between them (`c. n.`)."""
    for form in written:
        forms.setdefault(" ".join(folded_words(form)), coast)
        if len(form) == 2:
            forms.setdefault(" ".join(form.casefold()), coast)


def _misprints(tongues: list[VariantNames], variant: Variant) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for names in tongues:
        for table in names.misprints.values():
            for code, forms in table.items():
                for form in forms if code in variant.board.provinces else ():
                    key = " ".join(without_article(form))
                    found[key] = (*found.get(key, ()), code)
    return found
