"""Rounds: planned, opened, closed, cancelled, shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament import regulations
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event, Round, RoundState

from .act import Act, check_state, check_time, next_number, round_of, with_round

MOST = 30


@dataclass(frozen=True)
class AddRound(Act):
    """One more round than was planned."""

    kind: ClassVar[str] = "round_added"
    helps: ClassVar[bool] = False
    starts: str = ""

    def on(self, event: Event) -> Event:
        """Under the next number."""
        if len(event.rounds) >= MOST:
            raise Refused("act_rounds_enough", most=str(MOST))
        planned = Round(starts=check_time(self.starts) if self.starts else "")
        return replace(event, rounds={**event.rounds, next_number(event.rounds): planned})


@dataclass(frozen=True)
class RemoveRound(Act):
    """A round that will not be played after all, as long as nobody has come for it."""

    kind: ClassVar[str] = "round_removed"
    helps: ClassVar[bool] = False
    round: int

    def on(self, event: Event) -> Event:
        """Whoever had signed up for it has not."""
        now = check_state(event, self.round, RoundState.PLANNED)
        if now.present:
            raise Refused("act_round_attended", round=str(self.round))
        people = {
            number: replace(one, rounds=tuple(at for at in one.rounds if at != self.round))
            for number, one in event.people.items()
        }
        left = {at: one for at, one in event.rounds.items() if at != self.round}
        return replace(event, people=people, rounds=left)


@dataclass(frozen=True)
class PlanRound(Act):
    """When a round begins."""

    kind: ClassVar[str] = "round_timed"
    round: int
    starts: str = ""

    def on(self, event: Event) -> Event:
        """Nothing: not known yet."""
        return with_round(event, self.round, starts=check_time(self.starts) if self.starts else "")


@dataclass(frozen=True)
class OpenRound(Act):
    """People arrive."""

    kind: ClassVar[str] = "round_opened"
    round: int

    def on(self, event: Event) -> Event:
        """Twice is once."""
        check_state(event, self.round, RoundState.PLANNED, RoundState.OPEN)
        return with_round(event, self.round, state=RoundState.OPEN)


@dataclass(frozen=True)
class CloseRound(Act):
    """All is in."""

    kind: ClassVar[str] = "round_closed"
    round: int

    def on(self, event: Event) -> Event:
        """Refused while a result of a board that counts is missing, or nobody has confirmed it."""
        now = check_state(event, self.round, RoundState.PLAYING, RoundState.CLOSED)
        missing = [] if now.cancelled else unfinished(now)
        if missing:
            raise Refused("act_results_missing", round=str(self.round), boards=", ".join(map(str, missing)))
        return with_round(event, self.round, state=RoundState.CLOSED)


def unfinished(one: Round) -> list[int]:
    """Boards that count and have no confirmed result."""
    return [
        at
        for at, board in one.boards.items()
        if board.counts and not (board.result and board.result.confirmed)
    ]


@dataclass(frozen=True)
class ReopenRound(Act):
    """Something is missing after all."""

    kind: ClassVar[str] = "round_reopened"
    round: int

    def on(self, event: Event) -> Event:
        """It is played again, as it stands."""
        check_state(event, self.round, RoundState.PLAYING, RoundState.CLOSED)
        return with_round(event, self.round, state=RoundState.PLAYING)


@dataclass(frozen=True)
class CancelRound(Act):
    """The round gives no points; or it does again."""

    kind: ClassVar[str] = "round_cancelled"
    helps: ClassVar[bool] = False
    round: int
    cancelled: bool = True

    def on(self, event: Event) -> Event:
        """What was played and entered is kept."""
        return with_round(event, self.round, cancelled=self.cancelled)


@dataclass(frozen=True)
class RevealRound(Act):
    """Whether the standings of a round are shown to all."""

    kind: ClassVar[str] = "round_revealed"
    round: int
    shown: bool = True

    def on(self, event: Event) -> Event:
        """Twice is once."""
        return with_round(event, self.round, revealed=self.shown)


@dataclass(frozen=True)
class DecideFinal(Act):
    """Whether the first board of a round is the final table; `formation.final` says when it should be."""

    kind: ClassVar[str] = "final_decided"
    helps: ClassVar[bool] = False
    round: int
    held: bool

    def on(self, event: Event) -> Event:
        """Only in the round that the regulations name, before its seats are drawn."""
        rule = regulations.read(event.regulations).final
        if rule is None or rule.round != self.round:
            raise Refused("act_no_final", round=str(self.round))
        now = round_of(event, self.round)
        if now.boards and now.final is not self.held:
            raise Refused("act_round_draft", round=str(self.round))
        return with_round(event, self.round, final=self.held)


ACTS: tuple[type[Act], ...] = (
    AddRound,
    RemoveRound,
    PlanRound,
    OpenRound,
    CloseRound,
    ReopenRound,
    CancelRound,
    RevealRound,
    DecideFinal,
)
