"""The one inbox of orders: a sheet is acknowledged once it is kept, with its receipt."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F

from talleyrand.web.accounts.models import Person
from talleyrand.web.notices import counters

from . import dating
from .models import Game, Seat, Sheet, State


class NotTaken(Exception):
    """A sheet that is not taken: `late`, `moved` (another phase is open now), `over`, `not_begun`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


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

    An empty sheet is a sheet. Raises NotTaken.
    """
    with transaction.atomic():
        fresh = Game.objects.select_for_update().get(pk=game.pk)
        known = Sheet.objects.filter(game=fresh, key=key).first()
        if known is not None:
            return known
        _check_open(fresh, number, at, origin)
        return _kept(fresh, power, list(lines), key=key, origin=origin, at=at, by=by, final=final)


def _check_open(game: Game, number: int, at: datetime, origin: str) -> None:
    if game.state == State.GATHERING:
        raise NotTaken("not_begun")
    if game.state not in (State.PLAYING, State.PAUSED):
        raise NotTaken("over")
    if number != game.number:
        raise NotTaken("moved")
    if origin != "master" and game.state == State.PLAYING and game.due and at > game.due:
        raise NotTaken("late")


def _kept(
    game: Game,
    power: str,
    lines: list[str],
    *,
    key: str,
    origin: str,
    at: datetime,
    by: Person | None,
    final: bool,
) -> Sheet:
    sheet = Sheet.objects.create(
        game=game,
        number=game.number,
        power=power,
        receipt=game.receipts + 1,
        key=key,
        lines=lines,
        digest=digest(game, power, lines),
        origin=origin,
        final=final,
        by=by,
        at=at,
    )
    seat = Seat.objects.filter(game=game, power=power)
    seat.update(draft=lines, draft_number=game.number, draft_at=at, final=final, missed=0, disorder=False)
    Game.objects.filter(pk=game.pk).update(receipts=F("receipts") + 1, version=F("version") + 1)
    if final and dating.rhythm(game).early:
        Game.objects.filter(pk=game.pk).update(sweep=at)
    if by is not None:
        counters.bump(counters.person_topic(by.pk))
    return sheet


def digest(game: Game, power: str, lines: Sequence[str]) -> str:
    """What is told with the receipt, so that both sides know the same sheet."""
    told = json.dumps([game.key, game.number, power, list(lines)], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def counting(game: Game, number: int) -> dict[str, Sheet]:
    """For each power the sheet of a phase that counts: its last one."""
    found = Sheet.objects.filter(game=game, number=number, withdrawn=None)
    return {one.power: one for one in found.order_by("receipt")}
