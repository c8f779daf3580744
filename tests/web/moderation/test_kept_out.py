"""Who is banned, or has read of a game as a moderator, comes into it by no door; and who may ban whom."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.conduct import moderated_games
from talleyrand.web.conduct.models import GameTrace, Measure, MeasureKind, ModeratedGame, Moderator, Report
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_master import game_actions, scripted_powers, seat_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameRole, Invitation
from tests.web.api.asking import program
from tests.web.cast import MASTER, STRANGER, client_of, person, table
from tests.web.games.acting import fresh
from tests.web.games.desks import act as at_desk
from tests.web.games.desks import said
from tests.web.games.tables import at, link, made, refused, roles, words
from tests.web.moderation.reporting import DESK, MODERATOR, letter, moderator, report, reported
from tests.web.moderation.test_desk import PEOPLE

pytestmark = pytest.mark.django_db
REASONS = {"banned": "dans aucune autre partie", "moderated": "en tant que modérateur"}
ONE = "Nora"


@pytest.fixture
def game() -> Game:
    """Nobody plays Italy."""
    made_now = table()
    membership_actions.leave_game(made_now, person("Irène"))
    return fresh(made_now)


@pytest.fixture(params=REASONS)
def why(request: Any, game: Game) -> str:
    keep_out(game, request.param)
    return str(request.param)


def keep_out(game: Game, why: str) -> None:
    ends = timezone.now() + timedelta(days=1)
    if why == "banned":
        Measure.objects.create(person=person(ONE), kind=MeasureKind.BAN, reason="zz", ends_at=ends)
    else:
        moderated_games.note_read(person(ONE), [game.key])


def hand() -> GameMasterActor:
    return GameMasterActor(person(MASTER), GameRole.GAME_MASTER)


def seated(game: Game, power: str = "ITALY", *, stand_in: bool = False) -> object:
    mark = seat_actions.seat_player_mark(game.seats.get(power=power))
    return seat_actions.replace_player(
        game, power, person(ONE), mark, stand_in=stand_in, hand=hand(), now=timezone.now()
    )


OWN_WAYS: dict[str, Callable[[Game], Any]] = {
    "the list": lambda game: client_of(ONE).post(at(game, "rejoindre/"), {"power": "ITALY"}),
    "a link": lambda game: client_of(ONE).post(link(game), {"power": "ITALY"}),
    "a link of the seat": lambda game: client_of(ONE).post(link(game, power="ITALY", is_single_use=True)),
    "a link to the desk": lambda game: client_of(ONE).post(link(game, GameRole.GAME_MASTER)),
}


@pytest.mark.parametrize("way", OWN_WAYS)
def test_they_do_not_come_by_themselves(game: Game, why: str, way: str) -> None:
    answer = OWN_WAYS[way](game)
    assert answer.status_code == 409
    assert REASONS[why] in words(answer)
    assert ONE not in roles(game)


def test_nor_by_a_program(game: Game, why: str) -> None:
    answer = program(ONE).ask("POST", f"/games/{game.key}/join", {"power": "ITALY"})
    assert (answer.status_code, answer.json()["code"]) == (409, why)
    token = Invitation.objects.create(game=game, power="ITALY").token
    assert program(ONE).ask("POST", f"/invitations/{token}/join", {}).json()["code"] == why


@pytest.mark.parametrize("stand_in", [False, True])
def test_nor_by_the_game_master_s_hand(game: Game, why: str, stand_in: bool) -> None:
    """Who is not told why: that is between the moderators and them."""
    power = "TURKEY" if stand_in else "ITALY"
    with pytest.raises(GameMasterRefusal, match="kept_out"):
        seated(game, power, stand_in=stand_in)
    mark = seat_actions.seat_player_mark(game.seats.get(power=power))
    master = client_of(MASTER)
    sent = {"action": "stand_in" if stand_in else "replace", "name": ONE, "mark": mark}
    told = said(at_desk(game, f"seat/{power}/", sent, master), master)
    assert "ne peut pas rejoindre cette partie" in told
    assert "banni" not in told
    asked = {"name": ONE, "mark": mark, "stand_in": stand_in}
    answer = program(MASTER).ask("PUT", f"/games/{game.key}/desk/seats/{power}/player", asked)
    assert (answer.status_code, answer.json()["code"]) == (409, "kept_out")
    assert ONE not in roles(game)
    assert power_assignments.unplayed_powers(fresh(game)) == ("ITALY",)


@pytest.mark.parametrize("role", [GameRole.GAME_MASTER, GameRole.ASSISTANT])
def test_nor_to_the_desk(game: Game, why: str, role: str) -> None:
    with pytest.raises(GameMasterRefusal, match="kept_out"):
        game_actions.give_role(game, person(ONE), role, hand=hand(), now=timezone.now())
    game_actions.give_role(game, person(ONE), GameRole.OBSERVER, hand=hand(), now=timezone.now())
    with pytest.raises(GameMasterRefusal, match="kept_out"):
        game_actions.give_role(game, person(ONE), role, hand=hand(), now=timezone.now())
    with pytest.raises(GameMasterRefusal, match="kept_out"):
        seated(game)
    assert roles(game)[ONE] == GameRole.OBSERVER


@pytest.mark.parametrize("why", REASONS)
def test_nor_into_the_place_of_a_script(why: str) -> None:
    game = table("survivor_turkey")
    keep_out(game, why)
    with pytest.raises(GameMasterRefusal, match="kept_out"):
        scripted_powers.take_from_script(game, "TURKEY", person(ONE), hand=hand(), now=timezone.now())
    assert fresh(game).scripted_variant == ""


def test_whoever_is_banned_goes_on_where_they_play(game: Game) -> None:
    """Also with another power that the game master gives them: they are in the game already."""
    membership_actions.join_game(game, person(ONE), power="ITALY")
    keep_out(game, "banned")
    seat_actions.free_seat(
        game,
        "ITALY",
        seat_actions.seat_player_mark(game.seats.get(power="ITALY")),
        hand=hand(),
        now=timezone.now(),
    )
    with pytest.raises(GameMasterRefusal, match="kept_out"):
        seated(game)  # without a power they have left
    keep_in = table(anonymity="open")
    assert person("Roman").pk in power_assignments.player_ids(keep_in)


# what moderators have read


@pytest.mark.parametrize("page", ["report", "accounts"])
def test_who_has_read_of_a_game_as_a_moderator_does_not_join_it(game: Game, page: str) -> None:
    found = reported(game)
    if page == "accounts":
        for name in ("Flora", "Roman"):
            GameTrace.objects.create(
                person=person(name), game_key=game.key, address="zz", last_at=timezone.now()
            )
    for _twice in range(2):
        answer = moderator().get(f"{DESK}{found.key}/" if page == "report" else f"{DESK}comptes/")
        assert "Roman" in words(answer)
    assert ModeratedGame.objects.count() == 1
    with pytest.raises(LobbyRefusal, match="moderated"):
        membership_actions.join_game(game, person(MODERATOR), power="ITALY")
    Moderator.objects.all().delete()
    refused(client_of(MODERATOR).post(at(game, "rejoindre/"), {"power": "ITALY"}), REASONS["moderated"])
    assert REASONS["moderated"] in words(client_of(MODERATOR).get(at(game, "rejoindre/")))
    other = made("Flora")
    assert client_of(MODERATOR).post(at(other, "rejoindre/")).status_code == 302


def test_the_desk_alone_bars_nobody(game: Game) -> None:
    reported(game)
    moderator().get(DESK)
    membership_actions.join_game(game, person(MODERATOR), power="ITALY")
    assert roles(game)[MODERATOR] == GameRole.PLAYER


# with whom one plays


def measures() -> list[str]:
    return list(Measure.objects.values_list("kind", flat=True))


@pytest.mark.parametrize("anonymity", ["open", "until_end"])
@pytest.mark.parametrize("kind", ["warn", "ban", "lift"])
def test_nobody_acts_without_a_report_on_those_they_play_with(anonymity: str, kind: str) -> None:
    game = table(anonymity=anonymity)
    membership_actions.leave_game(game, person("Irène"))
    membership_actions.join_game(game, person(MODERATOR), power="ITALY")
    sent = {"act": kind, "text": "zz", "days": 7}
    refused(moderator().post(f"{PEOPLE}Roman", sent), "un autre modérateur")
    assert measures() == []
    assert moderator().post(f"{PEOPLE}Roman", {"act": "note", "text": "zz"}).status_code == 302
    person("Adèle", is_administrator=True)
    assert client_of("Adèle").post(f"{PEOPLE}Roman", sent).status_code == 302
    Game.objects.filter(pk=game.pk).update(state="ended")
    assert moderator().post(f"{PEOPLE}Théa", sent).status_code == 302


def test_an_anonymous_game_does_not_tell_who_plays_there() -> None:
    """The answer is the same about those who are there and about all others."""
    game = table(anonymity="until_end")
    membership_actions.leave_game(game, person("Irène"))
    membership_actions.join_game(game, person(MODERATOR), power="ITALY")
    person("Nadia")
    sent = {"act": "warn", "text": "zz"}
    for name in ("Roman", "Nadia"):
        refused(moderator().post(f"{PEOPLE}{name}", sent), "un autre modérateur")


def test_a_report_about_someone_one_plays_with_is_another_s() -> None:
    """Of another game too, where names are shown; once the game is over it is not."""
    elsewhere, game = table(), table(anonymity="open")
    assert report(elsewhere, letter(elsewhere)).status_code == 302
    found = Report.objects.get()
    membership_actions.leave_game(game, person("Irène"))
    membership_actions.join_game(game, person(MODERATOR), power="ITALY")
    assert moderator().get(f"{DESK}{found.key}/").status_code == 404
    assert "1 signalement" in words(moderator().get(DESK))
    Game.objects.filter(pk=game.pk).update(state="ended")
    assert moderator().get(f"{DESK}{found.key}/").status_code == 200


def test_whoever_only_looks_on_moderates() -> None:
    game = table(anonymity="open")
    membership_actions.join_game(game, person(STRANGER), role=GameRole.OBSERVER)
    answer = moderator().post(f"{PEOPLE}Roman", {"act": "warn", "text": "zz"})
    assert answer.status_code == 302
