"""How many questions a page asks the database does not depend on how many games there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from talleyrand.web.games import order_submission
from talleyrand.web.games.deadline_clock import DeadlineClock
from talleyrand.web.games.lobby.game_list_views import GAMES_A_PAGE
from talleyrand.web.games.models import Game, GameMembership, GameSeat, PowerAssignment
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.monitoring import site_metrics
from talleyrand.web.notifications import outbox
from talleyrand.web.press.models import Conversation, Message
from tests.web import cast

from .crowd import copies

pytestmark = pytest.mark.django_db
LISTS = ("/parties/", "/parties/?show=watch", "/parties/?show=ended")
OWN = ("/notifications/", "/parties/{key}/", "/parties/{key}/infos/", "/parties/{key}/messages/")


def questions(act: Callable[[], Any]) -> int:
    """Of the second time: what is kept in the process is known by then."""
    act()
    with CaptureQueriesContext(connection) as asked:
        act()
    return len(asked)


def asked(client: Client, paths: Iterable[str]) -> dict[str, int]:
    """Questions by page."""

    def get(path: str) -> None:
        assert client.get(path).status_code == 200, path

    return {path: questions(partial(get, path)) for path in paths}


def grown(game: Game, count: int) -> None:
    """Games of every kind, each with news to Flora."""
    flora = cast.person("Flora")
    due = timezone.now() + timedelta(days=2)
    for one in copies(game, count, deadline=due, next_check_at=due):
        outbox.notify([flora.pk], "begun", {"game": one.name}, about=f"game:{one.key}", path="", once=one.key)
    copies(game, count, state="ended", deadline=None, next_check_at=None, ended_at=timezone.now())
    copies(game, count, state="gathering", phase_number=0, phase="")
    vacant = copies(game, count, deadline=due, next_check_at=due)
    PowerAssignment.objects.filter(seat__game__in=vacant, seat__power="FRANCE").update(
        ended_at=timezone.now()
    )


@pytest.mark.long
@pytest.mark.parametrize("name", ["Flora", "Sylvain"])
def test_pages_ask_as_much_of_a_large_site_as_of_a_small_one(name: str) -> None:
    """One person plays at every table, the other at none."""
    game, client = cast.table(), cast.client_of(name)
    paths = [*LISTS, *(path.format(key=game.key) for path in OWN if name == "Flora")]
    grown(game, GAMES_A_PAGE + 1)
    few = asked(client, paths)
    grown(game, GAMES_A_PAGE)
    assert asked(client, paths) == few


@pytest.mark.long
@pytest.mark.parametrize("name", ["Flora", "Maëlle", "Sylvain"])
def test_the_list_of_games_asks_few_questions(name: str) -> None:
    """However many games are one’s own, with letters in each of them."""
    game, client = cast.table(), cast.client_of(name)
    grown(game, 5)
    for one in Game.objects.all():
        room = Conversation.objects.create(game=one, kind="all", participants_key="*")
        Message.objects.create(
            conversation=room,
            phase_number=1,
            signature="ITALY",
            author_power="ITALY",
            text="Bonjour",
            state="delivered",
            delivered_at=timezone.now(),
        )
    counts = asked(client, LISTS)
    assert max(counts.values()) <= 20, counts  # groups, searches, queues, blocks and bots' seats among them


def test_own_games_tell_together_what_each_tells_alone() -> None:
    """The powers that wait for orders, the states of their sheets, and roles."""
    game, now = cast.table(), timezone.now()
    for number, one in enumerate(copies(game, 4, deadline=now + timedelta(days=2))):
        GameSeat.objects.filter(game=one, power="FRANCE").update(
            draft_orders=["A Par - Bou"], draft_phase_number=number % 2, is_ready=number == 3
        )
        if number > 1:
            order_submission.submit_orders(
                one, "FRANCE", ["A Par H"], number=1, key="once", origin="map", at=timezone.now()
            )
    GameMembership.objects.filter(game=game, person=cast.person("Oscar")).update(role="observer")
    for name in ("Flora", "Maëlle", "Armand", "Oscar"):
        for card in cast.client_of(name).get("/parties/").context["mine"]:
            alone = GameViewer(Game.objects.get(pk=card["game"].pk), cast.person(name))
            states = order_submission.order_states(alone.game, 1)
            assert card["role"] == alone.role
            assert [one.state.code for one in card["waiting"]] == [
                states[one] for one in alone.orderable_powers
            ]
            assert (card["players"], card["seats"]) == (7, 7)


def test_own_games_are_paged_the_most_urgent_first() -> None:
    game, client = cast.table(), cast.client_of("Flora")
    soon = timezone.now() + timedelta(hours=1)
    for turn, one in enumerate(copies(game, GAMES_A_PAGE + 5)):
        due = None if turn == 7 else soon + timedelta(hours=turn)
        Game.objects.filter(pk=one.pk).update(name=f"Partie {turn}", deadline=due)
    Game.objects.filter(pk=game.pk).update(deadline=soon)
    first = client.get("/parties/").context["mine"]
    assert [card["game"].name for card in first[:3]] == ["La table ronde", "Partie 0", "Partie 1"]
    assert len(first) == GAMES_A_PAGE
    last = client.get("/parties/?own=2").context["mine"]
    assert len(last) == 6
    assert last[-1]["game"].name == "Partie 7"
    answer = client.get("/parties/?own=des-nouilles")
    assert [card["game"].pk for card in answer.context["mine"]] == [card["game"].pk for card in first]


def test_the_games_that_look_for_somebody_come_before_those_that_gather() -> None:
    game, client = cast.table(), cast.client_of("Sylvain")
    grown(game, GAMES_A_PAGE)
    Game.objects.filter(state="gathering").update(is_listed=True)
    pages = [client.get(f"/parties/?page={number}").context["cards"] for number in (1, 2)]
    states = [card["game"].state for page in pages for card in page]
    assert states[:GAMES_A_PAGE] == ["playing"] * GAMES_A_PAGE
    assert all(card["free"] for card in pages[0])


def test_a_clock_asks_no_more_where_many_games_wait_for_their_date() -> None:
    def due_at_once() -> None:
        DeadlineClock().check_due(timezone.now())

    game = cast.table()
    later = timezone.now() + timedelta(days=2)
    Game.objects.update(deadline=later, next_check_at=later)
    few = questions(due_at_once), questions(lambda: site_metrics.collect_metrics(timezone.now()))
    copies(game, 50, deadline=later, next_check_at=later)
    assert (questions(due_at_once), questions(lambda: site_metrics.collect_metrics(timezone.now()))) == few


def test_every_kind_of_list_is_read_in_both_languages() -> None:
    game, client = cast.table(), cast.client_of("Flora")
    copies(game, GAMES_A_PAGE + 1)
    with translation.override("en"):
        assert b"Page 1 of 2" in client.get("/en/games/").content
    assert "Page 1 sur 2" in client.get("/parties/").content.decode()
