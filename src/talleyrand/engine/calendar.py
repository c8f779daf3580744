"""Which phase comes next."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InvalidPosition
from .position import Phase


@dataclass(frozen=True)
class Calendar:
    """The round of a year.

    `cycle` lists season and kind letters (`SM`, `SR`, …) through one year; `opening` those played
    once before `first`, `opening_lead` years before its own, and without any talk where it is `silent`;
    `capture_after` the seasons that change ownership; `optional` the kinds of phase in which to write nothing
    is a choice like another; `repeated` those that go on, phase after phase, while somebody has a choice.
    """

    first: Phase
    cycle: tuple[str, ...]
    opening: tuple[str, ...] = ()
    capture_after: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    opening_lead: int = 0
    silent: bool = False

    @property
    def start(self) -> Phase:
        """The very first phase of a game."""
        code = self.opening[0] if self.opening else f"{self.first.season}{self.first.kind}"
        return Phase(code[0], self.first.year - (self.opening_lead if self.opening else 0), code[1])

    def is_opening(self, phase: Phase) -> bool:
        """Whether a phase is one of those before the first year; a year may have phases of the same name."""
        code = phase.season + phase.kind
        return code in self.opening and (code not in self.cycle or phase.year < self.first.year)

    def next_phase(self, phase: Phase) -> Phase:
        """The phase that follows; raises InvalidPosition (`unknown_phase`) for one the variant lacks."""
        if self.is_opening(phase):
            later = self.opening[self.opening.index(phase.season + phase.kind) + 1 :]
            if later:
                return Phase(later[0][0], phase.year, later[0][1])
            return self.first._replace(year=phase.year + self.opening_lead)
        at = self._place(phase) + 1
        following = self.cycle[at % len(self.cycle)]
        return Phase(following[0], phase.year + at // len(self.cycle), following[1])

    def year_of_moves(self, phase: Phase) -> int:
        """The year of the open moves, or of the next: after a year's last moves the one that follows."""
        while phase.kind != "M":
            phase = self.next_phase(phase)
        return phase.year

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
