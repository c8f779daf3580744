"""Seats that the computer plays: its sheets, when a game waits for it, what becomes of what fails."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games import clock, computers, inbox, seats, vacancies
from talleyrand.web.games.desk import acts, revising
from talleyrand.web.games.desk.acts import Hand
from talleyrand.web.games.endings import proposals
from talleyrand.web.games.inbox import NotTaken
from talleyrand.web.games.models import ComputerTurn, Game, Revision, Role
from talleyrand.web.games.story import Story
from talleyrand.web.games.table import gathering, starting
from talleyrand.web.games.table.refusals import Refused
from talleyrand.web.games.terms import Chair
from talleyrand.web.practice import opponents, opponents_queues, opponents_thinking, opponents_threads
from tests.web.cast import BEGUN, MASTER, person

from . import states
from .acting import HOUR, SECOND, due, fresh, hand_in, people_told, seat, told
from .computing import BOTS, TWO, answer, begun, claim, sheets, silent
from .computing import gathered as two_gathered

pytestmark = pytest.mark.django_db


def people_hand_in(game: Game, **more: Any) -> None:
    for power in TWO:
        hand_in(game, power, [], final=True, **more)


def test_two_people_begin_and_the_computer_plays_the_others() -> None:
    game = begun()
    assert seats.of_computer(game) == dict.fromkeys(BOTS, "random")
    assert seats.vacant(game) == vacancies.to_play(game) == ()
    assert not game.seats.filter(disorder=True).exists()
    assert answer() == 1
    found = sheets(game)
    assert set(found) == set(BOTS)
    assert all(len(lines) == (4 if power == "RUSSIA" else 3) for power, lines in found.items())
    assert set(game.seats.filter(final=True).values_list("power", flat=True)) == set(BOTS)
    assert answer() == 0, "once answered, nothing is due"


def test_all_ready_publishes_and_the_next_phase_is_asked() -> None:
    game = begun()
    now = BEGUN + HOUR
    people_hand_in(game, at=now)
    assert clock.sweep(now) == 0, "the computer has not answered yet"
    answer()
    assert clock.sweep(timezone.now()) == 1
    published = Revision.objects.get(game=game, number=1, current=True)
    assert set(published.sheets) == {*TWO, *BOTS}
    assert published.absent == []
    assert answer() == 1
    assert fresh(game).number == 2


def test_it_waits_for_the_computer_for_a_while_only() -> None:
    game = begun()
    now = BEGUN + HOUR
    people_hand_in(game, at=now)
    assert clock.sweep(now) == 0
    assert clock.sweep(now + computers.PATIENCE - SECOND) == 0
    assert clock.sweep(now + computers.PATIENCE) == 1
    published = Revision.objects.get(game=game, number=1, current=True)
    assert set(published.absent) == set(BOTS)
    assert not game.seats.filter(power__in=BOTS, missed__gt=0).exists(), "the computer misses nothing"


def test_at_the_deadline_nothing_is_extended_for_the_computer() -> None:
    game = begun(absent="extend", extensions=2)
    before = due(game)
    people_hand_in(game)
    game.seats.update(final=False)
    end = before + 2 * SECOND
    clock.sweep(end)
    clock.sweep(before + HOUR)
    assert fresh(game).extended == 0
    clock.sweep(before + HOUR + computers.PATIENCE)
    assert fresh(game).number == 2


def test_the_computer_is_told_nothing_and_waited_for_by_nobody() -> None:
    game = begun()
    assert people_told(game, "given") == {*TWO.values()}
    answer()
    assert not told(game, "due_soon")
    clock.sweep(due(game) - HOUR)
    assert people_told(game, "due_soon") <= set(TWO.values())


def test_whoever_does_it_again_comes_to_the_same_orders() -> None:
    game = begun()
    answer()
    first = sheets(game)
    game.sheets.filter(power__in=BOTS[2:]).delete()
    game.seats.filter(power__in=BOTS[2:]).update(final=False)
    ComputerTurn.objects.update(answered=0, worker="dead", beat=timezone.now() - 2 * opponents_queues.SILENCE)
    assert answer() == 1
    assert sheets(game) == first
    assert game.sheets.filter(power=BOTS[0]).count() == 1, "what stood is not handed in again"


def test_a_crash_after_the_sheet_is_found_again() -> None:
    game = begun()
    answer()
    game.seats.filter(power="ITALY").update(final=False)
    ComputerTurn.objects.update(answered=0)
    answer()
    assert game.sheets.filter(power="ITALY").count() == 1
    assert seat(game, "ITALY").final


def test_another_seed_another_play() -> None:
    one, other = begun(), begun()
    answer()
    assert sheets(one) != sheets(other)


def test_it_is_given_the_position_and_nobodys_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def think(question: Any, power: str, *more: Any) -> list[str]:
        given.append((question, power, *more))
        return []

    monkeypatch.setattr(opponents_thinking, "think", think)
    game = begun()
    hand_in(game, "FRANCE", ["A PAR-GAS", "zz-secret"])
    answer()
    assert len(given) == len(BOTS)
    assert "GAS" not in str(given)
    assert "zz" not in str(given)


def test_what_fails_is_as_absent_and_the_game_master_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    real = opponents_thinking.think

    def think(question: Any, power: str, *more: Any) -> list[str]:
        if power == "ITALY":
            raise ZeroDivisionError
        return real(question, power, *more)

    monkeypatch.setattr(opponents_thinking, "think", think)
    game = begun()
    people_hand_in(game, at=BEGUN + HOUR)
    assert answer() == 1
    assert set(sheets(game)) == set(BOTS) - {"ITALY"}
    assert people_told(game, "computer_failed") == {MASTER}
    assert game.log.get(kind="computer_failed").facts["powers"] == ["ITALY"]
    assert clock.sweep(timezone.now()) == 1, "nobody waits for it"
    assert Revision.objects.get(game=game, number=1, current=True).absent == ["ITALY"]
    monkeypatch.undo()
    answer()
    assert "ITALY" in sheets(game) or "ITALY" not in Story(fresh(game)).choosers(2)


def test_a_power_that_ends_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        """As if the process were gone."""

    def think(question: Any, power: str, *more: Any) -> list[str]:
        if power == BOTS[0]:
            raise Killed
        return []

    monkeypatch.setattr(opponents_thinking, "think", think)
    game = begun()
    for _ in range(computers.DEATHS):
        row = claim()
        assert row is not None
        with pytest.raises(Killed):
            computers.work(row, silent)
        assert claim() is None, "the dead one may still be at work"
        ComputerTurn.objects.update(beat=timezone.now() - 2 * opponents_queues.SILENCE)
    assert answer() == 1
    assert set(sheets(game)) == set(BOTS[1:])


def test_a_game_that_cannot_be_read_does_not_keep_the_computer_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_row: ComputerTurn) -> None:
        raise ZeroDivisionError

    game = begun()
    with monkeypatch.context() as faulty:
        faulty.setattr(computers, "_phase", broken)
        for _ in range(computers.DEATHS + 1):
            assert answer() == 1
            ComputerTurn.objects.update(beat=timezone.now() - 2 * opponents_queues.SILENCE)
    assert answer() == 0
    people_hand_in(game, at=BEGUN + HOUR)
    assert clock.sweep(timezone.now()) == 1


def hand() -> Hand:
    return Hand(person(MASTER), Role.MASTER)


def test_a_phase_taken_back_is_asked_again() -> None:
    game = begun()
    people_hand_in(game, at=BEGUN + HOUR)
    answer()
    first = sheets(game)
    assert clock.sweep(timezone.now()) == 1
    answer()
    second = sheets(game)
    now = fresh(game)
    ground = acts.Ground.of(Revision.objects.get(game=game, number=1, current=True))
    revising.take_back(now, ground, hand=hand(), now=timezone.now())
    assert fresh(game).number == 1
    assert not game.seats.filter(final=True).exists()
    assert answer() == 1
    assert sheets(game) == first
    assert game.seats.filter(final=True).count() == len(BOTS)
    people_hand_in(game, at=timezone.now())
    assert clock.sweep(timezone.now()) == 1
    answer()
    assert fresh(game).number == 2
    assert sheets(game) == second


def test_somebody_who_sits_down_meanwhile_is_not_overruled(monkeypatch: pytest.MonkeyPatch) -> None:
    game = begun()
    real = opponents_thinking.think

    def think(question: Any, power: str, *more: Any) -> list[str]:
        if power == "ITALY":
            seats.give(game, "ITALY", person("Irène"))
        return real(question, power, *more)

    monkeypatch.setattr(opponents_thinking, "think", think)
    answer()
    assert set(sheets(game)) == set(BOTS) - {"ITALY"}
    assert seats.of_computer(game).keys() == set(BOTS) - {"ITALY"}
    assert not told(game, "computer_failed")
    with pytest.raises(NotTaken) as refused:
        hand_in(game, "ITALY", [], origin=inbox.COMPUTER)
    assert refused.value.code == "not_yours"


def test_one_person_is_enough_nobody_is_not() -> None:
    game = two_gathered(led=True)
    game.memberships.filter(role=Role.PLAYER).update(left=timezone.now())
    with pytest.raises(Refused) as refused:
        starting.begin(game, BEGUN)
    assert refused.value.code == "alone"
    game.memberships.filter(person__name="Flora").update(left=None)
    assert len(seats.of_computer(starting.begin(game, BEGUN))) == 6
    with pytest.raises(Refused) as twice:
        starting.begin(game, BEGUN)
    assert twice.value.code == "started"


def test_without_players_of_its_own_a_site_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "available", lambda: False)
    with pytest.raises(Refused) as refused:
        begun()
    assert refused.value.code == "no_computer"
    assert not Game.objects.filter(number__gt=0).exists()


def test_a_game_at_rest_or_over_asks_for_nothing() -> None:
    game = begun()
    Game.objects.filter(pk=game.pk).update(state="ended")
    assert answer() == 0
    Game.objects.filter(pk=game.pk).update(state="paused")
    assert answer() == 1


def test_the_clock_calls_the_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    monkeypatch.setattr(opponents_threads, "call", lambda: called.append("call"))
    begun()
    clock.Clock().tick(BEGUN + SECOND)
    assert called == ["call"]
    answer()
    clock.Clock().tick(BEGUN + 2 * SECOND)
    assert called == ["call"]


def test_an_ending_asks_people_alone() -> None:
    game = begun(draw="unanimous")
    answer()
    asked = proposals.propose(game, "FRANCE", 1, "now", BEGUN + HOUR)
    assert set(proposals.Talks(fresh(game)).voters(asked)) <= set(TWO)
    proposals.answer(game, asked.pk, "ENGLAND", "yes", BEGUN + HOUR)
    clock.sweep(timezone.now())
    assert fresh(game).state == "ended"


def test_the_computer_does_not_play_alone() -> None:
    game = begun()
    for name in TWO.values():
        gathering.leave(game, person(name))
    answer()
    assert clock.sweep(timezone.now()) == 0
    for _ in range(5):
        clock.sweep(due(game) + 2 * SECOND)
    assert fresh(game).number == 1


def test_a_seat_without_land_hears_the_computers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: dict[str, Any] = {}

    def think(question: Any, power: str, code: str, seed: str, report: Any, said: Any) -> list[str]:
        heard[power] = said
        return ["2 M MOR - CAI"]

    monkeypatch.setattr(opponents_thinking, "think", think)
    game = states.gathered(players=["UMAR", "RUSS"], chair=Chair.PLAYER, bots="values:normal")
    members = dict(game.memberships.filter(role=Role.PLAYER).values_list("person__name", "pk"))
    chosen = {state: members[states.player(state)] for state in ("UMAR", "RUSS")}
    game = starting.begin(game, BEGUN, chosen=chosen)
    hand_in(game, "UMAR", ["2 M MOR H", "zz-secret"])
    answer()
    assert list(heard)[-1] == "ONU"
    assert set(heard["ONU"]) == set(heard) - {"ONU"}
    assert "UMAR" not in heard["ONU"]
    assert not any(heard[state] for state in heard if state != "ONU")


def test_a_seat_without_land_that_is_the_game_masters_is_not_the_computers() -> None:
    for chair in (Chair.MASTER, Chair.NOBODY):
        game = states.gathered(players=["UMAR", "RUSS"], chair=chair, bots="values:normal")
        bots = seats.of_computer(starting.begin(game, BEGUN))
        assert len(bots) == 19
        assert "ONU" not in bots
