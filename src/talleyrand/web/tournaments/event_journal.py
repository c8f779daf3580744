"""The only door to change an event: acts are done in one short transaction, and can be taken back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import cast

from django.utils import timezone

from talleyrand.tournament import acts, codec, event_changes, invariants
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.event_changes import EventChange
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.web import background
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import topic_versions

from . import access_tokens
from .event_documents import (
    STATE_FIELDS,
    cache_event,
    document_and_event,
    document_from_event,
    event_days,
    event_of,
    follows_games,
    locked_tournament,
)
from .models import JournalEntry, Json, Tournament, random_token

ActsBuilder = Callable[[Event], Sequence[EventAct]]  # makes acts from the event as it is then
NOTIFICATION_JOB = "tournament_news"  # the job that tells people of what concerns them


@dataclass(frozen=True)
class JournalActor:
    """Who does something: an account, or nobody's; `person` of the event, 0 for the desk."""

    account: Person | None = None
    person: int = 0


@dataclass(frozen=True)
class ActsPreview:
    """What acts would do: the event before and after, the document that is held and what would be kept."""

    before: Event
    after: Event
    old_document: Json
    new_document: Json


def tournament_topic(key: str) -> str:
    """What pages of a tournament listen to: something has changed, never what."""
    return f"tournament:{key}"


def form_idempotency_key(submission: str, path: str, fields: Mapping[str, Sequence[str]]) -> str:
    """What makes the same form sent twice one deed; "" for a form without a `submission`.

    A page has several forms with one, and comes back with it as it was: so all that is sent is part of it.
    """
    if not submission:
        return ""
    told = sorted((name, list(sent)) for name, sent in fields.items() if name != "csrfmiddlewaretoken")
    return sha256(json.dumps([submission, path, told]).encode()).hexdigest()[:48]


@write_transaction
def perform_acts(
    tournament: Tournament,
    done: Sequence[EventAct],
    by: JournalActor,
    *,
    version: int | None = None,
    once: str = "",
) -> JournalEntry | None:
    """Do acts together, or none of them: a refusal leaves all as it was. None where nothing changes.

    `version`: what the page was made from, where another state must not be overwritten (`act_overtaken`).
    `once`: what was done under it already is given back. Raises ActRefused.
    """
    row = _held(tournament)
    known = row.entries.filter(idempotency_key=once).first() if once else None
    if known is not None:
        return known
    if version is not None and version != row.version:
        raise ActRefused("act_overtaken")
    entry = JournalEntry(acts=[acts.write_act(one) for one in done], idempotency_key=once or random_token())
    made = _keep(row, preview_acts(row, done), entry, by)
    if made is not None:
        access_tokens.follow_merges(row, made)
    return made


def perform_built_acts(
    tournament: Tournament, build: ActsBuilder, by: JournalActor, *, once: str = "", tries: int = 2
) -> JournalEntry | None:
    """Do the acts that `build` makes of the event as it is then; None where nothing changes.

    It is called again where somebody else was faster, the last of `tries` times while nobody else can be: a
    whole room presses its buttons at once. What was done under `once` already is given back. Raises
    ActRefused, and what `build` raises.
    """
    for _try in range(tries - 1):
        try:
            return _perform_fresh(tournament, build, by, once)
        except ActRefused as refused:
            if refused.code != "act_overtaken":
                raise
    return _perform_locked(tournament, build, by, once)


@write_transaction
def _perform_locked(
    tournament: Tournament, build: ActsBuilder, by: JournalActor, once: str
) -> JournalEntry | None:
    locked_tournament(tournament)
    return _perform_fresh(tournament, build, by, once)


def _perform_fresh(
    tournament: Tournament, build: ActsBuilder, by: JournalActor, once: str
) -> JournalEntry | None:
    fresh = Tournament.objects.defer("document").get(pk=tournament.pk)
    known = fresh.entries.filter(idempotency_key=once).first() if once else None
    if known is not None:
        return known
    return perform_acts(fresh, build(event_of(fresh)), by, version=fresh.version, once=once)


def preview_acts(tournament: Tournament, done: Sequence[EventAct]) -> ActsPreview:
    """What acts would do; raises ActRefused, and InvalidEvent for what could not be read again: facts of an
    act, or an event that they make too large.
    """
    document, before = document_and_event(tournament)
    after = before
    for act in done:
        after = acts.perform_act(after, acts.read_act(acts.write_act(act)))
    told = codec.write_changed(after, document, before)
    return ActsPreview(before, codec.read_changed(Event, told, document, before), document, told)


@write_transaction
def undo_entry(tournament: Tournament, number: int, by: JournalActor) -> JournalEntry | None:
    """Take an entry back; raises ActRefused where something it changed has changed since, or is needed."""
    row = _held(tournament)
    found = row.entries.filter(number=number).first()
    if found is None or found.undone_by_number is not None:
        raise ActRefused("act_undone_already")
    made = _keep(row, preview_undo(row, found), JournalEntry(undoes_number=number), by)
    if made is not None:
        row.entries.filter(number=number).update(undone_by_number=made.number)
        if found.undoes_number is not None:  # what it had taken back stands again
            row.entries.filter(number=found.undoes_number).update(undone_by_number=None)
            _follow_again(row, row.entries.get(number=found.undoes_number))
    return made


def _follow_again(row: Tournament, entry: JournalEntry) -> None:
    """The merges that stand again with an entry, which may itself have brought back what it took back."""
    while entry.undoes_number is not None:
        gone = row.entries.get(number=entry.undoes_number)
        if gone.undoes_number is None:
            return
        entry = row.entries.get(number=gone.undoes_number)
    access_tokens.follow_merges(row, entry)


def preview_undo(tournament: Tournament, entry: JournalEntry) -> ActsPreview:
    """What taking an entry back would do; raises ActRefused."""
    document, before = document_and_event(tournament)
    after = codec.read_value(
        Event, event_changes.undo_changes(document, cast(list[EventChange], entry.changes))
    )
    invariants.check_invariants(after)
    invariants.check_players_kept(before, after)
    return ActsPreview(before, after, document, document_from_event(after))


def _held(tournament: Tournament) -> Tournament:
    row = locked_tournament(tournament)
    if row.copied_at is not None:
        raise ActRefused("act_copy")
    return row


def _keep(row: Tournament, effect: ActsPreview, entry: JournalEntry, by: JournalActor) -> JournalEntry | None:
    after, made = effect.after, event_changes.diff_documents(effect.old_document, effect.new_document)
    if not made:
        return None
    row.document, row.version, row.state_token = effect.new_document, row.version + 1, random_token()
    cache_event(row, after)
    row.name, row.first_day, row.last_day = after.name, *event_days(after).values()
    row.follows_games = follows_games(after)
    row.save(update_fields=[*STATE_FIELDS])
    entry.tournament, entry.number, entry.created_at = row, row.version, timezone.now()
    entry.account, entry.person_number, entry.changes = by.account, by.person, cast(list[Json], made)
    entry.save()
    topic_versions.bump(tournament_topic(row.key))
    background.run_soon(NOTIFICATION_JOB)
    return entry
