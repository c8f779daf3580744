"""The inbox: what is taken, what is not and why, and that nothing acknowledged is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.boards.order_drafts import LARGEST_ORDER_TEXT, LONGEST_LINE, MOST_LINES, DraftRefusal
from talleyrand.web.games import deadline_clock, game_lifecycle, order_submission, power_assignments
from talleyrand.web.games.models import Game, GameLogEntry, OrderSet
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.notifications import topic_versions
from tests.web.cast import BEGUN, MASTER, member, person, table

from .acting import DAY, HOUR, SECOND, all_hand_in, draft, due, fresh, hand_in, seat, sweep_at_deadline, these

pytestmark = pytest.mark.django_db


def refused(work: Callable[[], Any]) -> str:
    """The code with which something is not taken; nothing has changed then."""
    rows = [OrderSet.objects.count(), list(Game.objects.values_list("version", "receipt_count"))]
    with pytest.raises((OrdersRefusal, DraftRefusal)) as problem:
        work()
    assert rows == [OrderSet.objects.count(), list(Game.objects.values_list("version", "receipt_count"))]
    assert isinstance(problem.value, OrdersRefusal | DraftRefusal)
    return problem.value.code


# receipts


def test_a_sheet_is_numbered_stamped_hashed_and_kept() -> None:
    game = table()
    first = hand_in(game, "FRANCE", ["A PAR-BUR", "", "  F BRE-MAO "], by=person("Flora"))
    second = hand_in(game, "ITALY", [])
    assert (first.receipt_number, second.receipt_number) == (1, 1), (
        "no number tells what others have handed in"
    )
    assert first.lines == ["A PAR-BUR", "F BRE-MAO"]
    assert first.digest == order_submission.order_set_digest(game, "FRANCE", first.lines)
    assert first.digest != order_submission.order_set_digest(game, "FRANCE", [*first.lines, "A MAR H"])
    assert order_submission.order_states(game, 1)["FRANCE"] == "saved"
    assert order_submission.order_states(game, 1)["ITALY"] == "saved", "an empty sheet is a sheet"
    assert order_submission.order_states(game, 1)["TURKEY"] == "nothing"


def test_the_receipt_says_what_was_understood() -> None:
    game = table()
    sheet = hand_in(game, "FRANCE", ["Paris va en Bourgogne", "A MUN-RUH", "charabia"])
    read = order_submission.understood_lines(sheet)
    assert [one.is_followed for one in read] == [True, False, False]
    assert read[0].order == "A PAR - BUR"
    assert all(one.error for one in read[1:])


def test_the_last_sheet_counts_as_a_whole() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    all_hand_in(game)
    hand_in(game, "FRANCE", ["A PAR-BUR", "F BRE-MAO"])
    hand_in(game, "FRANCE", ["A MAR-SPA"])
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines == ["A MAR-SPA"]
    sweep_at_deadline(game)
    assert game.revisions.get(phase_number=1).order_lines["FRANCE"] == ["A MAR-SPA"]


def test_orders_that_were_delayed_do_not_replace_those_sent_after_them() -> None:
    game, now = table(), timezone.now()
    Game.objects.update(deadline=None)
    sheet = hand_in(game, "FRANCE", ["A PAR-BUR"], at=now - SECOND)
    assert refused(lambda: hand_in(game, "FRANCE", ["A PAR-PIC"], at=now - 2 * SECOND)) == "later"
    assert refused(lambda: hand_in(game, "FRANCE", [], at=now - 2 * SECOND, origin="mail")) == "later"
    # the game master has seen both
    assert hand_in(game, "FRANCE", [], at=now - 2 * SECOND, origin="granted").receipt_number == 2
    OrderSet.objects.filter(pk=sheet.pk).update(origin="draft")
    assert hand_in(game, "FRANCE", ["A PAR-PIC"], at=now - 2 * SECOND).receipt_number == 3


def test_a_clock_that_was_put_back_keeps_nobody_from_sending_again() -> None:
    game, now = table(), timezone.now()
    Game.objects.update(deadline=None)
    hand_in(game, "FRANCE", ["A PAR-BUR"], at=now + HOUR)
    assert hand_in(game, "FRANCE", ["A PAR-PIC"], at=now).receipt_number == 2


def test_the_same_form_twice_is_one_sheet() -> None:
    game = table()
    sent = [hand_in(game, "FRANCE", key="a-form-of-mine").pk for _ in range(3)]
    assert len(set(sent)) == 1
    assert fresh(game).receipt_count == 1


def test_the_same_form_with_other_orders_says_that_the_first_ones_stand() -> None:
    game = table()
    first = hand_in(game, "FRANCE", ["A PAR-BUR"], key="a-form-of-mine")
    with pytest.raises(OrdersRefusal) as problem:
        hand_in(game, "FRANCE", ["A PAR-PIC"], key="a-form-of-mine")
    assert problem.value.code == "repeated"
    assert problem.value.order_set == first


def test_a_form_whose_sheet_counts_no_more_is_not_acknowledged_again() -> None:
    game = table()
    sheet = hand_in(game, "FRANCE", key="a-form-of-mine")
    OrderSet.objects.filter(pk=sheet.pk).update(withdrawn_at=BEGUN)
    with pytest.raises(OrdersRefusal) as problem:
        hand_in(game, "FRANCE", key="a-form-of-mine")
    assert problem.value.code == "moved"


def test_one_form_may_bring_the_sheets_of_several_powers() -> None:
    game = table()
    assert hand_in(game, "FRANCE", [], key="the-desk").pk != hand_in(game, "ITALY", [], key="the-desk").pk


def test_the_same_orders_once_more_as_final() -> None:
    game = table()
    hand_in(game, "FRANCE", [], key="a-form-of-mine")
    assert hand_in(game, "FRANCE", [], key="a-form-of-mine", final=True).receipt_number == 2
    assert seat(game, "FRANCE").is_ready


def test_a_form_of_an_earlier_phase_is_still_its_receipt() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    first = hand_in(game, "FRANCE", ["A PAR-BUR"], key="a-form-of-mine")
    all_hand_in(game, but=["FRANCE"])
    sweep_at_deadline(game)
    again = order_submission.submit_orders(
        game, "FRANCE", ["A PAR-BUR"], number=1, key="a-form-of-mine", origin="map", at=due(game)
    )
    assert again == first


def test_without_a_key_each_is_its_own() -> None:
    game = table()
    found = [hand_in(game, power, []).receipt_number for power in ("FRANCE", "TURKEY", "FRANCE")]
    assert found == [1, 1, 2]


# what is not taken


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["A PAR-BUR\nF BRE-MAO"], "control"),
        (["A PAR-BUR\x00"], "control"),
        (["A PAR\ufffdBUR"], "control"),
        (["x" * (LONGEST_LINE + 1)], "line_too_long"),
        (["A PAR H"] * (MOST_LINES + 1), "too_many_lines"),
        (["x" * 299] * (LARGEST_ORDER_TEXT // 300 + 1), "too_long"),
    ],
    ids=["two lines in one", "zero", "other encoding", "long line", "many lines", "too much"],
)
def test_what_no_sheet_may_hold(lines: list[str], code: str) -> None:
    game = table()
    assert refused(lambda: hand_in(game, "FRANCE", lines)) == code
    assert refused(lambda: draft(game, "FRANCE", *lines)) == code


def test_in_time_is_until_the_deadline_itself() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    hand_in(game, "FRANCE", at=due(game))
    assert refused(lambda: hand_in(game, "FRANCE", at=due(game) + SECOND)) == "late"
    assert refused(lambda: draft(game, "FRANCE", "A PAR H", at=due(game) + SECOND)) == "late"


@pytest.mark.parametrize("number", [0, 2, 99, -1])
def test_another_phase_is_open(number: int) -> None:
    game = table()
    assert refused(lambda: hand_in(game, "FRANCE", number=number)) == "moved"
    change = these("FRANCE", ["A PAR H"])
    assert refused(lambda: order_submission.change_draft(game, "FRANCE", number, change, BEGUN)) == "moved"
    assert (
        refused(lambda: order_submission.set_ready(game, "FRANCE", number, final=True, at=BEGUN)) == "moved"
    )


def test_before_the_start_and_after_the_end() -> None:
    game = table(begun=False)
    sent: dict[str, Any] = {"number": 0, "key": "", "origin": "map", "at": BEGUN}
    assert refused(lambda: order_submission.submit_orders(game, "FRANCE", [], **sent)) == "not_begun"
    for state in ("ended", "abandoned"):
        Game.objects.filter(pk=game.pk).update(state=state)
        assert refused(lambda: order_submission.submit_orders(game, "FRANCE", [], **sent)) == "over"


@pytest.mark.parametrize("power", ["", "france", "NOWHERE", "FRANCE "])
def test_a_power_that_has_no_seat(power: str) -> None:
    game = table()
    assert refused(lambda: hand_in(game, power, [])) == "no_seat"
    assert (
        refused(lambda: order_submission.change_draft(game, power, 1, these(power, ["A PAR H"]), BEGUN))
        == "no_seat"
    )


def test_whoever_was_replaced_while_his_sheet_travelled() -> None:
    game = table()
    power_assignments.assign_power(game, "FRANCE", person("Nadège"))
    assert refused(lambda: hand_in(game, "FRANCE", by=person("Flora"))) == "not_yours"
    assert refused(lambda: hand_in(game, "ITALY", by=person("Nadège"))) == "not_yours"
    assert hand_in(game, "FRANCE", by=person("Nadège")).receipt_number == 1


def test_final_wants_a_sheet() -> None:
    game = table()
    draft(game, "FRANCE", "A PAR H")
    assert refused(lambda: order_submission.set_ready(game, "FRANCE", 1, final=True, at=BEGUN)) == "nothing"
    hand_in(game, "FRANCE", [])
    order_submission.set_ready(game, "FRANCE", 1, final=True, at=BEGUN)
    assert order_submission.order_states(game, 1)["FRANCE"] == "final"


def test_final_is_no_sheet_and_may_be_taken_back_while_the_phase_is_open() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    hand_in(game, "FRANCE", final=True)
    order_submission.set_ready(game, "FRANCE", 1, final=False, at=BEGUN)
    assert order_submission.order_states(game, 1)["FRANCE"] == "saved"
    late = due(game) + SECOND
    assert refused(lambda: order_submission.set_ready(game, "FRANCE", 1, final=True, at=late)) == "late"
    assert OrderSet.objects.count() == 1


# drafts


def test_a_draft_is_kept_at_once_and_is_no_sheet() -> None:
    game = table()
    version = fresh(game).version
    draft(game, "FRANCE", "A PAR-BUR")
    assert seat(game, "FRANCE").draft_orders == ["A PAR-BUR"]
    assert order_submission.order_states(game, 1)["FRANCE"] == "draft"
    assert fresh(game).version == version
    assert OrderSet.objects.count() == 0


def test_a_draft_after_a_sheet_leaves_it_standing() -> None:
    game = table()
    hand_in(game, "FRANCE", ["A PAR-BUR"], final=True)
    draft(game, "FRANCE", "A PAR-PIC")
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines == ["A PAR-BUR"]
    assert order_submission.order_states(game, 1)["FRANCE"] == "final"


def test_lines_of_another_power_are_refused() -> None:
    game = table()
    change = these("ITALY", ["A VEN H"])
    assert refused(lambda: order_submission.change_draft(game, "FRANCE", 1, change, BEGUN)) == "other_power"


def test_what_a_change_complains_of_changes_nothing() -> None:
    game = table()
    draft(game, "FRANCE", "A PAR-BUR")

    def complaining(*_: Any) -> Any:
        raise DraftRefusal("changed")

    assert refused(lambda: order_submission.change_draft(game, "FRANCE", 1, complaining, BEGUN)) == "changed"
    assert seat(game, "FRANCE").draft_orders == ["A PAR-BUR"]


# the game master's hand, rest, seats


def test_the_game_master_may_enter_what_came_by_telephone() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    late = due(game) + HOUR
    sheet = hand_in(game, "FRANCE", ["A PAR-PIC"], origin="master", at=late, by=person(MASTER))
    entry = GameLogEntry.objects.get(kind="entered")
    assert (entry.role, entry.person, entry.facts["power"]) == ("master", person(MASTER), "FRANCE")
    assert "PIC" not in str(entry.facts)
    assert order_submission.counting_order_sets(game, 1)["FRANCE"] == sheet


def test_what_the_game_master_enters_is_no_sign_of_life() -> None:
    game = table()
    game.seats.filter(power="FRANCE").update(in_civil_disorder=True, missed_phases=2)
    hand_in(game, "FRANCE", [], origin="master", by=person(MASTER))
    assert seat(game, "FRANCE").in_civil_disorder
    hand_in(game, "FRANCE", [])
    assert not seat(game, "FRANCE").in_civil_disorder


def test_a_paused_game_takes_sheets_at_any_hour() -> None:
    game = table()
    game_lifecycle.pause_game(game, BEGUN + DAY)
    hand_in(game, "FRANCE", at=BEGUN + 400 * DAY)
    assert order_submission.order_states(game, 1)["FRANCE"] == "saved"


def test_that_a_sheet_came_is_told_to_its_player_alone() -> None:
    game = table()
    topic, mine = topic_versions.game_topic(game.key), topic_versions.person_topic(person("Flora").pk)
    other = topic_versions.person_topic(person("Edmond").pk)
    before = topic_versions.current_versions([topic, mine, other])
    hand_in(game, "FRANCE")
    after = topic_versions.current_versions([topic, mine, other])
    assert (after[topic], after[other]) == (before[topic], before[other])
    assert after[mine] > before[mine]


@pytest.mark.parametrize("stand_in", [False, True])
def test_whoever_takes_a_seat_finds_its_sheet_and_not_the_unsent_draft(stand_in: bool) -> None:
    game = table(rhythm={"hours": 72, "early": True})
    hand_in(game, "FRANCE", ["A PAR-BUR"], final=True)
    draft(game, "FRANCE", "A PAR-PIC")
    draft(game, "ITALY", "A VEN-TYR")
    version = fresh(game).version
    for power, name in (("FRANCE", "Nadège"), ("ITALY", "Nestor")):
        member(game, name, "player")
        power_assignments.assign_power(fresh(game), power, person(name), stand_in=stand_in)
    assert seat(game, "FRANCE").draft_orders == ["A PAR-BUR"]
    assert not seat(game, "FRANCE").is_ready
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].lines == ["A PAR-BUR"]
    assert seat(game, "ITALY").draft_orders == []
    assert fresh(game).version > version
    if stand_in:
        power_assignments.end_assignment(fresh(game), "FRANCE", stand_in=True)
        assert power_assignments.players_by_power(game)["FRANCE"] == person("Flora").pk
        assert not seat(game, "FRANCE").in_civil_disorder


def test_a_seat_given_up_is_in_disorder_until_it_is_given() -> None:
    game = table()
    power_assignments.end_assignment(game, "FRANCE")
    assert seat(game, "FRANCE").in_civil_disorder
    power_assignments.assign_power(game, "FRANCE", person("Nadège"))
    assert not seat(game, "FRANCE").in_civil_disorder
    tenures = seat(game, "FRANCE").tenures.values_list(
        "person__name", "first_phase_number", "last_phase_number"
    )
    assert list(tenures) == [("Flora", 0, 0), ("Nadège", 1, None)]


def test_what_was_only_in_preparation_goes_with_whoever_leaves_a_seat() -> None:
    game = table()
    hand_in(game, "FRANCE", ["A PAR-BUR"], final=True)
    draft(game, "FRANCE", "A PAR-PIC")
    before = fresh(game).version
    power_assignments.end_assignment(game, "FRANCE")
    left = seat(game, "FRANCE")
    assert (left.draft_orders, left.is_ready) == (["A PAR-BUR"], False)
    assert fresh(game).version > before


def test_a_sheet_for_a_phase_taken_back_counts_no_more() -> None:
    game = table()
    sheet = hand_in(game, "FRANCE")
    OrderSet.objects.filter(pk=sheet.pk).update(withdrawn_at=BEGUN)
    assert order_submission.counting_order_sets(game, 1) == {}
    assert deadline_clock.check_due_games(BEGUN + HOUR) == 0
