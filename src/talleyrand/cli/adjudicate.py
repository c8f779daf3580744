"""`talleyrand adjudicate` and `talleyrand read`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from talleyrand import rulebooks
from talleyrand.formats import datc_text, questions
from talleyrand.formats.lines import answers
from talleyrand.formats.shapes import Json

from . import show
from .failures import DONE, USAGE, CommandError
from .inputs import STANDARD, question_of, read_whole, rulebook_of
from .output import print_json
from .sentences import Speaker

Reply = Callable[[Json], questions.Answer]


def describe(command: Callable[[str], argparse.ArgumentParser], say: Speaker) -> None:
    """Add both commands."""
    for name, reply in (("adjudicate", questions.answer), ("read", questions.read)):
        parser = command(name)
        parser.add_argument("file", nargs="?", metavar=say("metavar.file"), help=say("help.question_file"))
        parser.add_argument("--variant", metavar=say("metavar.name"), help=say("help.variant"))
        parser.add_argument("--rulebook", metavar=say("metavar.rulebook"), help=say("help.rulebook"))
        parser.add_argument(
            "--jsonl", nargs="?", const=STANDARD, metavar=say("metavar.file"), help=say("help.jsonl")
        )
        parser.set_defaults(run=adjudicate, reply=reply, compare=None)
        if name == "adjudicate":
            parser.add_argument("--compare", metavar=say("metavar.names"), help=say("help.compare"))


def adjudicate(options: argparse.Namespace, say: Speaker) -> int:
    """Answer a file for people, or a stream of questions."""
    if options.jsonl is not None:
        if options.file is not None or options.compare is not None:
            raise CommandError("error.jsonl_alone", USAGE)
        return _stream(options.jsonl, options.reply)
    if options.file is None:
        raise CommandError("error.no_file", USAGE)
    text = read_whole(options.file)
    if datc_text.is_datc(text):
        return _cases(text, options, say)
    question, loose = question_of(text)
    if options.variant is not None:
        question["variant"] = options.variant
    if options.rulebook is not None:
        question["rulebook"] = rulebook_of(options.rulebook)
    if options.compare is not None:
        return _compare(question, options.compare, say)
    answer = options.reply(question)
    _stop_at_error(answer, say)
    show.print_answer(question, answer, say)
    show.print_loose(loose, say)
    return DONE


def _stop_at_error(answer: questions.Answer, say: Speaker) -> None:
    if "error" in answer:
        error = answer["error"]
        assert isinstance(error, dict)
        raise CommandError("error.question", sentence=str(error["message"][say.language]))


def _stream(name: str, reply: Reply) -> int:
    with _opened(name) as source:
        for answer in answers(source, reply):
            print_json(answer)
    return DONE


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STANDARD:
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as source:
        yield source


def _cases(text: str, options: argparse.Namespace, say: Speaker) -> int:
    """Each case of a text of the DATC, its first phase."""
    chosen = rulebook_of(options.rulebook) or "datc"
    for case in datc_text.read_cases(text):
        print(f"# {case.number} {case.title}")
        question = case.question(chosen)
        answer = options.reply(question)
        _stop_at_error(answer, say)
        show.print_answer(question, answer, say)
    return DONE


def _compare(question: dict[str, Json], wanted: str, say: Speaker) -> int:
    """The lines whose results differ from book to book."""
    names = list(rulebooks.names()) if wanted == "all" else [name.strip() for name in wanted.split(",")]
    found = {name: questions.answer({**question, "rulebook": rulebook_of(name)}) for name in names}
    for answer in found.values():
        _stop_at_error(answer, say)
    show.print_comparison(question, found, say)
    return DONE
