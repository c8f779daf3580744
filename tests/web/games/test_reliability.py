"""Reliability: what counts, what it comes to, and the games that ask for it."""

from __future__ import annotations

from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameRole, GameState
from talleyrand.web.games.player_records import game_facts, record_queue, reliability
from talleyrand.web.games.record_models import FinishedGame, PlayedGame, PlayerProfile
from tests.web.cast import PLAYERS, client_of, person, table
from tests.web.games import tables
from tests.web.games.finished import day, end, play
from tests.web.games.test_table_races import together

pytestmark = pytest.mark.django_db


def percent(name: str) -> int | None:
    return reliability.reliability_of(person(name))


def record(game: Game, name: str) -> PlayedGame:
    return PlayedGame.objects.get(finished__game=game, person=person(name))


@pytest.mark.parametrize(
    ("due", "missed", "left", "expected"),
    [
        (0, 0, 0, None),
        (10, 0, 0, 100),
        (10, 1, 0, 90),
        (3, 1, 0, 66),
        (10, 0, 1, 50),
        (0, 0, 1, 0),
        (4, 4, 2, 0),
    ],
)
def test_the_formula(due: int, missed: int, left: int, expected: int | None) -> None:
    assert reliability.reliability_percent(due, missed, left) == expected


def test_phases_missed_of_phases_due_count_when_the_game_is_over() -> None:
    game = play(play(table()), silent=["FRANCE"])
    assert percent("Flora") is None
    end(game)
    assert (percent("Flora"), percent("Gaspard")) == (50, 100)
    mine = PlayerProfile.objects.get(person=person("Flora"))
    assert (mine.phases_due, mine.phases_missed, mine.games_left) == (2, 1, 0)


def test_the_report_tells_all_that_the_figure_is_made_of() -> None:
    """Whoever reads the published phases of a finished game comes to the same counts."""
    game = end(play(play(play(table()), silent=["FRANCE", "ITALY"]), silent=["ITALY"]))
    for power, name in PLAYERS.items():
        published = game.revisions.filter(is_current=True, phase_number__gt=0)
        due = [one for one in published if power in one.order_lines or power in one.powers_without_orders]
        missed = [one for one in due if power in one.powers_without_orders]
        row = record(game, name)
        assert (row.phases_due, row.phases_missed) == (len(due), len(missed))


def test_a_game_left_weighs_ten_phases_and_its_replacement_answers_for_the_rest() -> None:
    game = play(table())
    membership_actions.leave_game(game, person("Flora"))
    game = play(game, silent=["FRANCE"])
    membership_actions.join_game(game, person("Sylvain"), power="FRANCE")
    end(play(game))
    assert (record(game, "Flora").outcome, percent("Flora")) == ("left", 9)
    assert (record(game, "Sylvain").outcome, record(game, "Sylvain").phases_due) == ("replacement", 1)
    assert percent("Sylvain") == 100


def test_whoever_leaves_after_their_end_has_not_left() -> None:
    """A power that has nothing to decide any more may be given up."""
    game = play(table())
    revision = game.revisions.get(phase_number=1, is_current=True)
    power_assignments.end_assignment(game, "FRANCE")
    for one in game.revisions.all():
        one.order_lines.pop("FRANCE", None)
        one.save()
    assert revision.order_lines
    end(game)
    assert record(game, "Flora").has_left is False


def test_a_stand_in_answers_for_the_phases_of_their_time() -> None:
    game = play(table())
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"), stand_in=True)
    end(play(game, silent=["FRANCE"]))
    assert (percent("Flora"), percent("Sylvain")) == (100, 0)
    assert record(game, "Sylvain").outcome == "stand_in"


def test_unlisted_games_and_games_given_up_before_they_began_count_for_nobody() -> None:
    game = play(table())
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    end(game)
    assert not FinishedGame.objects.exists()
    assert percent("Flora") is None


def test_only_the_last_twenty_games_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reliability, "COUNTED_GAMES", 1)
    end(play(table(), silent=["FRANCE"]), at=day(1))
    assert percent("Flora") == 0
    end(play(table()), at=day(2))
    assert percent("Flora") == 100
    end(play(table(), silent=["FRANCE"]), at=day(0))
    assert percent("Flora") == 100


def test_a_game_that_goes_on_counts_no_more_and_again_when_it_is_over_again() -> None:
    game = end(play(table(), silent=["FRANCE"]))
    assert percent("Flora") == 0
    situation = GameHistory(game).situation(2) or {}
    phase_corrections.continue_ended_game(game, situation, timezone.now())
    game.phase = str(situation["phase"])
    game.save()
    assert game.state == GameState.PLAYING
    assert percent("Flora") is None
    assert not PlayedGame.objects.exists()
    end(play(game))
    assert percent("Flora") == 50


