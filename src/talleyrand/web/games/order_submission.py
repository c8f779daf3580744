"""The one inbox of orders: a sheet is acknowledged once it is kept, with its receipt."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import order_drafts
from talleyrand.web.boards.order_drafts import DraftLine, DraftRefusal
from talleyrand.web.boards.order_requests import DraftChange
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.prepared_queries import insert
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import topic_versions

from . import binding_orders, game_log, order_queries, phase_deadlines, power_assignments, recipients
from .game_history import GameHistory
from .models import RUNNING_STATES, Game, GameRole, GameSeat, GameState, OrderSet, random_token
from .order_queries import BOT, DRAFT

MOST_RETRIES = 8
LATE = "late"
ORIGINS_WITHOUT_DEADLINE = ("master", "granted", LATE, BOT)  # origins that no deadline stops
NO_ORDERS, SUBMITTED, READY = "nothing", "saved", "final"


class OrdersRefusal(Exception):
    """What is not taken, and nothing has changed.

    `late`, `later` (others that came after these stand), `moved` (another phase is open now), `over`,
    `not_begun`, `repeated` (this form has brought other orders already: they stand, as `order_set`),
    `nothing` (no sheet that could be final), `no_seat`, `not_yours` (somebody else plays this power now).
    """

    def __init__(self, code: str, sheet: OrderSet | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.order_set = sheet


@dataclass(frozen=True)
class Submission:
    """A sheet as it arrived."""

    power: str
    lines: list[str]
    phase_number: int
    idempotency_key: str
    origin: str
    received_at: datetime
    submitted_by: Person | None = None
    is_ready: bool = False


def submit_orders(
    game: Game,
    power: str,
    lines: Sequence[str],
    *,
    number: int,
    key: str,
    origin: str,
    at: datetime,
    by: Person | None = None,
    final: bool = False,
) -> OrderSet:
    """Keep a whole sheet for phase `number`, received at `at`; the same `key` again is the same sheet.

    An empty sheet is a sheet; one of the game master (origin "master"), or that he lets in ("granted"), and
    one of the computer (COMPUTER) for a seat that it plays, is taken while the phase is open.
    Raises OrdersRefusal, and DraftRefusal for what no sheet may hold.
    """
    handed = Submission(power, _tidy(lines), number, _key(power, key, final), origin, at, by, final)
    failpoint("inbox: sheet read")
    sheet = _hand_in(game.pk, handed)
    failpoint("inbox: sheet committed")
    if sheet.binding_lines is None:
        binding_orders.settle_binding_lines(sheet)
    return sheet


def order_set_by_key(game: Game, power: str, key: str) -> OrderSet | None:
    """The sheet that a key has brought, final or not; it may count no more."""
    keys = [_key(power, key, final) for final in (False, True)]
    return OrderSet.objects.filter(game=game, idempotency_key__in=keys).order_by("receipt_number").last()


def _tidy(lines: Sequence[str]) -> list[str]:
    """The lines that say something; raises DraftRefusal."""
    if any(len(line.splitlines()) > 1 for line in lines):
        raise DraftRefusal("control")
    order_drafts.check_order_text("\n".join(lines))
    return [line.strip() for line in lines if line.strip()]


def _key(power: str, key: str, final: bool) -> str:
    """One form may bring the sheets of several powers, and the same orders once more as final."""
    told = f"{power}\n{final:d}\n{key or random_token()}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


@write_transaction
def _hand_in(pk: int, handed: Submission) -> OrderSet:
    # Counted first, which holds the game: what is read then is what stands until the end.
    _count(pk)
    told = {"power": handed.power, "idempotency_key": handed.idempotency_key}
    game: Any = order_queries.WITH_ITS_SHEETS.get(id=pk, **told)
    if game.same is not None:
        known = _same(OrderSet.objects.select_related("game").get(pk=game.same), handed)
        transaction.set_rollback(True)
        return known
    _check_open(game, handed.phase_number)
    if handed.origin not in ORIGINS_WITHOUT_DEADLINE:
        _check_time(game, handed.power, handed.received_at)
        if game.last is not None and handed.received_at < game.last <= timezone.now():
            raise OrdersRefusal("later")  # told to come back, say, while others were sent
    holder = [game.holder] if game.holder else []
    if handed.origin == BOT:
        _check_computer(game, handed.power)
    elif handed.origin != "master":
        _check_player(holder, handed.submitted_by)
    return _store_submission(game, handed, holder, (game.sheet_count or 0) + 1)


def _same(known: OrderSet, handed: Submission) -> OrderSet:
    if known.withdrawn_at is not None:
        raise OrdersRefusal("moved")  # it counts no more, and must not be acknowledged as if it did
    if known.lines != handed.lines or known.phase_number != handed.phase_number:
        raise OrdersRefusal("repeated", known)
    return known


def _check_open(game: Game, number: int) -> None:
    if game.state == GameState.GATHERING:
        raise OrdersRefusal("not_begun")
    if game.state not in RUNNING_STATES:
        raise OrdersRefusal("over")
    if number != game.phase_number:
        raise OrdersRefusal("moved")


def _check_time(game: Game, power: str, at: datetime) -> None:
    """Whether a sheet has come already is asked of those alone that need some grace."""
    if _is_late(phase_deadlines.orders_accepted_until(game, missing=False), at):
        missing = counting_order_set(game, power, game.phase_number) is None
        if _is_late(phase_deadlines.orders_accepted_until(game, missing=missing), at):
            raise OrdersRefusal("late")


def _is_late(closes: datetime | None, at: datetime) -> bool:
    return closes is not None and at > closes


def _check_player(holder: list[int], by: Person | None) -> None:
    """He may have been replaced since his request was let in."""
    if by is not None and holder != [by.pk]:
        raise OrdersRefusal("not_yours")


def _check_computer(game: Game, power: str) -> None:
    """Somebody may have sat down there since it began to think."""
    if power not in power_assignments.bots_by_power(game):
        raise OrdersRefusal("not_yours")


def _store_submission(game: Game, handed: Submission, holder: list[int], receipt: int) -> OrderSet:
    before = _shown_standing(game, handed.power)
    sheet = _write_order_set(game, handed, receipt)
    if not _seat_after(sheet):
        raise OrdersRefusal("no_seat")  # and nothing of it is kept
    phase_deadlines.wake_clock(game, handed.received_at, ready=handed.is_ready)
    failpoint("inbox: seat written")
    if handed.origin == "master":
        game_log.add_log_entry(
            game,
            "entered",
            role=GameRole.GAME_MASTER,
            by=handed.submitted_by,
            power=handed.power,
            phase=game.phase,
        )
        told = {"power": handed.power, "phase": game.phase}
        recipients.notify_about_game(game, holder, "orders_entered", f"entered:{sheet.pk}", **told)
    if before and before != (READY if handed.is_ready else SUBMITTED):  # never that other orders came
        topic_versions.bump(topic_versions.game_topic(game.key))
    _tell(holder)
    return sheet


def _shown_standing(game: Game, power: str) -> str:
    """How far everybody sees that a power is with the open phase; "" where the game does not show it."""
    if not game.settings.submissions_shown:
        return ""
    if counting_order_set(game, power, game.phase_number) is None:
        return NO_ORDERS
    return READY if _seat(game, power).is_ready else SUBMITTED


def save_order_set(game: Game, power: str, lines: list[str], at: datetime, key: str) -> OrderSet:
    """Write a draft of whoever plays a power as a sheet of the open phase, with the next receipt, inside the
    transaction that holds the game.

    Its seat is not touched.
    """
    receipt = OrderSet.objects.filter(game=game, power=power).count() + 1
    by = Person.objects.filter(pk__in=recipients.player_ids_of(game, power)).first()
    game.receipt_count += 1
    game.version += 1
    _count(game.pk)
    return _write_order_set(game, Submission(power, lines, game.phase_number, key, DRAFT, at, by), receipt)


def _count(pk: int) -> None:
    """A sheet more, in the game's version too."""
    order_queries.COUNT.update(id=pk)
    failpoint("inbox: receipt counted")


