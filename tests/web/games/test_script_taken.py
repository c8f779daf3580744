"""Somebody comes late to a game on line of six, and sits down in the seat of the script."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from talleyrand.formats import game_record
from talleyrand.web.games import order_submission, phase_adjudication, power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import phase_corrections, scripted_powers
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterActor,
    GameMasterRefusal,
    last_published_revision,
)
from talleyrand.web.games.models import (
    Game,
    GameLogEntry,
    GameMembership,
    GameRole,
    GameSeat,
    GameState,
    OrderSet,
)
from talleyrand.web.games.phase_pages.game_records import game_record_json
from talleyrand.web.notifications.models import Notification
from talleyrand.web.press.models import Conversation
from tests.web.cast import ASSISTANT, BEGUN, MASTER, OBSERVER, STRANGER, client_of, person, table
from tests.web.games.desks import act, page_of, said
from tests.web.press import post

pytestmark = pytest.mark.django_db
NOW = BEGUN + timedelta(days=3)
SCRIPT, SEAT = "survivor_turkey", "seat/TURKEY/"


@pytest.fixture
def game() -> Game:
    """Six people, after the spring and the autumn of 1901: Turkey has built by its script."""
    return published(table(SCRIPT), 2)


def published(game: Game, phases: int = 1) -> Game:
    for _ in range(phases):
        game.refresh_from_db()
        phase_adjudication.adjudicate_phase(game, game.phase_number, NOW)
    game.refresh_from_db()
    return game


def hand() -> GameMasterActor:
    return GameMasterActor(person(MASTER), GameRole.GAME_MASTER)


def take(game: Game, name: str = STRANGER, power: str = "TURKEY") -> Game:
    scripted_powers.take_from_script(game, power, person(name), hand=hand(), now=NOW)
    game.refresh_from_db()
    return game


def back(game: Game) -> Game:
    """The last phase is taken back."""
    last = last_published_revision(game)
    assert last
    phase_corrections.roll_back_phase(game, ExpectedRevision.from_revision(last), hand=hand(), now=NOW)
    game.refresh_from_db()
    return game


def send(game: Game, lines: list[str], key: str = "k") -> OrderSet:
    return order_submission.submit_orders(
        game, "TURKEY", lines, number=game.phase_number, key=key, origin="text", at=NOW
    )


def turkey(game: Game) -> list[str]:
    return sorted((GameHistory(game).situation(game.phase_number) or {})["units"]["TURKEY"])


def test_the_latecomer_plays_from_the_open_phase_on(game: Game) -> None:
    before = [one.answer for one in game.revisions.order_by("phase_number")]
    assert (game.phase, turkey(game)) == ("S1902M", ["A ANK", "A BUL", "A SMY", "F CON"])
    assert "TURKEY" not in GameHistory(game).deciding_powers(game.phase_number)
    take(game)
    assert "TURKEY" in GameHistory(game).deciding_powers(game.phase_number)
    assert "TURKEY" not in GameHistory(game).deciding_powers(1)
    send(game, ["A Smy-Arm", "A Bul-Gre"])
    published(game)
    assert turkey(game) == ["A ANK", "A ARM", "A GRE", "F CON"]
    assert [one.answer for one in game.revisions.order_by("phase_number")][:3] == before
    assert page_of(game, SEAT).count(STRANGER)


def test_all_are_told_that_somebody_plays_and_nobody_who(game: Game) -> None:
    take(game)
    notices = {
        (one.person.name, one.kind) for one in Notification.objects.filter(kind__in=("given", "replaced"))
    }
    assert (STRANGER, "given") in notices
    assert {("Flora", "replaced"), (OBSERVER, "replaced")} <= notices
    assert (STRANGER, "replaced") not in notices
    assert all(STRANGER not in str(one.facts) for one in Notification.objects.all())
    [line] = GameLogEntry.objects.filter(kind="script_ended")
    assert line.facts == {"power": "TURKEY", "phase": "S1902M"}
    log = client_of("Flora").get(f"/parties/{game.key}/infos/").text
    assert STRANGER not in log


def test_a_phase_judged_meanwhile_is_judged_again(game: Game) -> None:
    taken = phase_adjudication.take_snapshot(game, game.phase_number, NOW)
    answer = taken.adjudicate()
    send(take(game), ["A Smy-Arm"])
    assert phase_adjudication.publish_phase(taken, answer, NOW) is None
    assert "A ARM" in turkey(published(game))


def test_the_script_has_its_power_again_until_a_phase_is_published(game: Game) -> None:
    take(game)
    send(game, ["A Smy-Arm"])
    scripted_powers.return_to_script(game, "TURKEY", hand=hand(), now=NOW)
    game.refresh_from_db()
    assert (game.variant, game.scripted_variant) == (SCRIPT, "")
    assert not GameSeat.objects.filter(game=game, power="TURKEY").exists()
    assert not GameMembership.objects.filter(game=game, person=person(STRANGER), left_at=None).exists()
    assert turkey(published(game)) == ["A ANK", "A BUL", "A SMY", "F CON"]
    published(take(game))
    with pytest.raises(GameMasterRefusal) as refused:
        scripted_powers.return_to_script(game, "TURKEY", hand=hand(), now=NOW)
    assert refused.value.code == "played"


def test_a_phase_taken_back_stands_in_the_way_of_no_script(game: Game) -> None:
    published(game)
    back(game)
    published(take(game))
    assert not scripted_powers.may_return_to_script(game)
    back(game)
    scripted_powers.return_to_script(game, "TURKEY", hand=hand(), now=NOW)
    game.refresh_from_db()
    assert (game.variant, game.phase) == (SCRIPT, "S1902M")
    assert turkey(published(game)) == ["A ANK", "A BUL", "A SMY", "F CON"]


def test_a_phase_of_the_script_that_is_taken_back_is_the_script_s(game: Game) -> None:
    published(take(game))
    back(back(game))
    assert game.phase == "F1901M"
    assert "TURKEY" not in GameHistory(game).deciding_powers(game.phase_number)
    assert turkey(published(game)) == ["A ANK", "A BUL", "A SMY", "F CON"]
    assert "TURKEY" in GameHistory(game).deciding_powers(game.phase_number)


def test_the_record_of_such_a_game_is_replayed(game: Game) -> None:
    send(take(game), ["A Smy-Arm"])
    published(game)
    record = game_record.read_game_record(game_record_json(game, seeded=True))
    [*_, last] = game_record.replay(record)
    assert last.answer()["units"] == (GameHistory(game).situation(game.phase_number) or {})["units"]


REFUSED: list[tuple[str, str, str, str]] = [
    (STRANGER, "FRANCE", "unscripted", ""),
    (STRANGER, "NOWHERE", "unscripted", ""),
    (MASTER, "TURKEY", "saw_all", ""),
    (ASSISTANT, "TURKEY", "saw_all", ""),
    (STRANGER, "TURKEY", "not_begun", GameState.GATHERING),
    (STRANGER, "TURKEY", "over", GameState.ENDED),
]


@pytest.mark.parametrize(("name", "power", "code", "state"), REFUSED)
def test_what_is_refused(name: str, power: str, code: str, state: str) -> None:
    game = table(SCRIPT)
    if state:
        Game.objects.filter(pk=game.pk).update(state=state)
    with pytest.raises(GameMasterRefusal) as refused:
        take(game, name, power)
    assert refused.value.code == code
    game.refresh_from_db()
    assert (game.variant, game.scripted_until_phase) == (SCRIPT, 0)


def test_nobody_takes_what_somebody_has() -> None:
    game = table(SCRIPT)
    take(game)
    with pytest.raises(GameMasterRefusal) as refused:
        take(game, OBSERVER)
    assert refused.value.code == "unscripted"
    assert power_assignments.player_of(game, "TURKEY") == person(STRANGER).pk


@pytest.mark.long
def test_the_page_of_the_desk_gives_it_and_gives_it_back(game: Game) -> None:
    master = client_of(MASTER)
    person(STRANGER)
    assert "Turquie\u00a0: suit son script" in page_of(game)
    assert "Personne\u00a0: cette puissance suit son script" in page_of(game, SEAT)
    sent: dict[str, Any] = {"action": "take", "name": STRANGER.lower()}
    assert STRANGER in client_of(MASTER).get(act(game, SEAT, sent, master)["Location"]).text
    assert "suit son script" not in page_of(game)
    assert "Cette puissance suit de nouveau son script\u00a0; tout le monde" in said(
        act(game, SEAT, {"action": "give_back"}, master), master
    )


@pytest.mark.parametrize(
    "action", ["replace", "vacate", "disorder", "invite", "end_stand_in", "nonsense", ""]
)
def test_no_other_act_of_a_seat_is_done_to_a_script(action: str) -> None:
    game = table(SCRIPT)
    master = client_of(MASTER)
    answer = act(game, SEAT, {"action": action, "name": STRANGER, "mark": "0"}, master)
    assert answer.status_code == 302
    assert not GameSeat.objects.filter(game=game, power="TURKEY").exists()


@pytest.mark.parametrize("name", [ASSISTANT, "Flora", OBSERVER, STRANGER])
def test_the_page_is_the_game_master_s(name: str) -> None:
    game = table(SCRIPT)
    client = client_of(name)
    assert client.get(f"/parties/{game.key}/desk/{SEAT}").status_code == 404
    assert act(game, SEAT, {"action": "take", "name": STRANGER}, client).status_code == 404
    game.refresh_from_db()
    assert game.variant == SCRIPT


def test_letters_of_a_latecomer_stay_with_whom_they_were_for(game: Game) -> None:
    take(game)
    assert post.send(game, STRANGER, "FRANCE", "Me voici").status_code == 302
    scripted_powers.return_to_script(game, "TURKEY", hand=hand(), now=NOW)
    room = Conversation.objects.get(game=game)
    for name, status in (("Flora", 200), (STRANGER, 404), ("Irène", 404)):
        answer = client_of(name).get(f"/parties/{game.key}/messages/{room.key}/")
        assert (answer.status_code, "Me voici" in answer.text) == (status, status == 200)
    take(game, OBSERVER)
    assert "Me voici" in client_of(OBSERVER).get(f"/parties/{game.key}/messages/{room.key}/").text
