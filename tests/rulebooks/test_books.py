"""Every book settles points that exist, with values that exist, and says where."""

from dataclasses import fields

import pytest

from talleyrand import messages, rulebooks
from talleyrand.engine.errors import ImpossibleCombination, UnknownName
from talleyrand.engine.rulebook import Rulebook, option_values
from talleyrand.rulebooks import rulebook_loader

BOOKS = {
    "anjou_feu",
    "asmodee_2006",
    "backstabbr",
    "classic_1976",
    "conspiracy",
    "datc",
    "descartes_1994",
    "diplomania",
    "play_by_mail_001",
    "renegade_2023",
    "simplified",
}
JUDGED = {field.name for field in fields(Rulebook)}


def test_the_books_are_at_hand() -> None:
    assert set(rulebooks.names()) == BOOKS


@pytest.mark.parametrize("option", rulebooks.options().values(), ids=lambda option: str(option.name))
class TestOption:
    def test_is_called_something_in_both_languages(self, option: rulebooks.RulebookOption) -> None:
        assert option.title["fr"].strip()
        assert option.title["en"].strip()
        assert option.title["fr"] != option.title["en"]
        assert "'" not in option.title["fr"]
        assert len(option.title["fr"]) < 80

    def test_has_its_row_in_the_comparison_or_its_issue(self, option: rulebooks.RulebookOption) -> None:
        if option.row:
            assert option.row[0] == "M"
            assert 1 <= int(option.row[1:]) <= 95
        assert option.row or option.datc

    def test_every_value_is_called_something_in_both_languages(
        self, option: rulebooks.RulebookOption
    ) -> None:
        assert set(option.value_titles) == set(option.values)
        for language in ("fr", "en"):
            called = [option.value_titles[value][language] for value in option.values]
            assert len(set(called)) == len(called)
            assert all(text == text.strip() != "" for text in called)
            assert not any(mark in text for text in called for mark in ("'", '"', "_"))
            assert max(map(len, called)) < 72

    def test_has_values_and_a_default_among_them(self, option: rulebooks.RulebookOption) -> None:
        assert len(set(option.values)) == len(option.values) > 0
        assert option.default is None or option.default in option.values

    def test_every_book_has_a_value_for_it(self, option: rulebooks.RulebookOption) -> None:
        for name in rulebooks.names():
            assert rulebooks.load(name).value(option.name) in option.values


def test_every_option_of_the_judge_is_listed() -> None:
    assert set(rulebooks.options()) >= JUDGED


def test_rows_are_in_order_and_used_once() -> None:
    rows = [option.row for option in rulebooks.options().values() if option.row]
    assert rows == sorted(set(rows))


@pytest.mark.parametrize("name", rulebooks.names())
class TestBook:
    def test_has_titles(self, name: str) -> None:
        assert set(rulebooks.load(name).title) == {"fr", "en"}

    def test_cites_a_place_for_each_choice(self, name: str) -> None:
        sources = rulebooks.load(name).sources
        assert sources
        assert all("," in source for source in sources.values())

    def test_every_point_is_settled_or_silent(self, name: str) -> None:
        book = rulebooks.load(name)
        assert set(book.sources) | book.silent_options == set(rulebooks.options())
        assert not set(book.sources) & book.silent_options

    def test_judge_and_reading_share_the_options_out(self, name: str) -> None:
        book = rulebooks.load(name)
        assert set(book.reading_options) == set(rulebooks.options()) - JUDGED


