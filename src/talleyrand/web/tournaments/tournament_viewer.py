"""What one visitor may see and do in one tournament. Every page, file and screen asks here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from django.http import HttpRequest

from talleyrand.tournament import acts, public_view
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.model import Event, PrivateFacts
from talleyrand.web.accounts.models import Person

from . import access_tokens
from .event_documents import event_of, public_event
from .event_journal import JournalActor
from .models import JournalEntry, Tournament, TournamentMembership, TournamentRole


@dataclass
class TournamentViewer:
    """A tournament as a visitor may see it: `person_number` is theirs in the event."""

    tournament: Tournament
    account: Person | None = None
    person_number: int = 0
    signed_topics: str = ""

    @classmethod
    def for_request(cls, tournament: Tournament, request: HttpRequest) -> TournamentViewer:
        """From a request: his account, his own link, or the phone that took his name."""
        account = request.user if isinstance(request.user, Person) else None
        return cls(tournament, account, access_tokens.person_of_request(tournament, request))

    @cached_property
    def event(self) -> Event:
        """All of it, for the desk and for what is worked out: pages show `visible_event`."""
        return event_of(self.tournament)

    @cached_property
    def visible_event(self) -> Event:
        """What a page that leaves the desk may show to this visitor."""
        seen = public_view.add_own_facts(self.event, public_event(self.event), self.person_number)
        if self.is_identified or self.person_number not in seen.people:
            return seen
        bare = replace(seen.people[self.person_number], minutes=None, private=PrivateFacts())
        return replace(seen, people={**seen.people, self.person_number: bare})

    @cached_property
    def is_identified(self) -> bool:
        """Whether somebody has more to show than that he tapped this name in the room: anybody there may.

        What he has told the organisers is shown to nobody else.
        """
        return not access_tokens.is_claimed_in_room(self.tournament, self.person_number)

    @cached_property
    def role(self) -> str:
        """`director`, `assistant`, `player` or ""."""
        if self.account is not None:
            found = TournamentMembership.objects.filter(tournament=self.tournament, account=self.account)
            desk = found.values_list("role", flat=True).first()
            if desk:
                return desk
        return "player" if self.person_number else ""

    @property
    def is_director(self) -> bool:
        """The director, who may do everything."""
        return self.role == TournamentRole.DIRECTOR

    @property
    def is_at_desk(self) -> bool:
        """The director or an assistant, who see private facts."""
        return self.role in (TournamentRole.DIRECTOR, TournamentRole.ASSISTANT)

    @property
    def may_open(self) -> bool:
        """Whether the tournament exists at all for this visitor."""
        return self.tournament.is_listed or bool(self.role)

    def may_do(self, act: EventAct | type[EventAct]) -> bool:
        """Whether one may do this at the desk."""
        return self.is_director or (self.is_at_desk and act.assistants_may)

    def may_undo(self, entry: JournalEntry) -> bool:
        """Whether one may take an entry back: an assistant, what he could have done himself."""
        done = entry
        while done.undoes_number is not None:  # what was taken back, done again, taken back again
            done = self.tournament.entries.get(number=done.undoes_number)
        return all(self.may_do(acts.ACTS_BY_KIND.get(str(one.get("kind")), EventAct)) for one in done.acts)

    @property
    def journal_actor(self) -> JournalActor:
        """Oneself, for the journal: the desk wherever one works there."""
        return JournalActor(self.account, 0 if self.is_at_desk else self.person_number)

    @property
    def journal_actor_as_player(self) -> JournalActor:
        """Oneself as a person of the event, who may direct it as well."""
        return JournalActor(self.account, self.person_number)
