"""Letters that wait because something in them is doubtful, though letters are free; and their numbers."""

from __future__ import annotations

import pytest
from django.utils import timezone

from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.models import Game, GameMembership, GameState
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.press import message_actions, message_visibility, press_rules, press_texts
from talleyrand.web.press.message_actions import HoldReason, MessageDraft, MessageRefused
from talleyrand.web.press.models import Message, MessageState
from talleyrand.web.press.press_rules import ConversationKind, PressSituation, Recipients
from tests.web.cast import ASSISTANT, MASTER, person, table
from tests.web.press.post import reply, see, send

pytestmark = pytest.mark.django_db
PAIR = Recipients(ConversationKind.PAIR, ("ENGLAND", "FRANCE"))
TO_MASTER = Recipients(ConversationKind.MASTER, ("FRANCE",))
NAMED = (HoldReason("name", "Kerbrat"), HoldReason("telephone", "06 12 34 56 78"))


@pytest.fixture
def game(db: None) -> Game:
    return table()


def write(
    game: Game, to: Recipients = PAIR, doubts: tuple[HoldReason, ...] = NAMED, sign: str = "FRANCE"
) -> Message:
    name = MASTER if sign == press_rules.GAME_MASTER else "Flora"
    written = MessageDraft("Signé Kerbrat", sign, "0123456789", hold_reasons=doubts)
    return message_actions.send_message(game, person(name), to, written, timezone.now())


@pytest.mark.long
def test_it_waits_and_the_master_is_told_why(game: Game) -> None:
    letter = write(game)
    assert letter.state == MessageState.HELD
    page = see(game, MASTER, "en-attente/").content.decode()
    assert "Il nomme son auteur : « Kerbrat »." in page.replace("\xa0", " ")
    assert "06 12 34 56 78" in page
    assert "attend le maître de jeu" in see(game, "Flora", f"{letter.conversation.key}/").content.decode()
    assert see(game, "Edmond", f"{letter.conversation.key}/").status_code == 404
    message_actions.release_message(letter, timezone.now())
    assert "Signé Kerbrat" in see(game, "Edmond", f"{letter.conversation.key}/").content.decode()
    assert "transmis" in see(game, "Flora", f"{letter.conversation.key}/").content.decode()
    assert "nomme son auteur" not in see(game, "Edmond", f"{letter.conversation.key}/").content.decode()


def test_the_same_again_is_the_same_letter(game: Game) -> None:
    assert write(game) == write(game)
    message_actions.release_message(Message.objects.get(), timezone.now())
    assert write(game).state == MessageState.DELIVERED


def test_nobody_to_decide(game: Game) -> None:
    GameMembership.objects.filter(role="master").update(left_at=timezone.now())
    with pytest.raises(MessageRefused) as refusal:
        write(game)
    assert refusal.value.code == "names_writer"
    assert "maître de jeu" in press_texts.refusal_text("names_writer")
    assert not Message.objects.exists()


def test_what_the_master_reads_or_writes_himself_never_waits(game: Game) -> None:
    assert write(game, TO_MASTER).state == MessageState.DELIVERED
    assert (
        write(game, Recipients(ConversationKind.ALL), sign=press_rules.GAME_MASTER).state
        == MessageState.DELIVERED
    )
    assert not any(letter.hold_reasons for letter in Message.objects.all())


def test_after_the_end_it_waits_as_well(game: Game) -> None:
    Game.objects.update(state=GameState.ENDED, phase="")
    assert write(game, Recipients(ConversationKind.ALL)).state == MessageState.HELD


def test_what_may_not_be_written_is_refused_for_that(game: Game) -> None:
    pen = press_rules.PressAuthor("player", ("FRANCE",))
    for press in ("none", "public"):
        found = press_rules.press_permission(
            PressSituation(PressSetting(press)), pen, PAIR, "FRANCE", doubt="names_writer"
        )
        assert (found.code, found.held) == (press, False)


def test_numbers_stay_whatever_becomes_of_letters(game: Game) -> None:
    other = table()
    first, second = write(game), None
    send(other, "Flora", "ENGLAND", "Autres actions")
    reply(first.conversation, MASTER, "Rien")  # the game master writes in no room of two powers
    send(game, MASTER, "FRANCE", "Du maître")
    second = write(game, Recipients(ConversationKind.PAIR, ("FRANCE", "ITALY")))
    assert [message_visibility.message_number(one) for one in (first, second)] == [1, 3]
    message_actions.release_message(first, timezone.now())
    assert message_visibility.message_number(second) == 3
    mine = GameViewer.for_user(game, person(MASTER))
    assert [message_visibility.message_by_number(mine, n) for n in (0, -1, 1, 2, 3, 4, 10**30)] == [
        None, None, first, None, second, None, None,
    ]  # fmt: skip
    for name in ("Flora", "Edmond", ASSISTANT):
        assert message_visibility.message_by_number(GameViewer.for_user(game, person(name)), 3) is None
    assert "Message 3" in see(game, MASTER, "en-attente/").content.decode()
