"""What the pages of a tournament share: who may come in, its head and its tabs."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest

from talleyrand.web.notices import streams

from .documents import opened
from .journal import topic
from .sight import Sight


def entered(request: HttpRequest, key: str) -> Sight:
    """The tournament as the visitor may see it; one that he may not open does not exist for him."""
    signed = streams.signed([topic(key)])  # before anything is read that may change meanwhile
    sight = Sight.of(opened(key), request)
    if not sight.may_open:
        raise Http404
    sight.topics = signed
    return sight


def desk(request: HttpRequest, key: str) -> Sight:
    """The same for the desk: it exists for nobody else."""
    sight = entered(request, key)
    if not sight.at_desk:
        raise Http404
    return sight


def page(sight: Sight, tab: str) -> dict[str, Any]:
    """The context of `tournaments/frame.html`; `tab`: welcome, people, rounds, standings, mine, desk."""
    event = sight.event
    return {
        "tournament": sight.tournament,
        "event": event,
        "sight": sight,
        "tab": tab,
        "me": event.people.get(sight.number),
        "topics": sight.topics,
        "desk_rounds": sorted(event.rounds) if sight.at_desk else (),
    }
