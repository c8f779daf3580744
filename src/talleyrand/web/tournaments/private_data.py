"""A tournament without its private facts, and a tournament that is no more: neither can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone

from talleyrand.tournament import invariants, private_data_removal
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import topic_versions

from .event_documents import document_from_event, event_of
from .event_journal import JournalActor, tournament_topic
from .models import JournalEntry, Tournament, random_token


@dataclass(frozen=True)
class PrivateDataSource:
    """What a part above keeps of a tournament: how much the director is told of, and how it goes."""

    count: Callable[[Tournament], int]
    forget: Callable[[Tournament], None]


_elsewhere: list[PrivateDataSource] = []


def register_private_data(one: PrivateDataSource) -> None:
    """Have a part above forget with the rest; to be called in `AppConfig.ready`."""
    _elsewhere.append(one)


@dataclass(frozen=True)
class PrivateDataCounts:
    """What would be forgotten: how many of each."""

    births: int
    addresses: int
    notes: int
    amounts: int
    wishes: int
    journeys: int
    rides: int
    apart: int
    ballots: int
    entries: int
    photos: int
    chats: int

    def __bool__(self) -> bool:
        return any(vars(self).values())


def count_private_data(tournament: Tournament) -> PrivateDataCounts:
    """What the desk alone knows, in numbers; nothing of it is left once it has been forgotten."""
    event = event_of(tournament)
    after, kept = (
        private_data_removal.remove_private_data(event),
        [one.private for one in event.people.values()],
    )
    minutes = sum(one.minutes != after.people[at].minutes for at, one in event.people.items())
    return PrivateDataCounts(
        births=sum(bool(one.born) for one in kept),
        addresses=sum(bool(one.mail or one.phone) for one in kept),
        notes=sum(bool(one.note) for one in kept),
        amounts=sum(one.due != "0" or one.paid != "0" for one in kept),
        wishes=sum(bool(one.prefers) for one in kept),
        journeys=minutes,
        rides=len(event.rides),
        apart=len(event.apart),
        ballots=sum(one.voter != 0 for one in event.ballots.values()),
        entries=sum(bool(one.acts or one.changes) for one in tournament.entries.all()),
        photos=tournament.photos.filter(is_public=False).count(),
        chats=sum(one.count(tournament) for one in _elsewhere),
    )


@write_transaction
def forget_private_data(tournament: Tournament, by: JournalActor) -> JournalEntry | None:
    """Forget what is private, and the journal with it but for one entry that says so.

    None where nothing is left to forget. Raises ActRefused (`act_not_over`) while the event goes on.
    """
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    event = event_of(row)
    if not event.over:
        raise ActRefused("act_not_over")
    return (
        _forgotten(row, private_data_removal.remove_private_data(event), by)
        if count_private_data(row)
        else None
    )


def _forgotten(row: Tournament, after: Event, by: JournalActor) -> JournalEntry:
    invariants.check_invariants(after)
    row.document, row.version, row.state_token = document_from_event(after), row.version + 1, random_token()
    row.save(update_fields=["document", "version", "state_token"])
    row.entries.all().delete()
    row.photos.filter(is_public=False).delete()
    row.photos.update(person_number=0)
    for one in _elsewhere:
        one.forget(row)
    made = JournalEntry.objects.create(
        tournament=row,
        number=row.version,
        created_at=timezone.now(),
        account=by.account,
        person_number=by.person,
    )
    topic_versions.bump(tournament_topic(row.key))
    return made


@write_transaction
def delete_tournament(tournament: Tournament) -> None:
    """The whole tournament goes: document, journal, desk, links of its people."""
    for one in _elsewhere:
        one.forget(tournament)
    Tournament.objects.filter(pk=tournament.pk).delete()
    topic_versions.bump(tournament_topic(tournament.key))
