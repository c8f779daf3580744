"""A game that begins with a position: set up, taken from the practice board, or refused."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand import variants
from talleyrand.formats import game_record
from talleyrand.printing import history_pdf
from talleyrand.printing.game_by_year import build_printed_history
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.lobby import game_start, membership_actions, opening_positions
from talleyrand.web.games.models import Game
from talleyrand.web.practice.models import PracticeGame
from tests.web.cast import client_of, person
from tests.web.games import test_corners
from tests.web.games.acting import fresh, hand_in, sweep_at_deadline
from tests.web.games.tables import words

pytestmark = pytest.mark.django_db
NEW, EDITOR = "/en/games/new/", "/en/p/position/"
UNITS = {"FRANCE": ["A PAR", "F MAO"], "ITALY": ["A TUN"], "RUSSIA": ["A MOS"]}
CENTRES = {"FRANCE": ["PAR", "BRE"], "ITALY": ["ROM", "TUN"], "RUSSIA": ["MOS"]}
AUTUMN = {"phase": "F1903M", "units": UNITS, "centers": CENTRES}
SUMMER = {
    "phase": "S1903R",
    "units": {"FRANCE": ["A BUR", "A PAR"], "GERMANY": ["A RUH"]},
    "dislodged": {"GERMANY": [{"unit": "A BUR", "by": "PAR"}]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER"]},
}
WINTER = {
    "phase": "W1903A",
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A RUH"], "ITALY": ["A ROM"]},
    "centers": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN"], "ITALY": ["ROM"]},
    "disorder": ["ITALY"],
    "kept_builds": {"FRANCE": 1},
}


def set_up(client: Client, asked: dict[str, Any]) -> dict[str, str]:
    """A position brought to the page that makes a game: what this one keeps of it."""
    sent = {"text": json.dumps(asked), "online": "1", "submission": "a-position-of-mine"}
    answer = client.post(EDITOR, sent)
    assert answer.status_code == 302
    query = {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}
    page = words(client.get(answer["Location"]))
    assert f'name="board" value="{query["board"]}"' in page
    return query


def make(client: Client, asked: dict[str, Any], **more: str) -> Game:
    query = set_up(client, asked)
    answer = client.post(NEW, {"name": "Midgame", "submission": "a-submission-of-mine", **query, **more})
    assert answer.status_code == 302, re.findall(r'class="[^"]*wrong[^"]*"[^>]*>([^<]*)', answer.text)
    return Game.objects.get()


def everybody_holds(game: Game) -> None:
    for power in game.seats.values_list("power", flat=True):
        hand_in(game, power, [])
    sweep_at_deadline(game)


def plain(held: dict[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(own) for power, own in held.items() if own}


def begin(game: Game, *names: str) -> Game:
    for name in names:
        membership_actions.join_game(game, person(name))
    return game_start.start_game(game, timezone.now())


@pytest.mark.parametrize(
    ("asked", "powers"),
    [(AUTUMN, "FRANCE ITALY RUSSIA"), (SUMMER, "FRANCE GERMANY"), (WINTER, "FRANCE GERMANY ITALY")],
)
def test_it_begins_with_its_phase_for_those_who_are_on_the_board(asked: dict[str, Any], powers: str) -> None:
    game = make(client_of("Flora"), asked)
    assert set(game.seats.values_list("power", flat=True)) == set(powers.split())
    begun = begin(game, *["Edmond", "Roman"][: len(powers.split()) - 1])
    assert begun.phase == asked["phase"]
    kept = begun.revisions.get(phase_number=0).next_situation
    assert kept is not None
    for name in ("units", "centers"):
        assert plain(kept[name]) == plain(asked[name])
    assert [kept.get(name) for name in ("disorder", "kept_builds")] == [
        asked.get(name) for name in ("disorder", "kept_builds")
    ]
    assert [one["unit"] for one in kept.get("dislodged", {}).get("GERMANY", [])] == (
        ["A BUR"] if asked is SUMMER else []
    )


def test_everybody_sees_it_before_the_start_and_reads_what_is_missing() -> None:
    game = make(client_of("Flora"), SUMMER)
    for client in (Client(), client_of("Flora")):
        told = words(client.get(f"/en/games/{game.key}/info/"))
        assert "Begins with a position set up beforehand: Summer 1903, retreats." in told
        assert "Not played:" in told
        assert "Austria" in told
    assert client_of("Flora").get(f"/en/games/{game.key}/").status_code == 200


@pytest.mark.long
def test_the_files_begin_there_and_say_so() -> None:
    game = begin(make(client_of("Flora"), AUTUMN, rhythm=""), "Edmond", "Roman")
    everybody_holds(game)
    assert fresh(game).phase != "F1903M"
    flora = client_of("Flora")
    told = flora.get(f"/en/games/{game.key}/game.json").json()
    record = game_record.read_game_record(told)
    assert str(record.start.phase) == "F1903M"
    assert [str(one.position.phase) for one in game_record.replay(record)] == ["F1903M"]
    text = flora.get(f"/en/games/{game.key}/game.txt").text
    assert "// The game begins with this position." in text
    assert "Tunis" in text
    printed = history_pdf.render_history_html(build_printed_history(record), "en")
    assert "from a position set up beforehand: autumn 1903, movement" in printed
    for kind in ("json", "txt"):
        sent = flora.get(f"/en/games/{game.key}/game.{kind}").text
        flora.post("/en/p/import/", {"text": sent, "submission": f"an-import-of-my-own-{kind}"})
        brought = PracticeGame.objects.latest("pk")
        assert brought.start_situation["phase"] == "F1903M"
        assert plain(brought.start_situation["units"]) == plain(UNITS)


def test_its_first_phase_is_taken_back_to_the_position() -> None:
    game = begin(make(client_of("Flora"), AUTUMN, part="master"), "Edmond", "Roman", "Agathe")
    everybody_holds(game)
    now = fresh(game)
    phase_corrections.roll_back_phase(
        now, test_corners.ground(now), hand=test_corners.hand(), now=timezone.now()
    )
    assert (fresh(game).phase, fresh(game).phase_number) == ("F1903M", 1)
    kept = GameHistory(fresh(game)).situation(1)
    assert kept
    assert plain(kept["units"]) == plain(UNITS)


REFUSED = [
    ({**AUTUMN, "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}}, "Fewer than two powers"),
    ({**AUTUMN, "units": {}, "centers": {}}, "Fewer than two powers"),
    ({"phase": "F1903M", "units": UNITS}, "does not say whose the centres are"),
    ({**AUTUMN, "phase": "F1903R"}, "No power has anything to decide"),
    ({**AUTUMN, "passive": ["FRANCE", "ITALY"]}, "Fewer than two powers"),
]


@pytest.mark.parametrize(("asked", "said"), REFUSED)
def test_a_position_nobody_could_play_is_refused(asked: dict[str, Any], said: str) -> None:
    flora = client_of("Flora")
    query = set_up(flora, asked)
    answer = flora.post(NEW, {"name": "Midgame", "submission": "a-submission-of-mine", **query})
    assert answer.status_code == 400
    assert said in words(answer)
    assert 'value="Midgame"' in answer.text  # nothing typed is lost
    assert not Game.objects.exists()


@pytest.mark.long
def test_another_variant_another_year_another_board() -> None:
    flora = client_of("Flora")
    query = set_up(flora, AUTUMN)
    for more, said in (
        ({"variant": "trio"}, "The position is for “Diplomacy”"),
        ({"last_year": "1902"}, "The game starts in 1903."),
        ({"board": "nobody-has-this-key"}, "not on the practice board any more"),
        ({"board": "\0"}, "aria-label"),
        ({"board_phase": "2"}, "not on the practice board any more"),
        ({"board_phase": "9" * 5000}, "not on the practice board any more"),
        ({"board_phase": "-1"}, "not on the practice board any more"),
        ({"board_phase": ""}, "not on the practice board any more"),
    ):
        answer = flora.post(NEW, {"name": "Midgame", "submission": "a-submission-of-mine", **query, **more})
        assert answer.status_code == 400, more
        assert said in words(answer), more
    assert "not on the practice board any more" in words(flora.get(f"{NEW}?board=%00&board_phase=x"))
    assert not Game.objects.exists()


def test_whoever_signs_in_first_keeps_the_position() -> None:
    sent = {"text": json.dumps(AUTUMN), "online": "1", "submission": "a-position-of-mine"}
    way = Client().post(EDITOR, sent)["Location"]
    answer = Client().get(way)
    assert answer.status_code == 302
    assert "board%3D" in answer["Location"] or "board=" in answer["Location"]


def test_who_goes_back_and_changes_the_position_has_another() -> None:
    flora, ways = client_of("Flora"), []
    for asked in (AUTUMN, AUTUMN, WINTER):
        sent = {"text": json.dumps(asked), "online": "1", "submission": "a-position-of-mine"}
        ways.append(flora.post(EDITOR, sent)["Location"])
    assert ways[0] == ways[1] != ways[2]


def test_a_position_too_long_or_of_nothing_stays_on_its_page() -> None:
    for text in ("x" * 20_001, "", "hello", '{"phase": "F1903M", "units": {"FRANCE": ["A NOWHERE"]}}'):
        answer = client_of("Flora").post(EDITOR, {"text": text, "online": "1"})
        assert answer.status_code == 400
    assert not PracticeGame.objects.exists()


def test_a_phase_of_the_practice_board_is_offered() -> None:
    query = set_up(client_of("Flora"), AUTUMN)
    game = PracticeGame.objects.get(shared_key=query["board"])
    told = Client().get(f"/en/p/{game.key}/").text
    assert f"{NEW}?board={game.shared_key}&amp;board_phase=1" in told
    assert game.key not in query["board"]


def test_a_variant_with_politics_begins_so_too() -> None:
    flora = client_of("Flora")
    world = flora.get("/en/p/position/?variant=diplomatie_2000").text
    text = re.search(r'<textarea id="text"[^>]*>(.*?)</textarea>', world, re.DOTALL)
    assert text
    answer = flora.post(EDITOR, {"text": text[1], "online": "1", "submission": "a-world-of-my-own"})
    query = {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}
    sent = {"name": "World", "submission": "a-submission-of-mine", "variant": "diplomatie_2000", **query}
    assert flora.post(NEW, {**sent, "diplomatie_2000-game": "long"}).status_code == 302
    game = Game.objects.get()
    assert game.settings.start["politics"]["game"] == "long"
    assert game.seats.count() == len(variants.load("diplomatie_2000").definition.seats)


def test_open_points_are_read_as_the_new_game_says_whatever_was_played() -> None:
    played = {"turns": "snake", "picks": ["BLUE PAR"]}
    opening = opening_positions.OpeningPosition(
        "", 1, variants.load("escalation_5"), "anjou_feu", {"phase": "W1900D", "politics": played}
    )
    for readings, told in (({"turns": "same"}, {}), ({}, {}), ({"turns": "snake"}, {"turns": "snake"})):
        begun = opening_positions.opening_with_readings(opening, readings)
        assert begun == {"phase": "W1900D", "politics": {"picks": ["BLUE PAR"], **told}}
