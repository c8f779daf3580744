"""Outcomes, refusals and errors as sentences, in French and English."""

from typing import TYPE_CHECKING

from talleyrand import names_on_demand

from .catalogue import Catalogue

if TYPE_CHECKING:
    from .refusal_sentences import error_sentence, note_sentence, refusal_sentence
    from .score_sentences import score_line_sentences
    from .sentence_names import phase_name, unit_name
    from .verdict_sentences import (
        StepSentences,
        cause_sentence,
        cause_sentences,
        result_word,
        rule_source,
        unmade_adjustment_sentence,
    )
else:
    __getattr__ = names_on_demand(
        __name__, "refusal_sentences", "sentence_names", "verdict_sentences", "score_sentences"
    )

__all__ = [
    "Catalogue",
    "StepSentences",
    "cause_sentence",
    "cause_sentences",
    "error_sentence",
    "note_sentence",
    "phase_name",
    "refusal_sentence",
    "result_word",
    "rule_source",
    "score_line_sentences",
    "unit_name",
    "unmade_adjustment_sentence",
]
