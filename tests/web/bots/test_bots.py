"""Against the computer: who plays, what it orders and sees, undoing, stopping, crashes, limits."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.formats import question_input
from talleyrand.simulation import bots as players
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots import bot_players, bot_queue, bot_threads
from talleyrand.web.common import rate_limits, visitor_quota
from talleyrand.web.practice import practice_bot_tasks as thinking
from talleyrand.web.practice import practice_games
from talleyrand.web.practice.models import PracticeBotTask, PracticeGame
from talleyrand.web.practice.practice_games import PracticeHistory
from tests.web.claims import claiming
from tests.web.claims.claiming import Claimed, go_on
from tests.web.conftest import Player, begin

pytestmark = pytest.mark.django_db

OTHERS = ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
RETREAT: dict[str, Any] = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A BUR", "A TYR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER"]},
}


def silent(_done: float) -> None:
    """Nobody watches."""


def claim() -> Claimed | None:
    """The next game of the practice board that is due."""
    return claiming.claim(thinking.PRACTICE_BOT_QUEUE)


def work_here() -> None:
    """Do in this thread what is due."""
    while (task := claim()) is not None:
        go_on(task)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer thinks in the test's own thread, where its transaction is."""
    monkeypatch.setattr(bot_threads.bot_thread_pool, "start_if_due", work_here)


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer does not begin by itself."""
    monkeypatch.setattr(bot_threads.bot_thread_pool, "start_if_due", lambda: None)
    monkeypatch.setattr(bot_threads, "QUICK_WAIT_SECONDS", 0.0)


def against(player: Player, code: str = "random", mine: str = "FRANCE") -> Player:
    player.client.post(player.address("players/"), {"action": "others", "mine": mine, "player": code})
    player.refresh()
    return player


def turns(player: Player) -> list[Any]:
    return list(player.game.turns.all())


def test_the_registry_is_what_the_page_offers() -> None:
    assert tuple(bot_players.BOT_KINDS) == players.names()
    for code in bot_players.bot_codes():
        name, _colon, strength = code.partition(":")
        assert players.by_name(name, strength or "normal").name == name


def test_a_strength_that_is_no_longer_offered_plays_on() -> None:
    assert "values:hard" not in bot_players.bot_codes()
    assert bot_players.known_bots({"FRANCE": "values:hard"}) == {"FRANCE": "values:normal"}


def test_one_touch_gives_all_the_others(player: Player) -> None:
    against(player)
    assert player.game.bots == dict.fromkeys(OTHERS, "random")
    page = player.client.get(player.address()).text
    assert "des bots jouent 6 puissances" in page
    assert re.findall(r"<option value=\"A (\w+) H\"", page) == ["MAR", "PAR"]


def test_at_the_creation(client: Client) -> None:
    sent = {"variant": "classic", "mine": "ITALY", "player": "hold", "submission": "a-game-of-my-own"}
    client.post("/p/new/", sent)
    assert PracticeGame.objects.get().bots == dict.fromkeys({*OTHERS, "FRANCE"} - {"ITALY"}, "hold")


def test_at_the_creation_to_watch(client: Client) -> None:
    client.post("/p/new/", {"variant": "classic", "mine": "-", "player": "random"})
    assert set(PracticeGame.objects.get().bots) == {*OTHERS, "FRANCE"}


def test_power_by_power(player: Player) -> None:
    sent = {"action": "each", "player-ITALY": "random", "player-FRANCE": "", "player-TURKEY": "hold"}
    player.client.post(player.address("players/"), sent)
    assert player.refresh().bots == {"ITALY": "random", "TURKEY": "hold"}
    player.client.post(player.address("players/"), {"action": "nobody"})
    assert player.refresh().bots == {}


@pytest.mark.parametrize(
    "sent",
    [
        {"action": "others", "mine": "ATLANTIS", "player": "random"},
        {"action": "others", "mine": "FRANCE", "player": "grandmaster"},
        {"action": "others", "mine": "FRANCE"},
        {"action": "each", "player-ITALY": "random:easy"},
        {"action": "each", "player-ITALY": "x\x00"},
    ],
)
def test_unknown_players_are_refused(player: Player, sent: dict[str, str]) -> None:
    against(player)
    page = player.client.post(player.address("players/"), sent, follow=True)
    assert "Demande non valable" in page.text
    assert player.refresh().bots == dict.fromkeys(OTHERS, "random")


def test_it_orders_and_the_phase_is_played(player: Player) -> None:
    against(player)
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    page = player.client.get(player.resolve(1)["Location"]).text
    (turn,) = turns(player)
    assert turn.bots == dict.fromkeys(OTHERS, "random")
    assert turn.orders["FRANCE"] == ["A Par - Bou"]
    assert {power: len(lines) for power, lines in turn.orders.items()} == {
        **dict.fromkeys(OTHERS, 3),
        "RUSSIA": 4,
        "FRANCE": 1,
    }
    assert not [entry for entry in turn.answer["orders"] if entry["error"]]
    assert "bot\u00a0: aléatoire" in page
    assert not PracticeBotTask.objects.exists()


def test_the_same_seed_gives_the_same_orders(player: Player) -> None:
    against(player)
    player.resolve(1)
    twin = begin()
    PracticeGame.objects.filter(pk=twin.pk).update(seed=player.game.seed, bots=player.game.bots)
    Player(player.client, twin).resolve(1)
    assert twin.turns.get().orders == turns(player)[0].orders


def test_another_seed_gives_others(player: Player) -> None:
    against(player)
    player.resolve(1)
    twin = against(Player(player.client, begin()))
    twin.resolve(1)
    assert turns(twin)[0].orders != turns(player)[0].orders


def test_the_computer_never_sees_the_player_s_orders(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    against(player)
    player.draft(1, {"orders": {"PAR": "A PAR - BUR", "MAR": "A MAR S A PAR - BUR"}})
    seen: list[Any] = []
    think = thinking.bot_orders

    def watched(question: Question, *rest: Any) -> list[str]:
        asked = question_input.read_question(question)
        seen.append((json.dumps(question), asked.sheets))
        return think(question, *rest)

    monkeypatch.setattr(thinking, "bot_orders", watched)
    player.resolve(1)
    assert len(seen) == 6
    assert not [question for question, sheets in seen if sheets or "Bou" in question or "BUR" in question]


def test_retreats_of_the_computer_go_by_themselves(player: Player) -> None:
    player.game = begin(**RETREAT)
    player.client.post(player.address("players/"), {"action": "others", "mine": "FRANCE", "player": "hold"})
    player.draft(1, {"orders": {"BUR": "A BUR - MUN", "TYR": "A TYR S A BUR - MUN"}})
    player.resolve(1)
    played = turns(player)
    assert [turn.phase for turn in played] == ["S1901M", "S1901R"]
    assert played[1].bots == {"GERMANY": "hold"}
    assert PracticeHistory(player.game).question(3)["phase"] == "F1901M"  # type: ignore[index]


def test_taking_back_gives_the_player_s_orders_back_and_none_of_the_computer_s(player: Player) -> None:
    against(player)
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    player.resolve(1)
    first = turns(player)[0].orders
    page = player.client.post(player.address("1/back/"), follow=True).text
    assert "Retour à cette phase, avec ses ordres" in page
    assert player.refresh().draft_orders == {"FRANCE": ["A Par - Bou"]}
    player.draft(1, {"orders": {"PAR": "A PAR - PIC"}})
    player.resolve(1, "another-submission")
    assert turns(player)[0].orders == {**first, "FRANCE": ["A Par - Pic"]}


def test_taking_back_passes_over_what_the_computer_played_alone(player: Player) -> None:
    test_retreats_of_the_computer_go_by_themselves(player)
    page = player.client.get(player.address("1/")).text
    assert player.address("1/back/") in page
    player.client.post(player.address("1/back/"))
    assert not turns(player)
    assert player.refresh().draft_orders == {
        "FRANCE": ["A Bou - Mun", "A Tyrol soutient A Bourgogne - Munich"]
    }


def test_watching_a_phase_and_a_year(player: Player) -> None:
    against(player, mine="")
    page = player.client.get(player.address()).text
    assert "Seuls des bots ont des ordres à donner" in page
    assert 'id="orders"' not in page
    sent = {"submission": "one-phase-submission", "until": "phase"}
    assert player.client.post(player.address("1/onward/"), sent)["Location"] == player.address("1/")
    assert len(turns(player)) == 1
    sent = {"submission": "one-year-submission", "until": "year"}
    player.client.post(player.address("2/onward/"), sent)
    phases = [turn.phase for turn in turns(player)]
    assert {phase[1:5] for phase in phases} == {"1901"}
    assert "F1901M" in phases
    after = player.client.get(player.address()).text
    assert "Printemps 1902" in after


def test_going_on_is_refused_where_the_player_has_to_choose(player: Player) -> None:
    against(player)
    for until in ("phase", "year"):
        sent = {"submission": f"a-{until}-that-is-not-due", "until": until}
        player.client.post(player.address("1/onward/"), sent)
    assert not turns(player)
    assert not PracticeBotTask.objects.exists()


@pytest.mark.parametrize("sent", [{}, {"until": "ever"}, {"until": "year", "submission": "short"}])
def test_a_request_to_go_on_cut_in_half(player: Player, sent: dict[str, str]) -> None:
    against(player, mine="")
    page = player.client.post(player.address("1/onward/"), sent, follow=True)
    assert "Demande non valable" in page.text
    assert not turns(player)


# waiting, stopping, failing, crashing


@pytest.mark.usefixtures("asleep")
def test_the_page_that_waits(player: Player) -> None:
    against(player)
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    page = player.client.get(player.resolve(1)["Location"]).text
    assert 'id="thinking"' in page
    assert 'id="resolve"' not in page
    assert f"url={player.address('1/')}" in page  # without scripts it looks again by itself
    assert json.loads(player.client.get(player.address("computer/")).content) == {
        "over": False,
        "number": 1,
        "yours": True,
        "follow": False,
        "url": player.address("1/"),
        "done": player.address("1/"),
        "value": 0,
        "most": 6,
        "sentence": "Les bots commencent dans un instant.",
        "trouble": "",
    }
    work_here()
    assert json.loads(player.client.get(player.address("computer/")).content) == {"over": True}
    assert len(turns(player)) == 1


@pytest.mark.usefixtures("asleep")
def test_resolving_again_while_it_thinks_is_one_turn(player: Player) -> None:
    against(player)
    for submission in ("the-first-window", "the-second-window", "the-first-window"):
        assert player.resolve(1, submission).status_code == 302
    assert PracticeBotTask.objects.count() == 1
    work_here()
    for submission in ("the-first-window", "the-third-window"):
        player.resolve(1, submission)
    work_here()
    assert len(turns(player)) == 1


@pytest.mark.usefixtures("asleep")
def test_the_next_phase_is_resolved_though_the_last_is_not_tidied_away(player: Player) -> None:
    """Its worker shows the new phase a moment before it lets go of what was due."""
    against(player, "hold")
    player.resolve(1, "the-first-window")
    row = PracticeBotTask.objects.get()
    work_here()
    row.phase_number += 1
    row.save(force_insert=True)
    player.resolve(2, "the-second-window")
    fresh = PracticeBotTask.objects.get()
    assert fresh.first_phase_number == row.phase_number
    work_here()
    assert len(turns(player)) == 2


@pytest.mark.usefixtures("asleep")
def test_stopping_keeps_the_orders(player: Player) -> None:
    against(player)
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    player.resolve(1)
    task = claim()
    page = player.client.post(player.address("computer/stop/"), follow=True).text
    assert 'id="resolve"' in page
    assert task is not None
    go_on(task)
    assert not turns(player)
    assert player.refresh().draft_orders == {"FRANCE": ["A Par - Bou"]}


@pytest.mark.usefixtures("asleep")
def test_what_was_thought_before_a_crash_is_not_thought_again(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    against(player)
    player.resolve(1)
    think = thinking.bot_orders
    asked: list[str] = []

    def dying(question: Question, power: str, *rest: Any) -> list[str]:
        if len(asked) == 2:
            raise KeyboardInterrupt
        asked.append(power)
        return think(question, power, *rest)

    def noted(question: Question, power: str, *rest: Any) -> list[str]:
        asked.append(power)
        return think(question, power, *rest)

    monkeypatch.setattr(thinking, "bot_orders", dying)
    with pytest.raises(KeyboardInterrupt):
        work_here()
    monkeypatch.setattr(thinking, "bot_orders", noted)
    assert claim() is None  # the dead one may still be at work
    monkeypatch.setattr(bot_threads.bot_thread_pool, "start_if_due", work_here)
    bot_queue.release_all_claims()
    bot_threads.wake_bots()
    assert sorted(asked) == sorted(OTHERS)
    assert len(turns(player)) == 1


@pytest.mark.usefixtures("asleep")
def test_a_silent_worker_is_taken_for_dead(player: Player) -> None:
    against(player)
    player.resolve(1)
    dead = claim()
    PracticeBotTask.objects.update(claimed_until=timezone.now() - bot_queue.CLAIM_LENGTH)
    work_here()
    assert len(turns(player)) == 1
    assert dead is not None
    go_on(dead)
    assert len(turns(player)) == 1


@pytest.mark.usefixtures("asleep")
def test_an_order_that_arrives_while_it_thinks_is_played(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    against(player)
    player.resolve(1)
    judged = practice_games.adjudicated_turn
    pending = [{"orders": {"PAR": "A PAR - BUR"}}]

    def slow(*rest: Any) -> Any:
        turn = judged(*rest)
        if pending:
            assert player.draft(1, pending.pop()).status_code == 200
        return turn

    monkeypatch.setattr(practice_games, "adjudicated_turn", slow)
    work_here()
    (turn,) = turns(player)
    assert turn.orders["FRANCE"] == ["A Par - Bou"]
    assert "A BUR" in turn.answer["units"]["FRANCE"] or turn.answer["orders"]


@pytest.mark.usefixtures("asleep")
def test_a_power_given_away_while_it_thinks_is_thought_by_its_new_player(player: Player) -> None:
    against(player)
    player.resolve(1)
    task = claim()
    assert task is not None
    sweep, [row] = task
    thinking._advance(sweep, row, silent)
    bots = {**player.refresh().bots, "AUSTRIA": "hold"}
    bots.pop("TURKEY")
    practice_games.assign_practice_bots(player.game, bots)
    go_on(task)
    (turn,) = turns(player)
    assert turn.bots == bots
    assert turn.orders["AUSTRIA"] == ["A BUD H", "F TRI H", "A VIE H"]
    assert "TURKEY" not in turn.orders


def test_a_failure_is_told_logged_and_tried_again(
    player: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    against(player)
    think = thinking.bot_orders

    def broken(*rest: Any) -> list[str]:
        raise RuntimeError("something inside")

    monkeypatch.setattr(thinking, "bot_orders", broken)
    page = player.client.get(player.resolve(1)["Location"]).text
    assert "Le bot a échoué\u202f; l’erreur vient de nous et est" in page
    assert "something inside" not in page
    assert "something inside" in caplog.text
    monkeypatch.setattr(thinking, "bot_orders", think)
    player.client.post(player.address("computer/again/"))
    assert len(turns(player)) == 1


def test_a_site_without_computer_players_says_so(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    against(player)
    monkeypatch.setattr(bot_players, "bots_available", lambda: False)
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    refused = player.client.post(
        player.address("1/resolve/"), {"submission": "a-submission-of-mine", "scripted": "1"}, follow=True
    )
    assert "pip install &#x27;talleyrand[simulation]&#x27;" in refused.text
    assert not turns(player)
    assert player.refresh().draft_orders == {"FRANCE": ["A Par - Bou"]}
    player.client.post(player.address("players/"), {"action": "nobody"})
    player.resolve(1, "alone-then-and-again")
    assert len(turns(player)) == 1
    assert "contre les bots" not in player.client.get("/p/new/").text


def test_without_numba_the_page_says_that_it_is_slower(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_players, "bots_are_compiled", lambda: False)
    assert "les bots qui anticipent jouent comme" in player.client.get(player.address()).text


@pytest.mark.usefixtures("asleep")
def test_one_visitor_may_not_have_all_the_thinking(client: Client) -> None:
    tables = [against(Player(client, begin())) for _ in range(thinking.MOST_A_VISITOR + 1)]
    for table in tables:
        table.resolve(1)
    assert PracticeBotTask.objects.count() == thinking.MOST_A_VISITOR
    last = tables[-1]
    sent = {"submission": "a-submission-of-mine", "scripted": "1"}
    page = client.post(last.address("1/resolve/"), sent, follow=True)
    assert "déjà dans 3 de vos parties" in page.text
    client.post(last.address("1/resolve/"), sent, REMOTE_ADDR="2001:db8::1")
    assert PracticeBotTask.objects.count() == thinking.MOST_A_VISITOR + 1
    assert (
        "Les bots sont pris par d’autres parties\u202f; avant celle-ci"
        in client.get(last.address("computer/")).json()["sentence"]
    )


@pytest.mark.usefixtures("asleep")
def test_a_server_that_is_full_says_so(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "MOST_WAITING", 0)
    against(player)
    sent = {"submission": "a-submission-of-mine", "scripted": "1"}
    page = player.client.post(player.address("1/resolve/"), sent, follow=True)
    assert "Trop de parties attendent" in page.text
    assert not turns(player)


def test_neighbours_are_one_visitor_and_strangers_are_not(rf: Any) -> None:
    def of(address: str) -> str:
        return visitor_quota.visitor_id(rf.get("/", REMOTE_ADDR=address))

    assert of("2001:db8::1") == of("2001:db8::2") != of("2001:db8:0:1::1")
    assert of("192.0.2.1") != of("192.0.2.2")
    assert of("") == of("")
    assert "192.0.2.1" not in of("192.0.2.1")


# drafts and files


def test_what_was_written_for_a_power_waits_till_it_is_taken_back(player: Player) -> None:
    player.draft(1, {"orders": {"MUN": "A MUN - RUH", "PAR": "A PAR - BUR"}})
    against(player)
    page = player.client.get(player.address()).text
    assert "Mun - Ruh" not in page
    player.draft(1, {"sheet": "A Par-Pic"})
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Pic"], "GERMANY": ["A Mun - Ruh"]}
    player.client.post(player.address("players/"), {"action": "nobody"})
    assert "A Mun - Ruh" in player.client.get(player.address()).text


@pytest.mark.parametrize(
    "change",
    [{"orders": {"MUN": "A MUN - RUH"}}, {"sheet": "A Mun-Ruh"}, {"lines": {"GERMANY": ["A Mun H"]}}],
)
def test_orders_for_the_computer_s_powers_are_refused(player: Player, change: Any) -> None:
    against(player)
    answer = player.draft(1, change)
    assert answer.status_code == 400
    assert "joue cette puissance" in answer.json()["message"]
    assert not player.refresh().draft_orders


def test_a_power_of_the_computer_s_is_not_the_one_i_play(player: Player) -> None:
    player.client.post(player.address("power/"), {"power": "GERMANY"})
    against(player)
    assert player.game.played_power == ""
    player.client.post(player.address("power/"), {"power": "GERMANY"})
    assert player.refresh().played_power == ""


def test_a_file_keeps_who_ordered(player: Player) -> None:
    against(player)
    player.resolve(1)
    file = player.client.get(player.address("game.json"))
    assert json.loads(file.text)["phases"][0]["bots"] == dict.fromkeys(OTHERS, "random")
    player.client.post("/p/import/", {"text": file.text})
    copy = PracticeGame.objects.latest("pk")
    assert copy.bots == player.game.bots
    assert copy.turns.get().bots == turns(player)[0].bots
    assert player.client.get(f"/p/{copy.key}/game.json").content == file.content
    remarks = player.client.get(player.address("game.txt")).text
    assert remarks.count("// bot\N{NO-BREAK SPACE}: aléatoire") == 6


def test_a_file_with_players_of_elsewhere_is_read_without_them(client: Client) -> None:
    record = {"phases": [{"phase": "S1901M", "orders": {}, "bots": {"ITALY": "deepest:9"}}]}
    client.post("/p/import/", {"text": json.dumps({**record, "bots": {"ITALY": "random", "FRANCE": "x"}})})
    game = PracticeGame.objects.get()
    assert game.bots == {"ITALY": "random"}
    assert game.turns.get().bots == {}


@pytest.mark.parametrize("bots", [3, ["ITALY"], {"ATLANTIS": "random"}, {"ITALY": 3}])
def test_a_file_whose_players_make_no_sense(client: Client, bots: Any) -> None:
    response = client.post("/p/import/", {"text": json.dumps({"phases": [], "bots": bots})})
    assert response.status_code == 400
    assert not PracticeGame.objects.exists()


def test_a_copy_keeps_the_players(player: Player) -> None:
    against(player)
    player.resolve(1)
    player.client.post(player.address("2/copy/"), {"submission": "a-copy-of-my-own"})
    copy = PracticeGame.objects.latest("pk")
    assert copy.bots == player.game.bots
    assert copy.turns.get().bots == turns(player)[0].bots


def test_whoever_only_looks_is_not_asked_and_not_shown(player: Player) -> None:
    against(player)
    page = player.client.get(f"/s/{player.game.shared_key}/").text
    assert "players-title" not in page
    assert player.client.get(f"/p/{player.game.shared_key}/computer/").status_code == 404


def test_the_computer_plays_to_the_end_of_a_game(player: Player) -> None:
    owned = "PAR MAR BRE POR SPA BEL HOL LON LVP EDI MUN BER KIE DEN SWE NWY VEN ROM".split()  # noqa: SIM905
    player.game = begin(phase="F1907M", units={"FRANCE": ["A PAR"]}, centers={"FRANCE": owned})
    against(player, "hold", mine="")
    sent = {"submission": "to-the-end-of-the-game", "until": "year"}
    player.client.post(player.address("1/onward/"), sent)
    page = player.client.get(player.address()).text
    assert "Victoire\u00a0: France" in page
    assert "players-title" not in page
    assert not PracticeBotTask.objects.exists()
    again = player.client.post(
        player.address("2/onward/"), {**sent, "submission": "after-the-end-of-it-all"}, follow=True
    )
    assert "La partie est finie" in again.text


@pytest.mark.usefixtures("asleep")
def test_taking_back_while_it_thinks_ends_its_thinking(player: Player) -> None:
    against(player)
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    player.resolve(1)
    work_here()
    player.resolve(2, "the-second-phase-of-it")
    task = claim()
    assert task is not None
    player.client.post(player.address("1/back/"))
    go_on(task)
    assert not turns(player)
    assert not PracticeBotTask.objects.exists()
    assert player.refresh().draft_orders == {"FRANCE": ["A Par - Bou"]}


def test_a_power_without_a_choice_is_passed_over_in_a_winter(player: Player) -> None:
    winter: dict[str, Any] = {
        "phase": "W1901A",
        "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER", "KIE"]},
    }
    player.game = begin(**winter)
    against(player, "random")
    assert "Seuls des bots ont des ordres à donner" in player.client.get(player.address()).text
    player.client.post(player.address("1/onward/"), {"submission": "a-winter-s-submission", "until": "phase"})
    (turn,) = turns(player)
    assert (turn.phase, turn.bots) == ("W1901A", {"GERMANY": "random"})
    assert len(turn.answer["units"]["GERMANY"]) == 3


@pytest.mark.usefixtures("asleep")
def test_who_has_had_their_hour_of_computing_is_told(player: Player, rf: Any) -> None:
    """Documents and the computer's players are paid from one purse."""
    visitor_quota.charge_cpu_seconds(visitor_quota.visitor_id(rf.get("/")), 900)
    against(player)
    sent = {"submission": "a-submission-of-mine", "scripted": "1"}
    page = player.client.post(player.address("1/resolve/"), sent, follow=True)
    assert "essayez plus tard" in page.text
    assert not PracticeBotTask.objects.exists()
    assert not turns(player)


@pytest.mark.django_db(transaction=True)
def test_what_the_computer_thinks_is_paid_for(player: Player) -> None:
    PracticeBotTask.objects.create(
        game=player.game,
        first_phase_number=1,
        phase_number=1,
        goal="choice",
        submission_id="s",
        visitor_id="someone",
    )
    work_here()
    assert rate_limits.recent_hits(visitor_quota.KIND, "someone", visitor_quota.HOURLY, lasting=True) >= 1
