"""Writes the log of a game: what was done, by whom."""

from __future__ import annotations

from typing import Any

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.prepared_queries import insert

from .models import Game, GameLogEntry


def add_log_entry(
    game: Game, kind: str, *, role: str = "", by: Person | None = None, shown: bool = True, **facts: Any
) -> None:
    """Keep one line, in the transaction of what it tells. Not `shown`: for the game master alone.

    Facts of a shown line hold powers, never persons.
    """
    insert(
        GameLogEntry(
            game=game,
            phase_number=game.phase_number,
            kind=kind,
            facts=facts,
            role=role,
            person=by,
            is_public=shown,
        )
    )
