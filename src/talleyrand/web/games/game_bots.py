"""The seats of a game that the computer plays: what it has to answer, and its sheets.

It knows the position, what is public and what it has agreed to (`bot_agreements`), no sheet of anybody. The
game’s own seed, the phase and the power say what it draws, so that whoever begins again after a crash comes
to the same orders.
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
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots import bot_players, bot_queue, bot_threads
from talleyrand.web.bots.bot_queue import ReportProgress
from talleyrand.web.claims import ClaimLost, Counted, Sweep
from talleyrand.web.common import visitor_quota
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.practice import practice_bot_tasks

from . import (
    bot_agreements,
    game_log,
    given_seats,
    open_seats,
    order_submission,
    phase_deadlines,
    power_assignments,
    recipients,
)
from .bot_agreements import GameAgreements
from .bot_letter_models import BotLetterTask
from .game_history import GameHistory
from .models import (
    RUNNING_STATES,
    Game,
    GameBotTask,
    GameLogEntry,
    GameSeat,
    OrderSet,
    PhaseRevision,
    PowerAssignment,
)
from .order_queries import BOT

LONGEST_BOT_WAIT = timedelta(
    minutes=5
)  # how long a game waits for the computer alone: longer than a worker's silence
QUICK_AFTER = timedelta(minutes=1)  # of waiting for the computer alone, after which it thinks no longer
MOST_WORKER_DEATHS = 3  # workers that one power may cost before it is given up for the phase

logger = logging.getLogger(__name__)


def request_bot_orders(game: Game) -> None:
    """Have the computer look at the open phase, once more if it has already, where it plays in this game.

    To be called inside the transaction that changes it.
    """
    if not power_assignments.bots_by_power(game):
        return
    payer = visitor_quota.account_purse(game.creator_id) if game.creator_id else ""
    turn, made = GameBotTask.objects.get_or_create(game=game, defaults={"visitor_id": payer})
    if not made:
        again = {
            "request_count": F("request_count") + 1,
            "failed_powers": [],
            "attempts": 0,
            "waiting_since": None,
        }
        GameBotTask.objects.filter(pk=turn.pk).update(**again)


def charge_bots_to(game: Game, visitor: str) -> None:
    """Have what the bots of a game take of the processor paid by whoever began it without an account."""
    GameBotTask.objects.filter(game=game).update(visitor_id=visitor)


def play_for_leavers(game: Game, powers: Collection[str]) -> list[str]:
    """Have a bot play on for powers whose player has gone, where the terms say so and this site has any.

    Gives those that it plays; everyone is told. Inside a transaction.
    """
    aside = power_assignments.seats_for_no_player(game)
    taken = [power for power in powers if power not in aside]
    if not taken or not has_bot_for_leavers(game):
        return []
    power_assignments.assign_bot(game, taken, game.settings.bots_for_leavers)
    for power in taken:
        given_seats.follow_players(game, power)
        once = f"bot_seat:{power}:{game.phase_number}:{timezone.now().isoformat()}"
        recipients.notify_about_game(game, recipients.member_ids(game), "bot_seat", once, power=power)
    request_bot_orders(game)
    game_log.add_log_entry(game, "computer", powers=taken)
    return taken


def has_bot_for_leavers(game: Game) -> bool:
    """Whether a bot takes over from players who leave or are absent too long."""
    return bool(game.settings.bots_for_leavers) and bot_players.bots_available()


def play_for_absent(game: Game, powers: Collection[str]) -> None:
    """Have a bot play on for powers whose player has missed too many phases, and looks on from now on. Inside
    the transaction that opens a phase.
    """
    for power in powers:
        held = PowerAssignment.objects.filter(seat__game=game, seat__power=power, ended_at=None)
        people = set(held.exclude(person=None).values_list("person", flat=True))
        power_assignments.end_assignment(game, power)
        game_log.add_log_entry(game, "absent_player", power=power)
        for person in people.difference(power_assignments.player_ids(game)):
            open_seats.look_on(game, person)
    play_for_leavers(game, powers)


def due_game_bot_tasks(_now: datetime) -> QuerySet[GameBotTask]:
    """The games in which the computer has something to look at: those that wait for it first, then the next
    deadline.
    """
    before = PhaseRevision.objects.filter(
        game=OuterRef("game"), phase_number=OuterRef("game__phase_number") - 1, is_current=True
    ).values("pk")
    plays = GameSeat.objects.filter(game=OuterRef("game")).exclude(bot="")
    rows = GameBotTask.objects.annotate(follows=Coalesce(Subquery(before[:1]), Value(0)))
    unanswered = ~Q(base_revision_id=F("follows")) | Q(answered_count__lt=F("request_count"))
    found = rows.filter(
        unanswered, Exists(plays), game__state__in=RUNNING_STATES, game__adjudication_error=""
    )
    return found.order_by(
        F("waiting_since").asc(nulls_last=True), F("game__deadline").asc(nulls_last=True), "pk"
    )


def wake_bots_if_due() -> None:
    """Have what is due done, orders and letters, if nobody is at it."""
    if bot_queue.has_due_tasks():
        bot_threads.wake_bots_elsewhere()


def bots_wait_until(game: Game, lacking: Collection[str], now: datetime) -> datetime | None:
    """Until when the open phase, which nobody else keeps open, waits for these powers of the computer; None
    where it does not, since they could not be ordered or their time is over.
    """
    turn = GameBotTask.objects.filter(game=game).first() if lacking else None
    if turn is None or set(lacking) <= set(turn.failed_powers):
        return None
    until = (_waited_since(turn, game) or now) + LONGEST_BOT_WAIT
    return until if now < until else None


def start_waiting_for_bots(game: Game, now: datetime) -> None:
    """The game waits for the computer alone from now on."""
    turn = GameBotTask.objects.filter(game=game).first()
    if turn is not None and _waited_since(turn, game) is None:
        GameBotTask.objects.filter(pk=turn.pk).update(waiting_since=now)


def _waited_since(turn: GameBotTask, game: Game) -> datetime | None:
    """Since when the open phase waits for the computer: what was noted for one before it tells nothing."""
    since, opened = turn.waiting_since, game.phase_opened_at
    return since if since is not None and (opened is None or since >= opened) else None


# the work


@dataclass(frozen=True)
class _OpenBotPhase:
    """The open phase of a game as the computer has to answer it."""

    game: Game
    base: int
    question: Question
    bots: dict[str, str]
    deciding: tuple[str, ...]  # its powers, seats without land last: they hear what the others say
    agreements: GameAgreements

    def answer_key(self, power: str, *, quick: bool) -> str:
        """One name for each of its answers, whoever gives it."""
        agreed = self.agreements.mark(self.question, power)
        return f"computer {self.base} {self.bots[power]}{agreed}{' quick' * quick}"

    def answer_of(self, power: str) -> OrderSet | None:
        """What it has answered for a power."""
        keys = [self.answer_key(power, quick=quick) for quick in (False, True)]
        found = [order_submission.order_set_by_key(self.game, power, key) for key in keys]
        return max(filter(None, found), key=lambda one: one.receipt_number, default=None)


def do_game_bot_task(sweep: Sweep, row: GameBotTask, report: ReportProgress) -> None:
    """Answer for every seat of the computer in the open phase; what fails leaves its seat without a sheet."""
    while _advance(sweep, row, report):
        pass


def _after_failure(sweep: Sweep, row: GameBotTask) -> None:
    """It is tried again once the claim has ended, but not for ever."""
    if row.attempts > MOST_WORKER_DEATHS:
        _give_up(sweep, row)


def _advance(sweep: Sweep, row: GameBotTask, report: ReportProgress) -> bool:
    """The next piece: one power’s sheet; False when nothing is left."""
    row.refresh_from_db(
        fields=[
            "request_count",
            "answered_count",
            "failed_powers",
            "base_revision_id",
            "attempts",
            "waiting_since",
        ]
    )
    phase = _phase(row)
    if phase is None:
        _give_up(sweep, row)
        return False
    if row.base_revision_id != phase.base:
        row.base_revision_id, row.failed_powers = phase.base, []
        _have_bots_propose(phase, row.visitor_id)
        sweep.hold(row, base_revision_id=phase.base, failed_powers=[], answered_count=0)
    elif row.answered_count >= row.request_count:  # by another, before it was claimed
        sweep.leave(row, attempts=0)
        return False
    todo = _unanswered(phase, row.failed_powers)
    if not todo:
        _finish(sweep, row, phase)
        return False
    _answer(sweep, row, phase, todo[0], report)
    return True


def _have_bots_propose(phase: _OpenBotPhase, payer: str) -> None:
    """Once in each phase of movements: what they then write is the letters’ affair."""
    game = phase.game
    if game.phase[-1:] == "M" and bot_agreements.talking_bots(game):
        which = {"game": game, "phase_number": game.phase_number, "letter_id": 0}
        BotLetterTask.objects.get_or_create(**which, defaults={"visitor_id": payer})


def _give_up(sweep: Sweep, row: GameBotTask) -> None:
    """Nothing can be answered here, until another phase is open."""
    before = _before(Game.objects.get(pk=row.game_id))
    failed = list(GameSeat.objects.filter(game=row.game_id).exclude(bot="").values_list("power", flat=True))
    base = before.pk if before else 0
    sweep.leave(
        row, base_revision_id=base, answered_count=row.request_count, failed_powers=failed, attempts=0
    )


def _before(game: Game) -> PhaseRevision | None:
    """What the open phase follows from."""
    return (
        PhaseRevision.objects.filter(game=game, phase_number=game.phase_number - 1, is_current=True)
        .only("pk")
        .first()
    )


def _phase(row: GameBotTask) -> _OpenBotPhase | None:
    game = Game.objects.get(pk=row.game_id)
    story = GameHistory(game)
    before, question = _before(game), story.question(game.phase_number)
    bots = power_assignments.bots_by_power(game)
    if game.state not in RUNNING_STATES or before is None or question is None or not bots:
        return None
    landless = story.variant.board.landless
    mine = [power for power in adjudicator.deciding_powers(question) if power in bots]
    deciding = tuple(sorted(mine, key=lambda one: one in landless))
    return _OpenBotPhase(game, before.pk, question, bots, deciding, GameAgreements(game))


def _unanswered(phase: _OpenBotPhase, failed: Collection[str]) -> list[str]:
    final = set(phase.game.seats.filter(is_ready=True).values_list("power", flat=True))
    done = final & set(order_submission.counting_order_sets(phase.game, phase.game.phase_number))
    done -= bot_agreements.unordered_powers(phase.game)
    return [power for power in phase.deciding if power not in done and power not in failed]


def _answer(sweep: Sweep, row: GameBotTask, phase: _OpenBotPhase, power: str, report: ReportProgress) -> None:
    """One power’s sheet, or that there is none."""
    if row.attempts > MOST_WORKER_DEATHS:
        logger.error("game %s: several workers came to their end with %s", phase.game.key, power)
        _fail(sweep, row, power)
        return
    try:
        _hand_in(phase, power, report, quick=_is_hurried(row, phase.game, phase.bots[power]))
    except ClaimLost:
        raise
    except Exception:
        if _is_overtaken(phase, power):
            return  # what is open by now is looked at again
        logger.exception("game %s: the computer could not order %s", phase.game.key, power)
        _fail(sweep, row, power)
        return
    sweep.hold(row, attempts=0)


def _fail(sweep: Sweep, row: GameBotTask, power: str) -> None:
    sweep.hold(row, failed_powers=[*row.failed_powers, power], attempts=0)


def _is_overtaken(phase: _OpenBotPhase, power: str) -> bool:
    game = Game.objects.get(pk=phase.game.pk)
    before = _before(game)
    here = before is not None and before.pk == phase.base and game.state in RUNNING_STATES
    return not here or power_assignments.bots_by_power(game).get(power) != phase.bots[power]


def _is_hurried(row: GameBotTask, game: Game, code: str) -> bool:
    """Whether a bot that takes long has no time left, as all others wait for it, or nothing in its purse."""
    if not bot_players.takes_long(code):
        return False
    since = _waited_since(row, game)
    waits = since is not None and timezone.now() - since > QUICK_AFTER
    return waits or visitor_quota.quota_exceeded(row.visitor_id)


def _hand_in(phase: _OpenBotPhase, power: str, report: ReportProgress, *, quick: bool) -> None:
    """A sheet that stands already (somebody handed it in who has left, or it was the last thing done before a
    crash) is left as it is. Raises OrdersRefusal.
    """
    game, number, now = phase.game, phase.game.phase_number, timezone.now()
    standing = order_submission.counting_order_set(game, power, number)
    key = phase.answer_key(power, quick=quick)
    if standing is None or (standing.origin == BOT and standing != phase.answer_of(power)):
        lines = _lines(phase, power, report, quick=quick)
        order_submission.submit_orders(
            game, power, lines, number=number, key=key, origin=BOT, at=now, final=True
        )
    order_submission.set_ready(game, power, number, final=True, at=min(now, game.deadline or now))
    phase.agreements.note_ordered(power)


def _lines(phase: _OpenBotPhase, power: str, report: ReportProgress, *, quick: bool) -> list[str]:
    said = {}
    if power in variants.load(phase.game.variant).board.landless:
        mine = {
            "game": phase.game,
            "phase_number": phase.game.phase_number,
            "origin": BOT,
            "withdrawn_at": None,
        }
        said = {sheet.power: sheet.lines for sheet in OrderSet.objects.filter(**mine)}
    code = bot_players.QUICK_BOT if quick else phase.bots[power]
    duties = phase.agreements.duties(phase.question, power)
    return practice_bot_tasks.bot_orders(phase.question, power, code, phase.game.seed, report, said, duties)


@write_transaction
def _finish(sweep: Sweep, row: GameBotTask, phase: _OpenBotPhase) -> None:
    """All is answered that was asked by then."""
    game = Game.objects.select_for_update().get(pk=phase.game.pk)
    if not sweep.leave(row, answered_count=row.request_count, attempts=0):
        raise ClaimLost
    phase_deadlines.wake_clock(game, timezone.now())
    hurried = [power for power in phase.deciding if _is_hurried(row, phase.game, phase.bots[power])]
    keys = {power: phase.answer_key(power, quick=True) for power in hurried}
    quick = [power for power, key in keys.items() if order_submission.order_set_by_key(game, power, key)]
    told = {"kind": "computer_quick", "phase_number": phase.game.phase_number}
    if quick and not GameLogEntry.objects.filter(game=game, **told).exists():
        game_log.add_log_entry(game, "computer_quick", powers=quick, phase=phase.game.phase)
    if row.failed_powers and game.phase_number == phase.game.phase_number:
        once = f"computer_failed:{phase.base}:{row.request_count}"
        game_log.add_log_entry(game, "computer_failed", powers=row.failed_powers, phase=game.phase)
        recipients.notify_about_game(
            game, recipients.game_master_ids(game), "computer_failed", once, powers=row.failed_powers
        )


GAME_BOT_QUEUE = bot_queue.bot_queue(
    due_game_bot_tasks,
    do_game_bot_task,
    "bots of a game",
    claimable=lambda _now: GameBotTask.objects.order_by("requested_at", "pk"),
    counted=Counted.EVERY,
    failed=_after_failure,
)
