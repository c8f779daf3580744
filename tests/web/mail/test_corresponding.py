"""Who plays by post, and the mail to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, GameRole
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.mailed_orders import order_parsing
from talleyrand.web.mail.models import Mailbox, MailboxPurpose, MailSubscription, OutboundEmail
from talleyrand.web.mail.parsing.parsed_email import ORDER_MARK
from talleyrand.web.mail.subscriptions import subscribing
from talleyrand.web.mail.text_layout import WIDTH
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, deal, member, person, table
from tests.web.mail.collected import by_post, english, fresh, last, mails, play, sweep
from tests.web.mail.correspondents import DOMAIN, SURNAMES, address_of, correspond
from tests.web.mail.orders import sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


def addresses(text: str) -> Iterator[Mailbox]:
    for word in text.split():
        if word.endswith(f"@{DOMAIN}"):
            yield mailboxes.find_mailbox(word)


def test_beginning_and_ending_twice_is_once() -> None:
    game, flora = table(), correspond("Flora")
    first = subscribing.subscribe(game, flora)
    assert subscribing.subscribe(game, flora) == first
    assert subscribing.is_subscribed(game, flora)
    assert not subscribing.is_subscribed(game, person("Gaspard"))
    assert subscribing.unsubscribe(game, flora)
    assert not subscribing.unsubscribe(game, flora)
    assert not subscribing.is_subscribed(game, flora)
    assert subscribing.subscribe(game, flora).pk != first.pk


def test_the_first_mail_holds_every_address_and_opens_what_it_says() -> None:
    game = by_post()
    sweep()
    mail = last("Flora", "welcome")
    boxes = list(addresses(mail.text))
    rights = {(box.purpose, box.power, box.target) for box in boxes}
    others = [power for power in PLAYERS if power != "FRANCE"]
    letters = {(MailboxPurpose.MESSAGE, "FRANCE", to) for to in [*others, "*", "@"]}
    assert rights == {(MailboxPurpose.ORDERS, "FRANCE", ""), *letters}
    assert {(box.game, box.person) for box in boxes} == {(game, person("Flora"))}
    assert (mail.power, mail.reply_mailbox) == ("FRANCE", boxes[0])


@pytest.mark.long
def test_the_mail_to_keep_is_answered_in_every_phase() -> None:
    game = by_post()
    sweep()
    subject = f"Re: {last('Flora', 'welcome').subject}"
    assert play(game, {}).phase == "S1901M"
    later = fresh(game)
    assert later.phase == "F1901M"
    assert later.phase_opened_at is not None
    result = sent(later, "A Par - Bur", subject, at=later.phase_opened_at + timedelta(hours=1))
    assert result.outcome == MailOutcome.TAKEN
    assert result.facts["phase"] == "F1901M"


@pytest.mark.parametrize(
    ("press", "rooms"),
    [("none", {"@"}), ("public", {"*", "@"}), ("held", {*PLAYERS, "*", "@"} - {"FRANCE"})],
)
def test_only_letters_that_the_game_knows_have_an_address(press: str, rooms: set[str]) -> None:
    by_post(press=press)
    sweep()
    boxes = addresses(last("Flora", "welcome").text)
    assert {box.target for box in boxes if box.purpose == MailboxPurpose.MESSAGE} == rooms


def test_without_game_master_nothing_is_promised_of_him() -> None:
    game = by_post()
    game.memberships.filter(role=GameRole.GAME_MASTER).delete()
    sweep()
    text = last("Flora", "welcome").text
    assert "@" not in {box.target for box in addresses(text)}
    assert "l’accepter" not in text


@pytest.mark.long
def test_the_game_master_has_his_desk_and_writes_to_each_power() -> None:
    by_post()
    sweep()
    boxes = list(addresses(last(MASTER, "welcome").text))
    assert {(box.purpose, box.target) for box in boxes} == {(MailboxPurpose.DESK, "")} | {
        (MailboxPurpose.MESSAGE, to) for to in (*PLAYERS, "*")
    }
    assert {box.power for box in boxes} == {"@"}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("power", list(PLAYERS))
def test_the_example_is_a_sheet_that_is_understood(power: str, language: str) -> None:
    name = PLAYERS[power]
    game = by_post()
    if language == "en":
        english(name)
    sweep()
    text = last(name, "welcome").text
    head = "For example:" if language == "en" else "Par exemple"
    block = text.partition(head)[2].split("\n\n")[0].splitlines()[1:]
    lines = [line.removeprefix(ORDER_MARK).strip() for line in block]
    question = GameHistory(game).question(1)
    assert question is not None
    found = order_parsing.parse_orders("\n".join(lines), question, power)
    assert len(lines) == 4
    assert found.has_orders
    assert not found.aside


@pytest.mark.long
@pytest.mark.parametrize("name", ["Flora", MASTER, ASSISTANT])
def test_lines_are_narrow_and_orders_marked(name: str) -> None:
    english("Flora")
    correspond(ASSISTANT)
    by_post(press="held")
    sweep()
    text = last(name, "welcome").text
    assert [line for line in text.splitlines() if len(line) > WIDTH and "@" not in line] == []
    units = [line for line in text.splitlines() if "Marseille" in line]
    assert units
    assert all(line.startswith(ORDER_MARK) for line in units)


@pytest.mark.long
def test_an_assistant_reads_and_has_no_address_of_his_own() -> None:
    by_post()
    correspond(ASSISTANT)
    sweep()
    mail = last(ASSISTANT, "welcome")
    assert list(addresses(mail.text)) == []
    assert (mail.power, mail.reply_mailbox) == ("", None)


@pytest.mark.long
def test_by_its_terms_a_game_begins_with_whoever_has_an_address() -> None:
    game = by_post()
    correspond(OBSERVER)
    EmailAddress.objects.filter(user=person("Flora")).delete()
    sweep()
    begun = set(MailSubscription.objects.filter(game=game).values_list("person__name", flat=True))
    assert begun == {*PLAYERS.values(), MASTER} - {"Flora"}
    correspond("Flora")
    sweep()
    assert mails("Flora", "welcome")


@pytest.mark.long
def test_who_has_stopped_is_left_in_peace() -> None:
    game = by_post()
    sweep()
    subscribing.unsubscribe(game, person("Flora"))
    assert not sweep()
    assert not subscribing.is_subscribed(game, person("Flora"))


def test_other_games_begin_with_nobody() -> None:
    correspond("Flora")
    table()
    assert not sweep()
    assert not MailSubscription.objects.exists()


def test_before_the_start_there_is_nothing_to_begin_with() -> None:
    game = table(by_post=True, begun=False)
    correspond("Flora")
    assert not sweep()
    assert subscribing.is_subscribed(game, person("Flora"))


def test_an_observer_who_asks_reads_along() -> None:
    game = by_post()
    subscribing.subscribe(game, correspond(OBSERVER))
    sweep()
    assert last(OBSERVER, "welcome").reply_mailbox is None


def given(game: Game, power: str, name: str, *, stand_in: bool = False) -> Person:
    somebody = correspond(name)
    if not game.memberships.filter(person=somebody).exists():
        member(game, name, GameRole.PLAYER)
    power_assignments.assign_power(fresh(game), power, somebody, stand_in=stand_in)
    return somebody


@pytest.mark.long
def test_who_gets_a_power_is_told_all_of_it() -> None:
    game = by_post()
    sweep()
    before = OutboundEmail.objects.filter(person=person("Roman")).count()
    given(game, "RUSSIA", "Renaud")
    sweep()
    assert last("Renaud", "welcome").power == "RUSSIA"
    assert OutboundEmail.objects.filter(person=person("Roman")).count() == before


@pytest.mark.long
def test_after_a_stand_in_one_begins_again() -> None:
    game = by_post()
    sweep()
    given(game, "TURKEY", "Sacha", stand_in=True)
    sweep()
    assert len(mails("Théa", "welcome")) == 1
    power_assignments.end_assignment(fresh(game), "TURKEY", stand_in=True)
    sweep(timezone.now() + timedelta(hours=2))
    assert [mail.power for mail in mails("Théa", "welcome")] == ["TURKEY", "TURKEY"]


@pytest.mark.long
def test_two_powers_are_two_mails() -> None:
    game = by_post()
    deal(game, "ITALY", "Flora")
    sweep()
    assert {mail.power for mail in mails("Flora", "welcome")} == {"FRANCE", "ITALY"}
    italy = next(mail for mail in mails("Flora", "welcome") if mail.power == "ITALY")
    assert "FRANCE" not in {box.target for box in addresses(italy.text)}


def test_nobody_elses_name_or_address_is_in_any_first_mail() -> None:
    by_post()
    correspond(ASSISTANT)
    for mail in sweep():
        assert mail.person is not None
        others = {*PLAYERS.values(), MASTER, ASSISTANT} - {mail.person.name}
        told = f"{mail.subject}\n{mail.text}\n{mail.sender_name}"
        for other in others:
            assert SURNAMES[other] not in told
            assert address_of(other) not in told
            assert other not in told.split()
