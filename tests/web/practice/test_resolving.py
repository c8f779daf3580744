"""Resolving, twice, in two windows at once, in the past; taking back; the end."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

from talleyrand.web.boards import adjudicator
from talleyrand.web.practice.models import PracticeGame
from tests.web.conftest import Player, begin


@pytest.mark.django_db
def test_results_say_why(player: Player) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Par-Bou\nALLEMAGNE\nA Mun-Bou"})
    response = player.client.get(player.resolve(1)["Location"])
    assert "rebond" in response.text
    assert "attaque aussi la Bourgogne, à force égale" in response.text
    english = player.client.get(f"/en/p/{player.game.key}/1/")
    assert "attacks Burgundy too, equally strong" in english.text


@pytest.mark.django_db
def test_the_same_submission_twice_is_one_turn(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    first, second = player.resolve(1), player.resolve(1)
    assert first["Location"] == second["Location"]
    assert player.game.turns.count() == 1


@pytest.mark.django_db
def test_the_second_window_is_told_and_loses_nothing(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    player.draft(1, {"orders": {"MAR": "A MAR - SPA"}})
    player.resolve(1, "the-first-window")
    response = player.client.post(
        player.address("1/resolve/"), {"submission": "the-second-window", "scripted": "1"}, follow=True
    )
    assert "autre fenêtre" in response.text
    assert player.game.turns.get().orders == {"FRANCE": ["A Par - Bou", "A Mar - Esp"]}


@pytest.mark.django_db
def test_orders_for_a_phase_already_played_are_told(player: Player) -> None:
    player.resolve(1)
    response = player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    assert response.status_code == 409
    answer = json.loads(response.content)
    assert answer["moved"]
    assert "autre fenêtre" in answer["message"]


@pytest.mark.django_db(transaction=True)
def test_many_windows_resolving_at_once_play_one_turn() -> None:
    game = begin()

    def one(number: int) -> int:
        try:
            return int(Player(Client(), game).resolve(1, f"window-number-{number:04}").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(one, range(8)))
    assert statuses == [302] * 8
    assert game.turns.count() == 1


@pytest.mark.django_db(transaction=True)
def test_many_windows_ordering_at_once_keep_every_order() -> None:
    game = begin()
    orders = {"PAR": "A PAR - BUR", "MAR": "A MAR - SPA", "BRE": "F BRE - MAO", "LON": "F LON - NTH"}

    def one(order: tuple[str, str]) -> int:
        try:
            return int(Player(Client(), game).draft(1, {"orders": dict([order])}).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(one, orders.items())) == [200] * 4
    game.refresh_from_db()
    assert sorted(line for lines in game.draft_orders.values() for line in lines) == [
        "A Mar - Esp",
        "A Par - Bou",
        "F Bre - AtM",
        "F Lon - Nrd",
    ]


@pytest.mark.django_db
def test_an_order_that_arrives_while_resolving_is_played_or_refused(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judging happens outside the transaction: what changed meanwhile is judged again."""
    judge = adjudicator.adjudicate
    pending = [{"orders": {"PAR": "A PAR - BUR"}}]

    def slow(question: adjudicator.Question, orders: adjudicator.Lines) -> adjudicator.Answer:
        answer = judge(question, orders)
        if pending:
            assert player.draft(1, pending.pop()).status_code == 200
        return answer

    monkeypatch.setattr(adjudicator, "adjudicate", slow)
    player.resolve(1)
    turn = player.game.turns.get()
    assert turn.orders == {"FRANCE": ["A Par - Bou"]}
    assert "A BUR" in turn.answer["units"]["FRANCE"]


@pytest.mark.django_db
@pytest.mark.parametrize("submission", ["", "short", "x" * 65, "é" * 20, "a\x00b" * 8])
def test_a_request_cut_in_half_resolves_nothing(player: Player, submission: str) -> None:
    response = player.client.post(
        player.address("1/resolve/"), {"submission": submission, "scripted": "1"}, follow=True
    )
    assert "incomplète" in response.text
    assert not player.game.turns.exists()


@pytest.mark.django_db
def test_taking_back_gives_the_orders_back(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    player.resolve(1)
    response = player.client.post(player.address("1/back/"), follow=True)
    assert "Retour à cette phase, avec ses ordres" in response.text
    assert player.refresh().draft_orders == {"FRANCE": ["A Par - Bou"]}
    again = player.client.post(player.address("1/back/"), follow=True)
    assert "autre fenêtre" in again.text
    assert player.refresh().draft_orders == {"FRANCE": ["A Par - Bou"]}


@pytest.mark.django_db
def test_only_the_last_phase_is_taken_back(player: Player) -> None:
    player.resolve(1, "submission-number-1")
    player.resolve(2, "submission-number-2")
    player.client.post(player.address("1/back/"))
    assert player.game.turns.count() == 2
    player.client.post(player.address("2/back/"))
    assert player.game.turns.count() == 1


@pytest.mark.django_db
def test_retreats_are_played(player: Player) -> None:
    sheet = "FRANCE\nA Bou-Mun\nA Tyr S A Bou-Mun\nALLEMAGNE\nA Mun H"
    player.game = begin(units={"FRANCE": ["A BUR", "A TYR"], "GERMANY": ["A MUN"]})
    player.draft(1, {"sheet": sheet})
    page = player.client.get(player.resolve(1)["Location"]).text
    assert "dislogée" in page
    retreat = player.client.get(player.address("2/")).text
    assert "Été 1901" in retreat
    assert '<option value="A MUN R BER"' in retreat
    answer = json.loads(player.draft(2, {"orders": {"MUN": "A MUN R BER"}}).content)
    assert answer["given"] == {"MUN": "A MUN R BER"}
    player.resolve(2, "the-retreat-s-submission")
    assert "A BER" in player.game.turns.last().answer["units"]["GERMANY"]  # type: ignore[union-attr]


@pytest.mark.django_db
def test_the_end_of_a_game(player: Player) -> None:
    owned = "PAR MAR BRE POR SPA BEL HOL LON LVP EDI MUN BER KIE DEN SWE NWY VEN ROM".split()  # noqa: SIM905
    player.game = begin(phase="F1907M", units={"FRANCE": ["A PAR"]}, centers={"FRANCE": owned})
    player.resolve(1)
    end = player.client.get(player.address("2/"))
    assert "Victoire\u00a0: France" in end.text
    assert (
        json.loads(player.draft(2, {"orders": {"PAR": "A PAR H"}}).content)["message"]
        == "La partie est finie."
    )
    finished = player.client.post(
        player.address("2/resolve/"), {"submission": "after-the-end-of-all", "scripted": "1"}, follow=True
    )
    assert "La partie est finie" in finished.text
    assert player.client.get(player.address("2/map.svg")).status_code == 200
    assert PracticeGame.objects.get(pk=player.game.pk).turns.count() == 1


@pytest.mark.django_db
def test_the_draft_of_trio_and_its_first_year(player: Player) -> None:
    player.game = begin("trio")
    page = player.client.get(player.address()).text
    assert '<option value="P FRO B"' in page
    player.draft(1, {"orders": {"FRO": "P FRO B", "NEE": "F NEE/WC B", "BEA": "A BEA B", "HEA": "A HEA B"}})
    after = player.client.get(player.resolve(1)["Location"]).text
    assert "construite" in after
    second = player.client.get(player.address("2/")).text
    assert '<option value="P FRO - PEA"' in second
