"""What one visitor may see and do in one game. Every page, feed, export and picture asks here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.prepared_queries import Given, PreparedQuery

from . import power_assignments
from .delayed_games import delayed_game
from .finding_models import GroupMember
from .game_settings import Anonymity, SpectatorRule
from .models import ENDED_STATES, RUNNING_STATES, DelayedGame, Game, GameMembership, GameRole, GameState


def _roles(game: Given | OuterRef) -> QuerySet[GameMembership, tuple[str]]:
    """The role of the person that will be given."""
    mine = GameMembership.objects.filter(game=game, person=Given(GameMembership, "person"), left_at=None)
    return mine.values_list("role")


def role_in_game(game: OuterRef) -> Subquery:
    """For prepared queries: the role of the person that will be given."""
    return Subquery(_roles(game))


ROLE = PreparedQuery(lambda: _roles(Given(GameMembership, "game")))
ORDERING_ROLES = (GameRole.PLAYER, GameRole.GAME_MASTER)


def is_listed_for(game: Game, person: Person | None) -> bool:
    """Whether somebody finds a game in their lists: all do, or the members of its group."""
    if game.is_listed or game.group_id is None or person is None:
        return game.is_listed
    return GroupMember.objects.filter(group=game.group_id, person=person).exists()


@dataclass
class GameViewer:
    """A game as `person` (None: a visitor without account) may see it.

    `signed_topics`: the signed words by which a page of it hears of what changes since. `shows_all`: without
    the delay that onlookers have, for what is sent to those who have none.
    """

    whole_game: Game
    person: Person | None
    signed_topics: str = ""
    shows_all: bool = False

    @classmethod
    def for_user(cls, game: Game, user: Any) -> GameViewer:
        """From `request.user`."""
        return cls(game, user if isinstance(user, Person) else None)

    @cached_property
    def game(self) -> Game:
        """The game; for onlookers, where it is shown late, as it was."""
        return delayed_game(self.whole_game, timezone.now()) if self.is_delayed else self.whole_game

    @cached_property
    def is_delayed(self) -> bool:
        """Whether one sees the game late: who neither plays nor leads it, invited or not."""
        if self.shows_all or not self.whole_game.is_shown_late:
            return False
        return self.role in ("", GameRole.OBSERVER)

    @property
    def seen_until(self) -> datetime | None:
        """From when on one sees nothing that was written or done; None: one sees it all."""
        return self.game.seen_until if isinstance(self.game, DelayedGame) else None

    def with_known(self, role: str, held: list[tuple[str, int | None]]) -> GameViewer:
        """The same with the role and `power_assignments.assignments_in_order` from who has read them."""
        self.role = role
        self._held = held if role in ORDERING_ROLES else []
        return self

    def holds(self, role: str, holder: int | None) -> bool:
        """Whether a power is one’s own to order, from who has read one’s role and who holds it."""
        self.role = role or ""
        return self.role in ORDERING_ROLES and self.person is not None and holder == self.person.pk

    @cached_property
    def role(self) -> str:
        """One’s role in the game; "" for a visitor."""
        if self.person is None:
            return ""
        found: tuple[str] = ROLE.first(game=self.whole_game.pk, person=self.person.pk) or ("",)
        return found[0]

    @property
    def is_game_master(self) -> bool:
        """The game master: sees everything, plays no power with land."""
        return self.role == GameRole.GAME_MASTER

    @property
    def is_at_desk(self) -> bool:
        """The game master or an assistant, who sees who is late but no secret sheet and no letter."""
        return self.role in (GameRole.GAME_MASTER, GameRole.ASSISTANT)

    @cached_property
    def powers(self) -> tuple[str, ...]:
        """The powers one plays, a stand-in’s included; also those a stand-in plays for one meanwhile."""
        mine = self.person.pk if self.person else 0
        return tuple(dict.fromkeys(power for power, person in self._held if person == mine))

    @cached_property
    def orderable_powers(self) -> tuple[str, ...]:
        """The powers one may order now: none of one’s own that a stand-in plays."""
        holders = dict(self._held)  # the last one of each power is who may order it
        mine = self.person.pk if self.person else 0
        return tuple(power for power in self.powers if holders.get(power) == mine)

    @cached_property
    def _held(self) -> list[tuple[str, int | None]]:
        return power_assignments.assignments_in_order(self.game) if self.role in ORDERING_ROLES else []

    @property
    def is_game_over(self) -> bool:
        return self.game.state in ENDED_STATES

    @cached_property
    def may_open(self) -> bool:
        """Whether the game exists at all for this visitor."""
        if self.role:
            return True
        watched = self.game.settings.watching == SpectatorRule.EVERYBODY or self.is_game_over
        return (watched or self.game.state == GameState.GATHERING) and self.finds

    @cached_property
    def finds(self) -> bool:
        """Whether the game is in one’s lists without a role in it."""
        return is_listed_for(self.game, self.person)

    @property
    def is_host(self) -> bool:
        """Whether one gathers the players: the game master, or who made the game until it begins."""
        made = self.person is not None and self.game.creator_id == self.person.pk
        return self.is_game_master or (self.game.state == GameState.GATHERING and made and bool(self.role))

    @property
    def may_invite(self) -> bool:
        """Whether one sends links: who gathers the players, later the maker of a game without game master."""
        made = self.person is not None and self.game.creator_id == self.person.pk and bool(self.role)
        alone = made and not self.game.memberships.filter(role=GameRole.GAME_MASTER, left_at=None).exists()
        return not self.is_game_over and (self.is_host or alone)

    @cached_property
    def may_join(self) -> bool:
        """Whether the game’s terms may be read by somebody without a link who thinks of joining: a listed
        game that gathers its players, or has a seat free.
        """
        if self.may_open:
            return True
        return (
            not self.is_game_over
            and self.finds
            and bool(
                power_assignments.unplayed_powers(self.game)
                or (self.game.settings.bot_seats_open and power_assignments.bots_by_power(self.game))
            )
        )

    @property
    def may_see_players(self) -> bool:
        """Whether one may know which person plays which power."""
        if self.is_game_master:
            return True
        open_now = self.game.settings.anonymity == Anonymity.OPEN
        played = (
            self.is_game_over and self.game.phase_number > 0
        )  # one given up before it began has nothing to reveal
        return self.may_open and (open_now or played or self.game.powers_revealed_at is not None)

    @property
    def may_see_absences(self) -> bool:
        """Whether one may know from when until when others are away.

        The dates would tell who somebody is in another game, and with the names that are told in the end even
        more: they are for the game master, and for all at a table where everybody knew from the start.
        """
        return self.is_game_master or (bool(self.role) and self.game.settings.anonymity == Anonymity.OPEN)

    @property
    def may_see_readiness(self) -> bool:
        """Whether one may know who has submitted and who is ready: the desk, and all if the game says so."""
        shown = self.may_open and self.game.settings.submissions_shown and not self.is_delayed
        return self.is_at_desk or shown

    def may_see_orders(self, power: str) -> bool:
        """Whether one may see what this power has submitted for the open phase."""
        return self.is_game_master or power in self.powers

    def may_see_draft(self, power: str) -> bool:
        """Whether one may see what this power has in preparation: its players alone."""
        return power in self.powers

    def may_order(self, power: str) -> bool:
        """Whether one may hand in this power’s sheet as its player."""
        playing = self.game.state in RUNNING_STATES
        return playing and power in self.orderable_powers
