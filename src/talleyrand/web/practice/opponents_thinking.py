"""The computer’s powers order, one after the other, and the phase is played: what is due stands in a row.

Each piece of work is kept before the next begins. Whoever does it, and how often it is begun again, the same
seed leads to the same orders, and a phase is played once: the row, the game and its turns change together.
"""

from __future__ import annotations

import hashlib
import logging

from django.db import transaction
from django.db.models import QuerySet

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import asking, reading
from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Lines, Question, Unanswered

from . import games, opponents, opponents_queues
from .games import Finished, Overtaken, Story
from .models import Deliberation, PracticeGame, address
from .opponents_queues import Report, Stopped

CHOICE, PHASE, YEAR = "choice", "phase", "year"  # until the player has one; until one is played; a year
GOALS = (CHOICE, PHASE, YEAR)
MOST_WAITING = 24
MOST_A_VISITOR = 3

logger = logging.getLogger(__name__)


class Crowded(Exception):
    """Too many games wait for the computer: this visitor’s own (`own`), or everybody’s."""

    def __init__(self, *, own: bool) -> None:
        super().__init__()
        self.own = own


def ask(game: PracticeGame, number: int, submission: str, visitor: str, until: str) -> None:
    """Have the open phase played with the computer’s orders; twice the same is once.

    Raises Overtaken, Finished and Crowded.
    """
    if game.turns.filter(submission=submission).exists() or of(game) is not None:
        return
    Story(game).open_question(number)
    fields = {"number": number, "submission": submission, "visitor": visitor, "until": until}
    with transaction.atomic():
        _make_room(visitor)
        Deliberation.objects.get_or_create(game=game, defaults={"first": number, **fields})


def of(game: PracticeGame) -> Deliberation | None:
    """What the computer is due to do in a game."""
    return Deliberation.objects.filter(game=game).first()


def _make_room(visitor: str) -> None:
    waiting = Deliberation.objects.filter(trouble="")
    if waiting.filter(visitor=visitor).count() >= MOST_A_VISITOR:
        raise Crowded(own=True)
    if waiting.count() >= MOST_WAITING:
        raise Crowded(own=False)


def stop(game: PracticeGame) -> None:
    """Nothing is due any more; the orders in preparation stay."""
    Deliberation.objects.filter(game=game).delete()


def retry(game: PracticeGame) -> None:
    """Begin again after a trouble."""
    Deliberation.objects.filter(game=game).exclude(trouble="").update(trouble="", worker="")


def decides(question: Question, bots: dict[str, str]) -> dict[str, str]:
    """The computer’s powers that have something to decide in a phase, with their players."""
    return {power: bots[power] for power in referee.choosers(question) if power in bots}


def is_watched(question: Question, bots: dict[str, str]) -> bool:
    """Whether the computer alone has something to decide."""
    return bool(bots) and set(referee.choosers(question)) <= set(bots)


# the queue


def due() -> QuerySet[Deliberation]:
    """What waits for no player, the oldest first."""
    return Deliberation.objects.filter(trouble="").order_by("asked", "pk")


def ahead_of(row: Deliberation) -> int:
    """How many games wait before this one."""
    return opponents_queues.free(due()).filter(asked__lt=row.asked).exclude(pk=row.pk).count()


# the work


def work(row: Deliberation, report: Report) -> None:
    """Do all that is due in a row; what fails parks it with its trouble."""
    try:
        while _advance(row, report):
            pass
    except Stopped:
        return
    except ImportError:
        _park(row, "missing")
    except (TalleyrandError, Unanswered):
        _park(row, "refused")
    except Exception:
        # a thread has nobody above it; the player is told
        logger.exception("the computer’s players failed in game %s", row.game_id)
        _park(row, "fault")


def _park(row: Deliberation, trouble: str) -> None:
    opponents_queues.mine(row).update(trouble=trouble, worker="")


def _advance(row: Deliberation, report: Report) -> bool:
    """The next piece: one power’s orders, or the phase; False when nothing is left."""
    game = PracticeGame.objects.get(pk=row.game_id)
    try:
        question = Story(game).open_question(row.number)
    except (Overtaken, Finished):
        question = None
    if question is None or _is_reached(row, game, question):
        opponents_queues.mine(row).delete()
        return False
    asked = decides(question, game.bots)
    for power, code in asked.items():
        if row.found.get(power, {}).get("code") != code:
            said = {**opponents.without(game.draft, game.bots), **_lines(row)}
            _find(row, power, code, think(question, power, code, game.seed, report, said))
            return True
    _play(row, game, question, {power: _lines(row)[power] for power in asked})
    return True


def _is_reached(row: Deliberation, game: PracticeGame, question: Question) -> bool:
    """Whether the game has gone as far as was asked."""
    if row.number == row.first:
        return row.until != CHOICE and not is_watched(question, game.bots)
    if row.until == PHASE or not is_watched(question, game.bots):
        return True
    if row.until == CHOICE:
        return bool(question["phase"].endswith("M"))
    begun = Story(game).phases[row.first - 1]
    return bool(question["phase"][1:-1] != begun[1:-1])


def think(
    question: Question, power: str, code: str, seed: str, report: Report, said: Lines | None = None
) -> list[str]:
    """The orders of one of the computer’s players, in normal form.

    It is given the position alone, and nobody’s orders; but a seat without land hears what the others have
    `said` openly. Raises ImportError where this site has no such players.
    """
    from talleyrand.simulation.bots import by_name
    from talleyrand.simulation.bots.answering import answer
    from talleyrand.simulation.bots.politics import openly

    theirs = {seat: list(lines) for seat, lines in (said or {}).items() if seat}
    asked = asking.read_question({**question, "orders": theirs})
    player, _colon, strength = code.partition(":")
    bot = by_name(player, strength or "normal")
    setting, book = asked.variant.setting, asked.book.judge
    heard = openly(reading.read_question(asked).orders()) if power in setting.board.landless else {}
    orders = answer(setting, book, asked.position, power, bot, number_of(seed), report, heard)
    return [str(order) for order in orders]


def _lines(row: Deliberation) -> dict[str, list[str]]:
    """The orders that are found already."""
    return {power: found["lines"] for power, found in row.found.items()}


def number_of(seed: str) -> int:
    """The seed of a game as a number."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7], "big")


def _find(row: Deliberation, power: str, code: str, lines: list[str]) -> None:
    row.found = {**row.found, power: {"code": code, "lines": lines}}
    opponents_queues.keep(row, found=row.found)


def _play(row: Deliberation, game: PracticeGame, question: Question, computed: dict[str, list[str]]) -> None:
    """The phase with everybody’s orders, judged outside of any transaction.

    Nothing happens where the game changed meanwhile: it is looked at again.
    """
    submission = row.submission if row.number == row.first else address()
    turn = games.judged(game, row.number, submission, question, computed)
    with transaction.atomic():
        opponents_queues.keep(row, number=row.number + 1, found={})
        if not games.publish(turn):
            transaction.set_rollback(True)
            return
    row.number, row.found = row.number + 1, {}


QUEUE = opponents_queues.Queue(due, work)
