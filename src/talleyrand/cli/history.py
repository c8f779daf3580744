"""`talleyrand history`: a saved game on paper, a page a year."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from talleyrand.formats.records import seeded
from talleyrand.printing import history as pages
from talleyrand.printing.chronicle import chronicle
from talleyrand.printing.pdf import Unavailable, installed

from .failures import DONE, CommandError
from .play import read_games
from .sentences import Speaker


def describe(command: Callable[[str], argparse.ArgumentParser], say: Speaker) -> None:
    """Add the command."""
    parser = command("history")
    parser.add_argument("game", metavar=say("metavar.game"), help=say("help.game"))
    parser.add_argument("--out", type=Path, required=True, metavar="X.pdf", help=say("help.history.out"))
    parser.add_argument("--title", default="", metavar=say("metavar.title"), help=say("help.history.title"))
    parser.add_argument("--rulebook", metavar=say("metavar.rulebook"), help=say("help.rulebook"))
    parser.set_defaults(run=history)


def history(options: argparse.Namespace, say: Speaker) -> int:
    """Write the history of the one game that a file or folder holds."""
    if options.out.suffix.lower() != ".pdf":
        raise CommandError("error.paper", file=str(options.out))
    games = list(read_games(options.game, options.rulebook))
    if len(games) != 1:
        raise CommandError("error.one_game", file=options.game, count=str(len(games)))
    told = chronicle(seeded(games[0]), options.title.strip())
    try:
        options.out.write_bytes(pages.written(told, say.language))
    except Unavailable:
        raise CommandError("error.no_pango" if installed() else "error.no_pdf") from None
    return DONE
