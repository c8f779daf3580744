"""Faults as an answer tells them, and the notes of this package itself, in every language."""

from __future__ import annotations

from talleyrand import messages
from talleyrand.engine.errors import ImpossibleCombination, InvalidPosition, TalleyrandError, UnknownName
from talleyrand.messages import Catalogue
from talleyrand.variants import LANGUAGES

FORMATS_SENTENCES = Catalogue("talleyrand.formats", "formats")

_KINDS = {
    "unknown_value": "unknown_option",
    "unknown_phase": "unknown_phase",
    "not_json": "bad_json",
    "not_utf8": "bad_json",
    "too_long": "bad_json",
    "too_deep": "bad_json",
    "key_twice": "bad_json",
    "internal": "internal",
}


def error_kind(error: TalleyrandError) -> str:
    """The kind that outsiders see (contract: `error.kind`)."""
    if error.code in _KINDS:
        return _KINDS[error.code]
    if isinstance(error, UnknownName | ImpossibleCombination):
        return error.code
    return "bad_position" if isinstance(error, InvalidPosition) else "bad_question"


def error_json(error: TalleyrandError) -> dict[str, object]:
    """The value of `error` in an answer."""
    sentences = {language: messages.error_sentence(error, language) for language in LANGUAGES}
    return {"kind": error_kind(error), "message": sentences}


def note_json(kind: str, **facts: str) -> dict[str, str]:
    """A note of this package, as in an answer."""
    return {"kind": kind, **FORMATS_SENTENCES.in_every_language(f"note.{kind}", **facts)}
