"""Every listed form of every province, coast and unit is read, in every variant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import UnknownName
from talleyrand.notation import ReadingContext, find_places, naming_profiles, read_line
from talleyrand.notation.lexer import folded_words
from talleyrand.notation.name_index import NameIndex, load_name_index
from talleyrand.rulebooks import load
from talleyrand.variants import Variant

TONGUES = ("fr", "en")

OPEN = {"liv": {"LVN", "LVP"}, "mar": {"MAR", "NAF"}, "tyr": {"TYR", "TYS"}, "gul": {"BOT", "LYO"}}
"""The forms that mean two provinces of the classic board."""


def _forms(variant: Variant) -> Iterator[tuple[str, str]]:
    for code in variant.board.provinces:
        yield code, code
        for tongue in TONGUES:
            names = variant.names(tongue)
            yield from (
                (form, code) for form in (names.provinces[code].name, *names.provinces[code].other_forms)
            )
            for listed in names.abbreviations.values():
                yield from ((form, code) for form in listed.get(code, ()))


def _in_lists(variant: Variant) -> Iterator[tuple[str, str, str]]:
    for tongue in TONGUES:
        for listing, table in variant.names(tongue).abbreviations.items():
            for code, forms in table.items():
                yield from ((form, code, listing) for form in forms)


@pytest.mark.parametrize("name", variants.playable_names())
def test_every_form_means_its_province(name: str) -> None:
    variant = variants.load(name)
    names = load_name_index(variant, None)
    for form, code in _forms(variant):
        for written in (form, form.lower(), form.upper(), form.replace("’", "'")):
            meant = _meant(names, written)
            assert code in meant or _key(form) in OPEN, (written, code, meant)
            assert len(meant) == 1 or _key(form) in OPEN, (written, meant)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", variants.playable_names())
def test_no_listed_form_is_taken_for_a_slip(name: str) -> None:
    """Whatever is a letter away from it, a form in a list means what the list says, in every list."""
    variant = variants.load(name)
    for profile in (None, *naming_profiles(variant)):
        names = load_name_index(variant, profile)
        for form in {form for form, _ in _forms(variant)}:
            for written in (form, form.upper(), form.lower()):
                meant = _meant(names, written)
                if meant:
                    read = {place.partition("/")[0] for place in find_places(written, variant, profile)}
                    assert read == set(meant), (profile, written)


def open_forms(book: str) -> dict[str, set[str]]:
    """The letters that mean two provinces of the classic board where a game has chosen no list."""
    variant = variants.load("classic")
    names = ReadingContext(variant, variant.definition.start, None, load(book)).index
    return {key: set(meaning.capitals) for key, meaning in names.places.items() if len(meaning.capitals) > 1}


@pytest.mark.parametrize("book", rulebooks.names())
def test_no_list_touches_another_book(book: str) -> None:
    own = {"anjou_feu": {"mar", "tyr"}, "descartes_1994": {"mar", "tyr"}, "play_by_mail_001": {"tyr"}}
    assert open_forms(book) == {key: OPEN[key] for key in {"liv", "gul"} | own.get(book, set())}


def test_capitals_tell_two_provinces_apart_only_where_a_list_of_the_book_says_so() -> None:
    variant = variants.load("classic")
    for book, meant in (("anjou_feu", {"MAR", "NAF"}), ("descartes_1994", {"MAR", "NAF"}), ("datc", {"MAR"})):
        names = ReadingContext(variant, variant.definition.start, None, load(book)).index
        assert names.listed_provinces("mar", "Mar") == ("MAR",)
        assert set(names.listed_provinces("mar", "MAR")) == meant


@pytest.mark.parametrize("book", rulebooks.names())
def test_a_book_reads_its_own_list_as_it_means_it(book: str) -> None:
    variant = variants.load("classic")
    names = ReadingContext(variant, variant.definition.start, None, load(book)).index
    for form, code, listing in _in_lists(variant):
        if listing in load(book).naming:
            assert code in names.listed_provinces(_key(form), form), (listing, form)


def test_a_book_made_of_another_has_its_list() -> None:
    assert rulebooks.customise("descartes_1994", {}).naming == ("descartes",)
    assert rulebooks.load("play_by_mail_001").naming == ("pbm_en",)


@pytest.mark.parametrize("name", variants.playable_names())
def test_a_profile_reads_its_own_forms_as_it_means_them(name: str) -> None:
    variant = variants.load(name)
    for profile in naming_profiles(variant):
        names = load_name_index(variant, profile)
        for tongue in TONGUES:
            for code, forms in variant.names(tongue).abbreviations.get(profile, {}).items():
                for form in forms if code in variant.board.provinces else ():
                    assert code in names.listed_provinces(_key(form), form), (profile, form)


def test_an_unknown_profile_is_named() -> None:
    variant = variants.load("classic")
    context = ReadingContext(variant, variant.definition.start, "FRANCE", load("anjou_feu"), "klingon")
    with pytest.raises(UnknownName) as caught:
        read_line("A Par H", context)
    assert caught.value.code == "unknown_naming"


@pytest.mark.parametrize(
    ("form", "provinces"),
    [
        ("norv", {"NWY", "NWG"}),
        ("nor", {"NTH", "NWY", "NWG", "NAO", "NAF"}),
        ("mer norv", {"NWG"}),
        ("golfe", {"BOT", "LYO"}),
        ("mer", set()),
        ("roy", set()),
        ("pi", set()),
        ("piem", {"PIE"}),
        ("medit", {"EAS", "WES"}),
        ("pays", {"HOL", "WAL"}),
        ("st p", {"STP"}),
        ("st g", {"IRI"}),
        ("saint", {"STP", "IRI"}),
        ("nrv", {"NWG"}),
        ("zzz", set()),
    ],
)
def test_unlisted_forms_are_beginnings_of_names(form: str, provinces: set[str]) -> None:
    names = load_name_index(variants.load("classic"), None)
    assert set(names.guessed_provinces(tuple(form.split()))) == provinces


@pytest.mark.parametrize(
    ("code", "coast", "forms"),
    [
        ("SPA", "NC", ("cn", "nc", "n", "cote nord", "north coast", "north", "nord")),
        ("STP", "SC", ("cs", "sc", "s", "cote sud", "south coast")),
        ("BUL", "EC", ("ce", "ec", "cn", "n", "nc", "cote est", "cote nord", "east coast")),
        ("BUL", "SC", ("cs", "sc", "s")),
    ],
)
def test_coasts_are_read_in_every_notation(code: str, coast: str, forms: tuple[str, ...]) -> None:
    names = load_name_index(variants.load("classic"), None)
    assert {form: names.coast(code, form) for form in forms} == dict.fromkeys(forms, coast)


def _key(form: str) -> str:
    found = folded_words(form)
    while len(found) > 1 and found[0] in ("le", "la", "les", "l", "the"):
        found = found[1:]
    return " ".join(found)


def _meant(names: NameIndex, written: str) -> tuple[str, ...]:
    return names.listed_provinces(_key(written), "".join(written.split()))
