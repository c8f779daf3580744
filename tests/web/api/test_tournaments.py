"""Tournaments over the API: what all may read, and the desk."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages.tournament_sentences import tournament_refusal
from talleyrand.tournament import acts, codec, standings
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import standings_json
from talleyrand.web.api.scopes import Scope
from talleyrand.web.tournaments import access_tokens, event_documents, event_journal, tournament_creation
from talleyrand.web.tournaments.models import AccessToken, Tournament
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import refused
from tests.web.tournaments import scene, weekend
from tests.web.tournaments.visibility import secrets

pytestmark = pytest.mark.django_db
PUBLIC = ("", "/event", "/people", "/rounds/1", "/rounds/1/clock", "/standings", "/prizes", "/rulings")


@pytest.fixture
def played() -> Tournament:
    """Two rounds over, a third being played; Maëlle directs it, Armand helps."""
    made = weekend.tournament()
    scene.assistant(made)
    return made


@pytest.fixture
def desk() -> Program:
    return program(cast.MASTER, [Scope.TOURNAMENTS])


def fresh(made: Tournament) -> Event:
    return event_documents.event_of(Tournament.objects.get(pk=made.pk))


def act(asked: Program, made: Tournament, *done: dict[str, Any], **head: str) -> Any:
    return asked.ask("POST", f"/tournaments/{made.key}/desk/acts", {"acts": list(done)}, **head)


def test_everybody_reads_it_without_a_token(played: Tournament) -> None:
    """Pages of other sites too; asked again, what has not changed is not sent again."""
    for part in PUBLIC:
        response = Program().get(f"/tournaments/{played.key}{part}")
        assert response.status_code == 200, (part, response.content)
        assert response["Cache-Control"] == "public, no-cache"
        assert response["Access-Control-Allow-Origin"] == "*"
        if part != "/rounds/1/clock":
            again = Program().get(f"/tournaments/{played.key}{part}", If_None_Match=response["ETag"])
            assert (again.status_code, again.content) == (304, b"")
    mine = program("Flora", [Scope.READ]).get(f"/tournaments/{played.key}")
    assert mine["Cache-Control"] == "private, no-cache"
    assert "Access-Control-Allow-Origin" not in mine


def test_a_bad_token_is_none_at_an_open_door(played: Tournament) -> None:
    refused(Program("tly_" + "a" * 43).get(f"/tournaments/{played.key}"), 401)
    refused(program("Flora", [Scope.ACCOUNT]).get(f"/tournaments/{played.key}"), 403)


def test_lists(played: Tournament, desk: Program) -> None:
    assert Program().get("/tournaments").json() == {"items": [], "next": None}  # it is over since July
    past = Program().get("/tournaments?show=past").json()["items"]
    assert [(one["key"], one["opens"], one["role"]) for one in past] == [(played.key, "2026-07-03", "")]
    assert Program().get("/tournaments?show=mine").json()["items"] == []
    mine = program(cast.MASTER, [Scope.READ]).get("/tournaments?show=mine").json()["items"]
    assert [(one["key"], one["role"]) for one in mine] == [(played.key, "director")]
    Tournament.objects.update(is_listed=False)
    assert Program().get("/tournaments?show=past").json()["items"] == []


def test_the_public_file_gives_the_same_standings(played: Tournament) -> None:
    told = Program().get(f"/tournaments/{played.key}/event").json()
    again = codec.read_value(Event, told)
    there = Program().get(f"/tournaments/{played.key}/standings").json()
    assert there == standings_json.standings_as_json(again, standings.compute_standings(again))
    assert there["standings"][0]["place"] == 1
    assert there["standings"][0]["working"][0]["fr"]


def test_a_round_with_its_boards(played: Tournament) -> None:
    told = Program().get(f"/tournaments/{played.key}/rounds/1").json()
    held = fresh(played).rounds[1].boards[2]
    (board,) = [one for one in told["boards"] if one["number"] == 2]
    assert board["variant"] == "survivor_turkey"
    assert [seat["people"] for seat in board["seats"] if seat["power"] == "TURKEY"] == [[]]
    assert held.result is not None
    assert board["result"]["centres"] == held.result.centres
    assert board["result"]["confirmed"] is True
    for none in ("rounds/9", "rounds/9/clock", "standings?through=9", "standings?now=true"):
        refused(Program().get(f"/tournaments/{played.key}/{none}"), 404)
    refused(Program().get("/tournaments/nowhere"), 404)
    refused(Program().get(f"/tournaments/{played.key}/rounds/0"), 422)


def test_prizes_are_told_in_the_end(played: Tournament, desk: Program) -> None:
    before = Program().get(f"/tournaments/{played.key}/prizes").json()
    assert not before["shown"]
    assert not any(one["holders"] for one in before["items"])
    event = replace(fresh(played), over=True)
    row = tournament_creation.create_tournament(event, scene.director())
    Tournament.objects.filter(pk=row.pk).update(is_listed=True)
    after = Program().get(f"/tournaments/{row.key}/prizes").json()
    assert after["shown"]
    assert any(one["holders"] for one in after["items"])


def test_nothing_tells_a_secret() -> None:
    """Neither to a visitor, nor to a stranger with every scope, nor to the director who only reads."""
    made = secrets.tournament()
    asking = (Program(), program(cast.STRANGER), program(cast.MASTER, [Scope.READ]))
    paths = [f"/tournaments/{made.key}{part}" for part in PUBLIC]
    paths += [f"/tournaments/{made.key}/rounds/{number}" for number in (2, 3, 4)]
    for asked in asking:
        told = "".join(asked.get(path).content.decode() for path in paths)
        found = [name for name, (marks, _who) in secrets.SECRETS.items() if any(one in told for one in marks)]
        assert found == []
    Tournament.objects.filter(pk=made.pk).update(is_listed=False)
    for path in (*paths, f"/tournaments/{made.key}/desk"):
        nowhere = program(cast.STRANGER).get(path.replace(made.key, "nowhere"))
        hidden = program(cast.STRANGER).get(path)
        assert (hidden.status_code, hidden.content) == (404, nowhere.content)


def test_a_player_sees_the_result_of_his_own_board(played: Tournament, desk: Program) -> None:
    """Before it is confirmed, as on his page; nobody else does."""
    event = fresh(played)
    who = next(seat.person for seat in event.rounds[3].boards[1].seats.values() if seat.person)
    AccessToken.objects.update_or_create(
        tournament=played, person_number=who, defaults={"account": cast.person("Flora")}
    )
    assert access_tokens.person_of_account(played, cast.person("Flora")) == who
    entered = _enter(desk, played)
    assert entered.status_code == 200, entered.content
    path = f"/tournaments/{played.key}/rounds/3"
    mine = program("Flora", [Scope.READ]).get(path).json()["boards"][0]["result"]
    assert (mine["confirmed"], mine["digest"]) == (False, _digest(desk, played))
    assert Program().get(path).json()["boards"][0]["result"] is None


def _enter(asked: Program, made: Tournament, first: int = 7, **head: str) -> Any:
    powers = list(fresh(made).rounds[3].boards[1].seats)
    centres = dict(zip(powers, (first, 34 - first - 5, 1, 1, 1, 1, 1), strict=True))
    sent = {"result": {"centres": centres, "year": 1907}}
    return asked.ask("POST", f"/tournaments/{made.key}/rounds/3/boards/1/result", sent, **head)


def _digest(asked: Program, made: Tournament) -> str:
    from talleyrand.tournament.acts.result_acts import result_digest

    result = fresh(made).rounds[3].boards[1].result
    assert result is not None
    return result_digest(result)


def test_a_result_is_entered_confirmed_and_taken_back(played: Tournament, desk: Program) -> None:
    before = fresh(played)
    first, again = (_enter(desk, played, Idempotency_Key="board-1-of-3") for _turn in range(2))
    assert first.json() == again.json() == {"entry": 1, "version": 1}
    path = f"/tournaments/{played.key}/rounds/3/boards/1/result/confirm"
    assert refused(desk.ask("POST", path, {"digest": "0" * 12}), 409)["code"] == "act_result_changed"
    done = desk.ask("POST", path, {"digest": _digest(desk, played)})
    assert done.json() == {"entry": 2, "version": 2}
    assert desk.ask("POST", path, {"digest": _digest(desk, played)}).json()["entry"] is None
    changed = refused(_enter(desk, played, first=6), 409)
    assert changed["code"] == "act_result_changed"
    first_of_all = f"/tournaments/{played.key}/desk/log/1/undo"
    assert refused(desk.ask("POST", first_of_all), 409)["code"] == "act_changed_since"
    for number in (2, 1):
        assert desk.ask("POST", f"/tournaments/{played.key}/desk/log/{number}/undo").status_code == 200
    assert fresh(played) == before
    log = desk.get(f"/tournaments/{played.key}/desk/log").json()["items"]
    assert [(one["number"], one["undoes"], one["by"]) for one in log[:2]] == [
        (4, 1, cast.MASTER),
        (3, 2, cast.MASTER),
    ]
    refused(desk.ask("POST", f"/tournaments/{played.key}/desk/log/99/undo"), 404)


def test_somebody_is_checked_in_and_out(played: Tournament, desk: Program) -> None:
    act(desk, played, {"kind": "round_opened", "round": 4})
    path = f"/tournaments/{played.key}/rounds/4/presence/2"
    for present in (True, True, False, False):
        assert desk.ask("PUT", path, {"present": present}).status_code == 200
        assert (2 in fresh(played).rounds[4].present) == present
    gone = refused(desk.ask("PUT", f"{path}99", {"present": True}), 409)
    assert gone["code"] == "act_no_person"
    refused(desk.ask("PUT", path, {}), 422)


def test_whoever_was_overtaken_is_told_so(played: Tournament, desk: Program) -> None:
    read = desk.get(f"/tournaments/{played.key}/desk")
    assert (read["ETag"], read.json()["version"]) == ('"0"', 0)
    assert desk.get(f"/tournaments/{played.key}/desk", If_None_Match='"0"').status_code == 304
    rename = {"kind": "renamed", "name": "Angers"}
    assert act(desk, played, rename, If_Match='"0"').json() == {"entry": 1, "version": 1}
    late = refused(act(desk, played, {**rename, "name": "Saumur"}, If_Match='"0"'), 412)
    assert late["code"] == "act_overtaken"
    assert fresh(played).name == "Angers"
    refused(act(desk, played, rename, If_Match="0"), 422)


def test_several_acts_are_one_entry_or_nothing(played: Tournament, desk: Program) -> None:
    ruling = {"kind": "ruling_added", "ruling": {"at": "2026-07-04T10:00:00Z", "text": "Zut"}}
    bad = act(desk, played, ruling, {"kind": "withdrew", "person": 99, "gone": True})
    assert refused(bad, 409)["code"] == "act_no_person"
    assert fresh(played).rulings == {}
    assert act(desk, played, ruling, {"kind": "renamed", "name": "Ici"}).json()["entry"] == 1
    log = desk.get(f"/tournaments/{played.key}/desk/log").json()["items"][0]
    assert [one["kind"] for one in log["acts"]] == ["ruling_added", "renamed"]
    assert "Zut" in log["sentence"]


NONSENSE: dict[str, Any] = {
    "no kind": {},
    "no such kind": {"kind": "zz"},
    "a number for a kind": {"kind": 7},
    "a field too many": {"kind": "renamed", "name": "a", "zz": 1},
    "a field too few": {"kind": "renamed"},
    "another type": {"kind": "renamed", "name": ["a"]},
    "no sign for a name": {"kind": "renamed", "name": "a\u0000"},
    "deep inside": {"kind": "person_added", "person": {"name": "a", "private": {"born": 3}}},
    "for another": {
        "kind": "result_confirmed",
        "round": 3,
        "board": 1,
        "by": "2",
        "digest": "",
    },
}


@pytest.mark.parametrize("sent", NONSENSE.values(), ids=NONSENSE)
def test_what_is_no_act_is_refused(sent: dict[str, Any], played: Tournament, desk: Program) -> None:
    told = refused(act(desk, played, sent), 422)
    assert told["fields"][0]["where"].startswith("body.acts.0")
    assert told["fields"][0]["sentence"]
    assert Tournament.objects.get(pk=played.pk).version == 0


@pytest.mark.parametrize("body", [{}, {"acts": []}, {"acts": [1]}, {"acts": "renamed"}, [], None])
def test_what_holds_no_acts_is_refused(body: Any, played: Tournament, desk: Program) -> None:
    refused(desk.ask("POST", f"/tournaments/{played.key}/desk/acts", body), 422)


def test_an_assistant_does_what_he_may_at_his_desk(played: Tournament) -> None:
    asked = program(cast.ASSISTANT, [Scope.TOURNAMENTS])
    told = refused(act(asked, played, {"kind": "renamed", "name": "Chez moi"}), 403)
    assert told["code"] == "act_director_only"
    assert asked.get(f"/tournaments/{played.key}/desk").json()["role"] == "assistant"
    assert _enter(asked, played).status_code == 200
    event_journal.perform_acts(
        played,
        [acts.read_act({"kind": "renamed", "name": "Là"})],
        event_journal.JournalActor(scene.director()),
    )
    undo = asked.ask("POST", f"/tournaments/{played.key}/desk/log/2/undo")
    assert refused(undo, 403)["code"] == "act_director_only"


def test_nobody_uses_anothers_word(played: Tournament, desk: Program) -> None:
    """The same word of two people is two words."""
    once = {"Idempotency_Key": "everybodys-word"}
    other = program(cast.ASSISTANT, [Scope.TOURNAMENTS])
    ruling = {"kind": "ruling_added", "ruling": {"at": "2026-07-04T10:00:00Z", "text": "Zut"}}
    assert act(desk, played, ruling, **once).json()["entry"] == 1
    assert act(other, played, ruling, **once).json()["entry"] == 2


def test_the_desk_sees_all_rounds(desk: Program) -> None:
    made = secrets.tournament()
    assert (
        desk.get(f"/tournaments/{made.key}/desk").json()["event"]
        == Tournament.objects.get(pk=made.pk).document
    )
    hidden = desk.get(f"/tournaments/{made.key}/desk/standings").json()
    shown = Program().get(f"/tournaments/{made.key}/standings").json()
    assert (hidden["through"], shown["through"]) == (4, 1)


def test_every_refusal_has_its_sentence(played: Tournament) -> None:
    """In the language that was asked for."""
    for language in ("fr", "en"):
        asked = program(cast.MASTER, [Scope.TOURNAMENTS], language)
        told = refused(act(asked, played, {"kind": "withdrew", "person": 99, "gone": True}), 409)
        error: TalleyrandError = ActRefused("act_no_person", number="99")
        assert told["sentence"] == tournament_refusal(error, {})[language]
    assert json.dumps(told)
