"""`{% load mail_tags %}`: `{% late_by_mail sight %}`, how many mails with orders may be let in;
`{% with_contacts sight rows as rows %}`, the rows of the desk, each with its `contact` in sentences."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings

from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.mailed_orders import late_orders
from talleyrand.web.mail.player_contacts import PlayerContact, player_contacts

register = template.Library()


@register.simple_tag
def late_by_mail(sight: GameViewer) -> int:
    """For game masters alone; to all others there is none."""
    if not (settings.HAS_PLAY_BY_MAIL and sight.is_game_master):
        return 0
    return len(late_orders.late_orders_to_accept(sight.game))


@register.simple_tag
def with_contacts(sight: GameViewer, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For game masters alone; to all others the rows are as they were."""
    if not sight.is_game_master or not rows:
        return rows
    known = player_contacts(sight.game)
    return [_with_contact(row, known[row["code"]]) for row in rows]


def _with_contact(row: dict[str, Any], contact: PlayerContact) -> dict[str, Any]:
    """The phases missed last are not told beside the same number in the whole game."""
    missed = row["missed"] if row["missed"] != contact.missed_phases else 0
    return {**row, "missed": missed, "contact": list(contact.sentences(is_played=bool(row["players"])))}
