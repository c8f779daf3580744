"""Who plays by post, and the mail to begin with."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import seats
from talleyrand.web.games.models import Game, Role
from talleyrand.web.games.story import Story
from talleyrand.web.mail import addressing
from talleyrand.web.mail.correspondence import corresponding
from talleyrand.web.mail.layout import WIDTH
from talleyrand.web.mail.models import Correspondent, Departure, Door, Mailbox
from talleyrand.web.mail.orders import sheets
from talleyrand.web.mail.reading.mail import MARK
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, deal, member, person, table
from tests.web.mail.collected import by_post, english, fresh, last, mails, sweep
from tests.web.mail.correspondents import DOMAIN, SURNAMES, address_of, correspond

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


def addresses(text: str) -> Iterator[Mailbox]:
    for word in text.split():
        if word.endswith(f"@{DOMAIN}"):
            yield addressing.known(word)


def test_beginning_and_ending_twice_is_once() -> None:
    game, flora = table(), correspond("Flora")
    first = corresponding.begin(game, flora)
    assert corresponding.begin(game, flora) == first
    assert corresponding.is_correspondent(game, flora)
    assert not corresponding.is_correspondent(game, person("Gaspard"))
    assert corresponding.end(game, flora)
    assert not corresponding.end(game, flora)
    assert not corresponding.is_correspondent(game, flora)
    assert corresponding.begin(game, flora).pk != first.pk


def test_the_first_mail_holds_every_address_and_opens_what_it_says() -> None:
    game = by_post()
    sweep()
    mail = last("Flora", "welcome")
    boxes = list(addresses(mail.text))
    rights = {(box.door, box.power, box.to) for box in boxes}
    others = [power for power in PLAYERS if power != "FRANCE"]
    letters = {(Door.LETTER, "FRANCE", to) for to in [*others, "*", "@"]}
    assert rights == {(Door.ORDERS, "FRANCE", ""), *letters}
    assert {(box.game, box.person) for box in boxes} == {(game, person("Flora"))}
    assert (mail.power, mail.mailbox) == ("FRANCE", boxes[0])


@pytest.mark.parametrize(
    ("press", "rooms"),
    [("none", {"@"}), ("public", {"*", "@"}), ("held", {*PLAYERS, "*", "@"} - {"FRANCE"})],
)
def test_only_letters_that_the_game_knows_have_an_address(press: str, rooms: set[str]) -> None:
    by_post(press=press)
    sweep()
    boxes = addresses(last("Flora", "welcome").text)
    assert {box.to for box in boxes if box.door == Door.LETTER} == rooms


def test_without_game_master_nothing_is_promised_of_him() -> None:
    game = by_post()
    game.memberships.filter(role=Role.MASTER).delete()
    sweep()
    text = last("Flora", "welcome").text
    assert "@" not in {box.to for box in addresses(text)}
    assert "l’admettre" not in text


def test_the_game_master_has_his_desk_and_writes_to_each_power() -> None:
    by_post()
    sweep()
    boxes = list(addresses(last(MASTER, "welcome").text))
    assert {(box.door, box.to) for box in boxes} == {(Door.DESK, "")} | {
        (Door.LETTER, to) for to in (*PLAYERS, "*")
    }
    assert {box.power for box in boxes} == {"@"}


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("power", list(PLAYERS))
def test_the_example_is_a_sheet_that_is_understood(power: str, language: str) -> None:
    name = PLAYERS[power]
    game = by_post()
    if language == "en":
        english(name)
    sweep()
    text = last(name, "welcome").text
    head = "For instance:" if language == "en" else "Par exemple"
    block = text.partition(head)[2].split("\n\n")[0].splitlines()[1:]
    lines = [line.removeprefix(MARK).strip() for line in block]
    question = Story(game).question(1)
    assert question is not None
    found = sheets.read("\n".join(lines), question, power)
    assert len(lines) == 4
    assert found.is_sheet
    assert not found.aside


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
    assert all(line.startswith(MARK) for line in units)


def test_an_assistant_reads_and_has_no_address_of_his_own() -> None:
    by_post()
    correspond(ASSISTANT)
    sweep()
    mail = last(ASSISTANT, "welcome")
    assert list(addresses(mail.text)) == []
    assert (mail.power, mail.mailbox) == ("", None)


def test_by_its_terms_a_game_begins_with_whoever_has_an_address() -> None:
    game = by_post()
    correspond(OBSERVER)
    EmailAddress.objects.filter(user=person("Flora")).delete()
    sweep()
    begun = set(Correspondent.objects.filter(game=game).values_list("person__name", flat=True))
    assert begun == {*PLAYERS.values(), MASTER} - {"Flora"}
    correspond("Flora")
    sweep()
    assert mails("Flora", "welcome")


def test_who_has_stopped_is_left_in_peace() -> None:
    game = by_post()
    sweep()
    corresponding.end(game, person("Flora"))
    assert not sweep()
    assert not corresponding.is_correspondent(game, person("Flora"))


def test_other_games_begin_with_nobody() -> None:
    correspond("Flora")
    table()
    assert not sweep()
    assert not Correspondent.objects.exists()


def test_before_the_start_there_is_nothing_to_begin_with() -> None:
    game = table(by_post=True, begun=False)
    correspond("Flora")
    assert not sweep()
    assert corresponding.is_correspondent(game, person("Flora"))


def test_an_observer_who_asks_reads_along() -> None:
    game = by_post()
    corresponding.begin(game, correspond(OBSERVER))
    sweep()
    assert last(OBSERVER, "welcome").mailbox is None


def given(game: Game, power: str, name: str, *, stand_in: bool = False) -> Person:
    somebody = correspond(name)
    if not game.memberships.filter(person=somebody).exists():
        member(game, name, Role.PLAYER)
    seats.give(fresh(game), power, somebody, stand_in=stand_in)
    return somebody


def test_who_gets_a_power_is_told_all_of_it() -> None:
    game = by_post()
    sweep()
    before = Departure.objects.filter(person=person("Roman")).count()
    given(game, "RUSSIA", "Renaud")
    sweep()
    assert last("Renaud", "welcome").power == "RUSSIA"
    assert Departure.objects.filter(person=person("Roman")).count() == before


def test_after_a_stand_in_one_begins_again() -> None:
    game = by_post()
    sweep()
    given(game, "TURKEY", "Sacha", stand_in=True)
    sweep()
    assert len(mails("Théa", "welcome")) == 1
    seats.vacate(fresh(game), "TURKEY", stand_in=True)
    sweep(timezone.now() + timedelta(hours=2))
    assert [mail.power for mail in mails("Théa", "welcome")] == ["TURKEY", "TURKEY"]


def test_two_powers_are_two_mails() -> None:
    game = by_post()
    deal(game, "ITALY", "Flora")
    sweep()
    assert {mail.power for mail in mails("Flora", "welcome")} == {"FRANCE", "ITALY"}
    italy = next(mail for mail in mails("Flora", "welcome") if mail.power == "ITALY")
    assert "FRANCE" not in {box.to for box in addresses(italy.text)}


def test_nobody_elses_name_or_address_is_in_any_first_mail() -> None:
    by_post()
    correspond(ASSISTANT)
    for mail in sweep():
        assert mail.person is not None
        others = {*PLAYERS.values(), MASTER, ASSISTANT} - {mail.person.name}
        told = f"{mail.subject}\n{mail.text}\n{mail.sender}"
        for other in others:
            assert SURNAMES[other] not in told
            assert address_of(other) not in told
            assert other not in told.split()
