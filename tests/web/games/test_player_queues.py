"""Queues for the usual games: seven wait, one game begins, whoever comes at the same moment."""

from __future__ import annotations

import re
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.finding_models import QueuePlace
from talleyrand.web.games.lobby import game_creation, newcomer_limits, player_queues
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.lobby.player_queues import QUEUES
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.games.record_models import PlayerProfile
from talleyrand.web.notifications.models import Notification
from tests.waiting import PATIENCE
from tests.web.accounts.doors import sign_up
from tests.web.cast import PLAYERS, STRANGER, client_of, person, table
from tests.web.games.tables import SIX, fill, made, words
from tests.web.games.test_table_races import together

pytestmark = pytest.mark.django_db
SEVEN = list(PLAYERS.values())


def wait(kind: str, *names: str) -> Game | None:
    found = None
    for name in names:
        found = player_queues.join_queue(kind, person(name), timezone.now())
    return found


@pytest.mark.parametrize("kind", QUEUES)
def test_the_seventh_begins_the_game(kind: str) -> None:
    assert wait(kind, *SIX) is None
    assert not Game.objects.exists()
    game = wait(kind, "Agathe")
    assert game is not None
    assert game.state == GameState.PLAYING
    assert game.settings == QUEUES[kind].game_settings(person(SIX[0]).time_zone)
    assert sorted(game.memberships.values_list("person__name", flat=True)) == sorted(SEVEN)
    assert re.fullmatch(r"(Partie du 1er|Partie du \d+|Game of \d+) \w+ \d{4}", game.name)
    assert game.deadline is not None
    assert game.started_at is not None
    assert game.deadline - game.started_at > QUEUES[kind].first - timedelta(minutes=2)
    assert not QueuePlace.objects.exists()
    begun = Notification.objects.filter(kind="begun").values_list("person__name", flat=True)
    assert sorted(begun) == sorted(SEVEN)


def test_whoever_has_no_account_presses_once_and_a_search_shows_games_alone(client: Client) -> None:
    assert client.get("/parties/").text.count("Attendre une partie") == len(QUEUES)
    assert "Attendre une partie" not in client.get("/parties/?press=full").text
    assert client.get("/parties/queues/silent/")["Location"] == "/parties/"
    led = client.post("/parties/queues/silent/")
    assert led["Location"] == "/compte/inscription/?next=/parties/queues/silent/"
    assert "vous attendrez alors une partie" in words(client.get(led["Location"]))
    came = sign_up(client, "Nouvelle venue", next="/parties/queues/silent/")
    assert client.head(came["Location"]).status_code == 302
    assert not QueuePlace.objects.exists()
    assert "Vous attendez." in words(client.get(came["Location"], follow=True))
    assert QueuePlace.objects.get().person.name == "Nouvelle venue"
    client.post("/parties/queues/silent/", {"do": "leave"})
    client.get(came["Location"])  # the press counts once, and a link of somebody else’s never
    assert not QueuePlace.objects.exists()


def test_two_games_of_one_day_have_two_names() -> None:
    first, *others = (getattr(wait("silent", *SEVEN), "name", "") for _ in range(3))
    assert others == [f"{first}, n°\u00a02", f"{first}, n°\u00a03"]


def test_who_gets_a_game_waits_nowhere_else() -> None:
    wait("silent", "Flora")
    wait("press-fr", *SEVEN, STRANGER)
    assert [(one.person.name, one.queue.kind) for one in QueuePlace.objects.all()] == [(STRANGER, "press-fr")]


def test_waiting_twice_is_waiting_once() -> None:
    wait("press-fr", *(["Flora"] * 9))
    assert QueuePlace.objects.count() == 1


def test_whoever_waited_too_long_counts_no_more() -> None:
    wait("blitz", *SIX)
    QueuePlace.objects.filter(person=person("Flora")).update(expires_at=timezone.now())
    assert wait("blitz", "Agathe") is None
    assert QueuePlace.objects.count() == 6
    assert wait("blitz", "Flora") is not None


def test_an_account_that_is_closed_counts_no_more() -> None:
    wait("press-fr", *SIX)
    someone = person("Flora")
    someone.is_active = False
    someone.save()
    assert wait("press-fr", "Agathe") is None


def test_the_page_tells_how_many_wait_and_never_who() -> None:
    wait("press-fr", "Flora", "Roman")
    page = Client().get("/parties/")
    assert "En attente : 2 sur 7" in words(page)
    assert "Flora" not in page.text
    mine = client_of("Flora").get("/en/games/")
    assert "2 of 7 waiting you too" in words(mine).replace("<span>", "").replace("</span>", "").replace(
        '<span class="mark">', ""
    )
    assert "Stop waiting" in mine.text


