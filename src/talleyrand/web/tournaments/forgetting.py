"""A tournament without its private facts, and a tournament that is no more: neither can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone

from talleyrand.tournament import forgetting, soundness
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Event
from talleyrand.web.games.writing import writing
from talleyrand.web.notices import counters

from .documents import document_of, event_of
from .journal import By, topic
from .models import Entry, Tournament, secret


@dataclass(frozen=True)
class Elsewhere:
    """What a part above keeps of a tournament: how much the director is told of, and how it goes."""

    held: Callable[[Tournament], int]
    forget: Callable[[Tournament], None]


_elsewhere: list[Elsewhere] = []


def also(one: Elsewhere) -> None:
    """Have a part above forget with the rest; to be called in `AppConfig.ready`."""
    _elsewhere.append(one)


@dataclass(frozen=True)
class Held:
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


def held(tournament: Tournament) -> Held:
    """What the desk alone knows, in numbers; nothing of it is left once it has been forgotten."""
    event = event_of(tournament)
    after, kept = forgetting.forgotten(event), [one.private for one in event.people.values()]
    minutes = sum(one.minutes != after.people[at].minutes for at, one in event.people.items())
    return Held(
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
        photos=tournament.photos.filter(shown=False).count(),
        chats=sum(one.held(tournament) for one in _elsewhere),
    )


@writing
def forget(tournament: Tournament, by: By) -> Entry | None:
    """Forget what is private, and the journal with it but for one entry that says so.

    None where nothing is left to forget. Raises Refused (`act_not_over`) while the event goes on.
    """
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    event = event_of(row)
    if not event.over:
        raise Refused("act_not_over")
    return _forgotten(row, forgetting.forgotten(event), by) if held(row) else None


def _forgotten(row: Tournament, after: Event, by: By) -> Entry:
    soundness.check(after)
    row.document, row.version, row.stamp = document_of(after), row.version + 1, secret()
    row.save(update_fields=["document", "version", "stamp"])
    row.entries.all().delete()
    row.photos.filter(shown=False).delete()
    row.photos.update(person=0)
    for one in _elsewhere:
        one.forget(row)
    made = Entry.objects.create(
        tournament=row, number=row.version, at=timezone.now(), by=by.account, person=by.person
    )
    counters.bump(topic(row.key))
    return made


@writing
def delete(tournament: Tournament) -> None:
    """The whole tournament goes: document, journal, desk, links of its people."""
    for one in _elsewhere:
        one.forget(tournament)
    Tournament.objects.filter(pk=tournament.pk).delete()
    counters.bump(topic(tournament.key))
