"""A game on line scored by any system: its points at its end, their lines, and who fell when."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from talleyrand import scoring, variants
from talleyrand.variants import LANGUAGES
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards import score_texts
from talleyrand.web.games import game_lifecycle
from talleyrand.web.games.endings import end_texts, game_scores
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby.setting_options import SETTING_OPTIONS
from talleyrand.web.games.models import Game
from talleyrand.web.games.phase_pages import game_records
from tests.web.api.asking import program
from tests.web.cast import client_of, table

from .acting import fresh
from .phases import second_phase
from .tables import words

CENTRES = {"AUSTRIA": 0, "ENGLAND": 10, "FRANCE": 8, "GERMANY": 8, "ITALY": 5, "RUSSIA": 3, "TURKEY": 0}
ENDED: dict[str, Any] = {
    "kind": "last_year",
    "powers": ["ENGLAND"],
    "phase": "S1909M",
    "centres": CENTRES,
    "units": CENTRES,
    "eliminated_in": {"AUSTRIA": 1904, "TURKEY": 1906},
}
SOLO = {**ENDED, "kind": "solo", "phase": "F1908M", "centres": {**CENTRES, "ENGLAND": 18, "FRANCE": 0}}
NEW = "/parties/nouvelle/"


def points(system: str, result: dict[str, Any], variant: str = "classic") -> dict[str, Fraction]:
    found = game_scores.game_scores(GameSettings(scoring=system), variants.load(variant), result)
    return {power: score.points for power, score in found.items()}


def ended(**terms: Any) -> Game:
    """Austria fell in the year played, and three powers share the game."""
    game = second_phase(**terms)
    first = game.revisions.get(phase_number=1)
    first.answer = {**(first.answer or {}), "eliminated": ["AUSTRIA"]}
    first.save()
    told = {"kind": "draw", "powers": ["ENGLAND", "FRANCE", "RUSSIA"], "phase": "F1901M"}
    game_lifecycle.end_game(fresh(game), {**told, "centres": CENTRES, "units": CENTRES}, timezone.now())
    return fresh(game)


@pytest.mark.parametrize("system", scoring.names())
@pytest.mark.parametrize("kind", ["solo", "draw", "agreed", "date", "joint", "last_year"])
def test_every_system_scores_every_end(system: str, kind: str) -> None:
    """Also where nobody was told to have fallen, as in games that ended before the years were kept."""
    for told in (ENDED, {**ENDED, "eliminated_in": {}}, {**ENDED, "phase": "S1901M", "eliminated_in": {}}):
        for powers in (["ENGLAND"], ["ENGLAND", "FRANCE"]):
            found = game_scores.game_scores(
                GameSettings(scoring=system),
                variants.load("classic"),
                {**told, "kind": kind, "powers": powers},
            )
            assert set(found) == set(CENTRES)
            for score in found.values():
                assert score.points == sum(line.points for line in score.working)


@pytest.mark.parametrize("system", [name for name in scoring.names() if name != "draw_size"])
def test_the_points_are_those_of_a_tournament(system: str) -> None:
    """Whoever leads after the last year has not won alone."""
    end = scoring.GameEnding(CENTRES, eliminated_in=ENDED["eliminated_in"], last_year=1908)
    due = {power: score.points for power, score in scoring.load(system).score(end).items()}
    assert points(system, ENDED) == due
    solo = points(system, SOLO)
    assert solo["ENGLAND"] == (scoring.load(system).solo or 270 + 4 * 18)  # Dixie: a place, and centres


def test_a_leader_has_all_of_a_draw_of_one_and_those_who_agreed_share() -> None:
    assert points("draw_size", ENDED)["ENGLAND"] == 100
    assert points("draw_size", {**ENDED, "powers": ["FRANCE", "GERMANY"]})["GERMANY"] == 50
    shared = points("dixie", {**ENDED, "kind": "draw", "powers": ["FRANCE", "ENGLAND"]})
    assert [shared[power] for power in ("ENGLAND", "FRANCE")] == [210, 202]


def test_who_holds_foreign_centres_alone_is_eliminated() -> None:
    """Source: Anjou Feu, VI: no unit, and none but foreign centres; the phases published have said so."""
    told = {**ENDED, "units": {**CENTRES, "RUSSIA": 0}, "eliminated_in": {"RUSSIA": 1907, "AUSTRIA": 1904}}
    assert points("baf", told)["RUSSIA"] == 0
    assert points("baf", {**told, "units": CENTRES})["RUSSIA"] > 0


@pytest.mark.django_db
@pytest.mark.parametrize("system", ["bangkok", "draw_size"])
def test_the_end_keeps_points_and_years_and_shows_every_line(system: str, client: Client) -> None:
    game = ended(scoring=system)
    assert game.result is not None
    assert game.result["eliminated_in"] == {"AUSTRIA": 1901}
    assert Fraction(game.result["points"]["FRANCE"]) == game_scores.kept_scores(game)["FRANCE"].points
    for language, path in (("fr", f"/parties/{game.key}/fin/"), ("en", f"/en/games/{game.key}/end/")):
        page = words(client_of("Flora").get(path))
        with translation.override(language):
            for row in end_texts.final_table_rows(game):
                assert row["points"] in page
                for line in row["working"]:
                    assert line.sentence in page
                    assert line.points in page
            assert end_texts.scoring_title(game) in page
            assert row["name"] in game_records.game_record_text(game).rpartition("//")[2]
    read = program("Flora", [Scope.READ]).get(f"/games/{game.key}").json()["result"]
    assert set(read["working"]) == set(CENTRES)
    assert all(line["fr"] and line["en"] for lines in read["working"].values() for line in lines)


@pytest.mark.django_db
def test_points_kept_before_stay_and_have_no_lines_where_they_differ() -> None:
    game = ended(scoring="squares")
    game.result = {**(game.result or {}), "points": {"FRANCE": "100", "ENGLAND": "0"}}
    rows = {row["code"]: row for row in end_texts.final_table_rows(game)}
    assert rows["FRANCE"]["points"] == "100,000"
    assert not any(row["working"] for row in rows.values())


@pytest.mark.django_db
def test_the_page_offers_all_with_an_example_that_is_computed() -> None:
    assert set(SETTING_OPTIONS["scoring"]()) == set(scoring.names())
    page = words(client_of("Flora").get(NEW))
    for system in map(scoring.load, scoring.names()):
        assert system.title["fr"] in page
        assert " ".join(system.sentence["fr"].split()) in page
    assert client_of("Flora").get(NEW).content.decode().count("scoring-examples") == len(scoring.names())


@pytest.mark.parametrize("system", scoring.names())
def test_an_example_is_what_the_system_says(system: str) -> None:
    for language in LANGUAGES:
        with translation.override(language):
            rows = {name: examples for name, _title, _sentence, examples in score_texts.system_rows()}
            game, won = rows[system]
            told = {row.power: row for row in (*game, *won)}
            assert set(told) == {row.power for row in game}
            end = score_texts.EXAMPLES[0]
            assert [row.centres for row in game] == list(end.centres.values())
            assert all(row.working for row in game)


@pytest.mark.django_db
@pytest.mark.parametrize("variant", ["trio", "diplomatie_2000"])
def test_a_board_that_a_system_is_not_for(variant: str) -> None:
    flora = client_of("Flora")
    sent = {"name": "Autre plateau", "variant": variant, "scoring": "baf"}
    answer = flora.post(NEW, sent)
    assert answer.status_code == 400
    assert "Ce barème demande le plateau classique" in words(answer)
    assert flora.post(NEW, {**sent, "scoring": "squares"}).status_code == 302
    assert Game.objects.get().settings.scoring == "squares"


@pytest.mark.django_db
def test_the_api_takes_a_system_by_its_name() -> None:
    flora = program("Flora", [Scope.TABLES, Scope.READ])
    made = flora.ask("POST", "/games", {"name": "Baf", "variant": "sandad", "terms": {"scoring": "baf"}})
    assert made.status_code == 201
    assert made.json()["terms"]["scoring"] == "baf"
    for wrong, variant in (("luck", "classic"), ("baf", "trio"), ("", "classic"), ("Баф", "classic")):
        sent = {"name": "Non", "variant": variant, "terms": {"scoring": wrong}}
        refused = flora.ask("POST", "/games", sent)
        assert (refused.status_code, refused.json()["fields"][0]["where"]) == (422, "body.terms.scoring")


@pytest.mark.django_db
def test_a_game_without_a_winner_has_no_points() -> None:
    game = table()
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    assert (fresh(game).result or {})["points"] == {}
    assert end_texts.final_table_rows(fresh(game)) == []


@pytest.mark.parametrize("system", scoring.names())
def test_a_power_that_nobody_plays_takes_no_place_and_no_points(system: str) -> None:
    six = {"AUSTRIA": 0, "ENGLAND": 7, "FRANCE": 5, "GERMANY": 4, "RUSSIA": 3, "TURKEY": 2}
    told = {
        "kind": "draw",
        "powers": ["ENGLAND", "ITALY"],
        "phase": "S1808M",
        "eliminated_in": {"AUSTRIA": 1803},
    }
    terms = GameSettings(scoring=system, passive=("ITALY",), first_year=1801)
    found = [
        {
            power: score.points
            for power, score in game_scores.game_scores(
                terms, variants.load("classic"), {**told, "centres": centres, "units": centres}
            ).items()
        }
        for centres in (six, {**six, "ITALY": 9})
    ]
    assert found[0].keys() == six.keys()
    assert found[0] == found[1]
