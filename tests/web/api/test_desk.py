"""The game master's desk over the API: everything his pages do, and nothing for others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import phase_adjudication
from talleyrand.web.games.models import Game, GameRole, GameState, OrderSet, PhaseRevision
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import refused
from tests.web.games.acting import all_hand_in

pytestmark = pytest.mark.django_db
Case = tuple[str, str, Any]  # a method, the end of an address, what is sent


@pytest.fixture
def game() -> Game:
    found = cast.table()
    Game.objects.update(deadline=timezone.now() + timedelta(days=1))
    found.refresh_from_db()
    return found


@pytest.fixture
def maelle(game: Game) -> Program:
    del game
    return program("Maëlle", [Scope.READ, Scope.DESK])


def place(game: Game, rest: str = "") -> str:
    return f"/games/{game.key}/desk{rest}"


def done(maelle: Program, game: Game, rest: str, sent: Any = None, method: str = "POST") -> Any:
    response = maelle.ask(method, place(game, rest), sent)
    assert response.status_code in (200, 201, 204), response.content
    return response.json() if response.content else None


def published(maelle: Program, game: Game) -> dict[str, Any]:
    all_hand_in(game)
    done(maelle, game, "/adjudicate", {"number": 1})
    found: dict[str, Any] = maelle.get(place(game, "/last")).json()
    return found


def test_what_the_phase_waits_for(maelle: Program, game: Game) -> None:
    told = maelle.get(place(game)).json()
    assert told["missing"] == list(cast.PLAYERS)
    assert {seat["state"] for seat in told["seats"]} == {"nothing"}
    sent = {"lines": ["A Par H"], "final": True}
    entered = done(maelle, game, "/phases/1/orders/FRANCE", sent)
    assert (entered["origin"], entered["receipt"]) == ("master", 1)
    assert "FRANCE" not in maelle.get(place(game)).json()["missing"]
    assert (
        done(maelle, game, "/reminders", {"number": 1})["powers"] == told["missing"][:2] + told["missing"][3:]
    )
    assert refused(maelle.ask("POST", place(game, "/reminders"), {"number": 1}), 409)["code"] == "reminded"


def test_the_deadline(maelle: Program, game: Game) -> None:
    due = game.deadline
    assert due is not None
    moved = done(maelle, game, "/deadline", {"due": due.isoformat(), "hours": 24}, "PUT")
    assert moved["due"] != due.isoformat()
    late = maelle.ask("PUT", place(game, "/deadline"), {"due": due.isoformat(), "hours": 24})
    assert refused(late, 409)["code"] == "redated"
    for wrong in ({"due": None}, {"due": None, "hours": 1, "next": True}, {"due": "2030-01-01T00:00:00"}):
        refused(maelle.ask("PUT", place(game, "/deadline"), wrong), 422)
    assert done(maelle, game, "/pause")["state"] == GameState.PAUSED
    assert done(maelle, game, "/resume", {})["state"] == GameState.PLAYING
    rule = {"dates": {"movement": {"seconds": 3600}}, "follow": True}
    assert done(maelle, game, "/dates", rule, "PUT")["terms"]["rhythm"]["movement"] == {"seconds": 3600}


def test_a_date_that_no_calendar_can_reckon_with(maelle: Program, game: Game) -> None:
    """It would stand in the log, in everybody’s news and calendars, and break each of them."""
    for until in ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00"):
        for method, rest in (("PUT", "/deadline"), ("POST", "/resume")):
            due = {"due": None} if rest == "/deadline" else {}
            refused(maelle.ask(method, place(game, rest), {**due, "until": until}), 422)


def test_a_deadline_as_it_is_told_may_be_sent_back(maelle: Program, game: Game) -> None:
    """Answers cut moments off at a millisecond; another deadline is another one all the same."""
    Game.objects.update(deadline=timezone.now().replace(microsecond=123456) + timedelta(days=1))
    told = maelle.get(place(game)).json()["due"]
    assert ".123Z" in told
    wrong = {"due": told.replace(".123Z", ".122Z"), "hours": 1}
    assert refused(maelle.ask("PUT", place(game, "/deadline"), wrong), 409)["code"] == "redated"
    assert done(maelle, game, "/deadline", {"due": told, "hours": 1}, "PUT")["due"] != told


def test_no_sheet_is_entered_where_nothing_is_to_be_decided(maelle: Program, game: Game) -> None:
    for number, line in ((1, "F Bre - MAO"), (2, "F MAO - Por")):
        done(maelle, game, f"/phases/{number}/orders/FRANCE", {"lines": [line]})
        done(maelle, game, "/adjudicate", {"number": number})
    answers = [
        maelle.ask("POST", place(game, f"/phases/{number}/orders/AUSTRIA"), {"lines": []})
        for number in (3, 4)
    ]
    assert [refused(one, 409)["code"] for one in answers] == ["idle", "moved"]


@pytest.mark.django_db(transaction=True)
def test_a_phase_that_the_clock_was_quicker_with_is_refused_as_nothing_was_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, publish = cast.table(), phase_adjudication.publish_phase
    all_hand_in(game)

    def clock() -> None:
        phase_adjudication.adjudicate_phase(game, 1, timezone.now())
        connections.close_all()

    def overtaken(*judged: Any) -> PhaseRevision | None:
        monkeypatch.setattr(phase_adjudication, "publish_phase", publish)
        with ThreadPoolExecutor(1) as other:
            other.submit(clock).result()
        return publish(*judged)

    monkeypatch.setattr(phase_adjudication, "publish_phase", overtaken)
    response = program("Maëlle", [Scope.READ, Scope.DESK]).ask(
        "POST", place(game, "/adjudicate"), {"number": 1}
    )
    assert refused(response, 409)["code"] == "moved"
    assert PhaseRevision.objects.filter(game=game, phase_number=1).count() == 1


def test_judging_and_what_is_taken_back(maelle: Program, game: Game) -> None:
    shown = maelle.get(place(game, "/preview")).json()
    assert shown["missing"] == list(cast.PLAYERS)
    assert "seed" not in shown["question"]
    last = published(maelle, game)
    assert (last["number"], last["revision"], last["phase"]) == (1, 1, "S1901M")
    assert refused(maelle.ask("POST", place(game, "/adjudicate"), {"number": 1}), 409)["code"] == "moved"
    ground = {"number": 1, "revision": 1}
    assert done(maelle, game, "/take-back", ground)["number"] == 1
    assert refused(maelle.ask("POST", place(game, "/take-back"), ground), 409)["code"] == "moved"


def test_a_correction_and_the_judge_again(maelle: Program, game: Game) -> None:
    published(maelle, game)
    ground = {"number": 1, "revision": 1, "reason": "Une feuille mal lue."}
    text = maelle.get(place(game, "/last")).json()["text"]
    other = text.replace("A Galicie", "A Bohême")
    assert other != text
    done(maelle, game, "/position", {**ground, "text": other})
    told = maelle.get(place(game, "/last")).json()
    assert told["corrected"]
    assert (
        refused(maelle.ask("POST", place(game, "/position"), {**ground, "text": other}), 409)["code"]
        == "moved"
    )
    done(maelle, game, "/restore", {"number": told["number"], "revision": told["revision"]})
    last = maelle.get(place(game, "/last")).json()
    fact = {"number": last["number"], "revision": last["revision"], "reason": "Erreur."}
    changes = [{"at": 0, "results": ["bounces"]}]
    assert done(maelle, game, "/override", {**fact, "changes": changes})["number"] == 2
    for wrong in ({"at": 900, "results": ["holds"]}, {"at": 0, "results": ["nonsense"]}):
        refused(maelle.ask("POST", place(game, "/override"), {**fact, "changes": [wrong]}), 422)
    refused(maelle.ask("POST", place(game, "/position"), {**fact, "text": "rien"}), 422)


def test_seats(maelle: Program, game: Game) -> None:
    cast.person("Renaud")
    seat = maelle.get(place(game, "/seats/FRANCE")).json()
    assert [one["player"] for one in seat["history"]] == ["Flora"]
    given = {"name": "renaud", "mark": seat["mark"], "stand_in": True}
    replaced = done(maelle, game, "/seats/FRANCE/player", given, "PUT")
    assert replaced["stood_in"]
    assert refused(maelle.ask("PUT", place(game, "/seats/FRANCE/player"), given), 409)["code"]
    back = done(maelle, game, "/seats/FRANCE/end-stand-in", {"mark": replaced["mark"]})
    assert not back["stood_in"]
    lost = done(maelle, game, "/seats/FRANCE/disorder", {"disorder": True}, "PUT")
    assert lost["disorder"]
    assert not done(maelle, game, "/seats/FRANCE/disorder", {"disorder": False}, "PUT")["disorder"]
    freed = done(maelle, game, "/seats/FRANCE/vacate", {"mark": back["mark"]})
    link = done(maelle, game, "/seats/FRANCE/invitation")
    assert (link["power"], link["once"]) == ("FRANCE", True)
    assert freed["history"][-1]["until"]
    refused(maelle.get(place(game, "/seats/NOWHERE")), 404)


def test_a_latecomer_in_a_script_s_seat_and_the_script_again(maelle: Program) -> None:
    game = cast.table("survivor_turkey")
    cast.person("Renaud")
    seat, given = place(game, "/seats/TURKEY"), {"name": "renaud", "mark": 0}
    refused(maelle.get(seat), 404)
    assert (
        refused(maelle.ask("PUT", f"{seat}/player", {**given, "name": "Personne"}), 409)["code"] == "nobody"
    )
    taken = done(maelle, game, "/seats/TURKEY/player", given, "PUT")
    assert [one["player"] for one in taken["history"]] == ["Renaud"]
    assert maelle.ask("POST", f"{seat}/script").status_code == 204
    refused(maelle.ask("POST", f"{seat}/script"), 404)
    told = refused(maelle.ask("POST", place(game, "/seats/FRANCE/script")), 409)
    assert told["code"] == "unscripted"


def test_roles_words_and_the_end(maelle: Program, game: Game) -> None:
    cast.person("Renaud")
    done(maelle, game, "/people", {"name": "Renaud", "role": "observer"})
    assert refused(maelle.ask("POST", place(game, "/people"), {"name": "Personne", "role": "observer"}), 409)
    found = game.memberships.get(person__name="Renaud", left_at=None)
    done(maelle, game, f"/people/{found.pk}", method="DELETE")
    words = maelle.ask("POST", f"/games/{game.key}/gazettes", {"number": 0, "text": "Bonne chance !"}).json()
    assert program("Flora").get(f"/games/{game.key}/gazettes").json()["items"] == [words]
    assert maelle.ask("DELETE", f"/games/{game.key}/gazettes/{words['id']}").status_code == 204
    done(maelle, game, "/reveal")
    ended = done(maelle, game, "/end", {"powers": ["FRANCE", "ENGLAND"]})
    assert (ended["state"], ended["result"]["powers"]) == ("ended", ["ENGLAND", "FRANCE"])
    assert done(maelle, game, "/reopen")["state"] == GameState.PLAYING
    assert done(maelle, game, "/abandon", {"reason": "Tout le monde est parti."})["state"] == "abandoned"


MASTERS: list[Case] = [
    ("GET", "/preview", None),
    ("GET", "/last", None),
    ("PUT", "/dates", {"dates": {"movement": {"seconds": 3600}}}),
    ("POST", "/adjudicate", {"number": 1}),
    ("POST", "/phases/1/orders/FRANCE", {"lines": []}),
    ("GET", "/seats/FRANCE", None),
    ("PUT", "/seats/FRANCE/player", {"name": "Sylvain", "mark": 0}),
    ("POST", "/seats/FRANCE/end-stand-in", {"mark": 0}),
    ("POST", "/seats/FRANCE/script", None),
    ("POST", "/seats/FRANCE/vacate", {"mark": 0}),
    ("PUT", "/seats/FRANCE/disorder", {"disorder": True}),
    ("POST", "/seats/FRANCE/invitation", None),
    ("POST", "/people", {"name": "Sylvain", "role": "master"}),
    ("DELETE", "/people/1", None),
    ("POST", "/reveal", None),
    ("POST", "/end", {"powers": []}),
    ("POST", "/abandon", {"reason": "x"}),
    ("POST", "/reopen", None),
    ("POST", "/take-back", {"number": 1, "revision": 1}),
    ("POST", "/restore", {"number": 1, "revision": 1}),
    ("POST", "/override", {"number": 1, "revision": 1, "changes": [], "reason": "x"}),
    ("POST", "/position", {"number": 1, "revision": 1, "reason": "x"}),
]
BOTH: list[Case] = [
    ("GET", "", None),
    ("PUT", "/deadline", {"due": None, "hours": 1}),
    ("POST", "/pause", None),
    ("POST", "/resume", {}),
    ("POST", "/reminders", {"number": 1}),
    ("POST", "/retry", None),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("method", "rest", "sent"), MASTERS + BOTH)
def test_there_is_no_desk_for_others(game: Game, method: str, rest: str, sent: Any) -> None:
    for name in ("Flora", "Oscar", "Sylvain"):
        refused(program(name).ask(method, place(game, rest), sent), 404)
    if (method, rest, sent) in MASTERS:
        refused(program("Armand").ask(method, place(game, rest), sent), 404)
    refused(program("Maëlle", [Scope.READ, Scope.ORDERS]).ask(method, place(game, rest), sent), 403)
    game.refresh_from_db()
    assert (game.state, game.phase_number) == (GameState.PLAYING, 1)
    assert not OrderSet.objects.exists()
    assert game.memberships.filter(role=GameRole.GAME_MASTER, left_at=None).count() == 1


def test_an_assistant_has_the_clock(game: Game) -> None:
    armand = program("Armand", [Scope.DESK])
    assert armand.ask("POST", place(game, "/pause")).json()["state"] == GameState.PAUSED
    assert armand.get(place(game)).json()["seats"][0]["state"] == "nothing"
