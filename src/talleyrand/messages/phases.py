"""What a phase is called."""

from __future__ import annotations

from talleyrand.engine.position import Phase
from talleyrand.variants import Variant

from .catalogue import has_sentence, pattern


def phase_name(phase: Phase, variant: Variant, language: str) -> str:
    """ "printemps 1901, mouvements"; letters that have no name stay as they are."""
    code = f"phase.{phase.kind}"
    kind = pattern(language, code) if has_sentence(language, code) else phase.kind
    return f"{variant.season(phase, language)} {phase.year}, {kind}"
