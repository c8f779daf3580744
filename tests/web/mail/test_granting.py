"""Late orders that the game master lets in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from talleyrand.web.games import game_log_texts, order_state_labels, order_submission, power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.game_master.action_base import ExpectedRevision, GameMasterActor
from talleyrand.web.games.models import Game, GameLogEntry, GameRole, GameState, OrderSet
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.mailed_orders import late_orders
from talleyrand.web.mail.mailed_orders.late_orders import LateOrdersRefused
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from tests.web.cast import MASTER, person, table
from tests.web.games.acting import HOUR, SECOND, all_hand_in, due, fresh, hand_in, seat, sweep_at_deadline
from tests.web.games.phases import SLOW

from .correspondents import correspond
from .orders import arrival, settled, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

LATE = "A Par - Bur\nF Bre - MAO\nfinal"


def game() -> Game:
    correspond("Flora")
    return table(rhythm=SLOW, absent="wait")


def late(one: Game, text: str = LATE, by: timedelta = SECOND) -> InboundDelivery:
    row = arrival(one, at=due(one) + by)
    return settled(row, take(row, text))


def refused(row: InboundDelivery) -> str:
    with pytest.raises(LateOrdersRefused) as problem:
        late_orders.grant_late_orders(row, person(MASTER))
    assert problem.value.sentence.startswith("Aucun changement")
    return problem.value.code


def test_late_orders_are_listed_and_let_in_once() -> None:
    one = game()
    row = late(one)
    assert late_orders.waiting_late_orders(fresh(one)) == [row]
    sheet = late_orders.grant_late_orders(row, person(MASTER))
    assert (sheet.lines, sheet.origin, sheet.is_ready) == (["A Par - Bur", "F Bre - MAO"], "granted", True)
    assert (sheet.received_at, sheet.submitted_by) == (due(one) + SECOND, person("Flora"))
    assert order_submission.counting_order_sets(fresh(one), 1)["FRANCE"] == sheet
    assert late_orders.grant_late_orders(row, person(MASTER)) == sheet
    assert late_orders.grant_late_orders(InboundDelivery.objects.get(pk=row.pk), person(MASTER)) == sheet
    assert InboundDelivery.objects.get(pk=row.pk).outcome == MailOutcome.GRANTED
    assert late_orders.waiting_late_orders(fresh(one)) == []
    assert (
        OrderSet.objects.count()
        == OutboundEmail.objects.count()
        == GameLogEntry.objects.filter(kind="granted").count()
        == 1
    )


def test_its_player_has_a_receipt_in_his_language() -> None:
    one, flora = game(), person("Flora")
    flora.language = "en"
    flora.save()
    late_orders.grant_late_orders(late(one), person(MASTER))
    sent = OutboundEmail.objects.get()
    assert (sent.person, sent.game, sent.power) == (flora, one, "FRANCE")
    assert sent.subject == "[La table ronde · Spring 1901, movement] France: late orders accepted (v1)"
    assert "| A Paris - Burgundy" in sent.text
    assert "| No order, holding: Army Marseilles." in sent.text


def test_it_is_shown_as_what_it_is() -> None:
    one = game()
    late_orders.grant_late_orders(late(one), person(MASTER))
    entry = GameLogEntry.objects.get(kind="granted")
    told = game_log_texts.log_sentence(entry, GameHistory(one).variant, "Europe/Paris")
    assert told == "Le MJ a accepté des ordres en retard\u00a0: France, Printemps 1901, mouvements."
    assert (entry.person, entry.role, entry.is_public) == (person(MASTER), GameRole.GAME_MASTER, True)
    assert order_state_labels.origin_label("granted") == "par courriel, en retard, acceptés par le MJ"
    assert order_state_labels.origin_label("mail") == "par courriel"


def test_a_power_in_disorder_is_back() -> None:
    one = game()
    row = late(one)
    one.seats.filter(power="FRANCE").update(in_civil_disorder=True, missed_phases=2)
    late_orders.grant_late_orders(row, person(MASTER))
    assert (seat(one, "FRANCE").in_civil_disorder, seat(one, "FRANCE").missed_phases) == (False, 0)


def test_the_clock_goes_on_with_a_game_that_waited_for_them() -> None:
    one = game()
    all_hand_in(one, but=["FRANCE"])
    sweep_at_deadline(one)
    assert fresh(one).is_waiting
    row = arrival(one, at=due(one) + HOUR)
    result = take(row, LATE)
    assert result.outcome == MailOutcome.TAKEN  # while a game waits for somebody, nothing of his is late


def test_nothing_of_another_mail_is_let_in() -> None:
    one = game()
    row = arrival(one)
    assert refused(settled(row, take(row, LATE))) == "not_late"
    assert refused(late(one, "Merci")) == "not_late"
    assert refused(late(one, "Automne 1901\nA Par - Bur")) == "not_late"
    assert late_orders.waiting_late_orders(fresh(one)) == []


def test_an_empty_sheet_that_was_late_is_let_in_too() -> None:
    one = game()
    sheet = late_orders.grant_late_orders(late(one, "aucun ordre"), person(MASTER))
    assert sheet.lines == []


def test_a_later_sheet_is_not_undone() -> None:
    one = game()
    first, second = late(one, "A Par - Bur"), late(one, "A Par - Pic", 2 * SECOND)
    assert late_orders.waiting_late_orders(fresh(one)) == [first, second]
    late_orders.grant_late_orders(second, person(MASTER))
    assert refused(first) == "later"
    assert late_orders.waiting_late_orders(fresh(one)) == []


def test_late_orders_stand_over_those_that_came_in_time_and_over_a_draft() -> None:
    one = game()
    hand_in(one, "FRANCE", ["A Par - Pic"])
    row = late(one)
    order_submission.submit_draft(fresh(one), "FRANCE", ["A Par - Gas"], due(one) + 2 * SECOND)
    assert late_orders.grant_late_orders(row, person(MASTER)).lines == ["A Par - Bur", "F Bre - MAO"]


def test_whoever_plays_no_more_is_not_let_in() -> None:
    one = game()
    row = late(one)
    power_assignments.end_assignment(one, "FRANCE")
    assert refused(row) == "not_yours"
    power_assignments.assign_power(one, "FRANCE", person("Sylvain"))
    assert refused(row) == "not_yours"
    assert late_orders.waiting_late_orders(fresh(one)) == []


@pytest.mark.parametrize("state", [GameState.ENDED, GameState.ABANDONED])
def test_a_game_that_is_over_takes_nothing(state: GameState) -> None:
    one = game()
    row = late(one)
    Game.objects.update(state=state)
    assert refused(row) == "published"
    assert late_orders.waiting_late_orders(fresh(one)) == []


def test_a_published_phase_is_taken_back_first() -> None:
    one = game()
    all_hand_in(one)
    row = late(one)
    sweep_at_deadline(one)
    assert refused(row) == "published"
    assert late_orders.waiting_late_orders(fresh(one)) == []
    take_back(one)
    assert late_orders.waiting_late_orders(fresh(one)) == [row]
    assert late_orders.grant_late_orders(row, person(MASTER)).phase_number == 1


def test_what_was_read_after_its_phase_was_published_may_be_let_in_then() -> None:
    """It came in time, and a server on the way kept it: nobody could know."""
    one = game()
    all_hand_in(one, but=["FRANCE"])
    hand_in(one, "FRANCE", ["A Par - Pic"])
    row = arrival(one, at=due(one) - SECOND)
    sweep_at_deadline(one)
    row = settled(row, take(row, LATE))
    assert row.outcome == MailOutcome.OTHER_PHASE
    assert refused(row) == "published"
    take_back(one)
    assert late_orders.grant_late_orders(row, person(MASTER)).lines == ["A Par - Bur", "F Bre - MAO"]


def take_back(one: Game) -> None:
    last = one.revisions.get(phase_number=1, is_current=True)
    hand = GameMasterActor(person(MASTER), GameRole.GAME_MASTER)
    phase_corrections.roll_back_phase(
        fresh(one), ExpectedRevision(last.phase_number, last.revision), hand=hand, now=due(one) + HOUR
    )
