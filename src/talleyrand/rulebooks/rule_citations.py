"""The places of rules as each language quotes them (`citations.toml`)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources


def translate_citation(place: str, language: str) -> str:
    """A place as books give it, in French, quoted in another language; "" stays ""."""
    words = _words(language)
    return re.sub(_pattern(language), lambda found: words[found[0]], place) if words else place


@cache
def _words(language: str) -> dict[str, str]:
    text = (resources.files(__package__) / "citations.toml").read_text("utf-8")
    return dict(tomllib.loads(text).get(language, {}))


@cache
def _pattern(language: str) -> str:
    """Whole words only, the longest first."""
    longest = sorted(_words(language), key=len, reverse=True)
    return rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)"
