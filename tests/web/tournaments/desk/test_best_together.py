"""The draft says what the best together cost, and takes them for that price once it is accepted."""

from dataclasses import replace

import pytest

from talleyrand.tournament.model import TogetherWish
from talleyrand.web.tournaments import tournament_creation
from tests.tournament.room import done
from tests.tournament.test_best_together import draw, third_round
from tests.web.tournaments import scene

from .director import Desk, refusal

pytestmark = pytest.mark.django_db


def drafted() -> Desk:
    event = third_round()
    return Desk(tournament_creation.create_tournament(done(event, draw(event, 3)), scene.director()))


def wish(desk: Desk) -> TogetherWish:
    drawn = desk.event.rounds[3].drawn
    assert drawn is not None
    assert drawn.wish is not None
    return drawn.wish


@pytest.mark.long
def test_the_price_is_accepted_and_given_back() -> None:
    desk = drafted()
    told, seats = wish(desk), desk.event.rounds[3].boards
    page = desk.get("desk_draw", 3).content.decode()
    assert f"{told.together_free} paires sur {told.pairs}" in page
    assert f"rencontres répétées {told.meetings}, " in page
    refused = desk.post("desk_draw", 3, press="redo?wish=paid", lot="7", submission="a")
    assert refused.status_code == 409
    assert refusal(refused) == "Acceptez d’abord le prix\u00a0: cochez la case."
    assert desk.event.rounds[3].boards == seats
    desk.press("desk_draw", 3, press="redo?wish=paid", accepted="1", lot="7", submission="b")
    assert wish(desk) == replace(told, granted=True)
    desk.press("desk_draw", 3, press="redo", lot="7", submission="c")
    assert wish(desk).granted, "drawn again from another lot, what was accepted is"
    desk.press("desk_draw", 3, press="redo?wish=free", lot="7", submission="d")
    assert not wish(desk).granted


@pytest.mark.one_in(5)
@pytest.mark.parametrize("typed", ["", "paid ", "PAID", "x" * 500, "\u0000"])
def test_another_word_for_it_pays_nothing(typed: str) -> None:
    desk = drafted()
    desk.press("desk_draw", 3, press="redo", wish=typed, accepted="1", lot="7", submission="a")
    assert not wish(desk).granted
