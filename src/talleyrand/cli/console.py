"""What every command uses: sentences, arguments, refusals, files and standard input, printing."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

from talleyrand.formats.json_checks import MAX_JSON_BYTES, InvalidQuestion, Json
from talleyrand.messages import Catalogue
from talleyrand.variants import LANGUAGES

CATALOGUE = Catalogue("talleyrand.cli", "cli")


@dataclass(frozen=True)
class CliSentences:
    """The command line's sentences in one language."""

    language: str

    def __call__(self, code: str, **facts: str) -> str:
        return CATALOGUE.say(self.language, code, **facts)

    def points(self, written: str) -> str:
        """A number with the language's decimal sign."""
        return written.replace(".", ",") if self.language == "fr" else written


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


RunCommand = Callable[[argparse.Namespace, CliSentences], int]


@dataclass(frozen=True)
class CommandParser:
    """The arguments of a command, or a group of them, described in the reader's language."""

    arguments: Any  # argparse's parser or group
    say: CliSentences

    def add(self, *names: str, told: str, shown: str = "", **more: Any) -> None:
        """An argument: `told` and `shown` are codes for what it is, and for what stands for its value."""
        if shown:
            more["metavar"] = self.say(shown)
        self.arguments.add_argument(*names, help=self.say(told), **more)

    def one_of(self) -> CommandParser:
        """A group of arguments of which one may be given."""
        return CommandParser(self.arguments.add_mutually_exclusive_group(), self.say)


AddCommand = Callable[..., CommandParser]  # its name, what runs, and the languages that it knows

DONE, FAULT, USAGE, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """A code of the catalogue with its facts; `status` is the exit code."""

    def __init__(self, code: str, status: int = FAULT, **facts: str) -> None:
        super().__init__(code)
        self.code, self.status, self.facts = code, status, facts


_encoded = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode  # an answer has no circles


def json_line(value: object) -> bytes:
    """One line of JSON in UTF-8; what UTF-8 cannot hold is escaped."""
    try:
        return _encoded(value).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, separators=(", ", ": ")).encode() + b"\n"


def print_json(value: object) -> None:
    """One line of JSON on standard output, at once."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json_line(value))
    sys.stdout.buffer.flush()


STDIN_NAME = "-"


@contextmanager
def open_input(name: str) -> Iterator[BinaryIO]:
    """A file, or standard input, as bytes. Raises OSError."""
    if name == STDIN_NAME:
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as source:
        yield source


MAX_TOML_BYTES = 1 << 20


def read_bytes(name: str, limit: int = MAX_JSON_BYTES) -> bytes:
    """A file, or standard input for `-`; raises InvalidQuestion (`too_long`) and OSError."""
    if name == STDIN_NAME:
        data = sys.stdin.buffer.read(limit + 1)
    else:
        with Path(name).open("rb") as opened:
            data = opened.read(limit + 1)
    if len(data) > limit:
        raise InvalidQuestion("too_long", limit=str(limit >> 20))
    return data


def read_utf8_input(name: str, limit: int = MAX_JSON_BYTES) -> str:
    """A text in UTF-8; raises InvalidQuestion (`not_utf8`)."""
    data = read_bytes(name, limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InvalidQuestion("not_utf8", place=str(fault.start + 1)) from None


def parse_question(text: str) -> tuple[dict[str, Json], list[str]]:
    """A question, from JSON or from a text, and the lines of the text under no power's name."""
    if text.lstrip().startswith("{"):
        from talleyrand.formats.json_lines import read_json

        value = read_json(text)
        if not isinstance(value, dict):
            raise InvalidQuestion("not_a_question", value=json.dumps(value))
        return value, []
    from talleyrand.formats.plain_text import read_game_text

    plain = read_game_text(text)
    return plain.question(), plain.lines_without_power


def parse_rulebook_option(name: str | None) -> Json:
    """A book's name, or what a TOML file of one's own says.

    Raises InvalidQuestion (`too_long`, `not_utf8`, and as `read_custom_rulebook`) and OSError.
    """
    if name is None or not name.lower().endswith(".toml"):
        return name
    from talleyrand.formats.custom_toml import read_custom_rulebook

    return read_custom_rulebook(read_utf8_input(name, MAX_TOML_BYTES), Path(name).stem)


def require_packages(packages: Sequence[str], code: str) -> None:
    """Refuse with a code where some of them are not installed."""
    missing = [name for name in packages if util.find_spec(name) is None]
    if missing:
        raise CommandError(code, missing=", ".join(missing))


TERMINAL_INTERVAL = 0.5  # seconds between two lines of progress
LOG_INTERVAL = 30.0  # the same where nobody watches


class ProgressLine:
    """A line that says how much is done: written again and again on a terminal, else now and then."""

    def __init__(self, *, at_once: bool) -> None:
        """`at_once`: the first line does not wait, even where it is not a terminal."""
        self._live = sys.stderr.isatty()
        self._told, self._width = monotonic() - (LOG_INTERVAL if self._live or at_once else 0), 0

    def is_due(self) -> bool:
        """Whether a line may be written again; asking it counts as writing."""
        now = monotonic()
        due = now - self._told >= (TERMINAL_INTERVAL if self._live else LOG_INTERVAL)
        self._told = now if due else self._told
        return due

    def write(self, line: str) -> None:
        """Write the line, over the one before where it is a terminal."""
        if self._live:
            print(f"\r{line:{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = len(line)
        else:
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line."""
        if self._width:
            print(file=sys.stderr)
            self._width = 0
