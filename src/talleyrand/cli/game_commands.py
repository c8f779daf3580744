"""The commands of a phase: `adjudicate` and `read`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from talleyrand import rulebooks
from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats import adjudication, datc_cases
from talleyrand.formats.json_checks import Json
from talleyrand.formats.json_lines import answer_stream
from talleyrand.formats.question_input import read_rulebook
from talleyrand.rulebooks import LoadedRulebook

from . import answer_output
from .answer_output import print_comparison
from .console import (
    DONE,
    STDIN_NAME,
    USAGE,
    AddCommand,
    CliSentences,
    CommandError,
    parse_question,
    parse_rulebook_option,
    print_json,
    read_utf8_input,
)

AnswerFunction = Callable[[Json], adjudication.AnswerJson]


def describe_game_commands(command: AddCommand) -> None:
    """Add the commands."""
    for name, reply in (
        ("adjudicate", adjudication.adjudicate_question),
        ("read", adjudication.read_question_orders),
    ):
        parser = command(name, adjudicate)
        parser.add("file", told="help.question_file", shown="metavar.file", nargs="?")
        parser.add("--variant", told="help.variant", shown="metavar.name")
        parser.add("--rulebook", told="help.rulebook", shown="metavar.rulebook")
        parser.add("--json", told="help.json", action="store_true")
        parser.add("--jsonl", told="help.jsonl", shown="metavar.file", nargs="?", const=STDIN_NAME)
        parser.arguments.set_defaults(reply=reply, compare=None, reasons="usual")
        if name == "adjudicate":
            parser.add("--compare", told="help.compare", shown="metavar.names")
            parser.add("--reasons", told="help.reasons", choices=("usual", "all"), default="usual")


def adjudicate(options: argparse.Namespace, say: CliSentences) -> int:
    """Answer a file for people, or a stream of questions."""
    if options.reasons == "all":
        options.reply = lambda question: adjudication.adjudicate_question(question, StepBudget(sys.maxsize))
    if options.compare is not None:
        from talleyrand.formats.rulebook_comparison import comparison_answer

        options.reply = partial(comparison_answer, books=_books(options.compare))
    if options.jsonl is not None:
        if options.file is not None:
            raise CommandError("error.jsonl_alone", USAGE)
        return answer_json_lines(options.jsonl, options.reply)
    if options.file is None:
        raise CommandError("error.no_file", USAGE)
    text = read_utf8_input(options.file)
    if datc_cases.is_datc(text):
        return _cases(text, options, say)
    question, loose = parse_question(text)
    if options.variant is not None:
        question["variant"] = options.variant
    if options.rulebook is not None:
        question["rulebook"] = parse_rulebook_option(options.rulebook)
    _answer(question, options, say)
    answer_output.print_lines_without_power(loose, say)
    return DONE


def _books(wanted: str) -> dict[str, LoadedRulebook]:
    """Books by their names, files of one's own among them; `all` stands for every book at hand."""
    named = [name.strip() for name in wanted.split(",") if name.strip()]
    if not named:
        raise CommandError("error.no_books", USAGE)
    listed = chain.from_iterable(rulebooks.names() if name == "all" else [name] for name in named)
    return {name: read_rulebook(parse_rulebook_option(name)) for name in listed}


def _answer(question: dict[str, Json], options: argparse.Namespace, say: CliSentences) -> None:
    answer = options.reply(question)
    if "error" in answer:
        error = answer["error"]
        assert isinstance(error, dict)
        raise CommandError("error.question", sentence=str(error["message"][say.language]))
    if options.json:
        print_json(answer)
    elif options.compare is not None:
        print_comparison(question, answer, say)
    else:
        answer_output.print_answer(question, answer, say)


def answer_json_lines(name: str, reply: AnswerFunction) -> int:
    """Answer each line of a file, or of standard input for `-`, on a line of its own."""
    with _opened(name) as source:
        for answer in answer_stream(source, reply):
            print_json(answer)
    return DONE


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STDIN_NAME:
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as source:
        yield source


def _cases(text: str, options: argparse.Namespace, say: CliSentences) -> int:
    """Each case of a text of the DATC, its first phase."""
    chosen = parse_rulebook_option(options.rulebook) or "datc"
    for case in datc_cases.read_datc_cases(text):
        if not options.json:
            print(f"# {case.number} {case.title}")
        _answer(case.question(chosen), options, say)
    return DONE
