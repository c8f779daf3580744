"""Of a sheet: how far a power is with it in the open phase, and how it came, in words."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from .order_queries import DRAFT
from .order_submission import NO_ORDERS, READY, SUBMITTED

NOTHING_TO_ORDER, NOT_AWAITED = "idle", "lost"
STATES = {
    NO_ORDERS: ("○", gettext_noop("no orders")),
    DRAFT: ("✎", gettext_noop("draft, not submitted")),
    SUBMITTED: ("✓", gettext_noop("submitted")),
    READY: ("✓✓", gettext_noop("ready")),
    NOTHING_TO_ORDER: ("–", gettext_noop("nothing to order")),
    NOT_AWAITED: ("–", gettext_noop("not waited for")),
}
ORIGINS = {
    "map": gettext_noop("from the board"),
    "text": gettext_noop("as text"),
    "mail": gettext_noop("by email"),
    "granted": gettext_noop("by email, late, accepted by the GM"),
    "late": gettext_noop("after the bell, accepted"),
    "master": gettext_noop("entered by the GM"),
    "program": gettext_noop("by a program"),
    "draft": gettext_noop("draft used at the deadline"),
    "computer": gettext_noop("by the bot"),
}


class OrderStateLabel(NamedTuple):
    """A state as a page shows it."""

    code: str
    sign: str
    text: str


def order_state_label(code: str) -> OrderStateLabel:
    """One of `STATES`, in the reader’s language."""
    sign, words = STATES[code]
    return OrderStateLabel(code, sign, _(words))


def origin_label(code: str) -> str:
    """How a sheet came, by its `OrderSet.origin`, in the reader’s language."""
    return _(ORIGINS[code])
