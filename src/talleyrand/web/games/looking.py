"""What is due in one game at one moment: a decision, from what was read; nothing is changed here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property

from django.db.models import F, Q

from talleyrand.web.boards import referee as judge

from . import audience, computers, dating, inbox, seats, unread
from .deadlines import Rhythm
from .endings import proposals
from .endings.rules import Outcome
from .models import Game, Outage, Proposal, Revision, Seat, Sheet, State, Unread
from .story import Story
from .terms import Absent, Terms

# How often a phase is extended that cannot be played in disorder, before it waits.
EXTENSIONS = 3
SHORTEST_SECOND_TIME = timedelta(hours=1)


class Step(StrEnum):
    """What the clock does next with a game."""

    NOTHING = "nothing"  # the game asks for nothing now
    LATER = "later"  # look again at another time
    WARN = "warn"  # remind those without a sheet
    SETTLE = "settle"  # drafts become sheets; the missing have their grace
    PUBLISH = "publish"
    EXTEND = "extend"
    WAIT = "wait"
    RESTART = "restart"  # a game that waited without a game master has a date again
    SPARE = "spare"  # the site was out of reach before the deadline
    HOLD = "hold"  # orders have come that nobody has read yet
    THINK = "think"  # all but the computer are done
    END = "end"  # as the players agreed: an accepted proposal, or the hour they set


# What is not done before the orders that came in time are read.
CONCLUSIVE = frozenset({Step.SETTLE, Step.PUBLISH, Step.EXTEND, Step.WAIT})


@dataclass
class Look:
    """A game as it stands `now`."""

    game: Game
    now: datetime

    @cached_property
    def terms(self) -> Terms:
        return self.game.terms

    @cached_property
    def rhythm(self) -> Rhythm:
        return dating.rhythm(self.game)

    @cached_property
    def story(self) -> Story:
        return Story(self.game)

    @cached_property
    def deciding(self) -> tuple[str, ...]:
        """The powers that have something to decide."""
        question = self.story.question(self.game.number)
        return judge.choosers(question) if question else ()

    @cached_property
    def seats(self) -> dict[str, Seat]:
        return {seat.power: seat for seat in self.game.seats.all()}

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        """The sheet of each power that counts."""
        return inbox.counting(self.game, self.game.number)

    @cached_property
    def handed(self) -> set[str]:
        """The powers with a sheet."""
        return set(self.sheets)

    @cached_property
    def drafts(self) -> dict[str, Seat]:
        """The drafts that stand for a sheet if the phase ends now."""
        return inbox.standing_for_sheets(
            self.game, self.game.number, self.handed, self.now, among=self.seats.values()
        )

    @property
    def ripe(self) -> dict[str, Seat]:
        """Those among them that were made before the deadline."""
        due = self.game.due
        return {
            power: seat
            for power, seat in self.drafts.items()
            if due is None or seat.draft_at is None or seat.draft_at <= due
        }

    @cached_property
    def awaited(self) -> list[str]:
        """The powers that are waited for at all: none in lasting disorder."""
        return [power for power in self.deciding if not self._lost(power)]

    @cached_property
    def missing(self) -> list[str]:
        """The powers without whose orders the phase is not played at its time: neither sheet nor draft."""
        if self.is_optional:
            return []
        landless = self.story.variant.board.landless
        done = {*self.handed, *self.drafts, *landless}
        return [power for power in self.awaited if power not in done]

    @property
    def late(self) -> list[str]:
        """The powers waited for that have handed in nothing."""
        return [power for power in self.awaited if power not in self.handed]

    @cached_property
    def computer_until(self) -> datetime | None:
        """How long the game waits for the computer, all others being done."""
        played = [(power, self.seats.get(power)) for power in self.deciding]
        lacking = [
            power for power, seat in played if seat and seat.bot and not (seat.final and power in self.handed)
        ]
        return computers.waited_for(self.game, lacking, self.now)

    @cached_property
    def holders(self) -> dict[str, int | None]:
        return seats.holders(self.game, self.seats)

    def _lost(self, power: str) -> bool:
        return self.holders.get(power) is None or self.seats[power].disorder

    @property
    def is_optional(self) -> bool:
        """Whether to write nothing is a choice like another."""
        return self.story.is_optional(self.game.phase)

    @property
    def is_movement(self) -> bool:
        return self.game.phase[-1:] not in ("R", "A") and not self.is_optional

    @cached_property
    def is_first(self) -> bool:
        """Whether no movement phase has been played yet."""
        return not any(phase[-1:] == "M" for phase in self.story.phases)

    @property
    def somebody(self) -> bool:
        """Whether the phase would be played by anybody: a movement in which nobody orders is none, and the
        computer does not play alone.
        """
        bots = {power for power, seat in self.seats.items() if seat.bot}
        return bool(self.handed - bots or self.drafts) or not self.is_movement

    @property
    def is_ready(self) -> bool:
        """Whether everybody who is waited for has said that nobody need wait for him."""
        if not self.rhythm.early or not self.somebody:
            return False
        return all(power in self.handed and self.seats[power].final for power in self.awaited)

    @property
    def may_be_disorder(self) -> bool:
        """Whether the phase may be played without the sheets of those who are missing."""
        return self.somebody and not (self.is_movement and self.is_first)

    @cached_property
    def spared(self) -> datetime | None:
        """The later deadline of a phase in whose last fifth the site was out of reach for long."""
        game = self.game
        if game.due is None or game.opened is None:
            return None
        fifth, due = dating.last_fifth(game), game.due
        missed = Outage.objects.filter(pk__gt=game.outage, since__lt=due, until__gt=due - fifth)
        found = missed.filter(until__gt=game.opened).first()
        if found is None:
            return None
        left = due - max(found.since, due - fifth)
        least = min(fifth, SHORTEST_SECOND_TIME)
        return max(due, found.until + max(left, least))

    @cached_property
    def accepted(self) -> Proposal | None:
        """The proposal that ends the game now."""
        return proposals.accepted(self.game)

    @property
    def is_ending(self) -> bool:
        """Whether the players have agreed that the game is over by now."""
        return dating.hour_has_come(self.game, self.now) or self.accepted is not None

    @property
    def is_last(self) -> bool:
        """Whether the open phase is the last one: the hour agreed for the end is over, only it has to be
        played.
        """
        return self.terms.ends_at is not None and self.terms.ends_at <= self.now

    @cached_property
    def held_until(self) -> datetime | None:
        """How long the game waits for orders that came in time and are not read yet."""
        return unread.until(self.game, self.now)

    def step(self) -> Step:
        """What is due now."""
        step = self._decided()
        if step in CONCLUSIVE and self.held_until:
            return Step.HOLD
        return Step.THINK if step == Step.PUBLISH and self.computer_until else step

    def _decided(self) -> Step:
        game = self.game
        if game.state != State.PLAYING or game.trouble or not game.number:
            return Step.NOTHING
        if self.is_ending:
            return Step.END
        if game.waiting:
            return self._waiting()
        return self._in_time()

    def _in_time(self) -> Step:
        game = self.game
        if self.spared is not None and not self.is_last:
            return Step.SPARE
        if self.is_ready:
            return Step.PUBLISH
        if game.due is None or self.now < game.due + dating.SETTLING:
            return self._before()
        return self._after()

    def _waiting(self) -> Step:
        if (not self.late or self.is_optional) and self.somebody:
            return Step.PUBLISH
        return Step.NOTHING if self.has_master else Step.RESTART

    def _before(self) -> Step:
        warning = dating.warned(self.game)
        due = warning is not None and self.game.sweep is not None and self.game.sweep <= warning <= self.now
        return Step.WARN if due and self.late and not self.is_optional else Step.LATER

    def _after(self) -> Step:
        if self.next_look is not None and self.now < self.next_look:
            return self._in_grace()
        if not self.missing and self.somebody:
            return Step.PUBLISH
        if self.is_last:
            return Step.PUBLISH if self.may_be_disorder else Step.WAIT
        if self.terms.absent == Absent.WAIT and self.has_master:
            return Step.WAIT
        if self.game.extended < self._extensions():
            return Step.EXTEND
        return Step.PUBLISH if self.may_be_disorder else Step.WAIT

    def _in_grace(self) -> Step:
        """What was in preparation at the deadline counts; what is in preparation since then is not done."""
        if self.ripe:
            return Step.SETTLE
        return Step.LATER if self.late or not self.handed else Step.PUBLISH

    def _extensions(self) -> int:
        often = 0 if self.terms.absent == Absent.DISORDER else self.terms.extensions
        if self.terms.absent == Absent.WAIT:
            often = max(often, 1)
        return often if self.may_be_disorder else max(often, EXTENSIONS)

    @cached_property
    def has_master(self) -> bool:
        return bool(audience.masters(self.game))

    @property
    def next_look(self) -> datetime | None:
        """When the game has to be looked at next."""
        game = self.game
        if game.due is not None and self.now >= game.due + dating.SETTLING:
            return game.due + self.rhythm.grace + dating.SETTLING
        return dating.next_look(game, self.now)


def together(games: Sequence[Game], now: datetime) -> list[Look]:
    """Looks at several games whose rows were read before: the rest is read of all of them at once.

    What nearly all games do not have is asked of those alone that have it.
    """
    looks = [Look(game, now) for game in games]
    _read_seats(looks)
    _read_sheets(looks)
    _read_stories(looks)
    _rule_out(looks)
    return looks


def _read_seats(looks: Sequence[Look]) -> None:
    found: dict[int, dict[str, Seat]] = defaultdict(dict)
    for seat in Seat.objects.filter(game__in=[look.game for look in looks]):
        found[seat.game_id][seat.power] = seat
    holders = seats.holders_of([look.game for look in looks])
    for look in looks:
        look.seats = found[look.game.pk]
        look.holders = dict.fromkeys(look.seats) | holders[look.game.pk]


def _read_sheets(looks: Sequence[Look]) -> None:
    found = inbox.counting_of([look.game for look in looks])
    for look in looks:
        look.sheets = found[look.game.pk]


def _read_stories(looks: Sequence[Look]) -> None:
    """Of each the open phase and the one before it, without the long answers."""
    number = F("game__number")
    around = Q(number=number) | Q(number=number - 1)
    found: dict[int, list[Revision]] = defaultdict(list)
    games = [look.game for look in looks]
    for one in Revision.objects.filter(around, game__in=games, current=True).defer("answer", "sheets"):
        found[one.game_id].append(one)
    for look in looks:
        look.story.remember(look.game.number, found[look.game.pk])


def _rule_out(looks: Sequence[Look]) -> None:
    """What most games have not: an accepted proposal, orders that nobody has read, an outage."""
    games = [look.game for look in looks]
    accepted = Proposal.objects.filter(game__in=games, state=Outcome.ACCEPTED)
    ending = set(accepted.values_list("game", flat=True))
    holding = set(Unread.objects.filter(game__in=games).values_list("game", flat=True))
    opened = [game.opened for game in games if game.opened is not None]
    spared = bool(opened) and Outage.objects.filter(until__gt=min(opened)).exists()
    for look in looks:
        if look.game.pk not in ending:
            look.accepted = None
        if look.game.pk not in holding:
            look.held_until = None
        if not spared:
            look.spared = None
