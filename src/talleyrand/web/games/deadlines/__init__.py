"""When a phase is due, as a rule that a person reads: no Django, no clock of its own."""

from .rhythm import Rhythm

__all__ = ["Rhythm"]
