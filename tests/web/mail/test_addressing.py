"""Our addresses: one right each, known again in any case, and by nobody’s guess."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st

from talleyrand.web.accounts.models import Person
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import Mailbox, MailboxPurpose
from tests.web.cast import person, table

pytestmark = pytest.mark.django_db
DOMAIN = "jeu.example.org"


@pytest.fixture(autouse=True)
def _by_post() -> Iterator[None]:
    with override_settings(GAME_MAIL_DOMAIN=DOMAIN, GAME_MAIL_BASE=""):
        yield


def orders() -> Mailbox:
    return mailboxes.get_mailbox(MailboxPurpose.ORDERS, table(), person("Flora"), "FRANCE")


def unknown(written: str) -> str:
    with pytest.raises(mailboxes.NoMailbox) as refusal:
        mailboxes.find_mailbox(written)
    return refusal.value.code


def test_known_again() -> None:
    box = orders()
    written = mailboxes.mailbox_address(box)
    assert written.startswith("ordres-")
    assert mailboxes.find_mailbox(written) == box


def test_no_case_and_a_name_around() -> None:
    box = orders()
    written = mailboxes.mailbox_address(box)
    assert mailboxes.find_mailbox(written.upper()) == box
    assert mailboxes.find_mailbox(f'"Les ordres" <{written.title()}>') == box


def test_short_enough_for_every_server() -> None:
    with override_settings(GAME_MAIL_BASE="x" * 20):
        assert len(mailboxes.local_part(orders())) <= 64


def test_one_right_has_one_address() -> None:
    box = orders()
    assert box.game is not None
    assert mailboxes.get_mailbox(MailboxPurpose.ORDERS, box.game, person("Flora"), "FRANCE") == box
    assert mailboxes.get_mailbox(MailboxPurpose.ORDERS, box.game, person("Edmond"), "FRANCE") != box


def test_renewed() -> None:
    old = orders()
    new = mailboxes.renew_mailbox(old)
    assert mailboxes.find_mailbox(mailboxes.mailbox_address(new)) == new
    assert unknown(mailboxes.mailbox_address(old)) == "revoked"
    assert mailboxes.is_our_address(mailboxes.mailbox_address(old))


def test_a_closed_account_is_written_to_in_vain() -> None:
    box = orders()
    assert box.person is not None
    Person.objects.filter(pk=box.person.pk).update(is_active=False)
    assert unknown(mailboxes.mailbox_address(box)) == "revoked"


def test_another_door_is_another_signature() -> None:
    written = mailboxes.mailbox_address(orders())
    assert unknown(written.replace("ordres-", "arbitre-")) == "unknown"


def test_behind_a_plus() -> None:
    box = orders()
    plain = mailboxes.mailbox_address(box)
    with override_settings(GAME_MAIL_BASE="club"):
        written = mailboxes.mailbox_address(box)
        assert written.startswith("club+ordres-")
        assert mailboxes.find_mailbox(written) == box
        assert unknown(plain) == "unknown"


@pytest.mark.parametrize(
    "written", ["", "@", "ordres-@jeu.example.org", "ordres-" + "a" * 32, "\x00", "a" * 9999]
)
def test_none_of_ours(written: str) -> None:
    assert unknown(written) == "unknown"


def test_two_addresses_tell_nothing_of_those_between() -> None:
    """Whoever has two must not learn how many others were made in between, nor which came first."""
    game, flora = table(), person("Flora")
    boxes = [
        Mailbox.objects.create(purpose=MailboxPurpose.MESSAGE, game=game, person=flora, target=str(n))
        for n in range(60)
    ]
    codes = [mailboxes.local_part(box).partition("-")[2] for box in boxes]
    numbers = [int.from_bytes(base64.b32decode(code.upper())[:5], "big") for code in codes]
    near = [1 for one, other in pairwise(numbers) if abs(other - one) < 2**30]
    rising = [1 for one, other in pairwise(numbers) if one < other]
    assert len(near) < 3
    assert 10 < len(rising) < 50
    assert [mailboxes.find_mailbox(mailboxes.mailbox_address(box)) for box in boxes] == boxes


def test_an_address_of_before_a_restore_opens_nobody_elses_row() -> None:
    """Numbers are given again to what is made after an older copy was put back."""
    old = orders()
    Mailbox.objects.filter(pk=old.pk).update(created_at=old.created_at - timedelta(days=1))
    written = mailboxes.mailbox_address(Mailbox.objects.get(pk=old.pk))
    assert mailboxes.find_mailbox(written) == old
    Mailbox.objects.filter(pk=old.pk).delete()
    edmond = Mailbox.objects.create(
        pk=old.pk, purpose=MailboxPurpose.ORDERS, game=old.game, person=person("Edmond"), power="ENGLAND"
    )
    assert unknown(written) == "unknown"
    assert not mailboxes.is_our_address(written)
    assert mailboxes.find_mailbox(mailboxes.mailbox_address(edmond)) == edmond


def test_one_letter_changed_is_none_of_ours() -> None:
    written = mailboxes.mailbox_address(orders())
    for place in range(len("ordres-"), written.index("@")):
        for letter in "a7":
            other = written[:place] + letter + written[place + 1 :]
            if other != written:
                assert unknown(other) == "unknown"


@given(st.text())
def test_any_text_is_an_answer(written: str) -> None:
    assert mailboxes.is_our_address(written) is False


def test_elsewhere(settings: Any) -> None:
    written = mailboxes.mailbox_address(orders())
    settings.GAME_MAIL_DOMAIN = "other.example.org"
    assert unknown(written) == "unknown"
