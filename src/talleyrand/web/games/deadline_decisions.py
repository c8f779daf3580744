"""What is due in one game at one moment: a decision, from what was read; nothing is changed here."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property

from django.db import DatabaseError
from django.db.models import F, Q

from talleyrand.web.boards import adjudicator as judge

from . import (
    bot_agreements,
    game_bots,
    order_submission,
    phase_deadlines,
    power_assignments,
    recipients,
    unread_email_orders,
)
from .deadlines import DRAFT, DeadlineSettings
from .endings import end_proposals
from .endings.end_proposal_rules import ProposalOutcome
from .game_history import GameHistory
from .game_settings import GameSettings, MissingOrdersRule
from .models import (
    ClockOutage,
    EndProposal,
    Game,
    GameSeat,
    GameState,
    OrderSet,
    PhaseRevision,
    UnreadEmailOrders,
)

logger = logging.getLogger(__name__)

# How often a phase is extended that cannot be played in disorder, before it waits.
MOST_FORCED_EXTENSIONS = 3
SHORTEST_SECOND_TIME = timedelta(hours=1)


class DueStep(StrEnum):
    """What the clock does next with a game."""

    NOTHING = "nothing"  # the game asks for nothing now
    CHECK_LATER = "later"  # look again at another time
    REMIND = "warn"  # remind those without a sheet
    SUBMIT_DRAFTS = "settle"  # drafts become sheets; the missing have their grace
    ADJUDICATE = "publish"
    EXTEND = "extend"
    WAIT_FOR_GAME_MASTER = "wait"
    SET_NEW_DEADLINE = "restart"  # a game that waited without a game master has a date again
    MOVE_AFTER_OUTAGE = "spare"  # the site was out of reach before the deadline
    WAIT_FOR_EMAIL = "hold"  # orders have come that nobody has read yet
    WAIT_FOR_BOTS = "think"  # all but the computer are done
    END_GAME = "end"  # as the players agreed: an accepted proposal, or the hour they set


# What is not done before the orders that came in time are read.
CONCLUSIVE_STEPS = frozenset(
    {DueStep.SUBMIT_DRAFTS, DueStep.ADJUDICATE, DueStep.EXTEND, DueStep.WAIT_FOR_GAME_MASTER}
)


@dataclass
class DueDecision:
    """A game as it stands `now`."""

    game: Game
    now: datetime

    @cached_property
    def settings(self) -> GameSettings:
        return self.game.settings

    @cached_property
    def deadline_settings(self) -> DeadlineSettings:
        return phase_deadlines.deadline_settings_of(self.game)

    @cached_property
    def history(self) -> GameHistory:
        return GameHistory(self.game)

    @cached_property
    def deciding_powers(self) -> tuple[str, ...]:
        """The powers that have something to decide."""
        question = self.history.question(self.game.phase_number)
        return judge.deciding_powers(question) if question else ()

    @cached_property
    def seats(self) -> dict[str, GameSeat]:
        return {seat.power: seat for seat in self.game.seats.all()}

    @cached_property
    def order_sets(self) -> dict[str, OrderSet]:
        """The sheet of each power that counts."""
        return order_submission.counting_order_sets(self.game, self.game.phase_number)

    @cached_property
    def submitted_powers(self) -> set[str]:
        """The powers with a sheet; in a draft a list for later turns alone is none."""
        found = set(self.order_sets)
        question = self.history.question(self.game.phase_number) if self.deadline_kind == DRAFT else None
        if question is None:
            return found
        lines = {power: self.order_sets[power].lines for power in self.deciding_powers if power in found}
        return (found - lines.keys()) | judge.chosen_powers(question, lines)

    @cached_property
    def counting_drafts(self) -> dict[str, GameSeat]:
        """The drafts that stand for a sheet if the phase ends now."""
        return order_submission.counting_drafts(
            self.game, self.game.phase_number, self.submitted_powers, self.now, among=self.seats.values()
        )

    @property
    def drafts_before_deadline(self) -> dict[str, GameSeat]:
        """Those among them that were made before the deadline."""
        due = self.game.deadline
        return {
            power: seat
            for power, seat in self.counting_drafts.items()
            if due is None or seat.drafted_at is None or seat.drafted_at <= due
        }

    @cached_property
    def awaited_powers(self) -> list[str]:
        """The powers that are waited for at all: none in lasting disorder."""
        return [power for power in self.deciding_powers if not self._lost(power)]

    @cached_property
    def missing_powers(self) -> list[str]:
        """The powers without whose orders the phase is not played at its time: neither sheet nor draft."""
        if self.is_optional:
            return []
        landless = self.history.variant.board.landless
        done = {*self.submitted_powers, *self.counting_drafts, *landless}
        return [power for power in self.awaited_powers if power not in done]

    @property
    def late_powers(self) -> list[str]:
        """The powers waited for that have handed in nothing."""
        return [power for power in self.awaited_powers if power not in self.submitted_powers]

    @cached_property
    def bots_wait_until(self) -> datetime | None:
        """How long the game waits for the computer, all others being done."""
        bots = [power for power in self.deciding_powers if power in self.seats and self.seats[power].bot]
        anew = bot_agreements.unordered_powers(self.game) if bots else set()
        lacking = [
            power
            for power in bots
            if power in anew or not (self.seats[power].is_ready and power in self.submitted_powers)
        ]
        return game_bots.bots_wait_until(self.game, lacking, self.now)

    @cached_property
    def players_by_power(self) -> dict[str, int | None]:
        return power_assignments.players_by_power(self.game, self.seats)

    def _lost(self, power: str) -> bool:
        return self.players_by_power.get(power) is None or self.seats[power].in_civil_disorder

    @property
    def is_optional(self) -> bool:
        """Whether to write nothing is a choice like another."""
        return self.history.is_optional(self.game.phase)

    @property
    def is_movement(self) -> bool:
        return self.deadline_kind not in ("R", "A", "N", DRAFT) and not self.is_optional

    @cached_property
    def deadline_kind(self) -> str:
        """By the rule for which kind of phase the open one is due."""
        return phase_deadlines.deadline_kind(self.game, self.game.phase)

    @cached_property
    def is_first_movement(self) -> bool:
        """Whether no movement phase has been played yet."""
        return not any(phase[-1:] == "M" for phase in self.history.published_phases)

    @property
    def is_played_by_anyone(self) -> bool:
        """Whether the phase would be played by anybody: a movement in which nobody orders is none, and the
        computer does not play alone.
        """
        bots = {power for power, seat in self.seats.items() if seat.bot}
        return bool(self.submitted_powers - bots or self.counting_drafts) or not self.is_movement

    @property
    def is_everyone_ready(self) -> bool:
        """Whether everybody who is waited for has said that nobody need wait for him; in a draft whoever has
        chosen has."""
        if self.deadline_kind == DRAFT:
            return all(power in self.submitted_powers for power in self.awaited_powers)
        if not self.deadline_settings.plays_early or not self.is_played_by_anyone:
            return False
        return all(
            power in self.submitted_powers and self.seats[power].is_ready for power in self.awaited_powers
        )

    @property
    def may_play_without_missing(self) -> bool:
        """Whether the phase may be played without the sheets of those who are missing."""
        return self.is_played_by_anyone and not (self.is_movement and self.is_first_movement)

    @cached_property
    def deadline_after_outage(self) -> datetime | None:
        """The later deadline of a phase in whose last fifth the site was out of reach for long."""
        game = self.game
        if game.deadline is None or game.phase_opened_at is None:
            return None
        fifth, due = phase_deadlines.last_fifth(game), game.deadline
        missed = ClockOutage.objects.filter(
            pk__gt=game.last_outage_id, started_at__lt=due, ended_at__gt=due - fifth
        )
        found = missed.filter(ended_at__gt=game.phase_opened_at).first()
        if found is None:
            return None
        left = due - max(found.started_at, due - fifth)
        least = min(fifth, SHORTEST_SECOND_TIME)
        return max(due, found.ended_at + max(left, least))

    @cached_property
    def accepted_proposal(self) -> EndProposal | None:
        """The proposal that ends the game now."""
        return end_proposals.accepted_end_proposal(self.game)

    @property
    def is_ending(self) -> bool:
        """Whether the players have agreed that the game is over by now."""
        return (
            phase_deadlines.is_agreed_end_reached(self.game, self.now) or self.accepted_proposal is not None
        )

    @property
    def is_last_phase(self) -> bool:
        """Whether the open phase is the last one: the hour agreed for the end is over, only it has to be
        played.
        """
        return self.settings.ends_at is not None and self.settings.ends_at <= self.now

    @cached_property
    def email_wait_until(self) -> datetime | None:
        """How long the game waits for orders that came in time and are not read yet."""
        return unread_email_orders.wait_until(self.game, self.now)

    def decide(self) -> DueStep:
        """What is due now."""
        step = self._decided()
        if step in CONCLUSIVE_STEPS and self.email_wait_until:
            return DueStep.WAIT_FOR_EMAIL
        return DueStep.WAIT_FOR_BOTS if step == DueStep.ADJUDICATE and self.bots_wait_until else step

    def _decided(self) -> DueStep:
        game = self.game
        if game.state != GameState.PLAYING or game.adjudication_error or not game.phase_number:
            return DueStep.NOTHING
        if self.is_ending:
            return DueStep.END_GAME
        if game.is_waiting:
            return self._waiting()
        return self._in_time()

    def _in_time(self) -> DueStep:
        game = self.game
        if self.deadline_after_outage is not None and not self.is_last_phase:
            return DueStep.MOVE_AFTER_OUTAGE
        if self.is_everyone_ready:
            return DueStep.ADJUDICATE
        if game.deadline is None or self.now < game.deadline + phase_deadlines.SETTLE_TIME:
            return self._before()
        return self._after()

    def _waiting(self) -> DueStep:
        if (not self.late_powers or self.is_optional) and self.is_played_by_anyone:
            return DueStep.ADJUDICATE
        return DueStep.NOTHING if self.has_game_master else DueStep.SET_NEW_DEADLINE

    def _before(self) -> DueStep:
        warning = phase_deadlines.warning_time(self.game)
        due = (
            warning is not None
            and self.game.next_check_at is not None
            and self.game.next_check_at <= warning <= self.now
        )
        return DueStep.REMIND if due and self.late_powers and not self.is_optional else DueStep.CHECK_LATER

    def _after(self) -> DueStep:
        if self.next_check is not None and self.now < self.next_check:
            return self._in_grace()
        if not self.missing_powers and self.is_played_by_anyone:
            return DueStep.ADJUDICATE
        if self.is_last_phase:
            return DueStep.ADJUDICATE if self.may_play_without_missing else DueStep.WAIT_FOR_GAME_MASTER
        if self.settings.absent == MissingOrdersRule.WAIT and self.has_game_master:
            return DueStep.WAIT_FOR_GAME_MASTER
        if self.game.extension_count < self._extensions():
            return DueStep.EXTEND
        return DueStep.ADJUDICATE if self.may_play_without_missing else DueStep.WAIT_FOR_GAME_MASTER

    def _in_grace(self) -> DueStep:
        """What was in preparation at the deadline counts; what is in preparation since then is not done."""
        if self.drafts_before_deadline:
            return DueStep.SUBMIT_DRAFTS
        return DueStep.CHECK_LATER if self.late_powers or not self.submitted_powers else DueStep.ADJUDICATE

    def _extensions(self) -> int:
        at_once = self.settings.absent == MissingOrdersRule.DISORDER or self.deadline_kind == DRAFT
        often = 0 if at_once else self.settings.extensions
        if self.settings.absent == MissingOrdersRule.WAIT:
            often = max(often, 1)
        return often if self.may_play_without_missing else max(often, MOST_FORCED_EXTENSIONS)

    @cached_property
    def has_game_master(self) -> bool:
        return bool(recipients.game_master_ids(self.game))

    @property
    def next_check(self) -> datetime | None:
        """When the game has to be looked at next."""
        game = self.game
        if game.deadline is not None and self.now >= game.deadline + phase_deadlines.SETTLE_TIME:
            return game.deadline + self.deadline_settings.grace + phase_deadlines.SETTLE_TIME
        return phase_deadlines.next_check(game, self.now)


def read_together(looks: Sequence[DueDecision]) -> list[DueDecision]:
    """The same looks at several games whose rows were read before: the rest is read of all of them at once.

    What nearly all games do not have is asked of those alone that have it.
    """
    found = [DueDecision(look.game, look.now) for look in looks]
    try:
        _read_seats(found)
        _read_sheets(found)
        _read_stories(found)
        _rule_out(found)
    except DatabaseError:
        raise
    except Exception:  # something is wrong with one of them: it is found when each is read alone
        logger.exception("games could not be read together")
        return list(looks)
    return found


def _read_seats(looks: Sequence[DueDecision]) -> None:
    found: dict[int, dict[str, GameSeat]] = defaultdict(dict)
    for seat in GameSeat.objects.filter(game__in=[look.game for look in looks]):
        found[seat.game_id][seat.power] = seat
    holders = power_assignments.players_by_power_of_games([look.game for look in looks])
    for look in looks:
        look.seats = found[look.game.pk]
        look.players_by_power = dict.fromkeys(look.seats) | holders[look.game.pk]


def _read_sheets(looks: Sequence[DueDecision]) -> None:
    found = order_submission.counting_order_sets_of_games([look.game for look in looks])
    for look in looks:
        look.order_sets = found[look.game.pk]


def _read_stories(looks: Sequence[DueDecision]) -> None:
    """Of each the open phase and the one before it, without the long answers."""
    number = F("game__phase_number")
    around = Q(phase_number=number) | Q(phase_number=number - 1)
    found: dict[int, list[PhaseRevision]] = defaultdict(list)
    games = [look.game for look in looks]
    for one in PhaseRevision.objects.filter(around, game__in=games, is_current=True).defer(
        "answer", "order_lines"
    ):
        found[one.game_id].append(one)
    for look in looks:
        look.history.preload(look.game.phase_number, found[look.game.pk])


def _rule_out(looks: Sequence[DueDecision]) -> None:
    """What most games have not: an accepted proposal, orders that nobody has read, an outage."""
    games = [look.game for look in looks]
    accepted = EndProposal.objects.filter(game__in=games, state=ProposalOutcome.ACCEPTED)
    ending = set(accepted.values_list("game", flat=True))
    holding = set(UnreadEmailOrders.objects.filter(game__in=games).values_list("game", flat=True))
    opened = [game.phase_opened_at for game in games if game.phase_opened_at is not None]
    spared = bool(opened) and ClockOutage.objects.filter(ended_at__gt=min(opened)).exists()
    for look in looks:
        if look.game.pk not in ending:
            look.accepted_proposal = None
        if look.game.pk not in holding:
            look.email_wait_until = None
        if not spared:
            look.deadline_after_outage = None
