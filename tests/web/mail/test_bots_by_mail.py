"""A letter to a bot that comes by SMTP, and the bot's answer as it leaves by mail."""

from __future__ import annotations

import pytest
from django.utils import timezone

from talleyrand.web.bots import bot_threads
from talleyrand.web.games.bot_letter_models import BotAgreement
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_processing
from talleyrand.web.mail.models import MailboxPurpose, MailSubscription, OutboundEmail
from talleyrand.web.mail.subscriptions import subscribing, subscription_sweep
from talleyrand.web.press.bot_replies import BOT_LETTER_QUEUE
from tests.web.claims import claiming
from tests.web.games.computing import begun

from .correspondents import address_of, correspond
from .office import submit
from .servers import box, listening

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("by_post")]


def test_a_mail_to_a_bot_is_answered_by_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[bool] = []
    monkeypatch.setattr(bot_threads, "wake_bots_elsewhere", lambda: woken.append(True))
    flora = correspond("Flora")
    game = begun(bots="values:easy")
    subscribing.subscribe(game, flora)
    MailSubscription.objects.update(started_at=game.started_at)
    mailbox = box(game, door=MailboxPurpose.MESSAGE, to="GERMANY")
    mail = f"From: Flora <{address_of('Flora')}>\r\nSubject: Paix\r\n\r\nBonjour, DMZ en Bourgogne ?\r\n"
    with listening() as port:
        assert submit(
            port, mailboxes.mailbox_address(mailbox), mail.encode(), sender=address_of("Flora")
        ).is_taken
    assert inbound_processing.process_due_mail(timezone.now()) == 1
    assert woken, "nobody waits for the clock"
    claimed = claiming.claim(BOT_LETTER_QUEUE)
    assert claimed is not None
    claiming.go_on(claimed)
    assert BotAgreement.objects.get().proposal["province"] == "BUR"
    subscription_sweep.queue_due_mail(timezone.now())
    answer = OutboundEmail.objects.filter(person=flora, text__contains="Bourgogne vide").get()
    assert answer.reply_mailbox is not None
    assert "(bot)" in answer.sender_name