def _write_order_set(game: Game, handed: Submission, receipt: int) -> OrderSet:
    sheet = OrderSet(
        game=game,
        phase_number=game.phase_number,
        power=handed.power,
        receipt_number=receipt,
        idempotency_key=handed.idempotency_key,
        lines=handed.lines,
        digest=order_set_digest(game, handed.power, handed.lines),
        origin=handed.origin,
        is_ready=handed.is_ready,
        submitted_by=handed.submitted_by,
        received_at=handed.received_at,
    )
    insert(sheet)
    failpoint("inbox: sheet written")
    return sheet


def _seat_after(sheet: OrderSet) -> bool:
    """Whether the power has a seat."""
    there = order_queries.SEAT if sheet.origin == "master" else order_queries.SEAT_WITH_PLAYER
    changed = there.update(
        game=sheet.game_id,
        power=sheet.power,
        draft_orders=sheet.lines,
        draft_phase_number=sheet.phase_number,
        drafted_at=sheet.received_at,
        is_ready=sheet.is_ready,
    )
    return changed > 0


def _tell(people: list[int]) -> None:
    for person in people:
        topic_versions.bump(topic_versions.person_topic(person))


def order_set_digest(game: Game, power: str, lines: Sequence[str]) -> str:
    """What is told with the receipt, so that both sides know the same sheet."""
    told = json.dumps(
        [game.key, game.phase_number, power, list(lines)], ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def understood_lines(sheet: OrderSet) -> list[DraftLine]:
    """What was read of the lines of a sheet, for its receipt: each order, or why it is none.

    To be asked outside of transactions. Raises QuestionRefusal.
    """
    question = GameHistory(sheet.game).question(sheet.phase_number)
    return order_drafts.read_draft(question, {sheet.power: sheet.lines}) if question else []


def counting_order_set(game: Game, power: str, number: int) -> OrderSet | None:
    """A power’s sheet of a phase that counts."""
    found: OrderSet | None = order_queries.COUNTING.first(game=game.pk, power=power, phase_number=number)
    if found is not None:
        found.game = game
    return found


def counting_order_sets(game: Game, number: int) -> dict[str, OrderSet]:
    """For each power the sheet of a phase that counts: its last one."""
    found = OrderSet.objects.filter(game=game, phase_number=number, withdrawn_at=None)
    return {one.power: one for one in found.order_by("receipt_number")}


def counting_order_sets_of_games(games: Collection[Game]) -> dict[int, dict[str, OrderSet]]:
    """The same for the open phases of several games, by primary key."""
    found: dict[int, dict[str, OrderSet]] = {game.pk: {} for game in games}
    handed = OrderSet.objects.filter(game__in=games, phase_number=F("game__phase_number"), withdrawn_at=None)
    for one in handed.order_by("receipt_number"):
        found[one.game_id][one.power] = one
    return found


def counting_drafts(
    game: Game,
    number: int,
    without: Collection[str],
    now: datetime,
    among: Iterable[GameSeat] | None = None,
    *,
    ends: bool = True,
) -> dict[str, GameSeat]:
    """The drafts that count for want of a sheet where the phase `ends` now; else those that count already.

    None counts before its deadline, nor at all where the game says so; in one turn of many, that of whoever
    has the turn alone. `among` are the seats of the game, where they have been read already.
    """
    if not game.settings.drafts_count or game.time_left_when_paused is not None:
        return {}
    if phase_deadlines.is_draft(game, game.phase):
        turn = GameHistory(game).deciding_powers(number)
        without = {*without, *game.seats.exclude(power__in=turn).values_list("power", flat=True)}
    seats = (
        order_queries.DRAFTED_SEATS.rows(game=game.pk, draft_phase_number=number) if among is None else among
    )
    found = {}
    for seat in seats:
        since = phase_deadlines.draft_counts_from(game, seat.drafted_at)
        is_open = seat.draft_orders and seat.draft_phase_number == number and seat.power not in without
        if is_open and (ends if since is None else since <= now):
            found[seat.power] = seat
    return found


def submit_draft(game: Game, power: str, lines: list[str], at: datetime) -> OrderSet:
    """Make a draft the sheet that counts, inside the transaction that holds the game.

    Under a key that no form and no program can have used before.
    """
    sheet = save_order_set(game, power, lines, at, _key(power, "", final=False))
    _seat_after(sheet)
    topic_versions.bump_people(recipients.player_ids_of(game, power))
    return sheet


def change_draft(
    game: Game,
    power: str,
    number: int,
    change: DraftChange,
    at: datetime | None = None,
    by: Person | None = None,
) -> GameSeat:
    """Change a power’s orders in preparation for the open phase, at the time of the request.

    `change` is given the question and the lines by power as they stand; where another window was quicker it
    is asked again. Raises OrdersRefusal, DraftRefusal for a line of another power, and what `change` raises.
    """
    received = at or timezone.now()
    for _ in range(MOST_RETRIES):
        fresh = order_queries.GAME.get(id=game.pk)
        _check_open(fresh, number)
        seat = _seat(fresh, power)
        lines = _changed(fresh, seat, number, change)
        if lines == draft_lines(seat, number) or _redraft(seat, number, lines, received, by):
            seat.draft_orders, seat.draft_phase_number = lines, number
            failpoint("inbox: draft committed")
            return seat
    raise OrdersRefusal("moved")


def draft_lines(seat: GameSeat, number: int) -> list[str]:
    """The lines in preparation for a phase; those for another are none."""
    return list(seat.draft_orders) if seat.draft_phase_number == number else []


def _seat(game: Game, power: str) -> GameSeat:
    seat: GameSeat | None = order_queries.SEAT.first(game=game.pk, power=power)
    if seat is None:
        raise OrdersRefusal("no_seat")
    seat.game = game
    return seat


def _changed(game: Game, seat: GameSeat, number: int, change: DraftChange) -> list[str]:
    question = GameHistory(game).question(number)
    if question is None:
        raise OrdersRefusal("moved")
    lines = draft_lines(seat, number)
    found = change(question, {seat.power: lines} if lines else {})
    for power, others in found.items():
        if power != seat.power and others:
            raise DraftRefusal("other_power", others[0])
    return _tidy(found.get(seat.power, []))


@write_transaction
def _redraft(seat: GameSeat, number: int, lines: list[str], at: datetime, by: Person | None) -> bool:
    game = order_queries.HELD.get(id=seat.game_id)
    _check_open(game, number)
    _check_time(game, seat.power, at)
    if by is not None:
        _check_player(recipients.player_ids_of(game, seat.power), by)
    now = _seat(game, seat.power)
    if (now.draft_orders, now.draft_phase_number) != (seat.draft_orders, seat.draft_phase_number):
        transaction.set_rollback(True)
        return False
    order_queries.DRAFTED.update(id=seat.pk, draft_orders=lines, draft_phase_number=number, drafted_at=at)
    failpoint("inbox: draft written")
    return True


@write_transaction
def set_ready(
    game: Game, power: str, number: int, final: bool, at: datetime, by: Person | None = None
) -> GameSeat:
    """Say that nobody need wait for a power that has handed in its sheet, or take that back.

    Raises OrdersRefusal.
    """
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    _check_open(fresh, number)
    seat = _seat(fresh, power)
    if seat.is_ready == final:
        return seat
    _check_time(fresh, power, at)
    holder = recipients.player_ids_of(fresh, power)
    _check_player(holder, by)
    if power not in counting_order_sets(fresh, number):
        raise OrdersRefusal("nothing")
    seat.is_ready = final
    seat.save(update_fields=["is_ready"])
    fresh.version += 1
    fresh.save(update_fields=["version"])
    phase_deadlines.wake_clock(fresh, at)
    if fresh.settings.submissions_shown:
        topic_versions.bump(topic_versions.game_topic(fresh.key))
    _tell(holder)
    return seat


def order_states(game: Game, number: int) -> dict[str, str]:
    """For each power how far it is with a phase: nothing, draft, saved or final. For the desk alone."""
    sheets = counting_order_sets(game, number)
    return {seat.power: seat_state(seat, number, seat.power in sheets, game) for seat in game.seats.all()}


def seat_state(seat: GameSeat, number: int, handed: bool, game: Game) -> str:
    """The same for one seat, where it is known whether a sheet was handed in for the phase."""
    if handed:
        return READY if seat.is_ready and number == game.phase_number else SUBMITTED
    return DRAFT if draft_lines(seat, number) else NO_ORDERS
