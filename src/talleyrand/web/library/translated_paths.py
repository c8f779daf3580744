"""Addresses that are spoken in the reader's language."""

from __future__ import annotations

from django.utils.functional import lazy

from talleyrand.web.boards import display_names


def translated_path(french: str, english: str) -> str:
    """A part of an address: resolved and written in the language of the moment."""

    def word() -> str:
        return english if display_names.reader_language() == "en" else french

    return lazy(word, str)()
