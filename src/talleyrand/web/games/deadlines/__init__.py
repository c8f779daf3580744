"""When a phase is due, as a rule that a person reads: no Django, no clock of its own."""

from .errors import Unfit
from .rhythm import Planned, Rhythm

__all__ = ["Planned", "Rhythm", "Unfit"]
