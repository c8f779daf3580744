"""Doors of people when two entries become one, are two again, and leave in an archive."""

from __future__ import annotations

import pytest
from django.test import Client

from talleyrand.tournament.acts.merge_people import MergePeople, RemovePerson
from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.exports import event_archive
from talleyrand.tournament.model import EventPerson
from talleyrand.web.tournaments import access_tokens, event_journal
from talleyrand.web.tournaments.models import JournalEntry, Tournament
from talleyrand.web.tournaments.papers import tournament_archives
from tests.web import cast
from tests.web.tournaments import hall, scene, weekend

pytestmark = pytest.mark.django_db


def merged(made: Tournament, kept: int, other: int) -> JournalEntry:
    done = event_journal.perform_acts(
        made, [MergePeople(kept, other)], event_journal.JournalActor(scene.director())
    )
    assert done is not None
    return done


def back(made: Tournament, entry: JournalEntry) -> JournalEntry:
    done = event_journal.undo_entry(made, entry.number, event_journal.JournalActor(scene.director()))
    assert done is not None
    return done


def is_now(phone: Client, made: Tournament) -> str:
    """Whose page a telephone opens."""
    page = hall.text(phone.get(hall.path(made, "mine")))
    return next((name for name in scene.NAMES if f"<h2>{name}</h2>" in page), "")


def test_both_phones_of_two_entries_that_are_one_open_it_and_each_its_own_again() -> None:
    made = scene.tournament(4)
    phones = [hall.phone(made, number) for number in (1, 2, 3)]
    first = merged(made, 2, 3)
    assert [is_now(one, made) for one in phones] == [scene.NAMES[0], scene.NAMES[1], scene.NAMES[1]]
    second = merged(made, 1, 2)
    assert [is_now(one, made) for one in phones] == [scene.NAMES[0]] * 3
    taken_back = back(made, second)
    assert [is_now(one, made) for one in phones] == [scene.NAMES[0], scene.NAMES[1], scene.NAMES[1]]
    back(made, first)
    assert [is_now(one, made) for one in phones] == list(scene.NAMES[:3])
    merged(made, 4, 2)
    assert is_now(phones[1], made) == scene.NAMES[3]
    with pytest.raises(ActRefused):
        back(made, taken_back)  # 2 has become somebody else meanwhile


def test_a_merge_done_again_leads_the_phone_where_it_led_before() -> None:
    made = scene.tournament(3)
    phone = hall.phone(made, 3)
    undone = back(made, merged(made, 2, 3))
    back(made, merged(made, 1, 3))
    assert back(made, undone).number
    assert is_now(phone, made) == scene.NAMES[1]


def test_who_came_as_either_entry_holds_the_name_and_is_released_from_it() -> None:
    made = scene.tournament(4)
    door, code = hall.path(made, "join"), access_tokens.room_code(made)
    phone, thief = Client(), Client()
    phone.post(door, {"code": code, "person": "3"})
    merged(made, 2, 3)
    assert thief.post(door, {"code": code, "person": "2"}).status_code == 409
    access_tokens.release_person(made, 2)
    assert is_now(phone, made) == ""
    assert thief.post(door, {"code": code, "person": "2"}).status_code == 302


@pytest.mark.parametrize("act", [MergePeople(1, 2), RemovePerson(2)])
def test_an_archive_with_links_is_restored_whoever_is_gone(act: MergePeople | RemovePerson) -> None:
    made = scene.tournament(4)
    keys = [access_tokens.token_of(made, number).token for number in (1, 2, 3)]
    access_tokens.claim_in_room(made, 1)
    event_journal.perform_acts(made, [act], event_journal.JournalActor(scene.director()))
    kept = event_archive.write_archive(tournament_archives.archive_of(hall.fresh(made), links=True))
    made.delete()
    again = tournament_archives.tournament_from_archive(
        event_archive.read_archive(kept), cast.person(cast.STRANGER)
    )
    opened = [Client().post(hall.path(again, "enter", key)).status_code for key in keys]
    assert opened == [302, 302 if isinstance(act, MergePeople) else 404, 302]


