"""What news of a tournament leave behind: addresses, which go when what is private is forgotten."""

from __future__ import annotations

from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.private_data import PrivateDataSource

from . import notification_mail
from .models import MailUnsubscription, TournamentChat


def count_chats(tournament: Tournament) -> int:
    """How many chats it has."""
    return TournamentChat.objects.filter(tournament=tournament).count()


def forget_mail_and_chat(tournament: Tournament) -> None:
    """The chat, the mails that wait or have left, and who wanted none."""
    TournamentChat.objects.filter(tournament=tournament).delete()
    MailUnsubscription.objects.filter(tournament=tournament).delete()
    notification_mail.forget_mail(tournament)


CHAT_PRIVATE_DATA = PrivateDataSource(count_chats, forget_mail_and_chat)
