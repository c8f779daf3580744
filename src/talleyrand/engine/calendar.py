"""Which phase comes next."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InvalidPosition
from .position import Phase


@dataclass(frozen=True)
class Calendar:
    """The round of a year.

    `cycle` lists season and kind letters (`SM`, `SR`, …) through one year; `opening` those played
    once before `first`, in the same year; `capture_after` the seasons that change ownership; `optional` the
    kinds of phase in which to write nothing is a choice like another.
    """

    first: Phase
    cycle: tuple[str, ...]
    opening: tuple[str, ...] = ()
    capture_after: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def start(self) -> Phase:
        """The very first phase of a game."""
        code = self.opening[0] if self.opening else f"{self.first.season}{self.first.kind}"
        return Phase(code[0], self.first.year, code[1])

    def next_phase(self, phase: Phase) -> Phase:
        """The phase that follows; raises InvalidPosition (`unknown_phase`) for one the variant lacks."""
        code = phase.season + phase.kind
        if code in self.opening:
            later = self.opening[self.opening.index(code) + 1 :]
            return (
                Phase(later[0][0], phase.year, later[0][1]) if later else self.first._replace(year=phase.year)
            )
        at = self._place(phase) + 1
        following = self.cycle[at % len(self.cycle)]
        return Phase(following[0], phase.year + at // len(self.cycle), following[1])

    def check_phase(self, phase: Phase) -> None:
        """Raise InvalidPosition (`unknown_phase`) unless the variant has this phase."""
        if phase.season + phase.kind not in self.opening:
            self._place(phase)

    def season_ends_between(self, left: Phase, entered: Phase) -> bool:
        """Whether a season of moves has no move or retreat left between two phases."""
        return left.kind in "MR" and (entered.season != left.season or entered.kind not in "MR")

    def captures_between(self, left: Phase, entered: Phase) -> bool:
        """Whether centres change hands between two phases: a capturing season is over."""
        return left.season in self.capture_after and self.season_ends_between(left, entered)

    def _place(self, phase: Phase) -> int:
        try:
            return self.cycle.index(phase.season + phase.kind)
        except ValueError:
            raise InvalidPosition("unknown_phase", phase=str(phase)) from None
