"""What a visitor's papers are made from: the event as he may see it, and its standings as far as he may."""

from __future__ import annotations

from talleyrand.tournament import public_view, standings
from talleyrand.tournament.exports import played_seats
from talleyrand.tournament.model import Event
from talleyrand.tournament.standings import Standings
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer


def visible_event(sight: TournamentViewer) -> Event:
    """All of it for the desk, what is public for everybody else: also for one of its players."""
    return sight.event if sight.is_at_desk else public_view.visible_event(sight.event)


def visible_standings_of(sight: TournamentViewer) -> Standings:
    """Official standings: all rounds for the desk, those that are shown for everybody else.

    Raises TalleyrandError for regulations that cannot be read.
    """
    return standings.compute_standings(
        sight.event, None if sight.is_at_desk else played_seats.last_public_round(sight.event)
    )
