"""What the board of a page is given: scenes of its history, its look, its table, its menus."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.test import Client

from talleyrand import variants
from talleyrand.web.boards import order_menus, phase_maps, position_tables
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.practice import practice_games
from talleyrand.web.practice.models import PracticeGame
from tests.web.conftest import Player

LAYERS = {"layer-owners", "layer-orders", "layer-units", "layer-marks"}


@pytest.mark.long
def test_a_scene_shows_and_tells_a_phase(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR", "MUN": "A MUN - BUR"}})
    player.resolve(1)
    played = player.client.get(player.address("1/scene.json")).json()
    assert played["title"] == "Printemps 1901, mouvements"
    assert set(played["layers"]) == LAYERS
    assert "France – A Paris - Bourgogne : rebond" in [text.replace("\xa0", " ") for text in played["news"]]
    assert "Turquie – pas d’ordres." in [text.replace("\xa0", " ") for text in played["news"]]
    assert not [text for text in played["news"] if "tient" in text]
    assert 'data-result="bounces"' in played["layers"]["layer-orders"]
    player.prefix = "/en"
    following = player.client.get(player.address("2/scene.json")).json()
    assert following["title"] == "Autumn 1901, movement"
    assert following["news"] == []
    assert following["address"] == player.address("2/")


def test_a_scene_tells_who_takes_which_centre(player: Player) -> None:
    player.draft(1, {"orders": {"KIE": "F KIE - DEN"}})
    player.resolve(1)
    player.resolve(2, "another-submission-of-mine")
    news = player.client.get(player.address("2/scene.json")).json()["news"]
    assert "Danemark, nouveau propriétaire : Allemagne." in [text.replace("\xa0", " ") for text in news]


def test_orders_in_preparation_stay_with_their_owner(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    own = player.client.get(player.address("1/scene.json")).json()
    seen = player.client.get(f"/s/{player.game.shared_key}/1/scene.json").json()
    assert "A PAR - BUR" in own["layers"]["layer-orders"]
    assert "A PAR - BUR" not in str(seen)


@pytest.mark.parametrize("path", ["0/scene.json", "2/scene.json", "99/scene.json"])
def test_there_is_no_scene_of_what_was_not_played(player: Player, path: str) -> None:
    assert player.client.get(player.address(path)).status_code == 404


@pytest.mark.parametrize(
    ("cookies", "said"),
    [
        ({}, 'data-theme="system" data-palette="classic" data-patterns="off"'),
        (
            {"theme": "night", "patterns": "on"},
            'data-theme="night" data-palette="classic" data-patterns="on"',
        ),
        ({"theme": '"><script>', "palette": "x" * 4000}, 'data-theme="system" data-palette="classic"'),
    ],
)
def test_the_look_is_what_the_cookies_say_if_we_know_it(
    client: Client, game: PracticeGame, cookies: dict[str, str], said: str
) -> None:
    client.cookies.load(cookies)
    assert said in client.get(f"/p/{game.key}/").content.decode()


def test_menus_are_computed_once_for_a_position_under_a_book(game: PracticeGame) -> None:
    question = practice_games.PracticeHistory(game).question(1)
    assert question is not None

    def same(menus: Iterable[order_menus.PowerMenu]) -> bool:
        return all(one is other for one, other in zip(first, menus, strict=True))

    first = order_menus.order_menus(question, "fr")
    assert same(order_menus.order_menus({**question, "seed": "another game"}, "fr"))
    assert not same(order_menus.order_menus({**question, "rulebook": "classic_1976"}, "fr"))
    assert order_menus.order_menus(question, "fr", first[2].power) == first[2:3]
    assert order_menus.order_menus(question, "fr", "nobody") == ()


def test_the_table_holds_units_and_empty_centres(game: PracticeGame) -> None:
    question = practice_games.PracticeHistory(game).question(1)
    assert question is not None
    question["units"]["FRANCE"].remove("A PAR")
    question["dislodged"] = {"GERMANY": [{"unit": "A MUN", "by": "TYR", "retreats": []}]}
    variant = variants.load("classic")
    rows = {row["place"]: row for row in position_tables.position_rows(variant, question)}
    assert rows["Paris"] == {
        "province": "PAR",
        "place": "Paris",
        "unit": "",
        "owner": "France",
        "powers": ("FRANCE",),
    }
    assert rows["Munich"]["dislodged"]
    assert rows["Saint-Pétersbourg (côte sud)"]["unit"] == "flotte, Russie"


def test_the_table_tells_the_orders_given(game: PracticeGame) -> None:
    question = practice_games.PracticeHistory(game).question(1)
    assert question is not None
    preparation = OrderPreparation(question, {"FRANCE": ["A Par-Bou"]}, "FRANCE")
    rows = {
        row["province"]: row
        for row in position_tables.position_rows(preparation.variant, question, preparation)
    }
    assert rows["PAR"]["order"] == "A Paris - Bourgogne"
    assert rows["BRE"]["order"] == ""
    assert "subject" not in rows["LON"]


def test_every_place_where_a_unit_may_stand_has_its_point() -> None:
    variant = variants.load("classic")
    assert variant.board.locations <= phase_maps.place_points(variant).keys()


def test_a_menu_tells_what_the_winter_owes_by_the_variants_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Diplomatie 2000 aid lets a state have more units than centres."""
    world = variants.load("diplomatie_2000")
    monkeypatch.setattr("talleyrand.formats.question_input.read_variant", lambda *_args: world)
    given: dict[str, list[str | None]] = {"UNIA": ["UMAR", None, None]}
    question = {
        "variant": world.name,
        "phase": "W2001A",
        "units": {"UMAR": ["A ALG", "A RAB"]},
        "centers": {power: list(homes) for power, homes in world.board.homes.items()},
        "politics": {"aid": given},
    }
    (menu,) = order_menus.order_menus(question, "en", "UMAR")
    assert menu.adjustments_due is not None
    assert menu.adjustments_due.balance == 2
