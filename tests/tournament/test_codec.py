"""Documents of events: what is written is read again, and anything else is refused with its place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from talleyrand.tournament import codec, event_changes
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.model import Event, EventBoard, EventPerson, PowerSeat

from .room import closed, playing


def minutes(told: Any) -> dict[str, Any]:
    return {"name": "A", "people": {"1": {"name": "B", "minutes": told}}}


BAD: list[tuple[str, str, Any]] = [
    ("event_not_a_table", "", []),
    ("event_not_a_table", "", "name"),
    ("event_not_a_table", "", {1: "name"}),
    ("event_missing", "name", {}),
    ("event_unknown_key", "nom", {"name": "A", "nom": "B"}),
    ("event_not_a_text", "name", {"name": 5}),
    ("event_not_a_text", "name", {"name": "nul \0"}),
    ("event_not_a_text", "name", {"name": "half \ud800"}),
    ("event_too_long", "name", {"name": "a" * 20_001}),
    ("event_not_a_flag", "signups", {"name": "A", "signups": 1}),
    ("event_not_a_table", "people", {"name": "A", "people": None}),
    ("event_not_a_number", "people", {"name": "A", "people": {"one": {"name": "B"}}}),
    ("event_not_a_number", "people", {"name": "A", "people": {"01": {"name": "B"}}}),
    ("event_not_a_number", "people", {"name": "A", "people": {"²": {"name": "B"}}}),
    ("event_missing", "people.1.name", {"name": "A", "people": {"1": {}}}),
    ("event_not_a_word", "people.1.office", {"name": "A", "people": {"1": {"name": "B", "office": "king"}}}),
    (
        "event_not_a_number",
        "people.1.minutes",
        minutes(told=True),
    ),
    ("event_not_a_number", "people.1.minutes", minutes(1e9)),
    (
        "event_not_a_number",
        "people.1.minutes",
        minutes(10**10),
    ),
    ("event_not_a_list", "apart", {"name": "A", "apart": "1, 2"}),
    ("event_length", "apart[0]", {"name": "A", "apart": [[1, 2, 3]]}),
    ("event_not_a_number", "apart[0][1]", {"name": "A", "apart": [[1, "2"]]}),
    ("event_too_many", "apart", {"name": "A", "apart": [[1, 2]] * 5_001}),
    ("event_not_a_table", "regulations", {"name": "A", "regulations": 5}),
]


@pytest.mark.parametrize(("code", "where", "told"), BAD, ids=[f"{at}-{row[0]}" for at, row in enumerate(BAD)])
def test_what_is_not_an_event_is_refused_with_its_place(code: str, where: str, told: Any) -> None:
    known = closed(13, 2)
    for read in (
        codec.read_value,
        lambda kind, told: codec.read_changed(kind, told, codec.write_value(known), known),
    ):
        with pytest.raises(InvalidEvent) as refused:
            read(Event, told)
        assert (refused.value.code, refused.value.facts["where"]) == (code, where)


def test_what_is_as_it_was_is_neither_read_nor_written_again() -> None:
    known = closed(13, 2)
    document = codec.write_value(known)
    after = replace(known, name="Another", people={**known.people, 14: EventPerson("Late")})
    told = codec.write_changed(after, document, known)
    assert told == codec.write_value(after)
    assert told["people"]["1"] is document["people"]["1"]
    event = codec.read_changed(Event, json.loads(json.dumps(told)), document, known)
    assert event == after
    assert event.rounds[1] is known.rounds[1]


def test_an_event_comes_back_as_it_was() -> None:
    event = closed(13, 2)
    told = json.loads(json.dumps(codec.write_value(event)))
    assert codec.read_value(Event, told) == event
    assert codec.write_value(codec.read_value(Event, told)) == told


def test_what_is_usual_is_not_written_but_tables_are() -> None:
    assert codec.write_value(PowerSeat()) == {}
    assert codec.write_value(EventBoard())["seats"] == {}
    assert codec.write_value(EventPerson("A")) == {"name": "A", "private": {}}


DOCUMENT = {"a": {"1": {"x": 1, "y": None}}, "b": [1, 2], "c": "text"}


@pytest.mark.parametrize(
    "after",
    [
        {"a": {"1": {"x": 2, "y": None}}, "b": [1, 2], "c": "text"},
        {"a": {"1": {"x": 1}}, "b": [1, 2], "c": "text"},
        {"a": {}, "b": [2], "c": "text", "d": {"e": 1}},
        {"a": {"1": {"x": 1, "y": {"z": 1}}, "2": None}, "c": None},
        {},
    ],
)
def test_changes_lead_back(after: dict[str, Any]) -> None:
    made = event_changes.diff_documents(DOCUMENT, after)
    assert event_changes.undo_changes(after, made) == DOCUMENT
    assert event_changes.undo_changes(DOCUMENT, event_changes.diff_documents(after, DOCUMENT)) == after


def test_nothing_changed_is_no_change() -> None:
    assert event_changes.diff_documents(DOCUMENT, json.loads(json.dumps(DOCUMENT))) == []


@pytest.mark.parametrize(
    "since",
    [
        {"a": {"1": {"x": 3, "y": None}}, "b": [1, 2], "c": "text"},
        {"a": {"1": {"y": None}}, "b": [1, 2], "c": "text"},
        {"a": {}, "b": [1, 2], "c": "text"},
        {"b": [1, 2], "c": "text"},
        {"a": 5, "b": [1, 2], "c": "text"},
    ],
)
def test_what_has_changed_since_is_not_undone(since: dict[str, Any]) -> None:
    made = event_changes.diff_documents(DOCUMENT, {**DOCUMENT, "a": {"1": {"x": 2, "y": None}}})
    kept = json.loads(json.dumps(since))
    with pytest.raises(ActRefused, match="act_changed_since"):
        event_changes.undo_changes(since, made)
    assert since == kept


def test_two_who_change_different_things_do_not_hinder_each_other() -> None:
    event = codec.write_value(playing())
    one = {**event, "name": "Another"}
    both = {**one, "signups": False}
    assert event_changes.undo_changes(both, event_changes.diff_documents(event, one)) == {
        **event,
        "signups": False,
    }


def test_the_joints_of_a_script_are_read() -> None:
    """Persian parts letters by a sign without width; what turns the direction of a line is still refused."""
    assert codec.read_value(Event, {"name": "مهر\u200cبین"}).name == "مهر\u200cبین"
    with pytest.raises(InvalidEvent):
        codec.read_value(Event, {"name": "Coupe\u202e"})
