"""Of a sheet: how far a power is with it in the open phase, and how it came, in words."""

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


def origin(code: str) -> str:
    """How a sheet came, by its `Sheet.origin`, in the reader’s language."""
    return {
        "map": _("from the board"),
        "text": _("written"),
        "mail": _("by mail"),
        "granted": _("by mail, late, let in by the game master"),
        "master": _("entered by the game master"),
        "program": _("by a program"),
        "draft": _("the draft, taken at the deadline"),
        "computer": _("by the computer"),
    }[code]
