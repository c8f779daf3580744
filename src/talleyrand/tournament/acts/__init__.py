"""What can be done to an event. An act is a frozen dataclass with `on(event) -> Event`: pure, so that the
same acts give the same event, in a test or on the site. `read` and `write` make JSON of them and back;
`perform` refuses what would leave an event that contradicts itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talleyrand.formats.shapes import Json, clip
from talleyrand.tournament import codec, soundness
from talleyrand.tournament.errors import BadEvent
from talleyrand.tournament.model import Event

from . import (
    ballots,
    clocks,
    drafts,
    endings,
    events,
    journeys,
    merging,
    notebook,
    people,
    presence,
    results,
    rounds,
    seats,
    teams,
    years,
)
from .act import Act

THEMES = (
    events,
    people,
    merging,
    rounds,
    presence,
    drafts,
    seats,
    clocks,
    endings,
    results,
    years,
    journeys,
    ballots,
    notebook,
    teams,
)
KINDS: Mapping[str, type[Act]] = {one.kind: one for theme in THEMES for one in theme.ACTS}


def perform(event: Event, act: Act) -> Event:
    """The event after an act; raises Refused (`act_*`) or Unsound (`sound_*`)."""
    after = act.on(event)
    soundness.check(after)
    return after


def read(told: Mapping[str, Json]) -> Act:
    """An act from JSON: `kind` and its fields; raises BadEvent."""
    facts = dict(told)
    kind = facts.pop("kind", None)
    if kind not in KINDS:
        raise BadEvent("event_not_a_word", where="kind", value=clip(kind), known=", ".join(KINDS))
    return codec.read(KINDS[str(kind)], facts)


def write(act: Act) -> dict[str, Any]:
    """JSON of an act."""
    told = codec.write(act)
    assert isinstance(told, dict)
    return {"kind": act.kind, **told}
