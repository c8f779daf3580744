"""Reads the arguments, runs the command, and turns failures into sentences and exit codes.

0 done; 1 the files or the question are at fault; 2 the arguments are.
"""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import sys
from collections.abc import Sequence

from talleyrand.engine.errors import TalleyrandError

from .console import DONE, FAULT, INTERRUPTED, USAGE, CliSentences, CommandError, chosen_language
from .parser import build_parser, translated_argparse

# Whatever there is when the process ends goes with it: nobody looks through it for what is unused.
atexit.register(gc.freeze)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; gives its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    say = CliSentences(chosen_language(given))
    _print_what_can_be()
    try:
        return _run(given, say)
    except BrokenPipeError:
        _close_quietly()
        return FAULT
    except KeyboardInterrupt:
        return INTERRUPTED
    except CommandError as failure:
        return _complain(say(failure.code, **failure.facts), failure.status)
    except TalleyrandError as error:
        from talleyrand.tournament.standings.standings_json import refusal_sentences

        return _complain(refusal_sentences(error)[say.language], FAULT)
    except OSError as error:
        return _complain(
            say("error.file", file=str(error.filename or "?"), reason=_reason(error, say)), FAULT
        )


def _print_what_can_be() -> None:
    """A terminal that lacks a letter shows a question mark for it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(given: Sequence[str], say: CliSentences) -> int:
    with translated_argparse(say.language):
        parser = build_parser(say)
        try:
            options = parser.parse_args(given)
        except SystemExit as stop:
            return stop.code if isinstance(stop.code, int) else USAGE
        if "run" not in options:
            parser.print_help(sys.stderr)
            return USAGE
    status: int = options.run(options, say)
    sys.stdout.flush()
    return status


def _reason(error: OSError, say: CliSentences) -> str:
    if error.errno == errno.ENOSPC:
        return say("reason.full")
    kinds = {
        FileNotFoundError: "absent",
        IsADirectoryError: "directory",
        NotADirectoryError: "file",
        PermissionError: "denied",
    }
    return say(f"reason.{kinds.get(type(error), 'other')}")


def _complain(sentence: str, status: int) -> int:
    sys.stdout.flush()
    print(f"talleyrand: {sentence}", file=sys.stderr)
    return status


def _close_quietly() -> None:
    """Leave nothing for the interpreter to flush into the closed pipe."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:
        return


__all__ = ["DONE", "main"]
