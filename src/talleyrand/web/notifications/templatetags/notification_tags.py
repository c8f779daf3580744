"""Tags for the head of every page: how many news wait, and the script that hears of them."""

from __future__ import annotations

from typing import Any, TypeGuard

from django import template

from talleyrand.web.accounts.models import Person
from talleyrand.web.notifications import outbox, signed_topics, topic_versions

register = template.Library()


@register.simple_tag
def notification_count(user: Any) -> int:
    """How many news somebody has not read; 0 for a visitor without account."""
    return outbox.unread_count(user) if _has_account(user) else 0


def _has_account(user: Any) -> TypeGuard[Person]:
    """Neither a visitor nor a guest at a table, who is told everything there."""
    return isinstance(user, Person) and not user.is_guest


@register.inclusion_tag("notifications/link.html")
def notification_link(user: Any) -> dict[str, Any]:
    """The way to one's news with their number, for the head of a page; nothing for a visitor."""
    return {"person": _has_account(user), "count": notification_count(user)}


@register.inclusion_tag("notifications/script.html", takes_context=True)
def notification_script(context: template.Context) -> dict[str, Any]:
    """What a page needs to hear of changes: one's own news, and `topics` of the context (signed words)."""
    request = context.get("request")
    user = getattr(request, "user", None)
    own = ""
    if request is not None and user is not None and _has_account(user):
        own = signed_topics.sign_topics(
            [topic_versions.person_topic(user.pk)], request.session.session_key or ""
        )
    return {"words": [one for one in (own, context.get("topics")) if one]}
