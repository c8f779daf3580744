"""A game on line of six people: nobody is Turkey, which plays by its script."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from talleyrand.web.games import open_seats, order_submission, phase_adjudication, power_assignments
from talleyrand.web.games.endings.end_proposals import EndProposalState
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, PhaseRevision
from talleyrand.web.practice.models import PracticeGame
from tests.web import cast
from tests.web.cast import BEGUN, client_of

pytestmark = pytest.mark.django_db
SIX = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA"]


@pytest.fixture
def game() -> Game:
    return cast.table("survivor_turkey")


def published(game: Game, phases: int = 1) -> Game:
    for number in range(1, phases + 1):
        game.refresh_from_db()
        phase_adjudication.adjudicate_phase(game, game.phase_number, BEGUN + timedelta(days=number))
    game.refresh_from_db()
    return game


def test_six_seats_are_made() -> None:
    client = client_of("Flora")
    answer = client.post(
        "/parties/nouvelle/", {"name": "À six", "submission": "six", "variant": "survivor_turkey"}
    )
    made = Game.objects.get()
    assert sorted(made.seats.values_list("power", flat=True)) == SIX
    page = client.get(answer["Location"]).content.decode()
    assert "6 puissances" in page


def test_turkey_moves_though_nobody_writes(game: Game) -> None:
    assert list(GameHistory(game).deciding_powers(1)) == SIX
    after = published(game, 2)
    situation = GameHistory(after).situation(after.phase_number) or {}
    assert sorted(situation["units"]["TURKEY"]) == ["A ANK", "A BUL", "A SMY", "F CON"]
    [first, second] = PhaseRevision.objects.filter(game=game, phase_number__gt=0).order_by("phase_number")
    assert first.answer
    assert second.answer
    told = [one for one in first.answer["orders"] if one["power"] == "TURKEY"]
    assert [one["order"] for one in told] == ["F ANK - CON", "A CON - BUL", "A SMY - ANK"]
    assert all(one["why"]["fr"] for one in told)
    assert second.answer["centers"]["TURKEY"] == ["ANK", "BUL", "CON", "SMY"]


def test_nobody_is_looked_for_and_nobody_votes_for_turkey(game: Game) -> None:
    assert open_seats.open_powers(game) == ()
    power_assignments.end_assignment(game, "ITALY")
    assert open_seats.open_powers(published(game)) == ("ITALY",)
    assert "TURKEY" not in EndProposalState(game).played_powers


@pytest.mark.parametrize("name", ["Flora", "Maëlle", "Oscar"])
def test_every_page_of_such_a_game(game: Game, name: str) -> None:
    after, client = published(game, 2), client_of(name)
    pages = [reverse("games:game", args=[after.key]), reverse("games:table", args=[after.key])]
    pages += [reverse(f"games:{one}", args=[after.key, 2]) for one in ("phase", "report")]
    for page in pages:
        assert client.get(page).status_code == 200, page
    assert "Turquie" in client.get(pages[2]).content.decode()


def test_a_sheet_for_turkey_is_not_taken(game: Game) -> None:
    sent = {"number": 1, "key": "k", "origin": "master", "at": BEGUN, "by": cast.person(cast.MASTER)}
    with pytest.raises(order_submission.OrdersRefusal):
        order_submission.submit_orders(game, "TURKEY", ["A Con - Smy"], **sent)  # type: ignore[arg-type]
    after = published(game)
    assert sorted((GameHistory(after).situation(2) or {})["units"]["TURKEY"]) == ["A ANK", "A BUL", "F CON"]


def test_the_computer_plays_the_five_others_on_the_practice_board() -> None:
    client = Client()
    sent = {"variant": "survivor_turkey", "mine": "FRANCE", "player": "hold", "submission": "a-game-of-six"}
    answer = client.post("/p/new/", sent)
    made = PracticeGame.objects.get()
    assert set(made.bots) == {*SIX} - {"FRANCE"}
    page = client.get(answer["Location"]).content.decode()
    assert "Survivor Turkey" in page
    assert 'value="A CON H"' not in page
    client.post("/p/new/", {**sent, "mine": "TURKEY", "submission": "another"})
    assert PracticeGame.objects.count() == 1
