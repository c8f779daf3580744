"""What is done to a tournament is kept in one piece, refused in one piece, and taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from talleyrand.tournament import codec
from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.acts.round_acts import CheckIn
from talleyrand.tournament.acts.ruling_acts import AddRuling
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.model import DirectorRuling, Event, EventPerson
from talleyrand.web.tournaments import event_journal
from talleyrand.web.tournaments.event_documents import document_from_event, event_of
from talleyrand.web.tournaments.models import Tournament
from tests.web.tournaments import scene

pytestmark = pytest.mark.django_db


def again(made: Tournament) -> Tournament:
    return Tournament.objects.get(pk=made.pk)


def test_acts_are_done_together_or_not_at_all() -> None:
    made, by = scene.tournament(3), event_journal.JournalActor(scene.director())
    with pytest.raises(ActRefused, match="act_no_person"):
        event_journal.perform_acts(
            made, [AddPerson(EventPerson("Théo")), CheckIn(1, 99, "2026-07-03T19:00:00Z")], by
        )
    assert len(event_of(again(made)).people) == 3
    assert again(made).entries.count() == 1


def test_the_same_thing_sent_twice_is_done_once() -> None:
    made, by = scene.tournament(), event_journal.JournalActor(scene.director())
    first = event_journal.perform_acts(made, [AddPerson(EventPerson("Théo"))], by, once="a form")
    assert event_journal.perform_acts(made, [AddPerson(EventPerson("Théo"))], by, once="a form") == first
    assert len(event_of(again(made)).people) == 1


def test_a_page_made_before_a_change_does_not_overwrite_it() -> None:
    made, by = scene.tournament(2), event_journal.JournalActor(scene.director())
    event_journal.perform_acts(made, [AddPerson(EventPerson("Théo"))], by, version=made.version)
    with pytest.raises(ActRefused, match="act_overtaken"):
        event_journal.perform_acts(made, [AddPerson(EventPerson("Ursule"))], by, version=made.version)


def test_what_is_known_of_a_tournament_is_not_read_again_and_what_somebody_else_wrote_is() -> None:
    made, by = scene.tournament(2), event_journal.JournalActor(scene.director())
    event_journal.perform_acts(made, [AddPerson(EventPerson("Théo"))], by)
    with CaptureQueriesContext(connection) as asked:
        event_journal.perform_acts(made, [AddPerson(EventPerson("Ursule"))], by)
    assert not [one for one in asked if one["sql"].startswith("SELECT") and '."document"' in one["sql"]]
    elsewhere = replace(event_of(again(made)), name="By another process")
    Tournament.objects.filter(pk=made.pk).update(
        document=document_from_event(elsewhere), state_token="another"
    )
    event_journal.perform_acts(made, [AddPerson(EventPerson("Victor"))], by)
    after = codec.read_value(Event, again(made).document)
    assert (after.name, len(after.people)) == ("By another process", 5)


def test_an_entry_of_long_ago_is_taken_back_and_done_again() -> None:
    made, by = scene.tournament(3), event_journal.JournalActor(scene.director())
    arrived = event_journal.perform_acts(made, [CheckIn(1, 2, "2026-07-03T19:00:00Z")], by)
    event_journal.perform_acts(made, [CheckIn(1, 3, "2026-07-03T19:01:00Z")], by)
    assert arrived is not None
    back = event_journal.undo_entry(made, arrived.number, by)
    assert back is not None
    assert list(event_of(again(made)).rounds[1].present) == [3]
    with pytest.raises(ActRefused, match="act_undone_already"):
        event_journal.undo_entry(made, arrived.number, by)
    event_journal.undo_entry(made, back.number, by)
    assert set(event_of(again(made)).rounds[1].present) == {2, 3}
    assert event_journal.undo_entry(made, arrived.number, by) is not None


def test_what_is_needed_since_is_not_taken_back() -> None:
    made, by = scene.tournament(1), event_journal.JournalActor(scene.director())
    joined = again(made).entries.get()
    event_journal.perform_acts(made, [CheckIn(1, 1, "2026-07-03T19:00:00Z")], by)
    with pytest.raises(ActRefused, match="sound_present"):
        event_journal.undo_entry(made, joined.number, by)


def test_what_could_not_be_read_again_is_not_kept() -> None:
    """A letter that no document may hold must not close a tournament to everybody."""
    made, by = scene.tournament(2), event_journal.JournalActor(scene.director())
    with pytest.raises(InvalidEvent, match="event_not_a_text"):
        event_journal.perform_acts(made, [AddPerson(EventPerson("Th\x07o"))], by)
    assert len(event_of(again(made)).people) == 2


def test_an_event_that_could_not_be_read_again_is_not_kept() -> None:
    """One entry more than a document may have would close the tournament to everybody for ever."""
    made, by = scene.tournament(1), event_journal.JournalActor(scene.director())
    note = DirectorRuling("2026-07-03T19:00:00Z", "A pause.")
    full = replace(event_of(made), rulings=dict.fromkeys(range(1, codec.MAX_ENTRIES + 1), note))
    Tournament.objects.filter(pk=made.pk).update(document=document_from_event(full), state_token="full")
    with pytest.raises(InvalidEvent, match="event_too_many"):
        event_journal.perform_acts(again(made), [AddRuling(note)], by)
    assert len(codec.read_value(Event, again(made).document).rulings) == codec.MAX_ENTRIES
