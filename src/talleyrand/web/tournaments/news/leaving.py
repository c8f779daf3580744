"""What news of a tournament leave behind: addresses, which go when what is private is forgotten."""

from __future__ import annotations

from talleyrand.web.tournaments.forgetting import Elsewhere
from talleyrand.web.tournaments.models import Tournament

from . import mailing
from .models import Chat, Quiet


def held(tournament: Tournament) -> int:
    """How many chats it has."""
    return Chat.objects.filter(tournament=tournament).count()


def forget(tournament: Tournament) -> None:
    """The chat, the mails that wait or have left, and who wanted none."""
    Chat.objects.filter(tournament=tournament).delete()
    Quiet.objects.filter(tournament=tournament).delete()
    mailing.forget(tournament)


ELSEWHERE = Elsewhere(held, forget)
