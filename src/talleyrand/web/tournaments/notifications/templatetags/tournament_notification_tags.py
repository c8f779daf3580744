"""What pages of a tournament show of its news."""

from __future__ import annotations

from typing import Any

from django import template

from talleyrand.web.tournaments.notifications import chat_settings, notification_settings_texts
from talleyrand.web.tournaments.notifications.models import MailUnsubscription
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

register = template.Library()


@register.inclusion_tag("tournaments/notifications/mails.html", takes_context=True)
def mails(context: dict[str, Any]) -> dict[str, Any]:
    """Whether mails come to the address one gave, and the way to have it otherwise."""
    sight: TournamentViewer = context["sight"]
    quiet = MailUnsubscription.objects.filter(
        tournament=sight.tournament, person_number=sight.person_number
    ).exists()
    shown = ("me", "tournament", "csrf_token")
    return {**{name: context.get(name) for name in shown}, "quiet": quiet}


@register.inclusion_tag("tournaments/notifications/trouble.html", takes_context=True)
def chat_trouble(context: dict[str, Any]) -> dict[str, Any]:
    """Why the chat is not reached, for the director alone."""
    sight: TournamentViewer = context["sight"]
    chat = chat_settings.chat_of(sight.tournament) if sight.is_director else None
    return {
        "tournament": sight.tournament,
        "trouble": notification_settings_texts.chat_error_text(chat) if chat else "",
    }
