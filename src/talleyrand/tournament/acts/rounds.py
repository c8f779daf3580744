"""Rounds: planned, opened, closed, cancelled, shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from talleyrand.tournament import regulations
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventRound, RoundState

from .act import (
    EventAct,
    check_round_state,
    check_time,
    find_round,
    next_number,
    with_round,
)

MAX_ROUNDS = 30


@dataclass(frozen=True)
class AddRound(EventAct):
    """One more round than was planned."""

    kind: ClassVar[str] = "round_added"
    assistants_may: ClassVar[bool] = False
    starts: str = ""

    def apply(self, event: Event) -> Event:
        """Under the next number."""
        if len(event.rounds) >= MAX_ROUNDS:
            raise ActRefused("act_rounds_enough", most=str(MAX_ROUNDS))
        planned = EventRound(starts=check_time(self.starts) if self.starts else "")
        return replace(event, rounds={**event.rounds, next_number(event.rounds): planned})


@dataclass(frozen=True)
class RemoveRound(EventAct):
    """A round that will not be played after all, as long as nobody has come for it."""

    kind: ClassVar[str] = "round_removed"
    assistants_may: ClassVar[bool] = False
    round: int

    def apply(self, event: Event) -> Event:
        """Whoever had signed up for it has not."""
        now = check_round_state(event, self.round, RoundState.PLANNED)
        if now.present:
            raise ActRefused("act_round_attended", round=str(self.round))
        people = {
            number: replace(one, rounds=tuple(at for at in one.rounds if at != self.round))
            for number, one in event.people.items()
        }
        left = {at: one for at, one in event.rounds.items() if at != self.round}
        return replace(event, people=people, rounds=left)


@dataclass(frozen=True)
class ScheduleRound(EventAct):
    """When a round begins."""

    kind: ClassVar[str] = "round_timed"
    round: int
    starts: str = ""

    def apply(self, event: Event) -> Event:
        """Nothing: not known yet."""
        return with_round(event, self.round, starts=check_time(self.starts) if self.starts else "")


@dataclass(frozen=True)
class OpenRound(EventAct):
    """People arrive."""

    kind: ClassVar[str] = "round_opened"
    round: int

    def apply(self, event: Event) -> Event:
        """Twice is once."""
        check_round_state(event, self.round, RoundState.PLANNED, RoundState.OPEN)
        return with_round(event, self.round, state=RoundState.OPEN)


@dataclass(frozen=True)
class CloseRound(EventAct):
    """All is in."""

    kind: ClassVar[str] = "round_closed"
    round: int

    def apply(self, event: Event) -> Event:
        """Refused while a result of a board that counts is missing, or nobody has confirmed it."""
        now = check_round_state(event, self.round, RoundState.PLAYING, RoundState.CLOSED)
        missing = [] if now.cancelled else boards_without_result(now)
        if missing:
            raise ActRefused(
                "act_results_missing", round=str(self.round), boards=", ".join(map(str, missing))
            )
        return with_round(event, self.round, state=RoundState.CLOSED)


def boards_without_result(one: EventRound) -> list[int]:
    """Boards that count and have no confirmed result."""
    return [
        at
        for at, board in one.boards.items()
        if board.counts and not (board.result and board.result.confirmed)
    ]


@dataclass(frozen=True)
class ReopenRound(EventAct):
    """Something is missing after all."""

    kind: ClassVar[str] = "round_reopened"
    round: int

    def apply(self, event: Event) -> Event:
        """It is played again, as it stands."""
        check_round_state(event, self.round, RoundState.PLAYING, RoundState.CLOSED)
        return with_round(event, self.round, state=RoundState.PLAYING)


@dataclass(frozen=True)
class CancelRound(EventAct):
    """The round gives no points; or it does again."""

    kind: ClassVar[str] = "round_cancelled"
    assistants_may: ClassVar[bool] = False
    round: int
    cancelled: bool = True

    def apply(self, event: Event) -> Event:
        """What was played and entered is kept."""
        return with_round(event, self.round, cancelled=self.cancelled)


@dataclass(frozen=True)
class RevealRound(EventAct):
    """Whether the standings of a round are shown to all."""

    kind: ClassVar[str] = "round_revealed"
    round: int
    shown: bool = True

    def apply(self, event: Event) -> Event:
        """Twice is once."""
        return with_round(event, self.round, revealed=self.shown)


@dataclass(frozen=True)
class DecideFinalTable(EventAct):
    """Whether the first board of a round is the final table; `formation.final` says when it should be."""

    kind: ClassVar[str] = "final_decided"
    assistants_may: ClassVar[bool] = False
    round: int
    held: bool

    def apply(self, event: Event) -> Event:
        """Only in the round that the regulations name, before its seats are drawn."""
        rule = regulations.read_regulations(event.regulations).final
        if rule is None or rule.round != self.round:
            raise ActRefused("act_no_final", round=str(self.round))
        now = find_round(event, self.round)
        if now.boards and now.final is not self.held:
            raise ActRefused("act_round_draft", round=str(self.round))
        return with_round(event, self.round, final=self.held)


ACTS: tuple[type[EventAct], ...] = (
    AddRound,
    RemoveRound,
    ScheduleRound,
    OpenRound,
    CloseRound,
    ReopenRound,
    CancelRound,
    RevealRound,
    DecideFinalTable,
)
