"""News by mail for those who gave the tournament an address and have no account.

They are in both languages, with a link that stops them at a touch.
"""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from talleyrand.tournament.boards import CLASSIC
from talleyrand.tournament.model import Event
from talleyrand.web.mail import layout
from talleyrand.web.mail.models import Departure
from talleyrand.web.notices import outbox, wording
from talleyrand.web.tournaments import mails
from talleyrand.web.tournaments.mails import NEWS
from talleyrand.web.tournaments.models import Tournament

from . import concerning
from .concerning import News
from .models import Quiet

LANGUAGES = ("fr", "en")
SALT = "talleyrand.tournaments.quiet"
OVERTAKEN, UNWANTED = "overtaken", "unwanted"


def write(tournament: Tournament, event: Event, news: News) -> bool:
    """Have a mail leave to the address that somebody gave; False where none does, or none more today.

    An earlier one about the same that has not left is worth nothing any more.
    """
    address = event.people[news.who].private.mail.lower() if news.who in event.people else ""
    if not mails.leaves() or not mails.may_write(address):
        return False
    same = f"{NEWS}:{tournament.key}:{news.about}:"
    subject, text = _words(tournament, event, news)
    stop_here = stop_link(tournament, news.who, _first(tournament))
    mail = mails.Mail(NEWS, address, f"{same}{tournament.version}", subject, text, stop_here)
    if not mails.send(tournament, mail):
        return False
    waiting = Departure.objects.filter(
        address=address, kind=NEWS, once__startswith=same, sent=None, dropped=""
    )
    waiting.exclude(once=mail.once).update(dropped=OVERTAKEN)
    return True


def _first(tournament: Tournament) -> str:
    """The language of who made the tournament: the other one follows."""
    chosen = tournament.creator.language if tournament.creator else ""
    return chosen if chosen in LANGUAGES else LANGUAGES[0]


def _words(tournament: Tournament, event: Event, news: News) -> tuple[str, str]:
    first = _first(tournament)
    both = (first, *(one for one in LANGUAGES if one != first))
    said = [_said(tournament, event, news, language) for language in both]
    return said[0][0], "\n-- \n\n".join(text for _subject, text in said)


def _said(tournament: Tournament, event: Event, news: News, language: str) -> tuple[str, str]:
    with translation.override(language):
        facts = {"variant": CLASSIC, **news.facts}
        sentence = wording.sentence(news.kind, facts)
        way = f"{settings.ADDRESS}{outbox.spoken(page_of(tournament, news), language)}"
        named = mails.titled(event.name)
        greeting = mails.greeting(event.people[news.who].name)
        stop = _("You gave the tournament “%(event)s” this address. To get no more mails of it:")
        stop = stop % {"event": named}
        parts = [
            layout.prose(greeting),
            layout.prose(sentence),
            layout.whole(way),
            [*layout.prose(stop), *layout.whole(stop_link(tournament, news.who, language))],
        ]
        subject = _("Tournament “%(event)s”: %(sentence)s") % {"event": named, "sentence": sentence}
        return subject, layout.joined(parts)


def page_of(tournament: Tournament, news: News) -> str:
    """The page that news lead to: one's own, or everybody's."""
    page = "tournaments:prizes" if news.topic == concerning.PRIZES else "tournaments:mine"
    return reverse(page, args=[tournament.key])


def stop_link(tournament: Tournament, number: int, language: str) -> str:
    """Where somebody says that he wants no more mails: nobody can write another's."""
    sign = signing.Signer(salt=f"{SALT}:{tournament.key}").sign(str(number))
    path = reverse("tournaments:quiet", args=[tournament.key, sign])
    return f"{settings.ADDRESS}{outbox.spoken(path, language)}"


def signed(tournament: Tournament, sign: str) -> int:
    """Whose link it is; 0 for one that we have not written."""
    try:
        return int(signing.Signer(salt=f"{SALT}:{tournament.key}").unsign(sign))
    except (signing.BadSignature, ValueError):
        return 0


def stop(tournament: Tournament, number: int) -> None:
    """No mail of this tournament leaves to somebody any more; what waits stays here. Twice is no fault."""
    Quiet.objects.get_or_create(tournament=tournament, number=number)
    mine = f"{NEWS}:{tournament.key}:"
    waiting = Departure.objects.filter(kind=NEWS, once__startswith=mine, sent=None, dropped="")
    waiting.filter(unsubscribe=stop_link(tournament, number, _first(tournament))).update(dropped=UNWANTED)


def go_on(tournament: Tournament, number: int) -> None:
    """He wants them again."""
    Quiet.objects.filter(tournament=tournament, number=number).delete()


def forget(tournament: Tournament) -> None:
    """The addresses that mails of a tournament have gone to, or wait to go to."""
    links = [f"{mails.LINK}:{key}" for key in tournament.passes.values_list("key", flat=True)]
    news = Departure.objects.filter(person=None, kind=NEWS, once__startswith=f"{NEWS}:{tournament.key}:")
    news.delete()
    Departure.objects.filter(person=None, kind=mails.LINK, once__in=links).delete()
