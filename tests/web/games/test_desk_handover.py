"""A desk handed over: when, to whom, by whose leave, how its game master keeps it or has it back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.utils import timezone

from talleyrand.web.conduct import moderated_games
from talleyrand.web.conduct.models import Measure, MeasureKind
from talleyrand.web.games import power_assignments
from talleyrand.web.games.lobby import desk_handover, game_start
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameLogEntry, GameMembership, GameRole, GameState
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.models import Notification
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of, person, table
from tests.web.games import states
from tests.web.games.tables import words

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(days=9)


@pytest.fixture
def game() -> Game:
    """It has waited for nine days, and its game master was there as long ago."""
    return abandoned(table())


def abandoned(game: Game, ago: timedelta = LONG_AGO) -> Game:
    then = timezone.now() - ago
    Game.objects.filter(pk=game.pk).update(is_waiting=True, deadline=then, phase_opened_at=then)
    GameMembership.objects.filter(game=game).update(joined_at=then)
    GameLogEntry.objects.filter(game=game).update(created_at=then)
    game.refresh_from_db()
    return game


def roles(game: Game) -> dict[str, str]:
    here = GameMembership.objects.filter(game=game, left_at=None).exclude(role=GameRole.PLAYER)
    return dict(here.values_list("person__name", "role"))


def address(game: Game) -> str:
    return f"/parties/{game.key}/infos/bureau/"


def told(kind: str) -> set[str]:
    return set(Notification.objects.filter(kind=kind).values_list("person__name", flat=True))


def offer_of(game: Game, name: str) -> int:
    return GameLogEntry.objects.filter(game=game, kind="desk_offered", person__name=name).latest("pk").pk


def players(game: Game) -> Iterator[str]:
    yield from (PLAYERS[power] for power in game.seats.values_list("power", flat=True))


def seen(name: str, at: datetime) -> None:
    UserSession.objects.create(user=person(name), session_key=f"{name}{at:%f}", ip="::1", last_seen_at=at)


def test_it_is_told_once_that_a_game_waits_for_nobody(game: Game) -> None:
    for _twice in range(2):
        desk_handover.tell_of_absent_game_masters()
    assert GameLogEntry.objects.filter(game=game, kind="gm_absent").count() == 1
    assert told("gm_wanted") == {MASTER}
    assert told("gm_absent") == {*players(game), ASSISTANT, OBSERVER}
    note = Notification.objects.get(kind="gm_wanted")
    assert note.path.endswith("/desk/") or note.path.endswith("/bureau/")
    assert "n’a pas été vu" in words(client_of("Flora").get(f"/parties/{game.key}/infos/"))


def test_games_in_which_nobody_may_take_over_keep_no_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    abandoned(table(gm_absence_days=0), 2 * LONG_AGO)
    second = abandoned(table())
    monkeypatch.setattr(desk_handover, "MOST_TOLD_AT_ONCE", 1)
    desk_handover.tell_of_absent_game_masters()
    assert GameLogEntry.objects.get(kind="gm_absent").game == second


@pytest.mark.parametrize("why", ["seen", "acted", "plays on", "new", "never", "over", "not long"])
def test_whose_game_master_is_there_is_left_alone(game: Game, why: str) -> None:
    now = timezone.now()
    if why == "seen":
        seen(MASTER, now - timedelta(days=6))
    elif why == "acted":
        GameLogEntry.objects.create(game=game, kind="gazette", person=person(MASTER))
    elif why == "plays on":
        Game.objects.filter(pk=game.pk).update(is_waiting=False, deadline=now + timedelta(days=1))
    elif why == "new":
        game.memberships.filter(role=GameRole.GAME_MASTER).update(joined_at=now)
    elif why == "never":
        Game.objects.filter(pk=game.pk).update(settings_json={**game.settings_json, "gm_absence_days": 0})
    elif why == "over":
        Game.objects.filter(pk=game.pk).update(state=GameState.ENDED)
    else:
        abandoned(game, timedelta(days=6, hours=23))
    desk_handover.tell_of_absent_game_masters()
    assert not told("gm_absent") | told("gm_wanted")
    before = roles(game)
    for name in (ASSISTANT, OBSERVER):
        assert client_of(name).post(address(game), {"action": "offer"}).status_code == 409
    assert roles(game) == before


def test_an_assistant_takes_over_at_once_and_who_led_looks_on(game: Game) -> None:
    page = client_of(ASSISTANT).get(address(game))
    assert "Reprendre le bureau" in words(page)
    client_of(ASSISTANT).post(address(game), {"action": "offer"})
    assert roles(game) == {ASSISTANT: "master", MASTER: "observer", OBSERVER: "observer"}
    assert MASTER in told("desk_handed")
    assert "La partie a un nouveau MJ" in words(client_of("Flora").get("/notifications/"))
    assert not GameViewer(game, person(MASTER)).may_see_orders("FRANCE")
    assert power_assignments.why_barred(game, person(MASTER), "FRANCE") == "saw_all"


def test_somebody_else_needs_more_than_half_of_the_powers(game: Game) -> None:
    client_of(OBSERVER).post(address(game), {"action": "offer"})
    assert roles(game)[OBSERVER] == "observer"
    assert told("desk_offered") >= {MASTER, "Flora"}
    sent = {"action": "agree", "offer": str(offer_of(game, OBSERVER))}
    everyone = list(players(game))
    for name in everyone[: len(everyone) // 2]:
        assert OBSERVER in words(client_of(name).get(address(game)))
        client_of(name).post(address(game), sent)
        assert client_of(name).post(address(game), sent).status_code == 409  # once is once
    assert roles(game)[OBSERVER] == "observer"
    assert client_of(STRANGER).post(address(game), sent).status_code == 404
    assert client_of(ASSISTANT).post(address(game), sent).status_code == 409
    client_of(everyone[-1]).post(address(game), sent)
    assert roles(game) == {OBSERVER: "master", MASTER: "observer", ASSISTANT: "assistant"}


def test_nobody_who_plays_leads(game: Game) -> None:
    for name in players(game):
        assert client_of(name).post(address(game), {"action": "offer"}).status_code == 409
    boss = client_of(STRANGER)
    type(person(STRANGER)).objects.filter(name=STRANGER).update(is_administrator=True)
    refused = boss.post(address(game), {"action": "name", "name": "Flora"})
    assert (refused.status_code, roles(game)[MASTER]) == (409, "master")
    assert "ne peut pas la mener" in words(refused)
    client_of(OBSERVER).post(address(game), {"action": "offer"})
    offer = offer_of(game, OBSERVER)
    GameMembership.objects.filter(game=game, person=person(OBSERVER)).update(role=GameRole.PLAYER)
    with pytest.raises(LobbyRefusal):
        desk_handover.agree_to_offer(game, person("Flora"), offer, timezone.now())


def test_one_press_keeps_the_desk_and_ends_the_offers(game: Game) -> None:
    client_of(OBSERVER).post(address(game), {"action": "offer"})
    offer = str(offer_of(game, OBSERVER))
    desk_handover.keep_desk(game, person(MASTER), timezone.now())
    answer = client_of("Flora").post(address(game), {"action": "agree", "offer": offer})
    assert (answer.status_code, roles(game)[MASTER]) == (409, "master")
    assert "Flora" in told("desk_kept")


def test_pressing_keep_again_tells_nobody(game: Game) -> None:
    client_of(OBSERVER).post(address(game), {"action": "offer"})
    for _time in range(3):
        assert client_of(MASTER).post(address(game), {"action": "keep"}).status_code == 302
    assert game.log.filter(kind="desk_kept").count() == 1


def test_a_visit_is_enough_to_keep_it(game: Game) -> None:
    client_of(OBSERVER).post(address(game), {"action": "offer"})
    client_of(MASTER).get("/")
    sent = {"action": "agree", "offer": str(offer_of(game, OBSERVER))}
    assert client_of("Flora").post(address(game), sent).status_code == 409


def test_who_comes_back_reads_what_happened_and_takes_it_back(game: Game) -> None:
    client_of(ASSISTANT).post(address(game), {"action": "offer"})
    assert "Reprendre le bureau" in words(client_of(MASTER).get(address(game)))
    client_of(MASTER).post(address(game), {"action": "keep"})
    assert roles(game) == {ASSISTANT: "master", MASTER: "master", OBSERVER: "observer"}
    assert client_of(OBSERVER).post(address(game), {"action": "keep"}).status_code == 409
    log = words(client_of(MASTER).get(f"/parties/{game.key}/infos/journal/"))
    assert "Le bureau a changé de mains" in log


def test_who_left_the_desk_freely_does_not_take_it_back(game: Game) -> None:
    game.memberships.filter(role=GameRole.GAME_MASTER).update(left_at=timezone.now())
    GameMembership.objects.create(game=game, person=person(MASTER), role=GameRole.OBSERVER)
    assert client_of(MASTER).post(address(game), {"action": "keep"}).status_code == 409
    assert roles(game)[MASTER] == "observer"


def test_an_administrator_names_somebody_and_who_is_there_stays() -> None:
    game = table(watching="invited")
    boss = client_of(STRANGER)
    assert boss.get(address(game)).status_code == 404
    type(person(STRANGER)).objects.filter(name=STRANGER).update(is_administrator=True)
    assert "En tant qu’administrateur" in words(boss.get(address(game)))
    for name, status in (("Personne", 409), (OBSERVER.upper(), 302), (OBSERVER, 409), ("\x00", 409)):
        assert boss.post(address(game), {"action": "name", "name": name}).status_code == status
    assert roles(game) == {OBSERVER: "master", MASTER: "master", ASSISTANT: "assistant"}
    assert client_of(OBSERVER).post(address(game), {"action": "name", "name": STRANGER}).status_code == 409


def ban(name: str) -> None:
    ends = timezone.now() + timedelta(days=7)
    Measure.objects.create(person=person(name), kind=MeasureKind.BAN, reason="zz", ends_at=ends)


def test_a_moderator_who_has_read_of_the_game_does_not_lead_it(game: Game) -> None:
    moderated_games.note_read(person(OBSERVER), [game.key])
    answer = client_of(OBSERVER).post(address(game), {"action": "offer"})
    assert (answer.status_code, roles(game)[OBSERVER]) == (409, "observer")
    assert "en tant que modérateur" in words(answer)
    boss = client_of(STRANGER)
    type(person(STRANGER)).objects.filter(name=STRANGER).update(is_administrator=True)
    refused = boss.post(address(game), {"action": "name", "name": OBSERVER})
    assert (refused.status_code, roles(game)[OBSERVER]) == (409, "observer")
    assert "ne peut pas mener la partie pour l’instant" in words(refused)


def test_who_is_banned_after_the_offer_is_agreed_on_by_nobody(game: Game) -> None:
    client_of(OBSERVER).post(address(game), {"action": "offer"})
    ban(OBSERVER)
    answer = client_of("Flora").post(address(game), {"action": "agree", "offer": offer_of(game, OBSERVER)})
    assert (answer.status_code, roles(game)[MASTER]) == (409, "master")
    assert not GameLogEntry.objects.filter(game=game, kind="desk_agreed").exists()


def test_who_is_banned_does_not_take_the_desk_back(game: Game) -> None:
    client_of(ASSISTANT).post(address(game), {"action": "offer"})
    ban(MASTER)
    assert client_of(MASTER).post(address(game), {"action": "keep"}).status_code == 409
    assert roles(game)[MASTER] == "observer"


def test_players_read_the_day_on_which_the_gm_was_last_there_and_no_hour(game: Game) -> None:
    last = timezone.now() - timedelta(days=8)
    seen(MASTER, last)
    page = words(client_of("Flora").get(address(game)))
    assert str(last.year) in page
    assert not re.search(r"vu depuis le [^.]*\d\s*h", page)


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"action": "x"},
        {"action": "agree"},
        {"action": "agree", "offer": "²"},
        {"action": "agree", "offer": "9" * 5000},
    ],
)
def test_what_is_no_act_is_refused_in_a_sentence(game: Game, sent: dict[str, str]) -> None:
    answer = client_of("Flora").post(address(game), sent)
    assert answer.status_code == 409
    assert 'role="alert"' in answer.content.decode()


def test_a_seat_without_land_goes_with_the_desk() -> None:
    world = states.gathered()
    assert world.state == GameState.GATHERING
    if not world.memberships.filter(role=GameRole.GAME_MASTER).exists():
        GameMembership.objects.create(game=world, person=person(MASTER), role=GameRole.GAME_MASTER)
    game_start.start_game(world, timezone.now(), person(MASTER))
    GameMembership.objects.create(game=world, person=person(ASSISTANT), role=GameRole.ASSISTANT)
    held = power_assignments.powers_played_by(world, person(MASTER))
    assert held
    abandoned(world)
    desk_handover.offer_to_lead(world, person(ASSISTANT), timezone.now())
    assert power_assignments.powers_played_by(world, person(ASSISTANT)) == held
    assert not power_assignments.powers_played_by(world, person(MASTER))
