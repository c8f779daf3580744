"""The seats of a game that the computer plays: what it has to answer, and its sheets.

It knows the position and what is public, no sheet of anybody and no letter. The game’s own seed, the phase
and the power say what it draws, so that whoever begins again after a crash comes to the same orders.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Question
from talleyrand.web.practice import opponents_queues, opponents_thinking, opponents_threads
from talleyrand.web.practice.opponents_queues import Report, Stopped

from . import audience, dating, inbox, log, seats
from .inbox import COMPUTER
from .models import RUNNING, ComputerTurn, Game, Revision, Seat, Sheet
from .story import Story
from .writing import writing

PATIENCE = timedelta(
    minutes=5
)  # how long a game waits for the computer alone: longer than a worker's silence
DEATHS = 3  # workers that one power may cost before it is given up for the phase

logger = logging.getLogger(__name__)


def ask(game: Game) -> None:
    """Have the computer look at the open phase, once more if it has already, where it plays in this game.

    To be called inside the transaction that changes it.
    """
    if not seats.of_computer(game):
        return
    turn, made = ComputerTurn.objects.get_or_create(game=game)
    if not made:
        again = {"requests": F("requests") + 1, "failed": [], "deaths": 0, "waited": None}
        ComputerTurn.objects.filter(pk=turn.pk).update(**again)


def due() -> QuerySet[ComputerTurn]:
    """The games in which the computer has something to look at."""
    before = Revision.objects.filter(
        game=OuterRef("game"), number=OuterRef("game__number") - 1, current=True
    ).values("pk")
    plays = Seat.objects.filter(game=OuterRef("game")).exclude(bot="")
    rows = ComputerTurn.objects.annotate(follows=Coalesce(Subquery(before[:1]), Value(0)))
    unanswered = ~Q(base=F("follows")) | Q(answered__lt=F("requests"))
    found = rows.filter(unanswered, Exists(plays), game__state__in=RUNNING, game__trouble="")
    return found.order_by("asked", "pk")


def see_to() -> None:
    """Have what is due done, if nobody is at it."""
    if opponents_queues.free(due()).exists():
        opponents_threads.call()


def waited_for(game: Game, lacking: Collection[str], now: datetime) -> datetime | None:
    """Until when the open phase, which nobody else keeps open, waits for these powers of the computer; None
    where it does not, since they could not be ordered or their time is over.
    """
    turn = ComputerTurn.objects.filter(game=game).first() if lacking else None
    if turn is None or set(lacking) <= set(turn.failed):
        return None
    until = (turn.waited or now) + PATIENCE
    return until if now < until else None


def wait(game: Game, now: datetime) -> None:
    """The game waits for the computer alone from now on."""
    ComputerTurn.objects.filter(game=game, waited=None).update(waited=now)


# the work


@dataclass(frozen=True)
class _Phase:
    """The open phase of a game as the computer has to answer it."""

    game: Game
    base: int
    question: Question
    bots: dict[str, str]
    deciding: tuple[str, ...]  # its powers, seats without land last: they hear what the others say

    @property
    def form(self) -> str:
        """One name for each of its answers, whoever gives it."""
        return f"computer {self.base}"


def work(row: ComputerTurn, report: Report) -> None:
    """Answer for every seat of the computer in the open phase; what fails leaves its seat without a sheet."""
    try:
        _count_death(row)
        while _advance(row, report):
            pass
    except Stopped:
        return
    except Exception:
        # a thread has nobody above it; the row is anybody's again once its worker has been silent for long
        logger.exception("game %s: the computer’s players failed", row.game_id)
        if row.deaths > DEATHS:
            _give_up(row)


def _count_death(row: ComputerTurn) -> None:
    """This worker counts as dead until it has done something."""
    opponents_queues.keep(row, deaths=F("deaths") + 1)
    row.refresh_from_db()


def _advance(row: ComputerTurn, report: Report) -> bool:
    """The next piece: one power’s sheet; False when nothing is left."""
    row.refresh_from_db(fields=["requests", "failed", "base", "deaths"])
    phase = _phase(row)
    if phase is None:
        _give_up(row)
        return False
    if row.base != phase.base:
        row.base, row.failed = phase.base, []
        opponents_queues.keep(row, base=phase.base, failed=[], answered=0, waited=None)
    todo = _unanswered(phase, row.failed)
    if not todo:
        _finish(row, phase)
        return False
    _answer(row, phase, todo[0], report)
    return True


def _give_up(row: ComputerTurn) -> None:
    """Nothing can be answered here, until another phase is open."""
    before = _before(Game.objects.get(pk=row.game_id))
    failed = list(Seat.objects.filter(game=row.game_id).exclude(bot="").values_list("power", flat=True))
    told = {"base": before.pk if before else 0, "answered": row.requests, "failed": failed}
    opponents_queues.mine(row).update(**told, deaths=0, worker="")


def _before(game: Game) -> Revision | None:
    """What the open phase follows from."""
    return Revision.objects.filter(game=game, number=game.number - 1, current=True).only("pk").first()


def _phase(row: ComputerTurn) -> _Phase | None:
    game = Game.objects.get(pk=row.game_id)
    story = Story(game)
    before, question = _before(game), story.question(game.number)
    bots = seats.of_computer(game)
    if game.state not in RUNNING or before is None or question is None or not bots:
        return None
    landless = story.variant.board.landless
    mine = [power for power in referee.choosers(question) if power in bots]
    return _Phase(game, before.pk, question, bots, tuple(sorted(mine, key=lambda one: one in landless)))


def _unanswered(phase: _Phase, failed: Collection[str]) -> list[str]:
    final = set(phase.game.seats.filter(final=True).values_list("power", flat=True))
    done = final & set(inbox.counting(phase.game, phase.game.number))
    return [power for power in phase.deciding if power not in done and power not in failed]


def _answer(row: ComputerTurn, phase: _Phase, power: str, report: Report) -> None:
    """One power’s sheet, or that there is none."""
    if row.deaths > DEATHS:
        logger.error("game %s: several workers came to their end with %s", phase.game.key, power)
        _fail(row, power)
        return
    try:
        _hand_in(phase, power, report)
    except Stopped:
        raise
    except Exception:
        if _is_overtaken(phase, power):
            return  # what is open by now is looked at again
        logger.exception("game %s: the computer could not order %s", phase.game.key, power)
        _fail(row, power)
        return
    row.deaths = 0
    opponents_queues.keep(row, deaths=0)


def _fail(row: ComputerTurn, power: str) -> None:
    row.failed, row.deaths = [*row.failed, power], 0
    opponents_queues.keep(row, failed=row.failed, deaths=0)


def _is_overtaken(phase: _Phase, power: str) -> bool:
    game = Game.objects.get(pk=phase.game.pk)
    before = _before(game)
    here = before is not None and before.pk == phase.base and game.state in RUNNING
    return not here or seats.of_computer(game).get(power) != phase.bots[power]


def _hand_in(phase: _Phase, power: str, report: Report) -> None:
    """A sheet that stands already (somebody handed it in who has left, or it was the last thing done before a
    crash) is left as it is. Raises NotTaken.
    """
    game, number, now = phase.game, phase.game.number, timezone.now()
    standing = inbox.counted(game, power, number)
    key = f"{phase.form} {phase.bots[power]}"
    known = inbox.handed(game, power, key)
    if standing is None or (standing.origin == COMPUTER and standing != known):
        lines = _lines(phase, power, report)
        inbox.hand_in(game, power, lines, number=number, key=key, origin=COMPUTER, at=now, final=True)
    inbox.set_final(game, power, number, final=True, at=min(now, game.due or now))


def _lines(phase: _Phase, power: str, report: Report) -> list[str]:
    said = {}
    if power in variants.load(phase.game.variant).board.landless:
        mine = {"game": phase.game, "number": phase.game.number, "origin": COMPUTER, "withdrawn": None}
        said = {sheet.power: sheet.lines for sheet in Sheet.objects.filter(**mine)}
    return opponents_thinking.think(phase.question, power, phase.bots[power], phase.game.seed, report, said)


@writing
def _finish(row: ComputerTurn, phase: _Phase) -> None:
    """All is answered that was asked by then."""
    game = Game.objects.select_for_update().get(pk=phase.game.pk)
    opponents_queues.keep(row, answered=row.requests, worker="", deaths=0)
    dating.wake(game, timezone.now())
    if row.failed and game.number == phase.game.number:
        once = f"computer_failed:{phase.base}:{row.requests}"
        log.note(game, "computer_failed", powers=row.failed, phase=game.phase)
        audience.tell(game, audience.masters(game), "computer_failed", once, powers=row.failed)


QUEUE = opponents_queues.Queue(due, work)
