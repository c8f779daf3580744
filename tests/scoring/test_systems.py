"""Scoring systems: the examples that they carry come out, and every score is the sum of its working."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import messages, scoring
from talleyrand.engine.errors import UnknownName
from talleyrand.formats.custom_toml import check_scoring_examples, read_custom_scoring
from talleyrand.formats.json_checks import InvalidQuestion
from talleyrand.formats.score_json import decimal_points, read_ending
from talleyrand.scoring import GameEnding, InvalidGameEnding, InvalidScoringSystem
from talleyrand.variants import LANGUAGES

DOCS = Path(__file__).parents[2] / "docs"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
ASKED = (
    *("draw_size", "squares", "cdiplo_100", "cdiplo_80", "namur", "manorcon", "carnage", "tribute"),
    *("open_tribute", "bangkok", "world_classic", "detour09", "dixie", "baf"),
)


@st.composite
def endings(draw: st.DrawFn) -> GameEnding:
    """Up to 34 centres among seven, with all that any system asks."""
    counts, left = [], 34
    for _ in POWERS:
        counts.append(draw(st.integers(0, min(left, 20))))
        left -= counts[-1]
    centres = dict(zip(draw(st.permutations(POWERS)), counts, strict=True))
    out = {power: draw(st.integers(1901, 1910)) for power, held in centres.items() if not held}
    alive = [power for power, held in centres.items() if held]
    agreed = draw(st.sets(st.sampled_from(alive))) if alive else set()
    return GameEnding(centres, sorted(agreed), out, last_year=1910)


def test_all_that_were_asked_are_there() -> None:
    assert set(ASKED) <= set(scoring.names())


@pytest.mark.parametrize("name", scoring.names())
def test_the_examples_come_out(name: str) -> None:
    assert scoring.examples(name)
    check_scoring_examples(scoring.load(name), scoring.examples(name))


@pytest.mark.parametrize("name", scoring.names())
def test_every_system_says_what_it_is(name: str) -> None:
    system = scoring.load(name)
    assert set(system.title) == set(system.source) == set(system.sentence) == set(LANGUAGES)


@pytest.mark.parametrize("name", scoring.names())
def test_a_system_says_whether_years_of_elimination_count(name: str) -> None:
    """Without the years it cannot score a power that fell, if and only if it asks them."""
    system = scoring.load(name)
    try:
        for held in (10, 18):
            system.score(GameEnding({"A": held, "E": 0}, last_year=1908))
        asked = False
    except InvalidGameEnding:
        asked = True
    assert system.asks_elimination_years is asked


@given(endings(), st.sampled_from(scoring.names()))
def test_a_score_is_the_sum_of_its_working(end: GameEnding, name: str) -> None:
    for score in scoring.load(name).score(end).values():
        assert score.points == sum((line.points for line in score.working), Fraction(0))
        for line in score.working:
            told = messages.score_line_sentences(line.kind, line.facts)
            assert all("{" not in text and text.endswith(".") for text in told.values()), told


@given(endings(), st.sampled_from(("draw_size", "squares", "cdiplo_100", "cdiplo_80", "tribute")))
def test_systems_that_share_a_whole(end: GameEnding, name: str) -> None:
    if name in ("cdiplo_100", "cdiplo_80") and sum(end.centres.values()) != 34:
        return
    total = sum(score.points for score in scoring.load(name).score(end).values())
    whole = {"cdiplo_80": 80, "tribute": 66 + sum(end.centres.values())}.get(name, 100)
    if end.alive and not end.winner:
        assert total == whole


NOBODY = GameEnding({"A": 0, "E": 0}, eliminated_in={"A": 1905, "E": 1906}, last_year=1908)
NO_UNIT = replace(NOBODY, centres={"A": 10, "E": 3}, units={"E": 3}, homes={"E": 3})


@pytest.mark.parametrize("name", scoring.names())
def test_everybody_may_be_eliminated_and_so_may_who_holds_most(name: str) -> None:
    for end in (NOBODY, NO_UNIT):
        for score in scoring.load(name).score(end).values():
            assert score.points == sum((line.points for line in score.working), Fraction(0))


@pytest.mark.parametrize(
    ("exact", "shown"),
    [
        (Fraction(1, 16), "0.063"),
        (Fraction(-1, 16), "-0.063"),
        (Fraction(-1, 10_000), "0.000"),
        (Fraction(10**40), f"{10**40}.000"),
        (Fraction(5 * 10**32 - 1, 10**36), "0.000"),
    ],
)
def test_points_as_they_are_shown(exact: Fraction, shown: str) -> None:
    assert decimal_points(exact) == shown
    told = messages.score_line_sentences("centres", {"centres": Fraction(1), "each": exact})["en"]
    assert told == f"1 centre, at {shown.rstrip('0').rstrip('.')}."


@given(endings(), st.sampled_from(scoring.names()))
def test_the_order_of_powers_does_not_matter(end: GameEnding, name: str) -> None:
    turned = dict(reversed(list(end.centres.items())))
    again = GameEnding(turned, end.draw, end.eliminated_in, last_year=1910)
    before, after = scoring.load(name).score(end), scoring.load(name).score(again)
    assert {power: score.points for power, score in before.items()} == {
        power: score.points for power, score in after.items()
    }


@pytest.mark.parametrize(
    ("centres", "extra", "code"),
    [
        ({}, {}, "score_no_powers"),
        (None, {}, "score_no_powers"),
        ([], {}, "not_a_table"),
        ({"A": -1}, {}, "not_a_count"),
        ({"A": True}, {}, "not_a_count"),
        ({"A": 18, "E": 18}, {}, "score_two_solos"),
        ({"A": 3}, {"draw": ["E"]}, "score_unknown_power"),
        ({"A": 3}, {"draw": "A"}, "not_a_list"),
        ({"A": 3, "E": 0}, {"draw": ["A", "E"]}, "score_draw_eliminated"),
        ({"A": 18, "E": 16}, {"eliminated": ["A"]}, "score_winner_eliminated"),
        ({"A": 18, "E": 16}, {"units": {"A": 0, "E": 9}, "homes": {"A": 0}}, "score_winner_eliminated"),
        ({"A": 3}, {"years": 3}, "unknown_field"),
        ({"A": 3}, {"last_year": "1908"}, "not_a_year"),
        ({"A": 3, "E": 0}, {}, "score_no_year"),
        ({"A": 3, "E": 0}, {"eliminated_in": {"E": 1800}}, "score_year"),
        ({str(at): 0 for at in range(101)}, {}, "too_many_powers"),
        ({"A": 3, "E": 4}, {"units": {"A": 3}, "homes": {"A": 2}}, "score_units_missing"),
        ({"A": 3, "E": 4}, {"units": {"A": 3, "E": 0}}, "score_units_missing"),
        ({"A": 3, "E": 4}, {"homes": {"A": 3, "E": 0}}, "score_units_missing"),
        ({"A": 3, "E": 4}, {"eliminated": ["E"], "units": {"A": 3, "E": 4}}, "eliminated_twice"),
        ({"A": 3, "E": 4}, {"eliminated": ["R"]}, "score_unknown_power"),
        ({"A": 3, "E": 4}, {"eliminated": "E"}, "not_a_list"),
    ],
)
def test_ends_that_cannot_be(centres: object, extra: object, code: str) -> None:
    with pytest.raises((InvalidGameEnding, InvalidQuestion)) as refused:
        scoring.load("carnage").score(read_ending(centres, extra))
    assert refused.value.code == code
    assert all(messages.error_sentence(refused.value, language).endswith(".") for language in LANGUAGES)


@pytest.mark.parametrize(
    ("extra", "alive"),
    [
        ({}, ("A", "E")),
        ({"units": {"A": 3, "E": 1}}, ("A", "E")),
        ({"units": {"A": 3, "E": 0}, "homes": {"A": 1, "E": 1}}, ("A", "E")),
        ({"units": {"A": 3, "E": 0}, "homes": {"E": 0}}, ("A",)),
        ({"eliminated": ["E", "I"]}, ("A",)),
        ({"eliminated": []}, ("A", "E")),
    ],
)
def test_who_is_eliminated_with_a_centre(extra: object, alive: tuple[str, ...]) -> None:
    """Source: Anjou Feu, VI, elimination."""
    assert read_ending({"A": 12, "E": 4, "I": 0}, extra).alive == alive


LONG = "0x" + "F" * 8000  # more digits than Python writes
OWN = """
solo = "100/3"
[title]
fr = "Le nôtre"
en = "Ours"
[[parts]]
kind = "centres"
per = 0.1
[[parts]]
kind = "places"
points = [10, 5]
[[examples]]
centres = { A = 10, B = 5 }
scores = { A = 11, B = 5.5 }
"""


def test_a_system_of_ones_own() -> None:
    system = read_custom_scoring(OWN, "ours")
    found = system.score(GameEnding({"A": 7, "B": 7, "C": 1}))
    assert [found[power].points for power in "ABC"] == [Fraction("8.2"), Fraction("8.2"), Fraction("0.1")]


@pytest.mark.parametrize("page", ["fr/reference/baremes.md", "en/reference/scoring.md"])
def test_the_system_of_the_reference(page: str) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
    assert read_custom_scoring(text, "ours").solo == 100


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("A = 11", "A = 12", "system_example"),
        ('kind = "centres"', 'kind = "centre"', "system_unknown_kind"),
        ("per = 0.1", "each = 0.1", "system_unknown_key"),
        ("per = 0.1", 'per = "1e-999999999"', "system_not_a_number"),
        ("per = 0.1", 'per = "1/0"', "system_not_a_number"),
        ("per = 0.1", "per = nan", "system_not_a_number"),
        ("per = 0.1", "per = true", "system_not_a_number"),
        ("per = 0.1", f"per = {LONG}", "system_not_a_number"),
        ("A = 10, B", f"A = {LONG}, B", "not_a_count"),
        ("B = 5.5 }", "B = 5.5, C = 7 }", "score_unknown_power"),
        ("points = [10, 5]", "points = 10", "system_not_a_list"),
        ("points = [10, 5]", f"points = {[1] * 300}", "system_too_long"),
        ("points = [10, 5]", "", "system_missing_key"),
        ("points = [10, 5]", 'points = [1]\nties = "none"', "system_unknown_choice"),
        ("points = [10, 5]", 'points = [1]\ndraw = "yes"', "system_not_a_truth"),
        (
            'kind = "places"\npoints = [10, 5]',
            'kind = "within"\npot = 1\nbehind = 0.5',
            "system_not_a_whole_number",
        ),
        ('fr = "Le nôtre"', "fr = 3", "system_not_a_text"),
        ("[title]", "[[title]]", "system_not_a_table"),
        (OWN, "solo = 100", "system_without_parts"),
        (OWN, "[[parts]]\nkind = 'table'", "system_missing_key"),
        (OWN, "[[parts]]\nkind = 'places'\npoints = [1]\n" * 21, "system_too_long"),
        (OWN, "x = [", "not_toml"),
    ],
)
def test_systems_that_are_not_well_written(old: str, new: str, code: str) -> None:
    assert old in OWN
    with pytest.raises((InvalidScoringSystem, InvalidQuestion, InvalidGameEnding)) as refused:
        read_custom_scoring(OWN.replace(old, new), "ours")
    assert refused.value.code == code
    assert all(messages.error_sentence(refused.value, language).endswith(".") for language in LANGUAGES)


def test_an_unknown_system() -> None:
    with pytest.raises(UnknownName, match="unknown_system") as refused:
        scoring.load("bav")
    assert refused.value.facts["nearest"] == "baf"
