"""What pages of a tournament show of its news."""

from __future__ import annotations

from typing import Any

from django import template

from talleyrand.web.tournaments.news import keeping, words
from talleyrand.web.tournaments.news.models import Quiet
from talleyrand.web.tournaments.sight import Sight

register = template.Library()


@register.inclusion_tag("tournaments/news/mails.html", takes_context=True)
def mails(context: dict[str, Any]) -> dict[str, Any]:
    """Whether mails come to the address one gave, and the way to have it otherwise."""
    sight: Sight = context["sight"]
    quiet = Quiet.objects.filter(tournament=sight.tournament, number=sight.number).exists()
    shown = ("me", "tournament", "csrf_token")
    return {**{name: context.get(name) for name in shown}, "quiet": quiet}


@register.inclusion_tag("tournaments/news/trouble.html", takes_context=True)
def chat_trouble(context: dict[str, Any]) -> dict[str, Any]:
    """Why the chat is not reached, for the director alone."""
    sight: Sight = context["sight"]
    chat = keeping.of(sight.tournament) if sight.directs else None
    return {"tournament": sight.tournament, "trouble": words.trouble(chat) if chat else ""}
