"""`{% load late_orders %}{% late_by_mail sight %}`: mails with orders that may be let in."""

from __future__ import annotations

from django import template
from django.conf import settings

from talleyrand.web.games.sight import Sight
from talleyrand.web.mail.orders import granting

register = template.Library()


@register.simple_tag
def late_by_mail(sight: Sight) -> int:
    """For game masters alone; to all others there is none."""
    return len(granting.late(sight.game)) if settings.HAS_POST and sight.is_master else 0
