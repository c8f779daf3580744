"""Sentences that are told later, in the language of whoever reads them then."""

from __future__ import annotations

from django.utils.translation import gettext


def _(sentence: str) -> str:
    """Marks a sentence for the catalogue; it stays English until it is told."""
    return sentence


def translated(sentence: str) -> str:
    """The sentence in the language of the moment."""
    return gettext(sentence) if sentence else ""
