"""Orders on an address that somebody else has: its player is told from where they came, and gets another."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mailboxes import NoMailbox
from talleyrand.web.mail.models import InboundDelivery, Mailbox, MailboxPurpose, OutboundEmail
from tests.web.cast import table
from tests.web.games.acting import fresh
from tests.web.games.phases import SLOW
from tests.web.mail.collected import flowing
from tests.web.mail.correspondents import address_of, correspond
from tests.web.mail.masters import arrived, led, taken
from tests.web.mail.orders import arrival, box, sent, take

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

STRANGER_ADDRESS = "inconnu@ailleurs.fr"
NAMELESS = "Ce courriel ne venait pas d’une de vos adresses ici. Si vous ne l’avez pas écrit, répondez"


def orders_box(game: Game) -> Mailbox:
    return mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, correspond("Flora"), "FRANCE")


def came(to: Mailbox, text: str, sender: str) -> tuple[InboundDelivery, OutboundEmail]:
    """A mail from somewhere, sorted, and the answer, which goes to the player alone."""
    raw = f"From: X <{sender}>\r\nMessage-ID: <{timezone.now().timestamp()}@x>\r\n\r\n{text}\r\n"
    kept = inbound_storage.store_email(raw.encode(), [to], sender, timezone.now())
    inbound_processing.process_due_mail(timezone.now())
    found = kept.arrivals.get()
    return found, OutboundEmail.objects.filter(kind="answer", person=to.person).latest("pk")


def game(anonymity: Anonymity = Anonymity.OPEN) -> Game:
    made = table(rhythm=SLOW, anonymity=anonymity)
    now = timezone.now()
    Game.objects.filter(pk=made.pk).update(
        phase_opened_at=now - timedelta(hours=1), deadline=now + timedelta(9)
    )
    return fresh(made)


@pytest.mark.parametrize("text", ["A PAR - BUR", "Bonjour", "vote oui"])
def test_the_answer_names_it(text: str) -> None:
    """Whatever came of the mail; from an address that the player has, in any case, nothing is said."""
    one = game()
    _row, answer = came(orders_box(one), text, STRANGER_ADDRESS)
    told = flowing(answer.text)
    assert told.startswith(
        f"Ce courriel venait de {STRANGER_ADDRESS}, qui n’est pas une de vos adresses ici."
    )
    assert "répondez « nouvelle adresse »".replace(" ", "") in told.replace("\u00a0", "").replace(" ", "")
    _row, answer = came(orders_box(one), text + " ", address_of("Flora").upper())
    assert "venait de" not in answer.text


def test_each_address_is_told_of_once_a_game() -> None:
    """Who always writes from elsewhere is not told each time; anybody else's address is still told of."""
    one, other = game(), game()
    orders, told = orders_box(one), "qui n’est pas une de vos adresses ici"
    assert told in flowing(came(orders, "A PAR - BUR", STRANGER_ADDRESS)[1].text)
    row, answer = came(orders, "A PAR - PIC", STRANGER_ADDRESS.upper())
    assert (row.outcome, told in flowing(answer.text)) == ("taken", False)
    assert told in flowing(came(orders, "A PAR - GAS", "autre@ailleurs.fr")[1].text)
    assert told not in flowing(came(orders, "A PAR H", STRANGER_ADDRESS)[1].text)
    assert told in flowing(came(orders_box(other), "A PAR - BUR", STRANGER_ADDRESS)[1].text)


def test_nobody_learns_who_another_player_is() -> None:
    """In an anonymous game no address is named, so that naming one or not does not tell who plays either."""
    one = game(Anonymity.UNTIL_END)
    correspond("Edmond")
    told = [
        flowing(came(orders_box(one), f"A PAR - BUR{' ' * number}", sender)[1].text).partition("Ordres")[0]
        for number, sender in enumerate((address_of("Edmond"), STRANGER_ADDRESS))
    ]
    assert told[0] == told[1]
    assert told[0].startswith(NAMELESS)


def test_only_a_plain_address_is_named() -> None:
    """No words of whoever wrote, no letters that look like others, no address of ours."""
    one = game()
    other = mailboxes.mailbox_address(
        mailboxes.get_mailbox(MailboxPurpose.ORDERS, one, correspond("Edmond"), "ENGLAND")
    )
    odd = ('"go to http://evil.example now"@x.fr', "http://evil.example/x@y.fr", "pàypal@exemple.fr", other)
    for number, sender in enumerate(odd):
        _row, answer = came(orders_box(one), f"A PAR - BUR{' ' * number}", sender)
        told = flowing(answer.text)
        assert told.startswith(NAMELESS), sender
        assert "evil" not in told
        assert other not in told


def test_a_mail_from_nowhere_names_nothing() -> None:
    _row, answer = came(orders_box(game()), "A PAR - BUR", "")
    assert flowing(answer.text).startswith(NAMELESS)


def test_another_address_for_orders() -> None:
    """The new one comes to the player alone, who goes on with it; the old one opens nothing."""
    one = game()
    old = orders_box(one)
    came(old, "A PAR - BUR", STRANGER_ADDRESS)
    _row, answer = came(old, "Nouvelle adresse\n", address_of("Flora"))
    new = orders_box(one)
    assert new.pk != old.pk
    assert flowing(answer.subject).endswith("France : votre nouvelle adresse d’ordres")
    assert mailboxes.mailbox_address(new) in answer.text
    assert answer.reply_mailbox == new
    assert (answer.person, answer.address) == (correspond("Flora"), "")
    with pytest.raises(NoMailbox):
        mailboxes.find_mailbox(mailboxes.mailbox_address(old))
    row, _answer = came(Mailbox.objects.get(pk=old.pk), "A PAR - PIC", STRANGER_ADDRESS)
    assert row.outcome == "revoked"
    row, _answer = came(new, "A PAR - GAS", address_of("Flora"))
    assert row.outcome == "taken"


def test_the_same_mail_renews_once() -> None:
    one = game()
    row = arrival(one)
    texts = [sent_again(row) for _time in range(2)]
    assert texts[0] == texts[1]
    assert Mailbox.objects.filter(game=one, purpose=MailboxPurpose.ORDERS).count() == 2


def sent_again(row: InboundDelivery) -> str:
    result = take(row, "new address")
    assert result.answer is not None
    return result.answer.text


def test_beside_orders() -> None:
    one = game()
    result = sent(one, "A PAR - BUR\nnouvelle adresse")
    assert result.outcome == "taken"
    assert result.answer is not None
    assert mailboxes.mailbox_address(box(one)) in result.answer.text


@pytest.mark.parametrize("site", ["", "https://exemple.org"])
def test_commands_on_a_leaked_address_of_the_desk(settings: Any, site: str) -> None:
    """The game master reads from where they came, and how to get another address."""
    settings.SITE_URL = site
    one = led()
    told = flowing(answered(one, "état", sender=STRANGER_ADDRESS))
    assert told.startswith(
        f"Ce courriel venait de {STRANGER_ADDRESS}, qui n’est pas une de vos adresses ici. Si vous ne l’avez "
        "pas écrit, changez l’adresse de votre bureau"
    )
    assert (f"{site}/parties/{one.key}/courriel/" in told) is bool(site)
    assert "venait de" not in answered(one, "état")


def answered(one: Game, text: str, **more: Any) -> str:
    result = taken(arrived(one, text, **more))
    assert result.answer is not None
    return result.answer.text
