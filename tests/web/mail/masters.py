"""A game master who runs his game from his mail program."""

from __future__ import annotations

from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

from django.utils import timezone

from talleyrand.web.games.models import Game
from talleyrand.web.games.terms import Press
from talleyrand.web.mail import addressing, reading
from talleyrand.web.mail.desk import commands, directing
from talleyrand.web.mail.desk.commands import Command
from talleyrand.web.mail.incoming import arriving, sorting
from talleyrand.web.mail.models import Arrival, Departure, Door, Mailbox
from talleyrand.web.mail.outcomes import Result
from talleyrand.web.mail.outgoing.departing import speaking
from talleyrand.web.press.models import Letter
from tests.web.cast import MASTER, PLAYERS, person, table
from tests.web.mail.correspondents import DOMAIN, correspond
from tests.web.press import post

POWERS = {name.casefold(): name for name in PLAYERS} | {"autriche": "AUSTRIA"}
LEFT, SINCE = timedelta(hours=48), timedelta(hours=24)


def led(**terms: Any) -> Game:
    """A game by post, since yesterday in its first phase, which is due in two days."""
    game = table(**{"by_post": True, "press": Press.HELD, "rhythm": {"hours": 72, "early": False}, **terms})
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(due=now + LEFT, opened=now - SINCE, sweep=now + LEFT)
    correspond(MASTER)
    return Game.objects.get(pk=game.pk)


def desk_of(game: Game, name: str = MASTER) -> Mailbox:
    return addressing.mailbox(Door.DESK, game, person(name), "@")


def raw(text: str, subject: str = "Re: La table ronde", key: str = "") -> bytes:
    """A mail as a program writes it; `key` makes it the same mail when it comes again."""
    mail = EmailMessage()
    mail["From"] = "Maëlle <maelle@exemple.fr>"
    mail["To"] = f"arbitre@{DOMAIN}"
    mail["Subject"] = subject
    mail["Message-ID"] = f"<{key or timezone.now().timestamp()}@exemple.fr>"
    mail.set_content(text)
    return mail.as_bytes()


def arrived(
    game: Game, text: str | bytes, *, received: datetime | None = None, name: str = MASTER, **more: str
) -> Arrival:
    """A mail to the desk as it is kept, not read yet."""
    data = text if isinstance(text, bytes) else raw(text, **more)
    message = arriving.keep(data, [desk_of(game, name)], "maelle@exemple.fr", received or timezone.now())
    return message.arrivals.select_related("mailbox__game", "mailbox__person", "message").get()


def taken(arrival: Arrival) -> Result:
    """What the desk makes of it, before anything of that is written."""
    assert arrival.mailbox.person is not None
    with speaking(arrival.mailbox.person):
        return safe(directing.take(arrival, reading.read(bytes(arrival.message.data))))


def safe(result: Result) -> Result:
    """An answer that comes back uncut and unmarked asks for nothing."""
    assert result.answer is not None
    found = commands.read(result.answer.text, POWERS)
    assert not [one for one in found if isinstance(one, Command)], result.answer.text
    return result


def directed(game: Game, text: str | bytes, **more: Any) -> Result:
    return taken(arrived(game, text, **more))


def answered(game: Game, text: str | bytes, **more: Any) -> tuple[Arrival, Departure]:
    """The whole way: kept, sorted, answered."""
    arrival = arrived(game, text, **more)
    assert sorting.sort_due(timezone.now()) == 1
    arrival.refresh_from_db()
    return arrival, Departure.objects.filter(person=arrival.mailbox.person, kind="answer").latest("pk")


def said(result: Result) -> str:
    """The answer on one line, blanks plain."""
    assert result.answer is not None
    return " ".join(result.answer.text.split())


def hold(game: Game, text: str = "Une lettre", writer: str = "Flora", to: str = "ENGLAND") -> Letter:
    """A letter between powers, which waits for the game master."""
    assert post.send(game, writer, to, text).status_code in (200, 302)
    return Letter.objects.filter(room__game=game).latest("pk")
