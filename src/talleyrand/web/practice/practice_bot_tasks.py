"""The computer’s powers order, one after the other, and the phase is played: what is due stands in a row.

Each piece of work is kept before the next begins. Whoever does it, and how often it is begun again, the same
seed leads to the same orders, and a phase is played once: the row, the game and its turns change together.
"""

from __future__ import annotations

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import question_input, received_orders
from talleyrand.negotiation.bot_duties import NO_DUTIES, BotDuties
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Lines, Question, QuestionRefusal
from talleyrand.web.bots import bot_players, bot_queue
from talleyrand.web.bots.bot_queue import ReportProgress
from talleyrand.web.claims import ClaimLost, Sweep, own_rows, unclaimed

from . import practice_games
from .bot_talk import BotTalk
from .models import PracticeBotTask, PracticeGame, random_token
from .practice_games import PracticeFinished, PracticeHistory, PracticeOvertaken

UNTIL_CHOICE, ONE_PHASE, ONE_YEAR = (
    "choice",
    "phase",
    "year",
)  # until the player has one; until one is played; a year
BOT_GOALS = (UNTIL_CHOICE, ONE_PHASE, ONE_YEAR)
MOST_WAITING = 24
MOST_A_VISITOR = 3

logger = logging.getLogger(__name__)


class BotsBusy(Exception):
    """Too many games wait for the computer: this visitor’s own (`is_visitor_limit`), or everybody’s."""

    def __init__(self, *, own: bool) -> None:
        super().__init__()
        self.is_visitor_limit = own


def request_practice_bots(game: PracticeGame, number: int, submission: str, visitor: str, until: str) -> None:
    """Have the open phase played with the computer’s orders; twice the same is once.

    What was due before and has been reached makes room, though its worker has not tidied it away yet.
    Raises PracticeOvertaken, PracticeFinished and BotsBusy.
    """
    before = practice_bot_task_of(game)
    if game.turns.filter(submission_id=submission).exists() or (before and before.phase_number != number):
        return
    question = PracticeHistory(game).open_question(number)
    if before is not None and not _is_reached(before, game, question):
        return
    fields = {"phase_number": number, "submission_id": submission, "visitor_id": visitor, "goal": until}
    with transaction.atomic():
        if before is not None:
            before.delete()
        _make_room(visitor)
        PracticeBotTask.objects.get_or_create(game=game, defaults={"first_phase_number": number, **fields})


def practice_bot_task_of(game: PracticeGame) -> PracticeBotTask | None:
    """What the computer is due to do in a game."""
    return PracticeBotTask.objects.filter(game=game).first()


def _make_room(visitor: str) -> None:
    waiting = PracticeBotTask.objects.filter(error="")
    if waiting.filter(visitor_id=visitor).count() >= MOST_A_VISITOR:
        raise BotsBusy(own=True)
    if waiting.count() >= MOST_WAITING:
        raise BotsBusy(own=False)


def stop_bots(game: PracticeGame) -> None:
    """Nothing is due any more; the orders in preparation stay."""
    PracticeBotTask.objects.filter(game=game).delete()


def retry_bots(game: PracticeGame) -> None:
    """Begin again after a trouble."""
    PracticeBotTask.objects.filter(game=game).exclude(error="").update(error="")


def deciding_bots(question: Question, bots: dict[str, str]) -> dict[str, str]:
    """The computer’s powers that have something to decide in a phase, with their players."""
    return {power: bots[power] for power in adjudicator.deciding_powers(question) if power in bots}


def do_only_bots_decide(question: Question, bots: dict[str, str]) -> bool:
    """Whether the computer alone has something to decide."""
    return bool(bots) and set(adjudicator.deciding_powers(question)) <= set(bots)


# the queue


def due_practice_bot_tasks(_now: datetime) -> QuerySet[PracticeBotTask]:
    """What waits for no player, the oldest first."""
    return PracticeBotTask.objects.filter(error="").order_by("requested_at", "pk")


def tasks_ahead_of(row: PracticeBotTask) -> int:
    """How many games wait before this one."""
    now = timezone.now()
    waiting = unclaimed(due_practice_bot_tasks(now), now).exclude(pk=row.pk)
    return waiting.filter(requested_at__lt=row.requested_at).count()


# the work


