"""What the clock does with those who have no sheet at the deadline."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from talleyrand.web.games import deadline_clock, phase_deadlines, power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameSeat
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.notifications import topic_versions
from talleyrand.web.notifications.notification_sentences import notification_sentence
from tests.web.cast import ASSISTANT, BEGUN, MASTER, PLAYERS, person, table
from tests.web.games.phases import EARLY, SLOW, published, second_phase, to_next_movement

from .acting import (
    DAY,
    HOUR,
    SECOND,
    all_hand_in,
    draft,
    due,
    fresh,
    hand_in,
    people_told,
    seat,
    sweep_at_deadline,
    told,
)

pytestmark = pytest.mark.django_db
Committing = Callable[..., AbstractContextManager[object]]


# absence


def test_disorder_for_a_phase_then_for_good_then_back() -> None:
    game = second_phase(absent="disorder", patience=2)
    for lost in (False, True):
        all_hand_in(game, but=["FRANCE"], lines=[])
        to_next_movement(game)
        assert seat(game, "FRANCE").in_civil_disorder is lost
    assert people_told(game, "disorder") == {*PLAYERS.values(), MASTER, ASSISTANT, "Oscar"}
    number = fresh(game).phase_number
    Game.objects.filter(pk=game.pk).update(settings_json={**game.settings_json, "rhythm": EARLY})
    all_hand_in(game, but=["FRANCE"], lines=[], final=True)
    assert deadline_clock.check_due_games(due(game) - HOUR) == 1, "nobody waits for France"
    assert published(game, number).powers_without_orders == ["FRANCE"]
    hand_in(game, "FRANCE", [])
    assert not seat(game, "FRANCE").in_civil_disorder
    assert seat(game, "FRANCE").missed_phases == 0


def test_extended_so_often_then_played_in_disorder() -> None:
    game = second_phase(absent="extend", extensions=2)
    all_hand_in(game, but=["FRANCE"], lines=[])
    for times in (1, 2):
        before = due(game)
        row = sweep_at_deadline(game)
        assert (row.phase_number, row.extension_count) == (2, times)
        assert row.deadline == phase_deadlines.deadline_settings_of(game).extended_deadline(before, "M")
    assert len(told(game, "extended")) == 20
    assert "FRANCE" not in str([notice.facts for notice in told(game, "extended")])
    said = notification_sentence("extended", told(game, "extended")[-1].facts)
    assert said.startswith("Il manque des ordres\u00a0: l’échéance est repoussée de 24 h, au ")
    assert sweep_at_deadline(game).phase_number > 2
    assert published(game, 2).powers_without_orders == ["FRANCE"]


def test_an_extension_that_is_no_whole_number_of_hours_is_told_by_its_date_alone() -> None:
    game = second_phase(absent="extend", rhythm={**SLOW, "extension": 5400})
    all_hand_in(game, but=["FRANCE"], lines=[])
    sweep_at_deadline(game)
    said = notification_sentence("extended", told(game, "extended")[-1].facts)
    assert said.startswith("Nouvelle échéance")


def test_during_an_extension_everybody_may_hand_in_again() -> None:
    game = second_phase(absent="extend")
    all_hand_in(game, but=["FRANCE"], lines=[])
    late = due(game) + HOUR
    with pytest.raises(OrdersRefusal):
        hand_in(game, "ITALY", ["A TYR-MUN"], at=late)
    sweep_at_deadline(game)
    hand_in(game, "ITALY", ["A TYR-MUN"], at=late)
    hand_in(game, "FRANCE", [], at=late)
    sweep_at_deadline(game)
    assert published(game, 2).order_lines["ITALY"] == ["A TYR-MUN"]


def test_a_game_that_waits_goes_on_when_the_last_sheet_comes() -> None:
    game = second_phase(absent="wait")
    all_hand_in(game, but=["FRANCE", "ITALY"], lines=[])
    row = sweep_at_deadline(game)
    assert (row.phase_number, row.is_waiting, row.next_check_at) == (2, True, None)
    assert people_told(game, "waiting") == {MASTER, ASSISTANT}
    assert told(game, "waiting")[0].facts["powers"] == ["FRANCE", "ITALY"]
    late = due(game) + 40 * DAY
    assert deadline_clock.check_due_games(late) == 0
    hand_in(game, "FRANCE", [], at=late)
    assert deadline_clock.check_due_games(late) == 0
    assert fresh(game).is_waiting
    with pytest.raises(OrdersRefusal):
        hand_in(game, "GERMANY", [], at=late)
    hand_in(game, "ITALY", [], at=late)
    assert deadline_clock.check_due_games(late) == 1


def test_a_draft_made_before_the_deadline_is_a_sheet_where_the_game_waits(
    django_capture_on_commit_callbacks: Committing,
) -> None:
    game = second_phase(absent="wait")
    all_hand_in(game, but=["FRANCE", "ITALY"], lines=[])
    draft(game, "ITALY", "A TYR-MUN")
    GameSeat.objects.filter(game=game, power="ITALY").update(missed_phases=1)
    topic = topic_versions.person_topic(person("Irène").pk)
    before = topic_versions.current_versions([topic])[topic]
    with django_capture_on_commit_callbacks(execute=True):
        sweep_at_deadline(game)
    assert seat(game, "ITALY").missed_phases == 0
    assert topic_versions.current_versions([topic])[topic] > before
    late = due(game) + DAY
    with pytest.raises(OrdersRefusal):
        draft(game, "ITALY", at=late)
    hand_in(game, "FRANCE", [], at=late)
    deadline_clock.check_due_games(late)
    assert published(game, 2).order_lines["ITALY"] == ["A TYR-MUN"]


def test_without_a_game_master_nothing_waits_for_ever() -> None:
    game = second_phase(absent="wait", extensions=0)
    GameMembership.objects.filter(game=game, role__in=("master", "assistant")).delete()
    all_hand_in(game, but=["FRANCE"], lines=[])
    assert sweep_at_deadline(game).extension_count == 1
    assert sweep_at_deadline(game).phase_number > 2


def test_the_first_movement_is_never_played_in_disorder() -> None:
    game = table(rhythm=SLOW, absent="disorder", patience=1)
    all_hand_in(game, but=["FRANCE"])
    for _ in range(3):
        assert sweep_at_deadline(game).phase_number == 1
    row = sweep_at_deadline(game)
    assert (row.phase_number, row.is_waiting) == (1, True)
    assert not seat(game, "FRANCE").in_civil_disorder
    hand_in(game, "FRANCE", at=due(game) + DAY)
    assert deadline_clock.check_due_games(due(game) + DAY) == 1


def test_a_phase_for_which_nobody_handed_in_is_not_played() -> None:
    game = second_phase(absent="disorder", patience=1)
    for _ in range(3):
        assert sweep_at_deadline(game).phase_number == 2
    row = sweep_at_deadline(game)
    assert (row.phase_number, row.is_waiting, row.next_check_at) == (2, True, None)
    assert all(one.missed_phases == 0 for one in game.seats.all())


def test_everybody_lost_is_not_a_game_that_runs_away() -> None:
    game = second_phase(rhythm=EARLY, absent="disorder")
    game.seats.update(in_civil_disorder=True)
    Game.objects.filter(pk=game.pk).update(next_check_at=BEGUN)
    now = due(game) - HOUR
    assert deadline_clock.check_due_games(now) == 0
    for _ in range(5):
        deadline_clock.check_due_games(due(game) + 2 * SECOND)
    assert fresh(game).phase_number == 2


def test_asleep_without_a_game_master_until_somebody_is_back() -> None:
    game = second_phase(absent="extend", extensions=0)
    GameMembership.objects.filter(game=game, role__in=("master", "assistant")).delete()
    for _ in range(4):
        sweep_at_deadline(game)
    assert fresh(game).is_waiting
    back = due(game) + 30 * DAY
    hand_in(game, "FRANCE", [], at=back)
    assert deadline_clock.check_due_games(back) == 0
    row = fresh(game)
    assert (row.is_waiting, row.deadline) == (False, back + 72 * HOUR)
    assert sweep_at_deadline(game).phase_number > 2


def test_a_seat_that_nobody_holds_is_not_waited_for() -> None:
    game = second_phase(rhythm=EARLY, absent="wait")
    all_hand_in(game, but=["FRANCE"], lines=[], final=True)
    power_assignments.end_assignment(fresh(game), "FRANCE")
    assert deadline_clock.check_due_games(due(game) - HOUR) == 1
    assert published(game, 2).powers_without_orders == ["FRANCE"]


# reminding


def test_those_without_a_sheet_are_reminded_once_in_the_last_fifth() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game, but=["FRANCE", "ITALY"])
    draft(game, "ITALY", "A VEN-TYR")
    warning = due(game) - 72 * HOUR / 5
    deadline_clock.check_due_games(warning - SECOND)
    assert told(game, "due_soon") == []
    for later in (0, 1, 2):
        deadline_clock.check_due_games(warning + later * HOUR)
    assert [notice.person.name for notice in told(game, "due_soon")] == ["Flora", "Irène"]
    hand_in(game, "FRANCE")
    assert sweep_at_deadline(game).phase_number == 2
