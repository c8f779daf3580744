"""Games, phases, files and dates over the API."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand import variants
from talleyrand.formats import adjudication
from talleyrand.formats import question_input as questioning
from talleyrand.formats.position_json import write_position
from talleyrand.web.api.endpoints import adjudication_api
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import phase_adjudication
from talleyrand.web.games.models import Game
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import LONG, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """Autumn 1901 is open, spring is published."""
    found, now = cast.table(), timezone.now()
    Game.objects.update(deadline=now + timedelta(days=1))
    _hand_in(found, "FRANCE", "A Paris - Bourgogne", "F Bre - MAO", "charabia")
    phase_adjudication.adjudicate_phase(found, 1, now)
    found.refresh_from_db()
    return found


def _hand_in(game: Game, power: str, *lines: str) -> None:
    path = f"/games/{game.key}/phases/{game.phase_number}/orders/{power}/sheets"
    sent = {"lines": list(lines)}
    response = program(cast.PLAYERS[power], [Scope.ORDERS]).ask("POST", path, sent)
    assert response.status_code == 201, response.content


@pytest.fixture
def flora(game: Game) -> Program:
    return program("Flora", [Scope.READ])


def test_ones_games(flora: Program, game: Game) -> None:
    (told,) = flora.get("/games").json()["items"]
    assert (told["key"], told["role"], told["powers"]) == (game.key, "player", ["FRANCE"])
    assert told["phase"] == "F1901M"


def test_games_a_part_at_a_time(flora: Program) -> None:
    for _number in range(4):
        cast.table()
    seen: list[str] = []
    path = "/games?limit=2"
    while True:
        part = flora.get(path).json()
        seen += [one["key"] for one in part["items"]]
        if part["next"] is None:
            break
        path = f"/games?limit=2&start={part['next']}"
    assert len(seen) == len(set(seen)) == 5


@pytest.mark.parametrize(
    "query", ["show=all", "limit=0", "limit=101", "limit=x", "start=-1", "variant=%00", "start=9" + "9" * 30]
)
def test_games_asked_for_by_nonsense(flora: Program, query: str) -> None:
    refused(flora.get(f"/games?{query}"), 422)


def test_one_game(flora: Program, game: Game) -> None:
    told = flora.get(f"/games/{game.key}").json()
    assert told["terms"]["absent"] == "extend"
    assert [seat["player"] for seat in told["seats"]] == [None] * 7
    assert "seed" not in told


def test_the_game_master_knows_who_plays(game: Game) -> None:
    told = program(cast.MASTER).get(f"/games/{game.key}").json()
    assert {seat["power"]: seat["player"] for seat in told["seats"]} == cast.PLAYERS


def test_a_game_one_may_not_open_is_not_there(game: Game) -> None:
    Game.objects.update(is_listed=False)
    stranger = program(cast.STRANGER)
    closed = [stranger.get(path.replace("KEY", game.key)) for path in PATHS]
    absent = [stranger.get(path.replace("KEY", "nowhere")) for path in PATHS]
    assert [one.content for one in closed] == [one.content for one in absent]
    assert {one.status_code for one in closed} == {404}


PATHS = (
    "/games/KEY",
    "/games/KEY/log",
    "/games/KEY/phases",
    "/games/KEY/phases/1",
    "/games/KEY/phases/1/revisions",
    "/games/KEY/phases/1/options",
    "/games/KEY/phases/1/why/PAR",
    "/games/KEY/phases/1/map.svg",
    "/games/KEY/phases/2/orders/FRANCE",
    "/games/KEY/phases/2/orders/FRANCE/sheets",
    "/games/KEY/phases/2/orders/FRANCE/sheets/1",
    "/games/KEY/record",
    "/games/KEY/record.txt",
)


def test_phases(flora: Program, game: Game) -> None:
    told = flora.get(f"/games/{game.key}/phases").json()
    assert [one["phase"] for one in told["items"]] == ["S1901M"]
    assert told["open"]["phase"] == "F1901M"
    assert "FRANCE" in told["open"]["choosers"]
    assert not {"seed", "orders"} & told["open"]["question"].keys()


def test_a_published_phase(flora: Program, game: Game) -> None:
    """Nobody learns from it in which language somebody wrote."""
    told = flora.get(f"/games/{game.key}/phases/1").json()
    assert told["question"]["orders"]["FRANCE"] == ["A PAR - BUR", "F BRE - MAO", "charabia"]
    lines = {one["unit"]: one["line"] for one in told["answer"]["orders"] if one["unit"]}
    assert lines["A PAR"] == "A PAR - BUR"
    assert "A BUR" in told["after"]["units"]["FRANCE"]
    assert "A Paris - Bourgogne" not in str(told)


def test_a_correction_is_a_new_revision_at_its_own_address(flora: Program, game: Game) -> None:
    first = flora.get(f"/games/{game.key}/phases/1").json()
    address = first["address"].removeprefix("/api")
    before = flora.get(address)
    assert before.json() == first
    revision = game.revisions.get(phase_number=1)
    revision.is_current, revision.withdrawn_at = False, timezone.now()
    revision.save()
    revision.pk, revision.revision, revision.kind = None, 2, "edit"
    revision.is_current, revision.withdrawn_at, revision.digest = True, None, "f" * 64
    revision.save()
    second = flora.get(f"/games/{game.key}/phases/1").json()
    assert second["address"] != first["address"]
    assert second["revision"] == 2
    after = flora.get(address).json()
    assert after["answer"] == first["answer"]
    assert not after["current"]
    listed = flora.get(f"/games/{game.key}/phases/1/revisions").json()["items"]
    assert [one["address"] for one in listed] == [first["address"], second["address"]]
    refused(flora.get(f"{address[:-1]}{'0' if address[-1] != '0' else '1'}"), 404)


def test_a_phase_is_not_sent_twice(flora: Program, game: Game) -> None:
    path = flora.get(f"/games/{game.key}/phases/1").json()["address"].removeprefix("/api")
    tag = flora.get(path)
    assert tag["Cache-Control"] == "private, no-cache"
    assert not tag["ETag"].startswith("W/")
    assert flora.get(path, If_None_Match=tag["ETag"]).status_code == 304


@pytest.mark.parametrize("number", ["0", "2", "99", "-1", "x", "9" * 40])
def test_phases_that_are_not_published(flora: Program, game: Game, number: str) -> None:
    assert flora.get(f"/games/{game.key}/phases/{number}").status_code in (404, 422)


def test_legal_orders(flora: Program, game: Game) -> None:
    told = flora.get(f"/games/{game.key}/phases/2/options").json()["options"]
    assert "A BUR - MUN" in told["FRANCE"]


def test_why(flora: Program, game: Game) -> None:
    told = flora.get(f"/games/{game.key}/phases/1/why/PAR").json()
    assert told["steps"]
    assert "Bourgogne" in told["order"]
    refused(flora.get(f"/games/{game.key}/phases/1/why/XXX"), 404)
    refused(flora.get(f"/games/{game.key}/phases/2/why/PAR"), 404)


def test_files(flora: Program, game: Game) -> None:
    record = flora.get(f"/games/{game.key}/record").json()
    assert record["phases"][0]["orders"]["FRANCE"][0] == "A PAR - BUR"
    assert record["seed"] == ""
    text = flora.get(f"/games/{game.key}/record.txt")
    assert text["Content-Type"].startswith("text/plain")
    drawn = flora.get(f"/games/{game.key}/phases/1/map.svg")
    assert drawn["Content-Type"].startswith("image/svg+xml")
    refused(flora.get(f"/games/{game.key}/record.exe"), 422)


def test_the_log(flora: Program, game: Game) -> None:
    told = flora.get(f"/games/{game.key}/log").json()
    kinds = [one["kind"] for one in told["items"]]
    assert kinds.index("published") < kinds.index("begun")
    assert {one["person"] for one in told["items"]} == {None}
    first = flora.get(f"/games/{game.key}/log?limit=1").json()
    second = flora.get(f"/games/{game.key}/log?limit=1&after={first['next']}").json()
    assert [*first["items"], *second["items"]] == told["items"][:2]


def test_before_the_start() -> None:
    game = cast.table(begun=False)
    flora = program("Flora")
    assert flora.get(f"/games/{game.key}/phases").json() == {"items": [], "open": None}
    for path in ("record", "phases/1", "phases/1/options", "phases/1/map.svg", "record.txt"):
        refused(flora.get(f"/games/{game.key}/{path}"), 404)


def test_dates(game: Game) -> None:
    asking = program("Flora")
    due = timezone.now() + timedelta(days=1)
    Game.objects.update(deadline=due)
    (told,) = asking.get("/calendar").json()["items"]
    assert (told["game"], told["phase"]) == (game.key, "F1901M")
    assert told["due"].endswith("Z")
    first = asking.get("/calendar/feed").json()["address"]
    second = asking.ask("POST", "/calendar/feed/renew").json()["address"]
    assert first != second
    assert asking.get("/calendar/feed").json()["address"] == second


def test_the_address_of_a_calendar_needs_more_than_reading(flora: Program) -> None:
    refused(flora.get("/calendar/feed"), 403)


QUESTION: dict[str, Any] = {
    "id": 7,
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
    "orders": {"FRANCE": ["A Par - Bou"], "GERMANY": ["A Mun - Bur"]},
}


def test_the_judge() -> None:
    asking = program("Flora", [Scope.READ])
    told = asking.ask("POST", "/judge", QUESTION).json()
    assert told["id"] == 7
    assert [one["results"] for one in told["orders"]] == [["bounces"], ["bounces"]]
    read = asking.ask("POST", "/judge/read", QUESTION).json()
    assert [one["order"] for one in read["orders"]] == ["A PAR - BUR", "A MUN - BUR"]
    assert "A PAR - GAS" in asking.ask("POST", "/judge/options", QUESTION).json()["FRANCE"]["A PAR"]


RETREAT: dict[str, Any] = {
    "phase": "S1901R",
    "units": {"GERMANY": ["A PAR"]},
    "dislodged": {"FRANCE": [{"unit": "A PAR", "by": "BUR"}]},
    "contested": ["GAS"],
    "orders": {"FRANCE": ["A Par - Pic"]},
}
VOTE: dict[str, Any] = {
    "variant": "diplomatie_2000",
    "phase": "F2001M",
    "units": {"CHIN": ["A PYO"]},
    "politics": {"proposals": {"UMAR": ["1A RUSS 20"]}, "aid": {"ETUN": ["MEXI", None, None]}},
    "orders": {"CHIN": ["1) UMAR"]},
}


@pytest.mark.parametrize("question", [RETREAT, VOTE], ids=["dislodged", "politics"])
def test_the_judge_has_the_whole_question(question: dict[str, Any]) -> None:
    """The same answer as `talleyrand adjudicate` gives, for every field of its questions."""
    asking = program("Flora", [Scope.READ])
    sent = {**question, "seed": "1", "unheard_of": 1}
    for path, ask in (
        ("", adjudication.adjudicate_question),
        ("/read", adjudication.read_question_orders),
        ("/options", adjudication.legal_orders),
    ):
        assert asking.ask("POST", f"/judge{path}", sent).json() == json.loads(json.dumps(ask(sent)))
    told = asking.ask("POST", "/judge", sent).json()
    assert told["orders"][0]["error"] is None
    assert [note["kind"] for note in told["notes"]] == ["field_unknown"]


def test_every_field_of_a_question_is_in_the_reference() -> None:
    assert set(adjudication_api.QuestionIn.model_fields) == questioning.QUESTION_FIELDS


def test_a_whole_season_of_the_world_is_judged() -> None:
    variant = variants.load("diplomatie_2000")
    position = write_position(variant.definition.start, variant.board)
    units: Any = position["units"]
    orders = {seat: [f"{unit} H" for unit in names] for seat, names in units.items() if seat != "ONU"}
    for seat in orders:
        orders[seat] += ["1) Aucune", "Aide : 1 : UCEN"]
    sent = {"variant": variant.name, "phase": "F2001M", "units": units, "orders": orders}
    assert sum(map(len, orders.values())) > 160
    told = program("Flora", [Scope.READ]).ask("POST", "/judge", sent)
    assert told.status_code == 200, told.content
    many = {**sent, "orders": {**orders, "UMAR": orders["UMAR"] * 90}}
    refused(program("Flora", [Scope.READ]).ask("POST", "/judge", many), 422)


WRONG: dict[str, dict[str, Any]] = {
    "no phase": {"units": {}},
    "an unknown variant": {**QUESTION, "variant": "../../etc"},
    "an unknown book": {**QUESTION, "rulebook": "/etc/passwd"},
    "an unknown option": {**QUESTION, "rulebook": {"extends": "datc", "options": {"x": "y"}}},
    "an unknown phase": {**QUESTION, "phase": "X1901M"},
    "a year without end": {**QUESTION, "phase": "S" + "9" * 50 + "M"},
    "two units in one place": {**QUESTION, "units": {"FRANCE": ["A PAR", "A PAR"]}},
    "another kind": {**QUESTION, "units": ["A PAR"]},
    "too many lines": {**QUESTION, "orders": {"FRANCE": ["A Par - Bou"] * 101}},
    "a line without end": {**QUESTION, "orders": {"FRANCE": ["A" * 1001]}},
    "no question": {},
}


@pytest.mark.parametrize("kind", WRONG)
def test_questions_without_an_answer(kind: str) -> None:
    refused(program("Flora", [Scope.READ]).ask("POST", "/judge", WRONG[kind]), 422)


def test_a_question_too_large() -> None:
    question = {**QUESTION, "more": "a" * 200_000}
    refused(program("Flora", [Scope.READ]).ask("POST", "/judge", question), 413)


def test_whoever_has_much_judged_waits(settings: Any) -> None:
    settings.API_RATES = {**settings.API_RATES, "work": (2, LONG)}
    asking = program("Flora", [Scope.READ])
    answers = [asking.ask("POST", "/judge", QUESTION).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    assert program("Flora", [Scope.READ]).ask("POST", "/judge", QUESTION).status_code == 429, "another token"
    assert asking.get("/variants").status_code == 200


def test_boards_and_books() -> None:
    asking = program("Flora", [Scope.READ])
    boards = asking.get("/variants").json()["items"]
    assert "classic" in [one["name"] for one in boards]
    assert asking.get("/variants/classic").json()["victory"] == 18
    assert asking.get("/variants/survivor_turkey").json()["scripted"] == ["TURKEY"]
    assert "anjou_feu" in [one["name"] for one in asking.get("/rulebooks").json()["items"]]
    assert asking.get("/rulebooks/anjou_feu").json()["options"]["convoy_paradox"]["value"]
    refused(asking.get("/rulebooks/nothing"), 404)
    refused(asking.get("/variants/nothing"), 404)
