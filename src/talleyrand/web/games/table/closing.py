"""A game ends without a result, for a reason that everybody reads."""

from __future__ import annotations

from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import audience, dating, log
from talleyrand.web.games.models import OVER, Game, Role, State
from talleyrand.web.games.writing import writing

from .gathering import changed, locked
from .refusals import Refused

LONGEST_REASON = 1000


@writing
def abandon(game: Game, by: Person, reason: str) -> None:
    """End a game without result; the reason is told to all. Raises Refused."""
    fresh = locked(game)
    if fresh.state in OVER:
        raise Refused("over")
    said = reason.replace("\x00", "").strip()[:LONGEST_REASON]
    if not said:
        raise Refused("no_reason")
    begun = fresh.state != State.GATHERING
    fresh.state, fresh.ended, fresh.result = (
        State.ABANDONED,
        timezone.now(),
        {"kind": "abandoned", "powers": []},
    )
    dating.set_due(fresh, None)
    fresh.save(update_fields=["state", "ended", "result", *dating.DATES])
    role = Role.MASTER if begun else ""
    log.note(fresh, "abandoned", role=role, by=by, reason=said)
    audience.tell(fresh, audience.everybody(fresh), "ended", "ended", result="abandoned", powers=[])
    changed(fresh)
