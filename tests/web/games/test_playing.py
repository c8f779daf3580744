"""Giving orders in a game on line: the four states, the receipts, and what nobody should send."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.boards.order_drafts import LONGEST_LINE
from talleyrand.web.games import order_submission
from talleyrand.web.games.deadlines.date_texts import day_text
from talleyrand.web.games.models import Game, GameState, OrderSet
from tests.web.games.playing import Window, played, running

pytestmark = pytest.mark.django_db
LINES = ["A Par - Bou", "A Mar - Esp"]


@pytest.fixture
def flora() -> Window:
    return Window(running(), "Flora")


def state(window: Window) -> str:
    """What the head of the page says of the sheet, in words."""
    page = window.get().text
    found = re.search(r'class="my-powers".*?class="words">([^<]+)', page, re.DOTALL)
    assert found
    return found[1]


def test_the_four_states_are_told_in_words(flora: Window) -> None:
    assert state(flora) == "pas d’ordres"
    flora.draft({"orders": {"PAR": "A PAR - BUR"}})
    assert state(flora) == "brouillon, non envoyé"
    flora.act("hand_in", LINES)
    assert state(flora) == "envoyés"
    flora.act("final", LINES, submission="t" * 22)
    assert state(flora) == "prêt"
    flora.act("open_again", LINES)
    assert state(flora) == "envoyés"


def test_a_sheet_is_acknowledged_with_its_receipt_and_what_was_understood(flora: Window) -> None:
    answer = json.loads(flora.act("hand_in", [*LINES, "F Brest dort"]).content)
    sheet = OrderSet.objects.get()
    assert (sheet.power, sheet.receipt_number, sheet.lines) == ("FRANCE", 1, [*LINES, "F Brest dort"])
    at = timezone.localtime(sheet.received_at)
    assert f"Ordres nº\u00a01 reçus le {day_text(f'{at:%m-%d}', 'fr')} à {at:%H:%M:%S}" in answer["message"]
    assert sheet.digest[:8] in answer["message"]
    assert "Lignes comprises\u00a0: 2 sur 3" in answer["message"]
    assert "Sans ordre, sur place : Flotte Brest".replace(" :", "\u00a0:") in answer["message"]
    assert "F Brest dort" in answer["readings"]
    assert answer["current"] is True


def test_fewer_orders_than_units_or_none_at_all_is_never_absent(flora: Window) -> None:
    flora.act("final", [])
    assert order_submission.order_states(flora.game, 1)["FRANCE"] == "final"
    page = flora.get().text
    assert "Armée Paris, Flotte Brest" in page or "Flotte Brest, Armée" in page
    assert played(flora.game, {}).powers_without_orders == []


def test_a_draft_that_differs_is_told_and_the_sheet_comes_back(flora: Window) -> None:
    flora.act("hand_in", LINES)
    answer = json.loads(flora.draft({"orders": {"BRE": "F BRE - MAO"}}).content)
    assert "Votre brouillon diffère" in answer["standing"]
    assert answer["current"] is False
    page = flora.get().text
    assert "nº\u00a01" in page
    back = flora.post("restore/", receipt="1")
    assert back.status_code == 302
    assert flora.seat.draft_orders == LINES
    assert "Votre brouillon diffère" not in flora.get().text


def test_the_same_key_twice_is_one_sheet_and_other_orders_under_it_are_another(flora: Window) -> None:
    first = json.loads(flora.act("hand_in", LINES).content)
    again = json.loads(flora.act("hand_in", LINES).content)
    assert first["message"] == again["message"]
    assert OrderSet.objects.count() == 1
    flora.act("hand_in", ["A Par - Pic"])
    assert [one.lines for one in OrderSet.objects.all()] == [LINES, ["A Par - Pic"]]
    stale = json.loads(flora.act("hand_in", LINES).content)  # the first request, come late
    assert "les nº\u00a02, reçus depuis, comptent" in stale["message"]
    assert order_submission.counting_order_sets(flora.game, 1)["FRANCE"].receipt_number == 2


def test_receipts_are_listed_and_readable(flora: Window) -> None:
    flora.act("hand_in", LINES)
    flora.act("hand_in", ["A Par - Pic"], submission="u" * 22)
    page = flora.get().text
    assert page.index(">nº\u00a02</a>") < page.index(">nº\u00a01</a>")
    one = flora.get("1/receipts/FRANCE/1/").text
    assert "A Par - Bou" in one
    assert OrderSet.objects.get(receipt_number=1).digest in one


def test_without_scripts_the_menus_and_the_sheet_are_forms(flora: Window) -> None:
    flora.post(action="save", **{"order-PAR": "A PAR - BUR"})
    assert flora.seat.draft_orders == ["A Par - Bou"]
    assert not OrderSet.objects.exists()
    page = flora.client.post(
        flora.address("1/orders/FRANCE/"),
        {"submission": "f" * 22, "action": "hand_in", "order-PAR": "A PAR - BUR", "order-BRE": "F BRE - MAO"},
        follow=True,
    ).text
    assert "Ordres nº\u00a01 reçus" in page
    assert OrderSet.objects.get().lines == ["A Par - Bou", "F Bre - AtM"]
    flora.post(action="final", sheet="A Par - Pic", submission="g" * 22)
    assert (OrderSet.objects.last().lines, OrderSet.objects.last().is_ready) == (["A Par - Pic"], True)  # type: ignore[union-attr]
    flora.post(action="open_again", sheet="A Par - Pic")
    assert order_submission.order_states(flora.game, 1)["FRANCE"] == "saved"


def late(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - timedelta(hours=1))


def over(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED, ended_at=timezone.now())


def moved(game: Game) -> None:
    played(game)


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        (late, "L’échéance est passée"),
        (over, "La partie est finie"),
        (moved, "Cette phase n’est plus en cours\u00a0: ces ordres n’ont pas été"),
    ],
)
def test_what_comes_too_late_is_told_and_nothing_typed_is_lost(
    flora: Window, happens: Any, said: str
) -> None:
    happens(flora.game)
    before = OrderSet.objects.count()
    answers = [flora.draft({"sheet": "A Par - Bou"}), flora.act("hand_in", LINES)]
    for answer in answers:
        assert answer.status_code == 409
        assert said in json.loads(answer.content)["message"]
    page = flora.post(action="hand_in", sheet="A Par - Bou\nA Mar tient")
    assert page.status_code == 409
    assert said in page.text
    assert "A Mar tient" in page.text
    menus = flora.post(action="hand_in", **{"order-PAR": "A PAR - BUR"})
    assert "A PAR - BUR</textarea>" in menus.text
    assert OrderSet.objects.count() == before


def test_a_pause_lets_orders_be_prepared_and_handed_in(flora: Window) -> None:
    Game.objects.filter(pk=flora.game.pk).update(
        state=GameState.PAUSED, deadline=None, time_left_when_paused=timedelta(hours=5)
    )
    assert "La partie est en pause" in flora.get().text
    assert flora.act("hand_in", LINES).status_code == 200


BAD: list[tuple[str, bytes, int]] = [
    ("nothing", b" ", 400),
    ("a list", b"[]", 400),
    ("cut off", b'{"action": "hand_in", "lines": {"FRA', 400),
    ("another encoding", '{"action": "hand_in", "lines": {"FRANCE": ["é"]}}'.encode("latin-1"), 400),
    ("no lines", b'{"action": "hand_in"}', 400),
    ("lines of nobody", b'{"action": "hand_in", "lines": ["A Par - Bou"]}', 400),
    ("another power", b'{"action": "hand_in", "lines": {"GERMANY": ["A Mun - Bou"]}}', 400),
    ("two powers", b'{"action": "hand_in", "lines": {"FRANCE": [], "GERMANY": ["A Mun - Bou"]}}', 400),
    ("numbers", b'{"action": "hand_in", "lines": {"FRANCE": [1, 2]}}', 400),
    ("a wish unknown", b'{"action": "adjudicate", "lines": {"FRANCE": []}}', 400),
    ("two lines in one", b'{"action": "hand_in", "lines": {"FRANCE": ["A Par H\\nA Mar H"]}}', 400),
    ("control characters", b'{"action": "hand_in", "lines": {"FRANCE": ["A Par \\u0000 H"]}}', 400),
    (
        "a long line",
        json.dumps({"action": "hand_in", "lines": {"FRANCE": ["x" * (LONGEST_LINE + 1)]}}).encode(),
        400,
    ),
    ("too many", json.dumps({"action": "hand_in", "lines": {"FRANCE": ["A Par H"] * 401}}).encode(), 400),
    ("huge", json.dumps({"action": "hand_in", "lines": {"FRANCE": ["x" * 700_000]}}).encode(), 413),
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("body", "status"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_sheets_change_nothing_and_get_a_sentence(flora: Window, body: bytes, status: int) -> None:
    flora.draft({"sheet": "A Par - Bou"})
    answer = flora.raw("1/orders/FRANCE/", body)
    assert answer.status_code == status
    assert json.loads(answer.content)["message"]
    assert flora.seat.draft_orders == ["A Par - Bou"]
    assert not OrderSet.objects.exists()


def test_a_form_without_a_wish_changes_nothing(flora: Window) -> None:
    flora.draft({"sheet": "A Par - Bou"})
    for sent in ({}, {"action": "adjudicate"}, {"action": "hand_in", "sheet": "x" * (LONGEST_LINE + 1)}):
        assert flora.post(**sent).status_code == 400
    assert not OrderSet.objects.exists()
    assert flora.seat.draft_orders == ["A Par - Bou"]


BAD_CHANGES: list[tuple[str, Any]] = [
    ("another power's unit", {"orders": {"MUN": "A MUN - BUR"}}),
    ("another power's line", {"sheet": "ALLEMAGNE\nA Mun - Bou"}),
    ("another power's lines", {"lines": {"GERMANY": ["A Mun - Bou"]}}),
    ("an illegal order", {"orders": {"PAR": "A PAR - MOS"}}),
    ("nothing", {}),
    ("too long", {"sheet": "x" * 100_001}),
    ("control", {"sheet": "A Par \x07 - Bou"}),
]


@pytest.mark.parametrize("change", [row[1] for row in BAD_CHANGES], ids=[row[0] for row in BAD_CHANGES])
def test_bad_changes_of_the_draft_change_nothing(flora: Window, change: Any) -> None:
    flora.draft({"sheet": "A Par - Bou"})
    answer = flora.draft(change)
    assert answer.status_code == 400
    assert json.loads(answer.content)["message"]
    assert flora.seat.draft_orders == ["A Par - Bou"]


@pytest.mark.parametrize(
    "path",
    [
        "1/orders/GERMANY/draft/",
        "1/orders/GERMANY/",
        "1/orders/GERMANY/restore/",
        "1/orders/france/",
        "1/orders/NOBODY/",
    ],
)
def test_another_power_is_not_there(flora: Window, path: str) -> None:
    assert flora.raw(path, b'{"action": "hand_in", "lines": {"GERMANY": []}}').status_code == 404
    assert not OrderSet.objects.exists()


@pytest.mark.parametrize("name", ["Maëlle", "Armand", "Oscar", "Sylvain", "Gaspard", ""])
def test_only_its_player_orders_a_power(flora: Window, name: str) -> None:
    other = Window(flora.game, name)
    assert other.draft({"sheet": "A Par - Bou"}).status_code == 404
    assert other.act("hand_in", LINES).status_code == 404
    assert other.post(action="hand_in", sheet="A Par - Bou").status_code == 404
    assert not OrderSet.objects.exists()


@pytest.mark.parametrize("number", [0, 2, 99, 10**20])
def test_a_number_that_is_not_open_takes_nothing(flora: Window, number: int) -> None:
    assert flora.act("hand_in", LINES, number=number).status_code in (404, 409)
    assert flora.draft({"sheet": "A Par - Bou"}, number=number).status_code in (404, 409)
    assert not OrderSet.objects.exists()


def test_a_game_that_is_not_there(flora: Window) -> None:
    flora.game.key = "nothere"
    assert flora.act("hand_in", LINES).status_code == 404


def test_receipts_of_others_are_not_there(flora: Window) -> None:
    flora.act("hand_in", LINES)
    for name in ("Gaspard", "Armand", "Oscar", "Sylvain", ""):
        assert Window(flora.game, name).get("1/receipts/FRANCE/1/").status_code == 404
    assert Window(flora.game, "Maëlle").get("1/receipts/FRANCE/1/").status_code == 200
    gaspard = Window(flora.game, "Gaspard", power="GERMANY")
    for receipt in ("1", "0", "", "x", "9" * 30):
        assert gaspard.post("restore/", receipt=receipt).status_code == 404


def test_forms_need_their_token(flora: Window) -> None:
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    strict.cookies = flora.client.cookies
    assert strict.post(flora.address("1/orders/FRANCE/"), {"action": "hand_in"}).status_code == 403
