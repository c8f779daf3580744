"""The terms of a game, each in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.formats import asking
from talleyrand.web.boards import wording
from talleyrand.web.games import readings
from talleyrand.web.games.deadlines import Rhythm, Unfit
from talleyrand.web.games.deadlines.sentence import sentence as rhythm_sentence
from talleyrand.web.games.deadlines.words import said
from talleyrand.web.games.models import Game, Role
from talleyrand.web.games.terms import Absent, Anonymity, Press

from .options import NO, OPTIONS, YES

Part = tuple[str, list[str]]


def parts(game: Game, zone: str) -> list[Part]:
    """What was agreed, under its titles; dates are told in the reader’s zone."""
    told = (
        (_("The game"), _game(game)),
        (_("People"), _people(game)),
        (_("Letters"), _letters(game)),
        (_("Deadlines"), _deadlines(game)),
        (_("The end"), _end(game, zone)),
    )
    return [(title, list(sentences)) for title, sentences in told]


def brief(game: Game) -> list[str]:
    """What one looks at first in a list of games."""
    terms = game.terms
    letters = _("Letters: %(answer)s") % {"answer": _label("press", terms.press)}
    players = _("Who plays what: %(answer)s") % {"answer": _label("anonymity", terms.anonymity)}
    return [_pace(game), letters, players]


def _label(name: str, value: str) -> str:
    """An answer as it stands within a line."""
    label = OPTIONS[name]()[value].label
    return f"{label[:1].lower()}{label[1:]}"


def _sentence(game: Game, name: str) -> str:
    value = getattr(game.terms, name)
    if isinstance(value, bool):
        value = YES if value else NO
    return OPTIONS[name]()[value].sentence


def _game(game: Game) -> Iterator[str]:
    variant = variants.load(game.variant)
    board = variant.board
    yield _("Board: %(board)s, %(powers)s powers and %(centres)s centres.") % {
        "board": variant.title[wording.language()],
        "powers": len(variant.setting.players),
        "centres": len(board.centres),
    }
    own = _("The judge follows a rulebook made for this game: %(book)s.")
    known = _("The judge follows the rulebook %(book)s.")
    yield (known if isinstance(game.rulebook, str) else own) % {"book": wording.book_title(game.rulebook)}
    if asking.read_rulebook(game.rulebook).value("poorly_written") == "illegal":
        yield badly_written()
    yield _sentence(game, "naming")
    yield from readings.sentences(game, variant)


def badly_written() -> str:
    """What a game agrees on whose rulebook follows no badly written order."""
    return _("A badly written order counts as a hold, even if one can guess what was meant.")


def _people(game: Game) -> Iterator[str]:
    if game.memberships.filter(role=Role.MASTER, left=None).exists():
        yield _(
            "A game master leads the game: they read every message and all submitted orders, know who plays "
            "what, and play nothing."
        )
    else:
        yield _("There is no game master: the clock runs the game, and nobody sees what others prepare.")
    yield _sentence(game, "anonymity")
    if variants.load(game.variant).board.landless:
        yield _sentence(game, "chair")
    if game.terms.bots:
        yield _sentence(game, "bots")
    yield OPTIONS["listed"]()[YES if game.listed else NO].sentence
    yield _sentence(game, "watching")
    yield _sentence(game, "log_open")
    yield from _succession()
    if game.terms.by_post:
        yield _sentence(game, "by_post")


def _succession() -> Iterator[str]:
    """What a successor reads (`seen.sheets`, `press.seen`) and who may be one (`seats.bar`), in any game."""
    yield _(
        "Whoever takes over a power reads its messages and its submitted orders, with their receipts, from "
        "the beginning on, but no draft."
    )
    yield _(
        "Whoever has played a power of this game, even for a while, takes no other afterwards; whoever has "
        "been at its desk takes none. Powers that one player has from the start go together."
    )


def _letters(game: Game) -> Iterator[str]:
    yield _sentence(game, "press")
    if game.terms.press != Press.NONE:
        yield _sentence(game, "press_between")
        yield _sentence(game, "declarations")


def _pace(game: Game) -> str:
    try:
        return rhythm_sentence(Rhythm.read(game.terms.rhythm), wording.language())
    except Unfit:
        return _("The game master says when each phase ends.")


def _deadlines(game: Game) -> Iterator[str]:
    yield from lateness(game)
    yield _sentence(game, "drafts_count")
    yield _absences(game.terms.absence_days)
    if game.terms.absence_days and game.terms.anonymity != Anonymity.OPEN:
        yield _("The other players see what the deadline does, not the dates.")


def lateness(game: Game) -> Iterator[str]:
    """When orders are due, and what becomes of a power that is late."""
    terms = game.terms
    yield _pace(game)
    yield _sentence(game, "absent")
    if terms.absent == Absent.EXTEND:
        yield _extensions(terms.extensions)
    yield _patience(terms.patience)


def _extensions(number: int) -> str:
    if not number:
        return _("A phase is never extended by itself.")
    return ngettext(
        "A phase is extended by itself %(number)s time at most.",
        "A phase is extended by itself %(number)s times at most.",
        number,
    ) % {"number": number}


def _patience(number: int) -> str:
    if not number:
        return _("A power is waited for each time, however often its sheets are missing.")
    return ngettext(
        "After %(number)s movement phase without a sheet, a power is in civil disorder: nobody waits for "
        "it until its player returns.",
        "After %(number)s movement phases in a row without a sheet, a power is in civil disorder: nobody "
        "waits for it until its player returns.",
        number,
    ) % {"number": number}


def _absences(days: int) -> str:
    if not days:
        return _("Absences do not move deadlines.")
    return ngettext(
        "A player may announce absences beforehand: deadlines move for %(days)s day at most.",
        "A player may announce absences beforehand: deadlines move for %(days)s days at most.",
        days,
    ) % {"days": days}


def _end(game: Game, zone: str) -> Iterator[str]:
    variant, terms = variants.load(game.variant), game.terms
    needed = variant.setting.victory.needed(variant.board)
    own = readings.victory(game, variant)
    yield own or _("Whoever holds %(centres)s centres wins alone.") % {"centres": needed}
    yield _sentence(game, "draw")
    if terms.last_year:
        yield _("The game ends with the year %(year)s; then the most centres win.") % {
            "year": terms.last_year
        }
        yield _sentence(game, "last_after")
    else:
        yield _("No last year is set.")
    if terms.ends_at:
        when = said(terms.ends_at, zone, wording.language())
        yield _("The game ends at the latest on %(when)s; then the most units win.") % {"when": when}
    yield _sentence(game, "scoring")
