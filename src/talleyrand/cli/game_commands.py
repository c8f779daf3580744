"""The commands of a phase: `adjudicate` and `read`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from talleyrand.formats import datc_cases
from talleyrand.formats.json_checks import Json
from talleyrand.formats.json_lines import AnswerFunction, answer_stream
from talleyrand.variants import LANGUAGES

from . import answer_output
from .answer_forms import ANSWER_LANGUAGES, REASONS, AnswerForm, answer_languages, rare_collections
from .answer_output import print_comparison
from .console import (
    DONE,
    STDIN_NAME,
    USAGE,
    AddCommand,
    CliSentences,
    CommandError,
    open_input,
    parse_question,
    parse_rulebook_option,
    print_json,
    read_utf8_input,
)


def describe_game_commands(command: AddCommand) -> None:
    """Add the commands."""
    for name in ("adjudicate", "read"):
        parser = command(name, adjudicate, ANSWER_LANGUAGES)
        parser.add("file", told="help.question_file", shown="metavar.file", nargs="?")
        parser.add("--variant", told="help.variant", shown="metavar.name")
        parser.add("--rulebook", told="help.rulebook", shown="metavar.rulebook")
        parser.add("--json", told="help.json", action="store_true")
        parser.add("--jsonl", told="help.jsonl", shown="metavar.file", nargs="?", const=STDIN_NAME)
        parser.add("--jobs", told="help.jobs", shown="metavar.number", type=int, default=1)
        parser.arguments.set_defaults(read_only=name == "read", compare=None, reasons="usual", columns=None)
        if name == "adjudicate":
            parser.add("--compare", told="help.compare", shown="metavar.names")
            parser.add("--reasons", told="help.reasons", choices=REASONS, default="usual")
            parser.add("--columns", told="help.columns", metavar="X.parquet", type=Path)


def adjudicate(options: argparse.Namespace, say: CliSentences) -> int:
    """Answer a file for people, or a stream of questions; or write what became of recorded games."""
    if options.columns is not None:
        return _columns(options, say)
    form = _form(options, say)
    if options.jsonl is not None:
        if options.file is not None:
            raise CommandError("error.jsonl_alone", USAGE)
        return _answer_stream(options.jsonl, form, options.jobs)
    if options.jobs != 1:
        raise CommandError("error.jobs_of_a_stream", USAGE)
    if options.file is None:
        raise CommandError("error.no_file", USAGE)
    text = read_utf8_input(options.file)
    if datc_cases.is_datc(text):
        return _cases(text, form, options, say)
    question, loose = parse_question(text)
    if options.variant is not None:
        question["variant"] = options.variant
    if options.rulebook is not None:
        question["rulebook"] = parse_rulebook_option(options.rulebook)
    _answer(question, form, options, say)
    answer_output.print_lines_without_power(loose, say)
    return DONE


def _columns(options: argparse.Namespace, say: CliSentences) -> int:
    """Have the games of a file written in columns, which no other form of answer goes with."""
    from .column_commands import write_columns

    others = options.jsonl, options.compare, options.variant
    if options.json or options.reasons != "usual" or any(one is not None for one in others):
        raise CommandError("error.columns_alone", USAGE)
    return write_columns(options, say)


def _form(options: argparse.Namespace, say: CliSentences) -> AnswerForm:
    """How the options want questions answered; whoever reads an answer in words has one language."""
    in_json = options.json or options.jsonl is not None
    if not in_json and options.lang in ("both", "none"):
        raise CommandError("error.language_of_words", USAGE, given=options.lang)
    languages = answer_languages(options.lang) if in_json else (say.language,)
    form = AnswerForm(languages, options.read_only, options.reasons, options.compare)
    if options.compare is not None:
        form.books  # noqa: B018 a name that is no book's is told before anything is answered
    return form


def _answer(
    question: dict[str, Json], form: AnswerForm, options: argparse.Namespace, say: CliSentences
) -> None:
    answer = form.reply(question)
    if "error" in answer:
        error: Any = form.reply_in(question, (say.language,))["error"]
        raise CommandError("error.question", sentence=str(error["message"][say.language]))
    if options.json:
        print_json(answer)
    elif options.compare is not None:
        print_comparison(question, answer, say)
    else:
        answer_output.print_answer(question, answer, say)


def answer_json_lines(name: str, reply: AnswerFunction, languages: Sequence[str] = LANGUAGES) -> int:
    """Answer each line of a file, or of standard input for `-`, on a line of its own; what is wrong with one
    is told in `languages`."""
    with open_input(name) as source, rare_collections():
        for answer in answer_stream(source, reply, languages):
            print_json(answer)
    return DONE


def _answer_stream(name: str, form: AnswerForm, jobs: int) -> int:
    """Answer each line, by this process or by several."""
    from .compiled_reasons import CompiledReasons
    from .parallel_answers import MAX_JOBS, answer_in_parallel, own_stdin

    if not 1 <= jobs <= MAX_JOBS:
        raise CommandError("error.jobs", USAGE, most=str(MAX_JOBS))
    if jobs == 1:
        reply = CompiledReasons(form.reply).reply if form.finds_reasons else form.reply
        return answer_json_lines(name, reply, form.languages)
    source = own_stdin() if name == STDIN_NAME else Path(name).open("rb")  # noqa: SIM115 its reader closes it
    sys.stdout.flush()
    for answers in answer_in_parallel(source, form, jobs):
        sys.stdout.buffer.write(answers)
        sys.stdout.buffer.flush()
    return DONE


def _cases(text: str, form: AnswerForm, options: argparse.Namespace, say: CliSentences) -> int:
    """Each case of a text of the DATC, its first phase."""
    chosen = parse_rulebook_option(options.rulebook) or "datc"
    for case in datc_cases.read_datc_cases(text):
        if not options.json:
            print(f"# {case.number} {case.title}")
        _answer(case.question(chosen), form, options, say)
    return DONE
