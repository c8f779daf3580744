"""Another rule for the dates of a game that is played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from talleyrand import variants
from talleyrand.web.games import dating, running
from talleyrand.web.games.deadlines import Rhythm
from talleyrand.web.games.deadlines.presets import for_board
from talleyrand.web.games.models import OVER, Game, State
from talleyrand.web.games.writing import writing

from .acts import Hand, NotDone, held


@dataclass(frozen=True)
class Ruling:
    """The rule from now on; `follow`: the open phase is due by it too, as if it opened now."""

    rhythm: Rhythm
    follow: bool = False

    def kept(self, game: Game, *, hand: Hand, now: datetime) -> None:
        """Keep it. Raises NotDone: over, already."""
        _keep(game, self, hand, now)


@writing
def _keep(game: Game, ruling: Ruling, hand: Hand, now: datetime) -> None:
    with held(game) as fresh:
        if fresh.state in OVER:
            raise NotDone("over")
        proposes = bool(variants.load(fresh.variant).setting.calendar.optional)
        terms = replace(fresh.terms, rhythm=for_board(ruling.rhythm, proposes).kept())
        if terms == fresh.terms and not ruling.follow:
            raise NotDone("already")
        fresh.kept_terms = terms.kept()
        fresh.save(update_fields=["kept_terms"])
        hand.note(fresh, "ruled")
        if ruling.follow and fresh.state == State.PLAYING:
            running.moved(fresh, dating.rhythm(fresh).due(fresh.phase[-1:], now), now)
