"""News by mail for those who gave the tournament an address and have no account.

They are in both languages, with a link that stops them at a touch.
"""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from talleyrand.tournament.board_rules import CLASSIC
from talleyrand.tournament.model import Event
from talleyrand.web.mail import text_layout
from talleyrand.web.mail.models import OutboundEmail
from talleyrand.web.notifications import notification_sentences, outbox
from talleyrand.web.tournaments import tournament_mail
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.tournament_mail import NOTIFICATION_MAIL

from . import pending_notifications
from .models import MailUnsubscription
from .pending_notifications import PendingNotification

LANGUAGES = ("fr", "en")
UNSUBSCRIBE_SALT = "talleyrand.tournaments.quiet"
OVERTAKEN, UNWANTED = "overtaken", "unwanted"


def mail_notification(tournament: Tournament, event: Event, news: PendingNotification) -> bool:
    """Have a mail leave to the address that somebody gave; False where none does, or none more today.

    An earlier one about the same that has not left is worth nothing any more.
    """
    address = (
        event.people[news.person_number].private.mail.lower() if news.person_number in event.people else ""
    )
    if not tournament_mail.can_send_mail() or not tournament_mail.may_write_to(address):
        return False
    same = f"{NOTIFICATION_MAIL}:{tournament.key}:{news.subject}:"
    subject, text = _words(tournament, event, news)
    stop_here = unsubscribe_url(tournament, news.person_number, _first(tournament))
    mail = tournament_mail.TournamentMail(
        NOTIFICATION_MAIL, address, f"{same}{tournament.version}", subject, text, stop_here
    )
    if not tournament_mail.queue_tournament_mail(tournament, mail):
        return False
    waiting = OutboundEmail.objects.filter(
        address=address,
        kind=NOTIFICATION_MAIL,
        idempotency_key__startswith=same,
        sent_at=None,
        drop_reason="",
    )
    waiting.exclude(idempotency_key=mail.idempotency_key).update(drop_reason=OVERTAKEN)
    return True


def _first(tournament: Tournament) -> str:
    """The language of who made the tournament: the other one follows."""
    chosen = tournament.creator.language if tournament.creator else ""
    return chosen if chosen in LANGUAGES else LANGUAGES[0]


def _words(tournament: Tournament, event: Event, news: PendingNotification) -> tuple[str, str]:
    first = _first(tournament)
    both = (first, *(one for one in LANGUAGES if one != first))
    said = [_mail_text(tournament, event, news, language) for language in both]
    return said[0][0], "\n-- \n\n".join(text for _subject, text in said)


def _mail_text(
    tournament: Tournament, event: Event, news: PendingNotification, language: str
) -> tuple[str, str]:
    with translation.override(language):
        facts = {"variant": CLASSIC, **news.facts}
        sentence = notification_sentences.notification_sentence(news.kind, facts)
        way = f"{settings.SITE_URL}{outbox.path_in_language(notification_path(tournament, news), language)}"
        named = tournament_mail.safe_title(event.name)
        greeting = tournament_mail.mail_greeting(event.people[news.person_number].name)
        stop = _("You gave this address to the tournament “%(event)s”. To stop its emails:")
        stop = stop % {"event": named}
        parts = [
            text_layout.prose(greeting),
            text_layout.prose(sentence),
            text_layout.unbroken(way),
            [
                *text_layout.prose(stop),
                *text_layout.unbroken(unsubscribe_url(tournament, news.person_number, language)),
            ],
        ]
        subject = _("Tournament “%(event)s”: %(sentence)s") % {"event": named, "sentence": sentence}
        return subject, text_layout.join_parts(parts)


def notification_path(tournament: Tournament, news: PendingNotification) -> str:
    """The page that news lead to: one's own, or everybody's."""
    page = "tournaments:prizes" if news.topic == pending_notifications.PRIZES else "tournaments:mine"
    return reverse(page, args=[tournament.key])


def unsubscribe_url(tournament: Tournament, number: int, language: str) -> str:
    """Where somebody says that he wants no more mails: nobody can write another's."""
    sign = signing.Signer(salt=f"{UNSUBSCRIBE_SALT}:{tournament.key}").sign(str(number))
    path = reverse("tournaments:quiet", args=[tournament.key, sign])
    return f"{settings.SITE_URL}{outbox.path_in_language(path, language)}"


def person_of_signature(tournament: Tournament, sign: str) -> int:
    """Whose link it is; 0 for one that we have not written."""
    try:
        return int(signing.Signer(salt=f"{UNSUBSCRIBE_SALT}:{tournament.key}").unsign(sign))
    except (signing.BadSignature, ValueError):
        return 0


def unsubscribe_person(tournament: Tournament, number: int) -> None:
    """No mail of this tournament leaves to somebody any more; what waits stays here. Twice is no fault."""
    MailUnsubscription.objects.get_or_create(tournament=tournament, person_number=number)
    mine = f"{NOTIFICATION_MAIL}:{tournament.key}:"
    waiting = OutboundEmail.objects.filter(
        kind=NOTIFICATION_MAIL, idempotency_key__startswith=mine, sent_at=None, drop_reason=""
    )
    waiting.filter(unsubscribe_url=unsubscribe_url(tournament, number, _first(tournament))).update(
        drop_reason=UNWANTED
    )


def resubscribe_person(tournament: Tournament, number: int) -> None:
    """He wants them again."""
    MailUnsubscription.objects.filter(tournament=tournament, person_number=number).delete()


def forget_mail(tournament: Tournament) -> None:
    """The addresses that mails of a tournament have gone to, or wait to go to."""
    links = [
        f"{tournament_mail.LINK_MAIL}:{key}" for key in tournament.passes.values_list("token", flat=True)
    ]
    news = OutboundEmail.objects.filter(
        person=None,
        kind=NOTIFICATION_MAIL,
        idempotency_key__startswith=f"{NOTIFICATION_MAIL}:{tournament.key}:",
    )
    news.delete()
    OutboundEmail.objects.filter(
        person=None, kind=tournament_mail.LINK_MAIL, idempotency_key__in=links
    ).delete()
