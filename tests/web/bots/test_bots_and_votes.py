"""Against the computer where there are votes: who plays, what is heard, a turn on the practice board."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from talleyrand import variants
from talleyrand.formats.position_json import write_position
from talleyrand.simulation import bots as players
from talleyrand.variants import Variant
from talleyrand.web.boards import order_requests
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots import bot_players, bot_threads
from talleyrand.web.practice import practice_bot_tasks as thinking
from talleyrand.web.practice.models import PracticeGame
from tests.web.bots.test_bots import silent, turns, work_here
from tests.web.conftest import Player

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer thinks in the test's own thread, where its transaction is."""
    monkeypatch.setattr(bot_threads.bot_thread_pool, "start_if_due", work_here)


@pytest.fixture
def world() -> Variant:
    """A variant with politics."""
    return variants.load("diplomatie_2000")


def test_whoever_looks_ahead_does_not_play_where_there_are_votes(world: Variant) -> None:
    assert players.bots_for_variant(world.definition) == bot_players.VOTING_BOTS
    assert {code.partition(":")[0] for code, _title in bot_players.bot_choices(world)} == set(
        bot_players.VOTING_BOTS
    )
    with pytest.raises(order_requests.RequestRefusal):
        bot_players.bots_for_all_but(world, "RUSS", "search:easy")


def test_the_seat_without_land_is_the_computer_s_too(world: Variant) -> None:
    bots = bot_players.bots_for_all_but(world, "RUSS", "values:easy")
    assert set(bots) == {*world.board.seats} - {"RUSS"}
    assert "ONU" not in bot_players.bots_for_all_but(world, "ONU", "hold")


def test_each_variant_offers_its_own_players(client: Client, world: Variant) -> None:
    page = client.get(reverse("practice:new")).text
    menus = re.findall(r'name="player">(.*?)</select>', page)
    offered = [set(re.findall(r'value="(\w+)', menu)) for menu in menus]
    assert {frozenset(one) for one in offered} == {
        frozenset(bot_players.BOT_KINDS),
        frozenset(bot_players.VOTING_BOTS),
    }
    assert '<option value="ONU">' in page
    assert world.title["fr"] in page


def test_the_secretary_general_hears_the_proposals_of_persons(world: Variant) -> None:
    question: Question = {
        "variant": "diplomatie_2000",
        "rulebook": "anjou_feu",
        **write_position(world.definition.start, world.board),
        "phase": "F2001P",
    }
    said = {"RUSS": ["1B : CHIN"], "CHIN": ["bonjour", "1A : CHIN"], "": ["1A : INDE"]}
    deaf = thinking.bot_orders(question, "ONU", "values:normal", "seed", silent)
    lines = thinking.bot_orders(question, "ONU", "values:normal", "seed", silent, said)
    amounts = {line.rpartition(" ")[0] for line in set(lines) - set(deaf)}
    assert amounts == {"SET RUSS 1B CHIN", "SET CHIN 1A CHIN"}
    assert thinking.bot_orders(
        question, "INDE", "values:normal", "seed", silent, said
    ) == thinking.bot_orders(question, "INDE", "values:normal", "seed", silent)


@pytest.mark.long
def test_it_proposes_votes_and_moves_on_the_board(client: Client, world: Variant) -> None:
    client.post("/p/new/", {"variant": world.name, "mine": "RUSS", "player": "values:easy"})
    player = Player(client, PracticeGame.objects.get())
    for number in (1, 2):
        player.resolve(number, f"submission-number-{number}")
    player.refresh()
    proposed, moved, *_retreats = turns(player)
    assert proposed.answer["politics"]["proposals"]
    assert "ONU" in proposed.bots
    assert "des bots jouent 21 puissances" in client.get(player.address()).text
    assert moved.answer["politics"]["ballots"]
    assert not [one for turn in (proposed, moved) for one in turn.answer["orders"] if one["error"]]
