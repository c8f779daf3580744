"""Letters that wait because something in them is doubtful, though letters are free; and their numbers."""

from __future__ import annotations

import pytest
from django.utils import timezone

from talleyrand.web.games.models import Game, Membership, State
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.terms import Press
from talleyrand.web.press import numbering, rules, sentences, writing
from talleyrand.web.press.models import Fate, Letter
from talleyrand.web.press.rules import Address, Kind, Moment
from talleyrand.web.press.writing import Doubt, Refused, Written
from tests.web.cast import ASSISTANT, MASTER, person, table
from tests.web.press.post import reply, see, send

pytestmark = pytest.mark.django_db
PAIR = Address(Kind.PAIR, ("ENGLAND", "FRANCE"))
TO_MASTER = Address(Kind.MASTER, ("FRANCE",))
NAMED = (Doubt("name", "Kerbrat"), Doubt("telephone", "06 12 34 56 78"))


@pytest.fixture
def game(db: None) -> Game:
    return table()


def write(game: Game, to: Address = PAIR, doubts: tuple[Doubt, ...] = NAMED, sign: str = "FRANCE") -> Letter:
    name = MASTER if sign == rules.MASTER else "Flora"
    written = Written("Signé Kerbrat", sign, "0123456789", doubts=doubts)
    return writing.send(game, person(name), to, written, timezone.now())


def test_it_waits_and_the_master_is_told_why(game: Game) -> None:
    letter = write(game)
    assert letter.state == Fate.HELD
    page = see(game, MASTER, "en-attente/").content.decode()
    assert "Elle nomme son auteur : « Kerbrat »." in page.replace("\xa0", " ")
    assert "06 12 34 56 78" in page
    assert "attend le maître de jeu" in see(game, "Flora", f"{letter.room.key}/").content.decode()
    assert see(game, "Edmond", f"{letter.room.key}/").status_code == 404
    writing.pass_on(letter, timezone.now())
    assert "Signé Kerbrat" in see(game, "Edmond", f"{letter.room.key}/").content.decode()
    assert "transmise" in see(game, "Flora", f"{letter.room.key}/").content.decode()
    assert "nomme son auteur" not in see(game, "Edmond", f"{letter.room.key}/").content.decode()


def test_the_same_again_is_the_same_letter(game: Game) -> None:
    assert write(game) == write(game)
    writing.pass_on(Letter.objects.get(), timezone.now())
    assert write(game).state == Fate.DELIVERED


def test_nobody_to_decide(game: Game) -> None:
    Membership.objects.filter(role="master").update(left=timezone.now())
    with pytest.raises(Refused) as refusal:
        write(game)
    assert refusal.value.code == "names_writer"
    assert "maître de jeu" in sentences.refusal("names_writer")
    assert not Letter.objects.exists()


def test_what_the_master_reads_or_writes_himself_never_waits(game: Game) -> None:
    assert write(game, TO_MASTER).state == Fate.DELIVERED
    assert write(game, Address(Kind.ALL), sign=rules.MASTER).state == Fate.DELIVERED
    assert not any(letter.doubts for letter in Letter.objects.all())


def test_after_the_end_it_waits_as_well(game: Game) -> None:
    Game.objects.update(state=State.ENDED, phase="")
    assert write(game, Address(Kind.ALL)).state == Fate.HELD


def test_what_may_not_be_written_is_refused_for_that(game: Game) -> None:
    pen = rules.Pen("player", ("FRANCE",))
    for press in ("none", "public"):
        found = rules.verdict(Moment(Press(press)), pen, PAIR, "FRANCE", doubt="names_writer")
        assert (found.code, found.held) == (press, False)


def test_numbers_stay_whatever_becomes_of_letters(game: Game) -> None:
    other = table()
    first, second = write(game), None
    send(other, "Flora", "ENGLAND", "Ailleurs")
    reply(first.room, MASTER, "Rien")  # the game master writes in no room of two powers
    send(game, MASTER, "FRANCE", "Du maître")
    second = write(game, Address(Kind.PAIR, ("FRANCE", "ITALY")))
    assert [numbering.number(one) for one in (first, second)] == [1, 3]
    writing.pass_on(first, timezone.now())
    assert numbering.number(second) == 3
    mine = Sight.of(game, person(MASTER))
    assert [numbering.find(mine, n) for n in (0, -1, 1, 2, 3, 4, 10**30)] == [
        None, None, first, None, second, None, None,
    ]  # fmt: skip
    for name in ("Flora", "Edmond", ASSISTANT):
        assert numbering.find(Sight.of(game, person(name)), 3) is None
    assert "Lettre 3" in see(game, MASTER, "en-attente/").content.decode()
