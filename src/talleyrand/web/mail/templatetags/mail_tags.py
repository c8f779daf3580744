"""`{% load mail_tags %}{% late_by_mail sight %}`: mails with orders that may be let in."""

from __future__ import annotations

from django import template
from django.conf import settings

from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.mailed_orders import late_orders

register = template.Library()


@register.simple_tag
def late_by_mail(sight: GameViewer) -> int:
    """For game masters alone; to all others there is none."""
    if not (settings.HAS_PLAY_BY_MAIL and sight.is_game_master):
        return 0
    _last, resolved = late_orders.resolved_late_orders(sight.game)
    return len(late_orders.waiting_late_orders(sight.game)) + len(resolved)
