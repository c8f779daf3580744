"""The same person at several events: told by name and birth, settled by whoever keeps the season.

Two entries of one name and one date of birth are one person unless somebody says no; where a date is missing
or the names merely sound alike, they are two until somebody says yes. Birth never leaves this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .birth_dates import birth_days, may_be_born_together
from .model import Event, EventPerson
from .name_matching import have_same_name, possible_duplicates


class EventEntry(NamedTuple):
    """Somebody at one event: the number of the event in its season, his number there."""

    stage: int
    person: int

    def __str__(self) -> str:
        return f"{self.stage}.{self.person}"


Pair = frozenset[EventEntry]


@dataclass(frozen=True)
class IdentityDecisions:
    """What was settled: entries that are one person, entries that are two."""

    same: frozenset[Pair] = frozenset()
    apart: frozenset[Pair] = frozenset()


@dataclass(frozen=True)
class SeasonEntrant:
    """Somebody over a season: his first entry names him, and keeps naming him when more events are added."""

    name: str
    entries: tuple[EventEntry, ...]

    @property
    def key(self) -> EventEntry:
        """By which he is told from others."""
        return self.entries[0]


@dataclass(frozen=True)
class IdentityQuestion:
    """Two entries that may be one person; `taken`: for one so far."""

    one: EventEntry
    two: EventEntry
    taken: bool


def group_entrants(events: Mapping[int, Event], decisions: IdentityDecisions) -> list[SeasonEntrant]:
    """Everybody who comes in a season, in the order of events and numbers; his last entry names him."""
    known = _people(events)
    return [SeasonEntrant(known[group[-1]].name, group) for group in _grouped(known, decisions)]


def identity_questions(events: Mapping[int, Event], decisions: IdentityDecisions) -> list[IdentityQuestion]:
    """Pairs that somebody should look at, and has not settled."""
    known = _people(events)
    where = {entry: group for group in _grouped(known, decisions) for entry in group}
    asked = [pair for pair in _alike(known) if frozenset(pair) not in decisions.same | decisions.apart]
    return [IdentityQuestion(one, two, where[one] == where[two]) for one, two in asked]


def _people(events: Mapping[int, Event]) -> dict[EventEntry, EventPerson]:
    return {
        EventEntry(stage, number): known
        for stage, event in sorted(events.items())
        for number, known in sorted(event.people.items())
    }


def _joined(known: Mapping[EventEntry, EventPerson], decisions: IdentityDecisions) -> list[Pair]:
    """The pairs that are one person: those settled, then those that name and birth tell."""
    told = {frozenset(pair) for pair in _alike(known) if _same(known[pair[0]], known[pair[1]])}
    settled = {pair for pair in decisions.same if pair <= set(known)}
    return [*sorted(settled, key=sorted), *sorted(told - decisions.same - decisions.apart, key=sorted)]


def _same(one: EventPerson, two: EventPerson) -> bool:
    born = birth_days(one.private.born)
    exact = born is not None and born.first == born.last
    return exact and born == birth_days(two.private.born) and have_same_name(one, two)


def _alike(known: Mapping[EventEntry, EventPerson]) -> list[tuple[EventEntry, EventEntry]]:
    """Entries of different events whose names sound alike and whose births do not contradict each other."""
    return [
        (one, two)
        for one, two in possible_duplicates(known)
        if one.stage != two.stage and may_be_born_together(known[one].private.born, known[two].private.born)
    ]


def _grouped(
    known: Mapping[EventEntry, EventPerson], decisions: IdentityDecisions
) -> list[tuple[EventEntry, ...]]:
    """Entries by person, as `_joined` pairs them, but for what would contradict itself."""
    group: dict[EventEntry, tuple[EventEntry, ...]] = {entry: (entry,) for entry in known}
    for pair in _joined(known, decisions):
        both = tuple(sorted({entry for one in pair for entry in group[one]}))
        if _may_join(both, decisions):
            group.update(dict.fromkeys(both, both))
    return sorted(set(group.values()))


def _may_join(entries: tuple[EventEntry, ...], decisions: IdentityDecisions) -> bool:
    """One person has one entry at an event, and none that was told from another of his."""
    if len({entry.stage for entry in entries}) < len(entries):
        return False
    return not any(pair <= set(entries) for pair in decisions.apart)
