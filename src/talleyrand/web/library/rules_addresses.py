"""Addresses that are spoken in the reader's language."""

from __future__ import annotations

from django.utils.functional import lazy

from talleyrand.web.boards import wording


def spoken(french: str, english: str) -> str:
    """A part of an address: resolved and written in the language of the moment."""

    def word() -> str:
        return english if wording.language() == "en" else french

    return lazy(word, str)()
