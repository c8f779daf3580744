"""Sentences by code: what became of a mail, why something was not done (`coded_sentences.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from talleyrand.web.boards import display_names


@cache
def sentence_table() -> dict[str, dict[str, dict[str, str]]]:
    """The groups, their codes, and the sentence of each in French ("fr") and English ("en")."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def coded_sentence(group: str, code: str, **facts: object) -> str:
    """A sentence in the language in use; "" for a code that has none."""
    return sentence_table()[group].get(code, {}).get(display_names.reader_language(), "").format(**facts)
