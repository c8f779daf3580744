"""A class: its boards from a list of names, its teacher, and the phones of its pupils."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import pgettext

from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.models import random_token

from . import table_opening, table_seats
from .models import ClassSession, Dealing, Table, TablePlayer
from .table_clock import TableClock
from .table_opening import TablePlan

CLASSES_SESSION_KEY = "classes"  # the teacher's tokens by the key of the class
MOST_BOARDS, BOARD_SEATS, LEAST_SEATS = 20, 7, 3
MOST_PUPILS = MOST_BOARDS * BOARD_SEATS


@dataclass(frozen=True)
class ClassPlan:
    """What the page that opens a class asks. `is_drawn`: names are drawn onto the boards, else as listed."""

    name: str
    variant: str
    rulebook: str
    clock: TableClock
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    is_drawn: bool = True


def board_sizes(pupils: int, boards: int = 0) -> tuple[int, ...]:
    """How many sit at each board, as evenly as can be: so few boards as seat everybody, or so many as asked.

    Empty where that many cannot sit there.
    """
    count = boards or -(-pupils // BOARD_SEATS)
    if not 1 <= count <= MOST_BOARDS or not count * LEAST_SEATS <= pupils <= count * BOARD_SEATS:
        return ()
    each, more = divmod(pupils, count)
    return tuple(each + (number < more) for number in range(count))


def is_playable(variant: str, sizes: Sequence[int]) -> bool:
    """Whether a variant has a game for boards of these sizes."""
    return all(table_opening.usual_split(variant, size) is not None for size in sizes)


@write_transaction
def open_class(plan: ClassPlan, submission: str, now: datetime) -> ClassSession:
    """The class with its tables; the same form twice is one class. Raises QuestionRefusal."""
    once = hashlib.sha256(
        f"class {submission or random_token()}".encode("utf-8", "surrogatepass")
    ).hexdigest()
    known = ClassSession.objects.filter(submission_id=once).first()
    if known is not None:
        return known
    made = ClassSession.objects.create(
        name=plan.name, submission_id=once, erase_at=now + timedelta(days=settings.CLASS_DAYS)
    )
    waiting = list(plan.names)
    if plan.is_drawn:
        random.SystemRandom().shuffle(waiting)
    for number, size in enumerate(plan.sizes, 1):
        seated, waiting = waiting[:size], waiting[size:]
        split = table_opening.usual_split(plan.variant, size)
        if split is None:
            raise ValueError(size)  # the form has asked `is_playable`
        board = TablePlan(
            pgettext("a class", "Board %(number)s") % {"number": number},
            plan.variant,
            plan.rulebook,
            split,
            plan.clock,
            Dealing.LOT,
            tuple(seated),
        )
        table = table_opening.open_table(board, f"{once} {number}")
        Table.objects.filter(pk=table.pk).update(class_session=made)
    return made


@write_transaction
def become_teacher(request: HttpRequest, session: ClassSession, now: datetime) -> None:
    """This browser is the teacher's, and the referee's of each board; any other one is so no more."""
    kept = request.session.get(CLASSES_SESSION_KEY, {})
    request.session[CLASSES_SESSION_KEY] = {**kept, session.key: session.teacher_token}
    for table in tables_of(session):
        referee = table.players.select_related("table__game").get(number=table_opening.REFEREE_SEAT)
        table_seats.sit_down(request, referee, now)


def class_of_teacher(request: HttpRequest, key: str) -> ClassSession | None:
    """The class, where this browser is its teacher's."""
    kept = str(request.session.get(CLASSES_SESSION_KEY, {}).get(key, ""))
    session = ClassSession.objects.filter(key=key, erasing_since=None).first() if kept else None
    return session if session and hmac.compare_digest(kept, session.teacher_token) else None


def tables_of(session: ClassSession) -> list[Table]:
    """The tables of a class in the order of their boards."""
    return list(session.tables.select_related("game", "host").order_by("pk"))


def pupils_of(session: ClassSession) -> list[TablePlayer]:
    """Everybody who has a seat, board by board."""
    found = TablePlayer.objects.filter(table__class_session=session, number__gt=0)
    return list(found.select_related("person", "table__game").order_by("table", "number"))


def tell_class(session: ClassSession) -> None:
    """The pages of all its boards look again."""
    for table in tables_of(session):
        table_seats.tell_table(table)


@write_transaction
def free_seat(player: TablePlayer) -> None:
    """No phone has this seat any more: the next that taps the name has it."""
    TablePlayer.objects.filter(pk=player.pk).update(
        phone_digest="", phone_session="", pin="", pin_until=None, pin_attempts=0
    )
    table_seats.tell_table(player.table)


def keep_longer(session: ClassSession, now: datetime) -> None:
    """It is erased by itself so many days from now, no sooner than it would be."""
    later = max(session.erase_at, now + timedelta(days=settings.CLASS_DAYS))
    ClassSession.objects.filter(pk=session.pk, erasing_since=None).update(erase_at=later)
