"""From a table that gathers to the first phase."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import referee

from . import dating, log
from .models import Game, Revision, State
from .story import first_situation


class NotReady(Exception):
    """The game cannot begin; `code` says why: started."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def begin(game: Game, now: datetime, by: Person | None = None) -> Game:
    """Open the first phase; the seats are there already. Raises NotReady, and Unanswered."""
    situation = first_situation(variants.load(game.variant), game.terms.readings)
    referee.check(referee.ask(game.variant, game.rulebook, game.seed, situation))
    with transaction.atomic():
        fresh = Game.objects.select_for_update().get(pk=game.pk)
        if fresh.state != State.GATHERING:
            raise NotReady("started")
        Revision.objects.create(game=fresh, number=0, revision=1, kind="start", digest="", after=situation)
        fresh.state, fresh.started, fresh.number = State.PLAYING, now, 1
        dating.open_phase(fresh, situation["phase"], now)
        fresh.save()
        log.note(fresh, "begun", by=by)
    return fresh