def test_by_the_page_one_waits_and_waits_no_more() -> None:
    flora = client_of("Flora")
    assert "Vous attendez." in words(flora.post("/parties/queues/silent/", follow=True))
    assert QueuePlace.objects.count() == 1
    assert "Vous n’attendez plus" in words(
        flora.post("/parties/queues/silent/", {"do": "leave"}, follow=True)
    )
    assert not QueuePlace.objects.exists()
    assert flora.post("/parties/queues/silent/", {"do": "leave"}).status_code == 302
    wait("silent", *SIX)
    begun = client_of("Agathe").post("/parties/queues/silent/")
    assert begun["Location"] == f"/parties/{Game.objects.get().key}/"


@pytest.mark.parametrize("kind", ["mars", "press-", "a" * 60])
def test_a_queue_that_does_not_exist(kind: str) -> None:
    assert client_of("Flora").post(f"/parties/queues/{kind}/").status_code == 404
    with pytest.raises(LobbyRefusal):
        wait(kind, "Flora")


def test_visitors_and_looks_change_nothing() -> None:
    assert (
        "/connexion" in Client().post("/parties/queues/silent/")["Location"]
        or not QueuePlace.objects.exists()
    )
    assert client_of("Flora").get("/parties/queues/silent/")["Location"] == "/parties/"
    assert not QueuePlace.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nine_at_the_same_moment_begin_one_game() -> None:
    crowd = [*SEVEN, STRANGER, "Zoé"]
    people = [person(name) for name in crowd]
    found = together(
        *[lambda one=one: player_queues.join_queue("press-en", one, timezone.now()) for one in people]
    )
    assert len([one for one in found if isinstance(one, Game)]) == 1
    assert Game.objects.get().memberships.count() == 7
    assert QueuePlace.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_queues_filled_at_the_same_moment_begin_one_game_with_the_same_people() -> None:
    wait("silent", *SIX)
    wait("press-fr", *SIX)
    seventh = {"silent": person("Agathe"), "press-fr": person(STRANGER)}
    together(
        *[lambda kind=kind: player_queues.join_queue(kind, seventh[kind], timezone.now()) for kind in seventh]
    )
    assert Game.objects.get().memberships.count() == 7
    assert QueuePlace.objects.count() == 1


# newcomers


def test_a_newcomer_plays_three_listed_games_at_once() -> None:
    flora = person("Flora")
    for _number in range(newcomer_limits.NEWCOMER_GAMES):
        fill(made(), ["Flora"])
    game = made(by="Edmond")
    with pytest.raises(LobbyRefusal) as refused:
        fill(game, ["Flora"])
    assert refused.value.code == "newcomer"
    with pytest.raises(LobbyRefusal):
        wait("silent", "Flora")
    page = client_of("Flora").get(f"/parties/{game.key}/infos/rejoindre/")
    assert "trois parties publiques" in words(page)
    assert "Accepter et rejoindre" not in page.text
    told = client_of("Flora").post("/parties/queues/silent/", follow=True)
    assert "trois parties publiques" in words(told)
    # by invitation, and as an observer, one comes in all the same
    link = game.invitations.create(role="player")
    assert client_of("Flora").post(f"/parties/invitation/{link.token}/").status_code == 302
    over = table()
    Game.objects.filter(pk=over.pk).update(state=GameState.ENDED)
    assert not newcomer_limits.why_no_more_games(flora)
    fill(made(by="Edmond"), ["Flora"])
    # four games are open now: who is often absent finds no more, who turns up does
    for figure, code in ((79, "often_absent"), (80, ""), (None, "")):
        PlayerProfile.objects.update_or_create(person=flora, defaults={"reliability": figure})
        assert newcomer_limits.why_no_more_games(flora) == code


def test_one_s_places_are_one_s_data() -> None:
    wait("silent", "Flora")
    told = personal_data.export_personal_data(person("Flora"))["finding"]
    assert [one["queue"] for one in told["queues"]] == ["silent"]
    personal_data.delete_account(person("Flora"))
    assert not QueuePlace.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("administrator", [False, True])
def test_an_account_deleted_while_a_game_begins_waits_for_it(
    monkeypatch: pytest.MonkeyPatch, administrator: bool
) -> None:
    """Neither waits for the other for ever, nor is a game left without one of its people."""
    kind = next(iter(QUEUES))
    for name in SEVEN:
        person(name)
    Person.objects.filter(name=SEVEN[0]).update(is_administrator=administrator)
    wait(kind, *SEVEN[:6])
    leaver, create = person(SEVEN[3]), game_creation.create_game
    leaving = Thread(target=lambda: together(lambda: personal_data.delete_account(leaver)))

    def slow(*plan: Any) -> Game:
        leaving.start()
        leaving.join(0.5)  # until it waits, or has gone through
        return create(*plan)

    monkeypatch.setattr(game_creation, "create_game", slow)
    game = wait(kind, SEVEN[6])
    leaving.join(PATIENCE)
    assert game is not None
    assert not leaving.is_alive()
    assert not Person.objects.filter(pk=leaver.pk).exists()
    assert Game.objects.get().memberships.filter(left_at=None).count() == 6
