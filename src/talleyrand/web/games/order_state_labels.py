"""Of a sheet: how far a power is with it in the open phase, and how it came, in words."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from .order_submission import DRAFT, NO_ORDERS, READY, SUBMITTED

STATE_SIGNS = {NO_ORDERS: "○", DRAFT: "✎", SUBMITTED: "✓", READY: "✓✓"}


class OrderStateLabel(NamedTuple):
    """A state as a page shows it."""

    code: str
    sign: str
    text: str


def order_state_label(code: str) -> OrderStateLabel:
    """One of `inbox.standing`, in the reader’s language."""
    words = {
        NO_ORDERS: _("no orders"),
        DRAFT: _("draft, not submitted"),
        SUBMITTED: _("submitted"),
        READY: _("ready"),
    }
    return OrderStateLabel(code, STATE_SIGNS[code], words[code])


def origin_label(code: str) -> str:
    """How a sheet came, by its `OrderSet.origin`, in the reader’s language."""
    return {
        "map": _("from the board"),
        "text": _("as text"),
        "mail": _("by email"),
        "granted": _("by email, late, accepted by the GM"),
        "master": _("entered by the GM"),
        "program": _("by a program"),
        "draft": _("draft used at the deadline"),
        "computer": _("by the bot"),
    }[code]