def do_practice_bot_task(sweep: Sweep, row: PracticeBotTask, report: ReportProgress) -> None:
    """Do all that is due in a row; what fails parks it with its trouble, of which the player is told."""
    try:
        while _advance(sweep, row, report):
            pass
    except ClaimLost:
        raise
    except ImportError:
        sweep.leave(row, error="missing")
    except (TalleyrandError, QuestionRefusal):
        sweep.leave(row, error="refused")
    except Exception:
        logger.exception("the computer’s players failed in game %s", row.game_id)
        sweep.leave(row, error="fault")


def _advance(sweep: Sweep, row: PracticeBotTask, report: ReportProgress) -> bool:
    """The next piece: one power’s orders, or the phase; False when nothing is left."""
    game = PracticeGame.objects.get(pk=row.game_id)
    try:
        question = PracticeHistory(game).open_question(row.phase_number)
    except (PracticeOvertaken, PracticeFinished):
        question = None
    if question is None or _is_reached(row, game, question):
        own_rows(row).delete()
        return False
    asked = deciding_bots(question, game.bots)
    for power, code in asked.items():
        if row.found_orders.get(power, {}).get("code") != code:
            said = {**bot_players.without_bot_powers(game.draft_orders, game.bots), **_lines(row)}
            duties = BotTalk(game).duties(question, power)
            lines = bot_orders(question, power, code, game.seed, report, said, duties)
            _find(sweep, row, power, code, lines)
            return True
    _play(sweep, row, game, question, {power: _lines(row)[power] for power in asked})
    return True


def _is_reached(row: PracticeBotTask, game: PracticeGame, question: Question) -> bool:
    """Whether the game has gone as far as was asked."""
    if row.phase_number == row.first_phase_number:
        return row.goal != UNTIL_CHOICE and not do_only_bots_decide(question, game.bots)
    if row.goal == ONE_PHASE or not do_only_bots_decide(question, game.bots):
        return True
    if row.goal == UNTIL_CHOICE:
        return bool(question["phase"].endswith("M"))
    begun = PracticeHistory(game).played_phases[row.first_phase_number - 1]
    return bool(question["phase"][1:-1] != begun[1:-1])


def bot_orders(
    question: Question,
    power: str,
    code: str,
    seed: str,
    report: ReportProgress,
    said: Lines | None = None,
    duties: BotDuties = NO_DUTIES,
) -> list[str]:
    """The orders of one of the computer’s players, in normal form.

    It is given the position alone, and nobody’s orders; but a seat without land hears what the others have
    `said` openly; `duties` are what it has agreed to. Raises ImportError where this site has no such
    players.
    """
    from talleyrand.simulation.bots import by_name
    from talleyrand.simulation.bots.political_bots import public_orders
    from talleyrand.simulation.bots.power_orders import orders_for_power

    theirs = {seat: list(lines) for seat, lines in (said or {}).items() if seat}
    asked = question_input.read_question({**question, "orders": theirs})
    player, _colon, strength = bot_players.playing_bot(code).partition(":")
    bot = by_name(player, strength or "normal", by_count=True)  # a clock would make orders differ under load
    setting, book = asked.variant.definition, asked.rulebook.adjudication_rules
    heard = (
        public_orders(received_orders.read_received_orders(asked).orders())
        if power in setting.board.landless
        else {}
    )
    number = bot_players.seed_number(seed)
    orders = orders_for_power(setting, book, asked.position, power, bot, number, report, heard, duties)
    return [str(order) for order in orders]


def _lines(row: PracticeBotTask) -> dict[str, list[str]]:
    """The orders that are found already."""
    return {power: found["lines"] for power, found in row.found_orders.items()}


def _find(sweep: Sweep, row: PracticeBotTask, power: str, code: str, lines: list[str]) -> None:
    row.found_orders = {**row.found_orders, power: {"code": code, "lines": lines}}
    sweep.hold(row, found_orders=row.found_orders)


def _play(
    sweep: Sweep, row: PracticeBotTask, game: PracticeGame, question: Question, computed: dict[str, list[str]]
) -> None:
    """The phase with everybody’s orders, judged outside of any transaction.

    Nothing happens where the game changed meanwhile: it is looked at again.
    """
    submission = row.submission_id if row.phase_number == row.first_phase_number else random_token()
    turn = practice_games.adjudicated_turn(game, row.phase_number, submission, question, computed)
    with transaction.atomic():
        sweep.hold(row, phase_number=row.phase_number + 1, found_orders={})
        if not practice_games.save_turn(turn):
            transaction.set_rollback(True)
            return
    row.phase_number, row.found_orders = row.phase_number + 1, {}


PRACTICE_BOT_QUEUE = bot_queue.bot_queue(
    due_practice_bot_tasks, do_practice_bot_task, "bots of a practice game"
)
