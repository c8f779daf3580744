"""Names and abbreviations are complete and never name two spaces."""

import unicodedata
from collections import defaultdict

import pytest

from talleyrand import variants
from tests.variants.board_files import NAMES, PLAYABLE, WITH_NAMES, all_names, table, toml

LANGUAGES = ("fr", "en")
each_list = pytest.mark.parametrize("name", WITH_NAMES)


def folded(text: str) -> str:
    """A name as it is read: no case, accents, apostrophes or dashes."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(plain.replace("’", " ").replace("'", " ").replace("-", " ").replace(".", " ").split())


def profiles(name: str) -> dict[str, dict[str, list[str]]]:
    return {
        profile: forms
        for language in LANGUAGES
        for profile, forms in all_names(name, language)["abbreviations"].items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_each_variant_has_names(name: str) -> None:
    assert set(variants.base_names(name)) & set(WITH_NAMES)


@each_list
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_has_a_name(name: str, language: str) -> None:
    data, names = table(name), all_names(name, language)
    for part in ("provinces", "powers", "units"):
        assert set(names[part]) == set(data[part])
        assert all(entry["name"] for entry in names[part].values())
    coasts = {coast for facts in data["provinces"].values() for coast in facts.get("coasts", [])}
    assert coasts <= set(names["coasts"])


@pytest.mark.parametrize("name", [name for name in WITH_NAMES if name in PLAYABLE])
def test_french_powers_have_article_and_adjectives(name: str) -> None:
    """An association of states has no adjective."""
    for power in all_names(name, "fr")["powers"].values():
        assert power["article"] in ("l’", "la ", "le ", "les ")
        assert len(power["adjective"]) in (0, 2)


@each_list
def test_no_full_name_belongs_to_two_provinces(name: str) -> None:
    owners = defaultdict(set)
    for language in LANGUAGES:
        for code, entry in all_names(name, language)["provinces"].items():
            for form in (entry["name"], *entry["others"]):
                owners[folded(form)].add(code)
    assert {form: codes for form, codes in owners.items() if len(codes) > 1} == {}


@each_list
def test_abbreviations_are_complete(name: str) -> None:
    for forms in profiles(name).values():
        assert set(forms) == set(table(name)["provinces"])
        assert all(entry and all(entry) for entry in forms.values())


@each_list
def test_no_abbreviation_of_a_profile_is_two_provinces(name: str) -> None:
    for profile, forms in profiles(name).items():
        owners = defaultdict(set)
        for code, entry in forms.items():
            for form in entry:
                owners[form].add(code)
        assert {form: codes for form, codes in owners.items() if len(codes) > 1} == {}, profile


@each_list
def test_the_board_shows_a_known_profile(name: str) -> None:
    assert all(table(name)["naming"][language] in profiles(name) for language in LANGUAGES)


@each_list
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_form_names_one_coast_of_a_province(name: str, language: str) -> None:
    names = all_names(name, language)
    for code, facts in table(name)["provinces"].items():
        special = names.get("coast_forms", {}).get(code, {})
        forms = [
            folded(form)
            for coast in facts.get("coasts", [])
            for form in set(special.get(coast) or names["coasts"][coast]["forms"])
        ]
        assert len(forms) == len(set(forms))


@pytest.mark.parametrize(
    ("profile", "form", "code"),
    [
        ("classic_fr", "Liv", "LVN"),
        ("classic_fr", "Lpl", "LVP"),
        ("classic_fr", "AtM", "MAO"),
        ("anjou_feu", "Liv", "LVP"),
        ("anjou_feu", "Mar", "MAR"),
        ("anjou_feu", "MAR", "NAF"),
        ("anjou_feu", "Tyr", "TYR"),
        ("anjou_feu", "TYR", "TYS"),
        ("descartes", "MAR", "NAF"),
        ("descartes", "TOU", "MAR"),
        ("descartes", "LIV", "LVP"),
        ("descartes", "LIT", "LVN"),
        ("pbm_en", "TyS", "TYS"),
        ("pbm_en", "Tyr", "TYR"),
    ],
)
def test_forms_that_change_with_the_profile(profile: str, form: str, code: str) -> None:
    assert form in profiles("classic")[profile][code]


def test_bulgaria_calls_its_east_coast_north() -> None:
    forms = toml("classic", "names.fr.toml")["coast_forms"]["BUL"]
    assert {"ce", "ec", "cn", "n"} <= set(forms["EC"])
    assert {"cs", "sc", "s"} <= set(forms["SC"])


def test_misprints_are_nobodys_abbreviation() -> None:
    printed = profiles("classic")["classic_fr"]
    accepted = {form for entry in printed.values() for form in entry}
    misprints = toml("classic", "names.fr.toml")["misprints"]["classic_fr"]
    assert misprints["NWG"] == ["Nrv"]
    assert not accepted & {form for entry in misprints.values() for form in entry}


def test_letters_shared_by_two_spaces_are_declared() -> None:
    shared = toml("classic", "names.en.toml")["shared"]["pbm_en"]
    assert shared == {"Gul": ["BOT", "LYO"], "Liv": ["LVN", "LVP"], "Tyr": ["TYR", "TYS"]}
