"""The inbox: what is taken, what is not and why, and that nothing acknowledged is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from talleyrand.web.boards.drafts import LARGEST_SHEET, LONGEST_LINE, MOST_LINES, Unfit
from talleyrand.web.games import clock, inbox, running, seats
from talleyrand.web.games.inbox import NotTaken
from talleyrand.web.games.models import Entry, Game, Sheet
from talleyrand.web.notices import counters
from tests.web.cast import BEGUN, MASTER, member, person, table

from .acting import DAY, HOUR, SECOND, all_hand_in, draft, due, fresh, hand_in, seat, sweep_at_deadline, these

pytestmark = pytest.mark.django_db


def refused(work: Callable[[], Any]) -> str:
    """The code with which something is not taken; nothing has changed then."""
    rows = [Sheet.objects.count(), list(Game.objects.values_list("version", "receipts"))]
    with pytest.raises((NotTaken, Unfit)) as problem:
        work()
    assert rows == [Sheet.objects.count(), list(Game.objects.values_list("version", "receipts"))]
    assert isinstance(problem.value, NotTaken | Unfit)
    return problem.value.code


# receipts


def test_a_sheet_is_numbered_stamped_hashed_and_kept() -> None:
    game = table()
    first = hand_in(game, "FRANCE", ["A PAR-BUR", "", "  F BRE-MAO "], by=person("Flora"))
    second = hand_in(game, "ITALY", [])
    assert (first.receipt, second.receipt) == (1, 1), "no number tells what others have handed in"
    assert first.lines == ["A PAR-BUR", "F BRE-MAO"]
    assert first.digest == inbox.digest(game, "FRANCE", first.lines)
    assert first.digest != inbox.digest(game, "FRANCE", [*first.lines, "A MAR H"])
    assert inbox.standing(game, 1)["FRANCE"] == "saved"
    assert inbox.standing(game, 1)["ITALY"] == "saved", "an empty sheet is a sheet"
    assert inbox.standing(game, 1)["TURKEY"] == "nothing"


def test_the_receipt_says_what_was_understood() -> None:
    game = table()
    sheet = hand_in(game, "FRANCE", ["Paris va en Bourgogne", "A MUN-RUH", "charabia"])
    read = inbox.understood(sheet)
    assert [one.given for one in read] == [True, False, False]
    assert read[0].order == "A PAR - BUR"
    assert all(one.error for one in read[1:])


def test_the_last_sheet_counts_as_a_whole() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    all_hand_in(game)
    hand_in(game, "FRANCE", ["A PAR-BUR", "F BRE-MAO"])
    hand_in(game, "FRANCE", ["A MAR-SPA"])
    assert inbox.counting(game, 1)["FRANCE"].lines == ["A MAR-SPA"]
    sweep_at_deadline(game)
    assert game.revisions.get(number=1).sheets["FRANCE"] == ["A MAR-SPA"]


def test_the_same_form_twice_is_one_sheet() -> None:
    game = table()
    sent = [hand_in(game, "FRANCE", key="a-form-of-mine").pk for _ in range(3)]
    assert len(set(sent)) == 1
    assert fresh(game).receipts == 1


def test_the_same_form_with_other_orders_says_that_the_first_ones_stand() -> None:
    game = table()
    first = hand_in(game, "FRANCE", ["A PAR-BUR"], key="a-form-of-mine")
    with pytest.raises(NotTaken) as problem:
        hand_in(game, "FRANCE", ["A PAR-PIC"], key="a-form-of-mine")
    assert problem.value.code == "repeated"
    assert problem.value.sheet == first


def test_a_form_whose_sheet_counts_no_more_is_not_acknowledged_again() -> None:
    game = table()
    sheet = hand_in(game, "FRANCE", key="a-form-of-mine")
    Sheet.objects.filter(pk=sheet.pk).update(withdrawn=BEGUN)
    with pytest.raises(NotTaken) as problem:
        hand_in(game, "FRANCE", key="a-form-of-mine")
    assert problem.value.code == "moved"


def test_one_form_may_bring_the_sheets_of_several_powers() -> None:
    game = table()
    assert hand_in(game, "FRANCE", [], key="the-desk").pk != hand_in(game, "ITALY", [], key="the-desk").pk


def test_the_same_orders_once_more_as_final() -> None:
    game = table()
    hand_in(game, "FRANCE", [], key="a-form-of-mine")
    assert hand_in(game, "FRANCE", [], key="a-form-of-mine", final=True).receipt == 2
    assert seat(game, "FRANCE").final


def test_a_form_of_an_earlier_phase_is_still_its_receipt() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    first = hand_in(game, "FRANCE", ["A PAR-BUR"], key="a-form-of-mine")
    all_hand_in(game, but=["FRANCE"])
    sweep_at_deadline(game)
    again = inbox.hand_in(
        game, "FRANCE", ["A PAR-BUR"], number=1, key="a-form-of-mine", origin="map", at=due(game)
    )
    assert again == first


def test_without_a_key_each_is_its_own() -> None:
    game = table()
    found = [hand_in(game, power, []).receipt for power in ("FRANCE", "TURKEY", "FRANCE")]
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
        (["x" * 299] * (LARGEST_SHEET // 300 + 1), "too_long"),
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
    assert refused(lambda: inbox.redraft(game, "FRANCE", number, change, BEGUN)) == "moved"
    assert refused(lambda: inbox.set_final(game, "FRANCE", number, final=True, at=BEGUN)) == "moved"


def test_before_the_start_and_after_the_end() -> None:
    game = table(begun=False)
    sent: dict[str, Any] = {"number": 0, "key": "", "origin": "map", "at": BEGUN}
    assert refused(lambda: inbox.hand_in(game, "FRANCE", [], **sent)) == "not_begun"
    for state in ("ended", "abandoned"):
        Game.objects.filter(pk=game.pk).update(state=state)
        assert refused(lambda: inbox.hand_in(game, "FRANCE", [], **sent)) == "over"


@pytest.mark.parametrize("power", ["", "france", "NOWHERE", "FRANCE "])
def test_a_power_that_has_no_seat(power: str) -> None:
    game = table()
    assert refused(lambda: hand_in(game, power, [])) == "no_seat"
    assert refused(lambda: inbox.redraft(game, power, 1, these(power, ["A PAR H"]), BEGUN)) == "no_seat"


def test_whoever_was_replaced_while_his_sheet_travelled() -> None:
    game = table()
    seats.give(game, "FRANCE", person("Nadège"))
    assert refused(lambda: hand_in(game, "FRANCE", by=person("Flora"))) == "not_yours"
    assert refused(lambda: hand_in(game, "ITALY", by=person("Nadège"))) == "not_yours"
    assert hand_in(game, "FRANCE", by=person("Nadège")).receipt == 1


def test_final_wants_a_sheet() -> None:
    game = table()
    draft(game, "FRANCE", "A PAR H")
    assert refused(lambda: inbox.set_final(game, "FRANCE", 1, final=True, at=BEGUN)) == "nothing"
    hand_in(game, "FRANCE", [])
    inbox.set_final(game, "FRANCE", 1, final=True, at=BEGUN)
    assert inbox.standing(game, 1)["FRANCE"] == "final"


def test_final_is_no_sheet_and_may_be_taken_back_while_the_phase_is_open() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    hand_in(game, "FRANCE", final=True)
    inbox.set_final(game, "FRANCE", 1, final=False, at=BEGUN)
    assert inbox.standing(game, 1)["FRANCE"] == "saved"
    late = due(game) + SECOND
    assert refused(lambda: inbox.set_final(game, "FRANCE", 1, final=True, at=late)) == "late"
    assert Sheet.objects.count() == 1


# drafts


def test_a_draft_is_kept_at_once_and_is_no_sheet() -> None:
    game = table()
    version = fresh(game).version
    draft(game, "FRANCE", "A PAR-BUR")
    assert seat(game, "FRANCE").draft == ["A PAR-BUR"]
    assert inbox.standing(game, 1)["FRANCE"] == "draft"
    assert fresh(game).version == version
    assert Sheet.objects.count() == 0


def test_a_draft_after_a_sheet_leaves_it_standing() -> None:
    game = table()
    hand_in(game, "FRANCE", ["A PAR-BUR"], final=True)
    draft(game, "FRANCE", "A PAR-PIC")
    assert inbox.counting(game, 1)["FRANCE"].lines == ["A PAR-BUR"]
    assert inbox.standing(game, 1)["FRANCE"] == "final"


def test_lines_of_another_power_are_refused() -> None:
    game = table()
    change = these("ITALY", ["A VEN H"])
    assert refused(lambda: inbox.redraft(game, "FRANCE", 1, change, BEGUN)) == "other_power"


def test_what_a_change_complains_of_changes_nothing() -> None:
    game = table()
    draft(game, "FRANCE", "A PAR-BUR")

    def complaining(*_: Any) -> Any:
        raise Unfit("changed")

    assert refused(lambda: inbox.redraft(game, "FRANCE", 1, complaining, BEGUN)) == "changed"
    assert seat(game, "FRANCE").draft == ["A PAR-BUR"]


# the game master's hand, rest, seats


def test_the_game_master_may_enter_what_came_by_telephone() -> None:
    game = table(rhythm={"hours": 72, "early": False})
    late = due(game) + HOUR
    sheet = hand_in(game, "FRANCE", ["A PAR-PIC"], origin="master", at=late, by=person(MASTER))
    entry = Entry.objects.get(kind="entered")
    assert (entry.role, entry.by, entry.facts["power"]) == ("master", person(MASTER), "FRANCE")
    assert "PIC" not in str(entry.facts)
    assert inbox.counting(game, 1)["FRANCE"] == sheet


def test_what_the_game_master_enters_is_no_sign_of_life() -> None:
    game = table()
    game.seats.filter(power="FRANCE").update(disorder=True, missed=2)
    hand_in(game, "FRANCE", [], origin="master", by=person(MASTER))
    assert seat(game, "FRANCE").disorder
    hand_in(game, "FRANCE", [])
    assert not seat(game, "FRANCE").disorder


def test_a_paused_game_takes_sheets_at_any_hour() -> None:
    game = table()
    running.pause(game, BEGUN + DAY)
    hand_in(game, "FRANCE", at=BEGUN + 400 * DAY)
    assert inbox.standing(game, 1)["FRANCE"] == "saved"


def test_that_a_sheet_came_is_told_to_its_player_alone() -> None:
    game = table()
    topic, mine = counters.game_topic(game.key), counters.person_topic(person("Flora").pk)
    other = counters.person_topic(person("Edmond").pk)
    before = counters.versions([topic, mine, other])
    hand_in(game, "FRANCE")
    after = counters.versions([topic, mine, other])
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
        seats.give(fresh(game), power, person(name), stand_in=stand_in)
    assert seat(game, "FRANCE").draft == ["A PAR-BUR"]
    assert not seat(game, "FRANCE").final
    assert inbox.counting(game, 1)["FRANCE"].lines == ["A PAR-BUR"]
    assert seat(game, "ITALY").draft == []
    assert fresh(game).version > version
    if stand_in:
        seats.vacate(fresh(game), "FRANCE", stand_in=True)
        assert seats.holders(game)["FRANCE"] == person("Flora").pk
        assert not seat(game, "FRANCE").disorder


def test_a_seat_given_up_is_in_disorder_until_it_is_given() -> None:
    game = table()
    seats.vacate(game, "FRANCE")
    assert seat(game, "FRANCE").disorder
    seats.give(game, "FRANCE", person("Nadège"))
    assert not seat(game, "FRANCE").disorder
    tenures = seat(game, "FRANCE").tenures.values_list("person__name", "first", "last")
    assert list(tenures) == [("Flora", 0, 0), ("Nadège", 1, None)]


def test_what_was_only_in_preparation_goes_with_whoever_leaves_a_seat() -> None:
    game = table()
    hand_in(game, "FRANCE", ["A PAR-BUR"], final=True)
    draft(game, "FRANCE", "A PAR-PIC")
    before = fresh(game).version
    seats.vacate(game, "FRANCE")
    left = seat(game, "FRANCE")
    assert (left.draft, left.final) == (["A PAR-BUR"], False)
    assert fresh(game).version > before


def test_a_sheet_for_a_phase_taken_back_counts_no_more() -> None:
    game = table()
    sheet = hand_in(game, "FRANCE")
    Sheet.objects.filter(pk=sheet.pk).update(withdrawn=BEGUN)
    assert inbox.counting(game, 1) == {}
    assert clock.sweep(BEGUN + HOUR) == 0
