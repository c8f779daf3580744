"""The one inbox of orders: a sheet is acknowledged once it is kept, with its receipt."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max, Q
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import drafts
from talleyrand.web.boards.drafts import Reading, Unfit
from talleyrand.web.boards.incoming import Change
from talleyrand.web.crashing import point
from talleyrand.web.notices import counters

from . import audience, dating, lasting, log, seats
from .models import RUNNING, Game, Role, Seat, Sheet, State, secret
from .story import Story
from .writing import writing

ATTEMPTS = 8
COMPUTER = "computer"
AT_ANY_TIME = ("master", "granted", COMPUTER)  # origins that no deadline stops
NOTHING, DRAFT, SAVED, FINAL = "nothing", "draft", "saved", "final"


class NotTaken(Exception):
    """What is not taken, and nothing has changed.

    `late`, `moved` (another phase is open now), `over`, `not_begun`, `repeated` (this form has brought other
    orders already: they stand, as `sheet`), `nothing` (no sheet that could be final), `no_seat`,
    `not_yours` (somebody else plays this power now).
    """

    def __init__(self, code: str, sheet: Sheet | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.sheet = sheet


@dataclass(frozen=True)
class Handed:
    """A sheet as it arrived."""

    power: str
    lines: list[str]
    number: int
    key: str
    origin: str
    at: datetime
    by: Person | None = None
    final: bool = False


def hand_in(
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
) -> Sheet:
    """Keep a whole sheet for phase `number`, received at `at`; the same `key` again is the same sheet.

    An empty sheet is a sheet; one of the game master (origin "master"), or that he lets in ("granted"), and
    one of the computer (COMPUTER) for a seat that it plays, is taken while the phase is open.
    Raises NotTaken, and Unfit for what no sheet may hold.
    """
    handed = Handed(power, _tidy(lines), number, _key(power, key, final), origin, at, by, final)
    point("inbox: sheet read")
    sheet = _hand_in(game.pk, handed)
    point("inbox: sheet committed")
    if sheet.lasting is None:
        lasting.settle(sheet)
    return sheet


def handed(game: Game, power: str, key: str) -> Sheet | None:
    """The sheet that a key has brought, final or not; it may count no more."""
    keys = [_key(power, key, final) for final in (False, True)]
    return Sheet.objects.filter(game=game, key__in=keys).order_by("receipt").last()


def _tidy(lines: Sequence[str]) -> list[str]:
    """The lines that say something; raises Unfit."""
    if any(len(line.splitlines()) > 1 for line in lines):
        raise Unfit("control")
    drafts.check_text("\n".join(lines))
    return [line.strip() for line in lines if line.strip()]


def _key(power: str, key: str, final: bool) -> str:
    """One form may bring the sheets of several powers, and the same orders once more as final."""
    told = f"{power}\n{final:d}\n{key or secret()}"
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


@writing
def _hand_in(pk: int, handed: Handed) -> Sheet:
    game = Game.objects.select_for_update().get(pk=pk)
    known, receipts = _received(game, handed)
    if known is not None:
        return _same(known, handed)
    _check_open(game, handed.number)
    if handed.origin not in AT_ANY_TIME:
        _check_time(game, handed.power, handed.at)
    holder = audience.holder(game, handed.power)
    if handed.origin == COMPUTER:
        _check_computer(game, handed.power)
    elif handed.origin != "master":
        _check_player(holder, handed.by)
    return _kept(game, handed, holder, receipts + 1)


def _received(game: Game, handed: Handed) -> tuple[Sheet | None, int]:
    """The sheet that this key has brought before, if any, and how many the power has handed in."""
    same = Max("pk", filter=Q(key=handed.key))
    found = Sheet.objects.filter(game=game, power=handed.power).aggregate(same=same, count=Count("pk"))
    known = Sheet.objects.select_related("game").get(pk=found["same"]) if found["same"] else None
    return known, found["count"]


def _same(known: Sheet, handed: Handed) -> Sheet:
    if known.withdrawn is not None:
        raise NotTaken("moved")  # it counts no more, and must not be acknowledged as if it did
    if known.lines != handed.lines or known.number != handed.number:
        raise NotTaken("repeated", known)
    return known


def _check_open(game: Game, number: int) -> None:
    if game.state == State.GATHERING:
        raise NotTaken("not_begun")
    if game.state not in RUNNING:
        raise NotTaken("over")
    if number != game.number:
        raise NotTaken("moved")


def _check_time(game: Game, power: str, at: datetime) -> None:
    """Whether a sheet has come already is asked of those alone that need some grace."""
    if _is_late(dating.closes(game, missing=False), at):
        missing = counted(game, power, game.number) is None
        if _is_late(dating.closes(game, missing=missing), at):
            raise NotTaken("late")


def _is_late(closes: datetime | None, at: datetime) -> bool:
    return closes is not None and at > closes


def _check_player(holder: list[int], by: Person | None) -> None:
    """He may have been replaced since his request was let in."""
    if by is not None and holder != [by.pk]:
        raise NotTaken("not_yours")


def _check_computer(game: Game, power: str) -> None:
    """Somebody may have sat down there since it began to think."""
    if power not in seats.of_computer(game):
        raise NotTaken("not_yours")


def _kept(game: Game, handed: Handed, holder: list[int], receipt: int) -> Sheet:
    sheet = _keep(game, handed, receipt)
    if not _seat_after(sheet):
        raise NotTaken("no_seat")  # and nothing of it is kept
    dating.wake(game, handed.at, ready=handed.final)
    point("inbox: seat written")
    if handed.origin == "master":
        log.note(game, "entered", role=Role.MASTER, by=handed.by, power=handed.power, phase=game.phase)
    _tell(holder)
    return sheet


def keep(game: Game, power: str, lines: list[str], at: datetime, key: str) -> Sheet:
    """Write a draft of whoever plays a power as a sheet of the open phase, with the next receipt, inside the
    transaction that holds the game.

    Its seat is not touched.
    """
    receipt = Sheet.objects.filter(game=game, power=power).count() + 1
    by = Person.objects.filter(pk__in=audience.holder(game, power)).first()
    return _keep(game, Handed(power, lines, game.number, key, DRAFT, at, by), receipt)


def _keep(game: Game, handed: Handed, receipt: int) -> Sheet:
    game.receipts += 1
    game.version += 1
    Game.objects.filter(pk=game.pk).update(receipts=game.receipts, version=game.version)
    point("inbox: receipt counted")
    sheet = Sheet.objects.create(
        game=game,
        number=game.number,
        power=handed.power,
        receipt=receipt,
        key=handed.key,
        lines=handed.lines,
        digest=digest(game, handed.power, handed.lines),
        origin=handed.origin,
        final=handed.final,
        by=handed.by,
        at=handed.at,
    )
    point("inbox: sheet written")
    return sheet


def _seat_after(sheet: Sheet) -> bool:
    """Whether the power has a seat."""
    there = {} if sheet.origin == "master" else {"missed": 0, "disorder": False}
    changed = Seat.objects.filter(game=sheet.game, power=sheet.power).update(
        draft=sheet.lines, draft_number=sheet.number, draft_at=sheet.at, final=sheet.final, **there
    )
    return changed > 0


def _tell(people: list[int]) -> None:
    for person in people:
        counters.bump(counters.person_topic(person))


def digest(game: Game, power: str, lines: Sequence[str]) -> str:
    """What is told with the receipt, so that both sides know the same sheet."""
    told = json.dumps([game.key, game.number, power, list(lines)], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def understood(sheet: Sheet) -> list[Reading]:
    """What was read of the lines of a sheet, for its receipt: each order, or why it is none.

    To be asked outside of transactions. Raises Unanswered.
    """
    question = Story(sheet.game).question(sheet.number)
    return drafts.readings(question, {sheet.power: sheet.lines}) if question else []


def counted(game: Game, power: str, number: int) -> Sheet | None:
    """A power’s sheet of a phase that counts."""
    found = Sheet.objects.filter(game=game, power=power, number=number, withdrawn=None)
    return found.order_by("-receipt").first()


def counting(game: Game, number: int) -> dict[str, Sheet]:
    """For each power the sheet of a phase that counts: its last one."""
    found = Sheet.objects.filter(game=game, number=number, withdrawn=None)
    return {one.power: one for one in found.order_by("receipt")}


def counting_of(games: Collection[Game]) -> dict[int, dict[str, Sheet]]:
    """The same for the open phases of several games, by primary key."""
    found: dict[int, dict[str, Sheet]] = {game.pk: {} for game in games}
    handed = Sheet.objects.filter(game__in=games, number=F("game__number"), withdrawn=None)
    for one in handed.order_by("receipt"):
        found[one.game_id][one.power] = one
    return found


def standing_for_sheets(
    game: Game,
    number: int,
    without: Collection[str],
    now: datetime,
    among: Iterable[Seat] | None = None,
    *,
    ends: bool = True,
) -> dict[str, Seat]:
    """The drafts that count for want of a sheet where the phase `ends` now; else those that count already.

    None counts before its deadline, nor at all where the game says so. `among` are the seats of the game,
    where they have been read already.
    """
    if not game.terms.drafts_count or game.paused_left is not None:
        return {}
    seats = game.seats.filter(draft_number=number).exclude(power__in=without) if among is None else among
    return {
        seat.power: seat
        for seat in seats
        if seat.draft and seat.draft_number == number and seat.power not in without
        if _counts(dating.counts_from(game, seat.draft_at), now, ends=ends)
    }


def _counts(since: datetime | None, now: datetime, *, ends: bool) -> bool:
    return ends if since is None else since <= now


def keep_draft(game: Game, power: str, lines: list[str], at: datetime) -> Sheet:
    """Make a draft the sheet that counts, inside the transaction that holds the game.

    Under a key that no form and no program can have used before.
    """
    sheet = keep(game, power, lines, at, _key(power, "", final=False))
    _seat_after(sheet)
    counters.bump_people(audience.holder(game, power))
    return sheet


def redraft(
    game: Game,
    power: str,
    number: int,
    change: Change,
    at: datetime | None = None,
    by: Person | None = None,
) -> Seat:
    """Change a power’s orders in preparation for the open phase, at the time of the request.

    `change` is given the question and the lines by power as they stand; where another window was quicker it
    is asked again. Raises NotTaken, Unfit for a line of another power, and what `change` raises.
    """
    received = at or timezone.now()
    for _ in range(ATTEMPTS):
        fresh = Game.objects.get(pk=game.pk)
        _check_open(fresh, number)
        seat = _seat(fresh, power)
        lines = _changed(fresh, seat, number, change)
        if lines == drafted(seat, number) or _redraft(seat, number, lines, received, by):
            seat.draft, seat.draft_number = lines, number
            point("inbox: draft committed")
            return seat
    raise NotTaken("moved")


def drafted(seat: Seat, number: int) -> list[str]:
    """The lines in preparation for a phase; those for another are none."""
    return list(seat.draft) if seat.draft_number == number else []


def _seat(game: Game, power: str) -> Seat:
    seat = Seat.objects.filter(game=game, power=power).first()
    if seat is None:
        raise NotTaken("no_seat")
    return seat


def _changed(game: Game, seat: Seat, number: int, change: Change) -> list[str]:
    question = Story(game).question(number)
    if question is None:
        raise NotTaken("moved")
    lines = drafted(seat, number)
    found = change(question, {seat.power: lines} if lines else {})
    for power, others in found.items():
        if power != seat.power and others:
            raise Unfit("other_power", others[0])
    return _tidy(found.get(seat.power, []))


@writing
def _redraft(seat: Seat, number: int, lines: list[str], at: datetime, by: Person | None) -> bool:
    game = Game.objects.select_for_update().get(pk=seat.game_id)
    _check_open(game, number)
    _check_time(game, seat.power, at)
    if by is not None:
        _check_player(audience.holder(game, seat.power), by)
    now = _seat(game, seat.power)
    if (now.draft, now.draft_number) != (seat.draft, seat.draft_number):
        return False
    Seat.objects.filter(pk=seat.pk).update(draft=lines, draft_number=number, draft_at=at)
    point("inbox: draft written")
    return True


@writing
def set_final(
    game: Game, power: str, number: int, final: bool, at: datetime, by: Person | None = None
) -> Seat:
    """Say that nobody need wait for a power that has handed in its sheet, or take that back.

    Raises NotTaken.
    """
    fresh = Game.objects.select_for_update().get(pk=game.pk)
    _check_open(fresh, number)
    seat = _seat(fresh, power)
    if seat.final == final:
        return seat
    _check_time(fresh, power, at)
    holder = audience.holder(fresh, power)
    _check_player(holder, by)
    if power not in counting(fresh, number):
        raise NotTaken("nothing")
    seat.final = final
    seat.save(update_fields=["final"])
    fresh.version += 1
    fresh.save(update_fields=["version"])
    dating.wake(fresh, at)
    _tell(holder)
    return seat


def standing(game: Game, number: int) -> dict[str, str]:
    """For each power how far it is with a phase: nothing, draft, saved or final. For the desk alone."""
    sheets = counting(game, number)
    return {seat.power: _standing(seat, number, seat.power in sheets, game) for seat in game.seats.all()}


def _standing(seat: Seat, number: int, handed: bool, game: Game) -> str:
    if handed:
        return FINAL if seat.final and number == game.number else SAVED
    return DRAFT if drafted(seat, number) else NOTHING
