"""How much work a question may make: counted, not timed, so that its answer is the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class StepBudget:
    """What may still be done, in steps of about ten microseconds; any number of phases may share one."""

    remaining: int
    cut_short: bool = False  # something was not made for want of steps

    def try_spend(self, steps: int, spared: int = 0) -> bool:
        """Whether so many steps may be made and `spared` be left; if so they are counted."""
        allowed = self.remaining - steps >= spared
        if allowed:
            self.remaining -= steps
        else:
            self.cut_short = True
        return allowed
