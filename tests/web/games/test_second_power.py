"""Whoever has held a power of a game never holds another: every way in is tried."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games import inbox, seats, vacancies
from talleyrand.web.games.desk import directing, scripts, seating
from talleyrand.web.games.desk.acts import Hand, NotDone
from talleyrand.web.games.models import Game, Invitation, Membership, Role, Tenure
from talleyrand.web.games.table import gathering, starting
from talleyrand.web.games.table.refusals import Refused
from talleyrand.web.press.rules import Address, Kind
from talleyrand.web.press.writing import Written, send
from tests.web.api.asking import program
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of, deal, person, table

from .acting import fresh, hand_in
from .desks import act, said
from .tables import at, fill, link, made, words

pytestmark = pytest.mark.django_db
KNOWS = {"fr": "vous en connaissez les secrets", "en": "know its secrets"}
OTHER = "en connaît les secrets"
SECRET = "zz-letter-of-italy"


@pytest.fixture
def game() -> Game:
    """Flora has left France, whose seat is taken since; nobody plays Italy, which has been written to."""
    game = table()
    written = Written(SECRET, "ENGLAND", "a form")
    send(game, person("Edmond"), Address(Kind.PAIR, ("ENGLAND", "ITALY")), written, timezone.now())
    hand_in(game, "ITALY", ["A VEN-TYR", "zz-sheet-of-italy"])
    gathering.leave(game, person("Flora"))
    gathering.leave(game, person("Irène"))
    gathering.join(game, person("Renaud"), power="FRANCE")
    return fresh(game)


def hand() -> Hand:
    return Hand(person(MASTER), Role.MASTER)


def mark(game: Game, power: str) -> int:
    return seating.mark(game.seats.get(power=power))


def give(game: Game, name: str, power: str, **more: Any) -> Tenure:
    now = timezone.now()
    return seating.replace(game, power, person(name), mark(game, power), hand=hand(), now=now, **more)


def state(game: Game) -> tuple[list[Any], list[Any], list[Any]]:
    """Who sits where, as what, and by which links one may come."""
    return (
        list(Tenure.objects.order_by("pk").values_list("seat__power", "person", "until")),
        list(Membership.objects.order_by("pk").values_list("person", "role", "left")),
        list(Invitation.objects.order_by("pk").values_list("token", "revoked")),
    )


# ways in by oneself


def by_the_list(game: Game, name: str) -> str:
    return words(client_of(name).post(at(game, "rejoindre/"), {"power": "ITALY"}))


def by_the_list_unasked(game: Game, name: str) -> str:
    return words(client_of(name).post(at(game, "rejoindre/")))


def by_a_link(game: Game, name: str) -> str:
    return words(client_of(name).post(link(game), {"power": "ITALY"}))


def by_a_link_of_the_seat(game: Game, name: str) -> str:
    return words(client_of(name).post(link(game, power="ITALY", once=True)))


def by_a_link_of_the_desk(game: Game, name: str) -> str:
    made_now = seating.invite(game, "ITALY", hand=hand(), now=timezone.now())
    return words(client_of(name).post(f"/parties/invitation/{made_now.token}/"))


def by_the_api(game: Game, name: str) -> str:
    answer = program(name).ask("POST", f"/games/{game.key}/join", {"power": "ITALY"})
    assert (answer.status_code, answer.json()["code"]) == (409, "held_other")
    return str(answer.json()["sentence"])


def by_a_link_of_the_api(game: Game, name: str) -> str:
    token = Invitation.objects.create(game=game, power="ITALY").token
    assert program(name).get(f"/invitations/{token}").json()["open"] is False
    answer = program(name).ask("POST", f"/invitations/{token}/join", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "held_other")
    return str(answer.json()["sentence"])


ALONE = [
    *(by_the_list, by_the_list_unasked, by_a_link, by_a_link_of_the_seat, by_a_link_of_the_desk),
    *(by_the_api, by_a_link_of_the_api),
]


@pytest.mark.parametrize("way", ALONE, ids=lambda way: way.__name__)
def test_who_has_left_a_power_takes_no_other(game: Game, way: Callable[[Game, str], str]) -> None:
    told = way(game, "Flora")
    assert KNOWS["fr"] in " ".join(told.replace("\u00a0", " ").split())
    assert seats.vacant(fresh(game)) == ("ITALY",)
    assert not Membership.objects.filter(person=person("Flora"), left=None).exists()
    assert SECRET not in words(client_of("Flora").get(f"/parties/{game.key}/lettres/"))


def test_it_is_said_in_english_too(game: Game) -> None:
    answer = client_of("Flora").post(f"/en/games/{game.key}/table/join/", {"power": "ITALY"})
    assert answer.status_code == 409
    assert KNOWS["en"] in words(answer)
    assert "take a seat at another table" in words(answer)


def test_nothing_is_changed_by_what_is_refused(game: Game) -> None:
    token = Invitation.objects.create(game=game, power="ITALY", once=True).token
    before = state(game)
    assert client_of("Flora").post(f"/parties/invitation/{token}/").status_code == 409
    assert state(game) == before
    assert client_of(STRANGER).post(f"/parties/invitation/{token}/").status_code == 302


def test_the_door_says_it_before_one_knocks(game: Game) -> None:
    door = words(client_of("Flora").get(at(game, "rejoindre/")))
    assert KNOWS["fr"] in door
    assert 'name="power"' not in door
    assert 'value="ITALY"' in words(client_of(STRANGER).get(at(game, "rejoindre/")))


def test_one_s_own_power_is_there_to_be_taken_again(game: Game) -> None:
    gathering.leave(game, person("Renaud"))
    assert vacancies.open_to(fresh(game), person("Flora")) == ("FRANCE",)
    door = words(client_of("Flora").get(at(game, "rejoindre/")))
    assert ('value="FRANCE"' in door, 'value="ITALY"' in door) == (True, False)
    assert "Italie" not in words(client_of("Flora").get(at(game))).partition('id="free')[2][:400]
    client_of("Flora").post(at(game, "rejoindre/"))
    assert seats.powers_of(fresh(game), person("Flora")) == ("FRANCE",)


def test_who_gives_up_and_looks_on_takes_no_other(game: Game) -> None:
    gathering.give_up(game, person("Gaspard"), "GERMANY")
    with pytest.raises(Refused, match="held_other"):
        gathering.join(game, person("Gaspard"), power="ITALY")


# by the game master's hand


@pytest.mark.parametrize("stand_in", [False, True])
@pytest.mark.parametrize("name", ["Flora", "Gaspard"], ids=["has left", "still plays"])
def test_the_game_master_gives_no_second_power(game: Game, name: str, stand_in: bool) -> None:
    before = state(game)
    with pytest.raises(NotDone, match="held_other"):
        give(game, name, "TURKEY", stand_in=stand_in)
    assert state(game) == before
    sent = {"action": "stand_in" if stand_in else "replace", "name": name, "mark": mark(game, "TURKEY")}
    master = client_of(MASTER)
    assert OTHER in said(act(game, "seat/TURKEY/", sent, master), master)
    asked = {"name": name, "mark": mark(game, "TURKEY"), "stand_in": stand_in}
    answer = program(MASTER).ask("PUT", f"/games/{game.key}/desk/seats/TURKEY/player", asked)
    assert (answer.status_code, answer.json()["code"]) == (409, "held_other")
    assert state(game) == before


def test_two_players_do_not_trade_their_seats(game: Game) -> None:
    for name, power in (("Edmond", "GERMANY"), ("Gaspard", "ENGLAND")):
        with pytest.raises(NotDone, match="held_other"):
            give(game, name, power)
    assert SECRET not in words(client_of("Gaspard").get(f"/parties/{game.key}/lettres/"))


def test_who_has_stood_in_takes_no_other_power(game: Game) -> None:
    give(game, STRANGER, "TURKEY", stand_in=True)
    seating.end_stand_in(game, "TURKEY", mark(game, "TURKEY"), hand=hand(), now=timezone.now())
    with pytest.raises(Refused, match="held_other"):
        gathering.join(game, person(STRANGER), power="ITALY")
    give(game, STRANGER, "TURKEY")  # the one that they know is theirs to have
    assert seats.powers_of(game, person(STRANGER)) == ("TURKEY",)


def test_no_door_is_forgotten(game: Game) -> None:
    """Whatever comes to give a seat, this is where it is refused."""
    with pytest.raises(seats.NotGiven, match="held_other"):
        seats.give(game, "ITALY", person("Flora"))


# the desk


@pytest.mark.parametrize("role", [Role.MASTER, Role.ASSISTANT])
def test_who_has_been_at_the_desk_plays_nothing(game: Game, role: str) -> None:
    directing.appoint(game, person(STRANGER), role, hand=hand(), now=timezone.now())
    row = Membership.objects.get(game=game, person=person(STRANGER), left=None)
    directing.dismiss(game, row.pk, hand=hand(), now=timezone.now())
    answer = client_of(STRANGER).post(at(game, "rejoindre/"), {"power": "ITALY"})
    assert (answer.status_code, "vu ses secrets" in words(answer)) == (409, True)
    with pytest.raises(NotDone, match="saw_all"):
        give(game, STRANGER, "TURKEY", stand_in=True)


def test_a_player_who_came_to_the_desk_does_not_come_back(game: Game) -> None:
    assert client_of("Flora").post(link(game, Role.MASTER)).status_code == 302
    gathering.leave(game, person("Flora"))
    gathering.leave(game, person("Renaud"))
    for power in ("ITALY", "FRANCE"):
        with pytest.raises(Refused, match="saw_all"):
            gathering.join(fresh(game), person("Flora"), power=power)


def test_who_left_the_desk_before_the_game_began_has_seen_nothing() -> None:
    game = made(MASTER, Role.MASTER)
    fill(game, list(PLAYERS.values())[:6])
    client_of(STRANGER).post(link(game, Role.ASSISTANT))
    client_of(STRANGER).post(at(game, "leave/"))
    starting.begin(game, timezone.now(), person(MASTER))
    [free] = seats.vacant(game)
    assert client_of(STRANGER).post(at(game, "rejoindre/")).status_code == 302
    assert seats.powers_of(game, person(STRANGER)) == (free,)


# a script's power


def test_a_script_s_power_is_no_second_one() -> None:
    game = table("survivor_turkey")
    with pytest.raises(NotDone, match="held_other"):
        scripts.take(game, "TURKEY", person("Flora"), hand=hand(), now=timezone.now())
    assert fresh(game).script == ""
    assert not game.seats.filter(power="TURKEY").exists()


def test_who_gave_a_power_back_to_its_script_takes_no_other() -> None:
    """Its seat is gone, and what they read with it is not."""
    game = table("survivor_turkey")
    scripts.take(game, "TURKEY", person(STRANGER), hand=hand(), now=timezone.now())
    scripts.give_back(fresh(game), "TURKEY", hand=hand(), now=timezone.now())
    for name in (ASSISTANT, "Irène"):
        gathering.leave(fresh(game), person(name))
    with pytest.raises(Refused, match="held_other"):
        gathering.join(fresh(game), person(STRANGER), power="ITALY")
    scripts.take(fresh(game), "TURKEY", person("Sacha"), hand=hand(), now=timezone.now())
    with pytest.raises(Refused, match="held_other"):
        gathering.join(fresh(game), person(STRANGER), power="ITALY")
    assert seats.bar(fresh(game), person(STRANGER), "TURKEY") == ""


# what goes together, and what was before the beginning


def shared() -> Game:
    """Three players who have several powers each, by the rules."""
    game = made(MASTER, Role.MASTER)
    fill(game, ["Flora", "Gaspard", "Edmond"])
    starting.begin(game, timezone.now(), person(MASTER), shared=True)
    return fresh(game)


def test_powers_dealt_together_go_together() -> None:
    game = shared()
    share = seats.powers_of(game, person("Gaspard"))
    other = next(power for power in seats.holders(game) if power not in share)
    gathering.give_up(game, person("Gaspard"), share[0])
    assert seats.bar(game, person("Gaspard"), share[0]) == ""
    assert seats.bar(game, person("Gaspard"), other) == "held_other"
    gathering.leave(game, person("Gaspard"))
    for power in share:
        give(game, STRANGER, power)
    assert seats.powers_of(game, person(STRANGER)) == share
    assert seats.bar(game, person(STRANGER), other) == "held_other"


def test_a_second_power_from_the_start_opens_none_of_another_s() -> None:
    game = table()
    deal(game, "ITALY", "Flora")
    gathering.leave(game, person("Flora"))
    gathering.join(game, person(STRANGER), power="ITALY")
    assert seats.bar(game, person(STRANGER), "FRANCE") == ""
    assert seats.bar(game, person(STRANGER), "TURKEY") == "held_other"


def test_a_power_that_a_link_gave_before_the_beginning_was_not_played() -> None:
    game = made(MASTER, Role.MASTER)
    client_of("Flora").post(link(game, power="FRANCE", once=True))
    client_of("Flora").post(at(game, "leave/"))
    client_of("Renaud").post(link(game, power="FRANCE", once=True))
    client_of("Flora").post(link(game, power="ITALY", once=True))
    fill(game, ["Gaspard", "Edmond"])
    starting.begin(game, timezone.now(), person(MASTER))
    assert seats.powers_of(game, person("Flora")) == ("ITALY",)
    gathering.leave(fresh(game), person("Flora"))
    gathering.leave(fresh(game), person("Renaud"))
    assert seats.bar(fresh(game), person("Flora"), "ITALY") == ""
    assert seats.bar(fresh(game), person("Flora"), "FRANCE") == "held_other"


def test_powers_given_by_hand_are_all_that_counts_of_the_beginning() -> None:
    game = made(MASTER, Role.MASTER)
    client_of("Flora").post(link(game, power="FRANCE", once=True))
    fill(game, ["Renaud"])
    rows = {one.person.name: one.pk for one in gathering.members(game, Role.PLAYER)}
    starting.begin(game, timezone.now(), person(MASTER), {"FRANCE": rows["Renaud"], "ITALY": rows["Flora"]})
    game = fresh(game)
    assert (seats.bar(game, person("Flora"), "ITALY"), seats.bar(game, person("Flora"), "FRANCE")) == (
        "",
        "held_other",
    )


# what the terms say


def test_the_terms_say_what_a_successor_reads_and_who_may_be_one(game: Game) -> None:
    for path in (at(game), at(game, "rejoindre/")):
        text = words(client_of(STRANGER).get(path)).replace("\u00a0", " ")
        assert "Qui reprend une puissance lit ses messages et ses ordres envoyés" in text
        assert "n’en prend plus d’autre ensuite" in text


def test_a_successor_reads_what_the_terms_say(game: Game) -> None:
    inbox.redraft(game, "ITALY", 1, lambda *_asked: {"ITALY": ["zz-draft-of-italy"]}, game.opened)
    gathering.join(game, person(STRANGER), power="ITALY")
    reader, here = client_of(STRANGER), f"/parties/{game.key}"
    assert SECRET in words(reader.get(f"{here}/lettres/"))
    assert "zz-sheet-of-italy" in words(reader.get(f"{here}/1/receipts/ITALY/1/"))
    board = words(reader.get(f"{here}/"))
    assert ("zz-sheet-of-italy" in board, "zz-draft-of-italy" in board) == (True, False)
    assert OBSERVER not in board
