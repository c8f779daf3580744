"""What a tournament refuses, as codes with facts; `messages.tournament` has the sentences."""

from __future__ import annotations

from talleyrand.engine.errors import TalleyrandError


class InvalidEvent(TalleyrandError):
    """A file or an entry that has not the form of an event: `event_*`, with `where`, the place in it."""


class ActRefused(TalleyrandError):
    """An act that cannot be done now: `act_*`; the facts say what stands in its way."""


class InconsistentEvent(ActRefused):
    """An event that would contradict itself after an act or an undo: `sound_*`."""