def test_somebody_removed_is_nobody() -> None:
    made = scene.tournament(3)
    phone = hall.phone(made, 3)
    event_journal.perform_acts(made, [RemovePerson(3)], event_journal.JournalActor(scene.director()))
    assert is_now(phone, made) == ""
    assert phone.get(hall.path(made, "enter", access_tokens.token_of(made, 3).token)).status_code == 404


def test_who_takes_a_name_in_the_room_reads_nothing_that_its_owner_told_the_organisers() -> None:
    made, phone = weekend.tournament(), Client()
    before = hall.event(made).people[3]
    phone.post(hall.path(made, "join"), {"code": access_tokens.room_code(made), "person": "3"})
    page = hall.text(phone.get(hall.path(made, "mine")))
    assert before.name in page
    assert not any(one in page for one in (before.private.mail, before.private.phone, before.private.born))
    fields = {
        "name": before.name,
        "club": "Autres actions",
        "mail": "",
        "phone": "06",
        "born": "",
        "minutes": "",
    }
    assert phone.post(hall.path(made, "facts"), fields).status_code == 302
    after = hall.event(made).people[3]
    assert (after.club, after.private.phone, after.private.mail) == (
        "Autres actions",
        "06",
        before.private.mail,
    )
    assert after.private.born == before.private.born
    access_tokens.release_person(made, 3)
    assert before.private.mail in hall.text(hall.phone(made, 3).get(hall.path(made, "mine")))


def test_who_takes_a_name_in_the_room_is_given_no_link_that_proves_more() -> None:
    made, phone = weekend.tournament(), Client()
    told = hall.event(made).people[3].private
    phone.post(hall.path(made, "join"), {"code": access_tokens.room_code(made), "person": "3"})
    key = access_tokens.token_of(made, 3).token
    assert key not in hall.text(phone.get(hall.path(made, "mine"), {"link": "1"}))
    phone.post(hall.path(made, "leave"))
    assert key not in hall.text(phone.get(hall.path(made, "join"), {"code": access_tokens.room_code(made)}))
    owner = hall.phone(made, 3)
    page = hall.text(owner.get(hall.path(made, "mine"), {"link": "1"}))
    assert key in page
    assert told.mail in page


def test_a_name_taken_in_the_room_proves_nothing_of_whoever_it_has_become() -> None:
    made, phone = weekend.tournament(), Client()
    event_journal.perform_acts(
        made, [AddPerson(EventPerson("Un")), AddPerson(EventPerson("Deux"))], event_journal.JournalActor()
    )
    last = max(hall.event(made).people)
    phone.post(hall.path(made, "join"), {"code": access_tokens.room_code(made), "person": str(last)})
    owner, told = hall.phone(made, 3), hall.event(made).people[3].private
    assert told.mail in hall.text(owner.get(hall.path(made, "mine")))
    merged(made, last - 1, last)
    merged(made, 3, last - 1)
    assert told.mail not in hall.text(phone.get(hall.path(made, "mine")))


def test_a_merge_done_again_and_again_leads_the_phone_where_it_led_before() -> None:
    made = scene.tournament(3)
    phone = hall.phone(made, 3)
    undone = back(made, merged(made, 2, 3))
    undone = back(made, back(made, undone))
    back(made, merged(made, 1, 3))
    back(made, undone)
    assert is_now(phone, made) == scene.NAMES[1]


def test_an_owner_who_leaves_a_borrowed_screen_proves_no_phone_that_tapped_his_name() -> None:
    made, phone = weekend.tournament(), Client()
    door, told = hall.path(made, "join"), hall.event(made).people[3].private
    phone.post(door, {"code": access_tokens.room_code(made), "person": "3"})
    screen = Client()
    screen.post(hall.path(made, "enter", access_tokens.token_of(made, 3).token))
    screen.post(hall.path(made, "leave"))
    assert hall.event(made).people[3].name in hall.text(phone.get(hall.path(made, "mine")))
    assert told.mail not in hall.text(phone.get(hall.path(made, "mine")))
    phone.post(hall.path(made, "leave"))
    assert Client().post(door, {"code": access_tokens.room_code(made), "person": "3"}).status_code == 302
