"""What one visitor may see and do in one tournament. Every page, file and screen asks here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from django.http import HttpRequest

from talleyrand.tournament import acts, public
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.model import Event, Private
from talleyrand.web.accounts.models import Person

from . import passes
from .documents import event_of, for_all
from .journal import By
from .models import Entry, Membership, Role, Tournament


@dataclass
class Sight:
    """A tournament as a visitor may see it: `account` if signed in, `number` as a person of the event."""

    tournament: Tournament
    account: Person | None = None
    number: int = 0
    topics: str = ""

    @classmethod
    def of(cls, tournament: Tournament, request: HttpRequest) -> Sight:
        """From a request: his account, his own link, or the phone that took his name."""
        account = request.user if isinstance(request.user, Person) else None
        return cls(tournament, account, passes.number_of(tournament, request))

    @cached_property
    def event(self) -> Event:
        """All of it, for the desk and for what is worked out: pages show `shown`."""
        return event_of(self.tournament)

    @cached_property
    def shown(self) -> Event:
        """What a page that leaves the desk may show to this visitor."""
        seen = public.with_own(self.event, for_all(self.event), self.number)
        if self.is_proven or self.number not in seen.people:
            return seen
        bare = replace(seen.people[self.number], minutes=None, private=Private())
        return replace(seen, people={**seen.people, self.number: bare})

    @cached_property
    def is_proven(self) -> bool:
        """Whether somebody has more to show than that he tapped this name in the room: anybody there may.

        What he has told the organisers is shown to nobody else.
        """
        return not passes.is_tapped(self.tournament, self.number)

    @cached_property
    def role(self) -> str:
        """`director`, `assistant`, `player` or ""."""
        if self.account is not None:
            found = Membership.objects.filter(tournament=self.tournament, account=self.account)
            desk = found.values_list("role", flat=True).first()
            if desk:
                return desk
        return "player" if self.number else ""

    @property
    def directs(self) -> bool:
        """The director, who may do everything."""
        return self.role == Role.DIRECTOR

    @property
    def at_desk(self) -> bool:
        """The director or an assistant, who see private facts."""
        return self.role in (Role.DIRECTOR, Role.ASSISTANT)

    @property
    def may_open(self) -> bool:
        """Whether the tournament exists at all for this visitor."""
        return self.tournament.listed or bool(self.role)

    def may(self, act: Act | type[Act]) -> bool:
        """Whether one may do this at the desk."""
        return self.directs or (self.at_desk and act.helps)

    def may_undo(self, entry: Entry) -> bool:
        """Whether one may take an entry back: an assistant, what he could have done himself."""
        done = entry
        while done.undoes is not None:  # what was taken back, done again, taken back again
            done = self.tournament.entries.get(number=done.undoes)
        return all(self.may(acts.KINDS.get(str(one.get("kind")), Act)) for one in done.acts)

    @property
    def by(self) -> By:
        """Oneself, for the journal: the desk wherever one works there."""
        return By(self.account, 0 if self.at_desk else self.number)

    @property
    def as_player(self) -> By:
        """Oneself as a person of the event, who may direct it as well."""
        return By(self.account, self.number)
