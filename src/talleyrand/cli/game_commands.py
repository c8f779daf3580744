"""The commands of a game: `adjudicate` and `read`, `play`, `draw`, `history`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from talleyrand import drawing
from talleyrand.drawing.png import render_png
from talleyrand.formats import datc_cases, diplomacy_package
from talleyrand.formats.adjudication import AnswerJson, resolve_question
from talleyrand.formats.game_record import GameRecord, read_game_record, replay, with_seed, write_game_record
from talleyrand.formats.json_checks import Json
from talleyrand.formats.json_lines import answer_stream, read_json
from talleyrand.formats.plain_text import read_game_text
from talleyrand.formats.question_input import read_question
from talleyrand.formats.sheet_folder import read_game_folder, record_from_text
from talleyrand.printing import history_pdf as pages
from talleyrand.printing.game_by_year import build_printed_history
from talleyrand.printing.pdf import PdfUnavailable, is_installed
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
    parse_question,
    parse_rulebook_option,
    print_json,
    read_utf8_input,
)
from .parallel_answers import MAX_JOBS, answer_in_parallel, own_stdin

AnswerFunction = Callable[[Json], AnswerJson]


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
        parser.arguments.set_defaults(read_only=name == "read", compare=None, reasons="usual")
        if name == "adjudicate":
            parser.add("--compare", told="help.compare", shown="metavar.names")
            parser.add("--reasons", told="help.reasons", choices=REASONS, default="usual")
    parser = command("play", play)
    parser.add("game", told="help.game", shown="metavar.game")
    parser.add("--rulebook", told="help.rulebook", shown="metavar.rulebook")
    form = parser.one_of()
    form.add("--json", told="help.play.json", action="store_true")
    form.add("--record", told="help.play.record", action="store_true")
    form.add("--saved-game", told="help.play.saved_game", action="store_true")
    parser = command("draw", draw)
    parser.add("file", told="help.question_file", shown="metavar.file")
    parser.add("--out", told="help.out", metavar="X.svg|X.png", type=Path, required=True)
    parser.add("--variant", told="help.variant", shown="metavar.name")
    parser.add("--rulebook", told="help.rulebook", shown="metavar.rulebook")
    parser.add("--width", told="help.width", type=int, default=WIDTH)
    parser.add("--theme", told="help.theme", choices=list(drawing.themes()), default="paper")
    parser.add("--palette", told="help.palette", choices=list(drawing.palettes()), default="classic")
    parser.add("--patterns", told="help.patterns", action="store_true")
    parser.add("--codes", told="help.codes", action="store_true")
    parser = command("history", history)
    parser.add("game", told="help.game", shown="metavar.game")
    parser.add("--out", told="help.history.out", metavar="X.pdf", type=Path, required=True)
    parser.add("--title", told="help.history.title", shown="metavar.title", default="")
    parser.add("--rulebook", told="help.rulebook", shown="metavar.rulebook")


def adjudicate(options: argparse.Namespace, say: CliSentences) -> int:
    """Answer a file for people, or a stream of questions."""
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
    with _opened(name) as source, rare_collections():
        for answer in answer_stream(source, reply, languages):
            print_json(answer)
    return DONE


def _answer_stream(name: str, form: AnswerForm, jobs: int) -> int:
    """Answer each line, by this process or by several."""
    if not 1 <= jobs <= MAX_JOBS:
        raise CommandError("error.jobs", USAGE, most=str(MAX_JOBS))
    if jobs == 1:
        return answer_json_lines(name, form.reply, form.languages)
    source = own_stdin() if name == STDIN_NAME else Path(name).open("rb")  # noqa: SIM115 its reader closes it
    sys.stdout.flush()
    for answers in answer_in_parallel(source, form, jobs):
        sys.stdout.buffer.write(answers)
        sys.stdout.buffer.flush()
    return DONE


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    if name == STDIN_NAME:
        yield sys.stdin.buffer
        return
    with Path(name).open("rb") as source:
        yield source


def _cases(text: str, form: AnswerForm, options: argparse.Namespace, say: CliSentences) -> int:
    """Each case of a text of the DATC, its first phase."""
    chosen = parse_rulebook_option(options.rulebook) or "datc"
    for case in datc_cases.read_datc_cases(text):
        if not options.json:
            print(f"# {case.number} {case.title}")
        _answer(case.question(chosen), form, options, say)
    return DONE


def play(options: argparse.Namespace, say: CliSentences) -> int:
    """Replay a game, or every game of a file of saved games, and print it."""
    for record in map(with_seed, read_games(options.game, options.rulebook)):
        if options.record:
            print_json(write_game_record(record))
        elif options.saved_game:
            print_json(diplomacy_package.write_saved_game(record))
        elif record.phases:
            _print_game(record, say, as_json=options.json)
        else:
            raise CommandError("error.no_phases", file=options.game)
    return DONE


def read_games(name: str, rulebook: str | None = None) -> Iterator[GameRecord]:
    """The games a file or folder holds: a record, saved games (one a line), or sheets."""
    chosen = parse_rulebook_option(rulebook)
    if name != STDIN_NAME and Path(name).is_dir():
        yield read_game_folder(Path(name), chosen)
        return
    text = read_utf8_input(name)
    if not text.lstrip().startswith("{"):
        yield record_from_text(read_game_text(text), chosen)
        return
    for value in _values(text):
        if diplomacy_package.is_saved_game(value):
            yield diplomacy_package.read_saved_game(value, chosen)
        else:
            extra = {} if chosen is None else {"rulebook": chosen}
            yield read_game_record(value | extra if isinstance(value, dict) else value)


def _values(text: str) -> Iterator[object]:
    """One JSON value over many lines, or one a line."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[1].lstrip().startswith("{") and lines[0].rstrip().endswith("}"):
        yield from map(read_json, lines)
    else:
        yield read_json(text)


