"""The commands that make a picture or a paper of a game: `draw`, `history`."""

from __future__ import annotations

import argparse
from pathlib import Path

from talleyrand import drawing
from talleyrand.drawing.png import render_png
from talleyrand.formats.adjudication import resolve_question
from talleyrand.formats.game_record import with_seed
from talleyrand.formats.question_input import read_question
from talleyrand.printing import history_pdf as pages
from talleyrand.printing.game_by_year import build_printed_history
from talleyrand.printing.pdf import PdfUnavailable, is_installed

from . import answer_output
from .console import (
    DONE,
    AddCommand,
    CliSentences,
    CommandError,
    parse_question,
    parse_rulebook_option,
    read_utf8_input,
)
from .record_commands import read_games

WIDTH = 1600


def describe_picture_commands(command: AddCommand) -> None:
    """Add both commands."""
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
