"""How far a power is with the sheet of the open phase, in words and by a sign."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from .inbox import DRAFT, FINAL, NOTHING, SAVED

SIGNS = {NOTHING: "○", DRAFT: "✎", SAVED: "✓", FINAL: "✓✓"}


class Told(NamedTuple):
    """A state as a page shows it."""

    code: str
    sign: str
    words: str


def told(code: str) -> Told:
    """One of `inbox.standing`, in the reader’s language."""
    words = {
        NOTHING: _("no orders yet"),
        DRAFT: _("draft, not handed in"),
        SAVED: _("handed in"),
        FINAL: _("handed in, final"),
    }
    return Told(code, SIGNS[code], words[code])
