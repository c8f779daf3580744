"""When a phase is due, as a rule that a person reads: no Django, no clock of its own."""

from .deadline_errors import InvalidDeadlineSettings
from .deadline_settings import DRAFT, DeadlineSettings, PlannedDeadlines

__all__ = ["DRAFT", "DeadlineSettings", "InvalidDeadlineSettings", "PlannedDeadlines"]
