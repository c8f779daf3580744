"""What can be done to an event. An act is a frozen dataclass with `apply(event) -> Event`: pure, so that the
same acts give the same event, in a test or on the site. `read_act` and `write_act` make JSON of them and
back; `perform_act` refuses what would leave an event that contradicts itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talleyrand.formats.json_checks import Json, clip_json
from talleyrand.tournament import codec, invariants
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import Event

from .act import ACTS_BY_KIND, EventAct

# isort: off
# Each act puts itself into ACTS_BY_KIND, in this order.
from . import event_acts, people_acts, merge_people, round_acts, seating_acts, clock_acts  # noqa: F401
from . import end_vote_acts, result_acts, ruling_acts, team_acts  # noqa: F401
# isort: on

__all__ = ["ACTS_BY_KIND", "perform_act", "read_act", "write_act"]


def perform_act(event: Event, act: EventAct) -> Event:
    """The event after an act; raises ActRefused (`act_*`) or InconsistentEvent (`sound_*`)."""
    after = act.apply(event)
    invariants.check_invariants(after)
    return after


def read_act(told: Mapping[str, Json]) -> EventAct:
    """An act from JSON: `kind` and its fields; raises InvalidEvent."""
    facts = dict(told)
    kind = facts.pop("kind", None)
    if kind not in ACTS_BY_KIND:
        raise InvalidEvent(
            "event_not_a_word", where="kind", value=clip_json(kind), known=", ".join(ACTS_BY_KIND)
        )
    return codec.read_value(ACTS_BY_KIND[str(kind)], facts)


def write_act(act: EventAct) -> dict[str, Any]:
    """JSON of an act."""
    told = codec.write_value(act)
    assert isinstance(told, dict)
    return {"kind": act.kind, **told}
