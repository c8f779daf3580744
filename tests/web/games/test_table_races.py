"""Several people at once at one table, with real threads on a real database."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState, Invitation, PhaseRevision
from tests.waiting import PATIENCE
from tests.web.cast import PLAYERS, person, table

pytestmark = pytest.mark.django_db(transaction=True)
Work = Callable[[], object]


def together(*works: Work) -> list[object]:
    """What each came to, all begun at the same moment; a refusal is its code."""
    ready = Barrier(len(works))
    found: list[object] = [None] * len(works)

    def run(place: int, work: Work) -> None:
        ready.wait()
        try:
            found[place] = work()
        except LobbyRefusal as refused:
            found[place] = refused.code
        finally:
            connection.close()

    threads = [Thread(target=run, args=one) for one in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return found


def gathered(names: list[str]) -> Game:
    game = game_creation.create_game(
        GamePlan(
            "La dernière place", "classic", "anjou_feu", GameSettings(), is_listed=True, role=GameRole.PLAYER
        ),
        person("Agathe"),
        "",
    )
    for name in names:
        membership_actions.join_game(game, person(name))
    return game


def joining(game: Game, name: str, **more: object) -> Work:
    someone = person(name)
    return lambda: membership_actions.join_game(game, someone, **more)  # type: ignore[arg-type]


def test_one_of_six_gets_the_last_seat() -> None:
    game = gathered(["Edmond", "Flora", "Gaspard", "Irène", "Roman"])
    found = together(*(joining(game, f"Passant {number}") for number in range(6)))
    assert sorted(type(one).__name__ for one in found) == ["GameMembership", *["str"] * 5]
    assert [one for one in found if isinstance(one, str)] == ["full"] * 5
    assert len(membership_actions.members_with_role(game, GameRole.PLAYER)) == 7


def test_one_of_four_gets_the_free_seat_of_a_running_game() -> None:
    game = table()
    membership_actions.leave_game(game, person("Flora"))
    found = together(*(joining(game, f"Passant {number}") for number in range(4)))
    assert sum(isinstance(one, GameMembership) for one in found) == 1
    assert {one for one in found if isinstance(one, str)} <= {"begun", "taken"}
    assert power_assignments.unplayed_powers(game) == ()


def test_a_link_for_one_is_used_once() -> None:
    game = gathered([])
    link = Invitation.objects.create(game=game, is_single_use=True)
    found = together(*(joining(game, f"Passant {number}", invitation=link) for number in range(4)))
    assert sum(isinstance(one, GameMembership) for one in found) == 1
    assert [one for one in found if isinstance(one, str)] == ["revoked"] * 3


def test_the_same_person_twice_at_once_is_there_once() -> None:
    game = gathered([])
    found = together(*[joining(game, "Roman")] * 3)
    assert [one for one in found if isinstance(one, str)] == ["already"] * 2
    assert GameMembership.objects.filter(game=game, person=person("Roman")).count() == 1


def test_a_game_begins_once() -> None:
    game = gathered(list(PLAYERS.values())[1:])
    found = together(*[lambda: game_start.start_game(game, timezone.now())] * 3)
    assert [one for one in found if isinstance(one, str)] == ["started"] * 2
    game.refresh_from_db()
    assert (game.state, game.phase_number) == (GameState.PLAYING, 1)
    assert PhaseRevision.objects.filter(game=game).count() == 1
    assert game.log.filter(kind="lots").count() == 1
    assert len(set(power_assignments.players_by_power(game).values())) == 7


def test_who_leaves_while_the_game_begins_has_played_or_has_not() -> None:
    """Either he is drawn a power, which is free then, or he is not there any more: never half of it."""
    game = gathered(["Roman", "Théa"])
    together(
        lambda: game_start.start_game(game, timezone.now()),
        lambda: membership_actions.leave_game(game, person("Roman")),
    )
    game.refresh_from_db()
    assert game.state == GameState.PLAYING
    assert len(power_assignments.player_ids(game)) == 2
    assert person("Roman").pk not in power_assignments.player_ids(game)
    assert len(power_assignments.unplayed_powers(game)) == 5


def test_the_same_form_twice_at_once_is_one_game() -> None:
    someone = person("Flora")
    plan = GamePlan("Une fois", "classic", "anjou_feu", GameSettings(), is_listed=True, role=GameRole.PLAYER)
    found = together(*[lambda: game_creation.create_game(plan, someone, "a-submission-of-mine")] * 3)
    assert len({one.pk for one in found if isinstance(one, Game)}) == 1
    assert Game.objects.count() == 1
