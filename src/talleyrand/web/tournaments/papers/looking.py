"""What a visitor's papers are made from: the event as he may see it, and its standings as far as he may."""

from __future__ import annotations

from talleyrand.tournament import public, standings
from talleyrand.tournament.exports import played
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import Standings
from talleyrand.web.tournaments.sight import Sight


def event_of(sight: Sight) -> Event:
    """All of it for the desk, what is public for everybody else: also for one of its players."""
    return sight.event if sight.at_desk else public.seen(sight.event)


def standings_of(sight: Sight) -> Standings:
    """Official standings: all rounds for the desk, those that are shown for everybody else.

    Raises TalleyrandError for regulations that cannot be read.
    """
    return standings.of(sight.event, None if sight.at_desk else played.last_shown(sight.event))
