"""Why nothing was copied or put back, in words. Whatever stands in a data folder is still there then."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def error_sentences() -> dict[str, dict[str, str]]:
    """Every code with its sentence in French ("fr") and English ("en")."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


class BackupError(Exception):
    """A code of the sentences with its facts."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code, self.facts = code, {name: str(value) for name, value in facts.items()}

    def sentence(self, language: str) -> str:
        """The reason in French ("fr") or English."""
        return error_sentences()[self.code]["fr" if language == "fr" else "en"].format(**self.facts)

    def __str__(self) -> str:
        first, second = (self.sentence(one) for one in ("fr", "en"))
        return f"{first[:1].upper()}{first[1:]} / {second[:1].upper()}{second[1:]}"
