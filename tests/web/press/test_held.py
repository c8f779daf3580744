"""Letters through the game master: held, passed on, returned."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_settings import GameSettings, PressSetting
from talleyrand.web.games.models import Game, GameMembership, GameState
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.models import Notification
from talleyrand.web.press import message_actions, message_export
from talleyrand.web.press.models import Message, MessageState
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from tests.web.cast import ASSISTANT, MASTER, client_of, person, table
from tests.web.press.post import Response, address, opening, reply, room, see, send, texts

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db: None) -> Game:
    return table(press="held")


def act(letter: Message, verb: str, name: str = MASTER, **form: object) -> Response:
    return client_of(name).post(address(letter.conversation.game, f"en-attente/{letter.key}/{verb}/"), form)


def only() -> Message:
    return Message.objects.select_related("conversation__game").get()


@pytest.mark.long
def test_a_letter_waits_until_it_is_passed_on(game: Game) -> None:
    send(game, "Flora", "ENGLAND", "Par le MJ")
    letter = only()
    assert (letter.state, letter.delivered_at) == (MessageState.HELD, None)
    path = f"{letter.conversation.key}/"
    assert "attend le maître de jeu" in see(game, "Flora", path).content.decode()
    assert "Par le MJ" not in see(game, "Edmond", path).content.decode()
    assert see(game, "Edmond", "unread.json").json()["unread"] == 0
    assert see(game, MASTER, "unread.json").json()["unread"] == 1
    assert "Par le MJ" in see(game, MASTER, "en-attente/").content.decode()
    Game.objects.update(phase_number=2, phase="F1901M")
    before = timezone.now()
    act(letter, "transmettre")
    letter = only()
    assert letter.state == MessageState.DELIVERED
    assert letter.delivered_at is not None
    assert letter.delivered_at >= before > letter.written_at
    assert (letter.phase_number, letter.phase) == (2, "F1901M")
    assert "Par le MJ" in see(game, "Edmond", path).content.decode()
    assert "transmis" in see(game, "Flora", path).content.decode()
    assert "transmis" not in see(game, "Edmond", path).content.decode()
    assert "Automne 1901" in see(game, "Edmond", path).content.decode()


def test_no_reason_feigns_a_letter_in_a_text_that_is_kept(game: Game) -> None:
    send(game, "Flora", "ENGLAND", "Paix")
    feigned = "Angleterre, 2026-03-02 13:00 (Europe/Paris)"
    act(only(), "renvoyer", reason=f"Trop court.\n\n{feigned}\n    Guerre")
    told = message_export.messages_as_text(GameViewer.for_user(game, person("Flora")))
    assert feigned in told
    assert feigned not in told.splitlines()


@pytest.mark.long
def test_a_letter_comes_back_with_its_reason(game: Game) -> None:
    send(game, "Flora", "ENGLAND", "Insulte")
    letter = only()
    for reason in ("", "  ", "\u200b", "x" * 2001):
        answer = act(letter, "renvoyer", reason=reason)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.content.decode()
        assert reason.strip("\u200b ") in answer.content.decode()
        assert only().state == MessageState.HELD
    act(letter, "renvoyer", reason="Plus <poli>, s’il vous plaît.")
    page = see(game, "Flora", f"{letter.conversation.key}/").content.decode()
    assert "Plus &lt;poli&gt;" in page
    assert "renvoyé" in page
    assert (
        "Insulte"
        in see(game, "Flora", f"{letter.conversation.key}/?again={letter.key}")
        .content.decode()
        .split("<form")[-1]
    )
    assert "Insulte" not in see(game, "Edmond", f"{letter.conversation.key}/").content.decode()
    told = Notification.objects.get(person=person("Flora"))
    assert (told.kind, told.facts["reason"], told.facts["power"]) == (
        "letter_returned",
        "Plus <poli>, s’il vous plaît.",
        "FRANCE",
    )
    assert not Notification.objects.filter(person=person("Edmond")).exists()


def test_nobody_takes_the_text_of_another_again(game: Game) -> None:
    send(game, "Flora", "*", "À moi")
    letter = only()
    act(letter, "renvoyer", reason="Non")
    assert (
        "À moi" not in see(game, "Edmond", f"{letter.conversation.key}/?again={letter.key}").content.decode()
    )


def test_all_that_the_page_showed_is_passed_on_and_nothing_else(game: Game) -> None:
    for text in ("Un", "Deux", "Trois"):
        send(game, "Flora", "ENGLAND", text)
    shown = list(Message.objects.order_by("id").values_list("key", flat=True))[:2]
    client_of(MASTER).post(address(game, "en-attente/tous/"), {"letter": [*shown, "inconnue", "x" * 5000]})
    states = Message.objects.order_by("id").values_list("state", flat=True)
    assert list(states) == [MessageState.DELIVERED, MessageState.DELIVERED, MessageState.HELD]
    moments = [one.delivered_at for one in Message.objects.order_by("id")[:2]]
    assert moments[0] is not None
    assert moments[1] is not None
    assert moments[0] < moments[1]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["Flora", "Edmond", ASSISTANT, "Oscar", "Sylvain"])
def test_the_page_is_the_game_masters_alone(game: Game, name: str) -> None:
    send(game, "Flora", "ENGLAND")
    letter = only()
    assert see(game, name, "en-attente/").status_code == 404
    assert act(letter, "transmettre", name).status_code == 404
    assert act(letter, "renvoyer", name, reason="Non").status_code == 404
    assert (
        client_of(name).post(address(game, "en-attente/tous/"), {"letter": [letter.key]}).status_code == 404
    )
    assert only().state == MessageState.HELD


def test_the_master_of_another_game_sees_nothing(game: Game) -> None:
    send(game, "Flora", "ENGLAND")
    letter, other = only(), table()
    GameMembership.objects.filter(game=game, person=person(MASTER)).delete()
    for verb in ("transmettre", "renvoyer"):
        path = address(other, f"en-attente/{letter.key}/{verb}/")
        assert client_of(MASTER).post(path, {"reason": "Non"}).status_code == 404
    assert act(letter, "transmettre").status_code == 404
    assert only().state == MessageState.HELD


def test_what_does_not_wait(game: Game) -> None:
    send(game, "Flora", "@", "Au maître")
    send(game, MASTER, "FRANCE", "Du maître")
    send(game, MASTER, "*", "Tous")
    assert set(Message.objects.values_list("state", flat=True)) == {MessageState.DELIVERED}
    assert client_of(MASTER).get(address(game, "en-attente/")).content.decode().count("<time") < 3


def test_one_notice_while_letters_wait(game: Game) -> None:
    for _ in range(3):
        send(game, "Flora", "ENGLAND")
    told = Notification.objects.filter(person=person(MASTER))
    assert [(one.kind, one.path) for one in told] == [("letter_held", address(game, "en-attente/"))]
    assert not Notification.objects.filter(person=person(ASSISTANT)).exists()
    message_actions.release_messages(Message.objects.order_by("id"), timezone.now())
    send(game, "Flora", "ENGLAND")
    assert told.all().count() == 2


def test_held_letters_outlive_the_game(game: Game) -> None:
    send(game, "Flora", "ENGLAND", "Tardive")
    Game.objects.update(state=GameState.ENDED, phase="")
    act(only(), "transmettre")
    assert "Tardive" in see(game, "Edmond", f"{only().conversation.key}/").content.decode()
    send(game, "Flora", "*", "Bien joué")
    assert Message.objects.get(text="Bien joué").state == MessageState.DELIVERED


def test_without_a_game_master_letters_wait(game: Game) -> None:
    GameMembership.objects.filter(role="master").update(left_at=timezone.now())
    send(game, "Flora", "ENGLAND", "Qui lira ?")
    page = see(game, "Flora", f"{only().conversation.key}/").content.decode()
    assert "attendent qu’il y en ait un" in page
    assert send(game, "Flora", "@").status_code == 409


def test_a_declaration_waits_too(db: None) -> None:
    game = table(press="held", declarations=True)
    send(game, "Flora", "*", "Anonyme", unsigned="1")
    assert "Sans signature (France)" in see(game, MASTER, "en-attente/").content.decode()
    assert "Anonyme" not in see(game, "Edmond").content.decode()
    act(only(), "transmettre")
    page = see(game, "Edmond").content.decode()
    assert "Anonyme" in page
    assert "Sans signature" in page
    assert "Sans signature (" not in page


def together(*acts: Callable[[], object]) -> list[object]:
    """What each of several says who act at the same moment."""
    gate, said = threading.Barrier(len(acts)), list[object](acts)

    def one(place: int) -> None:
        gate.wait()
        try:
            said[place] = acts[place]()
        except message_actions.MessageNotHeld as settled:
            said[place] = settled.state
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said


def passed(letter: Message) -> str:
    return message_actions.release_message(letter, timezone.now()).state


def returned(letter: Message) -> str:
    return message_actions.return_message(letter, "Non").state


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_passed_on_and_returned_at_once_is_one_of_the_two() -> None:
    game = table(press="held")
    for number in range(6):
        send(game, "Flora", "ENGLAND", f"Lettre {number}")
        letter = Message.objects.get(text=f"Lettre {number}")
        said = together(
            partial(passed, letter),
            partial(returned, letter),
            partial(passed, letter),
        )
        letter.refresh_from_db()
        assert set(said) == {letter.state}
        assert (letter.delivered_at is not None) == (letter.state == MessageState.DELIVERED)
        assert bool(letter.return_reason) == (letter.state == MessageState.RETURNED)
        again = act(letter, "transmettre")
        assert again.status_code == 302
        letter.refresh_from_db()
        assert (letter.state == MessageState.DELIVERED) == (said[0] == MessageState.DELIVERED)


@pytest.mark.django_db(transaction=True)
def test_the_same_form_from_two_windows_is_one_letter() -> None:
    game, flora = table(), person("Flora")
    to = Recipients(ConversationKind.PAIR, ("ENGLAND", "FRANCE"))
    said = together(
        *[lambda: message_actions.send_message(game, flora, to, written("Une fois"), timezone.now()).pk] * 4
    )
    assert len(set(said)) == 1
    assert texts(game) == ["Une fois"]


@pytest.mark.django_db(transaction=True)
def test_who_leaves_meanwhile_writes_no_more() -> None:
    """The page was opened while he played; when the letter is taken he does not."""
    game = table()
    send(game, "Flora", "ENGLAND", "Avant")
    found = room(game, "ENGLAND+FRANCE")
    GameMembership.objects.filter(person=person("Flora")).update(left_at=timezone.now())
    assert reply(found, "Flora", "Après").status_code == 404
    assert texts(game) == ["Avant"]


def test_a_held_letter_leaves_no_trace_for_its_recipient(game: Game) -> None:
    """Neither the room, nor the way to open it, nor where that leads tells that France has written."""
    before = see(game, "Edmond").content.decode()
    opened = client_of("Edmond").get(opening(game, "FRANCE"))
    send(game, "Flora", "ENGLAND", "En attente")
    after = see(game, "Edmond").content.decode()
    assert openings(after) == openings(before)
    assert "to=FRANCE" in openings(after)
    again = client_of("Edmond").get(opening(game, "FRANCE"))
    assert (again.status_code, opened.status_code) == (200, 200)
    assert see(game, "Edmond", f"{only().conversation.key}/").status_code == 404
    assert send(game, "Edmond", "FRANCE", "De mon côté").status_code == 302
    assert "En attente" not in see(game, "Edmond", f"{only_room(game)}/").content.decode()


def openings(page: str) -> str:
    return page[page.index('class="openings"') : page.index("</section>", page.index('class="openings"'))]


def only_room(game: Game) -> str:
    return room(game, "ENGLAND+FRANCE").key


def left(game: Game) -> None:
    GameMembership.objects.filter(game=game, person=person("Flora")).update(left_at=timezone.now())


def vacated(game: Game) -> None:
    power_assignments.end_assignment(game, "FRANCE")


def lent(game: Game) -> None:
    power_assignments.assign_power(game, "FRANCE", person("Sandrine"), stand_in=True)


def replaced(game: Game) -> None:
    power_assignments.assign_power(game, "FRANCE", person("Sandrine"))


def ended(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED)


def agreed_anew(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(settings_json=GameSettings(press=PressSetting.NONE).as_json())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (left, "watching"),
        (vacated, "seatless"),
        (lent, "lent"),
        (replaced, "seatless"),
        (ended, "over"),
        (agreed_anew, "none"),
    ],
)
def test_the_rules_are_asked_when_the_letter_is_taken(
    game: Game, change: Callable[[Game], object], code: str
) -> None:
    """Between the page and its letter the world may change: `game` here is as the page had it."""
    to = Recipients(ConversationKind.PAIR, ("ENGLAND", "FRANCE"))
    change(game)
    with pytest.raises(message_actions.MessageRefused) as raised:
        message_actions.send_message(game, person("Flora"), to, written("Trop tard"), timezone.now())
    assert raised.value.code == code
    assert not Message.objects.exists()


def written(text: str) -> message_actions.MessageDraft:
    return message_actions.MessageDraft(text, "FRANCE", "0123456789abcdef")


TASK = "Des messages attendent"


def test_the_desk_tells_of_letters_that_wait_and_of_no_others(game: Game) -> None:
    """Neither a letter to the game master, nor one that was passed on or returned, is a task."""
    desk = f"/parties/{game.key}/desk/"
    send(game, "Flora", "@", "Pour le MJ")
    assert see(game, MASTER, "unread.json").json()["unread"] == 1
    assert TASK not in client_of(MASTER).get(desk).text
    send(game, "Flora", "ENGLAND", "Par le MJ")
    assert TASK in client_of(MASTER).get(desk).text
    assert TASK not in client_of(ASSISTANT).get(desk).text
    act(Message.objects.get(state=MessageState.HELD), "transmettre")
    assert TASK not in client_of(MASTER).get(desk).text


def test_the_desk_tells_of_letters_held_in_a_game_of_free_letters() -> None:
    """A letter that may name its writer waits there too."""
    free = table(press="full")
    send(free, "Flora", "ENGLAND", "Bonjour")
    desk = f"/parties/{free.key}/desk/"
    assert TASK not in client_of(MASTER).get(desk).text
    Message.objects.update(state=MessageState.HELD)
    assert TASK in client_of(MASTER).get(desk).text
