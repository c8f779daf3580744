"""Long parts of pages that are the same for all: made once for each state of an event and each language.

Two hundred telephones ask for the same draw within a minute; what is kept is made from what all may see.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from threading import Lock
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from talleyrand.tournament.model import Event
from talleyrand.web.boards import display_names
from talleyrand.web.tournaments.event_documents import public_event
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

MOST_CACHED = 64  # parts that a process keeps
FragmentContext = Callable[[Event], Mapping[str, Any]]

_known: OrderedDict[tuple[object, ...], SafeString] = OrderedDict()
_lock, _making = Lock(), Lock()


def cached_fragment(
    sight: TournamentViewer, template: str, make: FragmentContext, *what: object, rests_on: Hashable = None
) -> SafeString:
    """A part of a page; `make` gives its context from the event as all may see it, `what` says which part.

    `rests_on`: what it is made from, where that is less than the event. Whoever asks for a part that is
    being made waits for it.
    """
    state = sight.tournament.state_token if rests_on is None else (sight.tournament.pk, rests_on)
    asked = (state, display_names.reader_language(), template, *what)
    return cached_html(asked, partial(_rendered_fragment, sight, template, make))


def cached_html(asked: tuple[object, ...], make: Callable[[], SafeString]) -> SafeString:
    """What was made for this before, or is made now; `asked` holds all that it is made from."""
    found = _from_cache(asked)
    if found is not None:
        return found
    with _making:
        found = _from_cache(asked) or make()
    with _lock:
        _known[asked] = found
        while len(_known) > MOST_CACHED:
            _known.popitem(last=False)
    return found


def _from_cache(asked: tuple[object, ...]) -> SafeString | None:
    with _lock:
        if asked in _known:
            _known.move_to_end(asked)
        return _known.get(asked)


def _rendered_fragment(sight: TournamentViewer, template: str, make: FragmentContext) -> SafeString:
    context = {"tournament": sight.tournament, **make(public_event(sight.event))}
    return render_to_string(f"tournaments/public_site/{template}", context)
