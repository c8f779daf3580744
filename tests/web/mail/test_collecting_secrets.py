"""No mail tells anybody what the game does not show him: every role, a game full of secrets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import Mailbox, MailboxPurpose, MailSubscription, OutboundEmail
from talleyrand.web.mail.subscriptions import subscribing
from tests.web import cast
from tests.web.mail.collected import sweep
from tests.web.mail.correspondents import address_of, correspond
from tests.web.visibility import scene
from tests.web.visibility.scene import AT, MARKS, NAMES, WHO

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
# What each may find in his mails; whoever is not named, the letter to everybody and the gazette alone.
OPEN = {"public_letter", "gazette"}
MAY_FIND = {
    "master": OPEN | {"letter_master", "held_letter"},
    "assistant": {"gazette"},
    "france": OPEN | {"returned_letter"},
    "germany": {"gazette", "letter"},  # the public letter is his own
    "russia": OPEN,
    "stand_in": OPEN,
    "stood_in": {"gazette"},  # his stand-in reads the letters
    "replaced": {"gazette"},  # with the report of a phase that he played
    "observer": OPEN,
}
ROLES = sorted(MAY_FIND)


def mailed(moment: str) -> dict[str, str]:
    """All that each is sent of the scene at a moment, in which everybody has always corresponded."""
    made: scene.Scene = AT[moment]()
    long_ago = timezone.now() - timedelta(days=9)
    for who in ROLES:
        one = subscribing.subscribe(made.game, correspond(WHO[who]))
        MailSubscription.objects.filter(pk=one.pk).update(started_at=long_ago)
    queued = sweep()
    return {who: "\n".join(map(_whole, (one for one in queued if _is_for(one, who)))) for who in ROLES}


def _is_for(mail: OutboundEmail, who: str) -> bool:
    return mail.person is not None and mail.person.name == WHO[who]


def _whole(mail: OutboundEmail) -> str:
    return f"{mail.subject}\n{mail.sender_name}\n{mail.text}"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("moment", ["gathering", "open", "paused", "ended", "abandoned"])
def test_nobody_finds_a_secret_in_his_mails(moment: str) -> None:
    for who, text in mailed(moment).items():
        found = {mark for mark, word in MARKS.items() if word in text}
        assert found <= MAY_FIND[who], (moment, who)


@pytest.mark.long
def test_everybody_finds_what_is_for_him() -> None:
    for who, text in mailed("open").items():
        found = {mark for mark, word in MARKS.items() if word in text}
        assert found == MAY_FIND[who], who


@pytest.mark.one_in(2)
@pytest.mark.parametrize("moment", ["gathering", "open", "paused", "ended"])
def test_no_mail_names_a_person_while_that_is_secret(moment: str) -> None:
    for who, text in mailed(moment).items():
        mine = {WHO[who]}
        others = {*NAMES, cast.MASTER, cast.ASSISTANT, cast.OBSERVER} - mine
        known = set(NAMES) if moment == "ended" else set()  # who played what is told at the end
        assert {name for name in others if name in text} <= known, (moment, who)
        assert [name for name in others if address_of(name) in text] == []


@pytest.mark.long
def test_addresses_are_for_their_owner_alone() -> None:
    for who, text in mailed("open").items():
        person = cast.person(WHO[who])
        for box in Mailbox.objects.exclude(person=person):
            assert mailboxes.mailbox_address(box) not in text, (who, box)
        rights = {
            mail.reply_mailbox.person
            for mail in person.departures.exclude(reply_mailbox=None)
            if mail.reply_mailbox
        }
        assert rights <= {person}


@pytest.mark.long
def test_what_is_for_who_plays_a_power_says_so() -> None:
    """A mail that waits is dropped when the power has changed hands."""
    mailed("open")
    welcomes = OutboundEmail.objects.filter(kind="welcome")
    assert dict(welcomes.values_list("person__name", "power")) == {
        "Flora": "FRANCE",
        "Gaspard": "GERMANY",
        "Renaud": "RUSSIA",
        "Sacha": "TURKEY",
        cast.MASTER: "@",
        cast.ASSISTANT: "",
        cast.OBSERVER: "",
    }


@pytest.mark.long
def test_nobody_without_a_role_has_an_order_address() -> None:
    mailed("open")
    owners = Mailbox.objects.filter(purpose=MailboxPurpose.ORDERS).values_list("person__name", flat=True)
    assert set(owners) == {"Flora", "Gaspard", "Renaud", "Sacha"}
