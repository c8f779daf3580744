"""One's own orders over the API: drafts, sheets, receipts."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import timezone

from talleyrand.web.api.entry_point import api_view
from talleyrand.web.api.scopes import Scope
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.boards.order_drafts import DraftLine
from talleyrand.web.games import game_lifecycle, order_submission, phase_adjudication, power_assignments
from talleyrand.web.games.models import Game, GameSeat, OrderSet
from talleyrand.web.limits.thread_pool import SCOPE_RECEIVED
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import refused
from tests.web.games.phases import first_winter

pytestmark = pytest.mark.django_db
LINES = ["A Par - Bou", "F Bre - MAO"]


@pytest.fixture
def game() -> Game:
    found = cast.table()
    Game.objects.update(deadline=timezone.now() + timedelta(days=1))
    found.refresh_from_db()
    return found


@pytest.fixture
def flora(game: Game) -> Program:
    return program("Flora", [Scope.ORDERS])


def place(game: Game, rest: str = "", power: str = "FRANCE", number: int = 1) -> str:
    return f"/games/{game.key}/phases/{number}/orders/{power}{rest}"


def test_a_draft_then_a_sheet(flora: Program, game: Game) -> None:
    assert flora.get(place(game)).json()["state"] == "nothing"
    drafted = flora.ask("PUT", place(game, "/draft"), {"lines": LINES}).json()
    assert (drafted["state"], drafted["draft"], drafted["sheet"]) == ("draft", LINES, None)
    assert [one["order"] for one in drafted["understood"]] == ["A PAR - BUR", "F BRE - MAO"]
    response = flora.ask("POST", place(game, "/sheets"), {"lines": LINES})
    assert response.status_code == 201
    receipt = response.json()
    assert receipt["receipt"] == 1
    assert receipt["origin"] == "program"
    assert receipt["counts"]
    assert receipt["digest"] == order_submission.order_set_digest(game, "FRANCE", LINES)
    assert flora.get(place(game)).json()["state"] == "saved"
    assert OrderSet.objects.get().lines == LINES


def test_a_build_that_cannot_be_is_told_with_those_that_can(flora: Program) -> None:
    game = first_winter()
    Game.objects.update(deadline=timezone.now() + timedelta(days=1))
    drafted = flora.ask(
        "PUT", place(game, "/draft", number=game.phase_number), {"lines": ["A Par", "F Mar"]}
    ).json()
    wrong, right = drafted["understood"]
    assert (wrong["order"], right["order"], right["error"]) == ("A PAR B", "F MAR B", None)
    assert "Paris" in wrong["error"]
    sheet = {"lines": ["A Par"]}
    handed = flora.ask("POST", place(game, "/sheets", number=game.phase_number), sheet).json()
    read = flora.get(place(game, f"/sheets/{handed['receipt']}", number=game.phase_number)).json()
    assert "A Marseille ou F Marseille" in read["understood"][0]["error"]


def test_sent_twice_is_one_sheet(flora: Program, game: Game) -> None:
    sent = {"lines": LINES}
    first = flora.ask("POST", place(game, "/sheets"), sent, Idempotency_Key="once-and-for-all")
    again = flora.ask("POST", place(game, "/sheets"), sent, Idempotency_Key="once-and-for-all")
    assert first.json() == again.json()
    other = flora.ask("POST", place(game, "/sheets"), {"lines": []}, Idempotency_Key="once-and-for-all")
    assert refused(other, 409)["code"] == "repeated"
    assert OrderSet.objects.count() == 1


def test_without_a_word_each_is_another(flora: Program, game: Game) -> None:
    for _twice in range(2):
        flora.ask("POST", place(game, "/sheets"), {"lines": LINES})
    assert OrderSet.objects.count() == 2


def test_a_sheet_is_as_early_as_its_request(flora: Program, game: Game, rf: RequestFactory) -> None:
    """However long it waited for its turn, as on the pages."""
    moment = timezone.now() - timedelta(minutes=2)
    Game.objects.update(deadline=moment + timedelta(minutes=1))
    late = flora.ask("POST", place(game, "/sheets"), {"lines": LINES})
    assert refused(late, 409)["code"] == "late"
    for method, rest, sent in (
        ("PUT", "/draft", {"lines": LINES}),
        ("POST", "/sheets", {"lines": LINES}),
        ("PUT", "/final", {"final": True}),
    ):
        path = place(game, rest)
        request = rf.generic(method, f"/api{path}", json.dumps(sent), "application/json", headers=flora.head)
        request.scope = {SCOPE_RECEIVED: moment}  # type: ignore[attr-defined]
        assert api_view(request, path[1:]).status_code in (200, 201)
    assert OrderSet.objects.get().received_at == moment


def test_a_token_for_orders_reads_ones_own(flora: Program, game: Game) -> None:
    """A game master reads everybody’s at his desk, with a token for that."""
    flora.ask("POST", place(game, "/sheets"), {"lines": LINES})
    for rest in ("/sheets", "/sheets/1", "/sheets/2"):
        refused(program("Maëlle", [Scope.ORDERS]).get(place(game, rest)), 403)
        refused(program("Armand", [Scope.ORDERS, Scope.DESK]).get(place(game, rest)), 404)
    assert (
        program("Maëlle", [Scope.ORDERS, Scope.DESK]).get(place(game, "/sheets/1")).json()["lines"] == LINES
    )


def test_a_list_does_not_tell_how_much_others_hand_in(flora: Program, game: Game) -> None:
    for power in ("AUSTRIA", "FRANCE", "FRANCE"):
        order_submission.submit_orders(game, power, [], number=1, key="", origin="map", at=timezone.now())
    assert flora.get(place(game, "/sheets?limit=1")).json()["next"] == "1"


@pytest.mark.parametrize("word", ["short", "a" * 65, "avec espace", "é" * 12])
def test_words_that_are_none(flora: Program, game: Game, word: str) -> None:
    refused(flora.ask("POST", place(game, "/sheets"), {"lines": []}, Idempotency_Key=word), 422)
    assert OrderSet.objects.count() == 0


def test_final_and_back(flora: Program, game: Game) -> None:
    assert refused(flora.ask("PUT", place(game, "/final"), {"final": True}), 409)["code"] == "nothing"
    flora.ask("POST", place(game, "/sheets"), {"lines": LINES, "final": True})
    assert flora.get(place(game)).json()["state"] == "final"
    assert flora.ask("PUT", place(game, "/final"), {"final": False}).json()["state"] == "saved"


def test_an_empty_sheet_is_a_sheet(flora: Program, game: Game) -> None:
    assert flora.ask("POST", place(game, "/sheets"), {"lines": []}).status_code == 201


WRONG: dict[str, Any] = {
    "nothing": None,
    "no lines": {},
    "one line": {"lines": "A Par - Bou"},
    "no text": {"lines": [7]},
    "null": {"lines": None},
    "two lines in one": {"lines": ["A Par - Bou\nF Bre - MAO"]},
    "a NUL": {"lines": ["A Par\0"]},
    "too long": {"lines": ["A" * 1001]},
    "too many": {"lines": ["A Par H"] * 401},
    "not text": {"lines": ["A Par \u202e Bou"]},
    "half a sign": {"lines": ["\ud800"]},
    "another field": {"lines": [], "power": "GERMANY"},
    "an opening that is none": {"lines": [], "opening": "x"},
    "final, perhaps": {"lines": [], "final": "maybe"},
}


def test_what_is_no_sheet(flora: Program, game: Game) -> None:
    for kind, sent in WRONG.items():
        for method, rest in (("POST", "/sheets"), ("PUT", "/draft")):
            assert flora.ask(method, place(game, rest), sent).status_code == 422, kind
    assert OrderSet.objects.count() == 0


@pytest.mark.parametrize(
    ("method", "rest", "sent"),
    [
        ("GET", "", None),
        ("GET", "/sheets", None),
        ("GET", "/sheets/1", None),
        ("PUT", "/draft", {"lines": []}),
        ("POST", "/sheets", {"lines": []}),
        ("PUT", "/final", {"final": True}),
    ],
)
def test_anothers_orders_are_not_there(flora: Program, game: Game, method: str, rest: str, sent: Any) -> None:
    program("Gaspard").ask("POST", place(game, "/sheets", "GERMANY"), {"lines": ["A Mun H"]})
    for power in ("GERMANY", "NOWHERE", "france", "F" * 50):
        response = flora.ask(method, place(game, rest, power), sent)
        assert response.status_code == (404 if power in ("GERMANY", "NOWHERE") else 422)
    assert OrderSet.objects.count() == 1


def test_the_game_master_reads_all_and_orders_none(game: Game, flora: Program) -> None:
    flora.ask("POST", place(game, "/sheets"), {"lines": LINES})
    maelle = program(cast.MASTER)
    assert len(maelle.get(place(game, "/sheets")).json()["items"]) == 1
    assert maelle.get(place(game, "/sheets/1")).json()["lines"] == LINES
    refused(maelle.ask("POST", place(game, "/sheets"), {"lines": []}), 404)
    refused(program(cast.ASSISTANT).get(place(game, "/sheets")), 404)


def test_reading_alone_hands_in_nothing(game: Game) -> None:
    asking = program("Flora", [scope for scope in Scope if scope != Scope.ORDERS])
    refused(asking.ask("POST", place(game, "/sheets"), {"lines": LINES}), 403)
    refused(asking.get(place(game)), 403)


def test_too_late(flora: Program, game: Game) -> None:
    Game.objects.update(deadline=timezone.now() - timedelta(seconds=1))
    assert refused(flora.ask("POST", place(game, "/sheets"), {"lines": LINES}), 409)["code"] == "late"
    assert refused(flora.ask("PUT", place(game, "/draft"), {"lines": LINES}), 409)["code"] == "late"


def test_the_wrong_phase(flora: Program, game: Game) -> None:
    assert refused(flora.ask("POST", place(game, "/sheets", number=2), {"lines": []}), 409)["code"] == "moved"
    phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    assert refused(flora.ask("POST", place(game, "/sheets"), {"lines": []}), 409)["code"] == "moved"
    refused(flora.get(place(game)), 404)


def test_another_opening(flora: Program, game: Game) -> None:
    """A phase taken back is opened anew: what was made for the first opening may be meant otherwise."""
    opening = program("Flora").get(f"/games/{game.key}/phases").json()["open"]["opening"]
    sent = {"lines": LINES, "opening": opening}
    assert flora.ask("POST", place(game, "/sheets"), sent).status_code == 201
    Game.objects.update(phase_opened_at=timezone.now())
    assert refused(flora.ask("POST", place(game, "/sheets"), sent), 409)["code"] == "moved"


def test_the_game_is_over(flora: Program, game: Game) -> None:
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    assert refused(flora.ask("POST", place(game, "/sheets"), {"lines": []}), 409)["code"] == "over"


def test_before_the_start() -> None:
    game = cast.table(begun=False)
    response = program("Flora").ask("POST", place(game, "/sheets"), {"lines": []})
    assert refused(response, 409)["code"] == "not_begun"


def test_whoever_was_replaced_hands_in_nothing(flora: Program, game: Game) -> None:
    power_assignments.end_assignment(game, "FRANCE")
    refused(flora.ask("POST", place(game, "/sheets"), {"lines": []}), 404)


def test_sheets_a_part_at_a_time(flora: Program, game: Game) -> None:
    for _number in range(3):
        flora.ask("POST", place(game, "/sheets"), {"lines": []})
    first = flora.get(place(game, "/sheets?limit=2")).json()
    second = flora.get(place(game, f"/sheets?limit=2&after={first['next']}")).json()
    told = [*first["items"], *second["items"]]
    assert [one["receipt"] for one in told] == [1, 2, 3]
    assert [one["counts"] for one in told] == [False, False, True]
    assert second["next"] is None


@pytest.mark.django_db(transaction=True)
def test_what_is_done_but_cannot_be_read_back_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """No refusal: that would say that nothing has changed."""
    game = cast.table()
    Game.objects.update(deadline=timezone.now() + timedelta(days=1))
    flora = program("Flora", [Scope.ORDERS])
    flora.client.raise_request_exception = False

    def unreadable(_sheet: OrderSet) -> list[DraftLine]:
        raise QuestionRefusal("Illisible.")

    monkeypatch.setattr(order_submission, "understood_lines", unreadable)
    response = flora.ask("POST", place(game, "/sheets"), {"lines": LINES})
    assert refused(response, 500)["code"] == "our_fault"
    assert OrderSet.objects.get().lines == LINES


@pytest.mark.django_db(transaction=True)
def test_a_change_that_another_window_overtook_is_refused_as_nothing_was_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, write = cast.table(), order_submission._redraft
    Game.objects.update(deadline=timezone.now() + timedelta(days=1))

    def overtaken(seat: GameSeat, *more: Any) -> bool:
        GameSeat.objects.filter(pk=seat.pk).update(draft_orders=["A Par H"], draft_phase_number=1)
        written = write(seat, *more)
        Game.objects.update(deadline=timezone.now() - timedelta(days=1))
        return written

    monkeypatch.setattr(order_submission, "_redraft", overtaken)
    response = program("Flora", [Scope.ORDERS]).ask("PUT", place(game, "/draft"), {"lines": LINES})
    assert refused(response, 409)["code"] == "late"
    assert GameSeat.objects.get(game=game, power="FRANCE").draft_orders == ["A Par H"]


@pytest.mark.django_db(transaction=True)
def test_what_is_refused_before_anything_is_done_stays_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    game = cast.table()
    Game.objects.update(deadline=timezone.now() + timedelta(days=1))

    def unreadable(*_asked: object, **_more: object) -> OrderSet:
        raise QuestionRefusal("Illisible.")

    monkeypatch.setattr(order_submission, "submit_orders", unreadable)
    flora = program("Flora", [Scope.ORDERS])
    response = flora.ask("POST", place(game, "/sheets"), {"lines": LINES})
    assert refused(response, 422)["sentence"] == "Illisible."
    assert not OrderSet.objects.exists()
