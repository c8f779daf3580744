"""`talleyrand draw`: a position, its orders and their results, as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from talleyrand import drawing
from talleyrand.drawing.png import render_png
from talleyrand.formats.adjudication import resolve_question
from talleyrand.formats.question_input import read_question

from . import answer_output
from .console import CliSentences
from .failures import DONE, CommandError
from .inputs import parse_question, parse_rulebook_option, read_utf8_input

WIDTH = 1600


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("draw")
    parser.add_argument("file", metavar=say("metavar.file"), help=say("help.question_file"))
    parser.add_argument("--out", type=Path, required=True, metavar="X.svg|X.png", help=say("help.out"))
    parser.add_argument("--variant", metavar=say("metavar.name"), help=say("help.variant"))
    parser.add_argument("--rulebook", metavar=say("metavar.rulebook"), help=say("help.rulebook"))
    parser.add_argument("--width", type=int, default=WIDTH, help=say("help.width"))
    parser.add_argument("--theme", choices=list(drawing.themes()), default="paper", help=say("help.theme"))
    parser.add_argument(
        "--palette", choices=list(drawing.palettes()), default="classic", help=say("help.palette")
    )
    parser.add_argument("--patterns", action="store_true", help=say("help.patterns"))
    parser.add_argument("--codes", action="store_true", help=say("help.codes"))
    parser.set_defaults(run=draw)


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
