"""What the pages of a tournament share: who may come in, its head and its tabs."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest

from talleyrand.web.notifications import signed_topics

from .event_documents import tournament_or_404
from .event_journal import tournament_topic
from .tournament_viewer import TournamentViewer


def tournament_viewer_of_page(request: HttpRequest, key: str) -> TournamentViewer:
    """The tournament as the visitor may see it; one that he may not open does not exist for him."""
    signed = signed_topics.sign_topics(
        [tournament_topic(key)]
    )  # before anything is read that may change meanwhile
    sight = TournamentViewer.for_request(tournament_or_404(key), request)
    if not sight.may_open:
        raise Http404
    sight.signed_topics = signed
    return sight


def tournament_viewer_at_desk(request: HttpRequest, key: str) -> TournamentViewer:
    """The same for the desk: it exists for nobody else."""
    sight = tournament_viewer_of_page(request, key)
    if not sight.is_at_desk:
        raise Http404
    return sight


def tournament_page_context(sight: TournamentViewer, tab: str) -> dict[str, Any]:
    """The context of `tournaments/frame.html`; `tab`: welcome, people, rounds, standings, mine, desk."""
    event = sight.event
    return {
        "tournament": sight.tournament,
        "event": event,
        "sight": sight,
        "tab": tab,
        "me": event.people.get(sight.person_number),
        "topics": sight.signed_topics,
        "desk_rounds": sorted(event.rounds) if sight.is_at_desk else (),
    }
