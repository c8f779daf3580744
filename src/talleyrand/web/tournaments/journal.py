"""The only door to change an event: acts are done in one short transaction, and can be taken back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import cast

from django.utils import timezone

from talleyrand.tournament import acts, codec, journal, soundness
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.journal import Change
from talleyrand.tournament.model import Event
from talleyrand.web import background
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.writing import writing
from talleyrand.web.notices import counters

from . import passes
from .documents import days_of, document_of, locked, remember, state_of
from .models import Entry, Json, Tournament, secret

NEWS = "tournament_news"  # the job that tells people of what concerns them


@dataclass(frozen=True)
class By:
    """Who does something: an account, or nobody's; `person` of the event, 0 for the desk."""

    account: Person | None = None
    person: int = 0


@dataclass(frozen=True)
class Effect:
    """What acts would do: the event before and after, the document that is held and what would be kept."""

    before: Event
    after: Event
    held: Json
    document: Json


def topic(key: str) -> str:
    """What pages of a tournament listen to: something has changed, never what."""
    return f"tournament:{key}"


def once_of(submission: str, path: str, fields: Mapping[str, Sequence[str]]) -> str:
    """What makes the same form sent twice one deed; "" for a form without a `submission`.

    A page has several forms with one, and comes back with it as it was: so all that is sent is part of it.
    """
    if not submission:
        return ""
    told = sorted((name, list(sent)) for name, sent in fields.items() if name != "csrfmiddlewaretoken")
    return sha256(json.dumps([submission, path, told]).encode()).hexdigest()[:48]


@writing
def perform(
    tournament: Tournament, done: Sequence[Act], by: By, *, version: int | None = None, once: str = ""
) -> Entry | None:
    """Do acts together, or none of them: a refusal leaves all as it was. None where nothing changes.

    `version`: what the page was made from, where another state must not be overwritten (`act_overtaken`).
    `once`: what was done under it already is given back. Raises Refused.
    """
    row = _held(tournament)
    known = row.entries.filter(once=once).first() if once else None
    if known is not None:
        return known
    if version is not None and version != row.version:
        raise Refused("act_overtaken")
    entry = Entry(acts=[acts.write(one) for one in done], once=once or secret())
    made = _keep(row, preview(row, done), entry, by)
    if made is not None:
        passes.follow_merges(row, made)
    return made


def preview(tournament: Tournament, done: Sequence[Act]) -> Effect:
    """What acts would do; raises Refused, and BadEvent for what could not be read again: facts of an act, or
    an event that they make too large."""
    document, before = state_of(tournament)
    after = before
    for act in done:
        after = acts.perform(after, acts.read(acts.write(act)))
    told = codec.write_on(after, document, before)
    return Effect(before, codec.read_on(Event, told, document, before), document, told)


@writing
def undo(tournament: Tournament, number: int, by: By) -> Entry | None:
    """Take an entry back; raises Refused where something it changed has changed since, or is needed."""
    row = _held(tournament)
    found = row.entries.filter(number=number).first()
    if found is None or found.undone is not None:
        raise Refused("act_undone_already")
    made = _keep(row, without(row, found), Entry(undoes=number), by)
    if made is not None:
        row.entries.filter(number=number).update(undone=made.number)
        if found.undoes is not None:  # what it had taken back stands again
            row.entries.filter(number=found.undoes).update(undone=None)
            _follow_again(row, row.entries.get(number=found.undoes))
    return made


def _follow_again(row: Tournament, entry: Entry) -> None:
    """The merges that stand again with an entry, which may itself have brought back what it took back."""
    while entry.undoes is not None:
        gone = row.entries.get(number=entry.undoes)
        if gone.undoes is None:
            return
        entry = row.entries.get(number=gone.undoes)
    passes.follow_merges(row, entry)


def without(tournament: Tournament, entry: Entry) -> Effect:
    """What taking an entry back would do; raises Refused."""
    document, before = state_of(tournament)
    after = codec.read(Event, journal.undone(document, cast(list[Change], entry.changes)))
    soundness.check(after)
    return Effect(before, after, document, document_of(after))


def _held(tournament: Tournament) -> Tournament:
    row = locked(tournament)
    if row.copied is not None:
        raise Refused("act_copy")
    return row


def _keep(row: Tournament, effect: Effect, entry: Entry, by: By) -> Entry | None:
    after, made = effect.after, journal.changes(effect.held, effect.document)
    if not made:
        return None
    row.document, row.version, row.stamp = effect.document, row.version + 1, secret()
    remember(row, after)
    row.name, row.opens, row.ends = after.name, *days_of(after).values()
    row.save(update_fields=["document", "version", "stamp", "name", "opens", "ends"])
    entry.tournament, entry.number, entry.at = row, row.version, timezone.now()
    entry.by, entry.person, entry.changes = by.account, by.person, cast(list[Json], made)
    entry.save()
    counters.bump(topic(row.key))
    background.soon(NEWS)
    return entry
