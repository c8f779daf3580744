"""Who sees which letter, in every state of letter, seat and game: the matrix against pages and exports."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.models import Notification
from talleyrand.web.press import message_actions, message_export, message_visibility
from talleyrand.web.press.models import Conversation, Message
from talleyrand.web.press.press_rules import recipients_for
from tests.web.built_once import built_once
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS, STRANGER, client_of, person, table
from tests.web.press.post import address as place
from tests.web.press.post import reply, room, see, send

pytestmark = pytest.mark.django_db

# What was written, by a mark that no page has of itself.
PAIR, GROUP, PUBLIC, TO_MASTER, FROM_MASTER, OTHERS, WAITING, CAME_BACK = (
    f"zz{name}zz"
    for name in ("pair", "group", "public", "tomaster", "frommaster", "others", "waiting", "back")
)
ALONE = {"X-Alone": "1"}  # as a script asks for a page that stands beside a map
ALL = (PAIR, GROUP, PUBLIC, TO_MASTER, FROM_MASTER, OTHERS, WAITING, CAME_BACK)
SUBSTITUTE = "Sandrine"


def wrote(game: Game, name: str, power: str, to: list[str], text: str, *, unsigned: bool = False) -> None:
    """A letter written past the pages, which are tried elsewhere."""
    where = recipients_for(power, to, [*PLAYERS])
    letter = message_actions.MessageDraft(text, power, "0123456789abcdef", unsigned)
    message_actions.send_message(game, person(name), where, letter, timezone.now())


@built_once
def correspondence(**terms: Any) -> Game:
    """Flora (France) has written to Edmond (England) and others, in every state that a letter has."""
    game = table(press="held", **terms)
    for to, text in ((["ENGLAND"], PAIR), (["ENGLAND", "ITALY"], GROUP), (["*"], PUBLIC), (["@"], TO_MASTER)):
        wrote(game, "Flora", "FRANCE", to, text)
    wrote(game, "Roman", "RUSSIA", ["TURKEY"], OTHERS)
    wrote(game, MASTER, "@", ["FRANCE"], FROM_MASTER)
    message_actions.release_messages(
        message_visibility.held_messages(GameViewer.for_user(game, person(MASTER))), timezone.now()
    )
    wrote(game, "Flora", "FRANCE", ["ENGLAND"], WAITING)
    wrote(game, "Flora", "FRANCE", ["ENGLAND"], CAME_BACK)
    message_actions.return_message(Message.objects.select_related("conversation").get(text=CAME_BACK), "Non")
    GameMembership.objects.create(game=game, person=person(SUBSTITUTE), role=GameRole.PLAYER)
    return game


def nothing(game: Game) -> None:
    """The game as it is."""


def replaced(game: Game) -> None:
    power_assignments.assign_power(game, "FRANCE", person(SUBSTITUTE))


def stood_in(game: Game) -> None:
    power_assignments.assign_power(game, "FRANCE", person(SUBSTITUTE), stand_in=True)


def back_again(game: Game) -> None:
    stood_in(game)
    power_assignments.end_assignment(game, "FRANCE", stand_in=True)


def vacant(game: Game) -> None:
    power_assignments.end_assignment(game, "FRANCE")


def gone(game: Game) -> None:
    GameMembership.objects.filter(game=game, person=person("Flora")).update(left_at=timezone.now())


def paused(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=GameState.PAUSED)


def ended(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED, phase="", ended_at=timezone.now())


def abandoned(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=GameState.ABANDONED)


def revealed(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(powers_revealed_at=timezone.now())


FRENCH = {PAIR, GROUP, PUBLIC, TO_MASTER, FROM_MASTER, WAITING, CAME_BACK}
ENGLISH = {PAIR, GROUP, PUBLIC}
OPEN = {PUBLIC}
EVERYBODY_ELSE = {
    "Edmond": ENGLISH,
    "Irène": {GROUP, PUBLIC},
    "Gaspard": OPEN,
    "Roman": {OTHERS, PUBLIC},
    "Théa": {OTHERS, PUBLIC},
    MASTER: set(ALL),
    ASSISTANT: OPEN,
    OBSERVER: OPEN,
    STRANGER: OPEN,
    None: OPEN,
}
MATRIX: list[tuple[Callable[[Game], None], dict[str | None, set[str]]]] = [
    (nothing, {"Flora": FRENCH, SUBSTITUTE: OPEN}),
    (paused, {"Flora": FRENCH, SUBSTITUTE: OPEN}),
    (ended, {"Flora": FRENCH, SUBSTITUTE: OPEN}),
    (abandoned, {"Flora": FRENCH, SUBSTITUTE: OPEN}),
    (revealed, {"Flora": FRENCH, SUBSTITUTE: OPEN}),
    (replaced, {"Flora": OPEN, SUBSTITUTE: FRENCH}),
    (stood_in, {"Flora": FRENCH, SUBSTITUTE: FRENCH}),
    (back_again, {"Flora": FRENCH, SUBSTITUTE: OPEN}),
    (vacant, {"Flora": OPEN, SUBSTITUTE: OPEN}),
    (gone, {"Flora": OPEN, SUBSTITUTE: OPEN}),
]


def shown(game: Game, name: str | None, wanted: list[str]) -> set[str]:
    """The marks on pages, exports and paper that somebody can open, whatever he knows of keys; a page alone,
    as it stands beside a map, has the same ones.
    """
    found = set()
    client = client_of(name) if name else Client()
    for path in wanted:
        answer = client.get(place(game, path))
        alone = client.get(place(game, path), headers=ALONE)
        assert answer.status_code == alone.status_code, path
        assert answer.status_code in (200, 404), path
        marks = {mark for mark in ALL if mark in answer.content.decode()}
        assert {mark for mark in ALL if mark in alone.content.decode()} == marks, path
        found |= marks
    return found


def rooms(game: Game) -> list[str]:
    return ["", *(f"{one.key}/" for one in Conversation.objects.filter(game=game))]


def paths(game: Game) -> list[str]:
    """All addresses under which a letter of the game might be read."""
    letters = Message.objects.filter(conversation__game=game, text__in=(WAITING, CAME_BACK))
    return [
        *rooms(game),
        *(f"{path}{one}" for path in rooms(game)[1:] for one in ("imprimer/", "letters.txt")),
        *(f"{letter.conversation.key}/?all=1&again={letter.key}" for letter in letters),
        "?q=z",
        "letters.txt",
        "unread.json",
        "en-attente/",
    ]


def expected_of(special: dict[str | None, set[str]]) -> dict[str | None, set[str]]:
    return {**EVERYBODY_ELSE, **special}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("change", "special"), MATRIX, ids=[change.__name__ for change, _ in MATRIX])
def test_who_sees_which_letter(change: Callable[[Game], None], special: dict[str | None, set[str]]) -> None:
    """Rooms and lists of those whom the change concerns, and what everybody’s export and pages ask."""
    game = correspondence()
    change(game)
    for name, expected in expected_of(special).items():
        sight = GameViewer.for_user(Game.objects.get(pk=game.pk), person(name) if name else None)
        assert set(message_visibility.visible_messages(sight).values_list("text", flat=True)) == expected, (
            name
        )
        assert {mark for mark in ALL if mark in message_export.messages_as_text(sight)} == expected, name
        assert set(message_visibility.held_messages(sight).values_list("text", flat=True)) == (
            {WAITING} if name == MASTER else set()
        )
    for name, expected in special.items():
        assert shown(game, name, rooms(game)) == expected, name


@pytest.mark.long
def test_every_address_shows_each_reader_his_letters() -> None:
    game = correspondence()
    for name, expected in expected_of(MATRIX[0][1]).items():
        assert shown(game, name, paths(game)) == expected, name


@pytest.mark.one_in(2)
@pytest.mark.parametrize("watching", ["invited", "everybody"])
@pytest.mark.parametrize("listed", [True, False])
def test_a_game_one_may_not_open_has_no_letters(watching: str, listed: bool) -> None:
    game = correspondence(watching=watching)
    Game.objects.update(is_listed=listed)
    for name in (STRANGER, None):
        for path, alone in product([*rooms(game), "letters.txt", "?q=z", "en-attente/"], ({}, ALONE)):
            answer = (client_of(name) if name else Client()).get(place(game, path), headers=alone)
            expected = PUBLIC if watching == "everybody" and listed else ""
            assert all((mark in answer.content.decode()) <= (mark == expected) for mark in ALL), path
            if not expected:
                assert answer.status_code == 404, path


def test_what_one_may_not_see_answers_as_what_does_not_exist() -> None:
    game = correspondence()
    for private in Conversation.objects.exclude(kind="all"):
        for path in ("{}/", "{}/imprimer/", "{}/letters.txt"):
            there = see(game, OBSERVER, path.format(private.key))
            nowhere = see(game, OBSERVER, path.format("AAAAAAAAAAAAAAAAAAAAAA"))
            assert there.status_code == nowhere.status_code == 404
            assert stripped(there, private.key) == stripped(nowhere, "AAAAAAAAAAAAAAAAAAAAAA")


def stripped(answer: object, key: str) -> str:
    """A page without the key that was asked for, and without what is signed anew each second."""
    told = str(answer.content.decode())  # type: ignore[attr-defined]
    return re.sub(r'data-topics="[^"]*"', "", told.replace(key, ""))


def test_a_room_of_another_game_is_not_there() -> None:
    game, other = correspondence(), table()
    send(other, "Flora", "ENGLAND", "zzelsewherezz")
    key = room(other, "ENGLAND+FRANCE").key
    assert see(game, "Flora", f"{key}/").status_code == 404
    assert client_of("Flora").post(place(game, f"{key}/"), {"text": "x"}).status_code == 404


@pytest.mark.parametrize(
    ("change", "may_not", "may"),
    [(replaced, "Flora", SUBSTITUTE), (stood_in, "Flora", SUBSTITUTE), (back_again, SUBSTITUTE, "Flora")],
)
def test_the_pen_goes_with_the_seat(change: Callable[[Game], None], may_not: str, may: str) -> None:
    game = table()
    GameMembership.objects.create(game=game, person=person(SUBSTITUTE), role=GameRole.PLAYER)
    change(game)
    assert send(game, may_not, "ENGLAND", "zznozz", writer="FRANCE").status_code in (400, 409)
    assert send(game, may, "ENGLAND", "zzyeszz").status_code == 302
    assert list(Message.objects.values_list("text", flat=True)) == ["zzyeszz"]


@pytest.mark.long
@pytest.mark.parametrize("name", [ASSISTANT, OBSERVER, STRANGER])
def test_who_only_looks_on_writes_nothing(name: str) -> None:
    game = table()
    send(game, "Flora", "*", "Bonjour")
    found = room(game, "*")
    for writer in ("FRANCE", "@", "", "?"):
        for to in ("*", "@", "ENGLAND"):
            assert send(game, name, to, "zznozz", writer=writer, unsigned="1").status_code in (400, 409)
        assert reply(found, name, "zznozz", writer=writer).status_code == 409
    assert Message.objects.count() == 1


def test_a_visitor_writes_nothing() -> None:
    game = table()
    send(game, "Flora", "*", "Bonjour")
    path = place(game, f"{room(game, '*').key}/")
    answer = Client().post(path, {"text": "zznozz", "writer": "FRANCE", "submission": "0" * 16})
    assert answer.status_code == 409
    assert Message.objects.count() == 1


def told_rooms(game: Game) -> list[str]:
    """The public room, and a private one, in each of its forms."""
    keys = [room(game, "*").key, room(game, "ENGLAND+FRANCE").key]
    return [f"{key}/{one}" for key in keys for one in ("", "imprimer/", "letters.txt")]


@pytest.mark.long
def test_no_person_appears_anywhere() -> None:
    """Names and e-mail addresses of the cast in every byte of pages, headers, exports and notices."""
    game = correspondence(declarations=True)
    wrote(game, "Flora", "FRANCE", ["*"], "zzdeclaredzz", unsigned=True)
    message_actions.release_messages(
        message_visibility.held_messages(GameViewer.for_user(game, person(MASTER))), timezone.now()
    )
    replaced(game)
    names = [*PLAYERS.values(), MASTER, ASSISTANT, OBSERVER, STRANGER, SUBSTITUTE]
    people = {name: person(name) for name in names}
    for reader in ("Flora", "Edmond", "Gaspard", MASTER, ASSISTANT, OBSERVER, STRANGER, SUBSTITUTE, None):
        client = client_of(reader) if reader else Client()
        paths = ["", "letters.txt", "en-attente/", "nouvelle/", "nouvelle/?to=*", *told_rooms(game)]
        for path, alone in product(paths, ({}, ALONE)):
            answer = client.get(place(game, path), headers=alone)
            told = answer.content.decode() + repr(answer.headers) + repr(answer.cookies)
            for name, one in people.items():
                if name == reader:
                    continue  # the head of the page greets its reader
                assert name not in told, (reader, path)
                assert f"person:{one.pk}" not in told
    for notice in Notification.objects.all():
        assert not [
            name for name in names if name in repr(notice.facts) + notice.path + notice.idempotency_key
        ]


def test_unread_letters_of_several_games_are_those_of_each_of_their_rooms() -> None:
    """For everybody at the tables: nothing of their own letters, nor of rooms that are not theirs."""
    games = [correspondence(), table(), table(press="held")]
    for game, to in ((games[1], "*"), (games[1], "ENGLAND"), (games[1], "@"), (games[2], "ENGLAND")):
        wrote(game, "Flora", "FRANCE", [to], PAIR)
    found = room(games[0], "FRANCE+@")
    message_visibility.mark_read(person("Flora"), found, timezone.now())
    power_assignments.assign_power(games[1], "ENGLAND", person(SUBSTITUTE), stand_in=True)
    for name in (*PLAYERS.values(), MASTER, ASSISTANT, OBSERVER, SUBSTITUTE, STRANGER):
        sights = [GameViewer(game, person(name)) for game in games]
        alone = {sight.game.pk: letters_that_wait(sight) for sight in sights}
        assert message_visibility.unread_counts(sights) == {pk: count for pk, count in alone.items() if count}


def letters_that_wait(sight: GameViewer) -> int:
    """One room after the other; the game master is told of those to him, and of held ones."""
    told = message_visibility.unread_by_conversation(sight)
    rooms = Conversation.objects.filter(pk__in=told)
    if sight.is_game_master:
        rooms = rooms.filter(kind__in=("all", "master"))
    return sum(told[one.pk] for one in rooms) + message_visibility.held_messages(sight).count()
