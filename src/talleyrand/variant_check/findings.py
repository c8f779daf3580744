"""What a check of a variant finds: a code with its facts, and its sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from talleyrand.messages import Catalogue

CATALOGUE = Catalogue("talleyrand.variant_check", "variant_check")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # a stranger’s words may move a terminal


@dataclass(frozen=True)
class VariantFinding:
    """One thing that does not fit; `about` names the places, powers or files it concerns."""

    code: str
    about: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What tells two findings apart, whatever their measures."""
        return self.code, self.about


def finding_sentence(finding: VariantFinding, language: str) -> str:
    """The finding as a sentence with what to do next."""
    about = {"about": " – ".join(finding.about)}
    about |= dict(zip(("first", "second"), finding.about, strict=False))
    kind = CATALOGUE.pattern(language, f"kind.{finding.facts['kind']}") if "kind" in finding.facts else ""
    told = CATALOGUE.fill(language, finding.code, {**about, **finding.facts, "kind": kind})
    return CONTROL.sub("\ufffd", told)
