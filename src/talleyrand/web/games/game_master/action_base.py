"""What every act at the game master's desk has in common: who does it, on which state of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import game_entry, game_log
from talleyrand.web.games.game_lifecycle import LifecycleRefusal
from talleyrand.web.games.models import Game, PhaseRevision
from talleyrand.web.notifications import topic_versions

T = TypeVar("T")


class GameMasterRefusal(Exception):
    """An act that is refused; nothing has changed. `words.refusals` says each code in a sentence."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class GameMasterActor:
    """Whoever acts at the desk, and as what: master or assistant."""

    person: Person
    role: str

    def log(self, game: Game, kind: str, *, shown: bool = True, **facts: Any) -> None:
        """Write an act into the log of the game."""
        game_log.add_log_entry(game, kind, role=self.role, by=self.person, shown=shown, **facts)


@dataclass(frozen=True)
class ExpectedRevision:
    """The revision on which an act was prepared: another one by now, and the act is refused."""

    phase_number: int
    revision: int

    @classmethod
    def from_revision(cls, revision: PhaseRevision) -> ExpectedRevision:
        return cls(revision.phase_number, revision.revision)


@contextmanager
def locked_game(game: Game) -> Iterator[Game]:
    """The game’s row, locked for one act; its version is raised, and pages are told, when the act is done."""
    with transaction.atomic():
        fresh = Game.objects.select_for_update().get(pk=game.pk)
        yield fresh
        Game.objects.filter(pk=fresh.pk).update(version=F("version") + 1)
        topic_versions.bump(topic_versions.game_topic(fresh.key))


def check_entry(game: Game, person: Person, role: str) -> None:
    """Raise GameMasterRefusal (`kept_out`) for whoever moderators keep out; why is not the game master’s."""
    game_entry.lock_person(person)
    if game_entry.why_kept_out(game, person, role):
        raise GameMasterRefusal("kept_out")


def as_game_master_refusal(act: Callable[[], T]) -> T:
    """What `running` refuses, refused in the desk's words."""
    try:
        return act()
    except LifecycleRefusal as refused:
        raise GameMasterRefusal(refused.code) from None


def last_published_revision(game: Game) -> PhaseRevision | None:
    """The current revision of the last phase published; number 0 is the start, None before it."""
    return PhaseRevision.objects.filter(game=game, is_current=True).order_by("phase_number").last()


def check_expected_revision(game: Game, ground: ExpectedRevision) -> PhaseRevision:
    """The last published revision, if it is still the one that an act was prepared on; raises
    GameMasterRefusal.
    """
    found = last_published_revision(game)
    if found is None or ExpectedRevision.from_revision(found) != ground:
        raise GameMasterRefusal("moved")
    return found
