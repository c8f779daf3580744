"""What the command line says, and in which language."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from talleyrand.messages import Catalogue
from talleyrand.variants import LANGUAGES

CATALOGUE = Catalogue("talleyrand.cli", "cli")


@dataclass(frozen=True)
class CliSentences:
    """The command line's sentences in one language."""

    language: str

    def __call__(self, code: str, **facts: str) -> str:
        return CATALOGUE.say(self.language, code, **facts)


def chosen_language(arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """The language asked for by `--lang`, TALLEYRAND_LANG or the locale; French when none is known."""
    settings = os.environ if environment is None else environment
    wanted = [_option(arguments), settings.get("TALLEYRAND_LANG", "")]
    wanted += [settings.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    known = (text[:2].lower() for text in wanted if text[:2].lower() in LANGUAGES)
    return next(known, LANGUAGES[0])


def _option(arguments: Sequence[str]) -> str:
    for place, argument in enumerate(arguments):
        if argument.startswith("--lang="):
            return argument.removeprefix("--lang=")
        if argument == "--lang":
            return next(iter(arguments[place + 1 : place + 2]), "")
    return ""
