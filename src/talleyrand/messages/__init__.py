"""Outcomes, refusals and errors as sentences, in French and English."""

from .catalogue import Catalogue
from .naming import unit_name
from .phases import phase_name
from .refusals import error, note, refusal
from .scores import score_line
from .verdicts import Teller, result_word, source, unmade, why

__all__ = [
    "Catalogue",
    "Teller",
    "error",
    "note",
    "phase_name",
    "refusal",
    "result_word",
    "score_line",
    "source",
    "unit_name",
    "unmade",
    "why",
]
