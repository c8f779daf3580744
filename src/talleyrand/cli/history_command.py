"""`talleyrand history`: a saved game on paper, a page a year."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from talleyrand.formats.game_record import with_seed
from talleyrand.printing import history_pdf as pages
from talleyrand.printing.game_by_year import build_printed_history
from talleyrand.printing.pdf import PdfUnavailable, is_installed

from .console import CliSentences
from .failures import DONE, CommandError
from .game_commands import read_games


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("history")
    parser.add_argument("game", metavar=say("metavar.game"), help=say("help.game"))
    parser.add_argument("--out", type=Path, required=True, metavar="X.pdf", help=say("help.history.out"))
    parser.add_argument("--title", default="", metavar=say("metavar.title"), help=say("help.history.title"))
    parser.add_argument("--rulebook", metavar=say("metavar.rulebook"), help=say("help.rulebook"))
    parser.set_defaults(run=history)


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
