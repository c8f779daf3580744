"""Every variant's `variant.toml` holds together."""

import re
from itertools import combinations

import pytest

from tests.variants.board_files import NAMES, locations, table, toml

each_variant = pytest.mark.parametrize("name", NAMES)


def test_the_three_variants_are_there() -> None:
    assert set(NAMES) >= {"classic", "sandad", "trio"}


@each_variant
def test_name_is_the_folder(name: str) -> None:
    assert toml(name, "variant.toml")["name"] == name


@each_variant
def test_titles_in_both_languages(name: str) -> None:
    assert all(toml(name, "variant.toml")["title"][language] for language in ("fr", "en"))


@each_variant
def test_borders_are_pairs_each_once_in_order(name: str) -> None:
    for pairs in table(name)["adjacency"].values():
        assert all(a < b for a, b in pairs)
        assert pairs == sorted(pairs)
        assert len(pairs) == len({tuple(pair) for pair in pairs})


@each_variant
def test_land_borders_join_lands(name: str) -> None:
    """All lands but islands, which have a coast."""
    provinces = table(name)["provinces"]
    ends = {code for pair in table(name)["adjacency"]["land"] for code in pair}
    lands = {code for code, facts in provinces.items() if facts["kind"] != "sea"}
    assert ends <= lands
    assert {provinces[code]["kind"] for code in lands - ends} <= {"coastal"}


@each_variant
def test_every_coast_and_sea_is_reached_by_water(name: str) -> None:
    ends = {place for pair in table(name)["adjacency"]["sea"] for place in pair}
    assert ends == locations(name)


@each_variant
def test_fleets_pass_between_lands_that_touch_and_share_a_sea(name: str) -> None:
    adjacency, provinces = table(name)["adjacency"], table(name)["provinces"]
    seas: dict[str, set[str]] = {}
    for a, b in adjacency["sea"]:
        for place, other in ((a, b), (b, a)):
            if provinces[other.split("/")[0]]["kind"] == "sea":
                seas.setdefault(place, set()).add(other)
    for a, b in adjacency["sea"]:
        lands = sorted(place.split("/")[0] for place in (a, b))
        if all(provinces[code]["kind"] == "coastal" for code in lands):
            assert lands in adjacency["land"], (a, b)
            assert seas[a] & seas[b], (a, b)


@each_variant
def test_board_is_in_one_piece(name: str) -> None:
    near: dict[str, set[str]] = {code: set() for code in table(name)["provinces"]}
    for pairs in table(name)["adjacency"].values():
        for a, b in ((x.split("/")[0], y.split("/")[0]) for x, y in pairs):
            near[a].add(b)
            near[b].add(a)
    seen, ahead = set[str](), {min(near)}
    while ahead:
        seen |= ahead
        ahead = {code for here in ahead for code in near[here]} - seen
    assert seen == set(near)


@each_variant
def test_provinces_are_well_formed(name: str) -> None:
    provinces = table(name)["provinces"]
    assert all(re.fullmatch("[A-Z]{3}", code) for code in provinces)
    assert {facts["kind"] for facts in provinces.values()} <= {"sea", "coastal", "inland"}
    assert {coast for facts in provinces.values() for coast in facts.get("coasts", [])} <= {
        "NC",
        "SC",
        "EC",
        "WC",
    }
    assert all(len(facts.get("coasts", [])) != 1 for facts in provinces.values())
    assert not any(facts.get("centre") for facts in provinces.values() if facts["kind"] == "sea")


@each_variant
def test_numbers_are_a_ranking(name: str) -> None:
    own = toml(name, "variant.toml")
    numbers = [facts["number"] for facts in table(name)["provinces"].values()]
    assert len(numbers) == len(set(numbers))
    assert "extends" in own or sorted(numbers) == list(range(1, len(numbers) + 1))


@each_variant
def test_homes_are_centres_of_one_power(name: str) -> None:
    data = table(name)
    homes = [code for power in data["powers"].values() for code in power["homes"]]
    assert len(homes) == len(set(homes))
    assert all(data["provinces"][code]["centre"] for code in homes)


@each_variant
def test_a_country_is_land_of_one_power_and_holds_its_homes(name: str) -> None:
    data = table(name)
    countries = {code: set(power["country"]) for code, power in data["powers"].items() if "country" in power}
    assert sum(map(len, countries.values())) == len(set().union(*countries.values()))
    for code, country in countries.items():
        assert set(data["powers"][code]["homes"]) <= country
        assert all(data["provinces"][province]["kind"] != "sea" for province in country)


@each_variant
def test_first_units_may_stand_where_they_are(name: str) -> None:
    data = table(name)
    for power in data["powers"].values():
        for letter, place in (unit.split() for unit in power["units"]):
            assert place.split("/")[0] in power["homes"]
            assert data["units"][letter]["mobility"] != "sea" or place in locations(name)
            assert data["units"][letter]["mobility"] == "sea" or place in data["provinces"]


@each_variant
def test_calendar_uses_known_seasons(name: str) -> None:
    data = table(name)
    calendar = data["calendar"]
    steps = [*calendar["cycle"], *calendar["opening"]]
    assert all(re.fullmatch("[A-Z]{2}", step) for step in steps)
    assert {step[0] for step in steps} | set(calendar["capture_after"]) == set(data["seasons"])
    match = re.fullmatch(r"([A-Z])(\d+)([A-Z])", calendar["first"])
    assert match
    assert match[1] + match[3] == calendar["cycle"][0]
    assert all(season["fr"] and season["en"] for season in data["seasons"].values())


@each_variant
def test_victory_is_within_reach_and_single(name: str) -> None:
    data = table(name)
    centres = sum(facts.get("centre", False) for facts in data["provinces"].values())
    victory = data["victory"]
    assert set(victory) in ({"centres"}, {"majority"})
    assert centres / 2 < victory.get("centres", centres // 2 + 1) <= centres


def _luminance(colour: str) -> float:
    shares = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@each_variant
def test_colours_carry_black_text_and_differ(name: str) -> None:
    colours = [power["colour"] for power in table(name)["powers"].values()]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)
    assert all((_luminance(colour) + 0.05) / 0.05 >= 4.5 for colour in colours)
    assert all(a != b for a, b in combinations(colours, 2))


def test_trio_is_what_classic_is_not() -> None:
    data = table("trio")
    assert len(data["provinces"]) == 10
    assert len(data["powers"]) == 3
    assert data["units"]["P"] == {"mobility": "any", "convoyable": False, "convoys": False, "captures": False}
    assert data["calendar"]["opening"] == ["YD"]
    assert data["victory"] == {"majority": True}
    assert {"sea", "coastal", "inland"} == {facts["kind"] for facts in data["provinces"].values()}
    assert any(facts.get("coasts") for facts in data["provinces"].values())


def test_sandad_has_five_powers_and_27_centres() -> None:
    data = table("sandad")
    assert list(data["powers"]) == ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY"]
    assert sum(facts.get("centre", False) for facts in data["provinces"].values()) == 27
    assert len(data["provinces"]) == 63
