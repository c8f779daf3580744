"""Faults as an answer tells them, and the notes of this package itself, in every language."""

from __future__ import annotations

from collections.abc import Sequence

from talleyrand import messages
from talleyrand.engine.errors import ImpossibleCombination, InvalidPosition, TalleyrandError, UnknownName
from talleyrand.messages import Catalogue
from talleyrand.variants import LANGUAGES

Languages = Sequence[str]
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


def error_json(error: TalleyrandError, languages: Languages = LANGUAGES) -> dict[str, object]:
    """The value of `error` in an answer; without any language its kind alone."""
    sentences = {language: messages.error_sentence(error, language) for language in languages}
    return {"kind": error_kind(error)} | ({"message": sentences} if sentences else {})


def note_json(kind: str, languages: Languages = LANGUAGES, /, **facts: str) -> dict[str, str]:
    """A note of this package, as in an answer."""
    return {"kind": kind, **FORMATS_SENTENCES.in_languages(languages, f"note.{kind}", facts)}