SETTLED = (
    ("datc", "convoy_self_protection", "cuts"),
    ("datc", "convoy_paradox", "szykman"),
    ("datc", "order_sheets", "last_unless_clear"),
    ("datc", "multiple_legal_orders", "first"),
    ("datc", "implicit_orders", "not_allowed"),
    ("renegade_2023", "convoy_self_protection", "never_cuts_necessary_fleet"),
    ("renegade_2023", "support_coast_foreign", "must_match"),
    ("renegade_2023", "removal_alphabet", "english"),
    ("classic_1976", "multi_route_disruption", "any_route"),
    ("classic_1976", "civil_disorder_builds", "none"),
    ("play_by_mail_001", "order_sheets", "last_only"),
    ("simplified", "dislodged_unit_effect", "never"),
    ("descartes_1994", "convoy_paradox", "sea_first_always"),
    ("descartes_1994", "route_fallback", "to_land"),
    ("asmodee_2006", "convoy_quasi_paradox", "convoys_take_place"),
    ("asmodee_2006", "removal_reference", "country"),
    ("conspiracy", "land_or_sea_route", "marker_required"),
    ("conspiracy", "missing_removals", "random"),
    ("diplomania", "route_fallback", "to_sea"),
    ("diplomania", "support_coast_foreign", "ignored"),
    ("backstabbr", "land_or_sea_route", "sea_then_land"),
    ("datc", "broken_own_chain", "attack_fails"),
    ("anjou_feu", "convoy_paradox", "sea_first_if_no_resolution"),
    ("anjou_feu", "convoy_quasi_paradox", "convoys_take_place"),
    ("anjou_feu", "land_or_sea_route", "own_chain_or_marker"),
    ("anjou_feu", "removal_alphabet", "english_annex_number"),
    ("anjou_feu", "elimination", "zero_centres_or_no_unit_and_no_home_centre"),
)


@pytest.mark.parametrize(("name", "option", "value"), SETTLED)
def test_settled_points(name: str, option: str, value: str) -> None:
    book = rulebooks.load(name)
    assert book.value(option) == value
    assert option in book.sources


SUPPLIED = (
    # the option's default
    ("renegade_2023", "convoy_paradox", "szykman"),
    ("renegade_2023", "elimination", "zero_centres"),
    ("anjou_feu", "coast_impossible", "illegal"),
    ("anjou_feu", "order_sheets", "last_only"),
    ("classic_1976", "convoy_paradox", "szykman"),
    ("asmodee_2006", "convoy_paradox", "szykman"),
    ("asmodee_2006", "single_retreat_space", "ordered_one_goes"),
    # what the demonstration game alone settles is open in the copy of the rules that has none
    ("play_by_mail_001", "unit_type_wrong", "accepted"),
    ("play_by_mail_001", "multiple_one_legal", "legal_one"),
    # no default: the choice of Anjou Feu
    ("conspiracy", "convoy_marker", "par_convoi_or_C"),
    ("datc", "paradox_support_survives_dislodgement", "yes"),
    ("renegade_2023", "bare_support_competition", "bare_not_legal"),
    ("datc", "civil_disorder_retreat", "may_retreat"),
)


@pytest.mark.parametrize(("name", "option", "value"), SUPPLIED)
def test_silent_points_are_supplied_and_marked(name: str, option: str, value: str) -> None:
    book = rulebooks.load(name)
    assert book.value(option) == value
    assert option in book.silent_options


@pytest.mark.parametrize(
    ("option", "value", "origin"),
    [
        ("convoy_paradox", "szykman", "default"),
        ("civil_disorder_retreat", "may_retreat", rulebooks.FALLBACK),
        ("retreat_timing", "immediately", "first"),
    ],
)
def test_where_a_supplied_value_comes_from(option: str, value: str, origin: str) -> None:
    assert rulebooks.silent_default(option) == rulebooks.SilentDefault(value, origin)


