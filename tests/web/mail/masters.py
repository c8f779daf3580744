"""A game master who runs his game from his mail program."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

from django.utils import timezone

from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes, parsing
from talleyrand.web.mail.gm import gm_commands, gm_mail
from talleyrand.web.mail.gm.gm_commands import GmCommand
from talleyrand.web.mail.inbound import inbound_processing, inbound_storage
from talleyrand.web.mail.mail_outcomes import ProcessingResult
from talleyrand.web.mail.models import InboundDelivery, Mailbox, MailboxPurpose, OutboundEmail
from talleyrand.web.mail.outbound.email_queue import reader_locale
from talleyrand.web.press.models import Message
from tests.web.built_once import built_once
from tests.web.cast import MASTER, PLAYERS, person, table
from tests.web.mail.correspondents import DOMAIN, address_of, correspond
from tests.web.press import post

POWERS = {name.casefold(): name for name in PLAYERS} | {"autriche": "AUSTRIA"}
LEFT, SINCE = timedelta(hours=48), timedelta(hours=24)


@built_once
def led(**terms: Any) -> Game:
    """A game by post, since yesterday in its first phase, which is due in two days."""
    game = table(
        **{"by_post": True, "press": PressSetting.HELD, "rhythm": {"hours": 72, "early": False}, **terms}
    )
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(
        deadline=now + LEFT, phase_opened_at=now - SINCE, next_check_at=now + LEFT
    )
    correspond(MASTER)
    return Game.objects.get(pk=game.pk)


def desk_of(game: Game, name: str = MASTER) -> Mailbox:
    return mailboxes.get_mailbox(MailboxPurpose.DESK, game, person(name), "@")


def raw(text: str, subject: str = "Re: La table ronde", key: str = "", sender: str = "") -> bytes:
    """A mail as a program writes it; `key` makes it the same mail when it comes again."""
    mail = EmailMessage()
    mail["From"] = f"Maëlle <{sender or address_of(MASTER)}>"
    mail["To"] = f"arbitre@{DOMAIN}"
    mail["Subject"] = subject
    mail["Message-ID"] = f"<{key or timezone.now().timestamp()}@exemple.fr>"
    mail.set_content(text)
    return mail.as_bytes()


def arrived(
    game: Game, text: str | bytes, *, received: datetime | None = None, name: str = MASTER, **more: str
) -> InboundDelivery:
    """A mail to the desk as it is kept, not read yet."""
    data = text if isinstance(text, bytes) else raw(text, **more)
    message = inbound_storage.store_email(
        data, [desk_of(game, name)], "maelle@exemple.fr", received or timezone.now()
    )
    return message.arrivals.select_related("mailbox__game", "mailbox__person", "email").get()


def taken(arrival: InboundDelivery) -> ProcessingResult:
    """What the desk makes of it, before anything of that is written."""
    assert arrival.mailbox.person is not None
    with reader_locale(arrival.mailbox.person):
        return safe(gm_mail.process_gm_mail(arrival, parsing.parse_email(bytes(arrival.email.raw_bytes))))


def safe(result: ProcessingResult) -> ProcessingResult:
    """An answer that comes back uncut and unmarked asks for nothing."""
    assert result.answer is not None
    found = gm_commands.parse_commands(result.answer.text, POWERS)
    assert not [one for one in found if isinstance(one, GmCommand)], result.answer.text
    return result


def directed(game: Game, text: str | bytes, **more: Any) -> ProcessingResult:
    return taken(arrived(game, text, **more))


def answered(game: Game, text: str | bytes, **more: Any) -> tuple[InboundDelivery, OutboundEmail]:
    """The whole way: kept, sorted, answered."""
    arrival = arrived(game, text, **more)
    assert inbound_processing.process_due_mail(timezone.now()) == 1
    arrival.refresh_from_db()
    return arrival, OutboundEmail.objects.filter(person=arrival.mailbox.person, kind="answer").latest("pk")


def said(result: ProcessingResult) -> str:
    """The answer on one line, blanks plain."""
    assert result.answer is not None
    return " ".join(result.answer.text.split())


def hold(game: Game, text: str = "Une lettre", writer: str = "Flora", to: str = "ENGLAND") -> Message:
    """A letter between powers, which waits for the game master."""
    assert post.send(game, writer, to, text).status_code in (200, 302)
    return Message.objects.filter(conversation__game=game).latest("pk")
