"""Long parts of pages that are the same for all: made once for each state of an event and each language.

Two hundred telephones ask for the same draw within a minute; what is kept is made from what all may see.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from talleyrand.tournament import public
from talleyrand.tournament.model import Event
from talleyrand.web.boards import wording
from talleyrand.web.tournaments.sight import Sight

KEPT = 64  # parts that a process keeps
Make = Callable[[Event], Mapping[str, Any]]

_known: OrderedDict[tuple[object, ...], SafeString] = OrderedDict()
_lock = Lock()


def fragment(sight: Sight, template: str, make: Make, *what: object) -> SafeString:
    """A part of a page; `make` gives its context from the event as all may see it, `what` says which part."""
    asked = (sight.tournament.stamp, wording.language(), template, *what)
    with _lock:
        if asked in _known:
            _known.move_to_end(asked)
            return _known[asked]
    context = {"tournament": sight.tournament, **make(public.seen(sight.event))}
    made = render_to_string(f"tournaments/hall/{template}", context)
    with _lock:
        _known[asked] = made
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return made