@pytest.mark.django_db(transaction=True)
def test_two_games_of_somebody_counted_at_the_same_moment_both_count() -> None:
    games = [end(play(table()), counted=False) for _number in range(2)]
    ready = Barrier(2)

    @write_transaction
    def count(game: Game) -> None:
        finished = FinishedGame.objects.get(game=game)
        PlayedGame.objects.create(finished=finished, person=person("Flora"), outcome="draw", phases_due=3)
        with suppress(BrokenBarrierError):  # where the other waits until this one is done
            ready.wait(0.5)
        reliability.recount_reliability([person("Flora").pk])

    together(*[lambda game=game: count(game) for game in games])
    assert PlayerProfile.objects.get(person=person("Flora")).phases_due == 6


def test_counting_twice_or_after_a_crash_changes_nothing() -> None:
    game = end(play(table(), silent=["FRANCE"]))
    rows = list(PlayedGame.objects.order_by("person").values_list("person", "phases_due", "outcome"))
    FinishedGame.objects.update(due_at=timezone.now(), claimed_by="dead", claimed_until=day(0))
    assert record_queue.count_finished_games() == 1
    assert record_queue.count_finished_games() == 0
    assert list(PlayedGame.objects.order_by("person").values_list("person", "phases_due", "outcome")) == rows
    assert FinishedGame.objects.get(game=game).due_at is None


def test_a_game_that_cannot_be_read_stops_no_other(monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    broken, whole = end(play(table()), counted=False), end(play(table()), counted=False)
    real = game_facts.played_games

    def played(finished: FinishedGame) -> list[PlayedGame]:
        if finished.game_id == broken.pk:
            raise ValueError("unreadable")
        return real(finished)

    monkeypatch.setattr(game_facts, "played_games", played)
    assert record_queue.count_finished_games() == 1
    assert "a finished game" in caplog.text
    assert record(whole, "Flora").phases_due == 1
    for _again in range(record_queue.MOST_ATTEMPTS):
        FinishedGame.objects.filter(due_at__isnull=False).update(claimed_until=None)
        record_queue.count_finished_games()
    assert not FinishedGame.objects.filter(due_at__isnull=False).exists()


def unreliable(name: str = "Sylvain") -> None:
    PlayerProfile.objects.update_or_create(person=person(name), defaults={"reliability": 70})


def test_a_game_takes_who_is_reliable_enough_and_newcomers() -> None:
    unreliable()
    strict, mild = tables.made(least_reliability=71), tables.made(least_reliability=70)
    with pytest.raises(LobbyRefusal, match="unreliable"):
        membership_actions.join_game(strict, person("Sylvain"))
    membership_actions.join_game(mild, person("Sylvain"))
    membership_actions.join_game(strict, person("Nouvelle"))
    membership_actions.join_game(strict, person("Sylvain"), role=GameRole.OBSERVER)


def test_an_invitation_or_an_open_seat_are_no_way_round() -> None:
    unreliable()
    game = tables.made(listed=False, least_reliability=90)
    answer = client_of("Sylvain").post(tables.link(game))
    tables.refused(answer, "fiabilité plus haute que la vôtre")
    running = play(table(least_reliability=90))
    membership_actions.leave_game(running, person("Flora"))
    with pytest.raises(LobbyRefusal, match="unreliable"):
        membership_actions.join_game(running, person("Sylvain"), power="FRANCE")


def test_the_door_says_so_before_one_asks() -> None:
    unreliable()
    game = tables.made(least_reliability=90)
    shown = tables.words(client_of("Sylvain").get(tables.at(game, "rejoindre/")))
    assert "fiabilité plus haute que la vôtre" in shown
    assert "fiabilité d’au moins 90" in shown


def test_it_is_in_what_one_downloads_and_goes_with_the_account() -> None:
    end(play(table(), silent=["FRANCE"]))
    kept = personal_data.export_personal_data(person("Flora"))["record"]
    assert kept["profile"]["reliability"] == 0
    assert [(one["powers"], one["phases_missed"]) for one in kept["finished_games"]] == [(["FRANCE"], 1)]
    personal_data.delete_account(person("Flora"))
    assert not PlayedGame.objects.exclude(person__isnull=False).exists()
    assert PlayedGame.objects.count() == len(PLAYERS) - 1
    assert PlayerProfile.objects.count() == len(PLAYERS) - 1
