"""`{% load letters %}{% unread sight %}`: how many letters wait for the visitor."""

from __future__ import annotations

from django import template

from talleyrand.web.games.sight import Sight
from talleyrand.web.press import marks

register = template.Library()


@register.simple_tag
def unread(sight: Sight) -> int:
    """The number of unread letters to the visitor, and for the game master of those that wait for him."""
    return marks.unread(sight)
