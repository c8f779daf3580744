"""The options of a judge: their values, and those that contradict each other."""

from __future__ import annotations

from dataclasses import fields

import pytest

from talleyrand.engine.errors import ImpossibleCombination, UnknownName
from talleyrand.engine.rulebook import Rulebook, option_values

# Values that mean something beside another choice alone.
BESIDE = {
    ("route_fallback", "to_sea"): {"land_or_sea_route": "land_then_sea"},
    ("paradox_support_survives_dislodgement", "no"): {"convoy_paradox": "sea_first_if_no_resolution"},
}


@pytest.mark.parametrize(("name", "values"), option_values().items())
def test_every_value_of_an_option_can_be_chosen(name: str, values: tuple[str, ...]) -> None:
    for value in values:
        book = Rulebook().with_options({name: value, **BESIDE.get((name, value), {})})
        assert str(getattr(book, name)) == value


def test_options_are_the_fields_and_the_defaults_are_values() -> None:
    assert list(option_values()) == [option.name for option in fields(Rulebook)]
    assert all(
        str(getattr(Rulebook(), name)) in values and len(set(values)) == len(values)
        for name, values in option_values().items()
    )


def test_other_choices_leave_the_book_as_it_was() -> None:
    book = Rulebook()
    other = book.with_options({"convoy_paradox": "all_hold", "multi_route_disruption": "any_route"})
    assert (book.convoy_paradox, other.convoy_paradox) == ("szykman", "all_hold")
    assert book == Rulebook() != other


@pytest.mark.parametrize(
    ("options", "code", "fact"),
    [
        ({"paradox": "szykman"}, "unknown_option", "paradox"),
        ({"convoy_paradox": "Szykman"}, "unknown_value", "Szykman"),
        ({"convoy_paradox": ""}, "unknown_value", "convoy_paradox"),
    ],
)
def test_a_name_nobody_defined(options: dict[str, str], code: str, fact: str) -> None:
    with pytest.raises(UnknownName) as caught:
        Rulebook().with_options(options)
    assert caught.value.code == code
    assert fact in caught.value.facts.values()


def test_an_unknown_value_tells_the_known_ones() -> None:
    with pytest.raises(UnknownName) as caught:
        Rulebook().with_options({"route_fallback": "both"})
    assert caught.value.facts["values"] == "none, to_land, to_sea"


@pytest.mark.parametrize(
    "options",
    [
        {"land_or_sea_route": "marker_required", "kidnapping": "possible"},
        {"convoy_paradox": "sea_first_always", "convoy_quasi_paradox": "convoys_take_place"},
    ],
)
def test_options_that_contradict_each_other(options: dict[str, str]) -> None:
    with pytest.raises(ImpossibleCombination) as caught:
        Rulebook().with_options(options)
    assert caught.value.code == "impossible_combination"
    named = " ".join(caught.value.facts.values())
    assert all(f"{name} = {value}" in named for name, value in options.items())
    for name, value in options.items():
        assert str(getattr(Rulebook().with_options({name: value}), name)) == value
