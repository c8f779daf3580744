"""Late orders that the game master lets in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from talleyrand.web.games import inbox, log_words, seats, states
from talleyrand.web.games.desk import revising
from talleyrand.web.games.desk.acts import Ground, Hand
from talleyrand.web.games.models import Entry, Game, Role, Sheet, State
from talleyrand.web.games.story import Story
from talleyrand.web.mail.models import Arrival, Departure
from talleyrand.web.mail.orders import granting
from talleyrand.web.mail.orders.granting import NotGranted
from talleyrand.web.mail.outcomes import Outcome
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


def late(one: Game, text: str = LATE, by: timedelta = SECOND) -> Arrival:
    row = arrival(one, at=due(one) + by)
    return settled(row, take(row, text))


def refused(row: Arrival) -> str:
    with pytest.raises(NotGranted) as problem:
        granting.grant(row, person(MASTER))
    assert problem.value.sentence.startswith("Rien n’a été changé")
    return problem.value.code


def test_late_orders_are_listed_and_let_in_once() -> None:
    one = game()
    row = late(one)
    assert granting.late(fresh(one)) == [row]
    sheet = granting.grant(row, person(MASTER))
    assert (sheet.lines, sheet.origin, sheet.final) == (["A Par - Bur", "F Bre - MAO"], "granted", True)
    assert (sheet.at, sheet.by) == (due(one) + SECOND, person("Flora"))
    assert inbox.counting(fresh(one), 1)["FRANCE"] == sheet
    assert granting.grant(row, person(MASTER)) == sheet
    assert granting.grant(Arrival.objects.get(pk=row.pk), person(MASTER)) == sheet
    assert Arrival.objects.get(pk=row.pk).outcome == Outcome.GRANTED
    assert granting.late(fresh(one)) == []
    assert (
        Sheet.objects.count()
        == Departure.objects.count()
        == Entry.objects.filter(kind="granted").count()
        == 1
    )


def test_its_player_has_a_receipt_in_his_language() -> None:
    one, flora = game(), person("Flora")
    flora.language = "en"
    flora.save()
    granting.grant(late(one), person(MASTER))
    sent = Departure.objects.get()
    assert (sent.person, sent.game, sent.power) == (flora, one, "FRANCE")
    assert sent.subject == "[La table ronde · Spring 1901, movement] France: late orders let in, No 1"
    assert "| A Paris - Burgundy" in sent.text
    assert "| Without an order, and so holding: Army Marseilles." in sent.text


def test_it_is_shown_as_what_it_is() -> None:
    one = game()
    granting.grant(late(one), person(MASTER))
    entry = Entry.objects.get(kind="granted")
    told = log_words.sentence(entry, Story(one).variant, "Europe/Paris")
    assert told == "Le maître de jeu a admis des ordres tardifs\u00a0: France, Printemps 1901, mouvements."
    assert (entry.by, entry.role, entry.open) == (person(MASTER), Role.MASTER, True)
    assert states.origin("granted") == "par courriel, en retard, admise par le maître de jeu"
    assert states.origin("mail") == "par courriel"


def test_a_power_in_disorder_is_back() -> None:
    one = game()
    row = late(one)
    one.seats.filter(power="FRANCE").update(disorder=True, missed=2)
    granting.grant(row, person(MASTER))
    assert (seat(one, "FRANCE").disorder, seat(one, "FRANCE").missed) == (False, 0)


def test_the_clock_goes_on_with_a_game_that_waited_for_them() -> None:
    one = game()
    all_hand_in(one, but=["FRANCE"])
    sweep_at_deadline(one)
    assert fresh(one).waiting
    row = arrival(one, at=due(one) + HOUR)
    result = take(row, LATE)
    assert result.outcome == Outcome.TAKEN  # while a game waits for somebody, nothing of his is late


def test_nothing_of_another_mail_is_let_in() -> None:
    one = game()
    row = arrival(one)
    assert refused(settled(row, take(row, LATE))) == "not_late"
    assert refused(late(one, "Merci")) == "not_late"
    assert refused(late(one, "Automne 1901\nA Par - Bur")) == "not_late"
    assert granting.late(fresh(one)) == []


def test_an_empty_sheet_that_was_late_is_let_in_too() -> None:
    one = game()
    sheet = granting.grant(late(one, "aucun ordre"), person(MASTER))
    assert sheet.lines == []


def test_a_later_sheet_is_not_undone() -> None:
    one = game()
    first, second = late(one, "A Par - Bur"), late(one, "A Par - Pic", 2 * SECOND)
    assert granting.late(fresh(one)) == [first, second]
    granting.grant(second, person(MASTER))
    assert refused(first) == "later"
    assert granting.late(fresh(one)) == []


def test_late_orders_stand_over_those_that_came_in_time_and_over_a_draft() -> None:
    one = game()
    hand_in(one, "FRANCE", ["A Par - Pic"])
    row = late(one)
    inbox.keep_draft(fresh(one), "FRANCE", ["A Par - Gas"], due(one) + 2 * SECOND)
    assert granting.grant(row, person(MASTER)).lines == ["A Par - Bur", "F Bre - MAO"]


def test_whoever_plays_no_more_is_not_let_in() -> None:
    one = game()
    row = late(one)
    seats.vacate(one, "FRANCE")
    assert refused(row) == "not_yours"
    seats.give(one, "FRANCE", person("Sylvain"))
    assert refused(row) == "not_yours"
    assert granting.late(fresh(one)) == []


@pytest.mark.parametrize("state", [State.ENDED, State.ABANDONED])
def test_a_game_that_is_over_takes_nothing(state: State) -> None:
    one = game()
    row = late(one)
    Game.objects.update(state=state)
    assert refused(row) == "published"
    assert granting.late(fresh(one)) == []


def test_a_published_phase_is_taken_back_first() -> None:
    one = game()
    all_hand_in(one)
    row = late(one)
    sweep_at_deadline(one)
    assert refused(row) == "published"
    assert granting.late(fresh(one)) == []
    take_back(one)
    assert granting.late(fresh(one)) == [row]
    assert granting.grant(row, person(MASTER)).number == 1


def test_what_was_read_after_its_phase_was_published_may_be_let_in_then() -> None:
    """It came in time, and a server on the way kept it: nobody could know."""
    one = game()
    all_hand_in(one, but=["FRANCE"])
    hand_in(one, "FRANCE", ["A Par - Pic"])
    row = arrival(one, at=due(one) - SECOND)
    sweep_at_deadline(one)
    row = settled(row, take(row, LATE))
    assert row.outcome == Outcome.OTHER_PHASE
    assert refused(row) == "published"
    take_back(one)
    assert granting.grant(row, person(MASTER)).lines == ["A Par - Bur", "F Bre - MAO"]


def take_back(one: Game) -> None:
    last = one.revisions.get(number=1, current=True)
    hand = Hand(person(MASTER), Role.MASTER)
    revising.take_back(fresh(one), Ground(last.number, last.revision), hand=hand, now=due(one) + HOUR)