class TestCustomise:
    def test_own_choices_replace_the_book_s(self) -> None:
        book = rulebook_loader.customise(
            "datc", {"convoy_paradox": "all_hold", "implicit_convoy": "if_only_possible"}
        )
        assert book.adjudication_rules.convoy_paradox == "all_hold"
        assert book.reading_options["implicit_convoy"] == "if_only_possible"
        assert "convoy_paradox" not in book.silent_options
        assert "convoy_paradox" not in book.sources
        assert book.sources["multi_route_disruption"]

    def test_a_table_with_a_source_is_a_choice(self) -> None:
        book = rulebook_loader.customise(
            "datc", {"removal_reference": {"value": "home_centres", "source": "house"}}
        )
        assert book.adjudication_rules.removal_reference == "home_centres"
        assert book.sources["removal_reference"] == "house"

    def test_it_keeps_its_name_and_title_or_the_book_s(self) -> None:
        assert rulebook_loader.customise("datc", {}).name == "datc"
        titles = {"fr": "Cercle", "en": "Club"}
        book = rulebook_loader.customise("datc", {}, "club", titles)
        assert (book.name, book.title) == ("club", titles)

    def test_unspecified_opens_a_point_again(self) -> None:
        book = rulebook_loader.customise("anjou_feu", {"convoy_paradox": "unspecified"})
        assert book.adjudication_rules.convoy_paradox == "szykman"
        assert "convoy_paradox" in book.silent_options

    def test_the_original_is_untouched(self) -> None:
        before = rulebooks.load("datc")
        rulebook_loader.customise("datc", {"convoy_paradox": "all_hold"})
        assert rulebooks.load("datc") == before

    @pytest.mark.parametrize("value", ["no_such", "", 3, None, ["szykman"], {}, {"source": "nowhere"}])
    @pytest.mark.parametrize("option", ["convoy_paradox", "implicit_convoy"])
    def test_an_unknown_value(self, option: str, value: object) -> None:
        with pytest.raises(UnknownName) as caught:
            rulebook_loader.customise("datc", {option: value})
        assert caught.value.code == "unknown_value"
        assert caught.value.facts["option"] == option
        assert caught.value.facts["values"]

    def test_an_unknown_option(self) -> None:
        with pytest.raises(UnknownName) as caught:
            rulebook_loader.customise("datc", {"convoy_paradise": "szykman"})
        near = {"option": "convoy_paradise", "nearest": "convoy_paradox"}
        assert (caught.value.code, caught.value.facts) == ("unknown_option", near)

    def test_an_option_that_resembles_none(self) -> None:
        with pytest.raises(UnknownName) as caught:
            rulebook_loader.customise("datc", {"zzz": "szykman"})
        assert caught.value.facts["nearest"] == ""

    @pytest.mark.parametrize("name", ["", "dact", "options", "../datc", "datc.toml"])
    def test_an_unknown_book(self, name: str) -> None:
        with pytest.raises(UnknownName) as caught:
            rulebook_loader.customise(name, {})
        assert caught.value.code == "unknown_rulebook"
        assert "anjou_feu" in caught.value.facts["known"]

    @pytest.mark.parametrize(
        "choices",
        [
            {"land_or_sea_route": "marker_required", "kidnapping": "possible"},
            {"land_or_sea_route": "marker_required", "convoy_marker": "none"},
            {"land_or_sea_route": "sea_then_land", "route_fallback": "to_sea"},
            {"land_or_sea_route": "land_then_sea", "route_fallback": "to_land"},
            {"convoy_paradox": "all_hold", "paradox_support_survives_dislodgement": "no"},
            {"convoy_paradox": "sea_first_always", "convoy_quasi_paradox": "convoys_take_place"},
        ],
    )
    def test_an_impossible_combination(self, choices: dict[str, str]) -> None:
        with pytest.raises(ImpossibleCombination) as caught:
            rulebook_loader.customise("datc", choices)
        first, second = choices
        assert caught.value.facts["first"].startswith(first)
        assert caught.value.facts["second"].startswith(second)
        sentences = {messages.error_sentence(caught.value, language) for language in ("fr", "en")}
        assert len(sentences) == 2
        assert all(sentence.count(";") == 1 and "{" not in sentence for sentence in sentences)

    def test_nothing_is_supplied_that_contradicts_a_choice(self) -> None:
        # left to its default, the paradox rule would lose no support: the first that can is supplied
        book = rulebook_loader.customise("simplified", {"paradox_support_survives_dislodgement": "no"})
        assert book.adjudication_rules.convoy_paradox == "sea_first_if_no_resolution"
        assert "convoy_paradox" in book.silent_options
        book = rulebook_loader.customise("simplified", {"convoy_marker": "none", "route_fallback": "to_sea"})
        assert book.adjudication_rules.land_or_sea_route == "land_then_sea"


def test_values_of_the_judge_are_those_of_the_engine() -> None:
    for name, values in option_values().items():
        assert rulebooks.options()[name].values == values
