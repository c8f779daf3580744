"""The rule by which the deadlines of a game follow each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any


@dataclass(frozen=True)
class Rhythm:
    """`early`: as soon as nobody is waited for; `grace`: how long a late sheet is still taken."""

    hours: int = 72
    early: bool = True
    grace: timedelta = timedelta(0)

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Rhythm:
        """From JSON."""
        return cls(kept.get("hours", 72), kept.get("early", True), timedelta(seconds=kept.get("grace", 0)))

    def kept(self) -> dict[str, Any]:
        """As JSON."""
        return {"hours": self.hours, "early": self.early, "grace": int(self.grace.total_seconds())}

    def due(self, kind: str, opened: datetime) -> datetime | None:
        """When a phase of this kind (M, R, A) that opens now is due; None: when the game master says."""
        return opened + timedelta(hours=self.hours) if kind and self.hours else None
