"""A mail to everybody that says in its first line which proposal it is about, as ours say it."""

from __future__ import annotations

import pytest

from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.conversations import message_relay
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.models import MailboxPurpose, MailSubscription, OutboundEmail
from talleyrand.web.mail.subscriptions import subscribing
from talleyrand.web.press.models import Message
from tests.web.cast import person
from tests.web.games.states import hand_in, player
from tests.web.mail.correspondents import correspond
from tests.web.mail.test_lettering import mail, said, take
from tests.web.press.test_motions import proposed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
TEXT = "Moscou a tenu parole."


@pytest.fixture
def game(db: None) -> Game:
    found = proposed()
    hand_in(found, "UMAR", "3A : OPTO")
    for state in ("UMAR", "RUSS"):
        correspond(player(state))
    return found


def wrote(game: Game, text: str, to: str = "*", state: str = "UMAR") -> ProcessingResult:
    mailbox = mailboxes.get_mailbox(MailboxPurpose.MESSAGE, game, person(player(state)), state, to)
    return take(mailbox, mail(text, mailbox, names=(), addresses=()))


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("Sur la proposition : Union du Maghreb arabe, vote politique", "3.1.UMAR"),
        ("sur la proposition: umar, 1", "3.1.UMAR"),
        ("On the proposal: UMAR, economic vote.", "3.3.UMAR"),
    ],
)
def test_the_line_is_taken_off_and_counts(game: Game, line: str, about: str) -> None:
    assert wrote(game, f"\n{line}\n\n{TEXT}\n").outcome == MailOutcome.SENT
    letter = Message.objects.get()
    assert (letter.proposal_key, letter.text) == (about, TEXT)


@pytest.mark.parametrize(
    "line",
    [
        "Sur la proposition : UMAR",  # two of them
        "Sur la proposition : INDE, vote politique",
        "Sur la proposition : UMAR, vote du conseil",
    ],
)
def test_one_that_is_not_there_is_refused(game: Game, line: str) -> None:
    result = wrote(game, f"{line}\n{TEXT}")
    assert result.outcome == MailOutcome.REFUSED
    assert "Cette proposition n’existe pas, ou les voix en sont déjà" in said(result)
    assert not Message.objects.exists()


@pytest.mark.parametrize(
    ("text", "to"),
    [
        (f"Sur la proposition je me tais. {TEXT}", "*"),
        (f"{TEXT}\nSur la proposition : UMAR, 1", "*"),
        (f"Sur la proposition : UMAR, 1\n{TEXT}", "RUSS"),
    ],
)
def test_what_is_no_such_line_is_a_letter_like_any(game: Game, text: str, to: str) -> None:
    assert wrote(game, text, to).outcome == MailOutcome.SENT
    letter = Message.objects.get()
    assert (letter.proposal_key, letter.text) == ("", text)


def test_nothing_behind_the_line(game: Game) -> None:
    assert wrote(game, "Sur la proposition : UMAR, 1\n \n").outcome == MailOutcome.EMPTY


def test_the_mail_to_others_names_the_proposal(game: Game) -> None:
    wrote(game, f"Sur la proposition : UMAR, 1\n{TEXT}")
    subscribing.subscribe(game, person(player("RUSS")))
    reader = MailSubscription.objects.get(game=game, person=person(player("RUSS")), ended_at=None)
    message_relay.queue_message(Message.objects.get(), reader)
    text = OutboundEmail.objects.get(kind=message_relay.LETTER).text.replace("\u00a0", " ")
    told = " ".join(text.split())
    assert f"Sur la proposition : Union du Maghreb arabe, vote politique {TEXT}" in told