def _print_game(record: GameRecord, say: CliSentences, *, as_json: bool) -> None:
    for played in replay(record):
        answer = played.answer()
        if as_json:
            print_json(answer)
        else:
            answer_output.print_answer({"variant": record.variant.name}, answer, say)


WIDTH = 1600


def draw(options: argparse.Namespace, say: CliSentences) -> int:
    """Draw a question's position with what becomes of its orders."""
    if options.out.suffix not in (".svg", ".png"):
        raise CommandError("error.picture", file=str(options.out))
    asked, loose = parse_question(read_utf8_input(options.file))
    overrides = {"variant": options.variant, "rulebook": parse_rulebook_option(options.rulebook)}
    asked |= {name: value for name, value in overrides.items() if value is not None}
    judged = resolve_question(read_question(asked))
    question, outcome = judged.question, judged.turn.outcome
    played = bool(judged.reading.entries)
    svg = drawing.draw_board(
        question.variant,
        question.position,
        verdicts=outcome.verdicts if played else (),
        contested=outcome.position_after.contested if played else (),
        language=say.language,
    )
    look = drawing.MapStyle(options.theme, options.palette, options.patterns, not options.codes)
    if options.out.suffix == ".svg":
        options.out.write_text(drawing.standalone_svg(svg, look), "utf-8")
    else:
        options.out.write_bytes(render_png(svg, options.width, look))
    answer_output.print_refused_lines(question.variant, judged.entries(), loose, say)
    return DONE


def history(options: argparse.Namespace, say: CliSentences) -> int:
    """Write the history of the one game that a file or folder holds."""
    if options.out.suffix.lower() != ".pdf":
        raise CommandError("error.paper", file=str(options.out))
    games = list(read_games(options.game, options.rulebook))
    if len(games) != 1:
        raise CommandError("error.one_game", file=options.game, count=str(len(games)))
    told = build_printed_history(with_seed(games[0]), options.title.strip())
    try:
        options.out.write_bytes(pages.render_history_pdf(told, say.language))
    except PdfUnavailable:
        raise CommandError("error.no_pango" if is_installed() else "error.no_pdf") from None
    return DONE
