"""Whoever may only look sees nothing of what is in preparation, at any address there is."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.test import Client

from talleyrand.web.practice import practice_bot_tasks as thinking
from talleyrand.web.practice import urls
from talleyrand.web.practice.models import PracticeBotTask, PracticeGame
from tests.web.conftest import Player

pytestmark = pytest.mark.django_db
FORMS = ("svg", "txt", "json")  # a PNG is made of the SVG, the PDF of a game of the phases played
CHANCE = re.compile(r'(nonce="|csrfmiddlewaretoken" value="|name="submission" value=")[^"]*')


def addresses(game: PracticeGame, number: int) -> Iterator[str]:
    """Every address for those who look, with each form of file."""
    for pattern in urls.urlpatterns:
        route = str(pattern.pattern)
        if not route.startswith("s/"):
            continue
        route = route.replace("<str:shared>", game.shared_key).replace("<int:number>", str(number))
        route = route.replace("<str:province>", "PAR").replace("<str:paper>", "a4")
        yield from {f"/{route.replace('<str:form>', form)}" for form in FORMS}


def seen(game: PracticeGame, number: int) -> dict[str, tuple[int, bytes | str]]:
    """What stands at each of them, without what chance puts there."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for address in addresses(game, number):
        answer = Client().get(address)
        kind = answer["Content-Type"]
        if kind == "application/pdf":  # of orders and maps on paper, made once for what they show
            found[address] = answer.status_code, answer.content
            continue
        pictured = kind.startswith("image/png")
        found[address] = answer.status_code, (b"" if pictured else CHANCE.sub(r"\1", answer.text))
    return found


@pytest.mark.long
@pytest.mark.parametrize("number", [1, 2])
def test_nobody_else_sees_orders_in_preparation(player: Player, number: int) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    player.resolve(1)
    PracticeGame.objects.filter(pk=player.game.pk).update(bots={"ITALY": "random"})
    without = seen(player.game, number)
    assert sum(status == 200 for status, _ in without.values()) >= 6
    player.draft(2, {"sheet": "FRANCE\nA Bou-Pic\nzzz nothing"})
    thinking.request_practice_bots(player.game, 2, "a-submission-of-mine", "a visitor", thinking.UNTIL_CHOICE)
    PracticeBotTask.objects.update(found_orders={"ITALY": {"code": "random", "lines": ["A VEN - TRI"]}})
    assert seen(player.game, number) == without


def test_a_copy_of_what_one_looks_at_takes_no_orders_in_preparation(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    Client().post(f"/s/{player.game.shared_key}/1/copy/", {"submission": "a-copy-of-my-own"})
    copy = PracticeGame.objects.exclude(pk=player.game.pk).get()
    assert (copy.draft_orders, copy.turns.count()) == ({}, 0)
