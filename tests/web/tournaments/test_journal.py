"""What is done to a tournament is kept in one piece, refused in one piece, and taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from talleyrand.tournament import codec
from talleyrand.tournament.acts.notebook import AddRuling
from talleyrand.tournament.acts.people import AddPerson
from talleyrand.tournament.acts.presence import Arrive
from talleyrand.tournament.errors import BadEvent, Refused
from talleyrand.tournament.model import Event, Person, Ruling
from talleyrand.web.tournaments import journal
from talleyrand.web.tournaments.documents import document_of, event_of
from talleyrand.web.tournaments.models import Tournament
from tests.web.tournaments import scene

pytestmark = pytest.mark.django_db


def again(made: Tournament) -> Tournament:
    return Tournament.objects.get(pk=made.pk)


def test_acts_are_done_together_or_not_at_all() -> None:
    made, by = scene.tournament(3), journal.By(scene.director())
    with pytest.raises(Refused, match="act_no_person"):
        journal.perform(made, [AddPerson(Person("Théo")), Arrive(1, 99, "2026-07-03T19:00:00Z")], by)
    assert len(event_of(again(made)).people) == 3
    assert again(made).entries.count() == 1


def test_the_same_thing_sent_twice_is_done_once() -> None:
    made, by = scene.tournament(), journal.By(scene.director())
    first = journal.perform(made, [AddPerson(Person("Théo"))], by, once="a form")
    assert journal.perform(made, [AddPerson(Person("Théo"))], by, once="a form") == first
    assert len(event_of(again(made)).people) == 1


def test_a_page_made_before_a_change_does_not_overwrite_it() -> None:
    made, by = scene.tournament(2), journal.By(scene.director())
    journal.perform(made, [AddPerson(Person("Théo"))], by, version=made.version)
    with pytest.raises(Refused, match="act_overtaken"):
        journal.perform(made, [AddPerson(Person("Ursule"))], by, version=made.version)


def test_what_is_known_of_a_tournament_is_not_read_again_and_what_somebody_else_wrote_is() -> None:
    made, by = scene.tournament(2), journal.By(scene.director())
    journal.perform(made, [AddPerson(Person("Théo"))], by)
    with CaptureQueriesContext(connection) as asked:
        journal.perform(made, [AddPerson(Person("Ursule"))], by)
    assert not [one for one in asked if one["sql"].startswith("SELECT") and '."document"' in one["sql"]]
    elsewhere = replace(event_of(again(made)), name="By another process")
    Tournament.objects.filter(pk=made.pk).update(document=document_of(elsewhere), stamp="another")
    journal.perform(made, [AddPerson(Person("Victor"))], by)
    after = codec.read(Event, again(made).document)
    assert (after.name, len(after.people)) == ("By another process", 5)


def test_an_entry_of_long_ago_is_taken_back_and_done_again() -> None:
    made, by = scene.tournament(3), journal.By(scene.director())
    arrived = journal.perform(made, [Arrive(1, 2, "2026-07-03T19:00:00Z")], by)
    journal.perform(made, [Arrive(1, 3, "2026-07-03T19:01:00Z")], by)
    assert arrived is not None
    back = journal.undo(made, arrived.number, by)
    assert back is not None
    assert list(event_of(again(made)).rounds[1].present) == [3]
    with pytest.raises(Refused, match="act_undone_already"):
        journal.undo(made, arrived.number, by)
    journal.undo(made, back.number, by)
    assert set(event_of(again(made)).rounds[1].present) == {2, 3}
    assert journal.undo(made, arrived.number, by) is not None


def test_what_is_needed_since_is_not_taken_back() -> None:
    made, by = scene.tournament(1), journal.By(scene.director())
    joined = again(made).entries.get()
    journal.perform(made, [Arrive(1, 1, "2026-07-03T19:00:00Z")], by)
    with pytest.raises(Refused, match="sound_present"):
        journal.undo(made, joined.number, by)


def test_what_could_not_be_read_again_is_not_kept() -> None:
    """A letter that no document may hold must not close a tournament to everybody."""
    made, by = scene.tournament(2), journal.By(scene.director())
    with pytest.raises(BadEvent, match="event_not_a_text"):
        journal.perform(made, [AddPerson(Person("Th\x07o"))], by)
    assert len(event_of(again(made)).people) == 2


def test_an_event_that_could_not_be_read_again_is_not_kept() -> None:
    """One entry more than a document may have would close the tournament to everybody for ever."""
    made, by = scene.tournament(1), journal.By(scene.director())
    note = Ruling("2026-07-03T19:00:00Z", "A pause.")
    full = replace(event_of(made), rulings=dict.fromkeys(range(1, codec.MOST + 1), note))
    Tournament.objects.filter(pk=made.pk).update(document=document_of(full), stamp="full")
    with pytest.raises(BadEvent, match="event_too_many"):
        journal.perform(again(made), [AddRuling(note)], by)
    assert len(codec.read(Event, again(made).document).rulings) == codec.MOST
