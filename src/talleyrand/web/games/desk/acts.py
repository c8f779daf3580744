"""What every act at the game master's desk has in common: who does it, on which state of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import log
from talleyrand.web.games.models import Game, Revision
from talleyrand.web.games.running import NotPossible
from talleyrand.web.notices import counters

T = TypeVar("T")


class NotDone(Exception):
    """An act that is refused; nothing has changed. `words.refusals` says each code in a sentence."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Hand:
    """Whoever acts at the desk, and as what: master or assistant."""

    person: Person
    role: str

    def note(self, game: Game, kind: str, *, shown: bool = True, **facts: Any) -> None:
        """Write an act into the log of the game."""
        log.note(game, kind, role=self.role, by=self.person, shown=shown, **facts)


@dataclass(frozen=True)
class Ground:
    """The revision on which an act was prepared: another one by now, and the act is refused."""

    number: int
    revision: int

    @classmethod
    def of(cls, revision: Revision) -> Ground:
        return cls(revision.number, revision.revision)


@contextmanager
def held(game: Game) -> Iterator[Game]:
    """The game’s row, locked for one act; its version is raised, and pages are told, when the act is done."""
    with transaction.atomic():
        fresh = Game.objects.select_for_update().get(pk=game.pk)
        yield fresh
        Game.objects.filter(pk=fresh.pk).update(version=F("version") + 1)
        counters.bump(counters.game_topic(fresh.key))


def possible(act: Callable[[], T]) -> T:
    """What `running` refuses, refused in the desk's words."""
    try:
        return act()
    except NotPossible as refused:
        raise NotDone(refused.code) from None


def last_published(game: Game) -> Revision | None:
    """The current revision of the last phase published; number 0 is the start, None before it."""
    return Revision.objects.filter(game=game, current=True).order_by("number").last()


def grounded(game: Game, ground: Ground) -> Revision:
    """The last published revision, if it is still the one that an act was prepared on; raises NotDone."""
    found = last_published(game)
    if found is None or Ground.of(found) != ground:
        raise NotDone("moved")
    return found
